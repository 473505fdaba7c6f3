// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/reader_context.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "vinculum/formats/text.h"

namespace vinculum {

namespace {

constexpr int kEnoughErrors = 100;

// Those whose formulas may use coordinates and velocities.
constexpr Scope kScopesOfMotion[] = {Scope::law, Scope::line, Scope::event, Scope::output};
bool is_of_motion(Scope scope) { return scope >= Scope::law; }

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The name that a formula has at some byte: sled.tx'.
std::string_view name_at(std::string_view text, size_t offset) {
  size_t end = std::min(offset, text.size());
  while (end < text.size() && is_name_byte(text[end])) ++end;
  return text.substr(std::min(offset, text.size()), end - std::min(offset, text.size()));
}

// Where the name begins that has this byte.
size_t begin_of_name(std::string_view text, size_t offset) {
  size_t begin = std::min(offset, text.size());
  while (begin > 0 && is_name_byte(text[begin - 1])) --begin;
  return begin;
}

// sled.tx' -> sled
std::string_view body_part(std::string_view name) { return name.substr(0, name.find_first_of(".'")); }

std::string_view trim(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  const auto same = [&](std::string_view other) {
    return std::equal(word.begin(), word.end(), other.begin(), other.end(), [](char a, char b) { return std::tolower(a) == b; });
  };
  return std::any_of(words.begin(), words.end(), same);
}

// Words of YAML that look like values of other types. A parameter may have such a name; then it is meant.
std::string_view describe_yaml_word(std::string_view text) {
  if (is_one_of(text, {"true", "false", "yes", "no", "on", "off"})) return "a truth value";
  if (is_one_of(text, {"nan", ".nan", "+.nan", "-.nan"})) return "not a number";
  if (is_one_of(text, {"inf", ".inf", "+.inf", "-.inf", "-inf", "+inf", "infinity"})) return "infinite";
  return {};
}

bool has_finite_constants(const Expression& expression) {
  return std::all_of(expression.steps().begin(), expression.steps().end(),
                     [](const Step& step) { return step.operation == Operation::power || std::isfinite(step.value); });
}

}  // namespace

// ---- trouble ---------------------------------------------------------------------------------------------------------

ReaderContext::ReaderContext(Diagnostics& diagnostics, YamlNode root) : diagnostics_(diagnostics) {
  if (const YamlNode parameters = root.find("parameters")) {
    for (int i = 0; parameters.is_mapping() && i < parameters.size(); ++i) {
      declared_parameters_.emplace(parameters.key(i).text(), parameters.key(i).place().line);
    }
  }
  constexpr std::pair<std::string_view, std::string_view> kQuantities[] = {{"outputs", "an output"},
                                                                           {"forces", "a quantity of a force"},
                                                                           {"contacts", "a quantity of a contact"},
                                                                           {"strings", "a quantity of a string"},
                                                                           {"guides", "a quantity of a guide"}};
  for (const auto& [section, word] : kQuantities) {
    const YamlNode elements = root.find(section);
    for (int i = 0; elements && elements.is_mapping() && i < elements.size(); ++i)
      declared_quantities_.emplace(elements.key(i).text(), word);
  }
  const auto declare_held = [&](YamlNode values, std::string_view word) {
    for (int i = 0; values && values.is_mapping() && i < values.size(); ++i) declared_held_.emplace(values.key(i).text(), word);
  };
  declare_held(root.find("inputs"), "the input");
  const YamlNode samples = root.find("samples");
  for (int i = 0; samples && samples.is_mapping() && i < samples.size(); ++i) {
    for (const char* key : {"memory", "hold"}) {
      if (samples.entry(i).is_mapping()) declare_held(samples.entry(i).find(key), "the sampled value");
    }
  }
  if (const YamlNode bodies = root.find("bodies")) {
    for (int i = 0; bodies.is_mapping() && i < bodies.size(); ++i) declared_bodies_.emplace(bodies.key(i).text());
  }
  for (const Scope scope : {Scope::time, Scope::law, Scope::line, Scope::event, Scope::output}) {
    tables_[static_cast<int>(scope)].variables["t"] = {VariableKind::time, 0};
    tables_[static_cast<int>(scope)].dimensions["t"] = kTime;
  }
  tables_[static_cast<int>(Scope::output)].is_strict = true;
  NameTable& surface = tables_[static_cast<int>(Scope::surface)];
  surface.variables["x"] = {VariableKind::surface_x, 0};
  surface.variables["y"] = {VariableKind::surface_y, 0};
  NameTable& contact = tables_[static_cast<int>(Scope::contact)];
  contact.variables["depth"] = {VariableKind::surface_x, 0};
  contact.variables["rate"] = {VariableKind::surface_y, 0};
  NameTable& line = tables_[static_cast<int>(Scope::line)];
  line.variables["length"] = {VariableKind::surface_x, 0};
  line.variables["rate"] = {VariableKind::surface_y, 0};
  line.dimensions["length"] = kLength;
  line.dimensions["rate"] = kVelocity;
}

void ReaderContext::error(std::string_view code, Place place, std::string message, std::string hint) {
  diagnostics_.error(code, place, element_, std::move(message), std::move(hint));
}

void ReaderContext::warning(std::string_view code, Place place, std::string message, std::string hint) {
  diagnostics_.warning(code, place, element_, std::move(message), std::move(hint));
}

void ReaderContext::error(std::string_view code, YamlNode node, std::string_view message, std::string hint) {
  error(code, node.place(), with_label(node, message), std::move(hint));
}

std::string ReaderContext::with_label(YamlNode node, std::string_view message) const {
  const std::string_view label = node ? node.label() : std::string_view();
  const std::string shown = in_quotes(label);
  const bool is_element = element_.ends_with(shown);
  return label.empty() || is_element ? std::string(message) : fmt::format("{}: {}", shown.substr(1, shown.size() - 2), message);
}

bool ReaderContext::has_enough() const { return diagnostics_.error_count() >= kEnoughErrors; }

// ---- names -----------------------------------------------------------------------------------------------------------

void ReaderContext::add_parameter(const std::string& name, double value, std::optional<Dimension> dimension) {
  for (NameTable& table : tables_) {
    // The own names of a force along a line mean its length and its rate, whatever the parameters are called.
    const bool is_own = &table == &tables_[static_cast<int>(Scope::line)] && (name == "length" || name == "rate");
    if (!is_own) table.parameters[name] = {value, dimension};
  }
}

void ReaderContext::add_bodies(const std::vector<BodyDescription>& bodies) {
  std::vector<int> order = order_bodies(bodies, diagnostics_);
  if (order.empty()) {  // so that every name has a number
    for (size_t i = 0; i < bodies.size(); ++i) order.push_back(static_cast<int>(i));
  }

  const auto add = [&](const std::string& name, Variable variable, Dimension dimension) {
    for (const Scope scope : kScopesOfMotion) {
      tables_[static_cast<int>(scope)].variables.emplace(name, variable);
      tables_[static_cast<int>(scope)].dimensions.emplace(name, dimension);
    }
  };
  for (const int index : order) {
    const BodyDescription& body = bodies[index];
    const JointNames names = name_joint(body.name, body.joint);
    const auto motion_of = [&](const std::string& name) {
      return name.size() > body.name.size() ? name[body.name.size() + 1] : '\0';
    };
    const bool slides = *body.joint.type == JointType::prismatic;
    for (const std::string& name : names.coordinates) {
      const Dimension dimension = motion_of(name) == 't' || slides ? kLength : kDimensionless;
      add(name, Variable{VariableKind::coordinate, static_cast<int>(coordinate_names_.size())}, dimension);
      coordinate_names_.push_back(name);
      coordinate_dimensions_.push_back(dimension);
    }
    for (const std::string& name : names.velocities) {
      const Dimension dimension = motion_of(name) == 't' || slides ? kVelocity : kAngularVelocity;
      add(name, Variable{VariableKind::velocity, static_cast<int>(velocity_names_.size())}, dimension);
      velocity_names_.push_back(name);
      velocity_dimensions_.push_back(dimension);
    }
    if (body.joint.name->empty()) continue;
    const JointNames others = name_joint(*body.joint.name, body.joint);
    for (size_t i = 0; i < names.coordinates.size(); ++i) own_names_.emplace(others.coordinates[i], names.coordinates[i]);
    for (size_t i = 0; i < names.velocities.size(); ++i) own_names_.emplace(others.velocities[i], names.velocities[i]);
  }
}

void ReaderContext::add_extra_state(const std::string& name, std::optional<Dimension> dimension) {
  const Variable variable{VariableKind::coordinate, static_cast<int>(coordinate_names_.size())};
  for (const Scope scope : kScopesOfMotion) {
    NameTable& table = tables_[static_cast<int>(scope)];
    if (table.variables.emplace(name, variable).second && dimension) table.dimensions.emplace(name, *dimension);
  }
  coordinate_names_.push_back(name);
  coordinate_dimensions_.push_back(dimension);
}

void ReaderContext::set_quantities(std::function<std::optional<NameTable::Quantity>(std::string_view)> find,
                                   std::function<std::vector<std::string>()> list) {
  for (const Scope scope : {Scope::event, Scope::output}) {
    tables_[static_cast<int>(scope)].find_quantity = find;
    tables_[static_cast<int>(scope)].list_quantities = list;
  }
}

void ReaderContext::add_table(const std::string& name, std::shared_ptr<const TableFunction> function) {
  for (NameTable& table : tables_) table.tables.emplace(name, function);
}

bool ReaderContext::is_known(std::string_view name, Scope scope) const {
  const NameTable& known = names_of(scope);
  return known.parameters.contains(name) || known.variables.contains(std::string(name)) ||
         (known.find_quantity && known.find_quantity(name));
}

std::string ReaderContext::own_name(const std::string& name) const {
  const auto found = own_names_.find(name);
  return found == own_names_.end() || names_of(Scope::law).variables.contains(name) ? name : found->second;
}

std::optional<Dimension> ReaderContext::find_dimension(std::string_view name) const {
  const auto& variables = names_of(Scope::law).variables;
  const auto found = variables.find(std::string(name));
  if (found == variables.end() || found->second.kind == VariableKind::time) return std::nullopt;
  const auto [kind, index] = found->second;
  return kind == VariableKind::coordinate ? coordinate_dimensions_[index] : std::optional(velocity_dimensions_[index]);
}

std::optional<Dimension> ReaderContext::find_force_dimension(std::string_view joint) const {
  auto velocity = find_dimension(std::string(joint) + "'");
  if (!velocity) velocity = find_dimension(joint);
  if (!velocity) return std::nullopt;
  return *velocity == kVelocity ? kForce : kMoment;
}

std::string ReaderContext::list_coordinates(std::string_view body) const {
  std::vector<std::string_view> own;
  for (const auto* names : {&coordinate_names_, &velocity_names_}) {
    for (const std::string& name : *names) {
      if (body_part(name) == body) own.push_back(name);
    }
  }
  if (own.empty()) return fmt::format("the joint of '{}' is fixed: it has no coordinates", body);
  return fmt::format("the joint of '{}' has {}", body, fmt::join(own, ", "));
}

// ---- formulas --------------------------------------------------------------------------------------------------------

std::optional<ParsedExpression> ReaderContext::parse(const SourceText& text, Scope scope, std::optional<Dimension> wanted) {
  const std::string_view trimmed = trim(text.text);
  if (trimmed.empty()) {
    error("VN-FILE-014", text.place(), with_label(text.node, "the text is empty"), "give a number or a formula");
    return std::nullopt;
  }
  double number = 0;
  const auto [end, problem] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), number);
  if (problem == std::errc() && end == trimmed.data() + trimmed.size() && std::isfinite(number)) {
    return ParsedExpression{Expression(number), std::nullopt};
  }
  if (const auto meaning = describe_yaml_word(trimmed); !meaning.empty() && !names_of(scope).parameters.contains(trimmed)) {
    error("VN-FILE-017", text.place(),
          with_label(text.node, fmt::format("expected a number, found {}, which is {}", in_quotes(trimmed), meaning)),
          "give a finite number or a formula");
    return std::nullopt;
  }

  auto result = parse_expression(text.text, names_of(scope));
  if (const auto* problem_found = std::get_if<ParseError>(&result)) {
    explain_parse_error(text, *problem_found, scope);
    return std::nullopt;
  }
  auto& parsed = std::get<ParsedExpression>(result);
  if (!has_finite_constants(parsed.expression) ||
      (parsed.expression.is_constant() && !std::isfinite(parsed.expression.constant_value()))) {
    error("VN-FILE-018", text.place(), with_label(text.node, fmt::format("{} has no finite value", in_quotes(trimmed))),
          "check divisions, roots, logarithms and large exponents");
    return std::nullopt;
  }
  if (!check_dimension(text, parsed.dimension, wanted)) return std::nullopt;
  return std::move(parsed);
}

