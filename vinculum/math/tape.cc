// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/tape.h"

#include <algorithm>

#include <fmt/core.h>

namespace vinculum {

namespace {

// sincos.h for one number, as C.
constexpr const char* kSincosInC = R"(static void sin_and_cos(double angle, double* sine, double* cosine) {
  const double x = fabs(angle);
  if (!(x <= 0x1p30)) {
    *sine = sin(angle);
    *cosine = cos(angle);
    return;
  }
  const double n = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p52) - 0x1.8p52;
  const double difference = fma(-n, 0x1.921fb54442d18p+0, x);
  const double p = n * 0x1.1a62633145c07p-54, p_error = fma(n, 0x1.1a62633145c07p-54, -p);
  const double r = difference - p;
  const double tail = fma(-n, -0x1.f1976b7ed8fbcp-110, ((difference - r) - p) - p_error);
  const double z = r * r;
  double s = fma(z, 0x1.5d93943689437p-33, -0x1.ae5e686c9c209p-26);
  s = fma(z, s, 0x1.71de357ae4586p-19);
  s = fma(z, s, -0x1.a01a019c15e6fp-13);
  s = fma(z, s, 0x1.111111110f8a5p-7);
  s = fma(z, s, -0x1.5555555555549p-3);
  double c = fma(z, -0x1.8fb11e3fe1ec4p-37, 0x1.1ee9f13295c57p-29);
  c = fma(z, c, -0x1.27e4f8128ec6ep-22);
  c = fma(z, c, 0x1.a01a019cbf388p-16);
  c = fma(z, c, -0x1.6c16c16c1521ep-10);
  c = fma(z, c, 0x1.555555555554cp-5);
  const double half_z = 0.5 * z, w = 1 - half_z;
  s = r + fma(r * z, s, fma(-half_z, tail, tail));
  c = w + fma(z * z, c, fma(-r, tail, (1 - w) - half_z));
  const int quadrant = (int)((long)n & 3);
  const double of_sine = quadrant & 1 ? c : s, of_cosine = quadrant & 1 ? s : c;
  *sine = (quadrant & 2) != 0 ? -of_sine : of_sine;
  *cosine = ((quadrant + 1) & 2) != 0 ? -of_cosine : of_cosine;
  if (signbit(angle)) *sine = -*sine;
}

)";

// A number so that C reads it back as the same double, never as a whole number.
std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::signbit(value) ? "(" + text + ")" : text;
}

// A tape as statements of C.
struct CWriter {
  const Tape& tape;
  std::span<const std::string> inputs;
  bool same_bits;  // by fma and sin_and_cos

  std::string operand(int index) const {
    if (index < 0) return {};
    const TapeStep& step = tape.steps[index];
    if (step.operation == TapeOperation::input) return inputs[step.a];
    if (step.operation == TapeOperation::constant) return c_number(tape.constants[step.a]);
    return fmt::format("x{}", index);
  }

  std::string value(const TapeStep& step) const {
    const std::string a = operand(step.a), b = operand(step.b), c = operand(step.c);
    switch (step.operation) {
      case TapeOperation::negate: return "-" + a;
      case TapeOperation::add: return a + " + " + b;
      case TapeOperation::subtract: return a + " - " + b;
      case TapeOperation::multiply: return a + " * " + b;
      case TapeOperation::divide: return a + " / " + b;
      case TapeOperation::multiply_add:
        return same_bits ? fmt::format("fma({}, {}, {})", a, b, c) : fmt::format("{} * {} + {}", a, b, c);
      case TapeOperation::sqrt: return fmt::format("sqrt({})", a);
      case TapeOperation::exp: return fmt::format("exp({})", a);
      case TapeOperation::log: return fmt::format("log({})", a);
      case TapeOperation::abs: return fmt::format("fabs({})", a);
      case TapeOperation::sign: return fmt::format("{0} > 0 ? 1 : {0} < 0 ? -1 : {0}", a);
      case TapeOperation::tanh: return fmt::format("tanh({})", a);
      case TapeOperation::floor: return fmt::format("floor({})", a);
      case TapeOperation::min: return fmt::format("{0} < {1} ? {0} : {1}", a, b);
      case TapeOperation::max: return fmt::format("{0} > {1} ? {0} : {1}", a, b);
      case TapeOperation::choose: return fmt::format("{} > 0 ? {} : {}", a, b, c);
      case TapeOperation::atan2: return fmt::format("atan2({}, {})", a, b);
      case TapeOperation::power: return fmt::format("pow({}, {})", a, b);
      case TapeOperation::sin: return fmt::format("sin({})", a);
      case TapeOperation::cos: return fmt::format("cos({})", a);
      case TapeOperation::input:
      case TapeOperation::constant: break;
    }
    return a;
  }

  // The steps that lead to an output: a sine comes with its cosine, wanted or not; x² + y² of an angle is for its derivatives.
  std::vector<bool> find_read() const {
    std::vector<bool> is_read(tape.steps.size(), false);
    for (int output : tape.outputs) is_read[output] = true;
    for (std::size_t i = tape.steps.size(); i-- > 0;) {
      const TapeStep& step = tape.steps[i];
      if (step.operation == TapeOperation::input || step.operation == TapeOperation::constant) continue;
      if (!is_read[i] && !(same_bits && step.operation == TapeOperation::sin)) continue;
      const int third = step.operation == TapeOperation::atan2 ? -1 : step.c;
      for (int index : {step.a, step.b, third}) {
        if (index >= 0) is_read[index] = true;
      }
    }
    return is_read;
  }

  // Results are stored where they are found: compilers take long over values that live to the end of a long function.
  std::string statements(std::string_view out) const {
    std::string text;
    std::vector<std::vector<std::size_t>> outputs_of(tape.steps.size());
    for (std::size_t k = 0; k < tape.outputs.size(); ++k) outputs_of[tape.outputs[k]].push_back(k);
    const std::vector<bool> is_read = find_read();
    for (std::size_t i = 0; i < tape.steps.size(); ++i) {
      const TapeStep& step = tape.steps[i];
      const bool is_leaf = step.operation == TapeOperation::input || step.operation == TapeOperation::constant;
      const bool is_pair = same_bits && (step.operation == TapeOperation::sin || step.operation == TapeOperation::cos);
      if (!is_leaf && !is_pair && is_read[i]) text += fmt::format("  const double x{} = {};\n", i, value(step));
      if (is_pair && step.operation == TapeOperation::sin)
        text += fmt::format("  double x{0}, x{1};\n  sin_and_cos({2}, &x{0}, &x{1});\n", i, i + 1, operand(step.a));
      for (std::size_t k : outputs_of[i]) text += fmt::format("  {}[{}] = {};\n", out, k, operand(static_cast<int>(i)));
    }
    return text;
  }
};

}  // namespace

std::string c_statements(const Tape& tape, std::span<const std::string> inputs, std::string_view out) {
  return CWriter{tape, inputs, false}.statements(out);
}

std::string to_c(const Tape& tape, std::string_view name) {
  std::vector<std::string> inputs;
  for (int i = 0; i < tape.inputs; ++i) inputs.push_back(fmt::format("in[{}]", i));
  const auto is_sine = [](const TapeStep& step) { return step.operation == TapeOperation::sin; };
  const bool has_sine = std::any_of(tape.steps.begin(), tape.steps.end(), is_sine);
  return fmt::format("#include <math.h>\n\n{}void {}(const double* in, double* out) {{\n{}}}\n", has_sine ? kSincosInC : "", name,
                     CWriter{tape, inputs, true}.statements("out"));
}

}  // namespace vinculum
