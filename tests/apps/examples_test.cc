// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Every example is run, and gives the figures its folder promises: examples/NAME/expected.json has commands, and values by JSON
// pointer.
#include <algorithm>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

namespace fs = std::filesystem;
const fs::path kExamples = fs::path(VINCULUM_SOURCE_DIR) / "examples";

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kExamples)) {
    if (fs::exists(entry.path() / "expected.json")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Examples : public InScratchFolder, public ::testing::WithParamInterface<std::string> {};

TEST_P(Examples, GivesTheFiguresItPromises) {
  fs::copy(kExamples / GetParam(), folder_, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  EXPECT_TRUE(fs::exists(folder_ / "README.md"));
  expect_promised_figures(folder_ / "expected.json");
}

INSTANTIATE_TEST_SUITE_P(All, Examples, ::testing::ValuesIn(example_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace vinculum::testing
