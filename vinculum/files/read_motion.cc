// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_motion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include <fmt/core.h>

#include "vinculum/formats/table.h"
#include "vinculum/math/spline.h"
#include "vinculum/model/inputs.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

// Columns that are named by joints get the names of the model.
bool use_own_names(NumberTable& table, const Model& model, Diagnostics& diagnostics) {
  const auto own_name = [&](const std::string& name) {
    if (const auto q = model.find_coordinate(name)) return model.coordinate_names()[*q];
    if (const auto v = model.find_velocity(name)) return model.velocity_names()[*v];
    return name;
  };
  for (auto& column : table.columns) {
    const std::string given = column.name;
    const bool acceleration = given.starts_with("a(") && given.ends_with(")");
    const std::string own = acceleration ? fmt::format("a({})", own_name(given.substr(2, given.size() - 3))) : own_name(given);
    if (own == given) continue;
    if (table.find(own) != nullptr)
      diagnostics.error("VN-FILE-124", {1, 1}, fmt::format("column '{}'", given), fmt::format("is the same as column '{}'", own),
                        "keep one of them");
    column.name = own;
  }
  return !diagnostics.has_errors();
}

// Rows of one time twice: velocities and forces jump there, coordinates do not. The motion has a piece before and one after.
struct Piece {
  size_t begin = 0, end = 0;  // rows
  size_t size() const { return end - begin; }
};

std::vector<Piece> list_pieces(std::span<const double> times) {
  std::vector<Piece> pieces{{0, 1}};
  for (size_t i = 1; i < times.size(); ++i) {
    if (times[i] == times[i - 1]) pieces.push_back({i, i});
    pieces.back().end = i + 1;
  }
  return pieces;
}

// A row between two jumps at one time, or beside one at the end of the table, tells nothing of a motion.
void drop_rows_without_duration(NumberTable& table) {
  std::vector<bool> drops(table.rows);
  for (const Piece& piece : list_pieces(table.columns[0].values)) drops[piece.begin] = piece.size() == 1;
  if (std::ranges::none_of(drops, std::identity())) return;
  for (auto& column : table.columns) {
    size_t row = 0;
    std::erase_if(column.values, [&](double) { return drops[row++]; });
    row = 0;
    std::erase_if(column.words, [&](const std::string&) { return drops[row++]; });
  }
  table.rows = table.columns[0].values.size();
}

SplineDerivatives differentiate_pieces(std::span<const double> times, std::span<const double> values) {
  SplineDerivatives all;
  for (const Piece& piece : list_pieces(times)) {
    const SplineDerivatives own =
        differentiate_by_spline(times.subspan(piece.begin, piece.size()), values.subspan(piece.begin, piece.size()));
    all.first.insert(all.first.end(), own.first.begin(), own.first.end());
    all.second.insert(all.second.end(), own.second.begin(), own.second.end());
  }
  return all;
}

constexpr double kSamePlace = 1e-6;  // of the scale of a coordinate: two rows of one time

// The first coordinate that jumps between two rows.
std::optional<std::string> find_jump(const NumberTable& table, const Model& model, size_t row) {
  const std::vector<double> scales = coordinate_scales(model, model.scales());
  for (size_t i = 0; i < model.coordinate_names().size(); ++i) {
    const auto* column = table.find(model.coordinate_names()[i]);
    const auto is_held = [&](const ExtraState& state) { return state.q == static_cast<int>(i) && state.is_held(); };
    if (std::ranges::any_of(model.extra_states(), is_held)) continue;  // an input, which may jump
    if (column != nullptr && std::abs(column->values[row] - column->values[row - 1]) > kSamePlace * scales[i])
      return column->name;
  }
  return std::nullopt;
}

