// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/files/fingerprint.h"
#include "vinculum/page/run_report.h"
#include "vinculum/page/study_report.h"
#include "vinculum/questions/question_words.h"
#include "vinculum/simulation/watched_integrals.h"

namespace vinculum::app {

namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> folders;
  std::string model;
  std::string output;
  bool json = false;
};

// A run as its folder has it, with the model it was made with.
struct ReadRun {
  Model model;
  Report report;
};

// The model of a run: as it was named then, from here or from above the folder.
std::string find_model_file(const std::string& named, const std::string& folder) {
  std::error_code error;
  const fs::path path(named);
  if (path.is_absolute() || fs::exists(path, error)) return named;
  for (fs::path above = fs::absolute(folder, error); above.has_relative_path(); above = above.parent_path()) {
    if (fs::exists(above / path, error)) return (above / path).string();
  }
  return named;
}

std::optional<ReadRun> read_run(const std::string& folder, const ReportOptions& options, Reply& reply, int& exit_code) {
  const auto fail = [&](const Failure& failure) {
    exit_code = reply.fail(failure);
    return std::nullopt;
  };
  const auto origin = read_run_origin(folder);
  if (!origin) return fail(origin.failure());
  ModelOptions with;
  with.model = options.model.empty() ? find_model_file(origin->model_file, folder) : options.model;
  with.sets = origin->sets;
  for (const std::string& word : origin->written) {
    const auto what = find_written(word);
    if (!what)
      return fail({"VN-FILE-181", fmt::format("run.json of {} has '{}' in \"write\"", folder, word), "make the run again"});
    with.written.push_back(*what);
  }
  auto model = load_model(with, reply, exit_code);
  if (!model) return std::nullopt;
  if (fingerprint(*model) != origin->fingerprint) {
    return fail({"VN-FILE-182", fmt::format("the model {} is not the one the run in {} was made with", with.model, folder),
                 "make the run again, or name the model as it was with --model FILE"});
  }
  auto run = read_finished_run(folder, *model);
  if (!run) return fail(run.failure());
  // Formulas of first integrals are found again, those that the run has watched; without them there are no curves of their drift.
  RunListener nobody;
  if (run->request.options.watch_integrals) {
    auto watched = find_watched(*model, run->request.start, run->request.options, nobody, &run->result.integrals);
    if (watched) run->result.conserved = std::move(*watched);
  }
  auto report = read_run_report(folder, *model, run->request, run->result);
  if (!report) return fail(report.failure());
  return ReadRun{std::move(*model), std::move(*report)};
}

// The page of a study is made of its store alone.
int report_study(const ReportOptions& options, Reply& reply) {
  if (options.folders.size() == 2 || !options.output.empty() || !options.model.empty())
    return reply.refuse_usage("the page of a study is report.html in its folder", "name one folder of a study, and nothing else");
  const auto written = write_study_report(options.folders[0]);
  if (!written) return reply.fail(written.failure());
  const std::string path = (fs::path(options.folders[0]) / "report.html").string();
  reply.json()["page"] = path;
  reply.say(fmt::format("the page is in {}", path));
  return reply.finish(kDone);
}

int run_report(const ReportOptions& options) {
  PrintedReply reply(options.json);
  int exit_code = kDone;
  const auto has_store = [](const std::string& folder) { return fs::exists(fs::path(folder) / "study.sqlite"); };
  if (std::any_of(options.folders.begin(), options.folders.end(), has_store)) return report_study(options, reply);
  std::vector<ReadRun> runs;
  for (const std::string& folder : options.folders) {
    auto run = read_run(folder, options, reply, exit_code);
    if (!run) return exit_code;
    runs.push_back(std::move(*run));
  }
  const bool two = runs.size() == 2;
  if (two) {
    // Told apart by their folders.
    for (size_t i = 0; i < 2; ++i) runs[i].report.title += fmt::format(" ({})", options.folders[i]);
  }
  const std::string path =
      !options.output.empty() ? options.output : (fs::path(options.folders[0]) / (two ? "overlay.html" : "report.html")).string();
  const auto written = two ? write_overlaid_report(path, runs[0].model, runs[0].report, runs[1].model, runs[1].report)
                           : write_report(path, runs[0].model, runs[0].report);
  if (!written) return reply.fail(written.failure());
  reply.json()["page"] = path;
  reply.say(fmt::format("the page is in {}", path));
  return reply.finish(kDone);
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto* const command =
      app.add_subcommand("report", "write the page of a results folder again, of two runs overlaid, or of a study");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("folders", options->folders, "one or two folders written by `simulate --output`, or one written by `sweep`")
      ->required()
      ->expected(1, 2);
  command->add_option("--output", options->output,
                      "page to write (default: report.html in the folder; for two folders overlay.html in the first)");
  command->add_option("--model", options->model, "the model file, if it was moved since the run");
  command->add_flag("--json", options->json, "print one JSON document");
  command->footer(
      "The page is made from the tables in the folder; the model is read again and must be the one of the run.\n"
      "Of two runs the second is drawn as a ghost and its curves are dashed.\n"
      "example:\n  vinculum report wet\n  vinculum report wet dry --output wet-and-dry.html");
  command->callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace vinculum::app
