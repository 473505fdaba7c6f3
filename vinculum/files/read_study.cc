// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_study.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "vinculum/files/read_sections.h"
#include "vinculum/formats/safe_file.h"

namespace vinculum {

namespace {

std::string unit_text(std::optional<Dimension> dimension) {
  return dimension && *dimension != kDimensionless ? to_text(*dimension) : std::string();
}

class StudyReader {
 public:
  StudyReader(ReaderContext& context, YamlNode root, const std::string& folder)
      : context_(context), root_(root), folder_(folder) {}

  Study read() {
    Study study;
    const Fields fields(context_, root_,
                        {"vinculum_study", "model", "over", "samples", "seed", "design", "run", "collect", "refine"});
    const YamlNode version = fields.require("vinculum_study", "the format version stands in the first line: `vinculum_study: 1`");
    if (version && version.text() != "1")
      context_.error("VN-FILE-013", version, "this program reads studies of format version 1", "write `vinculum_study: 1`");
    std::string model;
    if (read_text(context_, fields.require("model", "`model: car.yaml`, from the folder of the study"), model))
      study.model = (std::filesystem::path(folder_) / model).lexically_normal().string();
    read_entries(context_, fields.require("over", "`over: {mu: {from: 0.2, to: 0.9, count: 8}}`"), "over", Naming::of_coordinates,
                 [&](std::string name, Place, YamlNode node) {
                   StudyAxis axis;
                   axis.name = std::move(name);
                   if (read_axis_node(node, axis)) study.over.push_back(std::move(axis));
                 });
    read_count(fields["samples"], 1, kMostStudyPoints, study.samples);
    long seed = 1;
    if (read_count(fields["seed"], 0, 1'000'000'000'000, seed)) study.seed = static_cast<std::uint64_t>(seed);
    const Choice<StudyDesign> designs[] = {{"independent", StudyDesign::independent}, {"saltelli", StudyDesign::saltelli}};
    choose<StudyDesign>(context_, fields["design"], designs, study.design);

    const Fields run(context_, fields.require("run", "`run: {command: simulate, options: \"--until 5\"}`"),
                     {"command", "options"});
    if (run) {
      read_text(context_, run.require("command", "a command with a model: simulate, evaluate, .."), study.command);
      if (run["options"] && !run["options"].is_null()) read_text(context_, run["options"], study.options);
    }
    read_entries(context_, fields.require("collect", "`collect: {margin: verdicts.front.friction.margin}`"), "collect",
                 Naming::of_coordinates, [&](std::string name, Place, YamlNode node) {
                   StudyColumn column{std::move(name), {}};
                   if (read_text(context_, node, column.path)) study.collect.push_back(std::move(column));
                 });
    context_.begin_element("");
    if (fields.has("refine")) read_refinement(fields["refine"], study);
    return study;
  }

 private:
  bool read_count(YamlNode node, long least, long most, long& value) {
    double number = 0;
    if (!read_number(context_, node, {kDimensionless}, number)) return false;
    if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most)) || number != std::floor(number)) {
      context_.error("VN-STUDY-007", node, fmt::format("{:g} is not a whole number from {} to {}", number, least, most), "");
      return false;
    }
    value = static_cast<long>(number);
    return true;
  }

  // A number with a unit, which must be that of the others.
  bool read_value(YamlNode node, StudyAxis& axis, double& value) {
    if (!node) return false;
    if (!node.is_scalar()) {
      context_.error("VN-STUDY-007", node, fmt::format("expected a number, found {}", node.kind_text()), "");
      return false;
    }
    const auto constant = context_.parse_constant({node.text(), node});
    if (!constant) return false;
    value = constant->value;
    const std::string unit = unit_text(constant->dimension);
    if (!axis.unit.empty() && !unit.empty() && unit != axis.unit) {
      context_.error("VN-STUDY-007", node, fmt::format("in {}, and another one in {}", unit, axis.unit), "use one kind of unit");
      return false;
    }
    if (!unit.empty()) axis.unit = unit;
    return true;
  }

  bool read_pair(YamlNode node, StudyAxis& axis) {
    if (!check_list(context_, node, "numbers")) return false;
    if (node.size() != 2) {
      context_.error("VN-STUDY-007", node, fmt::format("expected two numbers, found {}", count_entries(node)), "");
      return false;
    }
    return read_value(node.entry(0), axis, axis.first) && read_value(node.entry(1), axis, axis.second);
  }

  bool read_axis_node(YamlNode node, StudyAxis& axis) {
    if (node.is_list()) {
      axis.kind = StudyAxis::Kind::list;
      if (!check_list(context_, node, "numbers", Least::one)) return false;
      for (int i = 0; i < node.size(); ++i) {
        double value = 0;
        if (!read_value(node.entry(i), axis, value)) return false;
        axis.values.push_back(value);
      }
      axis.count = node.size();
      return true;
    }
    const Fields fields(context_, node, {"from", "to", "count", "scale", "uniform", "normal", "sobol"});
    if (!fields) return false;
    const std::string_view way = fields.require_one_of({"from", "uniform", "normal", "sobol"});
    if (way.empty()) return false;
    if (way == "from") {
      const Choice<bool> scales[] = {{"linear", false}, {"log", true}};
      choose<bool>(context_, fields["scale"], scales, axis.logarithmic);
      return read_value(fields["from"], axis, axis.first) && read_value(fields.require("to"), axis, axis.second) &&
             read_count(fields.require("count", "how many values"), 1, kMostStudyPoints, axis.count);
    }
    for (const char* key : {"to", "count", "scale"}) fields.refuse(key, fmt::format("of `{}`", way));
    axis.kind = way == "uniform" ? StudyAxis::Kind::uniform : way == "normal" ? StudyAxis::Kind::normal : StudyAxis::Kind::sobol;
    return read_pair(fields[way], axis);
  }

  void read_refinement(YamlNode node, Study& study) {
    const Fields fields(context_, node, {"on", "at", "levels"});
    if (!fields) return;
    StudyRefinement refine;
    long levels = 0;
    const bool good = read_text(context_, fields.require("on", "the name of a collected value"), refine.on) &&
                      read_count(fields.require("levels", "how often a cell is halved"), 1, 20, levels);
    if (fields.has("at")) {
      double at = 0;
      if (!read_number(context_, fields["at"], {}, at)) return;
      refine.at = at;
    }
    refine.levels = static_cast<int>(levels);
    if (good) study.refine = refine;
  }

  ReaderContext& context_;
  YamlNode root_;
  std::string folder_;
};

}  // namespace

