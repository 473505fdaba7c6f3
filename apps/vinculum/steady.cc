// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

namespace {

// Which options belong together: the questions of this command have little in common.
void add_steady_rules(CLI::App& command, const std::shared_ptr<SteadyMotionOptions>& options) {
  const auto all_but = [](const std::vector<std::string>& used) {
    std::vector<std::string> all = {"--rate",      "--angle",  "--side",      "--spin",      "--momentum",    "--spin-limit",
                                    "--stability", "--driven", "--interval",  "--critical",  "--branch",      "--azimuth",
                                    "--carousel",  "--scan",   "--constants", "--permanent", "--write-state", "--draw"};
    std::erase_if(all, [&](const std::string& each) { return std::ranges::find(used, each) != used.end(); });
    return all;
  };
  OptionRules rules;
  rules.only_with("--amplitude", {"--branch"}, "it is the size of a branch")
      .only_with("--to-rate", {"--branch"}, "it is a branch that is followed")
      .only_with("--table", {"--scan"}, "the table is that of a scan")
      .only_with("--fit-inertia", {"--measured"}, "the moments of inertia are fitted to measured tilts")
      .only_with("--force", {"--draw", "--table", "--write-state"}, "no file is written")
      .none_with("--measured", all_but({"--draw"}), "measured tilts give the imbalance of one body, and no motion")
      .none_with("--permanent", all_but({"--permanent", "--rate"}),
                 "for a body of any inertia the rotations at --rate are all that is computed")
      .none_with("--constants", all_but({"--constants"}), "the constants of a tree depend on the model alone")
      .none_with("--branch",
                 all_but({"--branch", "--side", "--spin", "--momentum", "--stability", "--driven", "--write-state", "--draw"}),
                 "a branch begins at the critical rate of this number; --amplitude and --to-rate say how far it is followed")
      .none_with("--interval", all_but({"--interval", "--rate", "--angle", "--critical"}),
                 "an interval depends on --rate and on the angles of the other strings alone")
      .none_with("--scan", {"--spin", "--momentum", "--driven", "--azimuth", "--carousel", "--write-state"},
                 "a scan lists coplanar motions by their angles")
      .none_with("--carousel", {"--momentum"}, "the momenta follow from the angles")
      .none_with("--azimuth", {"--momentum"}, "the momenta follow from the angles")
      .only_if(
          "--draw", [options] { return options->branch == 0 || options->to_rate.has_value(); },
          "the picture of a branch shows it up to --to-rate")
      .only_if(
          "--spin-limit",
          [options] {
            return !options->angles.empty() || !options->azimuths.empty() || !options->carousel.empty() || options->scan > 0;
          },
          "spins are limited where they follow from angles");
  for (const char* name :
       {"--angle", "--azimuth", "--carousel", "--interval", "--scan", "--stability", "--driven", "--write-state", "--draw"})
    rules.only_if(
        name, [options] { return !options->critical || options->rate.has_value() || options->branch > 0; },
        "--critical without --rate lists critical rates and nothing else");
  rules.apply(command);
}

}  // namespace

void add_steady(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<SteadyMotionOptions>();
  options->start = UseOfStart::none;
  options->why_unused = "steady motions do not depend on where the model starts";
  CLI::App* command = app.add_subcommand(
      "steady", "find steady motions of bodies on strings: families, spins, tensions, stability, branches, balancing");
  command->footer(
      "In a steady motion strings and body axes turn about the vertical at one rate, and each body spins about its axis. Angles "
      "are\nmeasured from the downward vertical. Give the angles of all strings: each choice of sides is a family. Or give "
      "spins: the\ncoplanar motions with these spins are searched. Motions in several planes need --carousel and --azimuth.\n"
      "examples:\n"
      "  vinculum steady top.yaml --rate 5 --angle s1=0.4 --stability\n"
      "  vinculum steady top.yaml --rate 5 --interval s1\n"
      "  vinculum steady chain.yaml --rate 10 --spin b1=0 --spin b2=0 --stability\n"
      "  vinculum steady top.yaml --critical\n"
      "  vinculum steady top.yaml --branch 2 --amplitude 0.3 --to-rate 25 --draw branch.svg\n"
      "  vinculum steady ride.yaml --rate 4 --carousel hub --angle s2=0.7 --angle s3=0.6 --angle s4=0.72\n"
      "  vinculum steady chain.yaml --rate 5.4 --angle s1=0.33 --angle s2=0.48 --side b1=below --side b2=below --write-state "
      "start.json\n"
      "  vinculum steady rotor.yaml --permanent --rate 40\n"
      "  vinculum steady rotor.yaml --measured tilts.csv");
  add_model_options(*command, *options, false);
  const auto named = [&](const char* name, std::vector<std::string>& list, const char* text, const char* type) {
    command->add_option(name, list, text)->allow_extra_args(false)->type_name(type);
  };
  command->add_option("--rate", options->rate, "rate of turning about the upward vertical [rad/s]");
  named("--angle", options->angles, "angle of a string from the downward vertical [rad] (repeatable)", "STRING=RAD");
  named("--side", options->sides, "mass centre below or above the string's end (repeatable; default both)", "BODY=below|above");
  named("--spin", options->spins, "spin relative to the turning frame [rad/s] (repeatable)", "BODY=RATE");
  named("--momentum", options->momenta, "spin momentum C w.e [kg*m^2/s] (repeatable)", "BODY=A");
  command->add_option("--spin-limit", options->spin_limit, "faster spins count as infinite [rad/s]")->check(CLI::PositiveNumber);
  command->add_flag("--stability", options->stability, "stability, growth and frequencies of every motion");
  command->add_flag("--driven", options->driven, "also stability when a motor turns the frame and bodies do not turn in it");
  command->add_option("--interval", options->interval, "find the angles of this string for which a motion exists")
      ->type_name("STRING");
  command->add_flag("--critical", options->critical, "find the rates at which families branch off the vertical state");
  command->add_option("--branch", options->branch, "follow the family from the K-th positive critical rate")
      ->type_name("K")
      ->check(CLI::Range(1, 1000));
  command->add_option("--amplitude", options->amplitude, "amplitude of the motion shown (default 0.05)");
  command->add_option("--to-rate", options->to_rate, "follow the branch to this rate [rad/s]");
  named("--azimuth", options->azimuths, "azimuth of a string in another vertical plane [rad] (repeatable)", "STRING=RAD");
  command->add_option("--carousel", options->carousel, "vertical body on the axis with strings around it")->type_name("BODY");
  command->add_option("--scan", options->scan, "scan N angles of every string that is not given")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  command->add_option("--table", options->table, "write the scan as a table")->type_name("FILE.csv");
  command->add_flag("--permanent", options->permanent, "permanent rotations of one body with any inertia");
  command->add_option("--measured", options->measured, "compute the imbalance from tilts measured at several speeds")
      ->type_name("FILE.csv");
  command->add_flag("--fit-inertia", options->fit_inertia, "also compute the differences of the moments of inertia");
  command->add_flag("--constants", options->constants, "print the constants of the tree: M, mu, b, d, J1, N, f, S, T");
  command->add_option("--write-state", options->write_state, "write the motion as a state for `simulate --state`")
      ->type_name("FILE");
  command->add_option("--draw", options->draw, "draw the motion, the branches, the scan or the measured tilts")
      ->type_name("FILE.svg");
  command->add_flag("--force", options->force, "replace files that exist");
  add_steady_rules(*command, options);
  on_call(*command, options, answer_steady, exit_code, asked);
}

}  // namespace vinculum::app
