// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "vinculum/constraints/guide_state.h"
#include "vinculum/geometry/contact_state.h"
#include "vinculum/math/scratch.h"
#include "vinculum/model/model.h"

namespace vinculum {

// The active constraints of a model: those of the modes of its elements,
// without redundant ones. Initially the usual modes, and all constraints.
struct ConstraintSet {
  explicit ConstraintSet(const Model& constrained);
  ConstraintSet(const Model& constrained, const State& state);  // with the modes and the memory of the state

  // Activates all constraints whose mode has the right value.
  void set_modes(const std::vector<int>& values);

  // The same for Model::one_sided(): which of them hold.
  void hold(const std::vector<bool>& one_sided);
  bool holds(int one_sided) const;
  std::vector<bool> holding() const;

  // Leaves out redundant constraints, by Row::index; initially none.
  void leave_out(const std::vector<bool>& redundant_rows);

  std::optional<int> find_row(int index) const;  // by Row::index
  bool is_there(const Contact& contact) const { return contact.mode < 0 || modes[contact.mode] == 1; }
  // Of Model::one_sided(): those that part and touch; the others hold both ways, if they hold. At first all; with
  // `contacts_part` false only what is always followed. The same of Model::grips() and `contacts_slip`.
  void follow(bool contacts_part, bool contacts_slip = true) {
    contacts_part_ = contacts_part;
    contacts_slip_ = contacts_slip;
  }
  bool contacts_slip() const { return contacts_slip_; }
  bool may_slip(const Grip& grip) const { return contacts_slip_ || grip.always_followed(); }
  bool follows_any() const { return model.has_followed_rows(contacts_part_); }
  bool follows(int one_sided) const { return contacts_part_ || model.one_sided()[one_sided].always_followed; }
  // Of contacts whose normal is carried by a law: it parts and touches; else it acts both ways.
  bool parts(const Contact& contact) const {
    return contacts_part_ || (contact.is_pressed_by_law() && contact.laws.at(ContactAxis::normal).only_pushes());
  }

  // Only given motions, and no force law that belongs to constraints.
  bool is_plain_tree() const;

  const Model& model;
  std::vector<int> modes;
  std::vector<bool> left_out;  // by Row::index
  std::vector<Row> rows;       // that are there
  // What the laws of slip remember, as State::memory is laid out. A play is integrated: the number here is that of the last
  // start.
  std::vector<double> memory;
  std::span<const double> memory_of(const Grip& grip) const;
  std::span<double> memory_of(const Grip& grip);
  std::vector<double> face_levels;  // of Model::face_pairs(), see guide_state.h

 private:
  void list_rows();

  bool contacts_part_ = true, contacts_slip_ = true;
};

// A constraint at a state:  d · v = F ,  d · v' = gamma                                              theory 1, sections 4 and 7
//
// What a unit multiplier does, which is d: a wrench on body `on`, its opposite on `against`; or forces on velocities.
struct RowAt {
  double given = 0;  // F
  double gamma = 0;
  double rate = 0;            // d · v - F: the velocity residual
  std::optional<double> gap;  // the position residual, where the constraint has one

