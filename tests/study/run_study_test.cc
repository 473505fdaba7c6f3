// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine with a question that is a formula: same rows whatever the number of threads, ranks, shards and kills.
#include "vinculum/study/run_study.h"
#include "vinculum/study/ranks.h"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/study/merge.h"
#include "vinculum/study/rank_messages.h"
#include "vinculum/study/refine.h"
#include "vinculum/study/sample.h"

namespace vinculum {
namespace {

class Studies : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / (std::string("vinculum.Studies.") + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  StudyStore create(const std::string& name, const Study& study) {
    auto store = StudyStore::create(path(name), study, "fingerprint");
    EXPECT_TRUE(store) << store.failure().message;
    return std::move(*store);
  }

  std::filesystem::path folder_;
};

Study plane(long count) {
  Study study;
  for (const char* name : {"x", "y"}) {
    StudyAxis axis;
    axis.name = name;
    axis.first = -1;
    axis.second = 1.25;
    axis.count = count;
    study.over.push_back(axis);
  }
  study.command = "formula";
  study.collect = {{"r", "r"}, {"side", "side"}};
  return study;
}

// Too long to be kept in the string itself.
const std::string kInside = "inside of the circle, whatever its size", kOutside = "outside of the circle, whatever its size";

// Distance from the middle and on which side of a circle; fails in a small strip.
class Circle : public Question {
 public:
  explicit Circle(std::atomic<long>* asked = nullptr) : asked_(asked) {}
  Outcome<std::vector<StudyValue>> ask(std::span<const double> p, std::optional<double>) override {
    if (asked_ != nullptr) ++*asked_;
    const double r = std::hypot(p[0], p[1]);
    if (p[0] > 1.2) return Failure{"VN-RUN-002", fmt::format("x = {} is too large", p[0]), ""};
    return std::vector<StudyValue>{r, r < 0.7 ? kInside : kOutside};
  }

 private:
  std::atomic<long>* asked_;
};
const MakeQuestion kCircle = [] { return std::make_unique<Circle>(); };

std::string text_of(const StudyStore& store) {
  std::string text;
  const auto failure = store.for_each_row([&](const StudyRow& row) {
    text += fmt::format("{}", row.point);
    for (const double p : row.parameters) text += fmt::format(" {:a}", p);
    for (const StudyValue& value : row.values) {
      if (const double* number = std::get_if<double>(&value)) text += fmt::format(" {:a}", *number);
      if (const std::string* word = std::get_if<std::string>(&value)) text += " " + *word;
    }
    text += fmt::format(" {} {} {}\n", to_text(row.status), row.code, row.message);
    return true;
  });
  EXPECT_FALSE(failure);
  return text;
}

// Ranks in one process: each is a thread with a box for its messages.
class Boxes {
 public:
  explicit Boxes(int size) : boxes_(static_cast<size_t>(size)) {}
  class Rank : public Ranks {
   public:
    Rank(Boxes& boxes, int rank) : boxes_(boxes), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(boxes_.boxes_.size()); }
    void send(int to, std::string bytes) override {
      const std::lock_guard lock(boxes_.mutex_);
      boxes_.boxes_[static_cast<size_t>(to)].push_back({rank_, std::move(bytes)});
    }
    std::optional<Message> receive() override {
      const std::lock_guard lock(boxes_.mutex_);
      auto& box = boxes_.boxes_[static_cast<size_t>(rank_)];
      if (box.empty()) return std::nullopt;
      Message message = std::move(box.front());
      box.pop_front();
      return message;
    }
    void abandon(int) override {}

   private:
    Boxes& boxes_;
    int rank_;
  };

 private:
  std::mutex mutex_;
  std::vector<std::deque<Ranks::Message>> boxes_;
};

TEST_F(Studies, RowsDoNotDependOnThreadsRanksShardsOrKills) {
  const Study study = plane(37);
  StudyStore alone = create("alone", study);
  StudyRunOptions options;
  const StudySummary summary = run_study(alone, kCircle, options);
  ASSERT_FALSE(summary.failure || summary.interrupted);
  EXPECT_EQ(summary.progress.asked, 37 * 37);
  EXPECT_EQ(summary.progress.failed, 37);
  const std::string expected = text_of(alone);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 37 * 37);
  EXPECT_NE(expected.find("x = 1.25 is too large"), std::string::npos);

