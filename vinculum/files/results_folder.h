// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "vinculum/formats/safe_file.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/columns.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

// What a run was asked to do: kept in the results so that it can be repeated or resumed.
struct RunRequest {
  std::string model_file;   // as named on the command line
  std::string fingerprint;  // of the model (write_model.h)
  RunOptions options;
  State start;
  std::vector<std::string> sets{};     // NAME=VALUE, of --set
  std::vector<std::string> written{};  // words of --write: columns of outputs.csv beside the outputs of the model
};

// The folder a run leaves behind:
//
//   states.csv      t, q, v, energies; units in the header
//   reactions.csv   joint reactions and driving forces
//   outputs.csv     the outputs of the model, if it has some
//   run.json        what was asked, what came out, verdicts
//   report.html     the page (written by the caller when the run has ended)
//
// During the run, tables are files ending in .part, and checkpoint.json records how far they are valid; the
// final names appear when the run ends. So a killed run leaves no half result, and can be resumed. A
// checkpoint contains checksums of itself and of the tables before it. One process at a time has the folder.
class ResultsFolder : public RunListener {
 public:
  // Makes the folder; results of an earlier run in it are removed. A run that was interrupted is removed only if `replace`:
  // Failure VN-FILE-143 otherwise. VN-FILE-142 if another process has the folder.
  static Outcome<std::unique_ptr<ResultsFolder>> create(const std::string& path, const Model& model, const RunRequest& request,
                                                        double seconds_between_checkpoints, bool replace = false);

  // Opens the folder of a run that was killed or interrupted, at its last checkpoint. Refused if there is none (VN-FILE-111), if
  // it was made with another model (112) or by another version (144), or if it or its tables were changed since (113).
  struct Resumed {
    std::unique_ptr<ResultsFolder> folder;
    RunRequest request;
    Checkpoint checkpoint;
  };
  static Outcome<Resumed> resume(const std::string& path, const Model& model, const std::string& fingerprint,
                                 double seconds_between_checkpoints);

  void on_sample(const Sample& sample) override;
  bool wants_changes() override { return true; }
  void on_change(const Sample& sample) override { on_sample(sample); }
  bool wants_checkpoint() override;
  void on_checkpoint(const Checkpoint& checkpoint) override;
  void on_restart(const Checkpoint& checkpoint) override;
  // A sample from elsewhere: the values of list_table_quantities.
  void add(double t, std::span<const double> values);

  bool is_good() const;         // all samples could be written so far
  bool has_checkpoint() const;  // there is something to resume from

  // Gives the files their final names. Failure VN-FILE-110 if something could not be written (a full disk, for example).
  Outcome<bool> finish(const RunResult& result);

  const std::string& path() const { return path_; }
  ~ResultsFolder() override;

 private:
  struct Table;
  ResultsFolder(std::string path, FolderLock lock, const Model& model, RunRequest request, double seconds);
  std::string checkpoint_text(const Checkpoint& checkpoint) const;
  void write_checkpoint(const std::string& text);

  std::string path_;
  FolderLock lock_;
  const Model& model_;
  std::vector<Column> columns_;  // of all tables
  std::vector<double> row_;      // scratch
  RunRequest request_;
  std::chrono::duration<double> between_checkpoints_;
  std::chrono::steady_clock::time_point last_checkpoint_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::string kept_;  // a checkpoint that is not written yet
};

// Which model a run was made with, by its run.json. Failure VN-FILE-180 if there is none, or it cannot be read.
struct RunOrigin {
  std::string model_file, fingerprint;
  std::vector<std::string> sets, written;
};
Outcome<RunOrigin> read_run_origin(const std::string& folder);

// What was asked and what came out, read back: all but `conserved`, whose formulas are not kept. Failures VN-FILE-180, and
// VN-FILE-181 if it does not fit the model.
struct FinishedRun {
  RunRequest request;
  RunResult result;
};
Outcome<FinishedRun> read_finished_run(const std::string& folder, const Model& model);

// Hands the samples in the tables of a folder to `keep`, one by one: t and the values of list_table_quantities. Also those
// of a run still in progress. Failures VN-FILE-120, -121, -122 and -127 with the place in the table.
using KeepRow = std::function<void(double t, std::span<const double> values)>;
std::optional<Failure> read_rows(const std::string& folder, const Model& model, const KeepRow& keep);

// How a run ended, as run.json and the page say it: "complete", "stopped at event", "interrupted", "failed".
std::string_view end_text(RunResult::End end);

}  // namespace vinculum