std::optional<ReaderContext::Constant> ReaderContext::parse_constant(const SourceText& text, std::optional<Dimension> wanted) {
  const auto parsed = parse(text, Scope::constant, wanted);
  if (!parsed) return std::nullopt;
  return Constant{parsed->expression.constant_value(), parsed->dimension, parsed->expression};
}

bool ReaderContext::check_dimension(const SourceText& text, std::optional<Dimension> found, std::optional<Dimension> wanted) {
  if (!found || !wanted || *found == *wanted) return true;
  const std::string expected = *wanted == kDimensionless ? "a number or an angle" : describe(*wanted);
  const auto parameter = declared_parameters_.find(std::string(trim(text.text)));
  const bool is_product =
      text.text.find_first_of("*/") != std::string_view::npos && std::ranges::any_of(declared_parameters_, [&](const auto& each) {
        return text.text.find(each.first) != std::string_view::npos;
      });
  error("VN-FILE-019", text.place(), with_label(text.node, fmt::format("expected {}, found {}", expected, describe(*found))),
        parameter == declared_parameters_.end()
            ? (is_product ? "a factor without a unit keeps the unit of the rest: give it its own, as in 9.81 m/s^2*mass"
                          : "a number without a unit is taken in base units (m, kg, s, rad, N)")
            : fmt::format("the parameter {} has its unit from line {}", in_quotes(parameter->first), parameter->second));
  return false;
}

