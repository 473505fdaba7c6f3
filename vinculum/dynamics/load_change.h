// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vinculum/dynamics/memory.h"
#include "vinculum/kernels/derivatives_kernel.h"
#include "vinculum/kernels/force_view.h"

namespace vinculum {

// Where the sources of forces leave their part of ∂tau/∂q and ∂tau/∂v (load_derivatives.h): all but what a wrench does that
// follows its link, which the recursion has. Points and wrenches in world axes, about O. Private to this room.
class LoadChange {
 public:
  // A material point of a link, from O; stage -1 for points whose motion is given.
  struct Point {
    int stage = -1;
    Vector3 p;
    Vector3 velocity;
  };

  LoadChange(const Model& model, Workspace::Memory& links, DerivativesMemory& memory)
      : model_(model), links_(links), memory_(memory) {}

  Point point_of_body(int body, const Vector3& point_B) const;
  Point point_of_anchor(const Anchor& anchor) const;
  ForceView<double> view(const State& state) const {
    return {model_, {state.t, state.q, state.v}, {links_.world.data(), links_.environment.data()}, links_.expression};
  }

  // Room for the steps of a formula that is no law of the model.
  std::span<double> scratch_for(const Expression& formula) {
    if (links_.expression.size() < formula.steps().size()) links_.expression.resize(formula.steps().size());
    return links_.expression;
  }

  // Takes the work of a change of a wrench at a point from one column of the rows that carry the point.
  void subtract_wrench(const Point& at, const Wrench& change, int column, By by);
  // A wrench that stays in world axes while its body turns: -ω × it, seen from the body.
  void subtract_turn(const Point& at, const Wrench& wrench_W);
  // Takes a slope from the matrix row of a velocity.
  void subtract_entry(int row, int column, By by, double slope) { memory_.tau_entry(row, column, by) -= slope; }

  // A pull from a to b by f = pull n, n = D/d, D = ab, with the slopes k = ∂pull/∂d and c = ∂pull/∂d'. Columns that carry both
  // ends turn it as a whole, and so does f follow: what is left are those that carry one end. Moving that end by J and its
  // velocity by δu,
  //
  //   δD = ±J ,  δd = n·δD ,  δn = (δD - n δd)/d ,  δd' = δn·D' ± n·δu ,  δf = (k δd + c δd') n + pull δn ,  ∂f/∂v = c (±n·J) n
  //
  // less ω × f at the end that column turns along. Nothing where the ends coincide.
  void subtract_pull(const Point& a, const Point& b, double pull, double stiffness, double damping);

 private:
  std::span<const int> carriers_of(const Point& point) const;

  const Model& model_;
  Workspace::Memory& links_;
  DerivativesMemory& memory_;
};

}  // namespace vinculum
