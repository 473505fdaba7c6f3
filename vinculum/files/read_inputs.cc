// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "vinculum/files/read_sections.h"

namespace vinculum {

namespace {

// N*m, rad/s, 1/s, 1. Values are in SI wherever they come from (a file, a table, a program), so that a unit must be SI, too.
std::optional<Dimension> read_unit(ReaderContext& context, YamlNode node, std::string& unit) {
  std::string text;
  if (!node || !read_text(context, node, text)) return std::nullopt;
  // Behind a number stands a unit; 1/s begins with none, and rad is 1.
  const bool has_none = text == "1" || text.starts_with("1/");
  const bool is_plain = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*/^-") == text.npos;
  const auto parsed = parse_expression("1 " + (has_none ? "rad" + text.substr(1) : text), {});
  const auto* known = std::get_if<ParsedExpression>(&parsed);
  if (!is_plain || known == nullptr || !known->expression.is_constant() || !known->dimension) {
    context.error("VN-INPUT-005", node, fmt::format("the unit {} is not known", in_quotes(text)),
                  "a unit is written as behind a number: N, N*m, m/s^2; 1 for a number alone");
    return std::nullopt;
  }
  if (known->expression.constant_value() != 1) {
    context.error(
        "VN-INPUT-005", node, fmt::format("the unit {} is not a base unit (N, N*m, m/s, rad/s, 1)", in_quotes(text)),
        fmt::format("write {}; `initial` and `range` may have other units behind their numbers", to_text(*known->dimension)));
    return std::nullopt;
  }
  unit = std::move(text);
  return known->dimension;
}

// A number; the first one with a unit says of what the input is.
void read_value(ReaderContext& context, YamlNode node, std::optional<Dimension>& dimension, double& value) {
  if (!node) return;
  if (!node.is_scalar()) {
    read_number(context, node, {dimension}, value);
    return;
  }
  const auto constant = context.parse_constant({node.text(), node}, dimension);
  if (!constant) return;
  value = constant->value;
  if (!dimension) dimension = constant->dimension;
}

}  // namespace

void declare_states(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "state", Naming::own, [&](std::string name, Place place, YamlNode) {
    if (context.is_known(name, Scope::law)) {
      context.error("VN-MODEL-154", place, "something else in formulas has this name already: a parameter or a coordinate",
                    "give the state another name");
      return;
    }
    context.add_extra_state(name);
    model.states.push_back({std::move(name), {}, std::nullopt, place});
  });
}

void read_rates(ReaderContext& context, YamlNode section, ModelDescription& model) {
  for (ExtraStateDescription& state : model.states) {
    context.begin_element(fmt::format("state {}", in_quotes(state.name)));
    const YamlNode node = section.find(state.name);
    if (!node.is_scalar()) {
      read_formula(context, node, Scope::law, std::nullopt, state.rate);
    } else if (const auto parsed = context.parse({node.text(), node}, Scope::law)) {
      state.rate = parsed->expression;
      state.dimension = parsed->dimension;
    }
  }
  context.begin_element("");
}

void read_inputs(ReaderContext& context, YamlNode section, ModelDescription& model) {
  static constexpr Choice<bool> kHolds[] = {{"zero", false}, {"linear", true}};
  read_entries(context, section, "input", Naming::own, [&](std::string name, Place place, YamlNode node) {
    InputDescription input;
    input.place = place;
    if (node.is_scalar()) {
      read_value(context, node, input.dimension, input.initial);
    } else {
      const Fields fields(context, node, {"unit", "initial", "range", "hold"});
      input.dimension = read_unit(context, fields["unit"], input.unit);
      read_value(context, fields["initial"], input.dimension, input.initial);
      if (const YamlNode range = fields["range"]) {
        std::array<double, 2>& ends = input.range.emplace();
        if (range.is_list() && range.size() == 2) {
          for (int i = 0; i < 2; ++i) read_value(context, range.entry(i), input.dimension, ends[i]);
        } else {
          read_numbers(context, range, {input.dimension}, ends);
          input.range.reset();
        }
      }
      choose<bool>(context, fields["hold"], kHolds, input.linear);
    }
    if (input.unit.empty() && input.dimension) input.unit = to_text(*input.dimension);
    context.add_extra_state(name, input.dimension);
    if (input.linear)
      context.add_extra_state(name + "'", input.dimension ? std::optional(*input.dimension / kTime) : std::nullopt);
    input.name = std::move(name);
    model.inputs.push_back(std::move(input));
  });
}

