// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/traced_tree.h"

namespace vinculum {

// A constraint on the tape: as RowAt, without what is differentiated there.
struct TracedRow {
  Traced rate, given;
  bool is_wrench = false;
  int on = kWorld, against = kWorld;
  Vector3Of<Traced> point_W;
  WrenchOf<Traced> wrench_W;
  struct Force {
    int velocity = 0;
    Traced factor;
  };
  std::vector<Force> forces;
};

// Where in the tree a constraint acts, at every state: a wrench between two bodies, a force on one velocity, or on several.
struct RowPlace {
  enum class Kind { wrench, one, several } kind = Kind::several;
  int on = kWorld, against = kWorld;
  int velocity = -1;
};

// Where the constraints of one kind get their numbers. One file a kind, *_source.cc; row_source.cc lists them.
class RowSource {
 public:
  virtual ~RowSource() = default;

  // Its constraints in rows.all, at a state whose links are in rows.links already.
  virtual std::optional<Failure> compute(const ConstraintSet& set, const State& state, ConstraintRows& rows) const = 0;

  virtual RowPlace place_in_tree(const Model& model, const Row& row) const = 0;

  // The forces that go with them.
  virtual void add_forces(const ConstraintSet&, const ConstraintRows&, ContactForces&) const {}

  // Of a constraint that is not there: the force that acts in its place, if one does.
  virtual std::optional<double> force_in_place(const ConstraintSet&, const ConstrainedDynamics&, const Row&) const {
    return std::nullopt;
  }

  // A constraint on the tape; or why it cannot be written there.
  virtual TracedRow write(const Model& model, const Row& row, const TracedTree& tree) const = 0;
  virtual std::optional<Failure> check_series(const Model&) const { return std::nullopt; }

  // What a constraint holds that is the rate of its gap wherever it is on the constraints; empty: it is the rate of none.
  virtual std::string_view held_position(const Model& model, const Row& row) const = 0;
  // How far the state is from holding it, for a message.
  virtual std::string describe_gap(const Model& model, const Row& row, double gap) const;
  // What moves it by a given law, in words; empty: nothing does.
  virtual std::string moved_by(const Model&, const Row&) const { return ""; }
  // What it reports besides multipliers.
  virtual void list_quantities(const Model&, std::vector<RowQuantity>&) const {}
  virtual void compute_quantities(const ConstraintSet&, const ConstrainedDynamics&, std::vector<double>&) const {}

  // Its elements that have a place in space, where they are, and their reactions: all three in the same order.
  virtual void list_elements(const Model&, std::vector<RowElement>&) const {}
  virtual void place_elements(const ConstraintSet&, const ConstraintRows&, std::vector<RowElementAt>&) const {}
  virtual void list_reactions(const ConstrainedDynamics&, std::vector<ElementReaction>&) const {}
  // The objects of an answer that its quantities and elements stand in.
  virtual void list_answers(std::vector<RowAnswer>&) const {}
  // Formulas that may depend on time.
  virtual void list_laws(const Model&, std::vector<const Expression*>&) const {}
  virtual bool sees_environment(const Model&) const { return false; }

  // Elements whose forces can do work that no potential remembers: "contact 'foot'".
  virtual void list_working(const Model&, std::vector<std::string>&) const {}
};

const RowSource& contact_source();
const RowSource& equation_source();
const RowSource& stop_source();
const RowSource& string_source();
const RowSource& guide_source();
const RowSource& stick_source();
const RowSource& motion_source();

// All of them, and that of a constraint.
std::span<const RowSource* const> row_sources();
const RowSource& source_of(const Row& row);

}  // namespace vinculum
