// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/limit_load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <coin/Clp_C_Interface.h>
#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/friction/friction_cone.h"
#include "vinculum/friction/unwedged_rest.h"

namespace vinculum {

namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostRestPairs = 10;
constexpr int kMostRounds = 400;
constexpr double kFarthest = 1e7;   // of alpha in its natural unit
constexpr double kNoEntry = 1e-13;  // of the largest of its column

struct PreparedPair {
  FrictionCone face1, face2;
  const FrictionCone& face(int number) const { return number == 1 ? face1 : face2; }
};

std::vector<PreparedPair> prepare(const RestProblem& problem) {
  std::vector<PreparedPair> pairs;
  for (const auto& pair : problem.pairs) pairs.push_back({FrictionCone(pair.face1), FrictionCone(pair.face2)});
  return pairs;
}

Faces faces_of_number(unsigned number, std::size_t pairs) {
  Faces faces(pairs);
  for (std::size_t k = 0; k < pairs; ++k) faces[k] = (number >> k & 1u) != 0 ? 1 : 2;
  return faces;
}

// One variant as a linear program in x = (alpha, λ, then N and friction of every pair), with planes that cut the cones; forces in
// `unit`. A simplex resolves about 1e-7. So, when its planes are that near, the program is written anew in  x = centre + zoom y
// about the best x so far, and cutting goes on.
class CuttingProgram {
 public:
  CuttingProgram(const RestProblem& problem, const std::vector<PreparedPair>& pairs, const Faces& faces,
                 const Eigen::VectorXd& constant, double alpha_low, double alpha_high, double unit)
      : pairs_(pairs), faces_(faces), lower_{alpha_low}, upper_{alpha_high} {
    std::vector<Eigen::VectorXd> columns{problem.load / unit};
    for (Eigen::Index k = 0; k < problem.held.cols(); ++k) {
      columns.push_back(problem.held.col(k));
      lower_.push_back(-kNoEnd), upper_.push_back(kNoEnd);
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      first_.push_back(static_cast<Eigen::Index>(columns.size()));
      columns.push_back(problem.pairs[k].face(faces[k]).push);
      lower_.push_back(0), upper_.push_back(kNoEnd);
      const Eigen::MatrixXd& friction = pairs[k].face(faces[k]).columns();
      for (Eigen::Index j = 0; j < friction.cols(); ++j) {
        columns.push_back(friction.col(j));
        lower_.push_back(-kNoEnd), upper_.push_back(kNoEnd);
      }
      for (const Eigen::VectorXd& direction : pairs[k].face(faces[k]).first_directions()) cuts_.push_back({k, direction});
    }
    equations_.resize(constant.size(), static_cast<Eigen::Index>(columns.size()));
    // Round-off where a force has no arm would lead the scaling of the simplex method astray.
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double nothing = kNoEntry * columns[j].cwiseAbs().maxCoeff();
      equations_.col(static_cast<Eigen::Index>(j)) = (columns[j].array().abs() > nothing).select(columns[j], 0.0);
    }
    right_ = -constant / unit;
  }

  enum class Answer { optimal, infeasible, gave_up };

  // The largest of sign · alpha.
  Answer maximise(int sign) {
    x_ = Eigen::VectorXd::Zero(equations_.cols());
    double zoom = 1;
    load(sign, zoom, Eigen::VectorXd::Zero(x_.size()));
    for (const double enough : {1e-5, 1e-9, 1e-13}) {
      const Answer answer = cut_until(enough, sign, zoom);
      if (answer != Answer::optimal && zoom == 1) return answer;
      if (answer != Answer::optimal || is_linear()) break;
      zoom *= 1e-4;
      load(sign, zoom, x_);
    }
    return Answer::optimal;
  }

  // Where alpha has come to its bound, planes are added all the same until none is violated: whether it can be there is the
  // question. How far beyond its planes the answer still is, beside the loads.
  void insist() { insists_ = true; }
  double violation() const { return violation_; }

  double alpha() const { return x_[0]; }
  double load(std::size_t k) const { return x_[first_[k]]; }
  Eigen::Vector3d friction(std::size_t k) const { return cone(k).on_face(x_.segment(first_[k] + 1, cone(k).unknowns())); }
  // Prices of the equilibrium rows: the virtual slip.
  const Eigen::VectorXd& prices() const { return prices_; }

