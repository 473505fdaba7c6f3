// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/integrals.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/core.h>

#include "vinculum/analysis/integral_doubts.h"
#include "vinculum/analysis/integral_reasons.h"
#include "vinculum/analysis/row_reduction.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/math/dense.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

namespace {

using Eigen::Index;
using Kind = IntegralCandidate::Kind;

// Beside their natural size numbers below this are zero. Round-off leaves less; what is real and not much larger is refused.
constexpr double kZero = 1e-11;
constexpr double kLeastZero =
    1e-15;  // beside the largest: an exact zero is not trusted beyond the round-off of what is beside it
constexpr double kLeastRatio = 1e4;

// States for a search without sums: each candidate needs two that differ, the others are for certainty.
constexpr int kStatesAlone = 8;

// Takes a number in, and tells whether it counts as zero.
bool counts_as_zero(double x, DecisionGap& gap) {
  const bool zero = x < kZero;
  if (zero) gap.zero = std::max(gap.zero.value_or(x), x);
  if (!zero) gap.nonzero = std::min(gap.nonzero.value_or(x), x);
  return zero;
}

constexpr const char* kRates = "rates of the candidates";

Failure undecided(const char* what, const DecisionGap& gap) {
  return {"VN-INTEGRAL-001",
          fmt::format("{}: zero and nonzero values are too close to distinguish, {:.2g} and {:.2g}", what, gap.zero.value_or(0),
                      gap.nonzero.value_or(1)),
          "remove a force or an inertia that is very small beside the others, or make it larger. With many bodies and few "
          "degrees of freedom, sums of candidates are always close"};
}

std::optional<Failure> check_gap(const DecisionGap& gap, const char* what) {
  if (gap.ratio().value_or(kLeastRatio) >= kLeastRatio) return std::nullopt;
  return undecided(what, gap);
}

// Coefficients are known to round-off: ten digits of them can be told.
double rounded(double x) { return std::strtod(fmt::format("{:.10g}", x).c_str(), nullptr); }

std::string combination_text(const std::vector<IntegralCandidate>& candidates, const Integral& integral) {
  std::string text;
  const auto add = [&](double coefficient, const std::string& name) {
    const std::string sign = text.empty() ? (coefficient < 0 ? "-" : "") : coefficient < 0 ? " - " : " + ";
    text += sign + (std::abs(coefficient) == 1 ? name : fmt::format("{:.6g} {}", std::abs(coefficient), name));
  };
  for (const Integral::Term& term : integral.terms) add(term.coefficient, candidates[term.candidate].name);
  if (integral.by_time != 0) add(integral.by_time, "t");
  return text.empty() ? "0" : text;
}

// The candidates that are functions of their own, in the order of preference, each beside its standard deviation; the others as
// combinations of these.
struct OwnFunctions {
  std::vector<int> kept;
  Eigen::VectorXd deviation;
  std::vector<Integral> identities;
};

double deviation_of(const Eigen::VectorXd& column) {
  return (column.array() - column.mean()).matrix().norm() / std::sqrt(static_cast<double>(column.size()));
}

// A value beside what it can be: does it change at all?
bool is_constant(const IntegralSamples& samples, int i, double deviation, DecisionGap& gap) {
  return !(samples.size[i] > 0) || counts_as_zero(deviation / samples.size[i], gap);
}

// Those that are combined with each other: from `first` on.
struct Combined {
  int first = 0, count = 0;
};

// Gram-Schmidt on [1 | φ]: a candidate whose rest is zero depends on those before it. What depends on those before it nearly, and
// not quite, waits until the others have been taken: else its rest, which is known to few digits, would be taken for a function
// of its own, and what is an identity of the constraints would count as an integral.
Outcome<OwnFunctions> drop_dependent(const std::vector<IntegralCandidate>& candidates, const IntegralSamples& samples,
                                     const Combined& combined, DecisionGap& gap, const AskStop& stop) {
  OwnFunctions own;
  const Index count = samples.values.rows();
  Eigen::MatrixXd Q(count, static_cast<Index>(combined.count)), R = Eigen::MatrixXd::Zero(Q.cols(), Q.cols());
  own.deviation.resize(Q.cols());
  std::vector<std::pair<int, Integral>> identities;
  const auto add_identity = [&](int i, Integral identity) {
    identity.name = candidates[i].name;
    identity.why = combination_text(candidates, identity);
    identities.emplace_back(i, std::move(identity));
  };
  std::vector<int> waiting;
  for (int i = combined.first; i < combined.first + combined.count; ++i) {
    if (!is_constant(samples, i, deviation_of(samples.values.col(i)), gap)) {
      waiting.push_back(i);
    } else {
      add_identity(i, {});
    }
  }
  constexpr double kClear[] = {1e-2, 1e-5, 0};
  for (const double clear : kClear) {
    std::vector<int> later;
    for (const int i : waiting) {
      if (is_stopped(stop)) return stopped_failure();
      const Index kept = static_cast<Index>(own.kept.size());
      const double deviation = deviation_of(samples.values.col(i));
      Eigen::VectorXd rest = samples.values.col(i).array() - samples.values.col(i).mean();
      rest /= rest.norm();
      Eigen::VectorXd parts = Eigen::VectorXd::Zero(kept);
      for (int pass = 0; pass < 2; ++pass) {
        const Eigen::VectorXd found = Q.leftCols(kept).transpose() * rest;
        rest -= Q.leftCols(kept) * found;
        parts += found;
      }
      if (rest.norm() < clear) {
        later.push_back(i);
        continue;
      }
      if (!counts_as_zero(rest.norm(), gap)) {
        R.col(kept).head(kept) = parts;
        R(kept, kept) = rest.norm();
        Q.col(kept) = rest / rest.norm();
        own.deviation[kept] = deviation;
        own.kept.push_back(i);
        continue;
      }
      Integral identity;
      const Eigen::VectorXd by_kept = solve_upper(R.topLeftCorner(kept, kept), parts);
      for (Index k = 0; k < kept; ++k) {
        const double coefficient = rounded(by_kept[k] * deviation / own.deviation[k]);
        if (std::abs(by_kept[k]) > 1e-6) identity.terms.push_back({own.kept[k], coefficient});
      }
      add_identity(i, std::move(identity));
    }
    waiting = std::move(later);
  }
  std::ranges::stable_sort(identities, {}, &std::pair<int, Integral>::first);
  for (auto& [candidate, identity] : identities) own.identities.push_back(std::move(identity));
  own.deviation.conservativeResize(static_cast<Index>(own.kept.size()));
  return own;
}

// An orthonormal basis of the x with A x = 0, by the columns of A that depend on the others:
//   A(:, order) = Q [R₁ R₂] ,  x(order) = (-R₁⁻¹ R₂ ; 1) .
Eigen::MatrixXd find_null_space(const Eigen::MatrixXd& A, DecisionGap& gap) {
  const double longest = A.colwise().norm().maxCoeff();
  const PivotedQr qr = factorize_columns(A, kZero / std::max(longest, kZero));
  for (const double length : qr.lengths) counts_as_zero(length, gap);
  const Index rank = qr.rank, zeros = A.cols() - rank;
  Eigen::MatrixXd x(A.cols(), zeros), ordered = Eigen::MatrixXd::Identity(A.cols(), zeros);
  ordered.topRows(rank) = -solve_upper(qr.R.leftCols(rank), qr.R.rightCols(zeros));
  ordered.bottomRows(zeros).setIdentity();
  x(qr.order, Eigen::all) = ordered;
  return factorize_columns(x, 0).Q;
}

// What a rate is measured by: the deviation at the pace of the motion, or the rate itself where a force changes it faster; of a
// moment about a distant point no more digits are known than of its parts.
double rate_unit(const IntegralSamples& samples, int i, double deviation) {
  const double size = samples.rates.col(i).norm() / std::sqrt(static_cast<double>(samples.rates.rows()));
  constexpr double kDigits = 0.01;
  return std::max({deviation * samples.pace, size, kDigits * samples.lever[i]});
}

// Of two ways to write a combination the one that begins with an angular momentum reads better: Lz - 0.5 Py, not Py - 2 Lz.
int rank_as_pivot(Kind kind) {
  switch (kind) {
    case Kind::energy: return 0;
    case Kind::angular: return 1;
    case Kind::central: return 2;
    case Kind::linear: return 3;
    case Kind::generalized: return 4;
    case Kind::pole: return 1;
  }
  return 4;
}

// Σ z_i φ_i' / unit_i + z_t = 0 along every motion, for each null vector z.
Outcome<std::vector<Integral>> find_conserved(const std::vector<IntegralCandidate>& candidates, const OwnFunctions& own,
                                              const IntegralSamples& samples, DecisionGap& gap) {
  const Index count = samples.rates.rows(), kept = static_cast<Index>(own.kept.size());
  Eigen::MatrixXd scaled = Eigen::MatrixXd::Ones(count, kept + 1);
  Eigen::VectorXd unit(kept);
  for (Index k = 0; k < kept; ++k) {
    unit[k] = rate_unit(samples, own.kept[k], own.deviation[k]);
    scaled.col(k) = samples.rates.col(own.kept[k]) / unit[k];
  }
  scaled /= std::sqrt(static_cast<double>(count));
  Eigen::MatrixXd rows = find_null_space(scaled, gap).transpose();
  if (auto failure = check_gap(gap, kRates)) return *failure;

  std::vector<int> order(static_cast<size_t>(kept));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int k) { return std::pair(rank_as_pivot(candidates[own.kept[k]].kind), own.kept[k]); });
  const double noise = 1 / gap.ratio().value_or(1 / kLeastZero);  // of the null vectors
  const double small = std::max(100 * noise, kZero);
  reduce_in_place(rows, order, small, small);

  std::vector<Integral> integrals;
  for (Index row = 0; row < rows.rows(); ++row) {
    Integral integral;
    double leading = 0;
    for (const int k : order) {
      if (rows(row, k) == 0) continue;
      const double coefficient = rows(row, k) / unit[k];
      if (leading == 0) leading = coefficient;
      integral.terms.push_back({own.kept[k], rounded(coefficient / leading)});
    }
    // Time alone is no integral: what is left of this constraint is round-off.
    if (integral.terms.empty()) return undecided(kRates, gap);
    integral.by_time = rounded(rows(row, kept) / leading);
    integrals.push_back(std::move(integral));
  }
  return integrals;
}

