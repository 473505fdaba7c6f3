// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/series/law_series.h"

#include "vinculum/expression/evaluate.h"

namespace vinculum {

LawSeries::LawSeries(const Model& model, int highest_order)
    : model_(&model),
      laws_(trace_laws(model)),
      series_(laws_.tape, highest_order),
      drives_(laws_.motions.size() * static_cast<std::size_t>(highest_order)) {}

void LawSeries::begin(double t, const MotionLane& lane) {
  Bindings bindings;
  bindings.time = t;
  for (const DrivenCoordinate& driven : model_->driven()) {
    lane.q[driven.q * lane.stride] = evaluate(driven.law, bindings, expression_);
    lane.v[driven.v * lane.stride] = evaluate(driven.rate, bindings, expression_);
  }
}

void LawSeries::apply(double t, int order, const MotionLane& lane) {
  const Tree& tree = model_->tree();
  const int stride = lane.stride;
  if (order > 1 && is_empty()) return;
  for (int i = 0; i < tree.velocities; ++i) lane.tau[i * stride] = order == 0 ? model_->constant_forces()[i] : 0;
  if (is_empty()) return;

  series_.set_input(0, order, order == 0 ? t : order == 1 ? 1 : 0);
  const double *q = lane.q + order * lane.row, *v = lane.v + order * lane.row;
  for (int i = 0; i < tree.coordinates; ++i) series_.set_input(1 + i, order, q[i * stride]);
  for (int i = 0; i < tree.velocities; ++i) series_.set_input(1 + tree.coordinates + i, order, v[i * stride]);
  series_.compute_order(order);
  int output = 0;
  const auto next = [&] { return series_.output(output++, order); };
  for (int velocity : laws_.forces) lane.tau[velocity * stride] += next();
  for (int link : laws_.loads) {
    for (int j = 0; j < 6; ++j) lane.loads[(6 * link + j) * stride] = next();
  }
  for (int velocity : laws_.motions) lane.vdot[velocity * stride] = next();
  for (int state : laws_.states) lane.q[(order + 1) * lane.row + state * stride] = next() / (order + 1);
}

// W' = power of the laws + Σ (what the joint carries along its axis - its laws) v over all drives
void LawSeries::add_work(int order, const MotionLane& lane) {
  if (!laws_.power) return;
  const Tree& tree = model_->tree();
  const int stride = lane.stride, count = static_cast<int>(model_->driven().size());
  double power = series_.output(static_cast<int>(laws_.tape.outputs.size()) - 1, order);
  for (int k = 0; k < count; ++k) {
    const DrivenCoordinate& driven = model_->driven()[k];
    const Link& link = tree.links[driven.link];
    const double* wrench = lane.wrenches + 6 * (order * tree.links.size() + driven.link) * stride;
    const double force_z = wrench[2 * stride], moment_z = wrench[5 * stride];
    const double along = link.kind == LinkKind::prismatic ? force_z
                         : link.kind == LinkKind::screw   ? moment_z + link.pitch * force_z
                                                          : moment_z;
    drives_[order * count + k] = along - lane.tau[driven.v * stride];
    for (int l = 0; l <= order; ++l) power += drives_[l * count + k] * lane.v[(order - l) * lane.row + driven.v * stride];
  }
  lane.v[(order + 1) * lane.row + tree.velocities * stride] = power / (order + 1);
}

}  // namespace vinculum
