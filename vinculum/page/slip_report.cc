// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/slip_report.h"

#include <algorithm>
#include <filesystem>

#include "vinculum/dynamics/kinematics.h"
#include "vinculum/kernels/environment.h"

namespace vinculum {

namespace {

std::vector<ReportGrip> empty_grips(const SlipSystem& system) {
  std::vector<ReportGrip> grips;
  for (const SlipGroup& group : system.rows().groups) {
    if (group.rows.size() > 2) continue;
    const bool by_friction = (group.normal >= 0 || group.pressed >= 0) && !group.bound && group.row_bounds.empty();
    const Row& row = system.model().rows()[system.rows().realized[group.rows[0]]];
    grips.push_back(
        {group.name, by_friction ? "" : row.unit, by_friction ? group.friction.value_or(0) : group.bound.value_or(0), {}, {}});
    if (!by_friction && group.rows.size() == 1 && !group.row_bounds.empty()) grips.back().bound = group.row_bounds[0].value_or(0);
  }
  return grips;
}

// Forces, and slips, of one instant.
struct SlipInstant {
  Eigen::VectorXd R, slip, multipliers;
  std::vector<double> pressed;  // of SlipState
};
Outcome<SlipInstant> look_at_instant(SlipSystem& system, const State& state, const std::vector<double>& accelerations) {
  const auto at = system.compute(state);
  if (!at) return at.failure();
  SlipInstant instant;
  instant.slip = at->slip;
  instant.R = at->r;
  // R = hold J (v' - a0)
  if (at->is_regular()) {
    const Eigen::VectorXd a = Eigen::Map<const Eigen::VectorXd>(accelerations.data(), at->a0.size());
    instant.R = at->hold * (at->J * (a - at->a0));
  }
  instant.multipliers = system.multipliers(*at, instant.R);
  instant.pressed = at->pressed;
  return instant;
}

void add_to_grips(const SlipSystem& system, const SlipInstant& instant, std::vector<ReportGrip>& grips) {
  size_t k = 0;
  for (const SlipGroup& group : system.rows().groups) {
    if (group.rows.size() > 2) continue;
    ReportGrip& grip = grips[k++];
    const bool by_friction = grip.unit.empty();
    const double normal = !by_friction         ? 1
                          : group.pressed >= 0 ? instant.pressed[group.pressed]
                                               : instant.multipliers[group.normal];
    const auto part = [&](int row) { return normal > 0 ? instant.R[row] / normal : 0; };
    grip.lateral.push_back(part(group.rows[0]));
    if (group.rows.size() == 2) grip.forward.push_back(part(group.rows[1]));
  }
}

}  // namespace

Outcome<bool> write_slip_report(const std::string& path, SlipSystem& system, const SlipReport& content) {
  const Model& model = system.model();
  Report report;
  report.title =
      (model.name().empty() ? std::filesystem::path(content.model_file).stem().string() : model.name()) + ": will it slip?";
  report.end.at = report.end.asked = content.shown.states.back().t;
  report.mesh_directory = std::filesystem::path(content.model_file).parent_path().string();
  report.body_poses.resize(model.bodies().size());
  report.environment_poses.resize(model.environment().size());
  for (const Body& body : model.bodies()) report.paths.push_back({body.name + " without slip", {}});
  report.grips = empty_grips(system);
  const size_t g = system.rows().realized.size();
  for (size_t i = 0; i < g; ++i) {
    const Row& row = model.rows()[system.rows().realized[i]];
    report.series.push_back({"grip", row.name, row.unit, {}});
    report.series.push_back({"slip", row.name + " slip", row.unit == "N" ? "m/s" : row.unit == "N*m" ? "rad/s" : "", {}});
  }
  Workspace workspace(model);
  std::vector<double> scratch;
  const size_t count = std::min(content.shown.states.size(), content.without_slip.size());
  for (size_t i = 0; i < count; ++i) {
    const State& state = content.shown.states[i];
    report.times.push_back(state.t);
    const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
    const std::vector<BodyMotion> beside = compute_body_motions(model, content.without_slip[i], workspace);
    for (size_t k = 0; k < motions.size(); ++k) {
      report.body_poses[k].push_back({motions[k].p_WB, to_quaternion(motions[k].R_WB)});
      report.paths[k].points.push_back(beside[k].p_WB + beside[k].R_WB * model.bodies()[k].p_BoBcm_B);
    }
    for (size_t k = 0; k < model.environment().size(); ++k) {
      const EnvironmentMotion motion = compute_environment_motion(model.environment()[k], state.t, scratch);
      report.environment_poses[k].push_back({motion.p_WE, to_quaternion(motion.R_WE)});
    }
    const auto instant = look_at_instant(system, state, content.shown.accelerations[i]);
    if (!instant) return instant.failure();
    add_to_grips(system, *instant, report.grips);
    for (size_t row = 0; row < g; ++row) {
      report.series[2 * row].values.push_back(instant->R[static_cast<Eigen::Index>(row)]);
      report.series[2 * row + 1].values.push_back(instant->slip[static_cast<Eigen::Index>(row)]);
    }
  }
  report.verdicts = content.verdicts;
  report.events = content.events;
  report.facts = content.facts;
  return write_report(path, model, report);
}

}  // namespace vinculum
