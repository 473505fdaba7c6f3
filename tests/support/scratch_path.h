// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace vinculum::testing {

// A place of this process alone, for tests run side by side; gone at its end.
inline std::filesystem::path scratch_path(const std::string& name) {
  struct Folder {
    std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / ("vinculum." + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  return folder.path / name;
}

}  // namespace vinculum::testing
