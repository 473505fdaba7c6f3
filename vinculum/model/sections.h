// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// The elements of each section of a model other than its bodies, by name, in the order of output.
struct Section {
  std::string key;    // velocity_constraints
  std::string words;  // velocity eqs.
  std::vector<std::string> names;
};
std::vector<Section> list_sections(const Model& model);

}  // namespace vinculum