 private:
  struct Cut {
    std::size_t pair;
    Eigen::VectorXd direction;
  };

  const FrictionCone& cone(std::size_t k) const { return pairs_[k].face(faces_[k]); }
  bool is_linear() const {
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      if (!cone(k).is_linear()) return false;
    }
    return true;
  }
  double excess(const Cut& cut, const Eigen::VectorXd& x) const {
    return cut.direction.dot(x.segment(first_[cut.pair] + 1, cut.direction.size())) -
           cone(cut.pair).support(cut.direction) * x[first_[cut.pair]];
  }

  // The program in y about a centre; of the planes, the first ones and those near it.
  void load(int sign, double zoom, const Eigen::VectorXd& centre) {
    centre_ = centre;
    zoom_ = zoom;
    simplex_.reset(Clp_newModel());
    Clp_setLogLevel(simplex_.get(), 0);
    Clp_setPrimalTolerance(simplex_.get(), 1e-9);
    Clp_setDualTolerance(simplex_.get(), 1e-9);
    const auto count = static_cast<int>(equations_.cols());
    std::vector<CoinBigIndex> start{0};
    std::vector<int> index;
    std::vector<double> value, lower, upper, cost(count, 0.0);
    cost[0] = -sign;
    for (Eigen::Index j = 0; j < count; ++j) {
      for (Eigen::Index i = 0; i < equations_.rows(); ++i) {
        if (equations_(i, j) == 0) continue;
        index.push_back(static_cast<int>(i));
        value.push_back(equations_(i, j));
      }
      start.push_back(static_cast<CoinBigIndex>(index.size()));
      lower.push_back((lower_[j] - centre[j]) / zoom);
      upper.push_back((upper_[j] - centre[j]) / zoom);
    }
    const Eigen::VectorXd right = (right_ - equations_ * centre) / zoom;
    Clp_loadProblem(simplex_.get(), count, static_cast<int>(right.size()), start.data(), index.data(), value.data(), lower.data(),
                    upper.data(), cost.data(), right.data(), right.data());
    std::vector<Cut> kept;
    for (const Cut& cut : cuts_) {
      if (zoom == 1 || excess(cut, centre) > -1e4 * zoom) kept.push_back(cut);
    }
    cuts_ = std::move(kept);
    for (const Cut& cut : cuts_) add(cut);
  }

  // direction · friction - support(direction) N ≤ 0
  void add(const Cut& cut) {
    std::vector<int> columns{static_cast<int>(first_[cut.pair])};
    std::vector<double> values{-cone(cut.pair).support(cut.direction)};
    for (Eigen::Index j = 0; j < cut.direction.size(); ++j) {
      if (cut.direction[j] == 0) continue;
      columns.push_back(static_cast<int>(first_[cut.pair] + 1 + j));
      values.push_back(cut.direction[j]);
    }
    const double low = -std::numeric_limits<double>::max(), high = -excess(cut, centre_) / zoom_;
    const CoinBigIndex starts[] = {0, static_cast<CoinBigIndex>(columns.size())};
    Clp_addRows(simplex_.get(), 1, &low, &high, starts, columns.data(), values.data());
  }

  // Solves and cuts until no plane is violated by more than `enough` of the loads, or nothing changes any more.
  Answer cut_until(double enough, int sign, double zoom) {
    double best = kNoEnd;
    int idle = 0;
    for (int round = 0; round < kMostRounds; ++round) {
      Clp_dual(simplex_.get(), 0);
      if (Clp_status(simplex_.get()) != 0) Clp_primal(simplex_.get(), 0);
      if (Clp_status(simplex_.get()) == 1) return Answer::infeasible;
      if (Clp_status(simplex_.get()) != 0) return Answer::gave_up;
      x_ = centre_ + zoom * Eigen::Map<const Eigen::VectorXd>(Clp_primalColumnSolution(simplex_.get()), equations_.cols());
      prices_ = Eigen::Map<const Eigen::VectorXd>(Clp_dualRowSolution(simplex_.get()), equations_.rows());
      double worst = 0, size = 1;
      for (std::size_t k = 0; k < pairs_.size(); ++k) size = std::max(size, load(k));
      const double before = x_[0] * sign;
      bool added = false;
      for (std::size_t k = 0; k < pairs_.size(); ++k) {
        if (cone(k).is_linear()) continue;
        const auto violation = cone(k).find_violation(x_.segment(first_[k] + 1, cone(k).unknowns()), load(k));
        worst = std::max(worst, violation.amount);
        if (violation.amount <= enough * size) continue;
        cuts_.push_back({k, violation.direction});
        add(cuts_.back());
        added = true;
      }
      violation_ = worst / size;
      if (!added) return Answer::optimal;
      if (insists_) continue;
      idle = before < best - 1e-15 * std::abs(best) ? 0 : idle + 1;
      best = std::min(best, before);
      if (idle > 3) return Answer::optimal;
    }
    return Answer::optimal;
  }

  struct Delete {
    void operator()(Clp_Simplex* simplex) const { Clp_deleteModel(simplex); }
  };
  std::unique_ptr<Clp_Simplex, Delete> simplex_;
  const std::vector<PreparedPair>& pairs_;
  Faces faces_;
  Eigen::MatrixXd equations_;
  Eigen::VectorXd right_, centre_, x_, prices_;
  std::vector<double> lower_, upper_;
  double zoom_ = 1, violation_ = 0;
  bool insists_ = false;
  std::vector<Cut> cuts_;
  std::vector<Eigen::Index> first_;  // column of N of each pair
};