// The parser knows what is wrong with the text; the reader knows what a name that is not known there means elsewhere.
void ReaderContext::explain_parse_error(const SourceText& text, const ParseError& error_found, Scope scope) {
  const auto offset = static_cast<size_t>(error_found.offset);
  const std::string_view name = name_at(text.text, offset);
  // A prime of a name is blamed: of a body that is broken, that has been told.
  const bool at_prime = offset < text.text.size() && text.text[offset] == '\'';
  const std::string_view primed = at_prime ? name_at(text.text, begin_of_name(text.text, offset)) : "";
  if (!primed.empty() && broken_names_.contains(body_part(primed))) return;
  const std::string body(body_part(name));
  const NameTable& known = names_of(scope);
  const bool is_unknown = !name.empty() && !is_known(name, scope);
  const bool is_of_body = is_unknown && declared_bodies_.contains(body);
  std::string hint = error_found.hint;

  const bool may_be_lost = parameters_lost_ || (bodies_lost_ && is_of_motion(scope));
  if (is_unknown && (may_be_lost || broken_names_.contains(name) || broken_names_.contains(body))) return;
  constexpr std::array<std::string_view, 4> kRule = {"this value must be constant", "this must be a function of the time t alone",
                                                     "a surface is a height over x and y alone",
                                                     "the force of a contact is a function of `depth` and `rate` alone"};
  // A slope goes by the name of its input and a prime.
  if (const auto held = declared_held_.find(std::string(name.substr(0, name.find('\''))));
      is_unknown && !is_of_motion(scope) && held != declared_held_.end() && !declared_parameters_.contains(std::string(name))) {
    const std::string_view rule = kRule[static_cast<int>(scope)];
    if (scope == Scope::time) {
      error("VN-INPUT-004", text.place(offset),
            with_label(text.node, fmt::format("{}; {} '{}' may jump, and what is moved would jump with it", rule, held->second,
                                              held->first)),
            "let a force follow it instead, for example law: \"k*(u - arm) - c*arm'\"");
    } else {
      error("VN-FILE-020", text.place(offset),
            with_label(text.node, fmt::format("{}; it cannot depend on {} '{}'", rule, held->second, held->first)),
            "inputs and sampled values may be named in laws, forces, torques, rates, outputs and events");
    }
    return;
  }
  if (is_unknown && !is_of_motion(scope) && (is_of_body || name == "t")) {
    error("VN-FILE-020", text.place(offset),
          with_label(text.node, fmt::format("{}; it cannot depend on {}", kRule[static_cast<int>(scope)], in_quotes(name))),
          "beside numbers and units, the names under `parameters` may be used");
    return;
  }
  if (const auto declared = declared_parameters_.find(std::string(name)); is_unknown && declared != declared_parameters_.end()) {
    error("VN-FILE-022", text.place(offset),
          with_label(text.node, element_ == fmt::format("parameter {}", in_quotes(name))
                                    ? "it cannot be defined by itself"
                                    : fmt::format("the parameter {} has no value here: it stands in line {}", in_quotes(name),
                                                  declared->second)),
          "a parameter can be used below the line that gives it a value");
    return;
  }
  if (const auto quantity = declared_quantities_.find(std::string(name.substr(0, name.find('.'))));
      is_unknown && scope != Scope::event && scope != Scope::output && quantity != declared_quantities_.end()) {
    error("VN-FILE-020", text.place(offset),
          with_label(text.node, fmt::format("{} is {}, which follows from the motion and cannot be used here", in_quotes(name),
                                            quantity->second)),
          is_of_motion(scope) ? "a law is made of t, coordinates, velocities, states, inputs and parameters"
                              : "beside numbers and units, the names under `parameters` may be used");
    return;
  }
  if (const auto own = own_names_.find(std::string(name)); is_unknown && own != own_names_.end()) {
    hint = fmt::format("formulas call a joint by its body: '{}'", own->second);
  } else if (is_of_body) {
    hint = list_coordinates(body);
  } else if (is_unknown && hint.empty() && !known.parameters.empty() && known.parameters.size() <= 8) {
    std::vector<std::string_view> parameters;
    for (const auto& [parameter, value] : known.parameters) parameters.push_back(parameter);
    hint = fmt::format("known parameters: {}", fmt::join(parameters, ", "));
  }
  error(error_found.code, text.place(offset), with_label(text.node, error_found.message), std::move(hint));
}

