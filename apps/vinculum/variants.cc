// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_variants(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<VariantsOptions>();
  CLI::App* command =
      app.add_subcommand("variants", "find the loaded faces of guides: every consistent variant, jamming, paradoxes");
  command->footer(
      "A guide with clearance carries on one of two opposite faces, and friction depends on which one. The command finds "
      "every\nconsistent set of loaded faces, or proves that none exists: the guide jams. Of several sets it chooses the one "
      "reached\nas friction grows from zero. It also reports the critical friction.\n"
      "example:\n  vinculum variants drawer.yaml\n  vinculum variants --problem clamp.json --plot clamp.svg");
  add_model_options(*command, *options);
  command->get_option("model")->required(false);
  command->add_option("--problem", options->problem, R"(JSON file {"B1", "B2", "F1", "F2", "d"}: a bare problem)")
      ->type_name("FILE");
  command->add_flag("--compare", options->compare, "compare with other methods: linear program, Gauss function, Lemke");
  command->add_option("--plot", options->plot, "draw the reactions over growing friction (SVG)")->type_name("FILE");
  command->add_flag("--force", options->force, "replace that file if it exists");
  OptionRules()
      .none_with("--problem", {"--set", "--state"}, "a bare problem has neither parameters nor a state")
      .only_with("--force", {"--plot"}, "no file is written")
      .apply(*command);
  on_call(*command, options, answer_variants, exit_code, asked);
}

}  // namespace vinculum::app