Failure gave_up() {
  return {"VN-VARIANT-022", "the linear program of the rest has no reliable answer",
          "numbers of very different size make it so: check units, friction and radii"};
}

// What one variant bears.
struct VariantInterval {
  bool any = false;
  double low = 0, high = 0;
  Eigen::VectorXd N;     // at the end that counts: high, or low if there is no high
  Eigen::VectorXd slip;  // at high
};

struct Units {
  double force = 1, alpha = 1;
};
Units units_of(const RestProblem& problem) {
  const double load = problem.load.cwiseAbs().maxCoeff(), constant = problem.constant.cwiseAbs().maxCoeff();
  return {constant > 0 ? constant : load, constant > 0 ? constant / load : 1};
}

Outcome<VariantInterval> find_interval(const RestProblem& problem, const std::vector<PreparedPair>& pairs, const Faces& faces) {
  using Answer = CuttingProgram::Answer;
  const Units units = units_of(problem);
  const auto far = kFarthest * units.alpha;
  VariantInterval interval;
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(problem.constant.size());
  const auto take = [&](const CuttingProgram& program) {
    interval.N.resize(static_cast<Eigen::Index>(pairs.size()));
    for (std::size_t k = 0; k < pairs.size(); ++k) interval.N[static_cast<Eigen::Index>(k)] = units.force * program.load(k);
  };
  for (const int sign : {-1, 1}) {
    CuttingProgram program(problem, pairs, faces, problem.constant, -far, far, units.force);
    const Answer answer = program.maximise(sign);
    if (answer == Answer::infeasible) return interval;
    if (answer == Answer::gave_up) return gave_up();
    double end = program.alpha();
    // Without end? The recession problem, in the unit of alpha.
    CuttingProgram recession(problem, pairs, faces, nothing, -units.alpha, units.alpha, units.force);
    const Answer beyond = recession.maximise(sign);
    if (beyond == Answer::gave_up) return gave_up();
    const bool endless = beyond == Answer::optimal && std::abs(recession.alpha()) > 0.5 * units.alpha;
    if (endless) end = sign * kNoEnd;
    (sign < 0 ? interval.low : interval.high) = end;
    if (sign < 0 || !endless) take(program);
    if (sign > 0 && !endless) interval.slip = program.prices();
  }
  interval.any = interval.low <= interval.high;
  return interval;
}

// Forces, rows and |u| of the slip that begins (7.2), over x = (u, N, λ, alpha): zero where nothing accelerates.
class SlipEquations {
 public:
  SlipEquations(const RestProblem& problem, const std::vector<PreparedPair>& pairs, const Faces& faces)
      : problem_(problem), pairs_(pairs), faces_(faces), nv_(problem.constant.size()), held_(problem.held.cols()) {
    for (std::size_t k = 0; k < faces.size(); ++k) {
      if (faces[k] != 0) loaded_.push_back(k);
    }
  }
  Eigen::Index size() const { return nv_ + static_cast<Eigen::Index>(loaded_.size()) + held_ + 1; }
  const std::vector<std::size_t>& loaded() const { return loaded_; }

