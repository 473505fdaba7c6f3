// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/report.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/support/expect.h"
#include "vinculum/formats/base64.h"
#include "vinculum/page/report_page.h"

namespace vinculum {
namespace {

using Json = nlohmann::json;

// Independent of the encoder: the value of every character, six bits at a time.
template <class Number>
std::vector<Number> decode(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

// A pendulum of a point mass, 2 m long, on a pin along y.
Model pendulum() {
  ModelDescription description;
  description.name = "pendulum";
  BodyDescription bob;
  bob.name = "bob";
  bob.joint.type = JointType::revolute;
  bob.joint.axis = Vector3{0, 1, 0};
  bob.mass = 3.0;
  bob.com = Vector3{0, 0, -2};
  description.bodies = {bob};
  Diagnostics diagnostics;
  return *build_model(description, diagnostics);
}

// The pendulum turning at 1 rad/s, `count` samples, 1/8 s apart.
Report turning(int count) {
  Report report;
  report.title = "turning";
  report.body_poses.resize(1);
  report.series = {{"coordinates", "bob", "rad", {}}};
  for (int k = 0; k < count; ++k) {
    const double t = k / 8.0;
    report.times.push_back(t);
    report.body_poses[0].push_back({{}, {std::cos(t / 2), 0, std::sin(t / 2), 0}});
    report.series[0].values.push_back(t);
  }
  return report;
}

Json document_of(const Model& model, const Report& report, std::size_t largest = kLargestReport) {
  const auto document = report_document(model, report, largest);
  EXPECT_TRUE(document) << document.failure().message;
  EXPECT_LE(document->size(), largest);
  return Json::parse(*document);
}

// 1.0 has the bytes 00 00 80 3F in single, 00 00 00 00 00 00 F0 3F in double precision (IEEE 754), least significant first.
TEST(Base64, KnownBytes) {
  EXPECT_EQ(to_base64(std::vector<float>{1}), "AACAPw==");
  EXPECT_EQ(to_base64(std::vector<double>{1}), "AAAAAAAA8D8=");
  EXPECT_EQ(to_base64(std::vector<float>{1, 1, 1}), "AACAPwAAgD8AAIA/");
  EXPECT_EQ(to_base64(std::vector<float>{}), "");
  EXPECT_EQ(base64_size(4), 8u);
  EXPECT_EQ(base64_size(12), 16u);
}

TEST(ReportDocument, CarriesMotionAndCurves) {
  Report report = turning(5);
  report.facts = {{"steps", "17"}};
  report.events = {{0.25, "top"}};
  report.verdicts = {{"pin", Holds::violated, 0.5, 0.125, "too weak"}, {"rod", Holds::holds, std::nullopt, std::nullopt, ""}};
  const Json document = document_of(pendulum(), report);

  EXPECT_EQ(document["title"], "turning");
  EXPECT_EQ(decode<double>(document["times"]), report.times);
  EXPECT_EQ(decode<double>(document["series"][0]["values"]), report.series[0].values);
  EXPECT_EQ(document["series"][0]["unit"], "rad");
  EXPECT_EQ(document["series"][0]["largest"], 0.5);
  const auto poses = decode<float>(document["bodies"][0]["poses"]);
  ASSERT_EQ(poses.size(), 7u * 5);
  EXPECT_EQ(poses[7 * 4 + 3], static_cast<float>(std::cos(0.25)));
  EXPECT_EQ(poses[7 * 4 + 5], static_cast<float>(std::sin(0.25)));
  EXPECT_EQ(document["samples"], (Json{{"shown", 5}, {"total", 5}}));
  EXPECT_EQ(document["gravity"], (Json{0, 0, -9.81}));
  EXPECT_EQ(document["facts"], (Json::array({{{"name", "steps"}, {"value", "17"}}})));
  EXPECT_EQ(document["events"]["total"], 1);
  EXPECT_EQ(document["events"]["names"], (Json{"top"}));
  EXPECT_EQ(decode<double>(document["events"]["times"]), (std::vector<double>{0.25}));
  EXPECT_EQ(decode<float>(document["events"]["which"]), (std::vector<float>{0}));
  EXPECT_EQ(document["verdicts"][0], (Json{{"subject", "pin"},
                                           {"verdict", "violated"},
                                           {"margin", 0.5},
                                           {"first_violation", 0.125},
                                           {"why", "too weak"},
                                           {"hint", ""},
                                           {"term", ""},
                                           {"element", ""},
                                           {"nearest_t", nullptr}}));
  EXPECT_EQ(document["verdicts"][1]["margin"], nullptr);
}

// Names stand once, however many events have them.
TEST(ReportDocument, NamesEventsOnce) {
  Report report = turning(5);
  for (int k = 0; k < 1000; ++k) report.events.push_back({k / 2000.0, k % 3 == 0 ? "third" : "other"});
  const Json events = document_of(pendulum(), report)["events"];
  EXPECT_EQ(events["names"], (Json{"third", "other"}));
  const auto times = decode<double>(events["times"]);
  const auto which = decode<float>(events["which"]);
  ASSERT_EQ(times.size(), 1000u);
  for (size_t k = 0; k < 1000; ++k) {
    ASSERT_EQ(times[k], k / 2000.0);
    ASSERT_EQ(which[k], k % 3 == 0 ? 0 : 1);
  }
}

TEST(ReportDocument, CarriesGivenForces) {
  Report report = turning(2);
  report.arrows = {{"loads", "wind", 0, {0, 0, -2}, false, {{1, 2, 2}, {0, 3, 4}}}};
  const Json arrow = document_of(pendulum(), report)["arrows"][0];
  EXPECT_EQ(arrow["body"], 0);
  EXPECT_EQ(arrow["point"], (Json{0, 0, -2}));
  EXPECT_EQ(arrow["moment"], false);
  EXPECT_EQ(arrow["largest"], 5);
  EXPECT_EQ(decode<float>(arrow["vectors"]), (std::vector<float>{1, 2, 2, 0, 3, 4}));
}

// A foot that slides along x at 2 m/s, pressed by a growing force.
ReportElement sliding(const std::vector<double>& times) {
  ReportElement foot{"foot", {true, false, false}, {true, false, false}, {}, {}};
  for (const double t : times) {
    foot.frames.push_back({{2 * t, 0, 1}, {0.5, -0.5, 0.5, 0.5}});
    foot.forces.push_back({3 * t, 0, 4 * t});
  }
  return foot;
}

TEST(ReportDocument, CarriesElements) {
  Report report = turning(3);
  report.elements = {sliding(report.times)};
  report.elements[0].apart = {{0.25, 0.5}};
  const Json foot = document_of(pendulum(), report)["elements"][0];
  EXPECT_EQ(foot["apart"], (Json{{0.25, 0.5}}));
  EXPECT_EQ(foot["name"], "foot");
  EXPECT_EQ(foot["along"], (Json{true, false, false}));
  EXPECT_EQ(foot["about"], (Json{true, false, false}));
  EXPECT_EQ(foot["largest"], 1.25);                                                              // |(3, 0, 4)| / 4
  EXPECT_EQ(decode<float>(foot["frames"]), (std::vector<float>{0,    0, 1, 0.5, -0.5, 0.5, 0.5,  //
                                                               0.25, 0, 1, 0.5, -0.5, 0.5, 0.5,  //
                                                               0.5,  0, 1, 0.5, -0.5, 0.5, 0.5}));
  EXPECT_EQ(decode<float>(foot["forces"]), (std::vector<float>{0, 0, 0, 0.375, 0, 0.5, 0.75, 0, 1}));
}

// 28 bytes of the foot's frame and 12 of its force are added to the 44 of a sample.
TEST(ReportDocument, ThinsElementsLikeBodies) {
  constexpr std::size_t kLargest = 50'000;
  Report report = turning(10'001);
  report.elements = {sliding(report.times)};
  const Json document = document_of(pendulum(), report, kLargest);
  const auto times = decode<double>(document["times"]);
  EXPECT_GT(times.size(), 0.95 * kLargest / (84 * 4 / 3.0));
  const auto forces = decode<float>(document["elements"][0]["forces"]);
  ASSERT_EQ(forces.size(), 3 * times.size());
  for (std::size_t k = 0; k < times.size(); ++k) ASSERT_EQ(forces[3 * k + 2], static_cast<float>(4 * times[k]));
}

// A body that never moves is told once; so is a run of one sample.
TEST(ReportDocument, TellsARestingBodyOnce) {
  Report report = turning(4);
  for (ReportPose& pose : report.body_poses[0]) pose = {{1, 2, 3}, {1, 0, 0, 0}};
  EXPECT_EQ(decode<float>(document_of(pendulum(), report)["bodies"][0]["poses"]), (std::vector<float>{1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(document_of(pendulum(), turning(1))["samples"]["shown"], 1);
}

TEST(ReportDocument, TellsHowManySamplesTheRunHad) {
  Report report = turning(3);
  report.samples_of_run = 12'345;
  EXPECT_EQ(document_of(pendulum(), report)["samples"], (Json{{"shown", 3}, {"total", 12'345}}));
}

TEST(ReportDocument, TurnsABackwardRunRound) {
  Report report = turning(3);
  for (double& t : report.times) t = -t;
  const Json document = document_of(pendulum(), report);
  EXPECT_EQ(decode<double>(document["times"]), (std::vector<double>{-0.25, -0.125, 0}));
  EXPECT_EQ(decode<double>(document["series"][0]["values"]), (std::vector<double>{0.25, 0.125, 0}));
}

// 8 + 8 bytes of time and curve and 28 of the pose are 44 · 4/3 characters a sample.
TEST(ReportDocument, ThinsEvenlyAndKeepsBothEnds) {
  constexpr std::size_t kLargest = 50'000;
  const Report report = turning(100'001);
  const Json document = document_of(pendulum(), report, kLargest);
  const auto times = decode<double>(document["times"]);
  EXPECT_GT(times.size(), 0.95 * kLargest / (44 * 4 / 3.0));
  EXPECT_EQ(document["samples"], (Json{{"shown", times.size()}, {"total", 100'001}}));
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), 12'500);
  const double even = 12'500.0 / static_cast<double>(times.size() - 1);
  for (std::size_t k = 1; k < times.size(); ++k) ASSERT_NEAR(times[k] - times[k - 1], even, 0.125);
  EXPECT_EQ(decode<double>(document["series"][0]["values"]), times);
}

// The first group stays, the second is too much: 200 samples of 60 curves are 128 000 characters.
TEST(ReportDocument, LeavesOutGroupsRatherThanSamples) {
  Report report = turning(1000);
  for (int i = 0; i < 60; ++i) report.series.push_back({"reactions", "r" + std::to_string(i), "N", report.times});
  const Json document = document_of(pendulum(), report, 100'000);
  ASSERT_EQ(document["series"].size(), 1u);
  EXPECT_EQ(document["series"][0]["name"], "bob");
  EXPECT_EQ(document["samples"]["shown"], 1000);
  ASSERT_EQ(document["warnings"].size(), 1u);
  EXPECT_NE(document["warnings"][0].get<std::string>().find("'reactions' (60)"), std::string::npos);

  const auto refused = report_document(pendulum(), report, 500);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "VN-FILE-062");
}

TEST(ReportDocument, IsSafeInsideAScriptElement) {
  Report report = turning(2);
  report.title = "</script><script>alert(1)</script><!-- \xff";
  const auto document = report_document(pendulum(), report);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(*document)["title"], "</script><script>alert(1)</script><!-- \ufffd");
}

class ReportFile : public ::testing::Test {
 protected:
  ReportFile()
      : folder_(std::filesystem::path(::testing::TempDir()) / "vinculum_report_test" /
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  ~ReportFile() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(ReportFile, IsWrittenAsAWhole) {
  const std::string path = folder_ / "report.html";
  const Report report = turning(3);
  const auto written = write_report(path, pendulum(), report);
  if (!report_page_available()) {
    EXPECT_EQ(written.failure().code, "VN-FILE-061");
    EXPECT_NE(written.failure().hint.find("npm"), std::string::npos);
    return;
  }
  ASSERT_TRUE(written) << written.failure().message;
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find(*report_document(pendulum(), report)), std::string::npos);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(ReportFile, StaysBelowTwentyMegabytes) {
  if (!report_page_available()) GTEST_SKIP() << "built without the page";
  Report report = turning(40'000);
  for (int i = 0; i < 80; ++i) report.series.push_back({"coordinates", "c" + std::to_string(i), "m", report.times});
  const std::string path = folder_ / "report.html";
  ASSERT_TRUE(write_report(path, pendulum(), report));
  EXPECT_LT(std::filesystem::file_size(path), 20'000'000u);
  EXPECT_GT(std::filesystem::file_size(path), 19'000'000u);
}

TEST_F(ReportFile, SaysWhyItCannotBeWritten) {
  if (!report_page_available()) GTEST_SKIP() << "built without the page";
  const auto written = write_report(folder_ / "nowhere" / "report.html", pendulum(), turning(3));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.failure().code, "VN-FILE-060");
  EXPECT_NE(written.failure().message.find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
