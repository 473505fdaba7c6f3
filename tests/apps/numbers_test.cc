// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// No command hands out what is not a number: answers that overflowed are refused, and the quantity is named.
#include <cmath>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Numbers : public InScratchFolder {};

// L² is beyond all doubles.
const char* const kHuge = R"(
vinculum: 1
parameters: { L: 1e160 }
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 2, com: [L, 0, 0], inertia: 0.1 }
  hand: { parent: arm, joint: {type: revolute, axis: y, origin: [L, 0, 0]}, mass: 2, com: [L, 0, 0], inertia: 0.1 }
initial: { "arm'": 1 }
)";

bool is_clean(const std::string& text) {
  for (const char* word : {"nan", "NAN", " inf", "-inf", "INFINITY"}) {
    if (text.find(word) != std::string::npos) return false;
  }
  return true;
}

TEST_F(Numbers, AnswersBeyondAllNumbersAreRefused) {
  write("huge.yaml", kHuge);
  for (const char* command :
       {"evaluate", "evaluate --form vector", "inverse", "inverse --drives arm,hand", "derive", "derive --to c",
        "derive --to latex", "linearise", "equilibrium", "simulate --until 1", "series --order 4"}) {
    const auto text = run(command + std::string(" huge.yaml"));
    EXPECT_EQ(text.exit_code, 1) << command;
    EXPECT_TRUE(is_clean(text.output) && is_clean(text.errors)) << command << "\n" << text.output << text.errors;
    const auto json = run(command + std::string(" huge.yaml --json"));
    EXPECT_EQ(json.exit_code, 1) << command;
    EXPECT_EQ(json.output.find("null"), std::string::npos) << command << "\n" << json.output;
    EXPECT_FALSE(json.json()["diagnostics"].empty()) << command;
  }
  const auto inverse = run("inverse huge.yaml --json");
  EXPECT_EQ(inverse.json()["diagnostics"][0]["code"], "VN-RUN-132");
  EXPECT_NE(inverse.errors.find("forces, arm' is not a finite number"), std::string::npos) << inverse.errors;
  EXPECT_FALSE(inverse.json().contains("forces"));
}

// Nor is a table or a state of them left behind.
TEST_F(Numbers, NoFileOfThemIsWritten) {
  write("huge.yaml", kHuge);
  write("motion.csv", "t [s],arm [rad],hand [rad]\n0,0,0\n1,1,1\n2,0,4\n3,1,9\n4,0,0\n");
  for (const char* command :
       {"inverse huge.yaml --motion motion.csv -o forces.csv", "equilibrium huge.yaml --write-state forces.csv"}) {
    const auto result = run(command);
    EXPECT_EQ(result.exit_code, 1) << command << "\n" << result.errors;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "forces.csv")) << command;
  }
  EXPECT_NE(run("inverse huge.yaml --motion motion.csv -o forces.csv").errors.find("VN-RUN-132"), std::string::npos);
}

// An environment body whose acceleration overflows, and the kinetic energy of a fast body: the element is named.
TEST_F(Numbers, TheElementIsNamed) {
  write("deck.yaml", R"yaml(
vinculum: 1
bodies: { b: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0.1 } }
environment: { deck: { position: [0, 0, "1e200*sin(1e60*(t + 1))"] } }
)yaml");
  const auto deck = run("evaluate deck.yaml --json");
  EXPECT_EQ(deck.exit_code, 1);
  EXPECT_NE(deck.errors.find("environment, deck, acceleration, entry 3 is not a finite number"), std::string::npos)
      << deck.errors;
  write("fast.yaml", R"(
vinculum: 1
bodies: { b: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0.1 } }
initial: { "b'": 1e155 }
)");
  const auto fast = run("evaluate fast.yaml");
  EXPECT_EQ(fast.exit_code, 1);
  EXPECT_NE(fast.errors.find("energy, kinetic is not a finite number"), std::string::npos) << fast.errors;
  EXPECT_EQ(fast.output, "");
  // A run does not write such a sample.
  const auto ran = run("simulate fast.yaml --until 1 --output out --no-report --json");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.errors.find("VN-RUN-132"), std::string::npos) << ran.errors;
  EXPECT_TRUE(is_clean(read_file(folder_ / "out" / "states.csv"))) << read_file(folder_ / "out" / "states.csv");
  EXPECT_TRUE(is_clean(ran.errors)) << ran.errors;
}

// A body's name may be any word, also this one.
TEST_F(Numbers, NamesAreNoNumbers) {
  write("nan.yaml", "vinculum: 1\nbodies: { nan: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0.1 } }\n");
  const auto run = this->run("evaluate nan.yaml");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NE(run.output.find("nan'"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::testing
