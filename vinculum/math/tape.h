// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/math/sincos.h"

namespace vinculum {

enum class TapeOperation : std::uint8_t {
  input,     // a: its number
  constant,  // a: index into Tape::constants
  negate,
  add,
  subtract,
  multiply,
  divide,
  multiply_add,  // a b + c
  sqrt,
  exp,
  log,
  abs,
  sign,
  tanh,
  floor,
  min,
  max,
  choose,  // a > 0: b, else c
  atan2,   // the angle of the point x = b, y = a; c = x² + y², for its derivatives
  power,   // a to the b
  sin,     // always followed by the cosine of the same step
  cos,
};

// How many operands: 1, 2 or 3.
constexpr int operand_count(TapeOperation operation) {
  switch (operation) {
    case TapeOperation::multiply_add:
    case TapeOperation::atan2:
    case TapeOperation::choose: return 3;
    case TapeOperation::add:
    case TapeOperation::subtract:
    case TapeOperation::multiply:
    case TapeOperation::divide:
    case TapeOperation::min:
    case TapeOperation::max:
    case TapeOperation::power: return 2;
    default: return 1;
  }
}

// One step of a computation. Operands are earlier steps.
struct TapeStep {
  TapeOperation operation = TapeOperation::constant;
  std::int32_t a = -1;
  std::int32_t b = -1;
  std::int32_t c = -1;

