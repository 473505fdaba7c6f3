// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `variants`, `limit` and `pad` as other programs call them.
#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class VariantsCommand : public InScratchFolder {};

// Theory 5, W3: the bar clamp with f = 0.25, M = -1.
constexpr const char* kClamp =
    R"({"B1": [[-1, -1], [0.225, 0.025]], "B2": [[1, 1], [0.025, 0.225]], "F1": [[0, 0], [0.125, 0.125]],
        "F2": [[0, 0], [0.125, 0.125]], "d": [1, 1]})";

TEST_F(VariantsCommand, BareProblem) {
  write("clamp.json", kClamp);
  const auto run = this->run("variants --problem clamp.json --compare --plot path.svg --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["verdict"], "several (chosen by continuation)");
  EXPECT_EQ(json["count"], 2);
  EXPECT_NEAR(json["critical_friction_scale"].get<double>(), 0.8, 1e-12);
  EXPECT_EQ(json["unique_for_all_loads"], false);
  EXPECT_EQ(json["continuation"]["reason"], "reached");
  for (const auto& solution : json["solutions"]) {
    const bool chosen = solution["chosen"];
    EXPECT_EQ(solution["faces"]["1"], chosen ? 1 : 2);
    EXPECT_NEAR(solution["signed_N"]["1"].get<double>(), chosen ? -1.722222222222222 : 20.5, 1e-12);
    EXPECT_EQ(solution["jacobian_sign"], chosen ? 1 : -1);
  }
}

// Theory 5, W8 and W5, as models: a free body between two planes on three pairs of pads.
std::string body_on_pads(const char* load, const char* start) {
  return std::string(R"yaml(
vinculum: 1
bodies:
  body: { joint: {type: free}, mass: 3, inertia: [0.9, 0.9, 0.9, 0, -0.12, 0.08] }
guides:
  planes:
    body: body
    pairs:
      - face1: {point: [0.5, 0.02, 0.45], normal: [0, 0, -1], friction: 0.2, pad: {radius: 0.06, pressure: uniform}}
        face2: {point: [0.45, -0.03, -0.6], normal: [0, 0, 1], friction: 0.35, pad: {radius: 0.08, pressure: uniform}}
      - face1: {point: [-0.3, 0.42, 0.45], normal: [0, 0, -1], friction: 0.25, pad: {radius: 0.05, pressure: uniform}}
        face2: {point: [-0.32, 0.4, -0.6], normal: [0, 0, 1], friction: 0.4, pad: {radius: 0.07, pressure: uniform}}
      - face1: {point: [-0.25, -0.38, 0.45], normal: [0, 0, -1], friction: 0.3, pad: {radius: 0.09, pressure: uniform}}
        face2: {point: [-0.2, -0.45, -0.6], normal: [0, 0, 1], friction: 0.3, pad: {radius: 0.06, pressure: uniform}}
forces:
  push: { body: body, point: [0, 0, 0], frame: world, )yaml") +
         load + " }\ninitial: {" + start + "}\n";
}

TEST_F(VariantsCommand, LimitOfABodyOnPads) {
  write("body.yaml",
        body_on_pads("force: [4, 2.5, 0], torque: [0, 0, 0.8]", "body.qw: 0.988771077936042, body.qz: 0.149438132473599"));
  const auto run = this->run("limit body.yaml --load push --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["verdict"], "limited");
  EXPECT_NEAR(json["alpha"].get<double>(), 1.972875174971, 1e-10);
  EXPECT_NEAR(json["first_loss"].get<double>(), 1.972875174971, 1e-10);
  EXPECT_EQ(json["faces"]["planes.3"], 2);
  EXPECT_NEAR(json["slip_direction"]["body.wz"].get<double>(), 0.782915638634, 1e-9);
  const auto wrong = this->run("limit body.yaml --load pusch");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.errors.find("did you mean 'push'"), std::string::npos) << wrong.errors;
}

TEST_F(VariantsCommand, VariantsOfABodyOnPads) {
  write("body.yaml",
        body_on_pads(
            "force: [1, -2, 0], torque: [6, 1.5, 0.7]",
            "body.qw: 0.939372712847379, body.qz: 0.342897807455451, \"body.tx'\": 1.2, \"body.ty'\": -0.4, body.wz: 2.5"));
  const auto run = this->run("variants body.yaml --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["verdict"], "unique");
  const auto& solution = json["solutions"][0];
  EXPECT_NEAR(solution["signed_N"]["planes.1"].get<double>(), 13.951519766700756, 1e-11);
  EXPECT_NEAR(solution["signed_N"]["planes.2"].get<double>(), -0.108041498209102, 1e-11);
  EXPECT_NEAR(solution["accelerations"]["body.wz"].get<double>(), -2.018681951615628, 1e-11);
  EXPECT_NEAR(json["critical_friction_scale"].get<double>(), 8.923635685885143, 1e-9);
  EXPECT_NEAR(json["continuation"]["switches"][0]["scale"].get<double>(), 0.977225560790700, 1e-10);
}

TEST_F(VariantsCommand, Pad) {
  const auto run = this->run("pad --pressure uniform --beta 0.5,1 --gyration 0.5 --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NEAR(run.json()["S"][0].get<double>(), 0.483843755630126, 1e-14);
  EXPECT_NEAR(run.json()["final_ratio"].get<double>(), 0.653001789205598, 1e-13);
  EXPECT_EQ(this->run("pad --gyration 0.2 --json").json()["final_ratio"], nullptr);
}

TEST_F(VariantsCommand, WrongInputIsRefused) {
  write("short.json", R"({"B1": [[1]], "B2": [[1]], "F1": [[0]], "d": [1]})");
  write("not.json", "B1");
  write("far.json", R"({"d": [1e999]})");
  const struct {
    const char* arguments;
    int exit_code;
    const char* words;
  } cases[] = {{"variants --problem short.json", 3, "F2 is missing"},
               {"variants --problem not.json", 3, "is not valid JSON from character 1 on"},
               {"variants --problem far.json", 3, "beyond 1.8e308"},
               {"variants --problem none.json", 2, "cannot be read"},
               {"variants", 2, "either a model or --problem"},
               {"pad --pressure power:-2 --beta 1", 3, "at least -1"},
               {"pad --pressure cosine:-1 --beta 1", 3, "above -1"},
               {"pad --pressure soft --beta 1", 2, "'soft' is not a known pressure"},
               {"pad --beta=-1", 3, "negative"}};
  for (const auto& [arguments, exit_code, words] : cases) {
    const auto run = this->run(arguments);
    EXPECT_EQ(run.exit_code, exit_code) << arguments;
    EXPECT_NE(run.errors.find(words), std::string::npos) << arguments << ": " << run.errors;
  }
}

}  // namespace
}  // namespace vinculum::testing
