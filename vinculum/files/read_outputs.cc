// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "vinculum/files/output_names.h"
#include "vinculum/files/read_sections.h"

namespace vinculum {

namespace {

// Reads the outputs, each after those it is made of.
class OutputReader {
 public:
  OutputReader(ReaderContext& context, OutputNames& names, ModelDescription& model)
      : context_(context), names_(names), model_(model) {}

  void read(YamlNode section) {
    read_entries(context_, section, "output", Naming::own, [&](std::string name, Place place, YamlNode node) {
      if (context_.is_known(name, Scope::output)) {
        context_.error("VN-MODEL-150", place,
                       "the name is already used in formulas, for a parameter, a coordinate or a constraint",
                       "give the output another name");
        return;
      }
      entry_of_.emplace(name, entries_.size());
      entries_.push_back({std::move(name), place, node, formula_of(node)});
    });
    for (const Entry& entry : entries_) {
      const bool is_point = entry.node.is_mapping() && (entry.node.find("point") || entry.node.find("of"));
      if (is_point) names_.add_point(entry.name);
    }
    std::vector<OutputDescription> outputs(entries_.size());
    for (size_t i = 0; i < entries_.size(); ++i) read_after_its_parts(static_cast<int>(i), outputs);
    for (OutputDescription& output : outputs) model_.outputs.push_back(std::move(output));
    context_.begin_element("");
  }

 private:
  struct Entry {
    std::string name;
    Place place;
    YamlNode node;
    YamlNode formula;
    enum class Mark { unread, open, read } mark = Mark::unread;
  };

  static YamlNode formula_of(YamlNode node) { return node.is_mapping() ? node.find("value") : node; }

  // The other outputs whose names stand in its formula.
  std::vector<int> parts_of(const Entry& entry) const {
    std::vector<int> parts;
    if (!entry.formula || !entry.formula.is_scalar()) return parts;
    const std::string_view text = entry.formula.text();
    const auto is_name = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '\'' ||
             static_cast<unsigned char>(c) >= 0x80;
    };
    for (size_t begin = 0; begin < text.size();) {
      size_t end = begin;
      while (end < text.size() && is_name(text[end])) ++end;
      const auto part = entry_of_.find(std::string(text.substr(begin, end - begin)));
      if (part != entry_of_.end()) parts.push_back(static_cast<int>(part->second));
      begin = std::max(end, begin + 1);
    }
    return parts;
  }

  // With a stack of its own: a chain of outputs may be as long as the file.
  void read_after_its_parts(int first, std::vector<OutputDescription>& outputs) {
    std::vector<int> path{first};
    while (!path.empty()) {
      Entry& entry = entries_[path.back()];
      if (entry.mark == Entry::Mark::read) {
        path.pop_back();
        continue;
      }
      entry.mark = Entry::Mark::open;
      int next = -1;
      bool circle = false;
      for (const int part : parts_of(entry)) {
        circle = circle || entries_[part].mark == Entry::Mark::open;
        if (entries_[part].mark == Entry::Mark::unread) next = part;
      }
      if (circle) {
        tell_circle(entry);
      } else if (next >= 0) {
        path.push_back(next);
        continue;
      } else {
        read_entry(entry, outputs[path.back()]);
      }
      entry.mark = Entry::Mark::read;
      path.pop_back();
    }
  }

  void tell_circle(const Entry& entry) {
    std::string others;
    for (const int part : parts_of(entry)) {
      if (entries_[part].mark == Entry::Mark::open && entries_[part].name != entry.name)
        others += (others.empty() ? "'" : "', '") + entries_[part].name;
    }
    context_.begin_element(fmt::format("output {}", in_quotes(entry.name)));
    context_.error("VN-MODEL-151", entry.place,
                   others.empty() ? "it is made of itself" : fmt::format("it is made of {}', and that of it", others),
                   "an output may use others, but none that uses it");
    context_.add_broken_name(entry.name);
  }

