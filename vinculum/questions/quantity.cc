// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <vector>

#include "vinculum/verdict/diagnostic.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

using Of = AnswerQuantity::Of;

constexpr std::array<std::string_view, 13> kFieldsOfRuns{
    "final",       "outputs",  "samples", "integrator",    "chosen_because",     "steps", "rejected", "integrals",
    "not_watched", "verdicts", "events",  "friction_work", "constraint_residual"};
constexpr std::array<std::string_view, 7> kFieldsOfOutputs{"final", "min", "t_min", "max", "t_max", "mean", "rms"};
constexpr std::array<std::string_view, 9> kFieldsOfEvents{"t",       "direction", "face",    "energy_lost", "kind",
                                                          "subject", "name",      "element", "index"};
constexpr std::array<std::string_view, 9> kFieldsOfVerdicts{"verdict", "margin", "first_violation", "nearest_t", "why",
                                                            "hint",    "term",   "element",         "subject"};

bool starts_with_name(std::string_view path, std::string_view name) {
  return path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '.');
}

// What stands behind "final.q." in "final.q.car.tx".
std::optional<std::string_view> rest_after(std::string_view path, std::string_view begin) {
  return path.size() > begin.size() && path.starts_with(begin) ? std::optional(path.substr(begin.size())) : std::nullopt;
}

// NAME.FIELD, where names may have points in them and fields have none.
template <size_t n>
std::optional<AnswerQuantity> with_field(Of of, std::string_view path, const std::array<std::string_view, n>& fields) {
  const size_t point = path.rfind('.');
  if (point == std::string_view::npos || point == 0) return std::nullopt;
  const std::string_view field = path.substr(point + 1);
  if (std::ranges::find(fields, field) == fields.end()) return std::nullopt;
  return AnswerQuantity{.of = of, .name = std::string(path.substr(0, point)), .field = std::string(field)};
}

std::optional<AnswerQuantity> find_in_run(const Model& model, std::string_view path) {
  if (path == "final.t") return AnswerQuantity{Of::final_time};
  if (path == "samples") return AnswerQuantity{Of::samples};
  if (path == "steps") return AnswerQuantity{Of::steps};
  if (path == "rejected") return AnswerQuantity{Of::rejected};
  if (path == "integrator") return AnswerQuantity{Of::integrator};
  if (const auto name = rest_after(path, "final.q.")) {
    const auto q = std::ranges::find(model.coordinate_names(), *name);
    if (q == model.coordinate_names().end()) return std::nullopt;
    return AnswerQuantity{.of = Of::final_coordinate, .index = static_cast<int>(q - model.coordinate_names().begin())};
  }
  if (const auto name = rest_after(path, "final.v.")) {
    const auto v = std::ranges::find(model.velocity_names(), *name);
    if (v == model.velocity_names().end()) return std::nullopt;
    return AnswerQuantity{.of = Of::final_velocity, .index = static_cast<int>(v - model.velocity_names().begin())};
  }
  if (const auto rest = rest_after(path, "outputs.")) {
    const auto& columns = model.outputs().columns;
    const auto is_output = [&](std::string_view name) {
      return std::ranges::any_of(columns, [&](const auto& column) { return column.name == name; });
    };
    if (is_output(*rest)) return AnswerQuantity{.of = Of::output, .name = std::string(*rest), .field = "final"};
    auto quantity = with_field(Of::output, *rest, kFieldsOfOutputs);
    return quantity && is_output(quantity->name) ? quantity : std::nullopt;
  }
  if (const auto rest = rest_after(path, "events.")) {
    // Impulses and directions of rest are lists by names of their own, for which the document stands.
    if (rest->find("impulse.") != std::string_view::npos || rest->find("direction.") != std::string_view::npos)
      return std::nullopt;
    return with_field(Of::event, *rest, kFieldsOfEvents);
  }
  if (const auto rest = rest_after(path, "verdicts.")) return with_field(Of::verdict, *rest, kFieldsOfVerdicts);
  // What begins with no field of the answer is one of its verdicts.
  if (starts_with_name(path, "projection") ||
      std::ranges::any_of(kFieldsOfRuns, [&](std::string_view field) { return starts_with_name(path, field); }))
    return std::nullopt;
  return with_field(Of::verdict, path, kFieldsOfVerdicts);
}

// A number below `count` behind a path: "poses.arm.position.2" after "poses.arm.position".
std::optional<int> component_after(std::string_view path, std::string_view begin, int count) {
  const auto digits = starts_with_name(path, begin) ? rest_after(path, std::string(begin) + ".") : std::nullopt;
  if (!digits) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), number);
  const bool good = error == std::errc() && end == digits->data() + digits->size() && *digits == std::to_string(number);
  return good && number < count ? std::optional(number) : std::nullopt;
}