  for (const int threads : {1, 2, 5}) {
    for (const int ranks : {1, 2, 3}) {
      StudyStore store = create(fmt::format("{}.{}", threads, ranks), study);
      Boxes boxes(ranks);
      std::vector<std::thread> others;
      for (int rank = 1; rank < ranks; ++rank) {
        others.emplace_back([&, rank] {
          Boxes::Rank mine(boxes, rank);
          StudyRunOptions of_rank;
          of_rank.threads = threads;
          of_rank.ranks = &mine;
          help_study(study, kCircle, of_rank);
        });
      }
      Boxes::Rank first(boxes, 0);
      options.threads = threads;
      options.ranks = ranks > 1 ? &first : nullptr;
      run_study(store, kCircle, options);
      for (int rank = 1; rank < ranks; ++rank) first.send(rank, to_bytes(RankOrder{true, {}}));
      for (std::thread& other : others) other.join();
      EXPECT_EQ(text_of(store), expected) << threads << " threads, " << ranks << " ranks";
    }
  }
  options.ranks = nullptr;

  StudyStore merged = create("merged", study);
  for (long shard = 0; shard < 3; ++shard) {
    StudyStore part = create(fmt::format("shard{}", shard), study);
    options.shard = {shard, 3};
    run_study(part, kCircle, options);
    ASSERT_FALSE(merge_store(part, merged));
  }
  EXPECT_EQ(text_of(merged), expected);
  options.shard = {};

  // Ended after some rows, again and again.
  StudyStore stopped = create("stopped", study);
  options.threads = 2;
  long runs = 0;
  for (bool goes_on = true; goes_on; ++runs) {
    std::atomic<long> asked = 0;
    options.stop = [&] { return asked > 300; };
    goes_on = run_study(
                  stopped, [&] { return std::make_unique<Circle>(&asked); }, options)
                  .interrupted;
    ASSERT_LT(runs, 1000);
  }
  EXPECT_GT(runs, 1);
  EXPECT_EQ(text_of(stopped), expected);
}

// Points that are answered side by side are the same rows.
TEST_F(Studies, PointsSideBySide) {
  class SideBySide : public Circle {
   public:
    explicit SideBySide(std::atomic<long>& most) : most_(most) {}
    std::vector<Answer> ask_together(std::span<const std::vector<double>> points, std::optional<double> limit) override {
      most_ = std::max<long>(most_, static_cast<long>(points.size()));
      return Circle::ask_together(points, limit);
    }

   private:
    std::atomic<long>& most_;
  };
  const Study study = plane(37);
  StudyStore alone = create("alone", study);
  run_study(alone, kCircle, {});
  std::atomic<long> most = 0;
  StudyRunOptions options;
  options.together = 16;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    StudyStore store = create(fmt::format("{}", threads), study);
    run_study(
        store, [&] { return std::make_unique<SideBySide>(most); }, options);
    EXPECT_EQ(text_of(store), text_of(alone));
  }
  EXPECT_EQ(most, 16);
}

TEST_F(Studies, OnlyTheBoundaryIsAsked) {
  Study study = plane(9);
  study.refine = StudyRefinement{"side", {}, 5};
  std::atomic<long> asked = 0;
  StudyStore store = create("refined", study);
  StudyRunOptions options;
  options.threads = 2;
  run_study(
      store, [&] { return std::make_unique<Circle>(&asked); }, options);
  const long points = 257 * 257;
  ASSERT_EQ(count_points(study), points);
  EXPECT_LT(asked, points / 10);
  EXPECT_GT(asked, 81);

  // Every word is that of the formula, asked or not.
  const auto rows = store.rows();
  ASSERT_EQ(static_cast<long>(rows->size()), points);
  long inferred = 0, next = 0;
  for (const StudyRow& row : *rows) {
    EXPECT_EQ(row.point, next++);
    inferred += row.status == PointStatus::inferred ? 1 : 0;
    if (row.parameters[0] > 1.2) continue;
    const double r = std::hypot(row.parameters[0], row.parameters[1]);
    EXPECT_EQ(row.values[1], StudyValue(r < 0.7 ? kInside : kOutside)) << row.parameters[0] << " " << row.parameters[1];
    // A linear function between nodes of the coarse grid, h = 9/32, errs by h^2/8 times its curvature, 1/r, and some.
    if (r > 0.3) EXPECT_NEAR(std::get<double>(row.values[0]), r, 9.0 / 32 * 9.0 / 32 / 4 / r);
  }
  EXPECT_EQ(inferred, points - asked);

  // The same rows when it is interrupted on the way.
  StudyStore stopped = create("stopped", study);
  for (bool goes_on = true; goes_on;) {
    std::atomic<long> now = 0;
    options.stop = [&] { return now > 200; };
    goes_on = run_study(
                  stopped, [&] { return std::make_unique<Circle>(&now); }, options)
                  .interrupted;
  }
  EXPECT_EQ(text_of(stopped), text_of(store));
}

