// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/idealisations.h"

#include <algorithm>

#include "vinculum/idealisations/contact_watch.h"
#include "vinculum/idealisations/face.h"
#include "vinculum/idealisations/friction_work.h"
#include "vinculum/idealisations/grips.h"
#include "vinculum/idealisations/impact_watch.h"
#include "vinculum/idealisations/joint_limits.h"
#include "vinculum/idealisations/mode_choices.h"
#include "vinculum/idealisations/one_sided_rows.h"
#include "vinculum/idealisations/output_watch.h"
#include "vinculum/idealisations/pressed_contacts.h"
#include "vinculum/idealisations/requirements.h"
#include "vinculum/idealisations/taut_watch.h"

namespace vinculum {

namespace {

// Those that watch; none of them changes a mode but grips, if a system is there to follow them.
// `model` is that of the file, whose laws are not held on a branch.
std::vector<std::unique_ptr<Idealisation>> make_watchers(const Model& model, const ConstraintSet& set, MotionSystem* system,
                                                         Follow follow, double tolerance) {
  const bool followed = follow != Follow::bilateral;
  std::vector<std::unique_ptr<Idealisation>> list;
  if (!set.model.contacts().empty()) list.push_back(std::make_unique<ContactWatcher>(set, followed, tolerance));
  if (!set.model.joint_limits().empty()) list.push_back(std::make_unique<JointLimits>(model, followed, tolerance));
  if (!set.model.strings().empty()) list.push_back(std::make_unique<TautWatcher>(set));
  if (!set.model.outputs().requirements.empty()) list.push_back(std::make_unique<Requirements>(model, tolerance));
  if (!set.model.grips().empty()) list.push_back(std::make_unique<Grips>(system, set, follow, tolerance));
  return list;
}

}  // namespace

std::vector<std::unique_ptr<Idealisation>> make_idealisations(MotionSystem& system, const Model& model, Follow follow,
                                                              double tolerance) {
  std::vector<std::unique_ptr<Idealisation>> list = make_watchers(model, system.constraints(), &system, follow, tolerance);
  if (!model.one_sided().empty()) list.insert(list.begin(), std::make_unique<OneSidedRows>(system, model, follow, tolerance));
  if (has_pressed_contacts(model)) list.insert(list.begin(), std::make_unique<PressedContacts>(system, model));
  const auto rubs = [](const Grip& grip) { return grip.friction && grip.normal >= 0; };
  if (follow == Follow::frictional && std::ranges::any_of(model.grips(), rubs))
    list.push_back(std::make_unique<ModeChoices>(system, model));
  if (!model.face_pairs().empty()) list.push_back(std::make_unique<Face>(system, model));
  if (!model.one_sided().empty()) list.push_back(std::make_unique<ImpactWatcher>());
  if (!model.grips().empty() || !model.contacts().empty()) list.push_back(std::make_unique<FrictionWork>());
  if (!model.outputs().columns.empty()) list.push_back(std::make_unique<OutputWatch>(model, tolerance));
  return list;
}

bool has_idealisations(const Model& model) {
  return !model.is_plain_tree() || !model.one_sided().empty() || !model.joint_limits().empty() ||
         !model.outputs().requirements.empty();
}

StateJudge::StateJudge(const ConstraintSet& set)
    : set_(set), list_(make_watchers(set.model, set, nullptr, Follow::bilateral, 1e-10)) {}
StateJudge::~StateJudge() = default;

void StateJudge::look(const State& state, const ConstrainedDynamics& dynamics, Workspace& workspace,
                      std::span<const double> supplied, const ConstraintSet* set) {
  last_t_ = state.t;
  Moment moment(set != nullptr ? *set : set_, state, workspace, dynamics);
  moment.set_supplied(supplied);
  for (const auto& idealisation : list_) {
    idealisation->look_at_end(moment, true);
    idealisation->count_looks(
        state.t, state.t, [](double) {}, [&](double) { return state; });
  }
}

std::vector<Verdict> StateJudge::judge() const {
  std::vector<Verdict> verdicts;
  for (const auto& idealisation : list_) idealisation->judge(last_t_, verdicts);
  sort_by_gravity(verdicts);
  return verdicts;
}

}  // namespace vinculum
