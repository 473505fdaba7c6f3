// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/symbolic/generate_c.h"

#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/trace.h"
#include "vinculum/model/units.h"
#include "vinculum/symbolic/derive.h"

namespace vinculum {

namespace {

std::string c_name(const std::string& name) {
  std::string result = name.empty() || (name[0] >= '0' && name[0] <= '9') ? "model_" + name : name;
  for (char& c : result) {
    const bool is_allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_allowed) c = '_';
  }
  while (result.size() > 1 && result.back() == '_') result.pop_back();
  return result;
}

// A text inside a comment of C.
std::string in_comment(std::string text) {
  for (std::size_t at; (at = text.find("*/")) != std::string::npos;) text.replace(at, 2, "* /");
  return text;
}

struct Argument {
  std::string_view name;
  int count;
};

// One function of t and the arrays named, in the order of the tape's inputs.
std::string write_function(const Tape& tape, const std::string& name, const std::vector<Argument>& arguments,
                           std::string_view out) {
  std::vector<bool> is_read(tape.inputs, false);
  for (const TapeStep& step : tape.steps) {
    if (step.operation == TapeOperation::input) is_read[step.a] = true;
  }
  std::vector<std::string> inputs{"t"};
  std::string head = fmt::format("void {}(double t", name), unused = is_read[0] ? "" : "  (void)t;\n";
  for (const auto& [array, count] : arguments) {
    head += fmt::format(", const double *{}", array);
    const auto first = is_read.begin() + static_cast<std::ptrdiff_t>(inputs.size());
    if (std::find(first, first + count, true) == first + count) unused += fmt::format("  (void){};\n", array);
    for (int k = 0; k < count; ++k) inputs.push_back(fmt::format("{}[{}]", array, k));
  }
  return fmt::format("{}, double *{}) {{\n{}{}}}\n", head, out, unused, c_statements(tape, inputs, out));
}

std::string describe_array(std::string_view title, const std::vector<std::string>& names, const std::vector<std::string>& units) {
  std::string text = fmt::format(" * {}\n", title);
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format(" *   [{}] {}\n", i, column_title(names[i], units[i]));
  return text;
}

}  // namespace

namespace {

// Constants that were folded beyond all numbers: C's own words for them.
bool has_non_number(const std::string& text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const std::string word : {"NAN", "INFINITY"}) {
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) {
      if ((at == 0 || !is_word(text[at - 1])) && !is_word(text[at + word.size()])) return true;
    }
  }
  return false;
}

}  // namespace

Outcome<std::string> generate_c(const Model& model, const AskStop& stop) {
  if (auto refusal = check_unconstrained(model)) return *refusal;
  if (auto refusal = check_size_of_matrices(model)) return *refusal;
  if (model.tree().velocities == 0)
    return Failure{"VN-DERIVE-003", "nothing moves: all joints are fixed", "give a body a joint that moves"};
  const Argument q{"q", model.tree().coordinates}, v{"v", model.tree().velocities}, a{"a", model.tree().velocities};
  const std::string name = c_name(model.name());
  const struct {
    Tape (*trace)(const Model&);
    const char* suffix;
    std::vector<Argument> arguments;
    const char* out;
  } functions[] = {{trace_accelerations, "_accelerations", {q, v}, "a"},
                   {trace_forces, "_forces", {q, v, a}, "tau"},
                   {trace_mass_matrix, "_mass_matrix", {q, v}, "mass"},
                   {trace_bias, "_bias", {q, v}, "bias"},
                   {trace_coordinate_rates, "_rates", {q, v}, "rates"}};
  const StateUnits units = state_units(model);

  std::string text = fmt::format(
      "/* Equations of motion of {0}, in m, kg, s and rad.\n"
      " *\n"
      " * {1}_accelerations  a = dv/dt under gravity and the forces and motions of the model\n"
      " * {1}_forces         tau = A a + h, the generalised forces of a motion\n"
      " * {1}_mass_matrix    A, {2} x {2}, row by row\n"
      " * {1}_bias           h: gravity, velocity terms, forces on bodies and springs\n"
      " * {1}_rates          dq/dt\n"
      " *\n{3}{4}"
      " * a and tau follow the order of v. Results must not overlap with q, v or a.\n{5}"
      " */\n",
      in_comment(model.name().empty() ? "a tree of bodies" : model.name()), name, v.count,
      describe_array("q", model.coordinate_names(), units.coordinates),
      describe_array("v", model.velocity_names(), units.velocities),
      model.forces().see_environment() ? " * The ends of a spring must not coincide: there its direction is 0/0.\n" : "");
  text += "#include <math.h>\n";
  for (const auto& [trace, suffix, arguments, out] : functions) {
    if (is_stopped(stop)) return stopped_failure();
    const std::string function = write_function(trace(model), name + suffix, arguments, out);
    if (has_non_number(function)) return beyond_all_numbers(fmt::format("a constant of the equations, in {}{},", name, suffix));
    text += "\n" + function;
  }
  return text;
}

}  // namespace vinculum
