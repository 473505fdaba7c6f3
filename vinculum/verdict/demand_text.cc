// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/demand_text.h"

#include <fmt/core.h>

namespace vinculum {

std::string demand_text(double needed, double available, std::string_view unit, std::string_view when) {
  const std::string behind = when.empty() ? "" : fmt::format(" {}", when);
  if (!unit.empty()) return fmt::format("needs {:.4g} {}{}, available {:.4g} {}", needed, unit, behind, available, unit);
  if (!(needed > 0)) return fmt::format("needs no friction, available {:.3g}", available);
  return fmt::format("needs friction {:.3g}{}, available {:.3g}", needed, behind, available);
}

}  // namespace vinculum
