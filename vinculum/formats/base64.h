// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace vinculum {

// Numbers as text: base64 (RFC 4648, section 4) of their little-endian bytes, whatever the order of the machine.
std::string to_base64(std::span<const float> values);
std::string to_base64(std::span<const double> values);
std::string to_base64(std::span<const std::uint8_t> values);
std::string to_base64(std::span<const std::uint16_t> values);
std::string to_base64(std::span<const std::uint32_t> values);

// Characters that so many bytes take.
constexpr std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

}  // namespace vinculum