// The power of what has no potential is a sum of products, without the recursions: it is known to round-off. What is larger and
// counts as zero is a damper that is there.
std::optional<Failure> check_energy(const IntegralSamples& samples) {
  constexpr double kNothing = 1e-14;
  const double unit = rate_unit(samples, 0, deviation_of(samples.values.col(0)));
  const double change = deviation_of(samples.rates.col(0));
  if (!(change > kNothing * unit && change < kZero * unit)) return std::nullopt;
  return undecided("the rate of the energy", {kNothing, change / unit});
}

// Each candidate by itself: φ' = -by_time at every state?
Outcome<std::vector<Integral>> find_conserved_alone(const std::vector<IntegralCandidate>& candidates,
                                                    const IntegralSamples& samples, IntegralSearch& search, const AskStop& stop) {
  std::vector<Integral> integrals;
  for (int i = 0; i < static_cast<int>(candidates.size()); ++i) {
    if (is_stopped(stop)) return stopped_failure();
    const double deviation = deviation_of(samples.values.col(i));
    if (is_constant(samples, i, deviation, search.dependence)) continue;
    const double unit = rate_unit(samples, i, deviation), mean = samples.rates.col(i).mean();
    if (!counts_as_zero(deviation_of(samples.rates.col(i)) / unit, search.rates)) continue;
    integrals.push_back({"", {{i, 1}}, std::abs(mean) < kZero * unit ? 0 : rounded(-mean), "", ""});
  }
  if (auto failure = check_gap(search.rates, kRates)) return *failure;
  return integrals;
}

