// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_values.h"

#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "vinculum/formats/text.h"

namespace vinculum {

namespace {

// A scalar, or told what was expected instead.
bool is_scalar(ReaderContext& context, YamlNode node, std::string_view expected, std::string hint = {}) {
  if (!node || node.is_scalar()) return static_cast<bool>(node);
  if (node.is_null()) {
    context.error("VN-FILE-014", node, fmt::format("expected {}, found nothing", expected), std::move(hint));
  } else {
    context.error("VN-FILE-010", node, fmt::format("expected {}, found {}", expected, node.kind_text()), std::move(hint));
  }
  return false;
}

bool check_sign(ReaderContext& context, YamlNode node, double value, Sign sign) {
  if (sign == Sign::any || value > 0 || (value == 0 && sign == Sign::not_negative)) return true;
  context.error(
      "VN-MODEL-101", node,
      fmt::format("{:g} is not allowed: this must {}", value, sign == Sign::positive ? "be positive" : "not be negative"));
  return false;
}

// A list of so many entries.
bool has_entries(ReaderContext& context, YamlNode node, size_t count, std::string_view hint) {
  if (!node) return false;
  if (!node.is_list()) {
    const bool is_in_quotes = node.text().starts_with('[');
    context.error(node.is_null() ? "VN-FILE-014" : "VN-FILE-010", node,
                  fmt::format("expected a list of {} entries, found {}", count, node.kind_text()),
                  std::string(is_in_quotes ? "no quotes stand round a list" : hint));
    return false;
  }
  if (static_cast<size_t>(node.size()) == count) return true;
  context.error("VN-FILE-015", node, fmt::format("expected {} entries, found {}", count, node.size()), std::string(hint));
  return false;
}

std::string_view list_hint(size_t count) { return count == 3 ? "a vector is written [x, y, z]" : ""; }

// The vector of length 1 in a direction; whatever its length, if it is not zero.
Vector3 unit(const Vector3& a) {
  const double largest = std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
  const Vector3 scaled{a.x / largest, a.y / largest, a.z / largest};
  return (1 / norm(scaled)) * scaled;
}

bool check_direction(ReaderContext& context, YamlNode node, const Vector3& value) {
  if (!(value == Vector3{})) return true;
  context.error("VN-MODEL-006", node, "a direction cannot be zero", "give x, y, z, -x, .. or a vector that is not zero");
  return false;
}

bool read_turn(ReaderContext& context, YamlNode node, Scope scope, std::vector<Turn>& turns) {
  const Fields fields(context, node, {"axis", "angle"});
  if (!fields) return false;
  Turn turn;
  const YamlNode axis = fields.require("axis");
  const YamlNode angle =
      fields.require("angle", "a rotation is {axis: z, angle: 30 deg}, [w, x, y, z], {rpy: [..]} or a list of the first kind");
  const bool has_axis = read_axis(context, axis, turn.axis) && check_direction(context, axis, *turn.axis);
  const bool has_angle = read_formula(context, angle, scope, kDimensionless, turn.angle);
  if (has_angle && turn.angle.is_constant()) warn_of_degrees(context, angle, turn.angle.constant_value());
  turns.push_back(std::move(turn));
  return has_axis && has_angle;
}

bool read_quaternion(ReaderContext& context, YamlNode node, Matrix3& value) {
  std::array<double, 4> entries{};
  if (!read_numbers(context, node, {kDimensionless}, entries)) return false;
  const auto [w, x, y, z] = entries;
  const double largest = std::max({std::abs(w), std::abs(x), std::abs(y), std::abs(z)});
  const double length = largest == 0 ? 0 : largest * norm(Quaternion{w / largest, x / largest, y / largest, z / largest});
  if (!(std::abs(length - 1) <= 1e-6)) {
    const double scale = largest == 0 ? 0 : 1 / (length / largest);
    context.error("VN-FILE-026", node, fmt::format("the quaternion [w, x, y, z] has the length {:g} instead of 1", length),
                  largest == 0 ? "no rotation is [1, 0, 0, 0]"
                               : fmt::format("normalised it is [{:.12g}, {:.12g}, {:.12g}, {:.12g}]", scale * (w / largest),
                                             scale * (x / largest), scale * (y / largest), scale * (z / largest)));
    return false;
  }
  value = to_rotation(Quaternion{w, x, y, z});
  return true;
}

// Any spelling of a rotation, as a constant one and turns that follow it.
bool read_turns(ReaderContext& context, YamlNode node, Scope scope, Matrix3& constant, std::vector<Turn>& turns) {
  if (!node) return false;
  if (node.is_mapping() && node.find("rpy")) {
    // R = Rz(yaw) Ry(pitch) Rx(roll)
    const Fields fields(context, node, {"rpy"});
    std::array<Expression, 3> rpy;
    if (!read_formulas(context, fields["rpy"], scope, kDimensionless, rpy)) return false;
    turns = {{Vector3{0, 0, 1}, rpy[2]}, {Vector3{0, 1, 0}, rpy[1]}, {Vector3{1, 0, 0}, rpy[0]}};
    return true;
  }
  if (node.is_mapping()) return read_turn(context, node, scope, turns);
  if (!node.is_list()) {
    context.error(node.is_null() ? "VN-FILE-014" : "VN-FILE-010", node,
                  fmt::format("expected a rotation, found {}", node.kind_text()),
                  "a rotation is {axis: z, angle: 30 deg}, [w, x, y, z], {rpy: [..]} or a list of the first kind");
    return false;
  }
  if (node.size() == 0 || !node.entry(0).is_mapping()) return read_quaternion(context, node, constant);
  bool all = true;
  for (int i = 0; i < node.size(); ++i) all = read_turn(context, node.entry(i), scope, turns) && all;
  return all;
}

}  // namespace

void warn_of_degrees(ReaderContext& context, YamlNode node, double angle) {
  const std::string_view text = node.text();
  const bool bare = text.find_first_not_of("+-.0123456789 ") == std::string_view::npos;
  if (!bare || std::abs(angle) <= 3 * std::numbers::pi) return;
  context.warning(
      "VN-FILE-170", node.place(), fmt::format("an angle of {:g} rad is {:.3g} turns", angle, angle / (2 * std::numbers::pi)),
      fmt::format("did you mean '{:g} deg'? A bare number is in radians; '{:g} rad' says that it is meant so", angle, angle));
}

bool read_number(ReaderContext& context, YamlNode node, NumberRule quantity, double& value, Expression* formula) {
  const std::string expected =
      quantity.dimension && *quantity.dimension != kDimensionless ? describe(*quantity.dimension) : "a number";
  if (!is_scalar(context, node, expected)) return false;
  const auto constant = context.parse_constant({node.text(), node}, quantity.dimension);
  if (!constant || !check_sign(context, node, constant->value, quantity.sign)) return false;
  value = constant->value;
  if (formula != nullptr) *formula = constant->formula;
  return true;
}

bool read_number(ReaderContext& context, YamlNode node, NumberRule quantity, Located<double>& value, Expression* formula) {
  if (node) value.place = node.place();
  return read_number(context, node, quantity, value.value, formula);
}

bool read_number(ReaderContext& context, YamlNode node, NumberRule quantity, std::optional<double>& value) {
  double number = 0;
  if (!read_number(context, node, quantity, number)) return false;
  value = number;
  return true;
}

bool read_numbers(ReaderContext& context, YamlNode node, NumberRule quantity, std::span<double> values,
                  std::span<Expression> formulas) {
  if (!has_entries(context, node, values.size(), list_hint(values.size()))) return false;
  bool all = true;
  for (size_t i = 0; i < values.size(); ++i) {
    Expression* formula = formulas.empty() ? nullptr : &formulas[i];
    all = read_number(context, node.entry(static_cast<int>(i)), quantity, values[i], formula) && all;
  }
  return all;
}

bool read_vector(ReaderContext& context, YamlNode node, NumberRule quantity, Vector3& value, std::span<Expression> formulas) {
  std::array<double, 3> entries{};
  if (!read_numbers(context, node, quantity, entries, formulas)) return false;
  value = {entries[0], entries[1], entries[2]};
  return true;
}

bool read_vector(ReaderContext& context, YamlNode node, NumberRule quantity, Located<Vector3>& value,
                 std::span<Expression> formulas) {
  if (node) value.place = node.place();
  return read_vector(context, node, quantity, value.value, formulas);
}

bool read_formula(ReaderContext& context, YamlNode node, Scope scope, std::optional<Dimension> dimension, Expression& value) {
  if (!is_scalar(context, node, "a number or a formula")) return false;
  auto parsed = context.parse({node.text(), node}, scope, dimension);
  if (!parsed) return false;
  value = std::move(parsed->expression);
  return true;
}

bool read_formulas(ReaderContext& context, YamlNode node, Scope scope, std::optional<Dimension> dimension,
                   std::span<Expression> values) {
  if (!has_entries(context, node, values.size(), list_hint(values.size()))) return false;
  bool all = true;
  for (size_t i = 0; i < values.size(); ++i) {
    all = read_formula(context, node.entry(static_cast<int>(i)), scope, dimension, values[i]) && all;
  }
  return all;
}

bool read_text(ReaderContext& context, YamlNode node, std::string& value) {
  if (!is_scalar(context, node, "a text")) return false;
  if (node.text().empty()) {
    context.error("VN-FILE-014", node, "the text is empty");
    return false;
  }
  if (const std::string_view hidden = find_invisible(node.text()); !hidden.empty()) {
    context.error("VN-FILE-146", node,
                  fmt::format("the text {} contains {}, which cannot be seen", in_quotes(node.text()), in_quotes(hidden)),
                  "leave it out: with it the text can look like another");
    return false;
  }
  value = node.text();
  return true;
}

bool read_text(ReaderContext& context, YamlNode node, Located<std::string>& value) {
  if (node) value.place = node.place();
  return read_text(context, node, value.value);
}

void read_impact_law(ReaderContext& context, YamlNode node, std::string_view no_tangent, ImpactLaw& law) {
  const auto read_part = [&](YamlNode value, double& part) {
    read_number(context, value, {kDimensionless, Sign::not_negative}, part);
    if (part <= 1) return;
    context.error("VN-MODEL-115", value, fmt::format("{:g} is more than 1, and an impact would make energy", part),
                  "0: what strikes stays; 1: it comes back as fast as it came");
  };
  if (!node || !node.is_mapping()) {
    if (node) read_part(node, law.coefficient);
    return;
  }
  const Fields fields(context, node, {"newton", "poisson", "energetic", "tangential"});
  const std::string_view kind = fields.require_one_of({"newton", "poisson", "energetic"});
  if (kind.empty()) return;
  law.kind = kind == "poisson"     ? ImpactLaw::Kind::poisson
             : kind == "energetic" ? ImpactLaw::Kind::energetic
                                   : ImpactLaw::Kind::newton;
  read_part(fields[kind], law.coefficient);
  read_part(fields["tangential"], law.tangential);
  if (!no_tangent.empty()) fields.refuse("tangential", std::string(no_tangent));
}

bool read_truth(ReaderContext& context, YamlNode node, bool& value) {
  static constexpr Choice<bool> kWords[] = {{"true", true}, {"false", false}};
  return choose<bool>(context, node, kWords, value);
}

bool read_axis(ReaderContext& context, YamlNode node, Vector3& value) {
  static constexpr Choice<Vector3> kAxes[] = {{"x", {1, 0, 0}},   {"y", {0, 1, 0}},   {"z", {0, 0, 1}},
                                              {"-x", {-1, 0, 0}}, {"-y", {0, -1, 0}}, {"-z", {0, 0, -1}}};
  if (!node) return false;
  if (node.is_list()) return read_vector(context, node, {}, value);
  return is_scalar(context, node, "an axis", "an axis is x, y, z, -x, -y, -z or a vector") &&
         choose<Vector3>(context, node, kAxes, value);
}

bool read_axis(ReaderContext& context, YamlNode node, Located<Vector3>& value) {
  if (node) value.place = node.place();
  return read_axis(context, node, value.value);
}

bool read_direction(ReaderContext& context, YamlNode node, Vector3& value) {
  Vector3 direction;
  if (!read_axis(context, node, direction) || !check_direction(context, node, direction)) return false;
  value = direction;
  return true;
}

bool read_moving_rotation(ReaderContext& context, YamlNode node, Matrix3& constant, std::vector<Turn>& turns) {
  Matrix3 begin = kIdentity3;
  std::vector<Turn> all;
  if (!read_turns(context, node, Scope::time, begin, all)) return false;
  // The turns at the front that do not change are part of the constant rotation.
  size_t first = 0;
  while (first < all.size() && all[first].angle.is_constant()) {
    begin = begin * rotation_about(unit(*all[first].axis), all[first].angle.constant_value());
    ++first;
  }
  constant = begin;
  turns.assign(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  return true;
}

bool read_rotation(ReaderContext& context, YamlNode node, Matrix3& value) {
  Matrix3 rotation = kIdentity3;
  std::vector<Turn> turns;
  if (!read_turns(context, node, Scope::constant, rotation, turns)) return false;
  for (const Turn& turn : turns) rotation = rotation * rotation_about(unit(*turn.axis), turn.angle.constant_value());
  value = rotation;
  return true;
}

std::string count_entries(YamlNode list) { return list.size() == 1 ? "1 entry" : fmt::format("{} entries", list.size()); }

bool check_list(ReaderContext& context, YamlNode node, std::string_view of_what, Least least) {
  if (!node) return false;
  if (!node.is_list()) {
    context.error(node.is_null() ? "VN-FILE-014" : "VN-FILE-010", node,
                  fmt::format("expected a list of {}, found {}", of_what, node.kind_text()));
    return false;
  }
  if (node.size() > 0 || least == Least::none) return true;
  context.error("VN-FILE-015", node, fmt::format("expected a list of {}, found an empty one", of_what));
  return false;
}

bool check_name(ReaderContext& context, YamlNode key) {
  constexpr std::string_view kTaken[] = {"world", "t", "pi", "sin", "cos", "tan", "sqrt", "exp", "log", "abs", "sign"};
  const std::string_view name = key.text();
  const auto tell = [&](std::string_view why,
                        std::string hint = "a name is made of letters, digits and _ and does not begin with a digit") {
    context.error("VN-FILE-021", key.place(), fmt::format("{} is not a name: {}", in_quotes(name), why), std::move(hint));
    return false;
  };
  if (name.empty()) return tell("it is empty");
  for (const std::string_view word : kTaken) {
    if (name == word) return tell("this word is reserved", "choose another name");
  }
  if (name[0] >= '0' && name[0] <= '9') return tell("it begins with a digit");
  for (std::string_view rest = name; !rest.empty();) {
    const std::string_view character = first_character(rest);
    rest.remove_prefix(character.size());
    const char c = character[0];
    const bool allowed =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || character.size() > 1;
    if (!allowed || is_invisible(character))
      return tell(c == ' ' ? "it contains a space" : fmt::format("it contains {}", in_quotes(character)));
  }
  return true;
}

void tell_unknown_word(ReaderContext& context, YamlNode node, const std::vector<std::string>& known, std::string_view others) {
  if (!is_scalar(context, node, fmt::format("one of {}{}", fmt::join(known, ", "), others))) return;
  const std::string nearest = nearest_name(node.text(), known);
  context.error(
      "VN-FILE-016", node, fmt::format("{} is not known here", in_quotes(node.text())),
      nearest.empty() ? fmt::format("known: {}{}", fmt::join(known, ", "), others) : fmt::format("did you mean '{}'?", nearest));
}

}  // namespace vinculum
