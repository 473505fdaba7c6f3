// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// What a sample says: how a quantity is spread, how often a verdict falls, which parameter matters. A value that is not finite
// was not found at its point, and is left out.
namespace vinculum {

struct ConfidenceInterval {
  double low = 0, high = 0;
};

// An estimate and its standard error.
struct Estimate {
  double value = 0, error = 0;
};

// ---- how a quantity is spread ----

// The p-quantile of values in ascending order, linear between them: x(1) at p = 0, x(n) at p = 1.
double quantile_of_sorted(std::span<const double> sorted, double p);

struct Quantile {
  double p = 0, value = 0;
  ConfidenceInterval interval;  // 95 %, whatever the distribution: the order statistics of rank n p ± 1.96 √(n p (1 - p))
};

inline constexpr std::array kQuantiles{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

struct Spread {
  std::size_t count = 0;  // values that were found
  double mean = 0, deviation = 0, least = 0, largest = 0;
  std::vector<Quantile> quantiles;  // of kQuantiles
};

// Nothing but `count` if there is no value.
Spread compute_spread(std::span<const double> values);

// ---- how often ----

struct Fraction {
  std::size_t count = 0, of = 0;
  double value = 0;
  ConfidenceInterval interval;  // 95 %, of Wilson: inside [0, 1], and not of width 0 where nothing or everything was counted
};

Fraction compute_fraction(std::size_t count, std::size_t of);

// ---- which parameter matters ----

// How the indices of Sobol were found. With V the variance of y and x_i independent of each other,
//
//     first  S_i  = Var(E[y | x_i]) / V            what is gone of the variance if x_i is known
//     total  ST_i = 1 - Var(E[y | x_~i]) / V       what is left of it if all but x_i are known
enum class SensitivityMethod {
  grid,      // every combination of levels was computed: both indices exactly, for levels that are equally likely
  saltelli,  // blocks of k + 2 points (find_saltelli_blocks): both, by the estimators of Saltelli and of Jansen
  binned,    // any other sample: S_i from the means of bins of x_i; it does not give ST_i
  ranks      // too few points, or y constant: the rank correlation at most
};
std::string_view to_text(SensitivityMethod method);

struct Influence {
  std::optional<Estimate> first, total;
  std::optional<Estimate> rank_correlation;  // of Spearman: monotonic dependence, from -1 to 1
};

struct Sensitivity {
  SensitivityMethod method = SensitivityMethod::ranks;
  std::size_t points = 0;             // that entered
  std::vector<Influence> parameters;  // in the order of the sample
};

// The parameters of a sample, [parameter][point], prepared once for all quantities.
class StudySample {
 public:
  // `draw`: points with the same number share what is random in them, and are no independent witnesses; empty: all are.
  explicit StudySample(std::vector<std::vector<double>> parameters, std::vector<std::uint32_t> draw = {});

  std::size_t size() const { return size_; }
  const std::vector<std::vector<double>>& parameters() const { return parameters_; }

  // Errors of `binned` and `saltelli`: from the estimates without each of 20 parts of the sample (jackknife); of `binned` also
  // the share within bins that a straight dependence has, S_i / bins². On a grid there is none.
  Sensitivity compute_sensitivity(std::span<const double> values) const;

 private:
  void look_at(std::size_t parameter);
  void look_for_grid();

  std::vector<std::vector<double>> parameters_;
  std::vector<std::uint32_t> draw_;
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint32_t>> order_;  // points by ascending value
  std::vector<std::vector<std::uint32_t>> level_;  // of a point; levels in ascending order
  std::vector<std::size_t> levels_;                // how many
  bool is_grid_ = false, is_saltelli_ = false;
};

// Do blocks of k + 2 points follow each other: a, b, and for each i the point a with x_i of b?
bool find_saltelli_blocks(std::span<const std::vector<double>> parameters);

}  // namespace vinculum
