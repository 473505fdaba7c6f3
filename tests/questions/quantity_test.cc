// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Quantities of a run against what stands in its document at the same path.
#include "vinculum/questions/quantity.h"

#include <limits>

#include <gtest/gtest.h>

#include "vinculum/files/json_text.h"
#include "vinculum/files/read_model.h"
#include "vinculum/study/collect.h"

namespace vinculum {
namespace {

// Slips, stops and starts; outputs; an event of the model.
const char* const kBlock = R"yaml(
vinculum: 1
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2 kg, inertia: 0 } }
forces: { pull: { joint: block, law: "3*sin(2*t)" } }
velocity_constraints: { stick: { equation: "block' = 0", bound: 1 N } }
events: { middle: "block - 0.2 m" }
outputs: { twice: "2*block'", way: "block" }
)yaml";

// Falls on a floor, with an impact.
const char* const kBall = R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
environment: { ground: { position: [0, 0, 0] } }
bodies: { ball: { joint: { type: prismatic, axis: z }, mass: 1 kg, inertia: 0.1 } }
contacts: { floor: { body: ball, with: ground, point: [0, 0, 0], forbid: [normal] } }
initial: { ball: 1 }
)yaml";

// Every path to a value of a document, as a study would write it.
void list_paths(const Json& node, const std::string& path, std::vector<std::string>& paths) {
  const auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  if (node.is_object()) {
    for (const auto& [name, value] : node.items()) list_paths(value, below(name), paths);
  } else if (node.is_array()) {
    for (size_t i = 0; i < node.size(); ++i) {
      const bool is_verdict = node[i].is_object() && node[i].contains("verdict");
      const char* const key = is_verdict ? "subject" : "name";
      const bool is_named = node[i].is_object() && node[i].contains(key);
      list_paths(node[i], below(is_named ? node[i][key].get<std::string>() : std::to_string(i)), paths);
    }
  } else {
    paths.push_back(path);
  }
}

struct Case {
  const char* name;
  const char* model;
  Follow follow;
  std::vector<std::string> found;  // some that must be quantities
};

class QuantitiesOfRuns : public ::testing::TestWithParam<Case> {};

TEST_P(QuantitiesOfRuns, AreWhatTheDocumentSays) {
  const Model model = read_model_text(GetParam().model);
  RunOptions options;
  options.until = 3;
  options.follow = GetParam().follow;
  RunListener nobody;
  const auto result = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(result) << result.failure().message;
  ASSERT_FALSE(result->events.empty());
  ASSERT_FALSE(result->verdicts.empty());
  Json document = Json::object();
  add_result(document, model, *result);

  std::vector<std::string> paths;
  list_paths(document, "", paths);
  for (const Verdict& verdict : result->verdicts) paths.push_back(verdict.subject + ".margin");
  for (const char* absent : {"events.nobody.t", "nobody.margin", "verdicts.nobody.why"}) paths.emplace_back(absent);
  for (const OutputNumbers& output : result->outputs) paths.push_back("outputs." + output.name);
  int compared = 0;
  for (const std::string& path : paths) {
    const auto quantity = find_run_quantity(model, path);
    if (!quantity) continue;
    EXPECT_EQ(value_of(*quantity, *result), collect_value(document, path)) << path;
    compared += value_of(*quantity, *result) == StudyValue() ? 0 : 1;
  }
  EXPECT_GT(compared, 30);
  for (const std::string& path : GetParam().found) {
    const auto quantity = find_run_quantity(model, path);
    ASSERT_TRUE(quantity) << path;
    EXPECT_NE(value_of(*quantity, *result), StudyValue()) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, QuantitiesOfRuns,
    ::testing::Values(
        Case{"Block",
             kBlock,
             Follow::frictional,
             {"final.q.block", "final.v.block'", "events.slip:stick.t", "events.middle.direction", "stick.verdict",
              "verdicts.stick.first_violation", "outputs.twice", "outputs.way.max", "outputs.twice.rms", "steps", "samples",
              "integrator"}},
        Case{"Ball", kBall, Follow::unilateral, {"events.touch-down:floor.energy_lost", "floor.normal.verdict", "final.t"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

// A verdict that is called as the whole path is not one value, whoever comes first; the longest name that leads on is taken.
TEST(Quantities, NamesMayHavePointsInThem) {
  const Model model = read_model_text(kBall);
  RunResult result;
  result.final = model.initial_state();
  for (const char* subject : {"a", "a.b", "c", "c.margin"}) {
    Verdict verdict;
    verdict.subject = subject;
    verdict.margin = static_cast<double>(result.verdicts.size());
    result.verdicts.push_back(verdict);
  }
  Json document = Json::object();
  add_result(document, model, result);
  for (const char* path : {"a.margin", "a.b.margin", "c.margin", "verdicts.c.margin", "verdicts.a.b.why", "b.margin"}) {
    const auto quantity = find_run_quantity(model, path);
    ASSERT_TRUE(quantity) << path;
    EXPECT_EQ(value_of(*quantity, result), collect_value(document, path)) << path;
  }
  EXPECT_EQ(value_of(*find_run_quantity(model, "a.b.margin"), result), StudyValue(1.0));
}

TEST(Quantities, AnUnknownNameHasTheNearest) {
  const Model model = read_model_text(kBlock);
  std::string nearest;
  EXPECT_FALSE(find_run_quantity(model, "final.q.blok", &nearest));
  EXPECT_EQ(nearest, "final.q.block");
  EXPECT_FALSE(find_evaluation_quantity(model, "accelerations.blok'", &nearest));
  EXPECT_EQ(nearest, "accelerations.block'");
  EXPECT_FALSE(find_run_quantity(model, "final.modes.stick", &nearest));  // in the document alone
}

// What no verdict and no number may hide: the document refuses these, and so must whoever does not write one.
TEST(Quantities, NumbersThatAreNoneAreSeen) {
  RunResult result;
  result.final.q = {1};
  result.final.v = {0};
  Verdict verdict;
  verdict.why = "holds";
  result.verdicts.push_back(verdict);
  EXPECT_TRUE(is_all_finite(result));
  const double infinite = std::numeric_limits<double>::infinity();
  RunResult other = result;
  other.verdicts[0].margin = infinite;
  EXPECT_FALSE(is_all_finite(other));
  other = result;
  other.final.v[0] = infinite;
  EXPECT_FALSE(is_all_finite(other));
  other = result;
  other.events.emplace_back().energy_lost = infinite;
  EXPECT_FALSE(is_all_finite(other));
}

}  // namespace
}  // namespace vinculum