  // With `accelerates`: M u on the right side, alpha given; (7.4) instead of (7.2).
  Eigen::VectorXd residual(const Eigen::VectorXd& x, bool accelerates, double alpha) const {
    const Eigen::VectorXd u = x.head(nv_), lambda = x.segment(nv_ + loads(), held_);
    Eigen::VectorXd rest(size());
    rest.head(nv_) = problem_.constant + (accelerates ? alpha : x[size() - 1]) * problem_.load + problem_.held * lambda;
    if (accelerates) rest.head(nv_) -= problem_.mass * u;
    for (Eigen::Index i = 0; i < loads(); ++i) {
      const std::size_t k = loaded_[static_cast<std::size_t>(i)];
      rest.head(nv_) += x[nv_ + i] * column(k, faces_[k], u);
      rest[nv_ + i] = problem_.pairs[k].face(faces_[k]).push.dot(u);
    }
    rest.segment(nv_ + loads(), held_) = problem_.held.transpose() * u;
    rest[size() - 1] = accelerates ? x[size() - 1] : 0.5 * (u.squaredNorm() - 1);
    return rest;
  }
  // Push and friction of a face per unit of its load, with friction against u.
  Eigen::VectorXd column(std::size_t k, int face, const Eigen::VectorXd& u) const {
    const FrictionCone& cone = pairs_[k].face(face);
    return problem_.pairs[k].face(face).push + cone.columns() * cone.against(cone.columns().transpose() * u);
  }

  // Newton with a difference Jacobian, halved where it does not get better.
  bool solve(Eigen::VectorXd& x, bool accelerates, double alpha, double scale) const {
    double before = residual(x, accelerates, alpha).norm();
    for (int iteration = 0; iteration < 60; ++iteration) {
      const Eigen::VectorXd rest = residual(x, accelerates, alpha);
      Eigen::MatrixXd J(size(), size());
      for (Eigen::Index j = 0; j < size(); ++j) {
        const double h = 1e-6 * std::max(std::abs(x[j]), j < nv_ ? x.head(nv_).norm() : scale);
        Eigen::VectorXd ahead = x, behind = x;
        ahead[j] += h, behind[j] -= h;
        J.col(j) = (residual(ahead, accelerates, alpha) - residual(behind, accelerates, alpha)) / (2 * h);
      }
      const Eigen::VectorXd step = J.fullPivLu().solve(-rest);
      if (!step.allFinite()) return false;
      double length = 1, after = 0;
      for (; length > 1e-6; length /= 2) {
        after = residual(x + length * step, accelerates, alpha).norm();
        if (after < before) break;
      }
      if (!(after < before)) return before <= 1e-11 * scale;
      x += length * step;
      before = after;
      if (before <= 1e-15 * scale) return true;
    }
    return before <= 1e-11 * scale;
  }
  Eigen::Index loads() const { return static_cast<Eigen::Index>(loaded_.size()); }

 private:
  const RestProblem& problem_;
  const std::vector<PreparedPair>& pairs_;
  Faces faces_;
  Eigen::Index nv_, held_;
  std::vector<std::size_t> loaded_;
};

Faces without_unloaded(const Faces& faces, const Eigen::VectorXd& N, double unit) {
  Faces loaded = faces;
  for (std::size_t k = 0; k < faces.size(); ++k) {
    if (N[static_cast<Eigen::Index>(k)] <= 1e-9 * largest_reaction(N, unit)) loaded[k] = 0;
  }
  return loaded;
}

// A slip is a motion that ideal guides allow. The prices of a variant at whose limit a pair is unloaded may leave it: then the
// only motion there is, with the load; where there are several, none is told.
Eigen::VectorXd allowed_slip(const RestProblem& problem, const Eigen::VectorXd& prices) {
  constexpr double kLeaves = 1e-6;
  const Eigen::Index m = static_cast<Eigen::Index>(problem.pairs.size()), nv = problem.load.size();
  Eigen::MatrixXd columns(nv, problem.held.cols() + m);
  columns.leftCols(problem.held.cols()) = problem.held;
  for (Eigen::Index k = 0; k < m; ++k)
    columns.col(problem.held.cols() + k) = problem.pairs[static_cast<std::size_t>(k)].face2.push;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
  const Eigen::MatrixXd Q = qr.householderQ();
  const Eigen::MatrixXd allowed = Q.rightCols(nv - qr.rank());
  if (allowed.cols() == 0) return {};
  Eigen::VectorXd slip = allowed * (allowed.transpose() * prices);
  if (!((slip - prices).norm() <= kLeaves * prices.norm())) {
    if (allowed.cols() > 1) return {};
    slip = allowed.col(0);
  }
  if (!(slip.norm() > 0)) return {};
  slip.normalize();
  return slip.dot(problem.load) < 0 ? Eigen::VectorXd(-slip) : slip;
}

