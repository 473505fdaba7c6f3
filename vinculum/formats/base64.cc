// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/base64.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace vinculum {

namespace {

template <class Number>
std::vector<std::uint8_t> little_endian_bytes(std::span<const Number> values) {
  using Bits = std::conditional_t<std::is_integral_v<Number>, Number,
                                  std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>>;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * sizeof(Number));
  for (const Number value : values) {
    const Bits bits = std::bit_cast<Bits>(value);
    for (std::size_t i = 0; i < sizeof(Number); ++i) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
  return bytes;
}

std::string encode(const std::vector<std::uint8_t>& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(base64_size(bytes.size()));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace

std::string to_base64(std::span<const float> values) { return encode(little_endian_bytes(values)); }
std::string to_base64(std::span<const double> values) { return encode(little_endian_bytes(values)); }
std::string to_base64(std::span<const std::uint8_t> values) { return encode(little_endian_bytes(values)); }
std::string to_base64(std::span<const std::uint16_t> values) { return encode(little_endian_bytes(values)); }
std::string to_base64(std::span<const std::uint32_t> values) { return encode(little_endian_bytes(values)); }

}  // namespace vinculum
