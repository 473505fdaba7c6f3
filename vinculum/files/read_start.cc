// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "vinculum/files/read_sections.h"

namespace vinculum {

namespace {

const Override* find_override(const std::vector<Override>& overrides, std::string_view name) {
  const auto found = std::find_if(overrides.begin(), overrides.end(), [&](const Override& o) { return o.name == name; });
  return found == overrides.end() ? nullptr : &*found;
}

// A value of the command line, told about as such.
std::optional<ReaderContext::Constant> parse_override(ReaderContext& context, const Override& given,
                                                      std::optional<Dimension> dimension) {
  const std::string element = context.element();
  context.begin_element("--set " + given.name);
  const auto value = context.parse_constant({given.value, {}}, dimension);
  context.begin_element(element);
  return value;
}

}  // namespace

// In file order: each may use those above it.
void read_parameters(ReaderContext& context, YamlNode section, const ReadOptions& options, ModelDescription& model) {
  read_entries(context, section, "parameter", Naming::own, [&](std::string name, Place, YamlNode node) {
    std::optional<ReaderContext::Constant> value;
    if (const Override* given = find_override(options.overrides, name)) {
      value = parse_override(context, *given, std::nullopt);
    } else if (node.is_scalar()) {
      value = context.parse_constant({node.text(), node});
    } else {
      double nothing = 0;
      read_number(context, node, {}, nothing);
    }
    if (!value) return context.add_broken_name(name);
    context.add_parameter(name, value->value, value->dimension);
    model.parameters.push_back({std::move(name), value->value});
  });
}

void read_initial(ReaderContext& context, YamlNode section, const ReadOptions& options, ModelDescription& model) {
  std::vector<Override> overrides = options.overrides;
  for (Override& given : overrides) given.name = context.own_name(given.name);
  std::set<std::string> named;
  read_entries(context, section, "initial value of", Naming::of_coordinates, [&](std::string name, Place place, YamlNode node) {
    InitialValue initial{context.own_name(name), 0, place};
    if (!named.insert(initial.name).second) {  // by its body and by its joint
      context.error("VN-MODEL-116", place, fmt::format("{} has a start value already, by its other name", in_quotes(name)),
                    "keep one of them");
      return;
    }
    if (find_override(overrides, initial.name)) return;
    const std::optional<Dimension> dimension = context.find_dimension(initial.name);
    if (!read_number(context, node, {dimension}, initial.value)) return;
    if (dimension == kDimensionless) warn_of_degrees(context, node, initial.value);
    model.initial.push_back(std::move(initial));
  });

  // What the command line says comes last: as a start value, unless it was a parameter.
  for (const Override& given : overrides) {
    context.begin_element("--set " + given.name);
    if (find_override(overrides, given.name) != &given) {
      context.error("VN-FILE-027", Place{}, "this name is set twice", "keep one of them");
    } else if (context.is_declared_parameter(given.name)) {
      continue;
    } else if (given.name != "t" && context.is_known(given.name, Scope::law)) {
      if (const auto value = context.parse_constant({given.value, {}}, context.find_dimension(given.name)))
        model.initial.push_back({given.name, value->value, {}});
    } else if (!context.is_structure_lost()) {
      std::vector<std::string> known = context.coordinate_names();
      known.insert(known.end(), context.velocity_names().begin(), context.velocity_names().end());
      for (const ParameterValue& parameter : model.parameters) known.push_back(parameter.name);
      const std::string nearest = nearest_name(given.name, known);
      context.error("VN-FILE-027", Place{}, "there is no parameter, coordinate or velocity of this name",
                    nearest.empty() ? "`vinculum check` lists them" : fmt::format("did you mean '{}'?", nearest));
    }
  }
  context.begin_element("");
}

}  // namespace vinculum
