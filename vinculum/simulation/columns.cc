// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/columns.h"

#include <cassert>

#include <fmt/core.h>

#include "vinculum/constraints/row_quantities.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace {

using Of = Quantity::Of;

constexpr int kPartsOfReaction = 6;
constexpr const char* kNamesOfReaction[kPartsOfReaction] = {"force.x", "force.y", "force.z", "moment.x", "moment.y", "moment.z"};

double part_of(const Wrench& wrench, int component) {
  return component < 3 ? wrench.force[component] : wrench.moment[component - 3];
}

// Given motions come last among the rows; their forces are those of drives.
size_t first_motion(const Model& model) { return model.rows().size() - model.driven().size(); }

// m/s -> m/s^2, rad/s -> rad/s^2.
std::string derived(const std::string& unit) { return unit.ends_with("/s") ? unit + "^2" : unit + "/s"; }

// Descriptions of many quantities of a model: what has to be listed anew is listed once.
class Describer {
 public:
  explicit Describer(const Model& model) : model_(model), units_(state_units(model)), quantities_(list_row_quantities(model)) {}

  Column column(const Quantity& quantity) const {
    const auto i = static_cast<size_t>(quantity.index);
    switch (quantity.of) {
      case Of::time: return {"t", "s", quantity};
      case Of::coordinate: return {model_.coordinate_names()[i], units_.coordinates[i], quantity};
      case Of::velocity: return {model_.velocity_names()[i], units_.velocities[i], quantity};
      case Of::acceleration: return {model_.velocity_names()[i] + "'", derived(units_.velocities[i]), quantity};
      case Of::kinetic_energy: return {"kinetic energy", "J", quantity};
      case Of::potential_energy: return {"potential energy", "J", quantity};
      case Of::mode: return {std::string(kModeColumn) + model_.modes()[i].name, "", quantity, model_.modes()[i].words};
      case Of::memory: return memory(quantity);
      case Of::joint_reaction:
        return {fmt::format("{}.{}", model_.bodies()[i].name, kNamesOfReaction[quantity.component]),
                quantity.component < 3 ? "N" : "N*m", quantity};
      case Of::driving_force: return row(first_motion(model_) + i, quantity);
      case Of::multiplier: return row(i, quantity);
      case Of::row_quantity: return {quantities_[i].column_name(), quantities_[i].unit, quantity};
      case Of::output: break;
    }
    return {model_.outputs().columns[i].name, model_.outputs().columns[i].unit, quantity};
  }

 private:
  Column row(size_t index, const Quantity& quantity) const {
    return {model_.rows()[index].name, model_.rows()[index].unit, quantity};
  }
  Column memory(const Quantity& quantity) const {
    const Memory* own = &model_.memories().front();
    for (const Memory& memory : model_.memories()) {
      if (memory.first <= quantity.index) own = &memory;
    }
    return {own->size == 1 ? own->name : fmt::format("{}.{}", own->name, quantity.index - own->first), own->unit, quantity};
  }

  const Model& model_;
  StateUnits units_;
  std::vector<RowQuantity> quantities_;
};

void append(std::vector<Quantity>& list, const Model& model, Of of) {
  const std::vector<Quantity> more = list_quantities(model, of);
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

double value_of(const Quantity& quantity, const Model& model, const Sample& sample) {
  const auto i = static_cast<size_t>(quantity.index);
  const auto in = [i](const std::vector<double>& values) {
    assert(i < values.size());
    return values[i];
  };
  switch (quantity.of) {
    case Of::time: return sample.state.t;
    case Of::coordinate: return in(sample.state.q);
    case Of::velocity: return in(sample.state.v);
    case Of::acceleration: return in(sample.dynamics.accelerations);
    case Of::kinetic_energy: return sample.energy.kinetic;
    case Of::potential_energy: return sample.energy.potential;
    // A state without modes has the usual ones, and one without memory remembers nothing.
    case Of::mode: return sample.state.modes.empty() ? model.modes()[i].usual : sample.state.modes[i];
    case Of::memory: return sample.state.memory.empty() ? 0 : in(sample.state.memory);
    case Of::joint_reaction: return part_of(sample.dynamics.reactions_W[i], quantity.component);
    case Of::driving_force: return in(sample.dynamics.driving_forces);
    case Of::multiplier: return in(sample.multipliers);
    case Of::row_quantity: return in(sample.quantities);
    case Of::output: break;
  }
  return in(sample.outputs);
}

ResultTable table_of(Of of) {
  switch (of) {
    case Of::time:
    case Of::acceleration:
    case Of::memory: return ResultTable::none;
    case Of::coordinate:
    case Of::velocity:
    case Of::kinetic_energy:
    case Of::potential_energy:
    case Of::mode: return ResultTable::states;
    case Of::joint_reaction:
    case Of::driving_force:
    case Of::multiplier:
    case Of::row_quantity: return ResultTable::reactions;
    case Of::output: break;
  }
  return ResultTable::outputs;
}

Column describe(const Quantity& quantity, const Model& model) { return Describer(model).column(quantity); }

std::vector<Column> describe(std::span<const Quantity> quantities, const Model& model) {
  const Describer describer(model);
  std::vector<Column> columns;
  columns.reserve(quantities.size());
  for (const Quantity& quantity : quantities) columns.push_back(describer.column(quantity));
  return columns;
}

std::vector<Quantity> list_quantities(const Model& model, Of of) {
  size_t count = 1;
  switch (of) {
    case Of::time:
    case Of::kinetic_energy:
    case Of::potential_energy: break;
    case Of::coordinate: count = model.coordinate_names().size(); break;
    case Of::velocity:
    case Of::acceleration: count = model.velocity_names().size(); break;
    case Of::mode: count = model.modes().size(); break;
    case Of::memory: count = static_cast<size_t>(model.memory_size()); break;
    case Of::joint_reaction: count = model.bodies().size(); break;
    case Of::driving_force: count = model.driven().size(); break;
    case Of::multiplier: count = first_motion(model); break;
    case Of::row_quantity: count = list_row_quantities(model).size(); break;
    case Of::output: count = model.outputs().columns.size(); break;
  }
  std::vector<Quantity> list;
  for (size_t i = 0; i < count; ++i) {
    const int parts = of == Of::joint_reaction ? kPartsOfReaction : 1;
    for (int component = 0; component < parts; ++component) list.push_back({of, static_cast<int>(i), component});
  }
  return list;
}

// Given motions come first in reactions.csv.
std::vector<Quantity> list_table_quantities(const Model& model) {
  std::vector<Quantity> list;
  for (const Of of : {Of::coordinate, Of::velocity, Of::kinetic_energy, Of::potential_energy, Of::mode, Of::joint_reaction,
                      Of::driving_force, Of::multiplier, Of::row_quantity, Of::output})
    append(list, model, of);
  return list;
}

std::optional<Quantity> find_quantity(const Model& model, std::string_view name, std::string* nearest) {
  std::vector<Quantity> all;
  for (const Of of : {Of::time, Of::coordinate, Of::velocity, Of::output, Of::acceleration, Of::kinetic_energy,
                      Of::potential_energy, Of::joint_reaction, Of::driving_force, Of::multiplier, Of::row_quantity, Of::mode})
    append(all, model, of);
  std::vector<std::string> known;
  for (const Column& column : describe(all, model)) {
    if (column.name == name) return column.quantity;
    known.push_back(column.name);
  }
  if (nearest != nullptr) *nearest = nearest_name(std::string(name), known);
  return std::nullopt;
}

}  // namespace vinculum
