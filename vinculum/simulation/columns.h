// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/simulation/run.h"

namespace vinculum {

// One number of a sample of a run.
struct Quantity {
  enum class Of : std::uint8_t {
    time,
    coordinate,  // `index` in State::q
    velocity,
    acceleration,  // `index` of the velocity
    kinetic_energy,
    potential_energy,
    mode,            // `index` in Model::modes(); the value counts in its words
    memory,          // `index` in State::memory
    joint_reaction,  // on body `index`; `component`: force x, y, z, then moment x, y, z
    driving_force,   // `index` in Model::driven()
    multiplier,      // `index` in Model::rows(), given motions excepted
    row_quantity,    // `index` in list_row_quantities
    output           // `index` in Model::outputs().columns
  } of = Of::time;
  int index = 0, component = 0;

  auto operator<=>(const Quantity&) const = default;
};

double value_of(const Quantity& quantity, const Model& model, const Sample& sample);

// The table of a results folder that has a quantity; t is the first column of each of them.
enum class ResultTable : std::uint8_t { none, states, reactions, outputs };
ResultTable table_of(Quantity::Of of);

struct Column {
  std::string name, unit;
  Quantity quantity;
  std::vector<std::string> words{};  // of a mode: its value counts in them

  ResultTable table() const { return table_of(quantity.of); }
};

// Name, unit and words of any quantity. This is the one place that has them: headers of tables, pages and the Python module ask
// here.
Column describe(const Quantity& quantity, const Model& model);
std::vector<Column> describe(std::span<const Quantity> quantities, const Model& model);

// All of one kind, in the order of the model.
std::vector<Quantity> list_quantities(const Model& model, Quantity::Of of);
// Those of the tables states.csv, reactions.csv and outputs.csv, one after the other, without t.
std::vector<Quantity> list_table_quantities(const Model& model);

// By the name of its column: "boom", "boom'", "foot.normal", "arm.force.x"; also accelerations, "boom''". Coordinates and
// velocities come before outputs, and these before all others. None if there is no such quantity; then `nearest`, if wanted, is
// the name most like it, or empty.
std::optional<Quantity> find_quantity(const Model& model, std::string_view name, std::string* nearest = nullptr);

}  // namespace vinculum
