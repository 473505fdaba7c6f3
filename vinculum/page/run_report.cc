// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/run_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/kernels/environment.h"
#include "vinculum/model/units.h"
#include "vinculum/page/run_arrows.h"
#include "vinculum/version.h"

namespace vinculum {

namespace {

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

// The curves of a table; modes are drawn, not plotted.
void add_series(const Recorder& rows, ResultTable table, Report& report) {
  const Model& model = rows.model();
  const auto plots = list_plots(model);
  const auto plot_of = [&](const Column& column) -> std::string {
    switch (column.quantity.of) {
      case Quantity::Of::kinetic_energy:
      case Quantity::Of::potential_energy: return "energy";
      case Quantity::Of::coordinate: return "coordinates";
      case Quantity::Of::velocity: return "velocities";
      case Quantity::Of::output: return "outputs";
      default: break;
    }
    const auto told = plots.find(column.name);
    return told != plots.end() ? told->second : "reactions";
  };
  for (size_t i = 0; i < rows.columns().size(); ++i) {
    const Column& column = rows.columns()[i];
    if (column.table() != table || !column.words.empty()) continue;
    report.series.push_back({plot_of(column), column.name, column.unit, rows.values_of(i)});
  }
}

void add_total_energy(const Recorder& rows, Report& report) {
  ReportSeries total{"energy", "total energy", "J", rows.values_of(*rows.find({Quantity::Of::kinetic_energy}))};
  const std::vector<double> potential = rows.values_of(*rows.find({Quantity::Of::potential_energy}));
  for (size_t i = 0; i < total.values.size(); ++i) total.values[i] += potential[i];
  report.series.push_back(std::move(total));
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
void add_grips(const Recorder& rows, Report& report) {
  const Model& model = rows.model();
  for (const Grip& grip : model.grips()) {
    if (grip.bearing || grip.rows.size() > 2 || (grip.friction && grip.normal < 0)) continue;
    ReportGrip drawn{grip.name,
                     grip.friction ? "" : model.rows()[grip.rows[0]].unit,
                     grip.friction ? *grip.friction : grip.bound.value_or(0),
                     {},
                     {}};
    const auto force = [&](int row) { return rows.values_of(*rows.find(ResultTable::reactions, model.rows()[row].name)); };
    const std::vector<double> pressed = grip.friction ? force(grip.normal) : std::vector<double>(rows.rows(), 1.0);
    for (size_t k = 0; k < grip.rows.size(); ++k) {
      std::vector<double>& part = k == 0 ? drawn.lateral : drawn.forward;
      part = force(grip.rows[k]);
      for (size_t row = 0; row < part.size(); ++row) part[row] = pressed[row] > 0 ? part[row] / pressed[row] : 0;
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
std::optional<Failure> add_elements(const Model& model, const std::vector<State>& states, const Recorder* rows, Report& report) {
  const std::vector<RowElement> elements = list_row_elements(model);
  if (elements.empty()) return std::nullopt;
  for (const RowElement& element : elements)
    report.elements.push_back({element.name, element.holds_along, element.holds_about, {}, {}});
  // A column each unit force; none where no forces are recorded.
  std::vector<std::vector<std::optional<size_t>>> strengths;
  for (const RowElement& element : elements) {
    auto& own = strengths.emplace_back();
    for (const std::string& name : element.strengths)
      own.push_back(rows != nullptr ? rows->find(ResultTable::reactions, name) : std::nullopt);
  }
  std::vector<bool> held(elements.size(), true);
  for (size_t row = 0; row < states.size(); ++row) {
    const State& state = states[row];
    const ConstraintSet set(model, state);
    const Outcome<ConstraintRows> values = compute_row_values(set, state);
    if (!values) return values.failure();
    const std::vector<RowElementAt> placed = place_row_elements(set, *values);
    for (size_t i = 0; i < elements.size(); ++i) {
      const bool holds = elements[i].mode < 0 || state.modes[elements[i].mode] == elements[i].there;
      auto& apart = report.elements[i].apart;
      if (!holds && held[i]) apart.push_back({state.t, state.t});
      if (!holds) apart.back() = {std::min(apart.back()[0], state.t), std::max(apart.back()[1], state.t)};
      held[i] = holds;
      report.elements[i].frames.push_back({placed[i].point_W, to_quaternion(placed[i].E_W)});
      Vector3& force = report.elements[i].forces.emplace_back();
      for (size_t k = 0; k < strengths[i].size(); ++k) {
        if (strengths[i][k]) force += rows->value(row, *strengths[i][k]) * placed[i].unit_forces_W[k];
      }
    }
  }
  return std::nullopt;
}

// What curves through samples do not show: extremes between them, means, and impulses.
void add_numbers(const Model& model, const RunResult& result, Report& report) {
  for (const OutputNumbers& output : result.outputs) {
    std::string text = fmt::format("{:.6g}{} at the end; from {:.6g} at t = {:.6g} s to {:.6g} at t = {:.6g} s", output.final,
                                   behind_number(output.unit), output.min, output.t_min, output.max, output.t_max);
    if (output.mean) text += fmt::format("; mean {:.6g}", *output.mean);
    if (output.rms) text += fmt::format(", rms {:.6g}", *output.rms);
    report.facts.push_back({output.name, text});
  }
  double lost = 0;
  const Occurrence* hardest = nullptr;
  Occurrence::Impulse largest;
  for (const Occurrence& event : result.events) {
    lost += event.energy_lost.value_or(0);
    for (const Occurrence::Impulse& impulse : event.impulses) {
      if (hardest != nullptr && std::abs(impulse.impulse) <= std::abs(largest.impulse)) continue;
      hardest = &event;
      largest = impulse;
    }
  }
  if (hardest == nullptr) return;
  const auto row = std::ranges::find(model.rows(), largest.row, &Row::name);
  report.facts.push_back({"energy lost in impacts", fmt::format("{:.4g} J", lost)});
  report.facts.push_back({"largest impulse", fmt::format("{:.4g} {}*s of {} at t = {:.6g} s", largest.impulse,
                                                         row == model.rows().end() ? "N" : row->unit, largest.row, hardest->t)});
}

}  // namespace

Recorder make_page_recorder(const Model& model) { return Recorder(model, {}, kRowsOfPage); }

Outcome<Report> make_run_report(Recorder rows, const RunRequest& request, const RunResult& result) {
  if (rows.rows() == 0)
    return Failure{"VN-FILE-150", "there is no page, for the run has no sample to show", "see the message of the run"};
  const Model& model = rows.model();
  Report report;
  report.title = title_of(model, request.model_file);
  report.end = {std::string(end_text(result.end)), result.failure ? result.failure->message : "", result.final.t,
                request.options.until};
  report.times.assign(rows.times().begin(), rows.times().end());
  report.samples_of_run = rows.rows_of_run();
  report.mesh_directory = std::filesystem::path(request.model_file).parent_path().string();
  std::vector<State> motion;
  for (size_t row = 0; row < rows.rows(); ++row) motion.push_back(rows.state(row));
  add_poses(model, motion, report);
  if (auto failure = add_elements(model, motion, &rows, report)) return *failure;
  add_series(rows, ResultTable::outputs, report);
  add_series(rows, ResultTable::states, report);
  add_total_energy(rows, report);
  add_drifts(model, motion, result.conserved, report);
  add_series(rows, ResultTable::reactions, report);
  add_grips(rows, report);
  add_given_forces(model, motion, rows, report);
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
  add_numbers(model, result, report);
  report.facts.push_back({"fingerprint", request.fingerprint});
  report.facts.push_back({"made by", "vinculum " + version()});
  return report;
}

Outcome<Report> read_run_report(const std::string& folder, const Model& model, const RunRequest& request,
                                const RunResult& result) {
  Recorder rows = make_page_recorder(model);
  if (auto failure = read_rows(folder, model, [&](double t, std::span<const double> row) { rows.add(t, row); })) return *failure;
  return make_run_report(std::move(rows), request, result);
}

Outcome<bool> write_run_report(const std::string& path, Recorder rows, const RunRequest& request, const RunResult& result) {
  const Model& model = rows.model();
  const auto report = make_run_report(std::move(rows), request, result);
  if (!report) return report.failure();
  return write_report(path, model, *report);
}

Outcome<bool> write_pose_report(const std::string& path, const Model& model, const State& state, const std::string& model_file) {
  Report report;
  report.title = title_of(model, model_file);
  report.times = {state.t};
  report.end.at = report.end.asked = state.t;
  report.mesh_directory = std::filesystem::path(model_file).parent_path().string();
  report.adjustable = state.q;
  add_poses(model, {state}, report);
  if (auto failure = add_elements(model, {state}, nullptr, report)) return *failure;
  report.facts = {{"model", model_file},
                  {"bodies", fmt::format("{}", model.bodies().size())},
                  {"coordinates", fmt::format("{}", model.coordinate_names().size())},
                  {"made by", "vinculum " + version()}};
  return write_report(path, model, report);
}

}  // namespace vinculum