// Each shard asks for a part of the coarse cells and what they lead to; the whole goes on with all of that.
TEST_F(Studies, RefinementInShardsEndsWithTheSameRows) {
  Study study = plane(9);
  study.refine = StudyRefinement{"side", {}, 4};
  std::atomic<long> asked = 0;
  const MakeQuestion count = [&] { return std::make_unique<Circle>(&asked); };
  StudyStore whole = create("whole", study);
  run_study(whole, count, {});
  const long needed = asked;
  asked = 0;
  StudyStore merged = create("merged", study);
  StudyRunOptions options;
  long most = 0;
  for (long shard = 0; shard < 4; ++shard) {
    StudyStore part = create(fmt::format("part{}", shard), study);
    options.shard = {shard, 4};
    const long before = asked;
    run_study(part, count, options);
    most = std::max(most, asked - before);
    EXPECT_EQ(part.count()->inferred, 0) << shard;
    ASSERT_FALSE(merge_store(part, merged));
  }
  EXPECT_LT(most, needed / 2);                // they share the work,
  EXPECT_LT(asked, needed + 3 * 2 * 9 * 16);  // and ask little twice: the lines between them
  asked = 0;
  options.shard = {};
  run_study(merged, count, options);
  EXPECT_LT(asked, needed / 10);
  EXPECT_EQ(text_of(merged), text_of(whole));
}

TEST_F(Studies, AContourIsRefined) {
  Study study = plane(9);
  study.refine = StudyRefinement{"r", 0.7, 4};
  std::atomic<long> asked = 0;
  StudyStore store = create("contour", study);
  run_study(store, [&] { return std::make_unique<Circle>(&asked); }, {});
  EXPECT_LT(asked, 129 * 129 / 5);
  // Near the contour everything was asked.
  const auto failure = store.for_each_row([&](const StudyRow& row) {
    const double r = std::hypot(row.parameters[0], row.parameters[1]);
    if (row.parameters[0] < 1.1 && std::abs(r - 0.7) < 2.25 / 128) EXPECT_EQ(row.status, PointStatus::done) << r;
    return true;
  });
  EXPECT_FALSE(failure);
}

TEST_F(Studies, StoresOfOthersAreRefused) {
  const Study study = plane(3);
  create("store", study);
  EXPECT_EQ(StudyStore::create(path("store"), study, "fingerprint").failure().code, "VN-STUDY-020");
  EXPECT_EQ(StudyStore::open(path("absent")).failure().code, "VN-STUDY-020");
  const auto store = StudyStore::open(path("store"), StudyStore::Access::write);
  ASSERT_TRUE(store);
  EXPECT_FALSE(store->check_same(study, "fingerprint"));
  EXPECT_EQ(store->check_same(study, "another")->code, "VN-STUDY-023");
  Study moved = study, other = study;
  moved.model = "elsewhere/car.yaml";
  EXPECT_FALSE(store->check_same(moved, "fingerprint"));
  other.over[0].count = 4;
  EXPECT_EQ(store->check_same(other, "fingerprint")->code, "VN-STUDY-023");

  std::FILE* file = std::fopen(path("nonsense").c_str(), "wb");
  std::fputs("this is no database, however long it is, and whatever it says", file);
  std::fclose(file);
  EXPECT_EQ(StudyStore::open(path("nonsense")).failure().code, "VN-STUDY-022");
}

