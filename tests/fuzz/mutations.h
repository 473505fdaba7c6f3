// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace vinculum::fuzz {

// The same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  std::size_t below(std::size_t count) { return generator_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class List>
  auto pick(const List& list) -> decltype(list[0]) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 generator_;
};

inline constexpr const char* kNumbers[] = {"0",
                                           "-1",
                                           "1",
                                           "1e-310",
                                           "1e-160",
                                           "1e-30",
                                           "1e-16",
                                           "1e-9",
                                           "0.5",
                                           "2",
                                           "1e3",
                                           "1e9",
                                           "1e30",
                                           "1e100",
                                           "1e154",
                                           "1e155",
                                           "-1e155",
                                           "1e300",
                                           "1e308",
                                           "-1e308",
                                           "nan",
                                           "-inf",
                                           "3.1415926535897931",
                                           "1.5707963267948966",
                                           "1e-8",
                                           "100",
                                           "-0.0"};
inline constexpr const char* kPieces[] = {
    "",        " ",       "\n",    "[]",   "{}",        "[1, 2, 3]", "world",       "t",      "t^2",     "sin(t)", "abs(t)",
    "sqrt(t)", "1/t",     "(t-t)", "/0",   "^1000000",  "^0.5",      "exp(1000*t)", "log(t)", "sign(t)", "deg",    "kg",
    "normal",  "lateral", "yaw",   "free", "spherical", "revolute",  "prismatic",   "x",      "-y",      "true",   "#",
    ":",       "- ",      "\"",    "'",    "&a",        "*a",        "\xc3\xb6",    "\xff",   ",",       "1e999"};

// Small changes of a text with numbers and names: what a tired person, a broken disk or a strange mechanism could bring.
class Mutator {
 public:
  Mutator(Random& random, const std::vector<std::string>& others) : random_(random), others_(others) {}

  std::string mutate(std::string text) {
    for (std::size_t edits = random_.one_in(3) ? 1 + random_.below(3) : 1; edits > 0 && text.size() > 1; --edits) change(text);
    return text;
  }

 private:
  using Span = std::pair<std::size_t, std::size_t>;  // begin, length

  void change(std::string& text) {
    switch (random_.below(16)) {
      case 0:
      case 1:
      case 2:
      case 12:
      case 13: return replace(text, number_in(text), random_.pick(kNumbers));
      case 14:
      case 3: return scale_number(text);
      case 4: {
        const Span other = word_in(text);
        return replace(text, word_in(text), text.substr(other.first, other.second));
      }
      case 5: return replace(text, word_in(text), random_.pick(kPieces));
      case 6: return swap(text, word_in(text), word_in(text));
      case 7: return swap(text, line_in(text), line_in(text));
      case 8: return replace(text, line_in(text), "");
      case 9: return repeat(text, line_in(text));
      case 10: return splice(text);
      default: text[random_.below(text.size())] ^= static_cast<char>(1 << random_.below(8));
    }
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '\''; }
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

  Span word_at(const std::string& text, std::size_t at) const {
    std::size_t begin = at, end = at;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    while (end < text.size() && is_word(text[end])) ++end;
    return {begin, end - begin};
  }
  Span word_in(const std::string& text) {
    for (int tries = 0; tries < 20; ++tries) {
      if (const Span word = word_at(text, random_.below(text.size())); word.second > 0) return word;
    }
    return {0, 0};
  }
  // A word that begins with a digit or a point.
  Span number_in(const std::string& text) {
    for (int tries = 0; tries < 60; ++tries) {
      const Span word = word_in(text);
      if (word.second > 0 && (is_digit(text[word.first]) || text[word.first] == '.')) return word;
    }
    return word_in(text);
  }
  Span line_in(const std::string& text) {
    const std::size_t at = random_.below(text.size());
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1, end = text.find('\n', at);
    return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
  }

  void replace(std::string& text, Span span, const std::string& by) { text.replace(span.first, span.second, by); }
  void scale_number(std::string& text) {
    const Span span = number_in(text);
    static constexpr const char* kFactors[] = {"0.999999999*", "1e3*", "1e-3*", "-", "1.0000000000000002*", "0.5*"};
    // Formulas are read where numbers are, but for JSON and CSV: there it is a number no more, which is a case of its own.
    text.insert(span.first, random_.pick(kFactors));
  }
  void swap(std::string& text, Span a, Span b) {
    if (a.first > b.first) std::swap(a, b);
    if (a.first + a.second > b.first) return;
    const std::string left = text.substr(a.first, a.second), right = text.substr(b.first, b.second);
    text.replace(b.first, b.second, left);
    text.replace(a.first, a.second, right);
  }
  void repeat(std::string& text, Span line) { text.insert(line.first, text.substr(line.first, line.second)); }
  // Some lines of another text.
  void splice(std::string& text) {
    const std::string& other = random_.pick(others_);
    if (other.empty()) return;
    const Span from = line_in(other);
    std::size_t length = from.second;
    for (std::size_t lines = random_.below(4); lines > 0 && from.first + length < other.size(); --lines)
      length = other.find('\n', from.first + length) == std::string::npos
                   ? other.size() - from.first
                   : other.find('\n', from.first + length) + 1 - from.first;
    text.insert(line_in(text).first, other.substr(from.first, length));
  }

  Random& random_;
  const std::vector<std::string>& others_;
};

}  // namespace vinculum::fuzz
