// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "ask.h"
#include "command.h"
#include "join_ranks.h"
#include "vinculum/files/fingerprint.h"
#include "vinculum/files/read_study.h"
#include "vinculum/files/study_json.h"
#include "vinculum/files/study_table.h"
#include "vinculum/formats/safe_file.h"
#include "vinculum/math/visit.h"
#include "vinculum/page/study_report.h"
#include "vinculum/study/merge.h"
#include "vinculum/study/rank_messages.h"
#include "vinculum/study/run_study.h"
#include "vinculum/study/sample.h"

namespace vinculum::app {

namespace {

struct SweepOptions {
  std::string subject;  // a study file, or a model
  std::vector<std::string> over, collect;
  std::string run;
  std::string output = "study", csv, shard;
  int threads = 0;
  std::optional<double> limit;
  std::vector<std::string> merge;
  bool resume = false, retry = false, force = false, no_report = false, json = false;
};

std::string store_path(const std::string& folder) { return (std::filesystem::path(folder) / "study.sqlite").string(); }

// Those this process may use: what a batch system gives it.
int count_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

std::string time_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// One line that is written over on a terminal, and a line now and then elsewhere, where somebody reads the log of a batch job.
class StudyBar {
 public:
  ~StudyBar() { clear(); }

  void update(const StudyProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (on_terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(30'000))) return;
    last_ = now;
    const std::string text =
        fmt::format("{} of {} points ({:.1f} %), {:.4g} a second, {} left, {} failed", progress.asked, progress.points,
                    100.0 * static_cast<double>(progress.asked) / static_cast<double>(std::max(1L, progress.points)),
                    progress.rate, time_text(progress.seconds_left), progress.failed);
    print_error(on_terminal_ ? fmt::format("\r{:<78}", text) : text + "\n");
    std::fflush(stderr);
    drawn_ = on_terminal_;
  }
  void clear() {
    if (drawn_) print_error(fmt::format("\r{:78}\r", ""));
    drawn_ = false;
  }

 private:
  bool on_terminal_ = isatty(STDERR_FILENO) != 0, drawn_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// The study of the file, or of the options; none after telling what is wrong.
std::optional<Study> load_study(const SweepOptions& options, Reply& reply, int& exit_code) {
  const auto text = reply.read_text(options.subject);
  if (!text) {
    exit_code = reply.refuse_usage(fmt::format("cannot read {}", options.subject), "a study file, or a model with --over");
    return std::nullopt;
  }
  if (is_study_text(*text)) {
    if (!options.over.empty() || !options.collect.empty() || !options.run.empty()) {
      exit_code =
          reply.refuse_usage("--over, --run and --collect stand in the study file already", "leave them out, or name a model");
      return std::nullopt;
    }
    Diagnostics diagnostics(options.subject);
    auto study = read_study_file(options.subject, diagnostics);
    reply.tell(diagnostics);
    if (!study) exit_code = reply.finish(kInvalidModel);
    return study;
  }
  const auto refuse = [&](const Failure& failure) -> std::optional<Study> {
    exit_code = reply.refuse_usage(failure);
    return std::nullopt;
  };
  Study study;
  study.model = options.subject;
  for (const std::string& over : options.over) {
    auto axis = read_axis_text(over);
    if (!axis) return refuse(axis.failure());
    study.over.push_back(std::move(*axis));
  }
  const size_t blank = std::min(options.run.find(' '), options.run.size());
  study.command = options.run.substr(0, blank);
  study.options = options.run.substr(std::min(blank + 1, options.run.size()));
  if (study.command.empty())
    return refuse({"VN-STUDY-013", "--run is missing: what to ask at each point", "for example --run \"simulate --until 5\""});
  for (const std::string& collect : options.collect) {
    const size_t equals = collect.find('=');
    study.collect.push_back(equals == std::string::npos ? StudyColumn{collect, collect}
                                                        : StudyColumn{collect.substr(0, equals), collect.substr(equals + 1)});
  }
  if (const auto failure = check_study(study)) return refuse(*failure);
  return study;
}

Json to_json(const StudyValue& value) {
  return std::visit(Overloaded{[](std::monostate) { return Json(); }, [](const auto& known) { return Json(known); }}, value);
}

// What the points say together: in the text, in the document, and as a page beside the store. These are an extra: a study is good
// without them, but their absence is said.
void tell_statistics(const SweepOptions& options, const StudyStore& store, Reply& reply) {
  const auto miss = [&](const Failure& failure) {
    Diagnostics diagnostics;
    diagnostics.warning(failure.code, {}, "", failure.message, failure.hint);
    reply.tell(diagnostics);
  };
  const auto results = read_study_results(store);
  if (!results) return miss(results.failure());
  const StudyStatistics statistics = compute_study_statistics(*results);
  reply.json()["statistics"] = vinculum::to_json(statistics);
  reply.say(to_text(statistics));
  if (options.no_report || (options.subject.empty() && options.merge.empty())) return;
  const std::string page = (std::filesystem::path(options.output) / "report.html").string();
  const auto written = write_study_page(page, *results, statistics);
  if (!written) return miss(written.failure());
  reply.say(fmt::format("page in {}", page));
}

// The answer of the command itself: counts, and with --json the rows.
int tell_study(const SweepOptions& options, const StudyStore& store, Reply& reply, int exit_code) {
  const auto counts = store.count();
  if (!counts) return reply.fail(counts.failure());
  Json& json = reply.json();
  json["points"] = counts->rows();
  json["failed"] = counts->failed;
  json["inferred"] = counts->inferred;
  json["store"] = store.path();
  reply.say(fmt::format("{} {}: {} done, {} failed{}", counts->rows(), counts->rows() == 1 ? "point" : "points", counts->done,
                        counts->failed,
                        counts->inferred > 0 ? fmt::format(", {} inferred from their neighbours", counts->inferred) : ""));
  std::map<std::string, std::pair<long, std::string>> reasons;
  Json rows = Json::array();
  const Study& study = store.study();
  const auto failure = store.for_each_row([&](const StudyRow& row) {
    if (row.status == PointStatus::failed) {
      auto& [count, example] = reasons[row.code];
      if (count++ == 0) example = row.message;
    }
    if (!options.json) return true;
    Json entry = {{"point", row.point}};
    for (size_t i = 0; i < study.over.size(); ++i) entry[study.over[i].name] = row.parameters[i];
    for (size_t i = 0; i < study.collect.size(); ++i) entry[study.collect[i].name] = to_json(row.values[i]);
    entry["status"] = to_text(row.status);
    if (!row.code.empty()) entry["code"] = row.code;
    if (!row.message.empty()) entry["message"] = row.message;
    rows.push_back(std::move(entry));
    return true;
  });
  if (failure) return reply.fail(*failure);
  if (options.json) json["rows"] = std::move(rows);
  for (const auto& [code, reason] : reasons)
    reply.say(fmt::format("  {} failed with {}, the first: {}", reason.first, code, reason.second));
  if (!options.csv.empty()) {
    const auto table = write_study_table(store, options.csv, options.force);
    if (!table) return reply.fail(table.failure());
    reply.say(fmt::format("wrote {}", options.csv));
  }
  reply.say(fmt::format("results in {}", store.path()));
  tell_statistics(options, store, reply);
  return reply.finish(exit_code);
}

std::optional<StudyShard> read_shard(const std::string& text) {
  if (text.empty()) return StudyShard{};
  StudyShard shard;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%ld/%ld%c", &shard.index, &shard.count, &rest) != 2 || shard.count < 1 || shard.index < 1 ||
      shard.index > shard.count)
    return std::nullopt;
  --shard.index;
  return shard;
}

// The folder, held by this process alone.
Outcome<FolderLock> take_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Failure{"VN-STUDY-021", fmt::format("the folder {} cannot be made: {}", folder, error.message()), "check the path"};
  return FolderLock::take(folder);
}

// The store to go on with, or a new one.
// A batch job that is started again says the same line: --resume begins where there is nothing yet.
bool is_begun(const SweepOptions& options) { return options.resume && std::filesystem::exists(store_path(options.output)); }

Outcome<StudyStore> open_store(const SweepOptions& options, const Study& study, const std::string& fingerprint) {
  const std::string path = store_path(options.output);
  std::error_code error;
  if (is_begun(options)) {
    auto store = StudyStore::open(path, StudyStore::Access::write);
    if (!store) return store;
    if (auto failure = store->check_same(study, fingerprint)) return *failure;
    if (options.retry) {
      if (auto failure = store->remove_failed()) return *failure;
    }
    return store;
  }
  if (options.force) {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path + end, error);
  }
  return StudyStore::create(path, study, fingerprint);
}

// Rows of stores that were filled apart, shards of one study, in one.
int merge_stores(const SweepOptions& options, Reply& reply) {
  for (const std::string& folder : options.merge) {
    if (const auto from = StudyStore::open(store_path(folder)); !from) return reply.fail(from.failure());
  }
  const auto lock = take_folder(options.output);
  if (!lock) return reply.fail(lock.failure());
  std::optional<StudyStore> into;
  for (const std::string& folder : options.merge) {
    const auto from = StudyStore::open(store_path(folder));
    if (!from) return reply.fail(from.failure());
    if (!into) {
      auto opened = std::filesystem::exists(store_path(options.output))
                        ? StudyStore::open(store_path(options.output), StudyStore::Access::write)
                        : StudyStore::create(store_path(options.output), from->study(), from->fingerprint());
      if (!opened) return reply.fail(opened.failure());
      into = std::move(*opened);
    }
    if (const auto failure = merge_store(*from, *into)) return reply.fail(*failure);
  }
  const auto counts = into->count();
  if (!counts) return reply.fail(counts.failure());
  const long points = count_points(into->study());
  if (counts->rows() < points)
    reply.say(into->study().refine
                  ? fmt::format("{} of {} points are there; cells between the shards and points that need not be asked are "
                                "added by: vinculum sweep STUDY --output {} --resume",
                                counts->rows(), points, options.output)
                  : fmt::format("{} of {} points are missing", points - counts->rows(), points));
  return tell_study(options, *into, reply, kDone);
}

int run_sweep(const SweepOptions& options, Ranks* ranks, Reply& reply) {
  int exit_code = kDone;
  reply.begin_computing();
  if (options.threads < 0 || options.threads > 4096)
    return reply.refuse_usage(fmt::format("--threads {}", options.threads), "1 to 4096; 0: as many as there are cores");
  if (options.limit && !(*options.limit > 0)) return reply.refuse_usage("--limit must be positive", "a time in seconds");
  const auto shard = read_shard(options.shard);
  if (!shard) return reply.refuse_usage(fmt::format("--shard {} is not I/N with 1 <= I <= N", options.shard), "for example 3/16");
  if (!options.merge.empty()) {
    if (!options.subject.empty())
      return reply.refuse_usage("--merge takes the study from its stores", "leave the study file out");
    return merge_stores(options, reply);
  }
  if (options.subject.empty()) {
    if (options.csv.empty() && !options.json)
      return reply.refuse_usage("a study file or a model is missing", "vinculum sweep STUDY.yaml, or MODEL --over ..");
    auto store = StudyStore::open(store_path(options.output));
    if (!store) return reply.fail(store.failure());
    return tell_study(options, *store, reply, kDone);
  }

  const auto study = load_study(options, reply, exit_code);
  if (!study) return exit_code;
  Diagnostics diagnostics(study->model);
  const auto source = ModelSource::open(study->model, diagnostics);
  const auto model = source ? source->build(diagnostics) : std::nullopt;
  reply.tell(diagnostics);
  if (!model) return reply.finish(kInvalidModel);
  const StudySubject subject{*study, *source, read_options(*study), is_interrupted};
  const bool is_first = ranks == nullptr || ranks->rank() == 0;
  if (!is_begun(options) && is_first) {
    Diagnostics wrong(options.subject);
    const bool good = check_words(*study, wrong) && check_question(subject, options.limit, wrong);
    reply.tell(wrong);
    if (is_interrupted()) return reply.finish(kFailed);
    if (!good) return reply.finish(kWrongUsage);
  }
  StudyRunOptions run;
  run.threads = options.threads > 0 ? options.threads : count_cores();
  run.limit = options.limit;
  run.shard = *shard;
  run.stop = is_interrupted;
  run.ranks = ranks;
  const auto make = [&] { return make_question(subject, options.limit.has_value()); };
  run.together = make()->together();
  reply.json()["together"] = run.together;
  if (ranks != nullptr && ranks->rank() > 0) {
    help_study(*study, make, run);
    return kDone;
  }
  if (is_begun(options)) {
    if (const auto there = StudyStore::open(store_path(options.output)); !there) return reply.fail(there.failure());
  }
  const auto lock = take_folder(options.output);
  if (!lock) return reply.fail(lock.failure());
  auto store = open_store(options, *study, fingerprint(*model));
  if (!store) return reply.fail(store.failure());
  StudySummary summary;
  {
    StudyBar bar;
    run.progress = [&](const StudyProgress& progress) { bar.update(progress); };
    summary = run_study(*store, make, run);
  }
  reply.end_computing();
  if (summary.failure) return reply.fail(*summary.failure);
  if (summary.interrupted) {
    reply.say(fmt::format("interrupted: {} of {} points are stored; continue with the same command and --resume",
                          summary.progress.asked, summary.progress.points));
    return tell_study(options, *store, reply, kFailed);
  }
  return tell_study(options, *store, reply, kDone);
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand("sweep", "run a command over a grid or sample of parameters and store the results");
  command->footer(
      "Each point runs one command with other parameters or initial values. Failed points are stored too, with the reason.\nAn "
      "interrupted study continues with --resume. Results are in DIR/study.sqlite; DIR/report.html shows maps, "
      "curves,\nhistograms, the influence of each parameter, and the command of each point.\n"
      "examples:\n"
      "  vinculum sweep car.yaml --over mu=0.2:0.9:40 --over speed=2:20:40 --run \"simulate --until 5\" \\\n"
      "      --collect margin=verdicts.front.friction.margin --output slip\n"
      "  vinculum sweep study.yaml --threads 8 --limit 10 --output night --csv night.csv");
  command->add_option("subject", options->subject, "study file (YAML), or a model with --over, --run and --collect")
      ->type_name("STUDY|MODEL");
  command->add_option("--over", options->over, "values of a parameter or an initial value: a grid or A,B,C (repeatable)")
      ->type_name("NAME=FROM:TO:COUNT")
      ->allow_extra_args(false);
  command
      ->add_option("--run", options->run,
                   "command to run: simulate, realize, variants, limit, steady, equilibrium, linearise or evaluate")
      ->type_name("\"COMMAND OPTIONS\"");
  command->add_option("--collect", options->collect, "value to keep: a path in the command's JSON (repeatable)")
      ->type_name("NAME[=PATH]")
      ->allow_extra_args(false);
  command->add_option("-o,--output", options->output, "folder for study.sqlite and report.html")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "number of points computed in parallel; 0: number of cores")
      ->capture_default_str();
  command->add_option("--limit", options->limit, "longest computing time of a point [s]; beyond it the point fails")
      ->type_name("SECONDS")
      ->check(finite_number());
  command->add_flag("--resume", options->resume, "continue the study in --output; start it if there is none");
  command->add_flag("--retry", options->retry, "with --resume: compute failed points again");
  command->add_option("--shard", options->shard, "compute only the I-th of N parts, for job arrays")->type_name("I/N");
  command->add_option("--merge", options->merge, "merge these folders, shards of one study, into --output")->type_name("DIR ..");
  command->add_option("--csv", options->csv, "write all points as a table; without STUDY|MODEL: of the study in --output")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "replace existing files");
  command->add_flag("--no-report", options->no_report, "do not write report.html");
  command->add_flag("--json", options->json, "print one JSON document instead of text");
  const std::vector<std::string> of_points = {"--over",  "--run",    "--collect", "--threads",
                                              "--limit", "--resume", "--retry",   "--shard"};
  OptionRules rules;
  rules.none_with("--merge", of_points, "stores are merged as they are, and no point is computed")
      .only_with("--retry", {"--resume"}, "it computes the failed points of an earlier study again")
      .only_if(
          "--force", [options] { return !options->csv.empty() || (!options->resume && options->merge.empty()); },
          "a study is continued or merged, not replaced, and no table is written");
  for (const std::string& option : of_points)
    rules.only_if(
        option, [options] { return !options->subject.empty() || !options->merge.empty(); },
        "without a study or a model only the results in --output are shown");
  rules
      .only_if(
          "--no-report", [options] { return !options->subject.empty() || !options->merge.empty(); },
          "a page is written with a study or with --merge only")
      .apply(*command);
  command->callback([options, &exit_code] {
    const auto joined = join_ranks();
    if (!joined) {
      exit_code = PrintedReply(options->json).fail(joined.failure());
      return;
    }
    Ranks* const ranks = joined->get();
    const bool is_first = ranks == nullptr || ranks->rank() == 0;
    const std::unique_ptr<Reply> reply =
        is_first ? std::unique_ptr<Reply>(std::make_unique<PrintedReply>(options->json)) : std::make_unique<SilentReply>();
    exit_code = run_sweep(*options, ranks, *reply);
    if (ranks == nullptr) return;
    if (is_interrupted() && ranks->size() > 1) {
      finish_output(exit_code);
      ranks->abandon(exit_code);
    }
    // The others wait for points, or for this.
    for (int rank = 1; is_first && rank < ranks->size(); ++rank) ranks->send(rank, to_bytes(RankOrder{true, {}}));
  });
}

}  // namespace vinculum::app