// 10^5 points of which one in a hundred fails and one hangs, on a disk that fills up twice: each time a clear end, nothing that
// was written is lost or asked again, and in the end the rows are those of a study without trouble, the hanging one aside.
TEST_F(Studies, AHundredThousandPointsWithTrouble) {
  constexpr long kHangs = 54'321;
  constexpr double kLimit = 0.2;
  class Troubled : public Question {
   public:
    Troubled(std::atomic<long>& asked, bool hangs) : asked_(asked), hangs_(hangs) {}
    Answer ask(std::span<const double> p, std::optional<double> limit) override {
      ++asked_;
      const long point = std::lround(p[0]);
      if (hangs_ && point == kHangs) {
        const auto begin = std::chrono::steady_clock::now();
        while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < *limit)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return Failure{"VN-STUDY-010", "there was no answer in time", ""};
      }
      if (point % 100 == 7) return Failure{"VN-MODEL-021", fmt::format("{} is impossible", point), ""};
      return std::vector<StudyValue>{std::sin(p[0]), point % 3 == 0 ? kInside : kOutside};
    }

   private:
    std::atomic<long>& asked_;
    bool hangs_;
  };
  Study study = plane(2);
  study.over.resize(1);
  study.over[0].first = 0;
  study.over[0].second = 99'999;
  study.over[0].count = 100'000;
  std::atomic<long> asked = 0;
  StudyRunOptions options;
  options.threads = 2;
  options.limit = kLimit;

  StudyStore quiet = create("quiet", study);
  run_study(
      quiet, [&] { return std::make_unique<Troubled>(asked, false); }, options);
  ASSERT_EQ(quiet.count()->done, 99'000);
  ASSERT_EQ(quiet.count()->failed, 1000);

  // A file that may not grow is what a full disk is to the store.
  const auto allow = [](rlim_t bytes) {
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  };
  std::signal(SIGXFSZ, SIG_IGN);
  asked = 0;
  long written = 0;
  for (const rlim_t bytes : {rlim_t{3'500'000}, rlim_t{5'000'000}, rlim_t{0}}) {
    auto store = written == 0 ? StudyStore::create(path("troubled"), study, "fingerprint")
                              : StudyStore::open(path("troubled"), StudyStore::Access::write);
    ASSERT_TRUE(store) << store.failure().message;
    allow(bytes);
    const StudySummary summary = run_study(
        *store, [&] { return std::make_unique<Troubled>(asked, true); }, options);
    allow(0);
    ASSERT_EQ(summary.failure.has_value(), bytes != 0);
    if (summary.failure) {
      EXPECT_EQ(summary.failure->code, "VN-STUDY-021");
      EXPECT_NE(summary.failure->hint.find("--resume"), std::string::npos);
    }
    const long now = store->count()->rows();
    EXPECT_GT(now, written + 10'000);
    EXPECT_EQ(now == 100'000, bytes == 0);
    written = now;
  }
  // Only what was on its way to the disk when it was full is asked twice: rows being written and as many again that wait, 20 000
  // each at most, and points in work.
  EXPECT_LT(asked, 100'000 + 2 * (20'000 + 20'000 + 100));
  const auto store = StudyStore::open(path("troubled"));
  ASSERT_TRUE(store);
  EXPECT_EQ(store->count()->failed, 1001);
  const auto rows = store->rows(), expected = quiet.rows();
  for (size_t k = 0; k < rows->size(); ++k) {
    const StudyRow &row = (*rows)[k], &other = (*expected)[k];
    ASSERT_EQ(row.point, static_cast<long>(k));
    if (row.point == kHangs) {
      EXPECT_EQ(row.code, "VN-STUDY-010");
      continue;
    }
    ASSERT_EQ(row.values, other.values) << k;
    ASSERT_EQ(row.message, other.message) << k;
    ASSERT_EQ(row.status, other.status) << k;
  }
}

TEST(RankMessages, AreReadBackAndDamageIsTold) {
  RankReport report;
  report.wants_points = true;
  report.rows = {{{7, {1.5, -2}, {StudyValue(0.25), StudyValue("word"), StudyValue()}, PointStatus::done, "", ""}, 0.5},
                 {{8, {1, 2}, {}, PointStatus::failed, "VN-RUN-002", "no way"}, 0.1}};
  const std::string bytes = to_bytes(report);
  const auto read = read_report(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_bytes(*read), bytes);
  EXPECT_EQ(read->rows[1].row.message, "no way");
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(read_report(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(read_order("x"));
}

}  // namespace
}  // namespace vinculum