// ---- mappings with known keys ----------------------------------------------------------------------------------------

Fields::Fields(ReaderContext& context, YamlNode node, std::initializer_list<std::string_view> known)
    : context_(context), node_(node) {
  if (!node_) return;
  if (!node_.is_mapping()) {
    context_.error(node_.is_null() ? "VN-FILE-014" : "VN-FILE-010", node_,
                   fmt::format("expected a mapping `key: value`, found {}", node_.kind_text()),
                   fmt::format("known keys: {}", fmt::join(known, ", ")));
    node_ = YamlNode();
    return;
  }
  for (int i = 0; i < node_.size(); ++i) {
    const std::string_view key = node_.key(i).text();
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const bool lacks_space = key.find(':') != key.npos;
    const std::string nearest = nearest_name(key.substr(0, key.find(':')), {known.begin(), known.end()});
    if (!nearest.empty()) meant_.push_back(nearest);
    has_unknown_ = true;
    has_merge_ = has_merge_ || key == "<<";
    context_.error("VN-FILE-011", node_.key(i).place(), fmt::format("unknown key {}", in_quotes(key)),
                   key == "<<"       ? "mappings cannot be merged; write the keys out"
                   : lacks_space     ? "a space is needed behind the colon"
                   : nearest.empty() ? fmt::format("known keys here: {}", fmt::join(known, ", "))
                                     : fmt::format("did you mean '{}'?", nearest));
  }
}