// Rank of the gradients at a state: as many of the integrals are no functions of the others.
int count_functions(const std::vector<Integral>& integrals, const Eigen::MatrixXd& gradients) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<Index>(integrals.size()), gradients.cols());
  for (size_t i = 0; i < integrals.size(); ++i) {
    for (const auto& [candidate, coefficient] : integrals[i].terms)
      rows.row(static_cast<Index>(i)) += coefficient * gradients.row(candidate);
  }
  for (Index k = 0; k < rows.cols(); ++k) {
    if (const double length = rows.col(k).norm(); length > 0) rows.col(k) /= length;
  }
  rows.rowwise().normalize();
  return factorize_columns(rows.transpose(), kZero).rank;
}

Outcome<std::vector<Integral>> find_conserved(const IntegralSamples& samples, const IntegralSearchOptions& options,
                                              IntegralSearch& search) {
  if (!options.sums) return find_conserved_alone(search.candidates, samples, search, options.stop);
  const Combined all{0, static_cast<int>(std::ranges::count(search.candidates, -1, &IntegralCandidate::inner))};
  const auto own = drop_dependent(search.candidates, samples, all, search.dependence, options.stop);
  if (!own) return own.failure();
  if (auto failure = check_gap(search.dependence, "candidates that depend on each other")) return *failure;
  search.identities = own->identities;
  return find_conserved(search.candidates, *own, samples, search.rates);
}

