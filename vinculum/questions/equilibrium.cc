// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "vinculum/analysis/equilibrium.h"
#include "vinculum/analysis/find_steady_motion.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/model/units.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/questions/modes.h"
#include "vinculum/simulation/judge_state.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

namespace {

// The state, for --state.
int write_state_found(const EquilibriumOptions& options, const Json& state, Reply& reply) {
  if (options.write_state.empty() || find_non_finite(reply.json())) return reply.finish(kDone);
  int exit_code = kDone;
  if (!write_text(options.write_state, state.dump(1) + "\n", options.force, reply, exit_code)) return exit_code;
  reply.say(fmt::format("wrote {}", options.write_state));
  return reply.finish(kDone);
}

// COORDINATE=RATE, also of an angular velocity of a ball (top.wz); or what is wrong with it.
Outcome<GivenRate> read_rate(const Model& model, const std::string& text) {
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    return Failure{"VN-USAGE-001", fmt::format("--steady {}: {}", text, why), hint};
  };
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return refuse("it is not COORDINATE=RATE", "for example --steady arm=2.5");
  const std::string name = text.substr(0, equals), number = text.substr(equals + 1);
  GivenRate given;
  const char* const begin = number.data() + (number.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, number.data() + number.size(), given.rate);
  if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(given.rate))
    return refuse(fmt::format("'{}' is not a finite number", number), "rates are in rad/s or m/s, without a unit");
  std::optional<int> velocity = model.find_velocity(name + "'");
  if (!velocity) velocity = model.find_velocity(name);
  if (velocity) {
    given.velocity = *velocity;
    return given;
  }
  if (model.find_coordinate(name))
    return refuse(fmt::format("'{}' is a part of a quaternion and has no rate of its own", name),
                  fmt::format("give an angular velocity: {}.wx, .wy or .wz", name.substr(0, name.rfind('.'))));
  std::vector<std::string> known = model.coordinate_names();
  known.insert(known.end(), model.velocity_names().begin(), model.velocity_names().end());
  const std::string nearest = nearest_name(name, known);
  return refuse(fmt::format("there is no coordinate '{}'", name),
                nearest.empty() ? "`vinculum check MODEL` lists the coordinates" : fmt::format("did you mean '{}'?", nearest));
}

int run_steady_equilibrium(const EquilibriumOptions& options, const Model& model, const State& start, Reply& reply) {
  std::vector<GivenRate> rates;
  for (const std::string& text : options.steady) {
    const auto given = read_rate(model, text);
    if (!given) return reply.refuse_usage(given.failure());
    const auto is_same = [&](const GivenRate& other) { return other.velocity == given->velocity; };
    if (std::ranges::any_of(rates, is_same))
      return reply.refuse_usage(fmt::format("--steady {}: its rate was given before", text), "give each once");
    rates.push_back(*given);
  }
  const auto found = find_steady_motion(model, start, rates);
  if (!found) return reply.fail(found.failure());
  const Json state = to_json(model, found->state);
  Json& json = reply.json();
  json["state"] = state;
  json["iterations"] = found->iterations;
  json["turn_rate"] = found->linear.turn_rate;
  for (const GivenRate& given : rates) json["steady"][model.velocity_names()[given.velocity]] = given.rate;
  const StateUnits units = state_units(model);
  reply.say(fmt::format("steady motion, found in {} steps", found->iterations));
  const auto list = [&](const std::vector<std::string>& names, const std::vector<double>& values, const auto& of) {
    for (size_t i = 0; i < names.size(); ++i) reply.say(fmt::format("  {:<16} {:>16.9g} {}", names[i], values[i], of[i]));
  };
  list(model.coordinate_names(), found->state.q, units.coordinates);
  list(model.velocity_names(), found->state.v, units.velocities);
  tell_modes(found->linear, reply);
  tell_verdicts(judge_state(model, found->state), reply);
  return write_state_found(options, state, reply);
}

// Whether friction of joints holds the start, at rest there: a verdict for each joint.
std::optional<Failure> judge_start(const Model& model, const State& start, Reply& reply) {
  State at_rest = start;
  std::fill(at_rest.v.begin(), at_rest.v.end(), 0.0);
  for (const Grip& grip : model.grips()) {
    if (grip.joint >= 0) at_rest.modes[grip.mode] = Grip::sticks;
  }
  const ConstraintSet held(model, at_rest);
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(held, at_rest, workspace);
  if (!dynamics) return dynamics.failure();
  tell_verdicts(judge_state(held, at_rest, *dynamics, workspace), reply);
  return std::nullopt;
}

}  // namespace

int answer_equilibrium(const EquilibriumOptions& asked, Reply& reply) {
  int exit_code = kDone;
  EquilibriumOptions options = asked;
  if (!options.steady.empty()) options.start = UseOfStart::all;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto start = load_state(options, *model, reply, exit_code);
  if (!start) return exit_code;
  if (const auto refusal = refuse_guide_friction(*model)) return reply.fail(*refusal);
  if (const auto refusal = check_size_of_matrices(*model)) return reply.fail(*refusal);
  if (!options.steady.empty()) return run_steady_equilibrium(options, *model, *start, reply);
  DerivativesWorkspace workspace(*model);
  const auto found = find_equilibrium(*model, *start, workspace);
  if (!found) return reply.fail(found.failure());
  const bool rubs = find_joint_friction(*model) != nullptr;  // around it friction holds, and nothing vibrates
  const KinksAtState kinks = find_kinks_at_state(*model, found->state);
  const auto linear = linearise(*model, found->state, workspace);
  if (!linear && kinks.empty() && !rubs) return reply.fail(linear.failure());

  tell_laws_of_time(*model, found->state.t, "the equilibrium", reply);
  const Json state = to_json(*model, found->state);
  reply.json()["state"] = state;
  reply.json()["iterations"] = found->iterations;
  reply.json()["neutral"] = found->neutral;
  const StateUnits units = state_units(*model);
  reply.say(fmt::format("equilibrium, found in {} steps", found->iterations));
  for (size_t i = 0; i < units.coordinates.size(); ++i)
    reply.say(fmt::format("  {:<16} {:>16.9g} {}", model->coordinate_names()[i], found->state.q[i], units.coordinates[i]));
  if (found->neutral > 0)
    reply.say(fmt::format("  not isolated: {} neutral direction{}", found->neutral, found->neutral == 1 ? "" : "s"));
  if (rubs) {
    reply.say("  without friction of joints; with it there are others around, and no modes of vibration");
    if (const auto failure = judge_start(*model, *start, reply)) return reply.fail(*failure);
    return write_state_found(options, state, reply);
  }
  if (kinks.empty()) {
    tell_modes(*linear, reply);
  } else {
    tell_sides(kinks, false, reply);
  }
  tell_verdicts(judge_state(*model, found->state), reply);
  return write_state_found(options, state, reply);
}

}  // namespace vinculum
