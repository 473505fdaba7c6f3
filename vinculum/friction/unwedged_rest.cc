// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/unwedged_rest.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/friction/find_variants.h"
#include "vinculum/friction/friction_cone.h"
#include "vinculum/friction/self_stress.h"
#include "vinculum/friction/slip_direction.h"

namespace vinculum {

namespace {

// Edges of the cone of a face, for a unit load.
std::vector<Eigen::VectorXd> list_edges(const RestFace& face, const FrictionCone& cone) {
  std::vector<Eigen::VectorXd> directions = cone.first_directions();
  constexpr int kAngles = 48;
  if (!cone.is_linear() && cone.unknowns() >= 2) {
    for (int i = 0; i < kAngles; ++i) {
      Eigen::VectorXd direction = Eigen::VectorXd::Zero(cone.unknowns());
      direction.head(2) << std::cos(2 * M_PI * i / kAngles), std::sin(2 * M_PI * i / kAngles);
      directions.push_back(direction);
    }
  }
  if (directions.empty()) return {face.push};
  std::vector<Eigen::VectorXd> edges;
  for (const Eigen::VectorXd& direction : directions) edges.push_back(face.push + cone.columns() * cone.against(direction));
  return edges;
}

// Slips of one mechanism at rest, whatever the factor.
class SlipStarts {
 public:
  explicit SlipStarts(const RestProblem& problem) : problem_(problem) {
    const Eigen::Index nv = problem.constant.size(), held = problem.held.cols();
    const auto m = static_cast<Eigen::Index>(problem.pairs.size());
    for (const auto& pair : problem.pairs) cones_.push_back({FrictionCone(pair.face1), FrictionCone(pair.face2)});
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(nv + held, nv + held);
    A.topLeftCorner(nv, nv) = problem.mass;
    A.topRightCorner(nv, held) = -problem.held;
    A.bottomLeftCorner(held, nv) = problem.held.transpose();
    lu_.compute(A);
    Eigen::MatrixXd fixed(nv, held + m);
    fixed.leftCols(held) = problem.held;
    for (Eigen::Index k = 0; k < m; ++k) fixed.col(held + k) = problem.pairs[static_cast<std::size_t>(k)].face2.push;
    R_ = fixed.rightCols(m).transpose();
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(fixed);
    const Eigen::MatrixXd Q = qr.householderQ();
    basis_ = Q.rightCols(nv - qr.rank());
    names_ = number_pairs(m);
  }

  bool has_one_way() const { return basis_.cols() == 1; }

  Outcome<std::optional<SlipStart>> at(double alpha) {
    free_ = response(problem_.constant + alpha * problem_.load);
    if (basis_.cols() == 0) return std::optional<SlipStart>();
    const Eigen::VectorXd without = accelerate_without_friction();
    if (has_one_way()) {
      // Along the way it goes without friction, or against it.
      const double first = without[0] < 0 ? -1 : 1;
      for (const double way : {first, -first}) {
        const Eigen::VectorXd y = Eigen::VectorXd::Constant(1, way);
        const auto a = accelerations(y);
        if (!a && is_stop(a.failure())) return a.failure();
        if (a && way * (*a)[0] > 0) return std::optional(start(y));
      }
      return std::optional<SlipStart>();
    }
    const auto found =
        find_slip_direction([&](const Eigen::VectorXd& y) { return accelerations(y); }, last_.size() > 0 ? last_ : without, 1);
    if (!found && last_.size() > 0) {
      last_.resize(0);
      return at(alpha);
    }
    if (!found) return std::optional<SlipStart>();
    last_ = found->direction;
    if (!accelerations(last_)) return std::optional<SlipStart>();
    return std::optional(start(last_));
  }

 private:
  static bool is_stop(const Failure& failure) { return failure.kind() == FailureKind::interrupted; }

  Eigen::VectorXd response(const Eigen::VectorXd& force) const {
    Eigen::VectorXd right = Eigen::VectorXd::Zero(lu_.rows());
    right.head(force.size()) = force;
    return lu_.solve(right).head(force.size());
  }

  // In the basis: R a = 0 with two-sided pushes.
  Eigen::VectorXd accelerate_without_friction() const {
    Eigen::MatrixXd by(free_.size(), R_.rows());
    for (Eigen::Index k = 0; k < R_.rows(); ++k) by.col(k) = response(R_.row(k).transpose());
    const Eigen::VectorXd n = (R_ * by).fullPivLu().solve(-R_ * free_);
    return basis_.transpose() * (free_ + by * n);
  }

