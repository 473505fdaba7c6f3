// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace vinculum::testing {

// All model files of the examples, and the good ones of the reader's tests, which have what no example has. Some are studies.
inline std::vector<std::filesystem::path> models_of_examples() {
  std::vector<std::filesystem::path> models;
  for (const char* folder : {"examples", "tests/files/good_models"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(VINCULUM_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".yaml") models.push_back(entry.path());
    }
  }
  std::sort(models.begin(), models.end());
  return models;
}

}  // namespace vinculum::testing
