// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// Running the program as a user does. VINCULUM_PROGRAM is its path.
namespace vinculum::testing {

struct ProgramRun {
  int exit_code = -1;
  std::string output;  // standard output
  std::string errors;  // standard error

  nlohmann::json json() const { return nlohmann::json::parse(output); }
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A folder of its own for each test, empty at the start.
class InScratchFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->test_suite_name()) + "." + info->name();
    for (char& c : name) c = c == '/' ? '_' : c;
    folder_ = std::filesystem::path(::testing::TempDir()) / ("vinculum." + name);
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    if (!HasFailure()) std::filesystem::remove_all(folder_);
  }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  // Runs `vinculum ARGUMENTS` by the shell, in the scratch folder.
  ProgramRun run(const std::string& arguments) {
    const std::string errors = (folder_ / ".errors").string();
    const std::string command = "cd '" + folder_.string() + "' && '" VINCULUM_PROGRAM "' " + arguments + " 2>'" + errors + "'";
    ProgramRun result;
    std::FILE* pipe = popen(command.c_str(), "r");
    char buffer[4096];
    for (size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.output.append(buffer, count);
    const int status = pclose(pipe);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.errors = read_file(errors);
    return result;
  }

  // What a JSON pointer leads to; entries of a list are also known by their `subject` or `name`: /verdicts/energy/margin.
  static const nlohmann::json* find_named(const nlohmann::json& document, const nlohmann::json::json_pointer& at) {
    if (at.empty()) return &document;
    const nlohmann::json* above = find_named(document, at.parent_pointer());
    if (above == nullptr) return nullptr;
    for (size_t i = 0; above->is_array() && i < above->size(); ++i) {
      for (const char* key : {"subject", "name"}) {
        if ((*above)[i].is_object() && (*above)[i].value(key, "") == at.back()) return &(*above)[i];
      }
    }
    const nlohmann::json::json_pointer last(at.to_string().substr(at.parent_pointer().to_string().size()));
    return above->contains(last) ? &(*above)[last] : nullptr;
  }

  // Runs the commands of a file {"runs": [{"command", "expect": {JSON pointer: {"value", "tolerance"} or {"text"}}}]}.
  void expect_promised_figures(const std::filesystem::path& promises) {
    const auto expected = nlohmann::json::parse(read_file(promises));
    ASSERT_FALSE(expected["runs"].empty());
    for (const auto& promised : expected["runs"]) {
      const auto run = this->run(promised["command"].get<std::string>());
      ASSERT_EQ(run.exit_code, 0) << promised["command"] << "\n" << run.errors;
      const auto json = run.json();
      for (const auto& [pointer, value] : promised["expect"].items()) {
        const nlohmann::json* found = find_named(json, nlohmann::json::json_pointer(pointer));
        ASSERT_NE(found, nullptr) << pointer;
        if (value.contains("text")) {
          EXPECT_EQ(*found, value["text"]) << promised["command"] << " " << pointer;
        } else {
          EXPECT_NEAR(found->get<double>(), value["value"].get<double>(), value["tolerance"].get<double>())
              << promised["command"] << " " << pointer;
        }
      }
    }
  }

  std::filesystem::path folder_;
};

}  // namespace vinculum::testing
