// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/run_study.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <thread>

#include "vinculum/study/crew.h"
#include "vinculum/study/rank_messages.h"
#include "vinculum/study/ranks.h"
#include "vinculum/study/refine.h"
#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr auto kPatience = std::chrono::milliseconds(50);     // between looks at Ctrl-C
constexpr auto kTransaction = std::chrono::milliseconds(10);  // at least between writes: rows not written yet are as old at most
constexpr auto kRankPatience = std::chrono::milliseconds(2);
constexpr long kPart = 100'000;  // points at a time: there may be a hundred million
constexpr int kAhead = 4;        // points a thread that wait for it: more come before it is idle

Crew::Worker make_worker(const Study& study, const MakeQuestion& make_question, std::optional<double> limit) {
  return [&study, limit, question = std::shared_ptr<Question>(make_question())](std::span<const long> points) {
    std::vector<std::vector<double>> parameters;
    for (const long point : points) parameters.push_back(parameters_of(study, point));
    const auto begin = Clock::now();
    std::vector<Question::Answer> answers = question->ask_together(parameters, limit);
    const double seconds = seconds_since(begin) / static_cast<double>(points.size());
    std::vector<TimedRow> rows(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      rows[i].seconds = seconds;
      StudyRow& row = rows[i].row;
      row.point = points[i];
      row.parameters = std::move(parameters[i]);
      if (answers[i]) {
        row.values = std::move(*answers[i]);
      } else {
        row.status = PointStatus::failed;
        row.code = answers[i].failure().code;
        row.message = answers[i].failure().message;
      }
    }
    return rows;
  };
}

// Points in work at Ctrl-C may have failed for that reason alone: they are asked again.
void drop_failed(std::vector<TimedRow>& rows) {
  std::erase_if(rows, [](const TimedRow& row) { return row.row.status == PointStatus::failed; });
}

class StudyRun {
 public:
  StudyRun(StudyStore& store, const MakeQuestion& make_question, const StudyRunOptions& options)
      : store_(store),
        options_(options),
        crew_(std::max(1, options.threads), std::max(1, options.together),
              [this, &make_question] { return make_worker(store_.study(), make_question, options_.limit); }) {
    workers_ = crew_.size() * (options.ranks == nullptr ? 1 : options.ranks->size());
  }

  StudySummary run() {
    summary_.failure = store_.study().refine ? run_refined() : run_all();
    return summary_;
  }

 private:
  std::optional<Failure> run_all() {
    const auto asked = store_.asked_points();
    const auto counts = store_.count();
    if (!asked) return asked.failure();
    if (!counts) return counts.failure();
    StudyProgress& progress = summary_.progress;
    const long points = static_cast<long>(asked->size());
    progress.failed = counts->failed;
    for (long point = options_.shard.index; point < points; point += options_.shard.count) {
      ++progress.points;
      progress.asked += (*asked)[static_cast<size_t>(point)] ? 1 : 0;
    }
    for (long point = options_.shard.index; point < points && !summary_.interrupted;) {
      for (; point < points && unbegun_.size() < static_cast<size_t>(kPart); point += options_.shard.count) {
        if (!(*asked)[static_cast<size_t>(point)]) unbegun_.push_back(point);
      }
      const bool is_last = point >= points;
      if (auto failure = ask_all(is_last, [](const TimedRow&) {})) return failure;
    }
    return std::nullopt;
  }

  std::optional<Failure> run_refined() {
    Refinement refinement(store_.study(), options_.shard);
    std::vector<bool> known(static_cast<size_t>(count_points(store_.study())), false);
    const auto learn = [&](const StudyRow& row) {
      refinement.learn(row);
      known[static_cast<size_t>(row.point)] = known[static_cast<size_t>(row.point)] || row.status != PointStatus::inferred;
    };
    StudyProgress& progress = summary_.progress;
    if (auto failure = store_.for_each_row([&](const StudyRow& row) {
          learn(row);
          progress.failed += row.status == PointStatus::failed ? 1 : 0;
          return true;
        }))
      return failure;
    std::vector<long> wanted = refinement.coarse_points();
    while (!wanted.empty()) {
      for (const long point : wanted) {
        ++progress.points;
        if (known[static_cast<size_t>(point)])
          ++progress.asked;
        else
          unbegun_.push_back(point);
      }
      if (auto failure = ask_all(true, [&](const TimedRow& row) { learn(row.row); })) return failure;
      if (summary_.interrupted) return std::nullopt;
      wanted = refinement.next_points();
    }
    if (options_.shard.count > 1) return std::nullopt;
    std::vector<TimedRow> rows;
    for (StudyRow& row : refinement.infer()) rows.push_back({std::move(row), 0});
    return store_.write(rows);
  }

