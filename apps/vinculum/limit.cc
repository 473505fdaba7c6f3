// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_limit(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<LimitOptions>();
  options->start = UseOfStart::positions;
  options->why_unused = "the load is found at rest, with all velocities zero";
  CLI::App* command =
      app.add_subcommand("limit", "find the largest load that friction in guides holds at rest, or prove self-locking");
  command->footer(
      "All velocities are set to zero, and the named force is multiplied by alpha. The answer is the largest alpha that holds, "
      "all\nintervals of alpha (a body that has slipped may wedge again), the loaded faces, and the motion that begins.\n"
      "example:\n  vinculum limit drawer.yaml --load pull\n  vinculum limit foot.yaml --load push --polar foot.svg");
  add_model_options(*command, *options);
  command->add_option("--load", options->load, "force to multiply")->required()->type_name("NAME");
  command->add_option("--polar", options->polar, "draw the holdable size of a force on a body over its direction (SVG)")
      ->type_name("FILE");
  command->add_option("--rays", options->rays, "directions of that picture")->check(CLI::Range(8, 720))->capture_default_str();
  command->add_flag("--force", options->force, "replace that file if it exists");
  OptionRules()
      .only_with("--rays", {"--polar"}, "it is the number of directions of that picture")
      .only_with("--force", {"--polar"}, "no file is written")
      .apply(*command);
  on_call(*command, options, answer_limit, exit_code, asked);
}

}  // namespace vinculum::app