struct KinematicLimit {
  double alpha = 0;
  Eigen::VectorXd u, N;
};
std::optional<KinematicLimit> find_kinematic_limit(const RestProblem& problem, const std::vector<PreparedPair>& pairs,
                                                   const Faces& faces, const VariantInterval& at) {
  const double length = at.slip.norm();
  if (!(length > 0)) return std::nullopt;
  // Linear cones alone: at the limit the slip may be stuck at some faces, and the program is exact.
  const SlipEquations equations(problem, pairs, faces);
  const Eigen::Index nv = problem.constant.size();
  for (const int sign : {1, -1}) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(equations.size());
    x.head(nv) = sign * at.slip / length;
    for (Eigen::Index i = 0; i < equations.loads(); ++i)
      x[nv + i] = at.N[static_cast<Eigen::Index>(equations.loaded()[static_cast<std::size_t>(i)])];
    if (problem.held.cols() > 0) {
      Eigen::VectorXd open = equations.residual(x, false, 0).head(nv);
      open += at.high * problem.load;
      x.segment(nv + equations.loads(), problem.held.cols()) = problem.held.fullPivLu().solve(-open);
    }
    x[equations.size() - 1] = at.high;
    if (!equations.solve(x, false, 0, std::max(units_of(problem).force, 1e-300))) continue;
    KinematicLimit limit{x[equations.size() - 1], x.head(nv), Eigen::VectorXd::Zero(at.N.size())};
    for (Eigen::Index i = 0; i < equations.loads(); ++i)
      limit.N[static_cast<Eigen::Index>(equations.loaded()[static_cast<std::size_t>(i)])] = x[nv + i];
    if (limit.N.minCoeff() < -kUnloaded * largest_reaction(limit.N, std::min(units_of(problem).force, 1.0))) continue;
    if (limit.u.dot(problem.load) < 0) continue;  // it slips with the load
    return limit;
  }
  return std::nullopt;
}

// Accelerations without friction at a factor: M u = loads + Σ push n + held λ , pushes and held rows at rest. Pairs two-sided.
Eigen::VectorXd frictionless_acceleration(const RestProblem& problem, double alpha) {
  const Eigen::Index nv = problem.constant.size(), m = static_cast<Eigen::Index>(problem.pairs.size()),
                     held = problem.held.cols();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(nv + m + held, nv + m + held);
  A.topLeftCorner(nv, nv) = problem.mass;
  for (Eigen::Index k = 0; k < m; ++k) A.col(nv + k).head(nv) = -problem.pairs[static_cast<std::size_t>(k)].face2.push;
  A.block(0, nv + m, nv, held) = -problem.held;
  A.bottomLeftCorner(m + held, nv) = -A.topRightCorner(nv, m + held).transpose();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(A.rows());
  right.head(nv) = problem.constant + alpha * problem.load;
  return A.fullPivLu().solve(right).head(nv);
}

// Is there rest with every friction force against the frictionless acceleration of its face, R ≤ f N, without moments?
bool passes_paper_test(const RestProblem& problem, double alpha, unsigned variants) {
  const Eigen::VectorXd u = frictionless_acceleration(problem, alpha);
  const Units units = units_of(problem);
  for (unsigned number = 0; number < variants; ++number) {
    const Faces faces = faces_of_number(number, problem.pairs.size());
    RestProblem directed = problem;
    std::vector<PreparedPair> pairs;
    for (auto& pair : directed.pairs) {
      for (RestFace* const face : {&pair.face1, &pair.face2}) {
        const Eigen::VectorXd a = face->shear.transpose() * u;
        face->radius = 0;
        // One direction: R in [-f N, f N] along it; the sign is settled below by a face of half the span.
        if (a.norm() > 0) {
          face->push -= 0.5 * face->friction * face->shear * a / a.norm();
          face->shear.col(0) = (face->shear * a / a.norm()).eval();
          face->friction *= 0.5;
        }
        face->shear.col(1).setZero();
        if (!(a.norm() > 0)) face->friction = 0;
      }
      pairs.push_back({FrictionCone(pair.face1), FrictionCone(pair.face2)});
    }
    CuttingProgram program(directed, pairs, faces, problem.constant, alpha, alpha, units.force);
    if (program.maximise(1) == CuttingProgram::Answer::optimal) return true;
  }
  return false;
}

