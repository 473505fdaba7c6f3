// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/core.h>

#include "modes.h"
#include "vinculum/analysis/equilibrium.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/model/units.h"
#include "vinculum/simulation/judge_state.h"
#include "vinculum/simulation/run.h"

namespace vinculum::app {

namespace {

struct EquilibriumOptions : ModelOptions {
  std::string write_state;
  bool force = false;
};

int run_equilibrium(const EquilibriumOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto start = load_state(options, *model, reply, exit_code);
  if (!start) return exit_code;
  if (const auto refusal = refuse_guide_friction(*model)) return reply.fail(*refusal);
  if (const auto refusal = check_size_of_matrices(*model)) return reply.fail(*refusal);
  DerivativesWorkspace workspace(*model);
  const auto found = find_equilibrium(*model, *start, workspace);
  if (!found) return reply.fail(found.failure());
  const KinksAtState kinks = find_kinks_at_state(*model, found->state);
  const auto linear = linearise(*model, found->state, workspace);
  if (!linear && kinks.empty()) return reply.fail(linear.failure());

  tell_laws_of_time(*model, found->state.t, "the equilibrium", reply);
  const Json state = to_json(*model, found->state);
  reply.json()["state"] = state;
  reply.json()["iterations"] = found->iterations;
  reply.json()["neutral"] = found->neutral;
  const StateUnits units = state_units(*model);
  reply.say(fmt::format("equilibrium, found in {} steps", found->iterations));
  for (size_t i = 0; i < units.coordinates.size(); ++i)
    reply.say(fmt::format("  {:<16} {:>16.9g} {}", model->coordinate_names()[i], found->state.q[i], units.coordinates[i]));
  if (found->neutral > 0) reply.say(fmt::format("  one of many: neutral directions {}", found->neutral));
  if (kinks.empty()) {
    tell_modes(*linear, reply);
  } else {
    tell_sides(kinks, false, reply);
  }
  tell_verdicts(judge_state(*model, found->state), reply);
  if (options.write_state.empty() || find_non_finite(reply.json())) return reply.finish(kDone);

  if (!write_text(options.write_state, state.dump(1) + "\n", options.force, reply, exit_code)) return exit_code;
  reply.say(fmt::format("wrote {}", options.write_state));
  return reply.finish(kDone);
}

}  // namespace

void add_equilibrium(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<EquilibriumOptions>();
  options->start = UseOfStart::positions;
  options->why_unused = "an equilibrium is at rest, and is searched from the positions alone";
  CLI::App* command =
      app.add_subcommand("equilibrium", "where the mechanism stays at rest, searched from a state, and whether it is stable");
  command->footer(
      "example:\n  vinculum equilibrium crane.yaml --set boom=0.5 --write-state rest.json\n  vinculum linearise crane.yaml "
      "--state rest.json");
  add_model_options(*command, *options);
  command->add_option("--write-state", options->write_state, "the state found, for --state")->type_name("FILE");
  command->add_flag("--force", options->force, "replace that file if it exists");
  OptionRules().only_with("--force", {"--write-state"}, "no file is written").apply(*command);
  on_call(*command, options, run_equilibrium, exit_code, asked);
}

}  // namespace vinculum::app