// What the random states alone would call conserved, and a state beyond a kink does not.
void find_one_sided(const IntegralSamples& samples, const IntegralSearchOptions& options, IntegralSearch& search) {
  IntegralSamples random = samples;
  for (Eigen::MatrixXd* rows : {&random.values, &random.rates, &random.by_joint, &random.by_gravity})
    rows->conservativeResize(samples.random, Eigen::NoChange);
  IntegralSearch apart;
  apart.candidates = search.candidates;
  const auto found = find_conserved(random, options, apart);
  if (!found) return;
  for (const Integral& integral : *found) {
    for (Index row = samples.random; row < samples.rates.rows(); ++row) {
      double rate = integral.by_time, unit = std::abs(integral.by_time);
      for (const auto& [candidate, coefficient] : integral.terms) {
        rate += coefficient * samples.rates(row, candidate);
        unit += std::abs(coefficient) * rate_unit(samples, candidate, deviation_of(samples.values.col(candidate)));
      }
      if (std::abs(rate) < kZero * unit) continue;
      search.one_sided.push_back({combination_text(search.candidates, integral), samples.beyond[row - samples.random]});
      break;
    }
  }
}

// The part of a function of the states that is no combination of a constant and of orthonormal functions.
Eigen::VectorXd rest_beside(const std::vector<Eigen::VectorXd>& functions, Eigen::VectorXd values) {
  values.array() -= values.mean();
  if (const double length = values.norm(); length > 0) values /= length;
  for (int pass = 0; pass < 2; ++pass) {
    for (const Eigen::VectorXd& function : functions) values -= function.dot(values) * function;
  }
  return values;
}

// Momenta of inner subsystems, subsystem by subsystem, that say more than the integrals found before.
Outcome<std::vector<Integral>> find_inner(const Model& model, const IntegralCandidates& candidates,
                                          const IntegralSamples& samples, const std::vector<Integral>& before,
                                          const AskStop& stop, IntegralSearch& search) {
  constexpr double kNothingNew = 1e-8;
  const auto values_of = [&](const Integral& integral) {
    Eigen::VectorXd values = integral.by_time * samples.times;
    for (const auto& [candidate, coefficient] : integral.terms) values += coefficient * samples.values.col(candidate);
    return values;
  };
  std::vector<Eigen::VectorXd> known;
  const auto is_new = [&](const Integral& integral) {
    const Eigen::VectorXd rest = rest_beside(known, values_of(integral));
    if (rest.norm() < kNothingNew) return false;
    known.push_back(rest / rest.norm());
    return true;
  };
  for (const Integral& integral : before) is_new(integral);
  std::vector<Integral> found;
  for (size_t k = 0; k < candidates.inner().size(); ++k) {
    const Combined own_ones{candidates.first_inner() + IntegralCandidates::kOfInner * static_cast<int>(k),
                            IntegralCandidates::kOfInner};
    DecisionGap dependence, rates;
    const auto own = drop_dependent(search.candidates, samples, own_ones, dependence, stop);
    if (!own) return own.failure();
    const bool is_clear = !check_gap(dependence, "");
    const auto conserved = is_clear ? find_conserved(search.candidates, *own, samples, rates) : std::vector<Integral>{};
    if (!is_clear || !conserved) {
      search.undecided.push_back(model.bodies()[candidates.inner()[k].body].name);
      continue;
    }
    for (const Integral& integral : *conserved) {
      if (is_new(integral)) found.push_back(integral);
    }
  }
  return found;
}

}  // namespace

std::optional<double> DecisionGap::ratio() const {
  if (!nonzero) return std::nullopt;
  return *nonzero / std::max(zero.value_or(0), kLeastZero);
}

