// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/stl.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/core.h>

namespace vinculum {

namespace {

constexpr std::size_t kHeader = 80;  // bytes of a binary file before the count
constexpr std::size_t kRecord = 50;  // bytes a triangle: normal, three corners, attribute
constexpr std::uintmax_t kLargestFile = 256u << 20;

Failure refusal(std::string message) {
  return {"VN-FILE-063", std::move(message), "meshes are read from STL files, ASCII or binary"};
}

std::uint32_t little_endian_word(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return word;
}

// The length of a binary file follows from the count behind its header; that decides, since binary headers may begin with
// "solid", too.
std::optional<std::size_t> binary_count(std::string_view content) {
  if (content.size() < kHeader + 4) return std::nullopt;
  const std::size_t count = little_endian_word(content, kHeader);
  if (content.size() != kHeader + 4 + count * kRecord) return std::nullopt;
  return count;
}

std::vector<float> binary_triangles(std::string_view content, std::size_t count) {
  std::vector<float> numbers;
  numbers.reserve(9 * count);
  for (std::size_t triangle = 0; triangle < count; ++triangle) {
    const std::size_t corners = kHeader + 4 + triangle * kRecord + 12;
    for (std::size_t k = 0; k < 9; ++k) numbers.push_back(std::bit_cast<float>(little_endian_word(content, corners + 4 * k)));
  }
  return numbers;
}

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlank));
  text.remove_prefix(word.size());
  return word;
}

// All that matters of an ASCII file are the three numbers behind each word `vertex`.
std::optional<std::vector<float>> ascii_triangles(std::string_view content) {
  std::vector<float> numbers;
  for (std::string_view word = next_word(content); !word.empty(); word = next_word(content)) {
    if (word != "vertex") continue;
    for (int k = 0; k < 3; ++k) {
      word = next_word(content);
      float value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
      numbers.push_back(value);
    }
  }
  if (numbers.size() % 9 != 0) return std::nullopt;
  return numbers;
}

}  // namespace

Outcome<std::vector<float>> parse_stl(std::string_view content, std::size_t most) {
  std::vector<float> numbers;
  if (const auto count = binary_count(content)) {
    if (*count > most) return refusal(fmt::format("it has {} triangles, more than the {} that are drawn", *count, most));
    numbers = binary_triangles(content, *count);
  } else {
    auto triangles = content.starts_with("solid") ? ascii_triangles(content) : std::nullopt;
    if (!triangles) return refusal("it is not an STL file");
    numbers = std::move(*triangles);
    if (numbers.size() / 9 > most)
      return refusal(fmt::format("it has {} triangles, more than the {} that are drawn", numbers.size() / 9, most));
  }
  if (numbers.empty()) return refusal("it has no triangles");
  for (const float number : numbers) {
    if (!std::isfinite(number)) return refusal("a corner of a triangle is not finite");
  }
  return numbers;
}

Outcome<std::vector<float>> read_stl(const std::string& path, std::size_t most) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return refusal("it cannot be read: " + error.message());
  if (size > kLargestFile) return refusal(fmt::format("it has {} MB, more than {}", size >> 20, kLargestFile >> 20));
  std::string content(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(content.data(), static_cast<std::streamsize>(size))) return refusal("it cannot be read");
  return parse_stl(content, most);
}

}  // namespace vinculum
