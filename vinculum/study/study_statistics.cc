// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/study_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/verdict/verdict.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Words as a number whose variance can be divided: 1 where the event is, 0 where it is not.
std::vector<double> indicator(const StudyQuantity& quantity, const std::vector<std::size_t>& counts, std::string& event) {
  std::vector<double> of_word(quantity.words.size() + 1, kNone);
  if (tells_verdicts(quantity)) {
    event = "does not hold";
    for (std::size_t w = 0; w < quantity.words.size(); ++w) {
      if (quantity.words[w] == to_text(Holds::not_checked)) continue;
      of_word[w + 1] = quantity.words[w] == to_text(Holds::holds) ? 0 : 1;
    }
  } else {
    const auto commonest = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    event = fmt::format("is {}", quantity.words[commonest]);
    for (std::size_t w = 0; w < quantity.words.size(); ++w) of_word[w + 1] = w == commonest ? 1 : 0;
  }
  std::vector<double> values;
  values.reserve(quantity.word.size());
  for (const std::uint16_t word : quantity.word) values.push_back(of_word[word]);
  return values;
}

// Points that adaptive refinement left out crowd along the boundary: those with a number are no fair sample of the plane.
bool lacks_inferred(const StudyResults& results, const std::vector<double>& values) {
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results.status[k] == PointStatus::inferred && !std::isfinite(values[k])) return true;
  }
  return false;
}

// Of points that were drawn in blocks only the first two are independent of each other: the rest repeats their numbers, and is no
// further witness of a fraction or a quantile.
bool is_witness(const StudyResults& results, std::size_t k) {
  return results.block <= 1 || results.number(k) % results.points_of_node % results.block < 2;
}

void add_sensitivity(const StudyResults& results, const StudySample& sample, const std::vector<double>& values,
                     QuantityStatistics& statistics) {
  if (results.parameters.size() < 2) {
    statistics.why_not = "there is one parameter only";
    return;
  }
  if (lacks_inferred(results, values)) {
    statistics.why_not = "the points that were run crowd along the boundary";
    return;
  }
  Sensitivity sensitivity = sample.compute_sensitivity(values);
  if (std::any_of(sensitivity.parameters.begin(), sensitivity.parameters.end(),
                  [](const Influence& influence) { return influence.rank_correlation.has_value(); })) {
    statistics.sensitivity = std::move(sensitivity);
  } else {
    statistics.why_not = sensitivity.points < 4 ? "there are too few points" : "it is the same at all points";
  }
}

std::string percent(double fraction) { return fmt::format("{:.3g} %", 100 * fraction); }

std::string fraction_text(const std::string& word, const Fraction& fraction, bool sampled) {
  std::string text = fmt::format("{} {} of {}, {}", word, fraction.count, fraction.of, percent(fraction.value));
  if (sampled) text += fmt::format(" (95 %: {:.3g} to {})", 100 * fraction.interval.low, percent(fraction.interval.high));
  return text;
}

std::string_view heading(SensitivityMethod method) {
  switch (method) {
    case SensitivityMethod::grid: return "Sobol indices, exact for equally likely levels";
    case SensitivityMethod::saltelli: return "Sobol indices ± standard error, from blocks of the sample";
    case SensitivityMethod::binned: return "first-order Sobol index ± standard error, from means of bins";
    case SensitivityMethod::ranks: break;
  }
  return "rank correlation ± standard error";
}

std::string sensitivity_text(const StudyStatistics& statistics, const QuantityStatistics& quantity) {
  const Sensitivity& sensitivity = *quantity.sensitivity;
  std::string text = fmt::format("  which parameter matters{} ({}):\n",
                                 quantity.event.empty() ? "" : " for '" + quantity.event + "'", heading(sensitivity.method));
  std::size_t widest = 0;
  for (const std::string& name : statistics.parameters) widest = std::max(widest, name.size());
  const auto strength = [&](std::size_t i) {
    const Influence& influence = sensitivity.parameters[i];
    if (influence.total) return influence.total->value;
    if (influence.first) return influence.first->value;
    return influence.rank_correlation ? std::abs(influence.rank_correlation->value) : 0;
  };
  std::vector<std::size_t> ranking(statistics.parameters.size());
  for (std::size_t i = 0; i < ranking.size(); ++i) ranking[i] = i;
  std::stable_sort(ranking.begin(), ranking.end(), [&](std::size_t a, std::size_t b) { return strength(a) > strength(b); });
  const bool exact = sensitivity.method == SensitivityMethod::grid;
  const auto estimate = [&](const Estimate& e) {
    const double value = std::abs(e.value) < 0.0005 ? 0 : e.value;  // not -0.000
    return exact ? fmt::format("{:.3f}", value) : fmt::format("{:.3f} ± {:.3f}", value, e.error);
  };
  for (const std::size_t i : ranking) {
    const Influence& influence = sensitivity.parameters[i];
    text += fmt::format("    {:<{}}", statistics.parameters[i], widest);
    if (influence.first) text += fmt::format("  first {}", estimate(*influence.first));
    if (influence.total) text += fmt::format("  total {}", estimate(*influence.total));
    if (influence.rank_correlation) text += fmt::format("  rank correlation {:+.2f}", influence.rank_correlation->value);
    if (influence.rank_correlation && !influence.first) text += fmt::format(" ± {:.2f}", influence.rank_correlation->error);
    text += '\n';
  }
  return text;
}

}  // namespace

