// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/run_arrows.h"

#include <algorithm>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/loads.h"

namespace vinculum {

namespace {

// A velocity that a law or a given motion drives.
struct Drive {
  int velocity = 0, link = 0, body = 0;
  std::optional<size_t> column;  // force of a given motion; none: the laws alone
  ReportArrow arrow;
};

int body_of_link(const Model& model, int link) {
  const auto found = std::find_if(model.bodies().begin(), model.bodies().end(),
                                  [&](const Body& body) { return body.first_link <= link && link <= body.link; });
  return static_cast<int>(found - model.bodies().begin());
}

bool turns(const Link& link, int part) { return part >= traits_of(link.kind).lengths; }

// Along or about what a velocity of a link is, world axes: z of its frame L; for a ball the axes of L, for a free link's first
// three velocities those of C in its base P.
Vector3 direction_of(const Link& link, int part, const std::vector<FrameMotion>& frames, const Matrix3& R_WL) {
  if (link.kind == LinkKind::spherical) return R_WL.column(part);
  if (link.kind != LinkKind::free) return R_WL.z;
  if (part >= 3) return R_WL.column(part - 3);
  return (link.parent == kGround ? link.C : frames[link.parent].R * link.C).column(part);
}

std::vector<Drive> list_drives(const Model& model, const Recorder& run) {
  const std::vector<VelocityForce> laws = list_velocity_forces(model);
  std::vector<Drive> drives;
  for (int i = 0; i < static_cast<int>(model.tree().links.size()); ++i) {
    const Link& link = model.tree().links[i];
    for (int part = 0; part < velocity_count(link.kind); ++part) {
      Drive drive{link.v + part, i, body_of_link(model, i), {}, {}};
      const bool has_law = std::ranges::any_of(laws, [&](const VelocityForce& law) { return law.velocity == drive.velocity; });
      for (size_t k = 0; k < model.driven().size(); ++k) {
        if (model.driven()[k].v == drive.velocity) drive.column = run.find({Quantity::Of::driving_force, static_cast<int>(k)});
      }
      if (!has_law && !drive.column) continue;
      std::string name = model.velocity_names()[drive.velocity];
      if (name.ends_with('\'')) name.pop_back();
      drive.arrow = {"drives", name, drive.body, {}, turns(link, part), {}};
      drives.push_back(std::move(drive));
    }
  }
  return drives;
}

}  // namespace

void add_given_forces(const Model& model, const std::vector<State>& states, const Recorder& run, Report& report) {
  std::vector<Drive> drives = list_drives(model, run);
  if (drives.empty() && !model.forces().act_on_links()) return;
  std::vector<ReportSeries> pulls;
  std::vector<ReportArrow> forces, torques;
  for (const ForceOf& force : list_forces(model)) {
    const std::string name = name_of_force(model, force);
    const ForceDrawing drawing = force.source->drawing(model, force.k);
    if (drawing.line) pulls.push_back({kSpringCurves, name, "N", {}});
    if (!drawing.point) continue;
    forces.push_back({"loads", name, drawing.point->index, drawing.point->point, false, {}});
    torques.push_back({"loads", name, drawing.point->index, drawing.point->point, true, {}});
  }

  Workspace workspace(model);
  std::vector<double> scratch;
  std::vector<FrameMotion> frames(model.tree().links.size());
  for (size_t row = 0; row < states.size(); ++row) {
    const State& state = states[row];
    const AppliedForces given = compute_applied_forces(model, state, workspace);
    compute_frame_motions(model, state.q, state.v, frames, scratch);
    for (Drive& drive : drives) {
      const Link& link = model.tree().links[drive.link];
      const double strength = given.joints[drive.velocity] + (drive.column ? run.value(row, *drive.column) : 0);
      drive.arrow.vectors.push_back(strength * direction_of(link, drive.velocity - link.v, frames, frames[drive.link].R));
    }
    for (size_t i = 0; i < forces.size(); ++i) {
      forces[i].vectors.push_back(given.wrenches_W[i].force);
      torques[i].vectors.push_back(given.wrenches_W[i].moment);
    }
    for (size_t i = 0; i < pulls.size(); ++i) pulls[i].values.push_back(given.pulls[i]);
  }

  const auto add = [&](ReportArrow& arrow) {
    const bool acts = std::any_of(arrow.vectors.begin(), arrow.vectors.end(), [](const Vector3& f) { return !(f == Vector3{}); });
    if (acts) report.arrows.push_back(std::move(arrow));
  };
  for (Drive& drive : drives) add(drive.arrow);
  for (ReportArrow& arrow : forces) add(arrow);
  for (ReportArrow& arrow : torques) add(arrow);
  std::move(pulls.begin(), pulls.end(), std::back_inserter(report.series));
}

}  // namespace vinculum