std::optional<AnswerQuantity> find_in_evaluation(const Model& model, std::string_view path) {
  if (path == "t") return AnswerQuantity{Of::time};
  if (path == "energy.kinetic") return AnswerQuantity{Of::kinetic_energy};
  if (path == "energy.potential") return AnswerQuantity{Of::potential_energy};
  const int n = model.tree().velocities;
  for (int i = 0; i < n; ++i) {
    if (path == "accelerations." + model.velocity_names()[static_cast<size_t>(i)])
      return AnswerQuantity{.of = Of::acceleration, .index = i};
    if (const auto column = component_after(path, "mass_matrix." + std::to_string(i), n))
      return AnswerQuantity{.of = Of::mass_matrix, .index = i, .component = *column};
  }
  for (size_t b = 0; b < model.bodies().size(); ++b) {
    const std::string& name = model.bodies()[b].name;
    const int body = static_cast<int>(b);
    std::optional<AnswerQuantity> found;
    if (const auto i = component_after(path, "poses." + name + ".position", 3)) found = {Of::position, body, *i};
    if (const auto i = component_after(path, "poses." + name + ".quaternion", 4)) found = {Of::quaternion, body, *i};
    if (const auto i = component_after(path, "twists." + name, 6)) found = {Of::twist, body, *i};
    if (!found) continue;
    // Bodies `arm` and `arm.position`: the path may lead to either, and the document says where.
    const std::string_view rest = path.substr(path.find('.') + 1);
    const bool is_only = std::ranges::none_of(
        model.bodies(), [&](const Body& other) { return other.name.size() > name.size() && starts_with_name(rest, other.name); });
    return is_only ? found : std::nullopt;
  }
  return std::nullopt;
}

std::string find_nearest(std::string_view path, std::vector<std::string> known) { return nearest_name(path, known); }

StudyValue number_or_nothing(const std::optional<double>& value) { return value ? StudyValue(*value) : StudyValue(); }

StudyValue value_of(std::string_view field, const OutputNumbers& output) {
  if (field == "final") return output.final;
  if (field == "min") return output.min;
  if (field == "t_min") return output.t_min;
  if (field == "max") return output.max;
  if (field == "t_max") return output.t_max;
  return number_or_nothing(field == "mean" ? output.mean : output.rms);
}

StudyValue value_of(std::string_view field, const Occurrence& event) {
  if (field == "t") return event.t;
  if (field == "direction") return event.rest_direction.empty() ? StudyValue(static_cast<double>(event.direction)) : StudyValue();
  if (field == "face") return event.face ? StudyValue(static_cast<double>(*event.face)) : StudyValue();
  if (field == "energy_lost") return number_or_nothing(event.energy_lost);
  if (field == "element") return std::string(to_text(event.element.kind));
  if (field == "index") return static_cast<double>(event.element.index);
  return field == "kind" ? std::string(to_text(event.kind)) : field == "subject" ? event.subject : event.name();
}

StudyValue value_of(std::string_view field, const Verdict& verdict) {
  if (field == "verdict") return std::string(to_text(verdict.verdict));
  if (field == "margin") return number_or_nothing(verdict.margin);
  if (field == "first_violation") return number_or_nothing(verdict.first_violation);
  if (field == "nearest_t") return number_or_nothing(verdict.nearest_t);
  return field == "why"       ? verdict.why
         : field == "hint"    ? verdict.hint
         : field == "term"    ? verdict.term
         : field == "element" ? verdict.element
                              : verdict.subject;
}

// The first entry with the name. One that is called NAME.FIELD is meant by the whole path, and is not one value.
template <class Entry, class Name>
StudyValue value_in(const std::vector<Entry>& entries, const AnswerQuantity& quantity, Name name) {
  const Entry* found = nullptr;
  for (const Entry& entry : entries) {
    const std::string& own = std::invoke(name, entry);
    if (found == nullptr && own == quantity.name) found = &entry;
    if (own.size() == quantity.name.size() + 1 + quantity.field.size() && own.starts_with(quantity.name) &&
        own.ends_with(quantity.field) && own[quantity.name.size()] == '.')
      return {};
  }
  return found == nullptr ? StudyValue() : value_of(quantity.field, *found);
}

}  // namespace

std::optional<AnswerQuantity> find_run_quantity(const Model& model, std::string_view path, std::string* nearest) {
  auto found = find_in_run(model, path);
  if (found || nearest == nullptr) return found;
  std::vector<std::string> known{"final.t", "samples", "steps", "rejected", "integrator"};
  for (const std::string& name : model.coordinate_names()) known.push_back("final.q." + name);
  for (const std::string& name : model.velocity_names()) known.push_back("final.v." + name);
  for (const auto& column : model.outputs().columns) known.push_back("outputs." + column.name);
  for (const EventDescription& event : model.events()) known.push_back("events." + event.name + ".t");
  *nearest = find_nearest(path, std::move(known));
  return found;
}

