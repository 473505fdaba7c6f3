// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program in C++ may get wrong, and a file cannot: there a name is a key, and stands once.
#include <gtest/gtest.h>

#include "vinculum/model/model.h"

namespace vinculum {
namespace {

ModelDescription two_sliders() {
  ModelDescription words;
  for (const char* name : {"left", "right"}) {
    BodyDescription body;
    body.name = name;
    body.joint.type = JointType::prismatic;
    body.mass = 1;
    words.bodies.push_back(body);
  }
  return words;
}

std::string errors_of(const ModelDescription& words) {
  Diagnostics diagnostics("");
  build_model(words, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::error) text += diagnostic.element + ": " + diagnostic.message + "\n";
  }
  return text;
}

TEST(BuildModel, TakesElementsWithNamesOfTheirOwn) { EXPECT_EQ(errors_of(two_sliders()), ""); }

// Verdicts of two elements of one name could not be told apart.
TEST(BuildModel, RefusesTwoElementsOfOneName) {
  ModelDescription words = two_sliders();
  StringDescription string;
  string.name = "rope";
  string.from.value = "left";
  string.to.value = "right";
  string.length = 1;
  words.strings = {string, string};
  EXPECT_NE(errors_of(words).find("string 'rope': there is already a string of this name"), std::string::npos)
      << errors_of(words);
}

TEST(BuildModel, RefusesTwoBodiesOfOneName) {
  ModelDescription words = two_sliders();
  words.bodies[1].name = "left";
  EXPECT_NE(errors_of(words).find("left"), std::string::npos) << errors_of(words);
}

}  // namespace
}  // namespace vinculum