// Faces that can wedge: the limit is that of the rest that needs no self-stress (7.5).
std::optional<Failure> leave_out_wedged(const RestProblem& problem, const std::vector<PreparedPair>& pairs, LimitLoad& limit,
                                        const AskStop& ask_stop) {
  const Units units = units_of(problem);
  const double farthest = kFarthest * units.alpha, near = 1e-9 * units.alpha;
  const auto rests = find_unwedged_rest(problem, units.alpha, farthest, ask_stop);
  if (!rests) return rests.failure();
  const auto end_of = [&](double alpha) { return std::abs(alpha) >= farthest ? std::copysign(kNoEnd, alpha) : alpha; };
  for (const LimitLoad::Interval& interval : limit.intervals) {
    double from = interval.low;
    for (const UnwedgedInterval& rest : *rests) {
      const double low = end_of(rest.low), high = end_of(rest.high);
      if (high < from || low > interval.high) continue;
      if (low > from + near) limit.wedged.push_back({from, low, {}});
      from = high;
    }
    if (interval.high > from + near) limit.wedged.push_back({from, interval.high, {}});
  }
  const auto first = std::ranges::find_if(*rests, [&](const UnwedgedInterval& rest) { return rest.high >= -near; });
  limit.slip_direction.resize(0);
  limit.kinematic_alpha.reset();
  if (first == rests->end()) {
    limit.verdict = LimitLoad::Verdict::no_rest;
    return std::nullopt;
  }
  if (!first->beyond) return std::nullopt;  // no slip starts however large the load: self-locking
  limit.verdict = LimitLoad::Verdict::limited;
  limit.alpha = std::max(first->high, 0.0);
  limit.faces = without_unloaded(first->beyond->faces, first->beyond->N, units.force);
  limit.signed_reactions = sign_reactions(first->beyond->faces, first->beyond->N);
  limit.slip_direction = first->beyond->direction;
  VariantInterval at;
  at.high = limit.alpha;
  at.N = first->beyond->N;
  at.slip = first->beyond->direction;
  const auto kinematic = find_kinematic_limit(problem, pairs, limit.faces, at);
  // The digits of the smooth equations are the better ones.
  if (kinematic && std::abs(kinematic->alpha - limit.alpha) <= 1e-5 * std::max(limit.alpha, units.alpha)) {
    limit.alpha = kinematic->alpha;
    limit.kinematic_alpha = kinematic->alpha;
    limit.signed_reactions = sign_reactions(first->beyond->faces, kinematic->N);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_text(LimitLoad::Verdict verdict) {
  switch (verdict) {
    case LimitLoad::Verdict::limited: return "limited";
    case LimitLoad::Verdict::self_locking: return "self-locking";
    case LimitLoad::Verdict::no_rest: return "no rest";
  }
  return "";
}

Outcome<LimitLoad> find_limit_load(const RestProblem& problem, const AskStop& ask_stop, bool with_paper_test) {
  const std::size_t m = problem.pairs.size();
  if (m > kMostRestPairs)
    return Failure{"VN-VARIANT-020", fmt::format("{} pairs of faces are more than {} for a limit load", m, kMostRestPairs),
                   "each of the 2^m variants is a separate problem; leave out guides that do not matter"};
  if (problem.load.size() == 0 || !(problem.load.cwiseAbs().maxCoeff() > 0))
    return Failure{"VN-VARIANT-021", "the load moves nothing: all its generalised forces are zero at this state",
                   "name a force that acts on the guided bodies"};
  const std::vector<PreparedPair> pairs = prepare(problem);
  const unsigned variants = 1u << m;

  LimitLoad limit;
  std::vector<LimitLoad::Interval> all;
  std::optional<VariantInterval> best;
  Faces best_faces;
  for (unsigned number = 0; number < variants; ++number) {
    if (is_stopped(ask_stop)) return stopped_failure();
    const Faces faces = faces_of_number(number, m);
    auto interval = find_interval(problem, pairs, faces);
    if (!interval) return interval.failure();
    if (!interval->any) continue;
    all.push_back({interval->low, interval->high, faces});
    if (interval->high >= 0 && (!best || interval->high > best->high)) best = std::move(*interval), best_faces = faces;
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.low < b.low; });
  const double near = 1e-9 * units_of(problem).alpha;
  for (const auto& interval : all) {
    if (limit.intervals.empty() || interval.low > limit.intervals.back().high + near) {
      limit.intervals.push_back(interval);
    } else if (interval.high > limit.intervals.back().high) {
      limit.intervals.back().high = interval.high, limit.intervals.back().faces = interval.faces;
    }
  }
  if (!best) return limit;

  limit.faces = without_unloaded(best_faces, best->N, units_of(problem).force);
  limit.signed_reactions = sign_reactions(best_faces, best->N);
  if (std::isinf(best->high)) {
    limit.verdict = LimitLoad::Verdict::self_locking;
  } else {
    limit.verdict = LimitLoad::Verdict::limited;
    limit.alpha = best->high;
    limit.slip_direction = allowed_slip(problem, best->slip);
    if (const auto kinematic = find_kinematic_limit(problem, pairs, limit.faces, *best)) {
      limit.kinematic_alpha = kinematic->alpha;
      // The same limit: the digits of the smooth equations are the better ones.
      if (std::abs(kinematic->alpha - limit.alpha) <= 1e-7 * std::max(std::abs(limit.alpha), units_of(problem).alpha)) {
        limit.alpha = kinematic->alpha;
        limit.slip_direction = allowed_slip(problem, kinematic->u);
        limit.signed_reactions = sign_reactions(best_faces, kinematic->N);
        for (auto& interval : limit.intervals) {
          if (std::abs(interval.high - best->high) <= near) interval.high = limit.alpha;
        }
      }
    }
  }
  for (const auto& interval : limit.intervals) {
    if (interval.low > near || interval.high < -near) continue;
    limit.rests_unloaded = true;
    if (!std::isinf(interval.high)) limit.first_loss = interval.high;
  }
  const auto wedges = problem.mass.size() > 0 ? can_wedge(problem) : Outcome<bool>(false);
  if (!wedges) return wedges.failure();
  limit.can_wedge = *wedges;
  if (limit.can_wedge) {
    if (auto failure = leave_out_wedged(problem, pairs, limit, ask_stop)) return *failure;
  }
  // The largest factor that the paper's test accepts, on the way up from none.
  if (with_paper_test && problem.mass.size() > 0 && limit.rests_unloaded) {
    const double unit = units_of(problem).alpha;
    const bool endless = limit.verdict == LimitLoad::Verdict::self_locking;
    double low = 0, high = endless ? 1e3 * unit : std::max(limit.alpha, 1e-12 * unit);
    if (passes_paper_test(problem, high * (1 - 1e-12), variants)) {
      low = high;
    } else {
      for (int halving = 0; halving < 44 && !is_stopped(ask_stop); ++halving) {
        const double middle = 0.5 * (low + high);
        (passes_paper_test(problem, middle, variants) ? low : high) = middle;
      }
    }
    if (!endless || low < high) limit.paper_alpha = low;
  }
  return limit;
}

Outcome<RestAnswer> check_rest(const RestProblem& problem, double alpha) {
  const std::size_t m = problem.pairs.size();
  if (m > kMostRestPairs)
    return Failure{"VN-VARIANT-020", fmt::format("{} pairs of faces are more than {} for a test of rest", m, kMostRestPairs),
                   "each of the 2^m variants is a separate problem; leave out guides that do not matter"};
  // The loads as a whole times a factor up to 1: a cone bears all of them or none.
  RestProblem whole = problem;
  whole.load = problem.constant + alpha * problem.load;
  whole.constant.setZero();
  if (!(whole.load.cwiseAbs().maxCoeff() > 0))
    return RestAnswer{true, Faces(m, 0), Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m)),
                      std::vector<Eigen::Vector3d>(m, Eigen::Vector3d::Zero())};
  const std::vector<PreparedPair> pairs = prepare(whole);
  const double unit = units_of(whole).force;
  for (unsigned number = 0; number < 1u << m; ++number) {
    const Faces faces = faces_of_number(number, m);
    CuttingProgram program(whole, pairs, faces, whole.constant, 0, 1, unit);
    program.insist();
    const auto answer = program.maximise(1);
    if (answer == CuttingProgram::Answer::gave_up) return gave_up();
    constexpr double kBorne = 1e-8;
    if (answer == CuttingProgram::Answer::infeasible || program.alpha() < 0.5 || program.violation() > kBorne) continue;
    Eigen::VectorXd N(static_cast<Eigen::Index>(m));
    for (std::size_t k = 0; k < m; ++k) N[static_cast<Eigen::Index>(k)] = unit * program.load(k);
    RestAnswer rest{true, without_unloaded(faces, N, unit), sign_reactions(faces, N), {}};
    for (std::size_t k = 0; k < m; ++k) rest.friction.push_back(unit * program.friction(k));
    return rest;
  }
  return RestAnswer{};
}

