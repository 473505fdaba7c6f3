// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vinculum/study/store.h"

namespace vinculum {

// What is varied.
struct StudyParameter {
  std::string name;
  std::string unit;  // SI; "" of a pure number, or not known
  std::string how;   // "200 values", "normal 12, deviation 0.5"
  bool random = false;
  std::vector<double> values;  // at every point
};

// What is collected: numbers, or words where `words` is not empty.
struct StudyQuantity {
  std::string name;
  std::string path;  // into the answer of the command: verdicts.front.friction.margin
  std::string unit;
  std::vector<double> numbers;  // at every point; not finite: none was found
  std::vector<std::string> words{};
  std::vector<std::uint16_t> word{};  // at every point: 0 none, k the word k - 1
};

struct StudyFailure {
  std::uint32_t point = 0;  // its place in the table
  std::string code, message;
};

// The results of a study in columns.
struct StudyResults {
  std::string title;
  std::string command, model, options;  // vinculum COMMAND MODEL --set .. OPTIONS
  std::vector<std::uint32_t> numbers;   // of the points in the store; empty: 0, 1, 2 ..
  std::vector<PointStatus> status;      // at every point
  std::vector<StudyParameter> parameters;
  std::vector<StudyQuantity> quantities;
  std::vector<StudyFailure> failures;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::string> warnings;
  std::size_t planned = 0;  // points; more than there are: the study has not ended
  // Every node of a grid sees the same samples of the random parameters: so many points, in blocks that were drawn together.
  std::size_t points_of_node = 1, block = 1;

  std::size_t size() const { return status.size(); }
  std::uint32_t number(std::size_t k) const { return numbers.empty() ? static_cast<std::uint32_t>(k) : numbers[k]; }
  bool is_random() const {
    return std::any_of(parameters.begin(), parameters.end(), [](const StudyParameter& parameter) { return parameter.random; });
  }
};

// Statistics and the page hold all points of a study in memory: no more than this.
inline constexpr long kMostStudyResults = 10'000'000;

// All results of a store. Failure VN-STUDY-051 if there are too many, or those of the store.
Outcome<StudyResults> read_study_results(const StudyStore& store);

}  // namespace vinculum