  // With friction against y, by the variant that is connected with zero friction.
  Outcome<Eigen::VectorXd> accelerations(const Eigen::VectorXd& y) {
    const Eigen::Index m = R_.rows();
    const Eigen::VectorXd u = basis_ * y;
    VariantProblem variant;
    variant.d = -R_ * free_;
    for (Eigen::MatrixXd* matrix : {&variant.B1, &variant.B2, &variant.F1, &variant.F2}) matrix->resize(m, m);
    Eigen::MatrixXd by1(u.size(), m), by2(u.size(), m);
    for (Eigen::Index k = 0; k < m; ++k) {
      for (const int face : {1, 2}) {
        const FrictionCone& cone = cones_[static_cast<std::size_t>(k)][static_cast<std::size_t>(face - 1)];
        const Eigen::VectorXd rub = response(cone.columns() * cone.against(cone.columns().transpose() * u));
        const Eigen::VectorXd all = rub + response(problem_.pairs[static_cast<std::size_t>(k)].face(face).push);
        (face == 1 ? by1 : by2).col(k) = all;
        (face == 1 ? variant.F1 : variant.F2).col(k) = R_ * rub;
        (face == 1 ? variant.B1 : variant.B2).col(k) = R_ * all;
      }
    }
    const double forces = (problem_.constant.cwiseAbs() + problem_.load.cwiseAbs()).maxCoeff();
    variant.unit = std::min(1.0, forces > 0 ? forces : 1.0);
    auto found = find_variants(variant, names_);
    if (!found) return found.failure();
    if (!found->chosen) return Failure{"VN-GUIDE-003", "no loaded faces are realised in this direction", ""};
    const RealisedVariant& chosen = found->solutions()[static_cast<std::size_t>(*found->chosen)];
    faces_ = chosen.faces;
    N_ = chosen.signed_reactions.cwiseAbs();
    return Eigen::VectorXd(basis_.transpose() * (free_ + by2 * chosen.signed_reactions.cwiseMax(0.0) +
                                                 by1 * (-chosen.signed_reactions).cwiseMax(0.0)));
  }

  // Of the last accelerations.
  SlipStart start(const Eigen::VectorXd& y) const { return {(basis_ * y).normalized(), faces_, N_}; }

  const RestProblem& problem_;
  std::vector<std::array<FrictionCone, 2>> cones_;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  Eigen::MatrixXd R_, basis_;
  std::vector<std::string> names_;
  Eigen::VectorXd free_, N_, last_;
  Faces faces_;
};

bool same_way(const std::optional<SlipStart>& a, const std::optional<SlipStart>& b) {
  return a.has_value() == b.has_value() && (!a || a->direction.dot(b->direction) > 0);
}

}  // namespace

Outcome<bool> can_wedge(const RestProblem& problem) {
  const std::size_t m = problem.pairs.size();
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(problem.constant.size(), problem.constant.size());
  if (problem.held.cols() > 0) {
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(problem.held.transpose());
    if (factor.dimensionOfKernel() == 0) return false;
    Z = factor.kernel();
  }
  std::vector<std::array<std::vector<Eigen::VectorXd>, 2>> edges;
  for (const auto& pair : problem.pairs)
    edges.push_back({list_edges(pair.face1, FrictionCone(pair.face1)), list_edges(pair.face2, FrictionCone(pair.face2))});
  for (unsigned variant = 0; m > 1 && variant < 1u << m; ++variant) {
    std::vector<Eigen::VectorXd> columns;
    for (std::size_t k = 0; k < m; ++k) {
      for (const Eigen::VectorXd& edge : edges[k][(variant >> k) & 1u]) columns.push_back(Z.transpose() * edge);
    }
    Eigen::MatrixXd all(Z.cols(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = columns[i];
    const auto wedges = has_self_stress(all);
    if (!wedges || *wedges) return wedges;
  }
  return false;
}

Outcome<std::vector<UnwedgedInterval>> find_unwedged_rest(const RestProblem& problem, double unit, double farthest,
                                                          const AskStop& ask_stop) {
  SlipStarts slips(problem);
  std::vector<double> grid{0};
  if (slips.has_one_way()) {
    for (int i = 1; i <= 32; ++i) grid.push_back(0.125 * i * unit);
    for (int i = -16; i <= 28; ++i) grid.push_back(std::pow(10.0, 0.25 * i) * unit);
    for (std::size_t i = 1, count = grid.size(); i < count; ++i) grid.push_back(-grid[i]);
    grid.push_back(-farthest);
  } else {
    for (const double part : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 30.0, 1e3, 1e5}) grid.push_back(part * unit);
  }
  grid.push_back(farthest);
  std::ranges::sort(grid);
  const int halvings = slips.has_one_way() ? 60 : 24;

  struct Look {
    double alpha = 0;
    std::optional<SlipStart> slip;
  };
  const auto look_at = [&](double alpha) -> Outcome<Look> {
    if (is_stopped(ask_stop)) return stopped_failure();
    auto slip = slips.at(alpha);
    if (!slip) return slip.failure();
    return Look{alpha, std::move(*slip)};
  };
  // Between two factors, the end of what is on the side of `known`.
  const auto find_end = [&](Look known, Look other) -> Outcome<std::pair<Look, Look>> {
    for (int i = 0; i < halvings; ++i) {
      auto middle = look_at(0.5 * (known.alpha + other.alpha));
      if (!middle) return middle.failure();
      (same_way(middle->slip, known.slip) ? known : other) = std::move(*middle);
    }
    return std::pair(known, other);
  };
  std::vector<UnwedgedInterval> list;
  std::optional<Look> before;
  std::optional<double> rests_from;
  for (const double alpha : grid) {
    auto here = look_at(alpha);
    if (!here) return here.failure();
    if (!before) {
      if (!here->slip) rests_from = alpha;
    } else if (!same_way(before->slip, here->slip)) {
      if (before->slip) {
        const auto end = find_end(*before, *here);  // the slip before ends
        if (!end) return end.failure();
        rests_from = end->second.alpha;
      }
      if (here->slip) {
        const auto end = find_end(*here, *before);  // the next slip starts
        if (!end) return end.failure();
        const double rests_to = std::max(rests_from.value_or(end->second.alpha), end->second.alpha);
        list.push_back({rests_from.value_or(rests_to), rests_to, end->first.slip});
        rests_from.reset();
      }
    }
    before = std::move(*here);
  }
  if (rests_from) list.push_back({*rests_from, farthest, std::nullopt});
  return list;
}

}  // namespace vinculum
