// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vinculum {

// FNV-1a in 64 bits (Fowler, Noll, Vo): for every byte, hash = (hash xor byte) · 0x100000001b3. Each step is one to one, so a
// single changed byte always changes the sum. It detects damage, not forgery. It can be continued piece by piece.
class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  }
  std::string text() const;  // 16 hexadecimal digits

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

std::string checksum_of(std::string_view bytes);

}  // namespace vinculum
