// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "vinculum/files/read_model.h"

namespace vinculum::testing {

// A model of tests/cases, "runs/barrier.yaml", with values set as by --set: {{"h", "0.05"}, {"w", "0.12"}}.
inline Model read_case(const std::string& path, const std::vector<Override>& overrides = {}) {
  Diagnostics diagnostics;
  ReadOptions options;
  options.overrides = overrides;
  auto model = read_model_file(std::string(VINCULUM_SOURCE_DIR) + "/tests/cases/" + path, diagnostics, options);
  if (!model) throw std::runtime_error(path + " is not a valid model");
  return std::move(*model);
}

}  // namespace vinculum::testing
