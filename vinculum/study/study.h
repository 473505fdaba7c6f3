// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// A collected value: nothing (what was asked for is not there, or null), a number, or a word such as a verdict.
using StudyValue = std::variant<std::monostate, double, std::string>;

// One parameter, or initial value, that varies.
struct StudyAxis {
  enum class Kind { grid, list, uniform, normal, sobol };

  std::string name;
  Kind kind = Kind::grid;
  double first = 0, second = 0;  // grid, uniform, sobol: from, to; normal: mean, standard deviation [SI]
  long count = 0;                // grid, list
  bool logarithmic = false;      // grid: equal ratios instead of equal differences
  std::vector<double> values{};  // list
  std::string unit{};            // "m/s"; empty if not known

  bool is_random() const { return kind == Kind::uniform || kind == Kind::normal || kind == Kind::sobol; }
};

// How the random parameters are drawn: each sample independently, or by Saltelli's
// design for Sobol indices (for k parameters k + 2 points per sample, see sample.h).
enum class StudyDesign { independent, saltelli };

struct StudyColumn {
  std::string name;
  std::string path;  // into the JSON of the command
};

// Only cells at whose corners the answer differs are halved: where a word changes, or where a number passes a level.
struct StudyRefinement {
  std::string on;  // a column
  std::optional<double> at;
  int levels = 0;
};

// A question asked at many points of a space of parameters.
struct Study {
  std::string model;  // path
  std::vector<StudyAxis> over;
  long samples = 0;  // of the random parameters; 0 if there are none
  std::uint64_t seed = 1;
  StudyDesign design = StudyDesign::independent;
  std::string command, options;  // `simulate`, `--until 5`; {NAME} in the options is the value of a parameter
  std::vector<StudyColumn> collect;
  std::optional<StudyRefinement> refine;

  int find_column(std::string_view name) const;  // -1: none
};

// One of several parts of a study that are computed separately: points whose number
// modulo `count` is `index`. With refinement it is a block of neighbouring coarse cells.
struct StudyShard {
  long index = 0, count = 1;
};

enum class PointStatus { done, failed, inferred };
std::string_view to_text(PointStatus status);

// What is known of one point.
struct StudyRow {
  long point = 0;
  std::vector<double> parameters;  // one for each of Study::over
  std::vector<StudyValue> values;  // one for each of Study::collect; none of a point that failed
  PointStatus status = PointStatus::done;
  std::string code, message;  // of a failure
};

inline constexpr long kMostStudyPoints = 100'000'000;

// What is wrong with a study that needs no model to be seen: no parameters, empty or endless ranges, names that stand twice, too
// many points.
std::optional<Failure> check_study(const Study& study);

// Everything that decides the results, as text: two studies with the same text, of the same model, have the same results.
std::string describe_study(const Study& study);
// From such a text; none if it is no such text.
std::optional<Study> read_study_text(std::string_view text);

}  // namespace vinculum
