// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/check_run.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "vinculum/constrained/singular_position.h"
#include "vinculum/decision/impact.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/idealisations/one_sided_rows.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

bool has_rows(const Model& model, const RunOptions& options) {
  return !model.is_plain_tree() || model.has_followed_rows(options.parts());
}

namespace {

// Is there such an integrator.
std::optional<Failure> check_integrator(const RunOptions& options) {
  std::vector<std::string> names = integrator_names();
  names.insert(names.begin(), kChosenByModel);
  if (std::find(names.begin(), names.end(), options.integrator) == names.end()) {
    const std::string nearest = nearest_name(options.integrator, names);
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    return Failure{"VN-RUN-005", fmt::format("there is no integrator '{}'", options.integrator),
                   nearest.empty() ? "known are " + known : fmt::format("did you mean '{}'?", nearest)};
  }
  return std::nullopt;
}

// Is there such an event to stop at.
std::optional<Failure> check_stop_event(const Model& model, const RunOptions& options) {
  if (options.stop_at.empty()) return std::nullopt;
  const auto list = [&](Follow follow) {
    RunOptions other = options;
    other.follow = follow;
    return list_run_events(model, other);
  };
  const std::vector<Occurrence> known = list(options.follow);
  const auto is_among = [&](const std::vector<Occurrence>& events) {
    return std::ranges::any_of(events, [&](const Occurrence& event) { return answers_to(event, options.stop_at); });
  };
  if (is_among(known)) return std::nullopt;
  std::string all;
  for (const Occurrence& event : known) all += (all.empty() ? "" : ", ") + event.name();
  std::string other_way;
  for (const Follow follow : {Follow::bilateral, Follow::unilateral, Follow::frictional}) {
    if (other_way.empty() && is_among(list(follow))) other_way = word_of(follow);
  }
  std::vector<std::string> meant;
  for (const Occurrence& event : known) meant.push_back(event.name());
  for (const Occurrence& event : known) {
    if (event.kind != EventKind::model_event) meant.emplace_back(to_text(event.kind));
  }
  const std::string nearest = nearest_name(options.stop_at, meant);
  return Failure{"VN-RUN-006", fmt::format("there is no event '{}' to stop at", options.stop_at),
                 !nearest.empty()     ? fmt::format("did you mean '{}'?", nearest)
                 : !other_way.empty() ? fmt::format("that happens only with `--contacts {}`; here there is {}", other_way,
                                                    all.empty() ? "none of the kind" : all)
                                      : "define it under `events:` in the model file"};
}

// Friction that acts along the very force it is taken from has no direction of its own: it would hold or let go by itself.
std::optional<Failure> check_friction_across(const ConstraintSet& set, const ConstraintRows& rows) {
  constexpr double kParallel = 1e-9;
  const Model& model = set.model;
  for (const Grip& grip : model.grips()) {
    if (!grip.friction || grip.contact >= 0) continue;
    const Eigen::VectorXd normal = compute_row(set, rows, rows.all[grip.normal]).row.normalized();
    for (const int row : grip.rows) {
      const Eigen::VectorXd along = compute_row(set, rows, rows.all[row]).row.normalized();
      if (along.norm() == 0 || (along - along.dot(normal) * normal).norm() > kParallel) continue;
      return Failure{
          "VN-CONTACT-122",
          fmt::format("the friction of '{}' acts along its own normal force {}", grip.name, model.rows()[grip.normal].name),
          "`normal` names the constraint that presses across the slip; or limit the force itself: `bound: 30 N`"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<const Model> in_own_scales(const Model& given, const State& start, double until) {
  const Scales scales = find_scales(given, start, until - start.t);
  if (scales == given.scales()) return nullptr;
  auto rescaled = std::make_unique<Model>(given);
  rescaled->set_scales(scales);
  return rescaled;
}

bool answers_to(const Occurrence& event, std::string_view name) {
  return name == event.name() || (event.kind != EventKind::model_event && name == to_text(event.kind));
}

std::vector<Occurrence> list_run_events(const Model& model, const RunOptions& options) {
  std::vector<Occurrence> listed;
  for (int i = 0; i < static_cast<int>(model.events().size()); ++i)
    listed.push_back({EventKind::model_event, {ElementKind::event, i}, model.events()[i].name});
  if (has_rows(model, options)) listed.push_back({EventKind::singular});
  MotionSystem system(model, {}, options.follow);
  const size_t of_model = listed.size();
  for (const auto& idealisation : make_idealisations(system, model, options.follow, options.tolerance))
    idealisation->list_events(listed);
  // Whatever has events can have very many of them.
  std::map<ElementId, std::string> subjects;
  for (size_t i = of_model; i < listed.size(); ++i) subjects.emplace(listed[i].element, listed[i].subject);
  for (const auto& [element, subject] : subjects) listed.push_back({EventKind::accumulation, element, subject});
  // Those that are called alike, such as the two stops of a joint, once.
  std::set<std::string> names;
  std::erase_if(listed, [&](const Occurrence& event) { return !names.insert(event.name()).second; });
  return listed;
}

std::optional<Failure> check_request(const Model& model, const RunOptions& options) {
  if (auto refusal = check_integrator(options)) return refusal;
  return check_stop_event(model, options);
}

std::optional<Failure> check_start(const Model& model, const State& start, const RunOptions& options) {
  ConstraintSet constraints(model, start);
  constraints.follow(options.parts(), options.follow == Follow::frictional);
  if (auto failure = hold_what_touches(constraints, start)) return failure;
  const auto struck = list_struck(constraints, start);
  if (!struck) return struck.failure();
  std::vector<bool> holding = constraints.holding();
  for (size_t k = 0; k < holding.size(); ++k) holding[k] = holding[k] && !(*struck)[k];
  constraints.hold(holding);
  if (options.follow == Follow::frictional) {
    if (auto failure = check_slip_laws(model)) return failure;
  }
  if (auto failure = let_slip_what_slips(constraints, start, kTouching)) return failure;
  const auto rows = compute_constraint_rows(constraints, start);
  if (!rows) return rows.failure();
  if (auto failure = check_friction_across(constraints, *rows)) return failure;
  Workspace workspace(model);
  if (auto violation = check_residuals(constraints, list_residuals(constraints, *rows), 1e-8)) {
    // Perhaps no velocity would obey them: what accelerations do is another matter.
    ConstraintRows of_velocities = *rows;
    of_velocities.gamma.setZero();
    const auto contradiction = find_contradiction(constraints, start, of_velocities, workspace);
    return contradiction ? contradiction : violation;
  }
  if (auto singular = check_regular_position(constraints, start, workspace, CoincidingTangents::allowed)) return singular;
  if (!constraints.is_plain_tree()) {
    const auto dynamics = compute_constrained_dynamics(constraints, start, workspace);
    if (dynamics) return std::nullopt;
    // Friction with no solution, or several: what contacts do is decided where the run begins, and told there.
    const bool is_decided = options.follow == Follow::frictional && dynamics.failure().cause() == FailureCause::contact_friction;
    return is_decided ? std::nullopt : std::optional(dynamics.failure());
  }
  const auto dynamics = compute_forward_dynamics(model, start, workspace);
  return dynamics ? std::nullopt : std::optional(dynamics.failure());
}

}  // namespace vinculum