YamlNode Fields::require(std::string_view key, std::string hint) const {
  if (!node_) return {};
  const YamlNode found = node_.find(key);
  if (!found && !is_misspelt(key)) {
    context_.error("VN-FILE-012", node_.head(), fmt::format("the key '{}' is missing", key), std::move(hint));
  }
  return found;
}

std::string_view Fields::require_one_of(std::initializer_list<std::string_view> keys) const {
  if (!node_) return {};
  std::vector<std::string_view> present;
  for (const std::string_view key : keys) {
    if (has(key)) present.push_back(key);
  }
  if (present.size() == 1) return present[0];
  if (!present.empty()) {
    context_.error("VN-FILE-023", (*this)[present[1]].head(), fmt::format("{} exclude each other", fmt::join(present, " and ")),
                   "keep one of them");
  } else if (!has_unknown_) {
    context_.error("VN-FILE-023", node_.head(), fmt::format("one of the keys {} is needed", fmt::join(keys, ", ")));
  }
  return {};
}

void Fields::refuse(std::string_view key, std::string_view reason, std::string hint) const {
  if (!has(key)) return;
  context_.error("VN-FILE-024", (*this)[key].head(), fmt::format("{} has no meaning here: {}", key, reason), std::move(hint));
}

}  // namespace vinculum