  bool operator==(const TapeStep&) const = default;
};

// A computation without branches, written down once (by TraceScope) and repeated on any scalar. Evaluated on Dual it gives
// derivatives forward; on Traced it becomes part of another tape.
struct Tape {
  int inputs = 0;
  std::vector<TapeStep> steps;
  std::vector<double> constants;
  std::vector<int> outputs;  // steps
};

template <class S>
VINCULUM_INLINE S apply_operation(TapeOperation operation, const S& a, const S& b, const S& c) {
  using std::abs, std::atan2, std::exp, std::floor, std::log, std::pow, std::sqrt, std::tanh;
  switch (operation) {
    case TapeOperation::negate: return -a;
    case TapeOperation::add: return a + b;
    case TapeOperation::subtract: return a - b;
    case TapeOperation::multiply: return a * b;
    case TapeOperation::divide: return a / b;
    case TapeOperation::multiply_add: return multiply_add(a, b, c);
    case TapeOperation::sqrt: return sqrt(a);
    case TapeOperation::exp: return exp(a);
    case TapeOperation::log: return log(a);
    case TapeOperation::abs: return abs(a);
    case TapeOperation::sign: return sign(a);
    case TapeOperation::tanh: return tanh(a);
    case TapeOperation::floor: return floor(a);
    case TapeOperation::min: return min(a, b);
    case TapeOperation::max: return max(a, b);
    case TapeOperation::choose: return choose(a, b, c);
    case TapeOperation::atan2: return atan2(a, b);
    case TapeOperation::power: return pow(a, b);
    case TapeOperation::sin: return sincos(a).sin;
    case TapeOperation::cos: return sincos(a).cos;
    case TapeOperation::input:
    case TapeOperation::constant: break;
  }
  return a;
}

// The value of every step into `values` (one a step), those of the outputs into `out`.
template <class S>
VINCULUM_INLINE void evaluate(const Tape& tape, const S* in, S* out, S* values) {
  const TapeStep* steps = tape.steps.data();
  const int count = static_cast<int>(tape.steps.size());
  for (int i = 0; i < count; ++i) {
    const TapeStep step = steps[i];
    switch (step.operation) {
      case TapeOperation::input: values[i] = in[step.a]; break;
      case TapeOperation::constant: values[i] = lift<S>(tape.constants[step.a]); break;
      case TapeOperation::sin: {
        const auto [s, c] = sincos(values[step.a]);
        values[i] = s;
        values[++i] = c;
        break;
      }
      default:
        values[i] = apply_operation(step.operation, values[step.a], values[step.b < 0 ? step.a : step.b],
                                    values[step.c < 0 ? step.a : step.c]);
    }
  }
  for (std::size_t k = 0; k < tape.outputs.size(); ++k) out[k] = values[tape.outputs[k]];
}

// Derivatives in reverse: gradient = Jᵀ weights, J = ∂out/∂in, at about the cost of three evaluations whatever the number of
// inputs. Expects the values of all steps; `sensitivities`: scratch, one a step.
template <class S>
VINCULUM_INLINE void pull_back(const Tape& tape, const S* values, const S* weights, S* gradient, S* sensitivities) {
  using std::log, std::pow;
  const TapeStep* steps = tape.steps.data();
  const int count = static_cast<int>(tape.steps.size());
  for (int i = 0; i < count; ++i) sensitivities[i] = lift<S>(0);
  for (int i = 0; i < tape.inputs; ++i) gradient[i] = lift<S>(0);
  for (std::size_t k = 0; k < tape.outputs.size(); ++k)
    sensitivities[tape.outputs[k]] = sensitivities[tape.outputs[k]] + weights[k];

  for (int i = count - 1; i >= 0; --i) {
    const TapeStep step = steps[i];
    const S g = sensitivities[i], y = values[i];
    const auto hand = [&](int k, const S& part) __attribute__((always_inline)) { sensitivities[k] = sensitivities[k] + part; };
    switch (step.operation) {
      case TapeOperation::constant: break;
      case TapeOperation::sign: break;
      case TapeOperation::floor: break;
      case TapeOperation::input: gradient[step.a] = gradient[step.a] + g; break;
      case TapeOperation::negate: hand(step.a, -g); break;
      case TapeOperation::add: hand(step.a, g), hand(step.b, g); break;
      case TapeOperation::subtract: hand(step.a, g), hand(step.b, -g); break;
      case TapeOperation::multiply: hand(step.a, g * values[step.b]), hand(step.b, g * values[step.a]); break;
      case TapeOperation::divide: hand(step.a, g / values[step.b]), hand(step.b, -(g * y / values[step.b])); break;
      case TapeOperation::multiply_add:
        hand(step.a, g * values[step.b]), hand(step.b, g * values[step.a]), hand(step.c, g);
        break;
      case TapeOperation::sqrt: hand(step.a, lift<S>(0.5) * g / y); break;
      case TapeOperation::exp: hand(step.a, g * y); break;
      case TapeOperation::log: hand(step.a, g / values[step.a]); break;
      case TapeOperation::abs: hand(step.a, g * sign(values[step.a])); break;
      case TapeOperation::tanh: hand(step.a, g * (lift<S>(1) - y * y)); break;
      case TapeOperation::min:
      case TapeOperation::max: {
        const S less = values[step.b] - values[step.a], takes_a = step.operation == TapeOperation::min ? less : -less;
        hand(step.a, choose(takes_a, g, lift<S>(0))), hand(step.b, choose(takes_a, lift<S>(0), g));
        break;
      }
      case TapeOperation::choose:
        hand(step.b, choose(values[step.a], g, lift<S>(0))), hand(step.c, choose(values[step.a], lift<S>(0), g));
        break;
      case TapeOperation::atan2:
        hand(step.a, g * values[step.b] / values[step.c]), hand(step.b, -(g * values[step.a] / values[step.c]));
        break;
      case TapeOperation::sin: hand(step.a, g * values[i + 1]); break;
      case TapeOperation::cos: hand(step.a, -(g * values[i - 1])); break;
      case TapeOperation::power:
        hand(step.a, g * values[step.b] * pow(values[step.a], values[step.b] - lift<S>(1)));
        if (steps[step.b].operation != TapeOperation::constant) hand(step.b, g * y * log(values[step.a]));
        break;
    }
  }
}

// The computation as a C function `void name(const double* in, double* out)`, with all it needs in the text. Compiled without
// contraction (-ffp-contract=off) it gives the bits evaluate gives on double.
std::string to_c(const Tape& tape, std::string_view name);

// Its statements as C for a function with its own arguments. They read input k under
// the name inputs[k], write output k to `out`[k], and call math.h only. a b + c is
// not fused: the same values up to round-off. Inputs and outputs must not overlap.
std::string c_statements(const Tape& tape, std::span<const std::string> inputs, std::string_view out);

}  // namespace vinculum