Outcome<IntegralSearch> find_integrals(const Model& model, const State& around, const IntegralSearchOptions& options) {
  if (auto refusal = refuse_joint_friction(model, "the search for integrals")) return *refusal;
  IntegralCandidates candidates(model, options.generalized_momenta, options.inner && options.sums);
  IntegralSearch search;
  search.candidates = candidates.list();
  const int combined =
      candidates.inner().empty() ? candidates.size() : std::max(candidates.first_inner(), IntegralCandidates::kOfInner);
  search.samples = options.sums ? 2 * combined + 8 : kStatesAlone;
  const auto samples = sample_candidates(model, around, candidates, search.samples, options.stop);
  if (!samples) return samples.failure();

  if (auto failure = check_energy(*samples)) return *failure;
  auto conserved = find_conserved(*samples, options, search);
  if (!conserved) return conserved.failure();
  search.samples = static_cast<int>(samples->rates.rows());
  search.unseen_sides = samples->unseen;
  if (!samples->beyond.empty()) find_one_sided(*samples, options, search);
  search.integrals = std::move(*conserved);
  if (!candidates.inner().empty()) {
    const auto inner = find_inner(model, candidates, *samples, search.integrals, options.stop, search);
    if (!inner) return inner.failure();
    search.integrals.insert(search.integrals.end(), inner->begin(), inner->end());
  }
  for (const Integral& integral : search.integrals) {
    const bool is_sound = std::isfinite(integral.by_time) && std::ranges::all_of(integral.terms, [](const Integral::Term& term) {
                            return std::isfinite(term.coefficient);
                          });
    if (!is_sound) return beyond_all_numbers("a coefficient of a first integral");
  }
  const IntegralDoubts doubts(model, candidates, *samples);
  std::stable_sort(search.integrals.begin(), search.integrals.end(),
                   [](const Integral& a, const Integral& b) { return a.terms[0].candidate < b.terms[0].candidate; });
  for (Integral& integral : search.integrals) {
    if (is_stopped(options.stop)) return stopped_failure();
    integral.name = combination_text(search.candidates, integral);
    integral.unit = search.candidates[integral.terms[0].candidate].unit;
    double rate_size = 0;
    for (const auto& [candidate, coefficient] : integral.terms) {
      const double deviation = deviation_of(samples->values.col(candidate));
      rate_size += std::abs(coefficient) * rate_unit(*samples, candidate, deviation);
    }
    integral.doubt = doubts.find(integral, rate_size);
    integral.why = integral.doubt.empty() ? explain_integral(model, candidates, *samples, integral)
                                          : explain_doubt(candidates, integral, search.samples);
  }
  if (options.sums && model.is_plain_tree()) {
    Workspace workspace(model);
    search.independent_functions =
        search.integrals.empty()
            ? 0
            : count_functions(search.integrals, candidates.compute_gradients(samples->looked_at.front(), workspace));
  }
  return search;
}

double count_search_operations(const Model& model, const IntegralSearchOptions& options) {
  const double n = model.tree().velocities;
  double rows = 0, roots = 0;
  for (const Row& row : model.rows()) rows += row.from<MotionRow>() == nullptr && row.from<StopRow>() == nullptr ? 1 : 0;
  for (const Body& body : model.bodies()) roots += body.parent == kWorld ? 1 : 0;
  const double candidates = 1 + 9 * roots + (options.generalized_momenta ? n : 0);
  const double inner = options.inner && options.sums ? static_cast<double>(model.bodies().size()) - roots : 0;
  const double samples = options.sums ? 2 * std::max(candidates, inner > 0 ? 12. : 0) + 8 : kStatesAlone;
  // A state costs the recursions; the mass matrix for the momenta; dense solves where contacts bind it.
  const double state = 3000 * n + (options.generalized_momenta ? n * n : 0) + (rows > 0 ? 10 * std::pow(n + rows, 3) : 0) +
                       candidates + 1000 * inner;
  return samples * (state + (options.sums ? 8 * candidates * candidates : 0));
}