std::optional<Study> read_study(std::string_view text, const std::string& folder, Diagnostics& diagnostics) {
  const auto document = load_yaml(text, diagnostics);
  if (!document) return std::nullopt;
  ReaderContext context(diagnostics, document->root());
  Study study = StudyReader(context, document->root(), folder).read();
  if (diagnostics.has_errors()) return std::nullopt;
  if (const auto failure = check_study(study)) {
    diagnostics.error(failure->code, {}, "", failure->message, failure->hint);
    return std::nullopt;
  }
  return study;
}

std::optional<Study> read_study_file(const std::string& path, Diagnostics& diagnostics) {
  const auto text = read_whole_file(path);
  if (!text) {
    diagnostics.error("VN-FILE-001", {}, "", "the file cannot be read", "check the path");
    return std::nullopt;
  }
  return read_study(*text, std::filesystem::path(path).parent_path().string(), diagnostics);
}

bool is_study_text(std::string_view text) {
  return text.starts_with("vinculum_study") || text.find("\nvinculum_study") != std::string_view::npos;
}

Outcome<StudyAxis> read_axis_text(const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    return Failure{"VN-STUDY-007", fmt::format("--over {}: {}", text, why),
                   "NAME=FROM:TO:COUNT, for example mu=0.2:0.9:8, or a list NAME=A,B,C"};
  };
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) return wrong("it is not NAME=VALUES");
  StudyAxis axis;
  axis.name = text.substr(0, equals);
  const std::string rest = text.substr(equals + 1);
  const char separator = rest.find(':') != std::string::npos ? ':' : ',';
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= rest.size();) {
    const size_t end = std::min(rest.find(separator, begin), rest.size());
    parts.push_back(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  if (separator == ':') {
    if (parts.size() != 3) return wrong(fmt::format("{} parts between colons, not 3", parts.size()));
    const std::string count = parts.back();
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), axis.count);
    if (error != std::errc() || end != count.data() + count.size() || axis.count < 1)
      return wrong(fmt::format("the count '{}' is not a whole number from 1 on", count));
    parts.pop_back();
  }
  std::vector<double> values;
  for (const std::string& part : parts) {
    const auto parsed = parse_expression(part, {});
    const auto* good = std::get_if<ParsedExpression>(&parsed);
    if (good == nullptr) return wrong(fmt::format("'{}': {}", part, std::get<ParseError>(parsed).message));
    if (!good->expression.is_constant()) return wrong(fmt::format("'{}' is not a number", part));
    const std::string unit = unit_text(good->dimension);
    if (!unit.empty() && !axis.unit.empty() && unit != axis.unit)
      return wrong(fmt::format("it mixes {} and {}", axis.unit, unit));
    if (!unit.empty()) axis.unit = unit;
    values.push_back(good->expression.constant_value());
  }
  if (separator == ':') {
    axis.first = values[0];
    axis.second = values[1];
  } else {
    axis.kind = StudyAxis::Kind::list;
    axis.values = values;
    axis.count = static_cast<long>(values.size());
  }
  return axis;
}

}  // namespace vinculum
