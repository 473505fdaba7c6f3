// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/motion_quantities.h"

#include <cassert>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/link_axes.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/evaluate_kernel.h"
#include "vinculum/kernels/frame_motion.h"

namespace vinculum {

namespace {

// One moment of the motion, seen by all quantities.
class MotionSeen {
 public:
  MotionSeen(const Model& model, const State& state, std::span<const double> accelerations, Workspace::Memory& memory)
      : model_(model), state_(state), accelerations_(accelerations), memory_(memory) {
    see_bodies(model, state.q, state.v, memory);
    memory.environment.resize(model.environment().size());
    for (size_t i = 0; i < model.environment().size(); ++i)
      memory.environment[i] = move_environment_body<double>(model.environment()[i], state.t, std::span(memory.expression));
    memory.accelerations_W.resize(model.tree().links.size());
    if (!accelerations.empty())
      accelerate_links(model.tree(), memory.world.data(), state.v.data(), accelerations.data(), memory.accelerations_W.data());
  }

  bool has_accelerations() const { return !accelerations_.empty(); }
  double acceleration(int velocity) const { return accelerations_[velocity]; }

  double point(const OutputPoint& point, int component) const {
    const FrameMotion moving = frame_of(point.point), axes = frame_of(point.frame);
    const Vector3 r = moving.R * point.point.point, w = moving.velocity.angular;
    Vector3 p = moving.p + r, v = moving.velocity.linear + cross(w, r);
    Vector3 a = moving.acceleration.linear + cross(moving.acceleration.angular, r) + cross(w, cross(w, r));
    if (point.seen_from_frame) {
      // d = p - p_F ;  v_rel = v - v_F - w_F × d ;  a_rel = a - a_F - w_F' × d - w_F × (w_F × d) - 2 w_F × v_rel
      const Vector3 d = p - axes.p, w_F = axes.velocity.angular;
      const Vector3 relative = v - axes.velocity.linear - cross(w_F, d);
      a = a - axes.acceleration.linear - cross(axes.acceleration.angular, d) - cross(w_F, cross(w_F, d)) -
          2 * cross(w_F, relative);
      v = relative;
      p = d;
    }
    const Vector3& told = component < 3 ? p : component < 6 ? v : a;
    return transpose_times(axes.R, told)[component % 3];
  }

  double force(int number, int component) const {
    const ForceOf force = find_force(model_, number);
    return force.source->output(model_, force.k, component,
                                {model_, {state_.t, state_.q, state_.v}, surroundings(), memory_.expression});
  }

 private:
  Surroundings<double> surroundings() const { return {memory_.world.data(), memory_.environment.data()}; }

  FrameMotion frame_of(const Anchor& anchor) const {
    FrameMotion frame;
    if (anchor.on == Anchor::On::environment) {
      const EnvironmentMotion& motion = memory_.environment[anchor.index];
      frame = {motion.R_WE, motion.p_WE, motion.velocity, motion.acceleration};
    } else if (anchor.on == Anchor::On::body) {
      const Body& body = model_.bodies()[anchor.index];
      const LinkInWorld<double>& link = memory_.world[body.link];
      frame = {link.R * body.R_LB, link.p, {link.R * link.velocity.linear, link.R * link.velocity.angular}, {}};
      if (has_accelerations()) frame.acceleration = memory_.accelerations_W[body.link];
    }
    return frame;
  }

  const Model& model_;
  const State& state_;
  std::span<const double> accelerations_;
  Workspace::Memory& memory_;
};

}  // namespace

void compute_motion_quantities(const Model& model, const State& state, std::span<const double> accelerations,
                               Workspace& workspace, std::span<double> values) {
  const Outputs& outputs = model.outputs();
  assert(values.size() == outputs.quantities.size());
  const MotionSeen seen(model, state, accelerations, workspace.memory());
  for (size_t i = 0; i < values.size(); ++i) {
    const MotionQuantity& quantity = outputs.quantities[i];
    const int k = quantity.index, component = quantity.component;
    switch (quantity.of) {
      case MotionQuantity::Of::acceleration:
        if (seen.has_accelerations()) values[i] = seen.acceleration(k);
        break;
      case MotionQuantity::Of::point: values[i] = seen.point(outputs.points[k], component); break;
      case MotionQuantity::Of::force: values[i] = seen.force(k, component); break;
      case MotionQuantity::Of::multiplier:
      case MotionQuantity::Of::drive_power:
      case MotionQuantity::Of::output: break;
    }
  }
}

}  // namespace vinculum