std::optional<AnswerQuantity> find_evaluation_quantity(const Model& model, std::string_view path, std::string* nearest) {
  auto found = find_in_evaluation(model, path);
  if (found || nearest == nullptr) return found;
  std::vector<std::string> known{"t", "energy.kinetic", "energy.potential"};
  for (const std::string& name : model.velocity_names()) known.push_back("accelerations." + name);
  for (const Body& body : model.bodies()) {
    for (const char* end : {".position.0", ".quaternion.0"}) known.push_back("poses." + body.name + end);
    known.push_back("twists." + body.name + ".0");
  }
  *nearest = find_nearest(path, std::move(known));
  return found;
}

StudyValue value_of(const AnswerQuantity& quantity, const RunResult& result) {
  switch (quantity.of) {
    case Of::final_time: return result.final.t;
    case Of::final_coordinate: return result.final.q[static_cast<size_t>(quantity.index)];
    case Of::final_velocity: return result.final.v[static_cast<size_t>(quantity.index)];
    case Of::samples: return static_cast<double>(result.samples);
    case Of::steps: return static_cast<double>(result.steps);
    case Of::rejected: return static_cast<double>(result.rejected);
    case Of::integrator: return result.integrator;
    case Of::output: return value_in(result.outputs, quantity, &OutputNumbers::name);
    case Of::event: return value_in(result.events, quantity, &Occurrence::name);
    case Of::verdict: return value_in(result.verdicts, quantity, &Verdict::subject);
    default: return {};  // of evaluations
  }
}

bool has_value(const AnswerQuantity& quantity, const Model& model) {
  switch (quantity.of) {
    case Of::final_time:
    case Of::final_coordinate:
    case Of::final_velocity:
    case Of::steps: return true;
    case Of::event:
      return (quantity.field == "t" || quantity.field == "direction") &&
             std::ranges::any_of(model.events(), [&](const EventDescription& event) { return event.name == quantity.name; }) &&
             std::ranges::none_of(model.events(), [&](const EventDescription& event) {
               return event.name == quantity.name + "." + quantity.field;
             });
    default: return false;
  }
}

StudyValue value_of(const AnswerQuantity& quantity, const Model& model, const EnsembleRun& run) {
  switch (quantity.of) {
    case Of::final_time: return run.final.t;
    case Of::final_coordinate: return run.final.q[static_cast<size_t>(quantity.index)];
    case Of::final_velocity: return run.final.v[static_cast<size_t>(quantity.index)];
    case Of::steps: return static_cast<double>(run.steps);
    case Of::event: {
      const auto event = std::ranges::find_if(run.events, [&](const EnsembleRun::Event& each) {
        return model.events()[static_cast<size_t>(each.event)].name == quantity.name;
      });
      if (event == run.events.end()) return {};
      return quantity.field == "t" ? event->t : static_cast<double>(event->direction);
    }
    default: return {};
  }
}

bool is_all_finite(const RunResult& result) {
  const auto all = [](const auto& list, const auto& is_good) { return std::ranges::all_of(list, is_good); };
  const auto good = [](double x) { return std::isfinite(x); };
  const auto maybe = [](const std::optional<double>& x) { return !x || std::isfinite(*x); };
  return good(result.final.t) && all(result.final.q, good) && all(result.final.v, good) && all(result.final.memory, good) &&
         all(result.outputs,
             [&](const OutputNumbers& output) {
               return good(output.final) && good(output.min) && good(output.t_min) && good(output.max) && good(output.t_max) &&
                      maybe(output.mean) && maybe(output.rms);
             }) &&
         all(result.integrals, [&](const IntegralDrift& integral) { return good(integral.start) && good(integral.drift); }) &&
         all(result.verdicts,
             [&](const Verdict& verdict) {
               return maybe(verdict.margin) && maybe(verdict.first_violation) && maybe(verdict.nearest_t) &&
                      !tells_no_number(verdict.why);
             }) &&
         all(result.events,
             [&](const Occurrence& event) {
               return good(event.t) && maybe(event.energy_lost) && all(event.rest_direction, good) &&
                      all(event.impulses, [&](const Occurrence::Impulse& row) { return good(row.impulse); });
             }) &&
         all(result.friction_work, [&](const ElementWork& entry) { return good(entry.work); }) &&
         all(result.residuals, [&](const RowResidual& residual) { return maybe(residual.position) && good(residual.velocity); });
}

}  // namespace vinculum
