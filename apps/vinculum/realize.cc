// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_realize(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<RealizeOptions>();
  CLI::App* command =
      app.add_subcommand("realize", "check whether limited forces can keep the velocity constraints: will my wheel slip?");
  command->footer(
      "Constraints are lateral and forward of contacts, and velocity constraints. With --until the whole motion is checked, "
      "otherwise\nthe state.\n"
      "example:\n"
      "  vinculum realize car.yaml --until 5                             friction needed, friction available, time of slip\n"
      "  vinculum realize sleigh.yaml --bound blade=0.9 --until 12       the motion with this bound, beside the one without "
      "slip\n"
      "  vinculum realize sleigh.yaml --bound blade=1.5 --until 1 --certificate    upper bound of the time in which an initial "
      "slip ends\n"
      "  vinculum realize sleigh.yaml --until 2 --sweep viscous=10,100,1000        how viscous forces approach the motion "
      "without slip\n"
      "  vinculum realize arm.yaml --inputs elbow                        a programmed motion kept by a motor at another joint");
  add_model_options(*command, *options);
  command->get_option("model")->required(false);
  const auto list = [&](const char* name, std::vector<std::string>& into, const char* text, const char* type) {
    command->add_option(name, into, text)->delimiter(',')->allow_extra_args(false)->type_name(type);
  };
  list("--rows", options->rows, "constraints or contacts to realize by forces (default: all that can slip); the others are kept",
       "ROWS");
  command->add_option("--bound", options->bounds, "NAME=VALUE: the largest force of a constraint or contact (repeatable)")
      ->type_name("NAME=VALUE");
  command->add_option("--law", options->law, "law of force over slip, instead of that of the model")->type_name("LAW[=NUMBER]");
  command->add_option("--until", options->until, "simulate to this time [s]")->type_name("TIME")->transform(time_in_seconds());
  command->add_flag("--certificate", options->certificate, "prove a bound of the slip and of the time in which it ends");
  command->add_option("--samples", options->samples, "number of instants of the certificate")->capture_default_str();
  command->add_option("--region", options->region, "certificate over a tube of this relative half-width about the motion")
      ->type_name("FRACTION")
      ->check(CLI::PositiveNumber);
  command->add_option("--within", options->within, "find the bounds that would end the slip in this time [s]")
      ->type_name("T")
      ->check(CLI::PositiveNumber);
  command->add_option("--sweep", options->sweep, "viscous=K,K,..: compare with the motion without slip for these coefficients")
      ->type_name("viscous=K,..");
  command->add_option("--completion", options->completion, "quasi-velocities of Appell's form: partition, orthogonal, mass")
      ->check(CLI::IsMember({"partition", "orthogonal", "mass"}))
      ->capture_default_str();
  list("--inputs", options->inputs, "coordinates whose forces keep the constraints instead, one for each", "COORDINATES");
  command->add_flag("--spectrum", options->spectrum, "eigenvalues about a steady motion, without slip or with --law viscous=K");
  command
      ->add_option("--critical", options->critical,
                   "LO:HI: find the viscous coefficient in this range at which an oscillation begins to grow")
      ->type_name("LO:HI");
  command->add_option("--tolerance", options->tolerance, "relative error allowed in a step of the motion")->capture_default_str();
  command->add_option("-o,--output", options->output, "folder for report.html with both paths and the friction circles")
      ->type_name("DIR");
  command->add_flag("--force", options->force, "replace a page that exists");
  command->add_option("--problem", options->problem, "JSON file with matrices instead of a model")->type_name("FILE");
  OptionRules()
      .none_with(
          "--problem",
          {"--set", "--state", "--rows", "--bound", "--law", "--until", "--certificate", "--samples", "--region", "--within",
           "--sweep", "--completion", "--inputs", "--spectrum", "--critical", "--tolerance", "--output", "--force"},
          "a bare problem has all its numbers in its file")
      .only_with("--samples", {"--certificate"}, "they are the instants of a certificate")
      .only_with("--region", {"--certificate"}, "it is the region of a certificate")
      .only_with("--within", {"--certificate"}, "the bounds come from the constants of a certificate")
      .only_with("--tolerance", {"--until"}, "there are no steps without a motion")
      .only_with("--force", {"--output"}, "no file is written")
      .apply(*command);
  on_call(*command, options, answer_realize, exit_code, asked);
}

}  // namespace vinculum::app
