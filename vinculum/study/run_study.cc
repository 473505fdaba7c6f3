// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/run_study.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "vinculum/study/crew.h"
#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Crew::Worker make_worker(const Study& study, const MakeQuestion& make_question, std::optional<double> limit) {
  return [&study, limit, question = std::shared_ptr<Question>(make_question())](long point) {
    TimedRow timed;
    StudyRow& row = timed.row;
    row.point = point;
    row.parameters = parameters_of(study, point);
    const auto begin = Clock::now();
    auto answer = question->ask(row.parameters, limit);
    timed.seconds = seconds_since(begin);
    if (answer) {
      row.values = std::move(*answer);
    } else {
      row.status = PointStatus::failed;
      row.code = answer.failure().code;
      row.message = answer.failure().message;
    }
    return timed;
  };
}

class StudyRun {
 public:
  StudyRun(StudyStore& store, const MakeQuestion& make_question, const StudyRunOptions& options)
      : store_(store), make_question_(make_question), options_(options) {}

  StudySummary run() {
    if (auto failure = ask(list_points())) summary_.failure = failure;
    return summary_;
  }

 private:
  std::vector<long> list_points() {
    const auto asked = store_.asked_points();
    std::vector<long> points;
    if (!asked) {
      summary_.failure = asked.failure();
      return points;
    }
    const auto counts = store_.count();
    if (counts) summary_.progress.failed = counts->failed;
    for (long point = options_.shard.index; point < static_cast<long>(asked->size()); point += options_.shard.count) {
      ++summary_.progress.points;
      if ((*asked)[static_cast<size_t>(point)])
        ++summary_.progress.asked;
      else
        points.push_back(point);
    }
    return points;
  }

  std::optional<Failure> ask(const std::vector<long>& points) {
    constexpr auto kPatience = std::chrono::milliseconds(50);
    if (points.empty()) return std::nullopt;
    const int threads = std::clamp(options_.threads, 1, static_cast<int>(std::min<size_t>(points.size(), 4096)));
    Crew crew(threads, [this] { return make_worker(store_.study(), make_question_, options_.limit); });
    crew.add(points);
    while (crew.pending() > 0) {
      std::vector<TimedRow> rows = crew.take(kPatience);
      summary_.interrupted = is_stopped(options_.stop);
      if (summary_.interrupted) {
        crew.end();
        std::ranges::move(crew.take({}), std::back_inserter(rows));
        // Points in work at Ctrl-C may have failed for that reason alone: they are asked again.
        std::erase_if(rows, [](const TimedRow& row) { return row.row.status == PointStatus::failed; });
      }
      if (auto failure = store_.write(rows)) return failure;
      tell(rows);
      if (summary_.interrupted) return std::nullopt;
    }
    return std::nullopt;
  }

  void tell(const std::vector<TimedRow>& rows) {
    StudyProgress& progress = summary_.progress;
    for (const TimedRow& row : rows) progress.failed += row.row.status == PointStatus::failed ? 1 : 0;
    progress.asked += static_cast<long>(rows.size());
    here_ += static_cast<long>(rows.size());
    progress.seconds = seconds_since(begin_);
    progress.rate = progress.seconds > 0 ? static_cast<double>(here_) / progress.seconds : 0;
    progress.seconds_left = progress.rate > 0 ? static_cast<double>(progress.points - progress.asked) / progress.rate : 0;
    if (options_.progress) options_.progress(progress);
  }

  StudyStore& store_;
  const MakeQuestion& make_question_;
  const StudyRunOptions& options_;
  StudySummary summary_;
  long here_ = 0;  // asked by this run
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

StudySummary run_study(StudyStore& store, const MakeQuestion& make_question, const StudyRunOptions& options) {
  return StudyRun(store, make_question, options).run();
}

}  // namespace vinculum
