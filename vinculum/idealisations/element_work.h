// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vinculum {

// The work that friction has done on an element [J].
struct ElementWork {
  std::string subject;
  double work = 0;
};

}  // namespace vinculum