bool tells_verdicts(const StudyQuantity& quantity) {
  return !quantity.words.empty() && std::all_of(quantity.words.begin(), quantity.words.end(), [&](const std::string& word) {
    return std::ranges::any_of(verdicts_by_gravity(), [&](Holds verdict) { return word == to_text(verdict); });
  });
}

StudyStatistics compute_study_statistics(const StudyResults& results) {
  StudyStatistics result;
  result.random = results.is_random();
  result.sampled = result.random && results.size() <= results.points_of_node;
  std::vector<std::vector<double>> columns;
  for (const StudyParameter& parameter : results.parameters) {
    result.parameters.push_back(parameter.name);
    columns.push_back(parameter.values);
  }
  std::vector<std::uint32_t> draw;
  if (result.random) {
    draw.reserve(results.size());
    for (std::size_t k = 0; k < results.size(); ++k)
      draw.push_back(static_cast<std::uint32_t>(results.number(k) % results.points_of_node / results.block));
  }
  const StudySample sample(std::move(columns), std::move(draw));
  for (const StudyQuantity& quantity : results.quantities) {
    QuantityStatistics statistics;
    statistics.quantity = quantity.name;
    if (quantity.words.empty()) {
      std::vector<double> witnesses = quantity.numbers;
      for (std::size_t k = 0; k < witnesses.size(); ++k) {
        if (!is_witness(results, k)) witnesses[k] = kNone;
      }
      statistics.spread = compute_spread(witnesses);
      add_sensitivity(results, sample, quantity.numbers, statistics);
    } else {
      std::vector<std::size_t> counts(quantity.words.size(), 0);
      for (std::size_t k = 0; k < quantity.word.size(); ++k) {
        if (quantity.word[k] > 0 && is_witness(results, k)) ++counts[quantity.word[k] - 1u];
      }
      std::size_t of = 0;
      for (const std::size_t count : counts) of += count;
      statistics.words = quantity.words;
      for (const std::size_t count : counts) statistics.fractions.push_back(compute_fraction(count, of));
      const std::vector<double> values = indicator(quantity, counts, statistics.event);
      add_sensitivity(results, sample, values, statistics);
    }
    result.quantities.push_back(std::move(statistics));
  }
  return result;
}

namespace {

// As many as tell the values apart: lengths within a tolerance differ in late digits.
int digits_of(const Spread& spread) {
  const double largest = std::max(std::abs(spread.least), std::abs(spread.largest));
  if (!(spread.deviation > 0)) return 4;
  return std::clamp(3 + static_cast<int>(std::ceil(std::log10(largest / spread.deviation))), 4, 12);
}

}  // namespace

std::string to_text(const StudyStatistics& statistics) {
  std::string text;
  for (const QuantityStatistics& quantity : statistics.quantities) {
    text += fmt::format("{}: ", quantity.quantity);
    if (quantity.spread && quantity.spread->count == 0) {
      text += "no values\n";
      continue;
    }
    if (const auto& spread = quantity.spread) {
      const int digits = digits_of(*spread);
      text += fmt::format("from {:.{}g} to {:.{}g}, mean {:.{}g}, deviation {:.3g}\n", spread->least, digits, spread->largest,
                          digits, spread->mean, digits, spread->deviation);
      if (statistics.random) {
        text += "  quantiles";
        const char* separator = " ";
        for (const Quantile& q : spread->quantiles) {
          text += fmt::format("{}{:.3g} %: {:.{}g}", separator, 100 * q.p, q.value, digits);
          separator = ", ";
        }
        text += '\n';
      }
    }
    for (std::size_t w = 0; w < quantity.words.size(); ++w)
      text += (w > 0 ? "; " : "") + fraction_text(quantity.words[w], quantity.fractions[w], statistics.sampled);
    if (!quantity.words.empty()) text += '\n';
    if (quantity.sensitivity) text += sensitivity_text(statistics, quantity);
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace vinculum
