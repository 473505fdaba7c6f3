// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages that blame the right place and say what is so.
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

std::vector<Diagnostic> told_of(const std::string& text) {
  Diagnostics diagnostics("model.yaml");
  read_model(text, diagnostics);
  return diagnostics.list();
}

const std::string kSlide = "vinculum: 1\nbodies:\n  a: { joint: { type: prismatic, axis: z }, mass: 1, inertia: 0 }\n";

TEST(ReaderWords, AMissingSpaceBehindAColonIsToldWhereItIs) {
  const auto told = told_of("vinculum: 1\nparameters:\n  ms:320 kg\n  mu: 40 kg\n");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].place.line, 3);
  EXPECT_EQ(told[0].place.column, 5);
  EXPECT_EQ(told[0].message, "a space is missing behind the colon of 'ms'");
  EXPECT_EQ(told[0].hint, "write `ms: 320 kg`");
  // Of several, the first; deeper in a file.
  const auto more = told_of("vinculum: 1\nbodies:\n  a:\n    joint:fixed\n    mass:2\n    com: [0, 0, 0]\n");
  ASSERT_EQ(more.size(), 1u);
  EXPECT_EQ(more[0].place.line, 4);
  // A colon that is wrong by itself is told as before.
  EXPECT_EQ(told_of("vinculum: 1\nname: a text: of two\n")[0].message, "a `:` cannot stand here");
}

TEST(ReaderWords, AMisspeltJointTypeIsToldOnce) {
  const auto told = told_of(
      "vinculum: 1\nbodies:\n  a: { joint: { type: revolut, axis: z }, mass: 1, inertia: 1 }\nforces: { d: { joint: a, law: "
      "\"-0.1*a'\" } }\n"
      "outputs: { acc: \"a''\", twice: \"2*a'' - a'\" }\nevents: { e: \"a'' - 1\" }\ninitial: { \"a'\": 1 }\n");
  ASSERT_EQ(told.size(), 1u) << told.back().message;
  EXPECT_EQ(told[0].hint, "did you mean 'revolute'?");
}

TEST(ReaderWords, CapitalsAreNoOtherName) {
  for (const auto& [wrong, right] : {std::pair("KN", "kN"), {"n", "N"}, {"KG", "kg"}, {"MM", "mm"}, {"hz", "Hz"}}) {
    const auto told = told_of(kSlide + "forces: { d: { joint: a, law: \"5 " + wrong + "\" } }\n");
    ASSERT_EQ(told.size(), 1u) << wrong;
    EXPECT_EQ(told[0].hint, std::string("did you mean '") + right + "'?") << wrong;
  }
  const auto name = told_of(kSlide + "forces: { d: { joint: a, law: \"-A'\" } }\n");
  ASSERT_EQ(name.size(), 1u);
  EXPECT_EQ(name[0].hint, "did you mean 'a''?");
}

TEST(ReaderWords, AnOutputInALawIsKnownAndNotAllowed) {
  const auto told = told_of(
      kSlide +
      "outputs: { high: \"2*a\", tip: { point: [0, 0, 1], of: a } }\n"
      "forces:\n  d: { joint: a, law: \"-high\" }\n  e: { joint: a, law: \"-tip.z\" }\n  f: { joint: a, law: \"d.force\" }\n");
  ASSERT_EQ(told.size(), 3u);
  EXPECT_NE(told[0].message.find("'high' is an output, which follows from the motion"), std::string::npos) << told[0].message;
  EXPECT_NE(told[1].message.find("'tip.z' is an output"), std::string::npos) << told[1].message;
  EXPECT_NE(told[2].message.find("'d.force' is a quantity of a force"), std::string::npos) << told[2].message;
  for (const Diagnostic& diagnostic : told) EXPECT_EQ(diagnostic.code, "VN-FILE-020");
}

}  // namespace
}  // namespace vinculum