  bool is_wrench = false;
  int on = kWorld, against = kWorld;
  Vector3 point_W;
  Wrench wrench_W;  // about the point
  struct Force {
    int velocity = 0;
    double factor = 0;
  };
  std::vector<Force> forces;
};

// All constraints at a state; D v = F and D v' = gamma of the active ones. (D
// is the constraint Jacobian, constraints by velocities: Dᵀ of the source.)
struct ConstraintRows {
  Eigen::MatrixXd D;
  Eigen::VectorXd F, gamma;
  Eigen::VectorXd rate;                    // D v - F
  Eigen::VectorXd felt;                    // |d| / |S_k|: how much of a unit force there the joints feel; 0: none
  std::vector<std::optional<double>> gap;  // where the constraint has one
  std::vector<RowAt> all;                  // by Row::index; of inactive constraints perhaps only the gap
  std::vector<ContactState> contacts;
  std::vector<PairState> pairs;
  std::vector<FrameMotion> links;
  std::vector<EnvironmentMotion> environment;
  std::vector<double> scratch;
  double t = 0;
};

Outcome<ConstraintRows> compute_constraint_rows(const ConstraintSet& set, const State& state);

// The same without D and `felt`, and these alone.
Outcome<ConstraintRows> compute_row_values(const ConstraintSet& set, const State& state);
std::optional<Failure> compute_row_values(const ConstraintSet& set, const State& state,
                                          ConstraintRows& rows);  // memory of the caller
void fill_jacobian(const ConstraintSet& set, ConstraintRows& rows);

// What a unit multiplier does on every velocity. Zero where no joint can feel it: |d| <= 1e-12 |S_k|.
struct FeltRow {
  Eigen::VectorXd row;
  double felt = 0;
};
FeltRow compute_row(const ConstraintSet& set, const ConstraintRows& rows, const RowAt& at);
double compute_row(const ConstraintSet& set, const ConstraintRows& rows, const RowAt& at, std::span<double> row);  // `felt`

// Forces that belong to constraints: of contacts on allowed axes, while
// they touch (contact_source.cc); of constraints that slip (slipping.h).
struct ContactForces {
  Eigen::VectorXd forces;      // Q_P: generalised forces of all that does not wait for a multiplier
  Eigen::MatrixXd coupling;    // velocities by constraints: the friction that each multiplier causes; no columns if none does
  std::vector<bool> signless;  // its constraints whose multiplier of either sign causes friction; the others only if positive
  std::vector<Wrench> beside;  // friction caused by a unit multiplier of such a constraint, about its point
  void couple_none();
  void couple_some(const ConstraintSet& set);  // zero at first, in the memory of the last one
  void add_coupling(const ConstraintSet& set, int row, const VectorMap& forces_of_unit, const Wrench& wrench_W);
  // What the multipliers bring.
  Eigen::VectorXd couple(const Eigen::VectorXd& multipliers) const;
  double brought_by(Eigen::Index row, const Eigen::VectorXd& multipliers) const;  // how much of it brings
  struct Law {
    std::string name;  // foot.forward
    int contact = 0;
    ContactAxis axis = ContactAxis::normal;
    double force = 0;        // without the multiplier's part,
    double coefficient = 0;  // which is this times the normal multiplier, if that is positive
    int normal_row = -1;
  };
  std::vector<Law> laws;
  struct Slip {
    int row = 0;  // index into Model::rows()
    int grip = 0;
    double force = 0;  // as those of a law
    double coefficient = 0;
    int normal_row = -1;
  };
  std::vector<Slip> slips;
  std::vector<int> bearings;    // in Model::grips(): joints that slide by their own reaction, not known yet (bearing_friction.h)
  std::vector<int> undirected;  // in Model::grips(): those that begin to slip without a direction yet (direct_slips)
  Eigen::MatrixXd spare;        // the memory of `coupling` while there is none
  Scratch scratch;              // for whoever computes them
};

// The axes of contacts that have a law or sliding friction, and the translational ones that are allowed: in the order of the
// file.
struct ContactAxisName {
  int contact = 0;
  ContactAxis axis = ContactAxis::normal;
  std::string name;
};
std::vector<ContactAxisName> list_law_axes(const std::vector<Contact>& contacts);
std::vector<ContactAxisName> list_slip_axes(const std::vector<Contact>& contacts);

ContactForces compute_contact_forces(const ConstraintSet& set, const ConstraintRows& rows);
void compute_contact_forces(const ConstraintSet& set, const ConstraintRows& rows, ContactForces& forces);  // memory of the caller

// Residuals, and the first constraint that violates what is allowed, as a refusal.
struct RowResidual {
  std::string row;
  std::optional<double> position;
  double velocity = 0;
};
std::vector<RowResidual> list_residuals(const ConstraintSet& set, const ConstraintRows& rows);
std::optional<Failure> check_residuals(const ConstraintSet& set, const std::vector<RowResidual>& residuals, double allowed);

// The same for a state of a model.
std::optional<Failure> check_state(const Model& model, const State& state, double allowed);

}  // namespace vinculum
