// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/study/results.h"
#include "vinculum/study/statistics.h"

namespace vinculum {

// What the points of a study say of one collected quantity.
struct QuantityStatistics {
  std::string quantity;
  std::optional<Spread> spread;     // of numbers
  std::vector<std::string> words;   // of a quantity in words ..
  std::vector<Fraction> fractions;  // .. each, of the points that have one
  std::string event;                // what of words the sensitivity is of: "does not hold", "is stable"
  std::optional<Sensitivity> sensitivity;
  std::string why_not;  // there is no sensitivity
};

struct StudyStatistics {
  bool random = false;   // something was drawn
  bool sampled = false;  // everything was: the points are a sample of all; otherwise fractions are shares of the points
  std::vector<std::string> parameters;
  std::vector<QuantityStatistics> quantities;
};

// Are its words those of verdicts: holds, violated, ..?
bool tells_verdicts(const StudyQuantity& quantity);

StudyStatistics compute_study_statistics(const StudyResults& results);

// For the terminal: a few lines a quantity, the last without its end.
std::string to_text(const StudyStatistics& statistics);

}  // namespace vinculum
