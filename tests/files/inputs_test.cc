// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `inputs:` and `samples:` of model files: what is read, written again, set, and refused.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/scratch_path.h"
#include "vinculum/files/json_text.h"
#include "vinculum/files/read_model.h"
#include "vinculum/files/read_motion.h"
#include "vinculum/files/varied_model.h"
#include "vinculum/files/write_model.h"
#include "vinculum/model/units.h"

namespace vinculum::inputs_in_files {
namespace {

const std::string kMotor = R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.4], inertia: 0.02 } }
inputs: { torque: { unit: N*m, initial: 1, range: [-20, 20] } }
forces: { motor: { joint: arm, law: "torque" } }
)yaml";

ReadOptions setting(const std::string& value) {
  ReadOptions options;
  options.overrides.push_back({"torque", value});
  return options;
}

std::string codes(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.list()) text += std::string(d.code) + " " + d.message + "\n";
  return text;
}

TEST(InputsInFiles, HaveValuesUnitsAndPlaces) {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/tests/files/good_models/inputs.yaml", diagnostics);
  ASSERT_TRUE(model) << codes(diagnostics);
  EXPECT_EQ(codes(diagnostics), "");
  EXPECT_EQ(model->coordinate_names(), (std::vector<std::string>{"cart", "arm", "travel", "torque", "speed", "speed'", "spin",
                                                                 "share", "wind", "plain", "sum", "last", "u", "seen"}));
  const std::vector<std::string> units = state_units(*model).coordinates;
  EXPECT_EQ(units, (std::vector<std::string>{"m", "rad", "", "N*m", "m/s", "m/s^2", "1/s", "1", "m/s", "", "s", "", "N*m", ""}));
  const std::vector<double>& q = model->initial_state().q;
  EXPECT_EQ((std::vector<double>(q.begin() + 2, q.end())), (std::vector<double>{0, 0.5, 0.02, 0, 0, 0, 1, 3, 1e-3, 0, 0.2, 0.1}));
  ASSERT_EQ(model->inputs().size(), 6u);
  const Input &torque = model->inputs()[0], &speed = model->inputs()[1], &wind = model->inputs()[4];
  EXPECT_EQ(torque.unit, "N*m");
  EXPECT_EQ(torque.range, (std::array{-20., 20.}));
  EXPECT_EQ(torque.rate_q, -1);
  EXPECT_EQ(speed.rate_q, speed.q + 1);
  EXPECT_EQ(wind.initial, 1);  // `initial` has the last word
  EXPECT_FALSE(wind.range);
}

// Written and read again it is the same model, and the same text.
TEST(InputsInFiles, ComeBackFromWriting) {
  std::ifstream file(VINCULUM_SOURCE_DIR "/tests/files/good_models/inputs.yaml");
  std::stringstream text;
  text << file.rdbuf();
  Diagnostics diagnostics;
  const auto first = read_description(text.str(), diagnostics);
  ASSERT_TRUE(first) << codes(diagnostics);
  const std::string written = write_model(*first);
  const auto second = read_description(written, diagnostics);
  ASSERT_TRUE(second) << codes(diagnostics) << written;
  EXPECT_EQ(write_model(*second), written);
  Diagnostics nothing;
  const auto a = build_model(*first, nothing), b = build_model(*second, nothing);
  ASSERT_TRUE(a && b) << codes(nothing);
  EXPECT_EQ(a->coordinate_names(), b->coordinate_names());
  EXPECT_EQ(a->initial_state().q, b->initial_state().q);
  // What is computed from parameters loses their units: they are written as numbers.
  const auto units = [](const Model& model) {
    std::vector<std::string> of_inputs;
    for (const Input& input : model.inputs()) of_inputs.push_back(input.unit);
    return of_inputs;
  };
  EXPECT_EQ(units(*a), units(*b));
  EXPECT_EQ(units(*a), (std::vector<std::string>{"N*m", "m/s", "1/s", "1", "m/s", ""}));
  ASSERT_EQ(a->sampled_laws().size(), b->sampled_laws().size());
  for (size_t i = 0; i < a->sampled_laws().size(); ++i) {
    const SampledLaw &x = a->sampled_laws()[i], &y = b->sampled_laws()[i];
    EXPECT_EQ(x.every, y.every);
    EXPECT_EQ(x.offset, y.offset);
    ASSERT_EQ(x.entries.size(), y.entries.size());
    for (size_t k = 0; k < x.entries.size(); ++k) {
      EXPECT_EQ(x.entries[k].q, y.entries[k].q);
      EXPECT_EQ(to_text(x.entries[k].formula), to_text(y.entries[k].formula));
    }
  }
}

