// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/json_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/decision/impact.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/formats/text.h"
#include "vinculum/model/inputs.h"
#include "vinculum/model/state.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

Json to_json(const Vector3& a) { return {a.x, a.y, a.z}; }
Json to_json(const Matrix3& m) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back({m(i, 0), m(i, 1), m(i, 2)});
  return rows;
}
Json to_json(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }
Json to_json(const Wrench& wrench) { return {{"force", to_json(wrench.force)}, {"moment", to_json(wrench.moment)}}; }

Json to_json(const Verdict& verdict) {
  const auto optional = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"subject", verdict.subject},
          {"verdict", to_text(verdict.verdict)},
          {"margin", optional(verdict.margin)},
          {"first_violation", optional(verdict.first_violation)},
          {"why", verdict.why},
          {"hint", verdict.hint},
          {"term", verdict.term},
          {"element", verdict.element},
          {"nearest_t", optional(verdict.nearest_t)}};
}

Verdict verdict_from_json(const Json& json) {
  const auto number = [&](const char* key) {
    return json.at(key).is_null() ? std::nullopt : std::optional(json.at(key).get<double>());
  };
  Verdict verdict{json.at("subject"), Holds::not_checked, number("margin"),   number("first_violation"), json.at("why"),
                  json.at("hint"),    json.at("term"),    json.at("element"), number("nearest_t")};
  verdict.verdict = find_verdict_word(json.at("verdict").get<std::string>()).value_or(Holds::not_checked);
  return verdict;
}

Json to_json(const Diagnostic& d) {
  return {{"severity", d.severity == Severity::error ? "error" : "warning"},
          {"code", d.code},
          {"message", d.message},
          {"file", d.file},
          {"line", d.place.line},
          {"column", d.place.column},
          {"element", d.element},
          {"hint", d.hint}};
}

Json to_json(const Failure& failure) { return {{"code", failure.code}, {"message", failure.message}, {"hint", failure.hint}}; }

Json to_json(const Occurrence& event) {
  Json json{{"t", event.t},
            {"name", event.name()},
            {"kind", to_text(event.kind)},
            {"subject", event.subject},
            {"element", to_text(event.element.kind)},
            {"index", event.element.index},
            {"direction", event.direction}};
  if (event.face) json["face"] = *event.face;
  if (!event.rest_direction.empty()) json["rest_direction"] = event.rest_direction;
  for (const Occurrence::Impulse& row : event.impulses) json["impulse"][row.row] = row.impulse;
  if (event.energy_lost) json["energy_lost"] = *event.energy_lost;
  return json;
}

Occurrence occurrence_from_json(const Json& json) {
  Occurrence event;
  event.kind = find_event_kind(json.at("kind").get<std::string>()).value_or(EventKind::model_event);
  event.element.kind = find_element_kind(json.at("element").get<std::string>()).value_or(ElementKind::model);
  json.at("index").get_to(event.element.index);
  json.at("subject").get_to(event.subject);
  json.at("t").get_to(event.t);
  // Of a rest or a breakaway a number for each velocity (add_result).
  if (const Json& direction = json.at("direction"); direction.is_object()) {
    for (const auto& [velocity, part] : direction.items()) event.rest_direction.push_back(part.get<double>());
  } else {
    direction.get_to(event.direction);
    event.rest_direction = json.value("rest_direction", std::vector<double>{});
  }
  if (json.contains("face")) event.face = json.at("face").get<int>();
  if (json.contains("energy_lost")) event.energy_lost = json.at("energy_lost").get<double>();
  if (!json.contains("impulse")) return event;
  for (const auto& [row, impulse] : json.at("impulse").items()) event.impulses.push_back({row, impulse});
  return event;
}

Json to_json(const RowResidual& residual) {
  return {{"position", residual.position ? Json(*residual.position) : Json(nullptr)}, {"velocity", residual.velocity}};
}

Json named(const std::vector<std::string>& names, std::span<const double> values) {
  Json object = Json::object();
  for (size_t i = 0; i < names.size(); ++i) append(object, names[i], values[i]);
  return object;
}

void append(Json& object, const std::string& name, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(name, std::move(value));
}

