// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vinculum/math/tape.h"

namespace vinculum {

class TraceScope;

// A scalar that writes down what is done to it. A constant belongs to no scope and is folded with whatever it meets.
class Traced {
 public:
  Traced() = default;
  explicit Traced(double constant) : constant_(constant) {}

  friend Traced operator-(const Traced& a) { return record(TapeOperation::negate, a); }
  friend Traced operator+(const Traced& a, const Traced& b) { return record(TapeOperation::add, a, b); }
  friend Traced operator-(const Traced& a, const Traced& b) { return record(TapeOperation::subtract, a, b); }
  friend Traced operator*(const Traced& a, const Traced& b) { return record(TapeOperation::multiply, a, b); }
  friend Traced operator/(const Traced& a, const Traced& b) { return record(TapeOperation::divide, a, b); }
  friend Traced multiply_add(const Traced& a, const Traced& b, const Traced& c) {
    return record(TapeOperation::multiply_add, a, b, c);
  }
  friend Traced sqrt(const Traced& a) { return record(TapeOperation::sqrt, a); }
  friend Traced exp(const Traced& a) { return record(TapeOperation::exp, a); }
  friend Traced log(const Traced& a) { return record(TapeOperation::log, a); }
  friend Traced abs(const Traced& a) { return record(TapeOperation::abs, a); }
  friend Traced sign(const Traced& a) { return record(TapeOperation::sign, a); }
  friend Traced tanh(const Traced& a) { return record(TapeOperation::tanh, a); }
  friend Traced atan2(const Traced& y, const Traced& x) { return record(TapeOperation::atan2, y, x, x * x + y * y); }
  friend Traced floor(const Traced& a) { return record(TapeOperation::floor, a); }
  friend Traced min(const Traced& a, const Traced& b) { return record(TapeOperation::min, a, b); }
  friend Traced max(const Traced& a, const Traced& b) { return record(TapeOperation::max, a, b); }
  friend Traced choose(const Traced& s, const Traced& x, const Traced& y) { return record(TapeOperation::choose, s, x, y); }
  friend Traced pow(const Traced& a, const Traced& b) { return record(TapeOperation::power, a, b); }
  friend SinCos<Traced> sincos(const Traced& a) { return {record(TapeOperation::sin, a), record(TapeOperation::cos, a)}; }

 private:
  friend class TraceScope;

  Traced(TraceScope* scope, int step) : scope_(scope), step_(step) {}

  static Traced record(TapeOperation operation, const Traced& a) { return record(operation, a, {}, {}); }
  static Traced record(TapeOperation operation, const Traced& a, const Traced& b) { return record(operation, a, b, {}); }
  static Traced record(TapeOperation operation, const Traced& a, const Traced& b, const Traced& c);
  static std::optional<Traced> simplify(TapeOperation operation, const Traced& a, const Traced& b, const Traced& c);
  bool is(double value) const { return scope_ == nullptr && constant_ == value; }
  bool is_same_step(const Traced& other) const { return scope_ != nullptr && scope_ == other.scope_ && step_ == other.step_; }
  std::optional<Traced> negated_operand() const;

  TraceScope* scope_ = nullptr;  // null: a constant
  std::int32_t step_ = -1;
  double constant_ = 0;
};

// Where a computation is written down: each distinct step once, 0 + a, 0 a, 1 a, - -a not at all. Values on the tape are those of
// the computation on double, as long as all of them are finite, up to the sign of a zero. Lives as long as the values traced in
// it.
class TraceScope {
 public:
  TraceScope() = default;
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

  // The next input.
  Traced input();

  // The steps that lead to these values, and no others.
  Tape tape_of(std::span<const Traced> outputs);

 private:
  friend class Traced;

  struct StepHash {
    std::size_t operator()(const TapeStep& step) const;
  };

  int step_of(const Traced& value);
  int add(TapeStep step);

  int inputs_ = 0;
  std::vector<TapeStep> steps_;
  std::vector<double> constants_;
  std::unordered_map<TapeStep, int, StepHash> index_of_step_;
  std::unordered_map<std::int64_t, int> index_of_constant_;  // by its bits
};

}  // namespace vinculum
