// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints whose checksums are right and whose content is not: sizes and indexes are checked against the model as well.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "vinculum/files/fingerprint.h"
#include "vinculum/files/read_model.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/formats/safe_file.h"
#include "vinculum/math/checksum.h"
#include "vinculum/simulation/checkpoint.h"

namespace vinculum {
namespace {

using Document = nlohmann::ordered_json;

// Two feet of a block on a table that shakes: events, rows, contacts that switch.
constexpr const char* kHops = R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz, ry]}, mass: 2, inertia: 0.1 } }
environment: { table: { surface: plane, position: [0, 0, "0.02*(1 - cos(30*t))"] } }
contacts:
  left: { body: block, with: table, point: [-0.2, 0, 0], forward: x, forbid: [normal, forward] }
  right: { body: block, with: table, point: [0.25, 0, 0], forward: x, forbid: [normal, forward] }
events: { level: "block.ry" }
)yaml";

// Writes a checkpoint after 50 steps, and stops.
class StopsSoon : public RunListener {
 public:
  explicit StopsSoon(ResultsFolder& folder) : folder_(folder) {}
  void on_sample(const Sample& sample) override { folder_.on_sample(sample); }
  void on_step(double) override { ++steps_; }
  bool wants_to_stop() override { return steps_ >= 50; }
  bool wants_checkpoint() override { return steps_ >= 50; }
  void on_checkpoint(const Checkpoint& checkpoint) override { folder_.on_checkpoint(checkpoint); }

 private:
  ResultsFolder& folder_;
  int steps_ = 0;
};

class ForgedCheckpoint : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("vinculum.forged.") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    RunRequest request{"hops.yaml", fingerprint(model_), {}, model_.initial_state()};
    request.options.until = 20;
    request.options.follow = Follow::unilateral;
    auto folder = ResultsFolder::create(path(), model_, request, 1e9);
    ASSERT_TRUE(folder);
    StopsSoon listener(**folder);
    const auto result = run_simulation(model_, request.start, request.options, listener);
    ASSERT_TRUE(result);
    ASSERT_EQ(result->end, RunResult::End::interrupted);
    ASSERT_TRUE((*folder)->finish(*result));
    content_ = Document::parse(*read_whole_file(file().string()))["content"];
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "out").string(); }
  std::filesystem::path file() const { return folder_ / "out/checkpoint.json"; }

  // With a checksum that fits.
  void forge(const Document& content) {
    const std::string text = content.dump();
    std::ofstream(file(), std::ios::binary) << "{\"checksum\":\"" << checksum_of(text) << "\",\"content\":" << text << "}\n";
  }

  // Empty if the run was gone on with.
  std::string refusal() {
    auto resumed = ResultsFolder::resume(path(), model_, fingerprint(model_), 1e9);
    if (!resumed) return std::string(resumed.failure().code);
    RunListener nobody;
    RunOptions options = resumed->request.options;
    options.until = resumed->checkpoint.integrator.t + 0.1;
    const auto result = run_simulation(model_, resumed->request.start, options, nobody, &resumed->checkpoint);
    return result ? "" : std::string(result.failure().code);
  }

  std::filesystem::path folder_;
  const Model model_ = read_model_text(kHops);
  Document content_;
};

TEST_F(ForgedCheckpoint, GoodOneIsGoneOnWith) {
  forge(content_);
  EXPECT_EQ(refusal(), "");
}

// Every entry left out, and every list one shorter, one longer and empty.
TEST_F(ForgedCheckpoint, WrongSizesAreRefused) {
  int tried = 0;
  for (const auto& [key, value] : content_["checkpoint"].items()) {
    Document missing = content_;
    missing["checkpoint"].erase(key);
    forge(missing);
    EXPECT_EQ(refusal(), "VN-FILE-113") << key << " left out";
    ++tried;
    if (!value.is_array() || key == "events" || key == "singular_times" || key == "marks")
      continue;  // the past may have any number of them
    for (const int change : {-1, 1, 0}) {
      if (value.empty() && change <= 0) continue;
      if (key == "integrals" && change > 0) continue;  // one that is not watched any more is dropped
      Document wrong = content_;
      Document& list = wrong["checkpoint"][key];
      if (change < 0) list.erase(list.size() - 1);
      if (change > 0) list.push_back(list.empty() ? Document(0) : list.back());
      if (change == 0) list = Document::array();
      forge(wrong);
      EXPECT_NE(refusal(), "") << key << " by " << change;
      ++tried;
    }
  }
  EXPECT_GT(tried, 40);
}

TEST_F(ForgedCheckpoint, WrongIndexesAndTypesAreRefused) {
  for (const char* key : {"weakest_velocity", "next_sample", "steps", "rejected", "evaluations"}) {
    Document wrong = content_;
    wrong["checkpoint"][key] = -1000000;
    forge(wrong);
    EXPECT_EQ(refusal(), "VN-RUN-140") << key;
  }
  Document wrong = content_;
  wrong["checkpoint"]["weakest_velocity"] = 3;  // velocities 0, 1, 2
  forge(wrong);
  EXPECT_EQ(refusal(), "VN-RUN-140");
  for (const auto& [key, value] : content_["checkpoint"].items()) {
    for (const Document& other : {Document("text"), Document(nullptr), Document{{"a", 1}}}) {
      wrong = content_;
      wrong["checkpoint"][key] = other;
      forge(wrong);
      EXPECT_NE(refusal(), "") << key << " = " << other;
    }
  }
}

TEST_F(ForgedCheckpoint, OtherVersionIsRefused) {
  content_["run"]["vinculum"] = "0.0.9";
  forge(content_);
  EXPECT_EQ(refusal(), "VN-FILE-144");
}

TEST_F(ForgedCheckpoint, OtherModelIsRefused) {
  content_["run"]["fingerprint"] = "0123456789abcdef";
  forge(content_);
  EXPECT_EQ(refusal(), "VN-FILE-112");
}

}  // namespace
}  // namespace vinculum