Outcome<Breakaway> find_breakaway(const RestProblem& problem, double alpha) {
  const std::vector<PreparedPair> pairs = prepare(problem);
  const Eigen::Index nv = problem.constant.size(), m = static_cast<Eigen::Index>(pairs.size()), held = problem.held.cols();
  const Failure none{"VN-VARIANT-023",
                     "the start of the slip was not found: no variant of the faces agrees with its own accelerations",
                     "test rest first, or give the faces a pad of some radius"};
  // Accelerations that forces bring where held rows stay: S(X), and the rows of the pairs R.
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(nv + held, nv + held);
  A.topLeftCorner(nv, nv) = problem.mass;
  A.topRightCorner(nv, held) = -problem.held;
  A.bottomLeftCorner(held, nv) = problem.held.transpose();
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  const auto response = [&](const Eigen::VectorXd& force) -> Eigen::VectorXd {
    Eigen::VectorXd right = Eigen::VectorXd::Zero(nv + held);
    right.head(nv) = force;
    return lu.solve(right).head(nv);
  };
  Eigen::MatrixXd R(m, nv);
  for (Eigen::Index k = 0; k < m; ++k) R.row(k) = problem.pairs[static_cast<std::size_t>(k)].face2.push.transpose();
  const Eigen::VectorXd free = response(problem.constant + alpha * problem.load);

  Eigen::VectorXd u = frictionless_acceleration(problem, alpha);
  Faces faces(static_cast<std::size_t>(m), 2);
  std::optional<QuickVariant> found;
  constexpr double kDamped = 0.3;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const SlipEquations equations(problem, pairs, faces);
    VariantProblem variant;
    variant.d = -R * free;
    Eigen::MatrixXd by1(nv, m), by2(nv, m);
    for (Eigen::Index k = 0; k < m; ++k) {
      by1.col(k) = response(equations.column(static_cast<std::size_t>(k), 1, u));
      by2.col(k) = response(equations.column(static_cast<std::size_t>(k), 2, u));
    }
    variant.B1 = R * by1, variant.B2 = R * by2;
    variant.F1 = variant.F2 = Eigen::MatrixXd::Zero(m, m);
    found = find_quick_variant(variant, faces);
    if (!found) return none;
    faces = found->faces;
    Eigen::VectorXd next = free;
    for (Eigen::Index k = 0; k < m; ++k)
      next += found->N[k] * (faces[static_cast<std::size_t>(k)] == 1 ? by1.col(k) : by2.col(k));
    const double change = (next - u).norm();
    u += kDamped * (next - u);
    if (change <= 1e-6 * u.norm()) break;
  }
  const SlipEquations equations(problem, pairs, faces);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(equations.size());
  x.head(nv) = u;
  x.segment(nv, m) = found->N;
  if (held > 0) x.segment(nv + m, held) = problem.held.fullPivLu().solve(-equations.residual(x, true, alpha).head(nv));
  if (!equations.solve(x, true, alpha, units_of(problem).force)) return none;
  const Eigen::VectorXd N = x.segment(nv, m);
  if (N.size() > 0 && N.minCoeff() < -kUnloaded * largest_reaction(N, std::min(units_of(problem).force, 1.0))) return none;
  return Breakaway{x.head(nv), without_unloaded(faces, N, units_of(problem).force), sign_reactions(faces, N)};
}

}  // namespace vinculum
