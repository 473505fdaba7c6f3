// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/integrals.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "vinculum/analysis/integral_reasons.h"
#include "vinculum/analysis/row_reduction.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

using Eigen::Index;
using Kind = IntegralCandidate::Kind;

// Beside their natural size numbers below this are zero. Round-off leaves less; what is real and not much larger is refused.
constexpr double kZero = 1e-11;
constexpr double kRoundOff = 1e-13;
constexpr double kLeastRatio = 1e4;

// Takes a number in, and tells whether it counts as zero.
bool counts_as_zero(double x, DecisionGap& gap) {
  const bool zero = x < kZero;
  if (zero) gap.zero = std::max(gap.zero.value_or(x), x);
  if (!zero) gap.nonzero = std::min(gap.nonzero.value_or(x), x);
  return zero;
}

std::optional<Failure> check_gap(const DecisionGap& gap, const char* what) {
  if (gap.ratio().value_or(kLeastRatio) >= kLeastRatio) return std::nullopt;
  return Failure{"VN-INTEGRAL-001",
                 fmt::format("{}: zero and not zero are too close to tell apart, {:.2g} and {:.2g}", what, gap.zero.value_or(0),
                             *gap.nonzero),
                 "a force or an inertia of the model is very small beside the others: leave it out, or make it larger"};
}

// Coefficients are known to round-off: ten digits of them can be told.
double rounded(double x) { return std::stod(fmt::format("{:.10g}", x)); }

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

// Gram-Schmidt on [1 | φ]: a candidate whose rest is zero depends on those before it.
OwnFunctions drop_dependent(const std::vector<IntegralCandidate>& candidates, const IntegralSamples& samples, DecisionGap& gap) {
  OwnFunctions own;
  const Index count = samples.values.rows();
  Eigen::MatrixXd Q(count, static_cast<Index>(candidates.size())), R = Eigen::MatrixXd::Zero(Q.cols(), Q.cols());
  own.deviation.resize(Q.cols());
  for (int i = 0; i < static_cast<int>(candidates.size()); ++i) {
    const Index kept = static_cast<Index>(own.kept.size());
    Eigen::VectorXd rest = samples.values.col(i).array() - samples.values.col(i).mean();
    const double deviation = rest.norm() / std::sqrt(static_cast<double>(count));
    Integral identity;
    const bool constant = !(samples.size[i] > 0) || counts_as_zero(deviation / samples.size[i], gap);
    if (!constant) {
      rest /= rest.norm();
      Eigen::VectorXd parts = Eigen::VectorXd::Zero(kept);
      for (int pass = 0; pass < 2; ++pass) {
        const Eigen::VectorXd found = Q.leftCols(kept).transpose() * rest;
        rest -= Q.leftCols(kept) * found;
        parts += found;
      }
      if (!counts_as_zero(rest.norm(), gap)) {
        R.col(kept).head(kept) = parts;
        R(kept, kept) = rest.norm();
        Q.col(kept) = rest / rest.norm();
        own.deviation[kept] = deviation;
        own.kept.push_back(i);
        continue;
      }
      const Eigen::VectorXd by_kept = solve_upper(R.topLeftCorner(kept, kept), parts);
      for (Index k = 0; k < kept; ++k) {
        const double coefficient = rounded(by_kept[k] * deviation / own.deviation[k]);
        if (std::abs(by_kept[k]) > 1e-6) identity.terms.push_back({own.kept[k], coefficient});
      }
    }
    identity.name = candidates[i].name;
    identity.why = combination_text(candidates, identity);
    own.identities.push_back(std::move(identity));
  }
  own.deviation.conservativeResize(static_cast<Index>(own.kept.size()));
  return own;
}

// The columns of V that belong to zero singular values.
Eigen::MatrixXd find_null_space(const Eigen::MatrixXd& matrix, DecisionGap& gap) {
  const auto [values, U, V] = find_singular_values(matrix);
  Index zeros = 0;
  for (const double value : values) zeros += counts_as_zero(value, gap) ? 1 : 0;
  return V.rightCols(zeros);
}

// Of two ways to write a combination the one that begins with an angular momentum reads better: Lz - 0.5 Py, not Py - 2 Lz.
int rank_as_pivot(Kind kind) {
  switch (kind) {
    case Kind::energy: return 0;
    case Kind::angular: return 1;
    case Kind::central: return 2;
    case Kind::linear: return 3;
    case Kind::generalized: return 4;
  }
  return 4;
}

