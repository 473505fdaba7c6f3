// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/files/json_text.h"

namespace vinculum {

// What a command has found, for programs (the fields of the contract) and for people.
struct Telling {
  Json json = Json::object();  // fields of the answer
  std::vector<std::string> lines;
};

}  // namespace vinculum
