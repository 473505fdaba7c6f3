// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/load_derivatives.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "vinculum/dynamics/load_change.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/model/state.h"

namespace vinculum {

LoadDerivatives::LoadDerivatives(const Model& model, const DerivativesMemory& memory) : forces_(list_forces(model)) {
  const int of_bodies = model.tree().coordinates - static_cast<int>(model.extra_states().size());
  const auto moves_nothing = [&](int coordinate) { return coordinate >= of_bodies; };
  for (size_t i = 0; i < forces_.size(); ++i) {
    first_slope_.push_back(slopes_.size());
    const std::vector<ForceAmplitude> amplitudes = forces_[i].source->amplitudes(model, forces_[i].k);
    for (size_t m = 0; m < amplitudes.size(); ++m) {
      for (const Variable& variable : amplitudes[m].formula->variables()) {
        // What moves no body is no direction of the mechanism.
        const bool is_direction = variable.kind == VariableKind::velocity ||
                                  (variable.kind == VariableKind::coordinate && !moves_nothing(variable.index));
        if (!is_direction) continue;
        slopes_.push_back({static_cast<int>(i), static_cast<int>(m), variable, differentiate(*amplitudes[m].formula, variable),
                           amplitudes[m].own});
      }
    }
  }
  first_slope_.push_back(slopes_.size());

  coordinates_.resize(model.tree().coordinates);
  for (const Link& link : model.tree().links) {
    const int quaternion = quaternion_index(link);
    const int plain = quaternion < 0 ? velocity_count(link.kind) : velocity_count(link.kind) - 3;
    for (int m = 0; m < plain; ++m) coordinates_[link.q + m].velocity = link.v + m;
    for (int m = 0; quaternion >= 0 && m < 4; ++m) coordinates_[quaternion + m] = {link.v + plain, quaternion, m};
  }
  find_coupling(model, memory);
}

void LoadDerivatives::find_coupling(const Model& model, const DerivativesMemory& memory) {
  const auto carries = [&](int j, int k) { return std::ranges::binary_search(memory.carriers_of(k), j); };
  for (const Slope& slope : slopes_) {
    const int k = forces_[slope.force].source->velocity(model, forces_[slope.force].k);
    if (k < 0) {
      couples_branches_ = true;
      continue;
    }
    const int j =
        slope.variable.kind == VariableKind::velocity ? slope.variable.index : coordinates_[slope.variable.index].velocity;
    couples_branches_ |= !carries(j, k) && !carries(k, j);
  }
  for (const ForceOf& force : forces_) {
    std::vector<int> last;
    for (const Anchor& anchor : force.source->ends(model, force.k)) {
      if (anchor.on != Anchor::On::body) continue;
      last.push_back(memory.last_column[memory.stage_of_link[model.bodies()[anchor.index].link]]);
    }
    for (size_t end = 1; end < last.size(); ++end) {
      if (last[0] >= 0 && last[end] >= 0) couples_branches_ |= !carries(last[0], last[end]) && !carries(last[end], last[0]);
    }
  }
}

// use(column, slope, by) for every velocity along which the variable changes, with the slope times its rate there.
template <class Use>
bool LoadDerivatives::for_each_direction(const Slope& slope, const State& state, std::vector<double>& scratch,
                                         const Use& use) const {
  const Bindings at = with_own({state.t, state.q, state.v}, slope.own, scratch);
  const double value = evaluate(slope.value, at, scratch);
  if (!std::isfinite(value)) return false;
  if (slope.variable.kind == VariableKind::velocity) {
    use(slope.variable.index, value, By::v);
    return true;
  }
  const Coordinate& coordinate = coordinates_[slope.variable.index];
  if (coordinate.quaternion < 0) {
    use(coordinate.velocity, value, By::q);
    return true;
  }
  const double* Q = &state.q[coordinate.quaternion];
  for (int m = 0; m < 3; ++m) {
    Vector3 unit;
    unit[m] = 1;
    const Quaternion rate = quaternion_rate(Quaternion{Q[0], Q[1], Q[2], Q[3]}, unit);
    const double rates[] = {rate.w, rate.x, rate.y, rate.z};
    use(coordinate.velocity + m, value * rates[coordinate.part], By::q);
  }
  return true;
}

bool LoadDerivatives::subtract_slopes(const Model& model, const State& state, int force, LoadChange& change,
                                      std::vector<double>& scratch) const {
  bool finite = true;
  const ForceOf& of = forces_[force];
  for (size_t i = first_slope_[force]; i < first_slope_[force + 1]; ++i) {
    const Slope& slope = slopes_[i];
    finite &= for_each_direction(slope, state, scratch, [&](int column, double value, By by) {
      of.source->subtract_amplitude(model, of.k, slope.amplitude, value, column, by == By::v, state, change);
    });
  }
  return finite;
}

bool LoadDerivatives::subtract_joint_laws(const Model& model, const State& state, Workspace::Memory& links,
                                          DerivativesMemory& memory) const {
  LoadChange change(model, links, memory);
  bool finite = true;
  for (size_t i = 0; i < forces_.size(); ++i) {
    if (forces_[i].source->velocity(model, forces_[i].k) >= 0)
      finite &= subtract_slopes(model, state, static_cast<int>(i), change, links.expression);
  }
  return finite;
}

bool LoadDerivatives::subtract_loads(const Model& model, const State& state, Workspace::Memory& links,
                                     DerivativesMemory& memory) const {
  LoadChange change(model, links, memory);
  for (size_t i = 0; i < links.applied.wrenches_W.size(); ++i)
    change.subtract_turn(change.point_of_body(static_cast<int>(i), {}), links.applied.wrenches_W[i]);
  // Of each kind what turns and stretches first, then its slopes.
  bool finite = true;
  for (size_t first = 0, end = 0; first < forces_.size(); first = end) {
    while (end < forces_.size() && forces_[end].source == forces_[first].source) ++end;
    if (forces_[first].source->velocity(model, 0) >= 0) continue;
    for (size_t i = first; i < end; ++i) forces_[i].source->subtract_geometry(model, forces_[i].k, state, change);
    for (size_t i = first; i < end; ++i) finite &= subtract_slopes(model, state, static_cast<int>(i), change, links.expression);
  }
  return finite;
}

}  // namespace vinculum
