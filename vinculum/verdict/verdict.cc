// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/verdict.h"

namespace vinculum {

std::string_view to_text(Holds verdict) {
  switch (verdict) {
    case Holds::holds: return "holds";
    case Holds::violated: return "violated";
    case Holds::not_unique: return "not unique";
    case Holds::impossible: return "impossible";
    case Holds::not_checked: break;
  }
  return "not checked";
}

}  // namespace vinculum
