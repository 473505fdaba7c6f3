// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Problems with published answers (docs/benchmarks.md): tests/published/NAME.yaml is the model, NAME.json says where its figures
// come from, and has commands and values as the examples have.
#include <algorithm>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

namespace fs = std::filesystem;
const fs::path kPublished = fs::path(VINCULUM_SOURCE_DIR) / "tests/published";

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kPublished)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Published : public InScratchFolder, public ::testing::WithParamInterface<std::string> {};

TEST_P(Published, IsMet) {
  const fs::path promises = kPublished / (GetParam() + ".json");
  fs::copy(kPublished / (GetParam() + ".yaml"), folder_);
  EXPECT_GT(nlohmann::json::parse(read_file(promises))["source"].get<std::string>().size(), 20u);
  expect_promised_figures(promises);
}

INSTANTIATE_TEST_SUITE_P(All, Published, ::testing::ValuesIn(problem_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace vinculum::testing