  // Asks all that is unbegun, here and on other ranks; and waits for the answers, or leaves that to the next part.
  template <class Learn>
  std::optional<Failure> ask_all(bool to_the_end, const Learn& learn) {
    while (!unbegun_.empty() || (to_the_end && (crew_.pending() > 0 || away_ > 0))) {
      hand_out();
      std::this_thread::sleep_until(written_ + (options_.ranks == nullptr ? kTransaction : kRankPatience));
      std::vector<TimedRow> rows = crew_.take(options_.ranks == nullptr ? kPatience : kRankPatience);
      hear_ranks(rows);
      summary_.interrupted = is_stopped(options_.stop);
      if (summary_.interrupted) {
        crew_.end();
        std::ranges::move(crew_.take({}), std::back_inserter(rows));
        drop_failed(rows);
      }
      if (auto failure = store_.write(rows)) return failure;
      written_ = Clock::now();
      for (const TimedRow& row : rows) learn(row);
      tell(rows);
      if (summary_.interrupted) break;
    }
    return std::nullopt;
  }

  // Large parts while there is much to do, small ones in the end, so that all ranks end together.
  std::vector<long> next_part(long least) {
    const long share = static_cast<long>(unbegun_.size()) * crew_.size() / (4L * workers_);
    const auto count = static_cast<std::ptrdiff_t>(std::min(std::max(share, least), static_cast<long>(unbegun_.size())));
    std::vector<long> part(unbegun_.begin(), unbegun_.begin() + count);
    unbegun_.erase(unbegun_.begin(), unbegun_.begin() + count);
    return part;
  }

  void hand_out() {
    for (; !idle_.empty() && !unbegun_.empty(); idle_.pop_front()) {
      RankOrder order{false, next_part(static_cast<long>(crew_.together()) * crew_.size())};
      away_ += static_cast<long>(order.points.size());
      options_.ranks->send(idle_.front(), to_bytes(order));
    }
    // Threads share among themselves; what other ranks may want is kept back.
    const bool alone = options_.ranks == nullptr;
    const long ahead = alone ? kPart : static_cast<long>(kAhead) * crew_.together() * crew_.size();
    if (!unbegun_.empty() && crew_.waiting() < ahead) crew_.add(next_part(ahead));
  }

  void hear_ranks(std::vector<TimedRow>& rows) {
    if (options_.ranks == nullptr) return;
    while (const auto message = options_.ranks->receive()) {
      auto report = read_report(message->bytes);
      if (!report) continue;
      if (report->wants_points) idle_.push_back(message->from);
      away_ -= static_cast<long>(report->rows.size());
      std::ranges::move(report->rows, std::back_inserter(rows));
    }
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
  const StudyRunOptions& options_;
  StudySummary summary_;
  std::deque<long> unbegun_;  // points that nobody has
  std::deque<int> idle_;      // ranks that wait for points
  long away_ = 0;             // points that other ranks have
  int workers_ = 1;           // threads of all ranks
  long here_ = 0;             // asked by this run
  Clock::time_point begin_ = Clock::now(), written_ = begin_;
  Crew crew_;
};

}  // namespace

StudySummary run_study(StudyStore& store, const MakeQuestion& make_question, const StudyRunOptions& options) {
  return StudyRun(store, make_question, options).run();
}

void help_study(const Study& study, const MakeQuestion& make_question, const StudyRunOptions& options) {
  Crew crew(std::max(1, options.threads), std::max(1, options.together),
            [&] { return make_worker(study, make_question, options.limit); });
  bool has_asked = false;  // for points, and not got them yet
  RankReport report;
  while (true) {
    std::ranges::move(crew.take(kRankPatience), std::back_inserter(report.rows));
    if (is_stopped(options.stop)) {
      crew.end();
      return;  // rank 0 was interrupted as well
    }
    report.wants_points = !has_asked && crew.waiting() < static_cast<long>(crew.together()) * crew.size();
    if (report.wants_points || !report.rows.empty()) {
      has_asked = has_asked || report.wants_points;
      options.ranks->send(0, to_bytes(report));
      report = {};
    }
    while (const auto message = options.ranks->receive()) {
      const auto order = read_order(message->bytes);
      if (!order) continue;
      if (order->is_end) return;
      has_asked = false;
      crew.add(order->points);
    }
  }
}

}  // namespace vinculum
