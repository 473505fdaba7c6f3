// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/questions/question_words.h"

namespace vinculum::app {

namespace {

std::optional<Failure> refuse_beside_resume(const SimulateOptions& options, const CLI::App& command) {
  if (!options.resume || options.output.empty()) return std::nullopt;
  for (const char* name :
       {"--until", "--integrator", "--tolerance", "--order", "--max-step", "--step", "--every", "--stop-at", "--state",
        "--project", "--hold", "--baumgarte", "--contacts", "--inputs", "--no-integrals", "--force", "--allow-large"}) {
    if (command.count(name) > 0)
      return Failure{"VN-USAGE-001", fmt::format("{} cannot be given with --resume", name),
                     "a resumed run keeps the options it was started with"};
  }
  return std::nullopt;
}

}  // namespace

void add_simulate(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "compute a motion with energy, reactions, events and verdicts");
  command->footer(
      "example:\n"
      "  vinculum simulate crane.yaml --until 10 --output out      then open out/report.html\n"
      "  vinculum simulate crane.yaml --until 10 --stop-at bottom --json\n"
      "  vinculum simulate crane.yaml --until \"2 min\" --every \"20 ms\" --fail-on violated,impossible    in a script\n"
      "  vinculum simulate crane.yaml --output out --resume        after Ctrl-C or a power cut");
  add_model_options(*command, *options);
  const auto until = [options](const std::string& text) {
    options->until_rest = text == "rest";
    options->until = options->until_rest || text.empty() ? std::nullopt : std::optional(std::strtod(text.c_str(), nullptr));
  };
  command
      ->add_option_function<std::string>(
          "--until", until,
          "end time [s], or with a unit (`2 min`); earlier than the start: backwards; with guides also: "
          "rest")
      ->type_name("TIME")
      ->transform(time_in_seconds({"rest"}));
  command
      ->add_option("--integrator", options->run.integrator,
                   "auto (taylor, or dop853 if a law has no power series, or cvode if the model is stiff), taylor, dop853, "
                   "cvode or arkode (stiff)")
      ->capture_default_str();
  command->add_option("--tolerance", options->run.tolerance, "relative error allowed in a step")->capture_default_str();
  command->add_option("--inputs", options->inputs, "CSV file with values of the inputs over time: t [s],torque [N*m]")
      ->type_name("FILE");
  command->add_option("--order", options->run.order, "order of the power series; 0: chosen by the tolerance")
      ->capture_default_str();
  command
      ->add_option("--max-step", options->largest_step,
                   "longest step of the integrator [s] (default: limited by the tolerance only)")
      ->type_name("TIME")
      ->transform(time_in_seconds());
  command
      ->add_option("--step", options->step,
                   "use implicit steps of this length [s] instead of an integrator: first order, no chatter, for real time")
      ->type_name("TIME")
      ->transform(time_in_seconds());
  command->add_option("--every", options->run.every, "time between samples [s]; 0: a thousandth of the run")
      ->type_name("TIME")
      ->transform(time_in_seconds())
      ->capture_default_str();
  const auto write = [options](const std::vector<std::string>& words) {
    options->written.clear();
    for (const std::string& word : words) options->written.push_back(*find_written(word));
  };
  command
      ->add_option_function<std::vector<std::string>>("--write", write,
                                                      "add columns to outputs.csv: accelerations, forces (of laws and springs)")
      ->type_name("WHAT,..")
      ->delimiter(',')
      ->check(CLI::IsMember({"accelerations", "forces"}));
  command->add_option("--stop-at", options->run.stop_at, "end at the first event with this name")->type_name("EVENT");
  command->add_option("-o,--output", options->output, "folder for states.csv, reactions.csv, run.json, report.html")
      ->type_name("DIR");
  command
      ->add_option_function<std::string>(
          "--contacts", [options](const std::string& word) { options->run.follow = *find_follow(word); },
          "bilateral: contacts always hold; unilateral: they separate instead of pulling, and touch down again; frictional: they "
          "also stick or slip under `friction`, `bound` and `law`")
      ->check(CLI::IsMember({"bilateral", "unilateral", "frictional"}))
      ->default_str("bilateral");
  command
      ->add_option("--fail-on", options->fail_on,
                   "VERDICT,..: exit code 1 if a verdict is one of these: violated, not-unique, impossible, not-checked")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("VERDICTS");
  add_project_options(*command, *options);
  command
      ->add_option("--baumgarte", options->run.baumgarte,
                   "use Baumgarte stabilisation with this rate [1/s] instead of projection after each step")
      ->type_name("RATE")
      ->check(finite_number());
  command->add_flag("!--no-integrals", options->run.watch_integrals, "do not search for first integrals to check");
  command->add_flag("--resume", options->resume, "resume the run in --output from its last checkpoint");
  command->add_flag("--force", options->force, "replace an interrupted run in --output");
  command->add_flag("--allow-large", options->allow_large, "allow more than 1e8 samples or 10 GB of tables");
  command->add_flag("--no-report", options->no_report, "do not write report.html");
  command->add_option("--checkpoint", options->checkpoint_seconds, "seconds of computing between checkpoints")
      ->capture_default_str();
  const char* const no_folder = "nothing is written";
  OptionRules()
      .only_with("--force", {"--output"}, no_folder)
      .only_with("--no-report", {"--output"}, no_folder)
      .only_with("--checkpoint", {"--output"}, no_folder)
      .none_with("--step", {"--integrator", "--tolerance", "--order", "--max-step", "--baumgarte", "--no-integrals"},
                 "implicit steps of one length have no error control, and no first integrals are watched")
      .only_if(
          "--order", [options] { return options->run.integrator == "auto" || options->run.integrator == "taylor"; },
          "it is the order of power series, which the integrator taylor has")
      .apply(*command);
  const auto answer = [command](const SimulateOptions& given, Reply& reply) {
    if (const auto refusal = refuse_beside_resume(given, *command)) return reply.refuse_usage(*refusal);
    return answer_simulate(given, reply);
  };
  on_call(*command, options, answer, exit_code, asked);
}

}  // namespace vinculum::app