// Σ z_i φ_i' / (deviation_i pace) + z_t = 0 along every motion, for each null vector z.
std::vector<Integral> find_conserved(const std::vector<IntegralCandidate>& candidates, const OwnFunctions& own,
                                     const IntegralSamples& samples, DecisionGap& gap) {
  const Index count = samples.rates.rows(), kept = static_cast<Index>(own.kept.size());
  Eigen::MatrixXd scaled = Eigen::MatrixXd::Ones(count, kept + 1);
  for (Index k = 0; k < kept; ++k) scaled.col(k) = samples.rates.col(own.kept[k]) / (own.deviation[k] * samples.pace);
  scaled /= std::sqrt(static_cast<double>(count));
  Eigen::MatrixXd rows = find_null_space(scaled, gap).transpose();

  std::vector<int> order(static_cast<size_t>(kept));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return rank_as_pivot(candidates[own.kept[a]].kind) < rank_as_pivot(candidates[own.kept[b]].kind);
  });
  const double noise = 1 / gap.ratio().value_or(1 / kRoundOff);  // of the null vectors
  const double small = std::max(100 * noise, kZero);
  reduce_in_place(rows, order, small, small);

  std::vector<Integral> integrals;
  for (Index row = 0; row < rows.rows(); ++row) {
    Integral integral;
    double leading = 0;
    for (const int k : order) {
      if (rows(row, k) == 0) continue;
      const double coefficient = rows(row, k) / own.deviation[k];
      if (leading == 0) leading = coefficient;
      integral.terms.push_back({own.kept[k], rounded(coefficient / leading)});
    }
    integral.by_time = rounded(rows(row, kept) * samples.pace / leading);
    integral.name = combination_text(candidates, integral);
    integral.unit = candidates[integral.terms[0].candidate].unit;
    integrals.push_back(std::move(integral));
  }
  std::stable_sort(integrals.begin(), integrals.end(),
                   [](const Integral& a, const Integral& b) { return a.terms[0].candidate < b.terms[0].candidate; });
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
  const Eigen::VectorXd values = find_singular_values(rows).values;
  return static_cast<int>((values.array() >= kZero).count());
}

}  // namespace

std::optional<double> DecisionGap::ratio() const {
  if (!nonzero) return std::nullopt;
  return *nonzero / std::max(zero.value_or(0), kRoundOff);
}

Outcome<IntegralSearch> find_integrals(const Model& model, const State& around, bool generalized_momenta) {
  IntegralCandidates candidates(model, generalized_momenta);
  IntegralSearch search;
  search.candidates = candidates.list();
  search.samples = 2 * candidates.size() + 8;
  const auto samples = sample_candidates(model, around, candidates, search.samples);
  if (!samples) return samples.failure();

  const OwnFunctions own = drop_dependent(search.candidates, *samples, search.dependence);
  if (auto failure = check_gap(search.dependence, "candidates that depend on each other")) return *failure;
  search.identities = own.identities;
  search.integrals = find_conserved(search.candidates, own, *samples, search.rates);
  if (auto failure = check_gap(search.rates, "rates of the candidates")) return *failure;
  for (Integral& integral : search.integrals) integral.why = explain_integral(model, candidates, *samples, integral);
  if (model.description().contacts.empty()) {
    Workspace workspace(model);
    search.independent_functions =
        search.integrals.empty() ? 0 : count_functions(search.integrals, candidates.compute_gradients(samples->first, workspace));
  }
  return search;
}

IntegralMonitor::IntegralMonitor(const Model& model, std::vector<Integral> integrals)
    : candidates_(model), integrals_(std::move(integrals)), values_(static_cast<size_t>(candidates_.size())) {}

void IntegralMonitor::compute(const State& state, Workspace& workspace, std::span<double> values) {
  candidates_.compute_values(state, workspace, values_);
  for (size_t i = 0; i < integrals_.size(); ++i) {
    values[i] = integrals_[i].by_time * state.t;
    for (const auto& [candidate, coefficient] : integrals_[i].terms) values[i] += coefficient * values_[candidate];
  }
}

}  // namespace vinculum
