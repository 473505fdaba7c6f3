// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/study.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "vinculum/study/sample.h"
#include "vinculum/study/sobol.h"

namespace vinculum {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kKinds[] = {"grid", "list", "uniform", "normal", "sobol"};
constexpr std::string_view kStatuses[] = {"done", "failed", "inferred"};
// Columns that every store has.
constexpr std::string_view kOwnColumns[] = {"point", "status", "code", "message"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

std::optional<Failure> check_axis(const StudyAxis& axis) {
  const auto wrong = [&](std::string message, std::string hint) {
    return Failure{"VN-STUDY-002", fmt::format("over '{}': {}", axis.name, message), std::move(hint)};
  };
  if (!std::isfinite(axis.first) || !std::isfinite(axis.second)) return wrong("the range has no finite ends", "give numbers");
  switch (axis.kind) {
    case StudyAxis::Kind::grid:
      if (axis.count < 1) return wrong(fmt::format("count {} gives no values", axis.count), "count is 1 or more");
      if (axis.count > 1 && axis.first == axis.second)
        return wrong(fmt::format("from {0:g} to {0:g} is one value, not {1}", axis.first, axis.count),
                     "give different ends, or count: 1");
      if (axis.count == 1 && axis.first != axis.second)
        return wrong(fmt::format("one value does not go from {:g} to {:g}", axis.first, axis.second),
                     "give a larger count, or the one value as a list");
      if (axis.logarithmic && !(axis.first * axis.second > 0))
        return wrong("equal ratios need ends of the same sign, and none of them 0", "leave `scale: log` out");
      break;
    case StudyAxis::Kind::list:
      if (axis.values.empty()) return wrong("the list is empty", "give at least one value");
      break;
    case StudyAxis::Kind::uniform:
    case StudyAxis::Kind::sobol:
      if (!(axis.first < axis.second))
        return wrong(fmt::format("the range from {:g} to {:g} is empty", axis.first, axis.second),
                     "the smaller end stands first");
      break;
    case StudyAxis::Kind::normal:
      if (!(axis.second > 0)) return wrong("the standard deviation must be positive", "normal: [MEAN, DEVIATION]");
      break;
  }
  return std::nullopt;
}

Json to_json(const StudyAxis& axis) {
  Json json = {{"name", axis.name}, {"kind", kKinds[static_cast<int>(axis.kind)]}};
  if (axis.kind == StudyAxis::Kind::list)
    json["values"] = axis.values;
  else
    json["range"] = {axis.first, axis.second};
  if (axis.kind == StudyAxis::Kind::grid) json["count"] = axis.count;
  if (axis.logarithmic) json["scale"] = "log";
  json["unit"] = axis.unit;
  return json;
}

StudyAxis axis_from(const Json& json) {
  StudyAxis axis;
  axis.name = json.at("name");
  const auto kind = std::find(std::begin(kKinds), std::end(kKinds), json.at("kind").get<std::string>());
  if (kind == std::end(kKinds)) throw std::invalid_argument("kind");
  axis.kind = static_cast<StudyAxis::Kind>(kind - std::begin(kKinds));
  if (axis.kind == StudyAxis::Kind::list) {
    axis.values = json.at("values").get<std::vector<double>>();
    axis.count = static_cast<long>(axis.values.size());
  } else {
    axis.first = json.at("range").at(0);
    axis.second = json.at("range").at(1);
  }
  if (axis.kind == StudyAxis::Kind::grid) axis.count = json.at("count");
  axis.logarithmic = json.value("scale", "") == "log";
  axis.unit = json.at("unit");
  return axis;
}

}  // namespace

std::string_view to_text(PointStatus status) { return kStatuses[static_cast<int>(status)]; }

int Study::find_column(std::string_view name) const {
  const auto found = std::find_if(collect.begin(), collect.end(), [&](const StudyColumn& column) { return column.name == name; });
  return found == collect.end() ? -1 : static_cast<int>(found - collect.begin());
}

std::optional<Failure> check_study(const Study& study) {
  if (study.over.empty())
    return Failure{"VN-STUDY-001", "the study varies nothing", "name a parameter under `over`, or by --over"};
  if (study.collect.empty())
    return Failure{"VN-STUDY-001", "the study collects nothing", "name a value under `collect`, or by --collect"};
  bool is_random = false;
  int sobol = 0;
  for (const StudyAxis& axis : study.over) {
    if (auto failure = check_axis(axis)) return failure;
    is_random = is_random || axis.is_random();
    sobol += axis.kind == StudyAxis::Kind::sobol ? 1 : 0;
  }
  if (is_random && study.samples < 1)
    return Failure{"VN-STUDY-003", "parameters are drawn at random, but the number of samples is missing",
                   "give `samples: 1000`"};
  if (!is_random && study.samples > 0)
    return Failure{"VN-STUDY-003", "`samples` is given, but no parameter is drawn at random",
                   "draw one by `uniform`, `normal` or `sobol`, or leave `samples` out"};
  if (!is_random && study.design == StudyDesign::saltelli)
    return Failure{"VN-STUDY-003", "`design: saltelli` is for parameters that are drawn at random", "leave it out"};
  const int dimensions = study.design == StudyDesign::saltelli ? 2 * sobol : sobol;
  if (dimensions > kMostSobolDimensions)
    return Failure{
        "VN-STUDY-003",
        fmt::format("{} dimensions of the Sobol sequence are needed, and there are {}", dimensions, kMostSobolDimensions),
        "draw some of the parameters by `uniform`"};

  std::vector<std::string> names(std::begin(kOwnColumns), std::end(kOwnColumns));
  const auto check_name = [&](const std::string& name) -> std::optional<Failure> {
    if (name.empty() || name.find_first_of("\"\n\r,") != std::string::npos)
      return Failure{"VN-STUDY-004", fmt::format("'{}' is not a valid column name", name), "letters, digits, points and primes"};
    if (std::find(names.begin(), names.end(), lower(name)) != names.end())
      return Failure{"VN-STUDY-004", fmt::format("there are two columns '{}', or it is a column of every store", name),
                     "collect it under another name: NAME=PATH; large and small letters are the same here"};
    names.push_back(lower(name));
    return std::nullopt;
  };
  for (const StudyAxis& axis : study.over) {
    if (auto failure = check_name(axis.name)) return failure;
  }
  for (const StudyColumn& column : study.collect) {
    if (auto failure = check_name(column.name)) return failure;
  }

  if (study.refine) {
    if (study.find_column(study.refine->on) < 0)
      return Failure{"VN-STUDY-005", fmt::format("refine: there is no collected value '{}'", study.refine->on),
                     "refine on a name under `collect`"};
    if (study.refine->levels < 1 || study.refine->levels > 20)
      return Failure{"VN-STUDY-005", fmt::format("refine: {} levels", study.refine->levels), "1 to 20"};
    const bool has_grid = std::any_of(study.over.begin(), study.over.end(),
                                      [](const StudyAxis& axis) { return axis.kind == StudyAxis::Kind::grid && axis.count > 1; });
    if (!has_grid)
      return Failure{"VN-STUDY-005", "refine: no parameter has a grid whose cells could be halved",
                     "give one `from`, `to`, `count`"};
  }
  double points = static_cast<double>(std::max(1L, study.samples));
  if (study.design == StudyDesign::saltelli) points *= static_cast<double>(count_random(study) + 2);
  for (const StudyAxis& axis : study.over) {
    if (!axis.is_random()) points *= static_cast<double>(refined_count(study, axis));
  }
  if (!(points <= static_cast<double>(kMostStudyPoints)))
    return Failure{"VN-STUDY-006", fmt::format("the study has {:.3g} points, and at most {} are taken", points, kMostStudyPoints),
                   "take fewer values; `refine` finds a boundary with few runs"};
  return std::nullopt;
}

std::string describe_study(const Study& study) {
  Json json;
  json["model"] = study.model;
  json["over"] = Json::array();
  for (const StudyAxis& axis : study.over) json["over"].push_back(to_json(axis));
  if (study.samples > 0) {
    json["samples"] = study.samples;
    json["seed"] = study.seed;
    json["design"] = study.design == StudyDesign::saltelli ? "saltelli" : "independent";
  }
  json["run"] = {{"command", study.command}, {"options", study.options}};
  json["collect"] = Json::object();
  for (const StudyColumn& column : study.collect) json["collect"][column.name] = column.path;
  if (study.refine) {
    json["refine"] = {{"on", study.refine->on}, {"levels", study.refine->levels}};
    if (study.refine->at) json["refine"]["at"] = *study.refine->at;
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Study> read_study_text(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    Study study;
    study.model = json.at("model");
    for (const Json& axis : json.at("over")) study.over.push_back(axis_from(axis));
    study.samples = json.value("samples", 0L);
    study.seed = json.value("seed", std::uint64_t{1});
    study.design = json.value("design", "") == "saltelli" ? StudyDesign::saltelli : StudyDesign::independent;
    study.command = json.at("run").at("command");
    study.options = json.at("run").at("options");
    for (const auto& [name, path] : json.at("collect").items()) study.collect.push_back({name, path});
    if (json.contains("refine")) {
      StudyRefinement refine;
      refine.on = json["refine"].at("on");
      refine.levels = json["refine"].at("levels");
      if (json["refine"].contains("at")) refine.at = json["refine"]["at"].get<double>();
      study.refine = refine;
    }
    if (check_study(study)) return std::nullopt;
    return study;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace vinculum
