// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "vinculum/expression/parser.h"

namespace vinculum {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

// For a message: long texts are cut, but never inside a character.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("'{}..'", text.substr(0, end));
}

Parser::Operand Parser::number() {
  const int offset = position_;
  skip_digits();
  if (peek() == '.') {
    ++position_;
    skip_digits();
  }
  const std::string_view mantissa = text_.substr(offset, position_ - offset);
  if (mantissa == ".") fail("VN-EXPR-005", offset, "a point without digits is not a number");

  if (peek() == 'e' || peek() == 'E') {
    const int before_exponent = position_++;
    if (peek() == '+' || peek() == '-') ++position_;
    if (is_digit(peek())) {
      skip_digits();
    } else {
      position_ = before_exponent;
      if (read_name().size() == 1) {
        fail("VN-EXPR-005", before_exponent, fmt::format("the exponent of {} has no digits", quoted(mantissa)));
      }
      position_ = before_exponent;
    }
  }
  if (peek() == '.') fail("VN-EXPR-005", position_, "a number has one decimal point, and none in its exponent");

  // Neither an overflow nor an underflow passes as a number.
  const std::string_view digits = text_.substr(offset, position_ - offset);
  double value = 0;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_zero = mantissa.find_first_of("123456789") == std::string_view::npos;
  if ((trouble != std::errc() && !is_zero) || !std::isfinite(value) || (value == 0 && !is_zero)) {
    fail("VN-EXPR-006", offset, fmt::format("the number {} is outside what a double can hold", quoted(digits)));
  }

  if (!is_letter(next())) return {builder_.constant(is_zero ? 0 : value), plain(), offset};
  const Unit unit = units(offset);
  value = value * unit.factor / unit.divisor;
  if (!std::isfinite(value) || (value == 0 && !is_zero)) {
    fail("VN-EXPR-006", offset, "the number is outside the range of double precision in base units");
  }
  return {builder_.constant(value), with_unit(unit.dimension), offset};
}

bool Parser::accept(char c) {
  if (next() != c) return false;
  ++position_;
  return true;
}

void Parser::skip_space() {
  while (is_space(peek())) ++position_;
}

void Parser::skip_digits() {
  while (is_digit(peek())) ++position_;
}

std::string_view Parser::read_name() {
  const int offset = position_;
  while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++position_;
  // The driving force of a coordinate: motion:boom.
  if (names_.find_quantity && peek() == ':' && text_.substr(offset, position_ - offset) == "motion") {
    ++position_;
    while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++position_;
  }
  for (int primes = 0; primes < 2 && peek() == '\''; ++primes) ++position_;
  return text_.substr(offset, position_ - offset);
}

void Parser::fail_unknown_character() {
  const char c = peek();
  if (c == '\'')
    fail("VN-EXPR-004", position_, "a prime stands only at the end of a name, once", "an acceleration has two primes");
  if (c < ' ' || c == '\x7f') fail("VN-EXPR-004", position_, fmt::format("the byte {} is not text", static_cast<int>(c)));
  fail("VN-EXPR-004", position_, fmt::format("the character '{}' has no meaning here", c),
       c == ',' ? "a decimal point is written '.', and only min, max, atan2, norm, distance, table and if take several arguments"
                : "");
}

}  // namespace vinculum
