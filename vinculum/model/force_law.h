// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "vinculum/expression/expression.h"
#include "vinculum/expression/units.h"
#include "vinculum/model/anchor.h"
#include "vinculum/model/description.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

class Model;
template <class Scalar>
struct BindingsOf;  // expression/evaluate.h
using Bindings = BindingsOf<double>;

// The force elements of a model, with resolved names. The list of kinds at the end of this file is the only
// one. Code that depends on the kind of a force has an overload for each kind (model/compile_forces.cc for
// names, dynamics/force_source.h for the rest). So a new kind does not compile before all overloads exist.
//
// Each kind has
//   force                    the element, as an index into description().forces
//   kActsOnLinks             else it acts on a velocity
//   kSeesEnvironment         it may stand on a body whose motion is given
//   visit_formulas(self, f)  f(formula, own variables or null) of every formula that is evaluated while the model moves
// and, where formulas of it may be put on a branch (law_jumps.h) and it keeps something made of them, follow_held_law().

// How formulas with names of their own read in t, q and v. The names are the variables x and y of a surface.
struct OwnVariables {
  Expression x, y;
};
Expression write_out(const Expression& formula, const OwnVariables& own);
// With values for them; null: there are none.
Bindings with_own(const Bindings& at, const OwnVariables* own, std::vector<double>& scratch);
Bindings with_own(const Bindings& at, const OwnVariables* own);

// A formula and what its own names are; null: it has none.
struct OwnFormula {
  Expression formula;
  const OwnVariables* own = nullptr;
};

// A generalised force on one velocity: `joint:`.
struct JointForceLaw {
  static constexpr bool kActsOnLinks = false, kSeesEnvironment = false;
  int force = 0;
  int velocity = 0;
  Expression law;
  Expression potential_part;  // the terms of the law that depend on the joint's own coordinate alone and have a potential
  int coordinate = -1;        // that coordinate; -1 if the velocity is not the rate of one
  bool conservative = false;  // the whole law is potential_part
  bool passive = false;       // no drive
  // The same terms, those that repeat in the same way together: find_repetition.
  struct PotentialTerms {
    double rate = 0;
    Expression force;
  };
  std::vector<PotentialTerms> potential_terms{};

  static void visit_formulas(auto& self, auto&& visit) {
    visit(self.law, nullptr);
    visit(self.potential_part, nullptr);
  }
};

// A force at a point of a body, and a torque: `body:`.
struct BodyForceLaw {
  static constexpr bool kActsOnLinks = true, kSeesEnvironment = false;
  int force = 0;
  int body = 0;
  Vector3 point_B;
  std::array<Expression, 3> force_law, torque_law;
  bool in_body_axes = false;
  bool constant_world_force = false;  // conservative: potential -f·p

  static void visit_formulas(auto& self, auto&& visit) {
    for (auto& formula : self.force_law) visit(formula, nullptr);
    for (auto& formula : self.torque_law) visit(formula, nullptr);
  }
};

// A linear spring with a damper beside it: `between:` with `stiffness:`.
struct SpringLaw {
  static constexpr bool kActsOnLinks = true, kSeesEnvironment = true;
  int force = 0;
  Anchor a, b;
  double stiffness = 0, damping = 0, length = 0;

  static void visit_formulas(auto&, auto&&) {}
};

// A pull along the line between two points: `between:` with `law:`.
struct PointToPointLaw {
  static constexpr bool kActsOnLinks = true, kSeesEnvironment = true;
  int force = 0;
  Anchor a, b;
  Expression law;             // of t, q, v and its own length and rate: x and y
  Expression potential_part;  // its terms that depend on the length alone
  bool conservative = false;  // there are no others
  OwnVariables own;
  double start_length = 0;  // where the potential is 0: the length at the start of the file
  // Made of `law`: in t, q and v; and its slopes.
  Expression written_out, by_length, by_rate;

  static void visit_formulas(auto& self, auto&& visit) {
    visit(self.law, &self.own);
    visit(self.potential_part, &self.own);
  }
  // After `law` was changed.
  void follow_held_law();
};

// All of a model, kind by kind.
template <class... Kinds>
class ForceLawsOf {
 public:
  template <class Kind>
  std::vector<Kind>& of() {
    return std::get<std::vector<Kind>>(kinds_);
  }
  template <class Kind>
  const std::vector<Kind>& of() const {
    return std::get<std::vector<Kind>>(kinds_);
  }
  // Every law, in the order of the kinds and then of the file. The place in this order is the number of a force.
  void for_each(auto&& use) { (for_each_of(of<Kinds>(), use), ...); }
  void for_each(auto&& use) const { (for_each_of(of<Kinds>(), use), ...); }
  // Are there some that act on links, and not on velocities; some that stand on bodies whose motion may be given.
  bool act_on_links() const { return ((Kinds::kActsOnLinks && !of<Kinds>().empty()) || ...); }
  bool see_environment() const { return ((Kinds::kSeesEnvironment && !of<Kinds>().empty()) || ...); }

 private:
  static void for_each_of(auto& laws, auto&& use) {
    for (auto& law : laws) use(law);
  }
  std::tuple<std::vector<Kinds>...> kinds_;
};

using ForceLaws = ForceLawsOf<JointForceLaw, BodyForceLaw, SpringLaw, PointToPointLaw>;

}  // namespace vinculum
