// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <utility>

#include "vinculum/files/reader_context.h"

namespace vinculum {

// Each reads one value of a model file. In all functions an empty node leaves the value
// unchanged, and so does a wrong one, which is reported; true if the value was read.

enum class Sign { any, not_negative, positive };

// What a number must be.
struct NumberRule {
  std::optional<Dimension> dimension;  // none: any
  Sign sign = Sign::any;
};

// `formula`, where asked for: the number as written, with the names of parameters.
bool read_number(ReaderContext& context, YamlNode node, NumberRule quantity, double& value, Expression* formula = nullptr);
bool read_number(ReaderContext& context, YamlNode node, NumberRule quantity, Located<double>& value,
                 Expression* formula = nullptr);
bool read_number(ReaderContext& context, YamlNode node, NumberRule quantity, std::optional<double>& value);

// A list of exactly as many numbers as there is room for.
bool read_numbers(ReaderContext& context, YamlNode node, NumberRule quantity, std::span<double> values,
                  std::span<Expression> formulas = {});
bool read_vector(ReaderContext& context, YamlNode node, NumberRule quantity, Vector3& value, std::span<Expression> formulas = {});
bool read_vector(ReaderContext& context, YamlNode node, NumberRule quantity, Located<Vector3>& value,
                 std::span<Expression> formulas = {});

bool read_formula(ReaderContext& context, YamlNode node, Scope scope, std::optional<Dimension> dimension, Expression& value);
bool read_formulas(ReaderContext& context, YamlNode node, Scope scope, std::optional<Dimension> dimension,
                   std::span<Expression> values);

// Warns of a bare number that is more than a turn in radians: it looks like degrees.
void warn_of_degrees(ReaderContext& context, YamlNode node, double angle);

// A text that is one word or more, but not empty.
bool read_text(ReaderContext& context, YamlNode node, std::string& value);
bool read_text(ReaderContext& context, YamlNode node, Located<std::string>& value);
// A number (Newton's), or {newton | poisson | energetic: e}, perhaps with `tangential: et`: 0 to 1 each. `no_tangent` says why
// nothing acts along the surface; empty: something does.
void read_impact_law(ReaderContext& context, YamlNode node, std::string_view no_tangent, ImpactLaw& law);
bool read_truth(ReaderContext& context, YamlNode node, bool& value);

// x | y | z | -x | .. or a vector. Of any length: whether it has one is for the caller to say.
bool read_axis(ReaderContext& context, YamlNode node, Vector3& value);
bool read_axis(ReaderContext& context, YamlNode node, Located<Vector3>& value);
// The same; zero is reported.
bool read_direction(ReaderContext& context, YamlNode node, Vector3& value);

// {axis, angle} | [w, x, y, z] | {rpy: [..]} | a list of {axis, angle}: R = constant · turn 1 · turn 2 ..
bool read_rotation(ReaderContext& context, YamlNode node, Matrix3& value);
bool read_moving_rotation(ReaderContext& context, YamlNode node, Matrix3& constant, std::vector<Turn>& turns);

// False, with a report, if the node is no list, or an empty one where entries are required.
enum class Least { none, one };
bool check_list(ReaderContext& context, YamlNode node, std::string_view of_what, Least least = Least::none);
std::string count_entries(YamlNode list);  // "2 entries"

// False, with a report, if it is not a name: letters, digits and _, not beginning with a digit, and not reserved.
bool check_name(ReaderContext& context, YamlNode key);

// One of several words; `others` are values of other kinds, for the hint: ", {power: n}".
template <class Value>
struct Choice {
  std::string_view word;
  Value value;
};
void tell_unknown_word(ReaderContext& context, YamlNode node, const std::vector<std::string>& known, std::string_view others);

template <class Value>
bool choose(ReaderContext& context, YamlNode node, std::span<const Choice<Value>> choices, Value& value,
            std::string_view others = {}) {
  if (!node) return false;
  for (const Choice<Value>& choice : choices) {
    if (!node.is_scalar() || node.text() != choice.word) continue;
    value = choice.value;
    return true;
  }
  std::vector<std::string> known;
  for (const Choice<Value>& choice : choices) known.emplace_back(choice.word);
  tell_unknown_word(context, node, known, others);
  return false;
}

}  // namespace vinculum
