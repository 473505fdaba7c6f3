// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Constraints that one contact, or one entry of `velocity_constraints`, realizes together, and the force it has for that.
struct SlipGroup {
  std::string name;                               // front, skid
  std::vector<int> rows;                          // positions in SlipRows::realized
  std::optional<double> bound;                    // R on the vector of its constraints: an isotropic disk
  std::vector<std::optional<double>> row_bounds;  // R of each constraint by itself: a box; empty: none
  std::optional<double> friction;                 // mu: the bound is mu N,
  int normal = -1;                                // N the multiplier of this constraint, by Row::index; -1: it has none,
  int pressed = -1;                               // or N is the law on the normal of this contact; -1: it has no normal force
  std::optional<SlipLaw> law;                     // none: sign, once there is a bound

  bool is_bounded() const;
};

// Which rows of a model forces have to realize and which are always kept (contract, section 4): realized are velocity constraints
// that are not permanent, and lateral and forward of contacts.
struct SlipRows {
  std::vector<int> realized, permanent;  // by Row::index
  std::vector<SlipGroup> groups;         // of the realized ones

  int find_group(int realized) const;  // of a position in `realized`
};

SlipRows list_slip_rows(const Model& model);

// The same with these rows or groups realized alone, all others permanent. Failures VN-REALIZE-001 if a name is unknown, -002 if
// a constraint is permanent.
Outcome<SlipRows> choose_slip_rows(const Model& model, const std::vector<std::string>& names);

// Another bound for a row or a group: `NAME=VALUE` of the command line. It replaces bounds and friction the group had. Failures
// VN-REALIZE-001, -003 (not positive).
std::optional<Failure> set_bound(const Model& model, SlipRows& rows, const std::string& name, double value);

// The description of the same model with these bounds, and one law for all groups if there is one; and with viscous forces
// -k psi' instead of the realized constraints.
ModelDescription describe_realized(const Model& model, const SlipRows& rows, const std::optional<SlipLaw>& law);
ModelDescription describe_viscous(const Model& model, const SlipRows& rows, const std::vector<double>& coefficients);

// The models of these descriptions. Failure VN-REALIZE-011: what is wrong with one was right in the model it is made of.
Outcome<Model> build_realized(const Model& model, const SlipRows& rows, const std::optional<SlipLaw>& law);
Outcome<Model> build_viscous(const Model& model, const SlipRows& rows, double coefficient);

// " m/s", " rad/s", of the slip of a constraint; empty: the constraint has no unit.
std::string_view slip_unit(const Row& row);

// sign, viscous, dead-zone, ..: as model files and --law have it.
std::string_view law_word(SlipLawKind kind);
std::optional<SlipLawKind> find_law(std::string_view word);

}  // namespace vinculum
