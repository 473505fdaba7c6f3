// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/checksum.h"

#include <fmt/core.h>

namespace vinculum {

std::string Checksum::text() const { return fmt::format("{:016x}", hash_); }

std::string checksum_of(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.text();
}

}  // namespace vinculum