std::optional<std::string> find_non_finite(const Json& document) {
  if (document.is_number_float() && !std::isfinite(document.get<double>())) return std::string();
  const auto path = [](const std::string& here, const std::string& below) { return below.empty() ? here : here + ", " + below; };
  if (document.is_array()) {
    for (size_t i = 0; i < document.size(); ++i) {
      if (const auto below = find_non_finite(document[i])) return path(fmt::format("entry {}", i + 1), *below);
    }
  }
  if (document.is_object()) {
    for (const auto& [key, value] : document.get_ref<const Json::object_t&>()) {
      if (const auto below = find_non_finite(value)) {
        std::string words = key;
        std::replace(words.begin(), words.end(), '_', ' ');
        return path(words, *below);
      }
      if (key == "why" && value.is_string() && tells_no_number(value.get<std::string>()))
        return "a number in the reason of " + document.value("subject", "a verdict");
    }
  }
  return std::nullopt;
}

Json to_json(const Model& model, const State& state) {
  Json json{{"t", state.t}, {"q", named(model.coordinate_names(), state.q)}, {"v", named(model.velocity_names(), state.v)}};
  if (model.modes().empty()) return json;
  Json& modes = json["modes"] = Json::object();
  for (size_t i = 0; i < model.modes().size(); ++i) {
    const int value = state.modes.empty() ? model.modes()[i].usual : state.modes[i];
    modes[model.modes()[i].name] = model.modes()[i].words[value];
  }
  if (state.memory.empty()) return json;
  for (const Memory& memory : model.memories()) {
    const std::span numbers = std::span(state.memory).subspan(memory.first, memory.size);
    // Zeros are what is not written.
    if (std::ranges::all_of(numbers, [](double number) { return number == 0; })) continue;
    if (memory.is_list) {
      json["memory"][memory.name] = std::vector(numbers.begin() + 1, numbers.begin() + 1 + static_cast<int>(numbers[0]));
    } else if (memory.size == 1) {
      json["memory"][memory.name] = numbers[0];
    } else {
      json["memory"][memory.name] = std::vector(numbers.begin(), numbers.end());
    }
  }
  return json;
}

Json to_json(const IntegralDrift& integral) {
  return {{"name", integral.name}, {"unit", integral.unit}, {"start", integral.start}, {"drift", integral.drift}};
}

Json to_json(const std::vector<OutputValue>& outputs) {
  Json object = Json::object();
  for (const OutputValue& output : outputs) append(object, output.name, output.value);
  return object;
}

Json to_json(const OutputNumbers& numbers) {
  Json json = {
      {"final", numbers.final}, {"min", numbers.min}, {"t_min", numbers.t_min}, {"max", numbers.max}, {"t_max", numbers.t_max}};
  if (numbers.mean) json["mean"] = *numbers.mean;
  if (numbers.rms) json["rms"] = *numbers.rms;
  return json;
}

void add_result(Json& json, const Model& model, const RunResult& result) {
  const auto list = [](const auto& items) {
    Json array = Json::array();
    for (const auto& item : items) array.push_back(to_json(item));
    return array;
  };
  json["final"] = to_json(model, result.final);
  if (!model.outputs().columns.empty()) {
    json["outputs"] = Json::object();
    for (const OutputNumbers& output : result.outputs) append(json["outputs"], output.name, to_json(output));
  }
  json["samples"] = result.samples;
  json["integrator"] = result.integrator;
  if (!result.chosen_because.empty()) json["chosen_because"] = result.chosen_because;
  json["steps"] = result.steps;
  json["rejected"] = result.rejected;
  json["integrals"] = list(result.integrals);
  if (result.not_watched) json["not_watched"] = result.not_watched->message;
  json["verdicts"] = list(result.verdicts);
  json["events"] = list(result.events);
  for (size_t i = 0; i < result.events.size(); ++i) {
    if (result.events[i].rest_direction.empty()) continue;
    json["events"][i].erase("rest_direction");
    json["events"][i]["direction"] = named(model.velocity_names(), result.events[i].rest_direction);
  }
  for (const ElementWork& entry : result.friction_work) json["friction_work"][entry.subject] = entry.work;
  json["constraint_residual"] = Json::object();
  for (const RowResidual& residual : result.residuals) json["constraint_residual"][residual.row] = to_json(residual);
}

