// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/run_report.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/formats/table.h"
#include "vinculum/kernels/environment.h"
#include "vinculum/page/run_arrows.h"
#include "vinculum/version.h"

namespace vinculum {

namespace {

// More rows than this do not make a curve on a screen better.
constexpr size_t kMostRows = 4000;

std::string title_of(const Model& model, const std::string& model_file) {
  return model.name().empty() ? std::filesystem::path(model_file).stem().string() : model.name();
}

// The plots of columns that rows tell; all others of forces are reactions of joints.
std::unordered_map<std::string, std::string> list_plots(const Model& model) {
  std::unordered_map<std::string, std::string> plots;
  for (const Row& row : model.rows()) {
    if (!row.plot.empty()) plots[row.name] = row.plot;
  }
  for (const RowQuantity& quantity : list_row_quantities(model)) plots[quantity.column_name()] = quantity.plot;
  return plots;
}

void add_series(const Model& model, const NumberTable& table, Report& report) {
  const auto plots = list_plots(model);
  const auto plot_of = [&](const std::string& name) -> std::string {
    if (name.ends_with(" energy")) return "energy";
    if (model.find_coordinate(name)) return "coordinates";
    if (model.find_velocity(name)) return "velocities";
    const auto told = plots.find(name);
    return told != plots.end() ? told->second : "reactions";
  };
  for (size_t i = 1; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    if (column.is_mode()) continue;  // drawn, not plotted
    report.series.push_back({plot_of(column.name), column.name, column.unit, column.values});
  }
}

void add_outputs(const NumberTable& table, Report& report) {
  for (size_t i = 1; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    report.series.push_back({"outputs", column.name, column.unit, column.values});
  }
}

void add_total_energy(Report& report) {
  const auto find = [&](const char* name) {
    return std::find_if(report.series.begin(), report.series.end(), [&](const ReportSeries& s) { return s.name == name; });
  };
  const auto kinetic = find("kinetic energy"), potential = find("potential energy");
  ReportSeries total{"energy", "total energy", "J", kinetic->values};
  for (size_t i = 0; i < total.values.size(); ++i) total.values[i] += potential->values[i];
  report.series.push_back(std::move(total));
}

State state_in(const Model& model, const NumberTable& states, size_t row) {
  State state = model.initial_state();
  size_t column = 0;
  const auto next = [&] { return states.columns[column++].values[row]; };
  state.t = next();
  for (double& q : state.q) q = next();
  for (double& v : state.v) v = next();
  for (size_t i = 0; i < model.modes().size(); ++i) {
    const ElementMode& mode = model.modes()[i];
    const auto* words = states.find(std::string(NumberTable::kModeColumn) + mode.name);
    const auto word = std::find(mode.words.begin(), mode.words.end(), words->words[row]);
    if (word != mode.words.end()) state.modes[i] = static_cast<int>(word - mode.words.begin());
  }
  return state;
}

std::vector<State> states_in(const Model& model, const NumberTable& table) {
  std::vector<State> states;
  for (size_t row = 0; row < table.rows; ++row) states.push_back(state_in(model, table, row));
  return states;
}

void add_poses(const Model& model, const std::vector<State>& states, Report& report) {
  Workspace workspace(model);
  std::vector<double> scratch;
  report.body_poses.resize(model.bodies().size());
  report.environment_poses.resize(model.environment().size());
  for (const State& state : states) {
    const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
    for (size_t i = 0; i < motions.size(); ++i) report.body_poses[i].push_back({motions[i].p_WB, to_quaternion(motions[i].R_WB)});
    for (size_t i = 0; i < model.environment().size(); ++i) {
      const EnvironmentMotion motion = compute_environment_motion(model.environment()[i], state.t, scratch);
      report.environment_poses[i].push_back({motion.p_WE, to_quaternion(motion.R_WE)});
    }
  }
}

// Forces that a bound or friction limits, in their circles: lambda, or lambda/N, which is zero where nothing presses.
void add_grips(const Model& model, const NumberTable& reactions, Report& report) {
  for (const Grip& grip : model.grips()) {
    const auto column_of = [&](int row) { return reactions.find(model.rows()[row].name); };
    const auto* const normal = grip.friction && grip.normal >= 0 ? column_of(grip.normal) : nullptr;
    if (grip.rows.size() > 2 || (grip.friction && normal == nullptr)) continue;
    ReportGrip drawn{grip.name,
                     grip.friction ? "" : model.rows()[grip.rows[0]].unit,
                     grip.friction ? *grip.friction : grip.bound.value_or(0),
                     {},
                     {}};
    for (size_t k = 0; k < grip.rows.size(); ++k) {
      const auto* const column = column_of(grip.rows[k]);
      if (column == nullptr) break;
      std::vector<double>& part = k == 0 ? drawn.lateral : drawn.forward;
      for (size_t row = 0; row < reactions.rows; ++row) {
        const double pressed = normal == nullptr ? 1 : normal->values[row];
        part.push_back(pressed > 0 ? column->values[row] / pressed : 0);
      }
    }
    if (!drawn.lateral.empty()) report.grips.push_back(std::move(drawn));
  }
}

// How far each first integral is from its start.
void add_drifts(const Model& model, const std::vector<State>& states, const std::vector<Integral>& integrals, Report& report) {
  if (integrals.empty()) return;
  IntegralMonitor monitor(model, integrals);
  Workspace workspace(model);
  std::vector<double> start(integrals.size()), values(integrals.size());
  std::vector<ReportSeries> drifts;
  for (const Integral& integral : integrals) drifts.push_back({"drift", "drift of " + integral.name, integral.unit, {}});
  for (const State& state : states) {
    monitor.compute(state, workspace, values);
    if (&state == &states.front()) start = values;
    for (size_t i = 0; i < drifts.size(); ++i) drifts[i].values.push_back(values[i] - start[i]);
  }
  report.series.insert(report.series.end(), drifts.begin(), drifts.end());
}

// Where the elements of rows are follows from the state; their forces are columns, each the strength of a unit force. Which of
// them are there is a mode: one that touches may press by nothing.
std::optional<Failure> add_elements(const Model& model, const std::vector<State>& states, const NumberTable& reactions,
                                    Report& report) {
  const std::vector<RowElement> elements = list_row_elements(model);
  if (elements.empty()) return std::nullopt;
  for (const RowElement& element : elements)
    report.elements.push_back({element.name, element.holds_along, element.holds_about, {}, {}});
  std::vector<bool> held(elements.size(), true);
  for (size_t row = 0; row < states.size(); ++row) {
    const State& state = states[row];
    const ConstraintSet set(model, state);
    const Outcome<ConstraintRows> rows = compute_row_values(set, state);
    if (!rows) return rows.failure();
    const std::vector<RowElementAt> placed = place_row_elements(set, *rows);
    for (size_t i = 0; i < elements.size(); ++i) {
      const bool holds = elements[i].mode < 0 || state.modes[elements[i].mode] == elements[i].there;
      auto& apart = report.elements[i].apart;
      if (!holds && held[i]) apart.push_back({state.t, state.t});
      if (!holds) apart.back() = {std::min(apart.back()[0], state.t), std::max(apart.back()[1], state.t)};
      held[i] = holds;
      report.elements[i].frames.push_back({placed[i].point_W, to_quaternion(placed[i].E_W)});
      Vector3& force = report.elements[i].forces.emplace_back();
      for (size_t k = 0; k < elements[i].strengths.size(); ++k) {
        if (const auto* column = reactions.find(elements[i].strengths[k]))
          force += column->values[row] * placed[i].unit_forces_W[k];
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Outcome<Report> make_run_report(const std::string& folder, const Model& model, const RunRequest& request,
                                const RunResult& result) {
  const std::filesystem::path path(folder);
  const std::string states_path = (path / "states.csv").string();
  const size_t rows = count_rows(states_path);
  const size_t stride = std::max<size_t>(1, rows / kMostRows);
  Diagnostics diagnostics(states_path);
  const auto states = read_table(states_path, diagnostics, stride);
  const auto reactions = read_table((path / "reactions.csv").string(), diagnostics, stride);
  if (!states || !reactions) return Failure{"VN-FILE-120", to_text(diagnostics.list().front()), ""};
  if (states->columns.empty() || states->columns[0].values.empty())
    return Failure{"VN-FILE-150", "there is no page, for the run has no sample to show", "see the message of the run"};

  Report report;
  report.title = title_of(model, request.model_file);
  report.end = {std::string(end_text(result.end)), result.failure ? result.failure->message : "", result.final.t,
                request.options.until};
  report.times = states->columns[0].values;
  report.samples_of_run = rows;
  report.mesh_directory = std::filesystem::path(request.model_file).parent_path().string();
  const std::vector<State> motion = states_in(model, *states);
  add_poses(model, motion, report);
  if (auto failure = add_elements(model, motion, *reactions, report)) return *failure;
  if (!model.outputs().columns.empty()) {
    const auto outputs = read_table((path / "outputs.csv").string(), diagnostics, stride);
    if (!outputs) return Failure{"VN-FILE-120", to_text(diagnostics.list().front()), ""};
    add_outputs(*outputs, report);
  }
  add_series(model, *states, report);
  add_total_energy(report);
  add_drifts(model, motion, result.conserved, report);
  add_series(model, *reactions, report);
  add_grips(model, *reactions, report);
  add_given_forces(model, motion, *reactions, report);
  report.verdicts = result.verdicts;
  for (const Occurrence& event : result.events)
    report.events.push_back({event.t, event.face ? fmt::format("{} on face {}", event.subject, *event.face) : event.name()});
  for (size_t k = 0; k < model.face_pairs().size() && 2 * k + 1 < result.friction_work.size(); ++k)
    report.guides.push_back(
        {model.face_pairs()[k].name, {result.friction_work[2 * k].work, result.friction_work[2 * k + 1].work}});

  report.facts = {{"model", request.model_file},
                  {"integrator", result.integrator},
                  {"tolerance", fmt::format("{:g}", request.options.tolerance)},
                  {"steps", fmt::format("{}", result.steps)},
                  {"bodies", fmt::format("{}", model.bodies().size())},
                  {"velocities", fmt::format("{}", model.velocity_names().size())}};
  for (const IntegralDrift& integral : result.integrals)
    report.facts.push_back({"drift of " + integral.name, fmt::format("{:.2g} {}", integral.drift, integral.unit)});
  double residual = 0;
  for (const RowResidual& row : result.residuals) residual = std::max({residual, row.position.value_or(0), row.velocity});
  if (!result.residuals.empty()) report.facts.push_back({"largest residual of a constraint", fmt::format("{:.2g}", residual)});
  report.facts.push_back({"fingerprint", request.fingerprint});
  report.facts.push_back({"made by", "vinculum " + version()});
  return report;
}

Outcome<bool> write_run_report(const std::string& folder, const Model& model, const RunRequest& request,
                               const RunResult& result) {
  const auto report = make_run_report(folder, model, request, result);
  if (!report) return report.failure();
  return write_report((std::filesystem::path(folder) / "report.html").string(), model, *report);
}

Outcome<bool> write_pose_report(const std::string& path, const Model& model, const State& state, const std::string& model_file) {
  Report report;
  report.title = title_of(model, model_file);
  report.times = {state.t};
  report.end.at = report.end.asked = state.t;
  report.mesh_directory = std::filesystem::path(model_file).parent_path().string();
  report.adjustable = state.q;
  add_poses(model, {state}, report);
  if (auto failure = add_elements(model, {state}, {}, report)) return *failure;
  report.facts = {{"model", model_file},
                  {"bodies", fmt::format("{}", model.bodies().size())},
                  {"coordinates", fmt::format("{}", model.coordinate_names().size())},
                  {"made by", "vinculum " + version()}};
  return write_report(path, model, report);
}

}  // namespace vinculum