void declare_samples(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "sample", Naming::own, [&](std::string name, Place place, YamlNode node) {
    SampleDescription& sample = model.samples.emplace_back();
    sample.name = std::move(name);
    sample.place = place;
    const Fields fields(context, node, {"every", "offset", "memory", "hold", "initial"});
    read_number(context, fields.require("every", "the time between two samples: `every: 1 ms`"), {kTime, Sign::positive},
                sample.every);
    read_number(context, fields["offset"], {kTime}, sample.offset);
    bool is_told = fields.is_misspelt("memory") || fields.is_misspelt("hold");
    const auto declare = [&](const char* key, std::vector<SampleDescription::Value>& values) {
      const YamlNode formulas = fields[key];
      if (!formulas || formulas.is_null()) return;
      if (!formulas.is_mapping()) {
        context.error("VN-FILE-010", formulas, fmt::format("expected formulas by name, found {}", formulas.kind_text()),
                      fmt::format("for example {}: {{u: \"-2*arm\"}}", key));
        is_told = true;
        return;
      }
      for (int i = 0; i < formulas.size(); ++i) {
        check_name(context, formulas.key(i));
        values.push_back({std::string(formulas.key(i).text()), {}, std::nullopt, formulas.key(i).place()});
        context.add_extra_state(values.back().name);
      }
    };
    declare("memory", sample.memory);
    declare("hold", sample.hold);
    if (fields && !is_told && sample.memory.empty() && sample.hold.empty()) {
      context.error("VN-FILE-012", fields.node().head(), "one of the keys memory, hold is needed",
                    "`hold` puts out values for the laws, `memory` keeps some for the next sample");
    }
  });
}

void read_samples(ReaderContext& context, YamlNode section, ModelDescription& model) {
  for (SampleDescription& sample : model.samples) {
    const YamlNode node = section.find(sample.name);
    if (!node || !node.is_mapping()) continue;
    context.begin_element(fmt::format("sample {}", in_quotes(sample.name)));
    const auto read = [&](const char* key, std::vector<SampleDescription::Value>& values) {
      const YamlNode formulas = node.find(key);
      for (size_t i = 0; i < values.size(); ++i) {
        const YamlNode formula = formulas.entry(static_cast<int>(i));
        if (!formula.is_scalar()) {
          read_formula(context, formula, Scope::law, std::nullopt, values[i].formula);
        } else if (const auto parsed = context.parse({formula.text(), formula}, Scope::law)) {
          values[i].formula = parsed->expression;
          values[i].dimension = parsed->dimension;
        }
      }
    };
    read("memory", sample.memory);
    read("hold", sample.hold);
    const YamlNode initial = node.find("initial");
    if (!initial || initial.is_null()) continue;
    if (!initial.is_mapping()) {
      context.error("VN-FILE-010", initial, fmt::format("expected numbers by name, found {}", initial.kind_text()),
                    "for example initial: {u: 0}");
      continue;
    }
    for (int i = 0; i < initial.size(); ++i) {
      InitialValue value{std::string(initial.key(i).text()), 0, initial.key(i).place()};
      std::optional<Dimension> dimension;
      for (auto* values : {&sample.memory, &sample.hold}) {
        for (const SampleDescription::Value& known : *values) {
          if (known.name == value.name) dimension = known.dimension;
        }
      }
      read_number(context, initial.entry(i), {dimension}, value.value);
      sample.initial.push_back(std::move(value));
    }
  }
  context.begin_element("");
}

}  // namespace vinculum