// Times ascend, every column means something, and there is enough to differentiate.
bool check_motion(const NumberTable& table, const Model& model, Diagnostics& diagnostics) {
  if (table.columns[0].name != "t") {
    diagnostics.error("VN-FILE-123", {1, 1}, "", "the first column must be t", "a header such as: t [s],arm [rad]");
    return false;
  }
  for (const auto& column : table.columns) {
    const std::string& name = column.name;
    const bool acceleration =
        name.starts_with("a(") && name.ends_with(")") && model.find_velocity(name.substr(2, name.size() - 3));
    if (name == "t" || name.ends_with(" energy") || column.is_mode() || acceleration || model.find_coordinate(name) ||
        model.find_velocity(name))
      continue;
    const std::string nearest = nearest_name(name, model.coordinate_names());
    diagnostics.error("VN-FILE-124", {1, 1}, fmt::format("column '{}'", name),
                      "is neither a coordinate nor a velocity nor a(VELOCITY) of the model",
                      nearest.empty() ? "`vinculum check` lists the names" : fmt::format("did you mean '{}'?", nearest));
  }
  if (table.rows < 4)
    diagnostics.error("VN-FILE-125", {}, "", fmt::format("{} lines are too few for a motion", table.rows),
                      "at least 4 are needed");
  for (size_t i = 1; i < table.rows; ++i) {
    const double step = table.columns[0].values[i] - table.columns[0].values[i - 1];
    const std::optional<std::string> jump = step == 0 ? find_jump(table, model, i) : std::nullopt;
    if (step > 0 || (step == 0 && !jump)) continue;
    diagnostics.error(
        "VN-FILE-126", {static_cast<int>(i) + 2, 1}, "column 't'",
        jump ? fmt::format("the time {} s is given twice, with two values of '{}'", table.columns[0].values[i], *jump)
             : "times must ascend",
        jump ? "two lines with the same time are a jump of velocities; coordinates must not jump" : "sort the lines by time");
    break;
  }
  return !diagnostics.has_errors();
}

}  // namespace

std::optional<GivenMotion> read_motion(const std::string& path, const Model& model, Diagnostics& diagnostics) {
  auto table = read_table(path, diagnostics);
  if (!table || !use_own_names(*table, model, diagnostics) || !check_motion(*table, model, diagnostics)) return std::nullopt;
  drop_rows_without_duration(*table);

  const std::vector<double>& times = table->columns[0].values;
  GivenMotion motion;
  motion.states.assign(table->rows, model.initial_state());
  motion.accelerations.assign(table->rows, std::vector<double>(model.velocity_names().size(), 0.0));
  for (size_t row = 0; row < table->rows; ++row) motion.states[row].t = times[row];

  for (size_t i = 0; i < model.coordinate_names().size(); ++i) {
    const auto* column = table->find(model.coordinate_names()[i]);
    if (column == nullptr) continue;
    motion.given.push_back(model.coordinate_names()[i]);
    for (size_t row = 0; row < table->rows; ++row) motion.states[row].q[i] = column->values[row];
  }
  for (size_t i = 0; i < model.velocity_names().size(); ++i) {
    const std::string& name = model.velocity_names()[i];
    const auto* rate = table->find(name);
    const auto* position = name.ends_with('\'') ? table->find(name.substr(0, name.size() - 1)) : nullptr;
    const auto* acceleration = table->find(fmt::format("a({})", name));
    if (rate == nullptr && position == nullptr && acceleration == nullptr) continue;
    if (rate != nullptr || position != nullptr) motion.given.push_back(name);

    SplineDerivatives spline;
    if (rate == nullptr && position != nullptr) {
      spline = differentiate_pieces(times, position->values);
    } else if (acceleration == nullptr) {
      spline.second = differentiate_pieces(times, rate->values).first;
    }
    motion.differentiated = motion.differentiated || rate == nullptr || acceleration == nullptr;
    for (size_t row = 0; row < table->rows; ++row) {
      if (rate != nullptr || position != nullptr)
        motion.states[row].v[i] = rate != nullptr ? rate->values[row] : spline.first[row];
      motion.accelerations[row][i] = acceleration != nullptr ? acceleration->values[row] : spline.second[row];
    }
  }
  for (State& state : motion.states) {
    normalize_quaternions(model, state, diagnostics);
    check_inputs(model, state, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
  }
  return motion;
}

}  // namespace vinculum
