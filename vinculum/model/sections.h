// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// What is in a model beside its bodies: the elements of each section by name, in the order in which they are told.
struct Section {
  std::string key;    // velocity_constraints
  std::string words;  // velocity eqs.
  std::vector<std::string> names;
};
std::vector<Section> list_sections(const Model& model);

}  // namespace vinculum
