// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/kernels/force_view.h"
#include "vinculum/math/traced.h"
#include "vinculum/verdict/outcome.h"

// Where the forces of one kind get their numbers, and all that the rest of the library asks of them: energy, derivatives,
// outputs, equations as text, drawings, words. One source file a kind (joint_force.cc, body_force.cc, spring_force.cc,
// point_to_point_force.cc). Nothing outside names a kind of force (a test looks).
//
// A new kind of force is
//   - its words in the variant of ForceDescription (model/description.h)
//   - its law in the list of kinds (model/force_law.h); model/compile_forces.cc resolves its names
//   - dynamics/NAME_force.h: its force on any scalar, add_to_links (or add_to_velocities) and add_power, included by
//   loads_kernel.h
//   - dynamics/NAME_force.cc: its ForceSource, listed in force_source.cc
//   - files/read_forces.cc, files/write_model.cc, docs/model-file.md, docs/vinculum.schema.json, tests
// and does not compile before all overloads are there.
//
// Many forces are a sum of amplitudes, each a formula, times what a unit of it does: a direction of a body, a pull along a line.
// Derivatives, linearisation, first integrals and the search for kinks take the formulas from there.
namespace vinculum {

class LoadChange;  // load_change.h

// A formula that is an amplitude.
struct ForceAmplitude {
  const Expression* formula;
  const OwnVariables* own = nullptr;        // of its names beside t, q and v
  const Expression* written_out = nullptr;  // the formula without these
};

// How a force is shown.
struct ForceDrawing {
  std::optional<std::array<Anchor, 2>> line;  // a spring between two points,
  std::optional<Anchor> point;                // or arrows here: force and torque
};

class ForceSource {
 public:
  virtual ~ForceSource() = default;

  // Those of its kind in a model; `k` is one of them. The element: an index into description().forces.
  virtual int count(const Model& model) const = 0;
  virtual int element(const Model& model, int k) const = 0;

  // ---- where it acts ----
  // The velocity it acts on, by a single amplitude; -1: it acts on links.
  virtual int velocity(const Model&, int) const { return -1; }
  virtual bool is_passive(const Model&, int) const { return false; }
  virtual std::vector<Anchor> ends(const Model& model, int k) const = 0;
  virtual ForceDrawing drawing(const Model& model, int k) const = 0;

  // ---- its formulas ----
  virtual std::vector<ForceAmplitude> amplitudes(const Model& model, int k) const = 0;
  // The terms of an amplitude whose work has no potential, in t, q and v.
  virtual Expression working_part(const Model& model, int k, int amplitude) const = 0;
  // Adds what these amplitudes do at a state, on every velocity. Expects nothing of the workspace.
  virtual void add_amplitudes(const Model& model, int k, std::span<const double> amplitudes, const State& state,
                              Workspace& workspace, std::span<double> forces) const = 0;
  // The numbers it is made of, as formulas of t, q and v, and its wrenches made of them: for equations as text.
  virtual std::vector<Expression> numbers(const Model& model, int k) const = 0;
  virtual void add_of_numbers(const Model& model, int k, std::span<const Traced> numbers, const ForceView<Traced>& view,
                              WrenchOf<Traced>* loads) const = 0;

  // ---- energy ----
  virtual bool is_conservative(const Model& model, int k) const = 0;
  // add(potential) for every term of it.
  virtual void add_potential(const Model& model, int k, const ForceView<double>& view, std::vector<double>& scratch,
                             const std::function<void(double)>& add) const = 0;

  // ---- numbers at a state ----
  // By the place in list_outputs of its words.
  virtual double output(const Model& model, int k, int component, const ForceView<double>& view) const = 0;
  virtual double output_scale(const Model& model, int k, int component) const = 0;
  virtual std::optional<Expression> output_formula(const Model&, int, int) const { return std::nullopt; }
  // Force and torque where it is drawn as arrows; else the pull along its line in force.x.
  virtual Wrench shown(const Model& model, int k, const ForceView<double>& view) const = 0;
  // Why it has no value there, if it knows.
  virtual std::optional<Failure> explain_no_value(const Model&, int, const ForceView<double>&) const { return std::nullopt; }

  // ---- derivatives ----
  // What it does to ∂tau/∂q and ∂tau/∂v beyond following its links with constant amplitudes, and what a change of an amplitude
  // does along a column: load_change.h.
  virtual void subtract_geometry(const Model& model, int k, const State& state, LoadChange& change) const = 0;
  virtual void subtract_amplitude(const Model& model, int k, int amplitude, double slope, int column, bool by_velocity,
                                  const State& state, LoadChange& change) const = 0;
};

// Of all kinds, in the order of ForceLaws.
std::span<const ForceSource* const> force_sources();

// One force of a model.
struct ForceOf {
  const ForceSource* source;
  int k = 0;
};
std::vector<ForceOf> list_forces(const Model& model);  // by number (ForceLaws)
ForceOf find_force(const Model& model, int number);    // one of these, without a list

std::string name_of_force(const Model& model, const ForceOf& force);     // damper
std::string element_of_force(const Model& model, const ForceOf& force);  // force 'damper'

// A law on one velocity.
struct VelocityForce {
  int velocity = 0;
  const Expression* law;
  bool is_passive = false;
};
std::vector<VelocityForce> list_velocity_forces(const Model& model);

// The amplitudes of all forces, by number: what a search of a step or a doubt about samples asks.
std::vector<ForceAmplitude> list_amplitudes(const Model& model);

// What the given forces do more on each velocity for a unit more of a variable.
std::vector<double> compute_force_slopes(const Model& model, const State& state, const Variable& variable, Workspace& workspace);

// Why the forces have no finite value at a state, if one of them knows.
std::optional<Failure> explain_no_force(const Model& model, double t, std::span<const double> q, std::span<const double> v);

// The same in every case: VN-RUN-003 where no force does.
Failure explain_no_value(const Model& model, const State& state);

const ForceSource& joint_force_source();
const ForceSource& body_force_source();
const ForceSource& spring_force_source();
const ForceSource& point_to_point_force_source();

}  // namespace vinculum