  void read_entry(const Entry& entry, OutputDescription& output) {
    context_.begin_element(fmt::format("output {}", in_quotes(entry.name)));
    output.name = entry.name;
    output.place = entry.place;
    const bool is_point = entry.node.is_mapping() && (entry.node.find("point") || entry.node.find("of"));
    if (is_point) return read_point(entry, output);
    if (entry.node.is_mapping()) {
      const Fields fields(context_, entry.node, {"value", "require"});
      if (!fields.require("value", "a formula, or `point` and `of`")) return context_.add_broken_name(entry.name);
    }
    if (!entry.formula.is_scalar()) {
      context_.error("VN-FILE-010", entry.formula, fmt::format("expected a formula, found {}", entry.formula.kind_text()),
                     "an output is a formula, {value: .., require: ..} or {point: [x, y, z], of: BODY}");
      return context_.add_broken_name(entry.name);
    }
    const auto parsed = context_.parse({entry.formula.text(), entry.formula}, Scope::output);
    if (!parsed) return context_.add_broken_name(entry.name);
    output.what = parsed->expression;
    output.dimension = parsed->dimension;
    if (entry.node.is_mapping()) read_requirements(entry.node.find("require"), output);
    names_.add_output(output.name, output.dimension);
  }

  void read_point(const Entry& entry, OutputDescription& output) {
    OutputDescription::Point point;
    const Fields fields(context_, entry.node, {"point", "of", "in", "from"});
    read_vector(context_, fields["point"], {kLength}, point.point);
    read_text(context_, fields.require("of", "the body the point belongs to: `of: boom`"), point.of);
    if (fields.has("in") && fields.has("from")) fields.require_one_of({"in", "from"});
    read_text(context_, fields["in"], point.in);
    point.seen_from_frame = read_text(context_, fields["from"], point.in);
    output.what = std::move(point);
  }

  // "< 2 m/s^2", or a list of such.
  void read_requirements(YamlNode node, OutputDescription& output) {
    if (!node) return;
    if (!node.is_list()) return read_requirement(node, output);
    for (int i = 0; i < node.size(); ++i) read_requirement(node.entry(i), output);
  }

  void read_requirement(YamlNode node, OutputDescription& output) {
    const std::string_view text = node.is_scalar() ? node.text() : std::string_view();
    const size_t sign = std::min(text.find_first_not_of(" \t"), text.size());
    const bool below = text.substr(sign, 1) == "<", above = text.substr(sign, 1) == ">";
    if (!below && !above) {
      context_.error("VN-MODEL-152", node,
                     "a requirement begins with <, <=, > or >=", "write \"< 2 m/s^2\", or a list of two such");
      return;
    }
    OutputDescription::Requirement requirement;
    requirement.below = below;
    requirement.or_equal = text.substr(sign + 1, 1) == "=";
    const size_t begin = sign + (requirement.or_equal ? 2 : 1);
    const auto bound = context_.parse_constant({text.substr(begin), node, begin}, output.dimension);
    if (!bound) return;
    requirement.bound = bound->value;
    if (!output.dimension) output.dimension = bound->dimension;
    output.requirements.push_back(requirement);
  }

  ReaderContext& context_;
  OutputNames& names_;
  ModelDescription& model_;
  std::vector<Entry> entries_;
  std::map<std::string, size_t> entry_of_;
};

}  // namespace

void read_outputs(ReaderContext& context, YamlNode section, OutputNames& names, ModelDescription& model) {
  OutputReader(context, names, model).read(section);
}

void add_written(ReaderContext& context, OutputNames& names, const std::vector<Written>& written, ModelDescription& model) {
  const auto add = [&](const std::string& name) {
    const auto quantity = names.find(name);
    const auto is_there = [&](const OutputDescription& output) { return output.name == name; };
    if (!quantity || std::any_of(model.outputs.begin(), model.outputs.end(), is_there)) return;
    Expression::Builder builder;
    OutputDescription output;
    output.name = name;
    output.what = builder.build(builder.variable(quantity->variable, name));
    output.dimension = quantity->dimension;
    model.outputs.push_back(std::move(output));
  };
  for (const Written what : written) {
    if (what == Written::accelerations) {
      for (const std::string& velocity : context.velocity_names()) add(velocity + "'");
    } else {
      for (const std::string& force : names.list_forces()) add(force);
    }
  }
}

}  // namespace vinculum