namespace {

// Reads {name: number} into values by their names; `find` knows names of joints as well.
void read_named(const nlohmann::json& object, const char* key, const std::vector<std::string>& names,
                const std::function<std::optional<int>(const std::string&)>& find, std::vector<double>& values,
                Diagnostics& diagnostics) {
  if (!object.contains(key)) return;
  if (!object[key].is_object()) {
    diagnostics.error("VN-FILE-101", {}, fmt::format("\"{}\"", key), "must be an object of numbers by name");
    return;
  }
  for (const auto& [name, value] : object[key].items()) {
    const std::optional<int> found = find(name);
    if (!found) {
      const std::string nearest = nearest_name(name, names);
      diagnostics.error("VN-FILE-102", {}, fmt::format("\"{}\"", key),
                        fmt::format("there is no {} in the model", in_quotes(name)),
                        nearest.empty() ? "`vinculum check` lists the names" : fmt::format("did you mean '{}'?", nearest));
    } else if (!value.is_number() || !std::isfinite(value.get<double>())) {
      diagnostics.error("VN-FILE-101", {}, fmt::format("\"{}\"", key), fmt::format("the value of '{}' must be a number", name));
    } else if (names[*found] != name && object[key].contains(names[*found])) {
      diagnostics.error("VN-FILE-102", {}, fmt::format("\"{}\"", key),
                        fmt::format("{} is there twice, as '{}' of its body and by its joint", in_quotes(name), names[*found]),
                        "keep one of them");
    } else {
      values[*found] = value.get<double>();
    }
  }
}

}  // namespace

namespace {

// "modes": {element: word}
void read_modes(const nlohmann::json& document, const Model& model, State& state, Diagnostics& diagnostics) {
  state.modes = model.usual_modes();
  if (!document.contains("modes")) return;
  if (!document["modes"].is_object()) {
    diagnostics.error("VN-FILE-101", {}, "\"modes\"", "must be an object", R"(for example "modes": {"foot": "apart"})");
    return;
  }
  for (const auto& entry : document["modes"].items()) {
    const std::string& name = entry.key();
    const auto& word = entry.value();
    const auto& modes = model.modes();
    const auto found = std::find_if(modes.begin(), modes.end(), [&](const ElementMode& mode) { return mode.name == name; });
    if (found == modes.end()) {
      std::vector<std::string> known;
      for (const ElementMode& mode : modes) known.push_back(mode.name);
      const std::string nearest = nearest_name(name, known);
      diagnostics.error("VN-FILE-102", {}, "\"modes\"", fmt::format("nothing in the model has the mode {}", in_quotes(name)),
                        nearest.empty() ? "modes have contacts that can lift off, joints with stops, and strings"
                                        : fmt::format("did you mean '{}'?", nearest));
      continue;
    }
    const auto& words = found->words;
    const auto value = word.is_string() ? std::find(words.begin(), words.end(), word.get<std::string>()) : words.end();
    if (value == words.end()) {
      std::string known;
      for (const std::string& each : words) known += (known.empty() ? "" : ", ") + each;
      diagnostics.error("VN-FILE-102", {}, "\"modes\"", fmt::format("the mode of '{}' must be one of {}", name, known));
      continue;
    }
    state.modes[found - modes.begin()] = static_cast<int>(value - words.begin());
  }
}

// "memory": {"stick.play": 0.03, "stick.lag": [force, since], "stick.turns": [t, ..]}
void read_memory(const nlohmann::json& document, const Model& model, State& state, Diagnostics& diagnostics) {
  state.memory.clear();
  if (!document.contains("memory")) return;
  const nlohmann::json& entries = document["memory"];
  if (!entries.is_object()) {
    diagnostics.error("VN-FILE-101", {}, "\"memory\"", "must be an object", R"(for example "memory": {"stick.play": 0.01})");
    return;
  }
  const auto& memories = model.memories();
  state.memory.resize(model.memory_size());
  for (const auto& entry : entries.items()) {
    const auto found =
        std::find_if(memories.begin(), memories.end(), [&](const Memory& memory) { return memory.name == entry.key(); });
    if (found == memories.end()) {
      std::vector<std::string> known;
      for (const Memory& memory : memories) known.push_back(memory.name);
      const std::string nearest = nearest_name(entry.key(), known);
      diagnostics.error("VN-FILE-102", {}, "\"memory\"", fmt::format("the model has no memory {}", in_quotes(entry.key())),
                        nearest.empty() ? "slip laws with backlash, lag or delay have one, and guides with friction"
                                        : fmt::format("did you mean '{}'?", nearest));
      continue;
    }
    const nlohmann::json list = entry.value().is_array() ? entry.value() : nlohmann::json::array({entry.value()});
    const size_t most = found->size - (found->is_list ? 1 : 0);
    const bool is_numbers = std::all_of(list.begin(), list.end(), [](const nlohmann::json& each) {
      return each.is_number() && std::isfinite(each.get<double>());
    });
    if (!is_numbers || list.size() > most || (!found->is_list && list.size() < most)) {
      diagnostics.error("VN-FILE-101", {}, "\"memory\"",
                        fmt::format("'{}' must be {} {} number{} [{}]", found->name,
                                    found->is_list ? "a list of at most" : "a list of", most, most == 1 ? "" : "s", found->unit));
      continue;
    }
    auto slot = state.memory.begin() + found->first;
    if (found->is_list) *slot++ = static_cast<double>(list.size());
    for (const nlohmann::json& each : list) *slot++ = each.get<double>();
  }
}

// A string that is said to be taut has no length to spare.
void check_told_taut(const nlohmann::json& modes, const Model& model, const State& state, Diagnostics& diagnostics) {
  const ConstraintSet set(model, state);
  const auto rows = compute_row_values(set, state);
  for (const Row& row : set.rows) {
    if (!rows || row.from<StringRow>() == nullptr || !modes.contains(row.name)) continue;
    const double gap = *rows->all[row.index].gap;
    if (gap <= kTouching * scales_of(model, row.index).position) continue;
    diagnostics.error(
        "VN-STRING-012", {}, "\"modes\"",
        fmt::format("string '{}' is `taut` in the state, but its ends are {:.4g} m closer than its length", row.name, gap),
        "say `slack`, or leave its mode out");
  }
}

}  // namespace