TEST(InputsInFiles, AreSetByTheCommandLineWithinTheirRange) {
  for (const auto& [value, expected] : {std::pair{"3", 3.0}, std::pair{"-20 N*m", -20.0}}) {
    Diagnostics diagnostics;
    const auto model = read_model(kMotor, diagnostics, setting(value));
    ASSERT_TRUE(model) << codes(diagnostics);
    EXPECT_EQ(model->initial_state().q[1], expected);
    EXPECT_EQ(model->inputs()[0].initial, expected);
  }
  for (const auto& [value, code] : {std::pair{"20.5", "VN-INPUT-001"}, std::pair{"3 m", "VN-FILE-019"}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_model(kMotor, diagnostics, setting(value)));
    ASSERT_EQ(diagnostics.list().size(), 1u);
    EXPECT_EQ(diagnostics.list()[0].code, code) << codes(diagnostics);
    EXPECT_EQ(diagnostics.list()[0].place.line, 0);  // the file is not to blame
  }
}

// A study changes an input as it changes a start, without reading the model again; what is out of range is refused, and the next
// point is good again.
TEST(InputsInFiles, AreAxesOfStudies) {
  Diagnostics diagnostics;
  const auto source = ModelSource::parse(kMotor, diagnostics);
  ASSERT_TRUE(source);
  VariedModel varied(*source);
  for (const char* value : {"1", "2.5", "21", "-3"}) {
    Diagnostics told;
    const auto model = varied.build(told, setting(value));
    EXPECT_EQ(model == nullptr, std::string(value) == "21") << codes(told);
    if (model == nullptr) continue;
    EXPECT_EQ(model->initial_state().q[1], std::stod(value));
    EXPECT_EQ(model->inputs()[0].initial, std::stod(value));
  }
}

TEST(InputsInFiles, AreReadFromStatesWithinTheirRange) {
  const Model model = read_model_text(kMotor);
  State state = model.initial_state();
  Diagnostics good;
  ASSERT_TRUE(read_state(R"({"q": {"torque": -7.5}})", model, state, nullptr, good));
  EXPECT_EQ(state.q[1], -7.5);
  EXPECT_EQ(to_json(model, state)["q"]["torque"], -7.5);
  Diagnostics bad;
  EXPECT_FALSE(read_state(R"({"q": {"torque": 21}})", model, state, nullptr, bad));
  EXPECT_EQ(codes(bad), "VN-INPUT-001 it cannot be 21 N*m: its range is -20 to 20 N*m\n");

  const std::string path = testing::scratch_path("inputs.csv");
  std::ofstream(path) << "t,arm,torque\n0,0,1\n1,0.1,2\n2,0.2,30\n3,0.3,1\n";
  Diagnostics of_table(path);
  EXPECT_FALSE(read_motion(path, model, of_table));
  EXPECT_NE(codes(of_table).find("VN-INPUT-001"), std::string::npos) << codes(of_table);
}

// The table of a run in which an input was set: it jumps, as velocities may and coordinates of bodies may not.
TEST(InputsInFiles, MayJumpInTablesOfMotions) {
  const Model model = read_model_text(kMotor);
  const std::string path = testing::scratch_path("jumps.csv");
  std::ofstream(path) << "t,arm,torque\n0,0,1\n1,0.1,1\n2,0.2,1\n2,0.2,5\n3,0.3,5\n4,0.4,5\n";
  Diagnostics diagnostics(path);
  const auto motion = read_motion(path, model, diagnostics);
  ASSERT_TRUE(motion) << codes(diagnostics);
  ASSERT_EQ(motion->states.size(), 6u);
  EXPECT_EQ(motion->states[2].q[1], 1);
  EXPECT_EQ(motion->states[3].q[1], 5);
}

// The unit is known to the checker of formulas, also that of a slope.
TEST(InputsInFiles, HaveUnitsInFormulas) {
  const std::string model = kMotor + "outputs: { wrong: \"torque + arm'\", other: \"torque + 1 N\" }\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(read_model(model, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 2) << codes(diagnostics);
  Diagnostics none;
  EXPECT_TRUE(read_model(kMotor + "outputs: { right: \"torque + 1 N*m\" }\n", none)) << codes(none);
}

// A C++ program that gives two things one name is told so, too.
TEST(InputsInFiles, NeedNamesOfTheirOwnInEveryDescription) {
  Diagnostics diagnostics;
  auto words = read_description(kMotor, diagnostics);
  ASSERT_TRUE(words);
  words->inputs.push_back(words->inputs[0]);
  EXPECT_FALSE(build_model(*words, diagnostics));
  EXPECT_EQ(codes(diagnostics), "VN-INPUT-003 the name 'torque' is that of an input already\n");
}

}  // namespace
}  // namespace vinculum::inputs_in_files
