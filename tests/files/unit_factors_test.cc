// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A factor without a unit keeps the unit; coordinates and velocities in laws have theirs. What is written in bare SI numbers is
// taken as it stands.
#include <filesystem>

#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

// The messages about a slider x and a hinge h with these values and laws.
std::vector<std::string> messages_of(const std::string& mass_centre, const std::string& slider_law = "0",
                                     const std::string& hinge_law = "0") {
  Diagnostics diagnostics;
  read_model(R"(
vinculum: 1
parameters: { width: 3 kg, L: 2 m, k: 5 N/m, c: 7 N*s/m, kt: 4 N*m, bare: 12, half: width/2, turn: 30 deg }
bodies:
  x: { joint: { type: prismatic, axis: x }, mass: 2 kg, com: [0, 0, ")" +
                 mass_centre + R"("], inertia: 1 }
  h: { joint: { type: revolute, axis: y }, mass: 1, inertia: 1 }
forces:
  s: { joint: x, law: ")" +
                 slider_law + R"(" }
  m: { joint: h, law: ")" +
                 hinge_law + R"(" }
)",
             diagnostics);
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : diagnostics.list()) messages.push_back(diagnostic.message);
  return messages;
}

TEST(UnitFactors, KeepTheUnit) {
  for (const char* wrong :
       {"width/2", "2*width", "-width*0.5", "0.5*(width + half)", "half", "width*sin(1)", "pi*width", "sqrt(2)*width",
        "(width + 1)/3", "width*2^2", "max(width, 1)*2", "abs(width)/2", "if(1 < 2, width, half)*3"}) {
    const auto messages = messages_of(wrong);
    ASSERT_EQ(messages.size(), 1u) << wrong;
    EXPECT_NE(messages[0].find("expected a length (m)"), std::string::npos) << wrong << ": " << messages[0];
  }
  for (const char* right : {"L/2", "2*L", "0.5*(L + 1)", "width/width*L/2", "sqrt(L^2)/2", "bare*2", "bare*L", "2",
                            "half/width*L", "cos(turn)*L", "2*(L - 0.5)", "0.4*3*L^2", "9.81/L", "2*k*L/1000"})
    EXPECT_TRUE(messages_of(right).empty()) << right << ": " << messages_of(right).front();
}

TEST(UnitFactors, CoordinatesAndVelocitiesInLawsHaveUnits) {
  // k in N/m and c in N*s/m: right, and exchanged.
  for (const char* right :
       {"-k*x - c*x'", "-k*(x - L)/2", "-1000*x - 3*x'", "-1000*(x - L)", "-4*max(x, 0) - min(x, 0)", "-x - x'",
        "10*sin(x)*exp(-x'/2)", "k*L*sin(3*t)", "-bare*x", "k*x*h", "-5*tanh(x'/0.01)", "if(x < L, k*x, 0)"})
    EXPECT_TRUE(messages_of("0", right).empty()) << right << ": " << messages_of("0", right).front();
  const std::pair<const char*, const char*> wrong[] = {
      {"-c*x - k*x'", "cannot be subtracted"}, {"-k*x*x", "expected a force"},
      {"-k*x'/2", "expected a force"},         {"2*k", "expected a force"},
      {"x - L", "expected a force"},           {"k*(x - width)", "cannot be subtracted"},
      {"k*L - x'", "cannot be subtracted"},    {"k*L*sin(x/width)", "the argument of sin"},
      {"-c*x - c*x'", "cannot be subtracted"}};
  for (const auto& [law, words] : wrong) {
    const auto messages = messages_of("0", law);
    ASSERT_EQ(messages.size(), 1u) << law;
    EXPECT_NE(messages[0].find(words), std::string::npos) << law << ": " << messages[0];
  }
  EXPECT_TRUE(messages_of("0", "0", "-kt*h - 0.2*h'").empty());
  EXPECT_TRUE(messages_of("0", "0", "-10*(h - turn)").empty());
  EXPECT_EQ(messages_of("0", "0", "-kt*h'").size(), 1u);
  EXPECT_EQ(messages_of("0", "0", "-k*h").size(), 1u);
}

// The model of the issue: all five places are told.
TEST(UnitFactors, OfTheReportedModel) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_model_file(VINCULUM_SOURCE_DIR "/tests/cases/verdicts/u.yaml", diagnostics));
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.list()) all += diagnostic.message + "\n";
  EXPECT_EQ(diagnostics.error_count(), 5) << all;
  EXPECT_NE(all.find("expected a length (m), found a mass (kg)"), std::string::npos) << all;                  // com: width/2
  EXPECT_NE(all.find("expected a moment of inertia (kg*m^2), found a mass (kg)"), std::string::npos) << all;  // 2*width
  EXPECT_NE(all.find("cannot be subtracted"), std::string::npos) << all;                                      // -k*a - c*a'
  EXPECT_NE(all.find("expected a stiffness (N/m), found a force (N)"), std::string::npos) << all;             // 2*k
}

// In motions t is a time. Of a surface the unit is not followed through x and y.
TEST(UnitFactors, OfTimeAndSurfaces) {
  const auto count = [](const std::string& motion, const std::string& surface) {
    Diagnostics diagnostics;
    read_model(
        "vinculum: 1\nparameters: { v: 2 m/s, w: 3 rad/s, A: 1 m, B: 2 m }\n"
        "bodies: { x: { joint: { type: prismatic, axis: x }, mass: 1, inertia: 1 } }\n"
        "environment: { road: { surface: \"" +
            surface + "\" } }\nmotions: { x: \"" + motion + "\" }\n",
        diagnostics);
    return diagnostics.error_count();
  };
  EXPECT_EQ(count("v*t", "A*sin(x/B)"), 0);
  EXPECT_EQ(count("A*sin(w*t)", "0.1*x^2"), 0);
  EXPECT_EQ(count("0.3*t", "A*exp(-(x^2 + y^2)/B^2)"), 0);
  EXPECT_EQ(count("v*t/2 + 0.1*sin(t)", "0"), 0);
  EXPECT_EQ(count("A*t", "0"), 1);
  EXPECT_EQ(count("v/2", "0"), 1);
  EXPECT_EQ(count("A*sin(v*t)", "0"), 1);
  EXPECT_EQ(count("0", "v/2"), 1);
}

}  // namespace
}  // namespace vinculum
