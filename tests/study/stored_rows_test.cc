// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of a store: damaged ones are found, failed ones are not asked again; inferred ones come from the smaller cell.
#include <sqlite3.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "vinculum/study/merge.h"
#include "vinculum/study/results.h"
#include "vinculum/study/run_study.h"

namespace vinculum {
namespace {

class StoredRows : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / (std::string("vinculum.StoredRows.") + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // What a failing disk, or somebody with an editor, does to a file.
  static void damage(const std::string& file, const char* statement) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    ASSERT_EQ(sqlite3_changes(database), 1) << statement;
    sqlite3_close(database);
  }

  std::filesystem::path folder_;
};

Study line_of(long count) {
  Study study;
  StudyAxis axis;
  axis.name = "x";
  axis.first = -1;
  axis.second = 2;
  axis.count = count;
  study.over = {axis};
  study.command = "formula";
  study.collect = {{"square", "square"}, {"checksum", "word"}};
  return study;
}

// x², and a word; none beyond 1. Minus zero and no number at all are stored as well.
class Square : public Question {
 public:
  explicit Square(std::atomic<long>* asked) : asked_(asked) {}
  Outcome<std::vector<StudyValue>> ask(std::span<const double> p, std::optional<double>) override {
    ++*asked_;
    if (p[0] > 1) return Failure{"VN-RUN-002", "too far", ""};
    if (p[0] == 0) return std::vector<StudyValue>{-0.0, StudyValue()};
    return std::vector<StudyValue>{p[0] * p[0], p[0] < 0 ? "left" : "right"};
  }

 private:
  std::atomic<long>* asked_;
};

std::string fill(const std::string& file, std::atomic<long>& asked) {
  auto store = std::filesystem::exists(file) ? StudyStore::open(file, StudyStore::Access::write)
                                             : StudyStore::create(file, line_of(7), "fingerprint");
  EXPECT_TRUE(store) << store.failure().message;
  StudyRunOptions options;
  options.threads = 1;
  const StudySummary summary = run_study(
      *store, [&] { return std::make_unique<Square>(&asked); }, options);
  return summary.failure ? std::string(summary.failure->code) : "";
}

TEST_F(StoredRows, FailedPointsAreNotAskedAgain) {
  std::atomic<long> asked = 0;
  EXPECT_EQ(fill(path("a"), asked), "");
  EXPECT_EQ(asked, 7);  // x = -1, -0.5 .. 2: two fail
  EXPECT_EQ(StudyStore::open(path("a"))->count()->failed, 2);
  EXPECT_EQ(fill(path("a"), asked), "");
  EXPECT_EQ(asked, 7);
}

TEST_F(StoredRows, DamagedOnesAreFound) {
  const char* const changes[] = {
      "UPDATE points SET square = square + 1e-15 WHERE point = 1", "UPDATE points SET x = x + 1e-15 WHERE point = 1",
      "UPDATE points SET \"checksum\" = 'lefu' WHERE point = 0",   "UPDATE points SET status = 'done' WHERE point = 6",
      "UPDATE points SET message = 'too fat' WHERE point = 6",     "UPDATE points SET square = NULL WHERE point = 3",
      "UPDATE points SET square = NULL WHERE point = 2",           "DELETE FROM checksums WHERE point = 4"};
  int number = 0;
  for (const char* change : changes) {
    const std::string file = path("store" + std::to_string(number++));
    std::atomic<long> asked = 0;
    ASSERT_EQ(fill(file, asked), "");
    ASSERT_TRUE(StudyStore::open(file)->rows()) << "good before";
    damage(file, change);
    const auto store = StudyStore::open(file);
    ASSERT_TRUE(store);
    // Whoever reads it: a page, a merge, a study that is continued.
    const auto results = read_study_results(*store);
    ASSERT_FALSE(results) << change;
    EXPECT_EQ(results.failure().code, "VN-STUDY-024") << change;
    EXPECT_NE(results.failure().message.find("is damaged: checksum mismatch"), std::string::npos);
    auto into = StudyStore::create(path("into" + std::to_string(number)), line_of(7), "fingerprint");
    ASSERT_TRUE(into);
    const auto merged = merge_store(*store, *into);
    ASSERT_TRUE(merged) << change;
    EXPECT_EQ(merged->code, "VN-STUDY-024");
    asked = 0;
    EXPECT_EQ(fill(file, asked), "VN-STUDY-024") << change;
    EXPECT_EQ(asked, 0);
  }
}

// A boundary at x between 6 and 7 of 8: cells left of 4 stay whole, those from 4 to 6 are halved once. On their common face x = 4
// the number at y = 1 is between those at 0 and 2, which the halved cell has, and not between 0 and 4.
TEST_F(StoredRows, OnAFaceTheSmallerCellInfers) {
  Study study = line_of(3);
  study.over.push_back(study.over[0]);
  study.over[1].name = "y";
  for (StudyAxis& axis : study.over) axis.first = 0, axis.second = 8;
  study.refine = StudyRefinement{"side", {}, 2};
  study.collect = {{"height", "height"}, {"side", "side"}};
  class Slope : public Question {
    Outcome<std::vector<StudyValue>> ask(std::span<const double> p, std::optional<double>) override {
      return std::vector<StudyValue>{p[1] * p[1], p[0] < 6.5 ? "left" : "right"};
    }
  };
  auto store = StudyStore::create(path("face"), study, "fingerprint");
  ASSERT_TRUE(store);
  StudyRunOptions options;
  options.threads = 1;
  ASSERT_FALSE(run_study(
                   *store, [] { return std::make_unique<Slope>(); }, options)
                   .failure);
  int seen = 0;
  const auto rows = store->rows();
  ASSERT_TRUE(rows);
  for (const StudyRow& row : *rows) {
    const double x = row.parameters[0], y = row.parameters[1];
    if (row.status != PointStatus::inferred) continue;
    const bool is_halved = x >= 4;
    const double step = is_halved ? 2 : 4, below = step * std::floor(y / step), s = (y - below) / step;
    const double between = (1 - s) * below * below + s * (below + step) * (below + step);
    EXPECT_NEAR(std::get<double>(row.values[0]), between, 1e-12) << x << " " << y;
    seen += x == 4 ? 1 : 0;
  }
  EXPECT_EQ(seen, 4);  // y = 1, 3, 5, 7
}

}  // namespace
}  // namespace vinculum