bool read_state(const std::string& text, const Model& model, State& state, std::vector<double>* accelerations,
                Diagnostics& diagnostics) {
  nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  // Of the results of a run it is where the run ended.
  if (document.is_object() && document.contains("final") && document["final"].is_object()) {
    nlohmann::json final = document["final"];
    document = std::move(final);
  }
  if (document.is_discarded() || !document.is_object()) {
    diagnostics.error("VN-FILE-100", {}, "", "this is not a state: expected a JSON object",
                      R"(for example {"t": 0, "q": {"arm": 0.3}, "v": {"arm'": 0}})");
    return false;
  }
  for (const auto& [key, value] : document.items()) {
    if (key == "t" || key == "q" || key == "v" || key == "modes" || key == "memory" || (key == "a" && accelerations != nullptr))
      continue;
    diagnostics.error(
        "VN-FILE-102", {}, "", fmt::format("unknown key {}", in_quotes(key)),
        key == "a" ? "only `inverse` takes accelerations" : "a state has t, q, v, modes, memory (and a for `inverse`)");
  }
  if (document.contains("t")) {
    if (document["t"].is_number() && std::isfinite(document["t"].get<double>())) {
      state.t = document["t"].get<double>();
    } else {
      diagnostics.error("VN-FILE-101", {}, "\"t\"", "must be a number");
    }
  }
  // What is driven follows its law at this time, unless the file says otherwise.
  Bindings bindings;
  bindings.time = state.t;
  for (const DrivenCoordinate& driven : model.driven()) {
    state.q[driven.q] = evaluate(driven.law, bindings);
    state.v[driven.v] = evaluate(driven.rate, bindings);
  }
  const auto coordinate = [&](const std::string& name) { return model.find_coordinate(name); };
  const auto velocity = [&](const std::string& name) { return model.find_velocity(name); };
  read_named(document, "q", model.coordinate_names(), coordinate, state.q, diagnostics);
  read_named(document, "v", model.velocity_names(), velocity, state.v, diagnostics);
  read_modes(document, model, state, diagnostics);
  read_memory(document, model, state, diagnostics);
  if (!diagnostics.has_errors() && document.contains("modes")) check_told_taut(document["modes"], model, state, diagnostics);
  if (accelerations != nullptr) {
    accelerations->assign(model.velocity_names().size(), 0);
    read_named(document, "a", model.velocity_names(), velocity, *accelerations, diagnostics);
  }
  if (!diagnostics.has_errors()) {
    normalize_quaternions(model, state, diagnostics);
    check_inputs(model, state, diagnostics);
  }
  return !diagnostics.has_errors();
}

}  // namespace vinculum
