// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/traced.h"

#include <bit>
#include <cassert>
#include <utility>

namespace vinculum {

std::optional<Traced> Traced::negated_operand() const {
  if (scope_ == nullptr) return {};
  const TapeStep& step = scope_->steps_[step_];
  if (step.operation != TapeOperation::negate) return {};
  return Traced(scope_, step.a);
}

// What needs no step of its own, at least one operand being no constant. Each rule is exact in floating point up to the sign of a
// zero.
std::optional<Traced> Traced::simplify(TapeOperation operation, const Traced& a, const Traced& b, const Traced& c) {
  switch (operation) {
    case TapeOperation::negate: return a.negated_operand();
    case TapeOperation::add:
      if (a.is(0)) return b;
      if (b.is(0)) return a;
      if (const auto opposite = b.negated_operand()) return a - *opposite;
      if (const auto opposite = a.negated_operand()) return b - *opposite;
      break;
    case TapeOperation::subtract:
      if (a.is(0)) return -b;
      if (b.is(0)) return a;
      if (a.is_same_step(b)) return Traced(0);
      if (const auto opposite = b.negated_operand()) return a + *opposite;
      break;
    case TapeOperation::multiply:
      if (a.is(0) || b.is(0)) return Traced(0);
      if (a.is(1)) return b;
      if (b.is(1)) return a;
      if (a.is(-1)) return -b;
      if (b.is(-1)) return -a;
      if (const auto opposite = a.negated_operand()) return -(*opposite * b);
      if (const auto opposite = b.negated_operand()) return -(a * *opposite);
      break;
    case TapeOperation::divide:
      if (a.is(0)) return Traced(0);
      if (b.is(1)) return a;
      if (b.is(-1)) return -a;
      break;
    case TapeOperation::multiply_add:
      if (a.is(0) || b.is(0)) return c;
      if (a.is(1)) return b + c;
      if (b.is(1)) return a + c;
      if (a.is(-1)) return c - b;
      if (b.is(-1)) return c - a;
      if (c.is(0)) return a * b;
      break;
    case TapeOperation::choose:
      if (a.scope_ == nullptr) return a.constant_ > 0 ? b : c;
      if (b.is_same_step(c)) return b;
      break;
    case TapeOperation::power:
      if (b.is(0)) return Traced(1);
      if (b.is(1)) return a;
      break;
    default: break;
  }
  return {};
}

Traced Traced::record(TapeOperation operation, const Traced& a, const Traced& b, const Traced& c) {
  TraceScope* scope = a.scope_ != nullptr ? a.scope_ : b.scope_ != nullptr ? b.scope_ : c.scope_;
  if (scope == nullptr) return Traced(apply_operation(operation, a.constant_, b.constant_, c.constant_));
  if (const auto simple = simplify(operation, a, b, c)) return *simple;

  TapeStep step{operation, scope->step_of(a)};
  if (operand_count(operation) > 1) step.b = scope->step_of(b);
  if (operand_count(operation) > 2) step.c = scope->step_of(c);
  return Traced(scope, scope->add(step));
}

std::size_t TraceScope::StepHash::operator()(const TapeStep& step) const {
  std::uint64_t hash = static_cast<std::uint64_t>(step.operation);
  for (std::int32_t operand : {step.a, step.b, step.c}) {
    hash = (hash ^ static_cast<std::uint32_t>(operand)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

Traced TraceScope::input() { return Traced(this, add({TapeOperation::input, inputs_++})); }

int TraceScope::step_of(const Traced& value) {
  assert((value.scope_ == nullptr || value.scope_ == this) && "values of two scopes in one operation");
  if (value.scope_ != nullptr) return value.step_;
  const auto [place, is_new] =
      index_of_constant_.try_emplace(std::bit_cast<std::int64_t>(value.constant_), static_cast<int>(steps_.size()));
  if (is_new) {
    steps_.push_back({TapeOperation::constant, static_cast<int>(constants_.size())});
    constants_.push_back(value.constant_);
  }
  return place->second;
}

int TraceScope::add(TapeStep step) {
  const TapeOperation operation = step.operation;
  if (operation == TapeOperation::cos) return add({TapeOperation::sin, step.a}) + 1;
  const bool commutes =
      operation == TapeOperation::add || operation == TapeOperation::multiply || operation == TapeOperation::multiply_add;
  if (commutes && step.a > step.b) std::swap(step.a, step.b);
  const auto [place, is_new] = index_of_step_.try_emplace(step, static_cast<int>(steps_.size()));
  if (is_new) {
    steps_.push_back(step);
    if (operation == TapeOperation::sin) steps_.push_back({TapeOperation::cos, step.a});
  }
  return place->second;
}

Tape TraceScope::tape_of(std::span<const Traced> outputs) {
  Tape tape;
  tape.inputs = inputs_;
  for (const Traced& output : outputs) tape.outputs.push_back(step_of(output));

  // From the outputs back: what is needed,
  std::vector<bool> needed(steps_.size(), false);
  for (int output : tape.outputs) needed[output] = true;
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const TapeStep& step = steps_[i];
    if (!needed[i]) continue;
    if (step.operation == TapeOperation::sin) needed[i + 1] = true;
    if (step.operation == TapeOperation::cos) needed[i - 1] = true;
    if (step.operation == TapeOperation::input || step.operation == TapeOperation::constant) continue;
    for (int operand : {step.a, step.b, step.c}) {
      if (operand >= 0) needed[operand] = true;
    }
  }

  // then forward: where it goes.
  std::vector<int> place(steps_.size(), -1);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!needed[i]) continue;
    TapeStep step = steps_[i];
    if (step.operation == TapeOperation::constant) {
      tape.constants.push_back(constants_[step.a]);
      step.a = static_cast<int>(tape.constants.size()) - 1;
    } else if (step.operation != TapeOperation::input) {
      for (std::int32_t* operand : {&step.a, &step.b, &step.c}) {
        if (*operand >= 0) *operand = place[*operand];
      }
    }
    place[i] = static_cast<int>(tape.steps.size());
    tape.steps.push_back(step);
  }
  for (int& output : tape.outputs) output = place[output];
  return tape;
}

}  // namespace vinculum