Outcome<IntegralSearchOptions> choose_search(const Model& model, double most_operations, bool generalized_momenta, bool inner) {
  double least = 0;
  const IntegralSearchOptions from_widest[] = {
      {true, true, true, {}}, {true, true, false, {}}, {false, true, false, {}}, {false, false, false, {}}};
  for (const IntegralSearchOptions& options : from_widest) {
    if ((options.generalized_momenta && !generalized_momenta) || (options.inner && !inner)) continue;
    least = count_search_operations(model, options);
    if (least <= most_operations) return options;
  }
  return Failure{"VN-INTEGRAL-150",
                 fmt::format("the search for first integrals would take about {:.0e} operations; {:.0e} are allowed", least,
                             most_operations),
                 "a part of the model has the same integrals if nothing else acts on it"};
}

TautStrings make_taut(const Model& model, const std::vector<std::string>& strings, State& state) {
  TautStrings result;
  std::vector<std::string> known;
  for (const StringElement& string : model.strings()) known.push_back(string.name);
  for (const std::string& name : strings) {
    if (std::ranges::find(known, name) != known.end()) continue;
    result.unknown = name;
    result.nearest = nearest_name(name, known);
    return result;
  }
  if (known.empty()) return result;
  if (state.modes.empty()) state.modes = model.usual_modes();
  for (const OneSided& element : model.one_sided()) {
    const Row& row = model.rows()[element.row];
    if (row.from<StringRow>() == nullptr) continue;
    if (strings.empty() || std::ranges::find(strings, element.name) != strings.end()) state.modes[element.mode] = row.when;
    (state.modes[element.mode] == row.when ? result.taut : result.slack).push_back(element.name);
  }
  return result;
}

IntegralMonitor::IntegralMonitor(const Model& model, std::vector<Integral> integrals)
    : model_(model), candidates_(model), integrals_(std::move(integrals)), values_(static_cast<size_t>(candidates_.size())) {}

void IntegralMonitor::compute(const State& state, Workspace& workspace, std::span<double> values) {
  candidates_.compute_values(state, workspace, values_);
  for (size_t i = 0; i < integrals_.size(); ++i) {
    values[i] = integrals_[i].by_time * state.t;
    for (const auto& [candidate, coefficient] : integrals_[i].terms) values[i] += coefficient * values_[candidate];
  }
}

std::vector<double> IntegralMonitor::compute_sizes(const State& state, double kinetic_energy, Workspace& workspace) const {
  const std::vector<BodyMotion> motions = compute_body_motions(model_, state, workspace);
  const auto center = [&](size_t body) { return motions[body].p_WB + motions[body].R_WB * model_.bodies()[body].p_BoBcm_B; };
  std::vector<Vector3> moments(candidates_.roots().size());  // Σ m r of each root
  for (size_t i = 0; i < motions.size(); ++i)
    moments[candidates_.root_of_body(static_cast<int>(i))] += model_.bodies()[i].mass * center(i);
  const auto inertia = [&](int root, const Vector3& about) {
    double sum = 0;
    for (size_t i = 0; i < motions.size(); ++i) {
      if (candidates_.root_of_body(static_cast<int>(i)) != root) continue;
      const Symmetric3& I = model_.bodies()[i].I_Bcm_B;
      sum += model_.bodies()[i].mass * dot(center(i) - about, center(i) - about) + I.xx + I.yy + I.zz;
    }
    return sum;
  };
  Eigen::MatrixXd A;
  const auto size_of = [&](const IntegralCandidate& candidate) {
    if (candidate.kind == Kind::energy) return kinetic_energy;
    if (candidate.kind == Kind::generalized) {
      if (A.size() == 0) A = compute_mass_matrix(model_, state, workspace);
      return std::sqrt(2 * kinetic_energy * A(candidate.index, candidate.index));
    }
    const double mass = candidates_.roots()[candidate.root].mass;
    if (candidate.kind == Kind::linear) return std::sqrt(2 * kinetic_energy * mass);
    const Vector3 about = candidate.kind == Kind::central ? (1 / mass) * moments[candidate.root] : Vector3{};
    return std::sqrt(2 * kinetic_energy * inertia(candidate.root, about));
  };
  std::vector<double> sizes;
  for (const Integral& integral : integrals_) {
    double size = std::abs(integral.by_time * state.t);
    for (const auto& [candidate, coefficient] : integral.terms)
      size += std::abs(coefficient) * size_of(candidates_.list()[candidate]);
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace vinculum
