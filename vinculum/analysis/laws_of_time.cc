// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/laws_of_time.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/kernels/environment.h"

namespace vinculum {

namespace {

bool is_of_time(const Expression& law) { return law.depends_on(VariableKind::time); }

bool is_of_time(const EnvironmentBody& body) {
  return std::any_of(body.position.begin(), body.position.end(), [](const Expression& law) { return is_of_time(law); }) ||
         std::any_of(body.turns.begin(), body.turns.end(), [](const auto& turn) { return is_of_time(turn.angle); });
}

}  // namespace

std::vector<std::string> list_laws_of_time(const Model& model) {
  std::vector<std::string> list;
  for (const DrivenCoordinate& driven : model.driven()) {
    if (is_of_time(driven.law)) list.push_back(fmt::format("motion of '{}'", model.coordinate_names()[driven.q]));
  }
  for (const ForceOf& force : list_forces(model)) {
    const std::vector<ForceAmplitude> amplitudes = force.source->amplitudes(model, force.k);
    const std::string element = element_of_force(model, force);
    if (std::ranges::any_of(amplitudes, [](const ForceAmplitude& one) { return is_of_time(*one.formula); }))
      list.push_back(element);
    for (const Anchor& end : force.source->ends(model, force.k)) {
      if (end.on == Anchor::On::environment && is_of_time(model.environment()[end.index]))
        list.push_back(fmt::format("{} on environment body '{}'", element, model.environment()[end.index].name));
    }
  }
  for (const ContactDescription& contact : model.description().contacts) {
    for (const EnvironmentBody& body : model.environment()) {
      if (body.name == *contact.with && is_of_time(body))
        list.push_back(fmt::format("contact '{}' on environment body '{}'", contact.name, body.name));
    }
  }
  for (const Row& row : model.rows()) {
    const auto* equation = row.from<EquationRow>();
    if (equation != nullptr && model.velocity_equations()[equation->equation].slip.depends_on(VariableKind::time))
      list.push_back(row.element);
  }
  return list;
}

std::optional<Failure> refuse_moving_ground(const Model& model, double t) {
  std::vector<double> scratch;
  for (const ForceOf& force : list_forces(model)) {
    for (const Anchor& end : force.source->ends(model, force.k)) {
      if (end.on != Anchor::On::environment) continue;
      const EnvironmentBody& body = model.environment()[end.index];
      const EnvironmentMotion motion = compute_environment_motion(body, t, scratch);
      const double velocity = norm(motion.velocity.linear), rate = norm(motion.velocity.angular);
      const double acceleration = norm(motion.acceleration.linear), turning = norm(motion.acceleration.angular);
      if (velocity == 0 && rate == 0 && acceleration == 0 && turning == 0) continue;
      return Failure{
          "VN-LINEAR-130",
          fmt::format("no equilibrium: environment body '{}', to which force '{}' is attached, moves. At t = {:g} s its velocity "
                      "is {:.4g} m/s and {:.4g} rad/s, its acceleration {:.4g} m/s^2 and {:.4g} rad/s^2",
                      body.name, name_of_force(model, force), t, velocity, rate, acceleration, turning),
          "stop it, or choose a time when it stands still; `simulate` shows the motion"};
    }
  }
  return std::nullopt;
}

}  // namespace vinculum
