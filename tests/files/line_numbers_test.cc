// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A message that names a line names the right one.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/scratch_path.h"
#include "vinculum/formats/table.h"
#include "vinculum/model/description.h"

namespace vinculum {
namespace {

TEST(LineNumbers, OfABodyThatIsAlreadyThere) {
  std::vector<BodyDescription> bodies(3);
  for (int i = 0; i < 3; ++i) {
    bodies[i].name = i == 1 ? "boom" : "arm";
    bodies[i].place = {7 + 10 * i, 3};  // lines 7, 17, 27
  }
  Diagnostics diagnostics;
  order_bodies(bodies, diagnostics);
  ASSERT_EQ(diagnostics.list().size(), 1u);
  EXPECT_EQ(diagnostics.list()[0].place.line, 27);
  EXPECT_EQ(diagnostics.list()[0].message, "there is already a body of this name in line 7");
}

// The header is line 1; empty lines count.
TEST(LineNumbers, OfATable) {
  const std::string path = testing::scratch_path("line_numbers.csv").string();
  const auto place_of_error = [&](const char* text, std::string_view code) {
    std::ofstream(path, std::ios::binary) << text;
    Diagnostics diagnostics(path);
    EXPECT_FALSE(read_table(path, diagnostics));
    EXPECT_EQ(diagnostics.list().at(0).code, code);
    return diagnostics.list().at(0).place;
  };
  const Place ragged = place_of_error("t,a\n0,1\n\n2,3\n4,5,6\n", "VN-FILE-121");
  EXPECT_EQ(ragged.line, 5);
  const Place word = place_of_error("t,a\n0,1\n2,x\n", "VN-FILE-122");
  EXPECT_EQ(word.line, 3);
  EXPECT_EQ(word.column, 3);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace vinculum
