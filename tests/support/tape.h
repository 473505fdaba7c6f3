// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vinculum/math/tape.h"

// What tests do with tapes.
namespace vinculum::testing {

// The outputs of a tape.
template <class S>
std::vector<S> run(const Tape& tape, const std::vector<S>& in) {
  std::vector<S> out(tape.outputs.size()), values(tape.steps.size());
  evaluate(tape, in.data(), out.data(), values.data());
  return out;
}

// Jᵀ weights.
inline std::vector<double> gradient(const Tape& tape, const std::vector<double>& in, const std::vector<double>& weights) {
  std::vector<double> out(tape.outputs.size()), values(tape.steps.size()), result(tape.inputs), scratch(tape.steps.size());
  evaluate(tape, in.data(), out.data(), values.data());
  pull_back(tape, values.data(), weights.data(), result.data(), scratch.data());
  return result;
}

// The function a C compiler makes of the tape; null without a compiler.
class CompiledTape {
 public:
  explicit CompiledTape(const Tape& tape) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(::testing::TempDir()) / ("vinculum.tape." + std::to_string(getpid()));
    fs::create_directories(folder);
    const std::string source = folder / "law.c", library = folder / "law.so";
    std::ofstream(source) << to_c(tape, "law");
    if (std::system("cc --version >/dev/null 2>&1") == 0) {
      const std::string flags = "-std=c99 -Wall -Wextra -Wno-unused-parameter -Werror -ffp-contract=off -shared -fPIC";
      EXPECT_EQ(std::system(("cc " + flags + " -o '" + library + "' '" + source + "' -lm").c_str()), 0);
      library_ = dlopen(library.c_str(), RTLD_NOW);
      if (library_ != nullptr) function_ = reinterpret_cast<Function*>(dlsym(library_, "law"));
    }
    fs::remove_all(folder);
  }
  ~CompiledTape() {
    if (library_ != nullptr) dlclose(library_);
  }
  CompiledTape(const CompiledTape&) = delete;
  CompiledTape& operator=(const CompiledTape&) = delete;

  explicit operator bool() const { return function_ != nullptr; }
  void operator()(const double* in, double* out) const { function_(in, out); }

 private:
  using Function = void(const double*, double*);
  void* library_ = nullptr;
  Function* function_ = nullptr;
};

}  // namespace vinculum::testing
