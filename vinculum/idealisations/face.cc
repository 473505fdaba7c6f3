// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/face.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/friction/critical_friction.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_history.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_stop.h"
#include "vinculum/stepping/first_time.h"
#include "vinculum/stepping/law_pieces.h"

namespace vinculum {

namespace {

constexpr double kNearJam = 1e-6;     // of det B(p), beside that without friction
constexpr double kArrives = 1e-14;    // of the kinetic energy: velocities have fallen by 1e-7
constexpr double kStands = 1e-16;     // the same where the last sliding stops
constexpr int kMostWatchedPairs = 6;  // that are connected, for the critical friction at every step

// The sliding of a pair, at the face that carries.
const FaceState& loaded_face(const PairState& at, int mode) { return at.faces[mode == kFace1 ? 0 : 1]; }

std::string name_faces(const Model& model, const std::vector<int>& modes, int guide) {
  std::string list;
  for (const FacePair& pair : model.face_pairs()) {
    if (pair.guide != guide) continue;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", pair.name, model.modes()[pair.mode].words[modes[pair.mode]]);
  }
  return list;
}

}  // namespace

Face::Face(MotionSystem& system, const Model& model)
    : system_(system),
      model_(model),
      workspace_(model),
      has_laws_of_time_(has_laws_of_time(model)),
      work_(2 * model.face_pairs().size()) {}

int Face::first_stuck(const std::vector<int>& modes) const {
  for (int k = 0; k < pairs(); ++k) {
    if (pair(k).sticks(modes)) return k;
  }
  return -1;
}

double Face::kinetic_energy(const State& state) { return compute_energy(model_, state, workspace_).kinetic; }

void Face::evaluate_guards(Moment& moment, std::span<double> guards) {
  std::fill(guards.begin(), guards.end(), 1.0);
  const std::vector<int>& modes = moment.set().modes;
  if (system_.at_rest()) {
    // What holds goes on holding, unless a law of time asks for more.
    if (!has_laws_of_time_) return;
    if (remembers_hold(moment.set())) {
      const Eigen::VectorXd still = Eigen::VectorXd::Zero(model_.tree().velocities);
      if (const auto slack = find_hold_slack(moment.set(), moment.state(), still, workspace_)) guards[2 * pairs()] = *slack;
    } else if (can_wedge_ == 0) {
      if (const auto rest = find_rest(moment.set(), moment.state(), workspace_); rest && !rest->holds) guards[2 * pairs()] = -1;
    } else if (const auto standing = decide_standing(moment.set(), moment.state(), workspace_);
               standing && standing->answer != Standing::Answer::rest) {
      guards[2 * pairs()] = -1;
    }
    return;
  }
  const ConstrainedDynamics* dynamics = moment.solution();
  if (dynamics == nullptr) return;
  const Eigen::VectorXd& multipliers = dynamics->solution.multipliers;
  const double none = 10 * kUnloaded * largest_reaction(multipliers, unit_);
  bool pads = false;
  for (size_t i = 0; i < moment.set().rows.size(); ++i) {
    const auto* origin = moment.set().rows[i].from<GuideRow>();
    if (origin == nullptr) continue;
    const int k = origin->pair, mode = face_of(modes, k);
    if (pair(k).sticks(modes)) continue;
    const double n = multipliers[static_cast<Eigen::Index>(i)];
    guards[2 * k] = mode == kFace2 ? n : mode == kFace1 ? -n : none - std::abs(n);
    pads = pads || (pair(k).rubs() && !pair(k).rubs_as_point());
    if (!pair(k).rubs_as_point()) continue;
    const PairState& at = dynamics->rows.pairs[k];
    const double slide = dot(loaded_face(at, mode).slide_W, at.forward_W);
    if (norm(loaded_face(at, mode).slide_W) <= kNoSlide * model_.scales().velocity &&
        cannot_slide(moment.set(), dynamics->rows, k))
      continue;
    guards[2 * k + 1] = modes[pair(k).slide_mode] == kBackward ? -slide : slide;
  }
  if (const int stuck = first_stuck(modes); stuck >= 0) {
    if (const auto slack = find_hold_slack(moment.set(), moment.state(), dynamics->solution.accelerations, workspace_))
      guards[2 * stuck + 1] = *slack;
  }
  if (pads && energy_scale_ > 0) guards[2 * pairs()] = kinetic_energy(moment.state()) / energy_scale_ - kArrives;
  guards[2 * pairs() + 1] = std::abs(dynamics->solution.friction_determinant) - kNearJam;
}

void Face::begin_above_zero(std::span<double> guards) const {
  for (double& guard : guards) guard = std::max(guard, std::numeric_limits<double>::min());
}

std::optional<Failure> Face::begin(State& state, const Tell&) {
  const auto silent = [](const Occurrence&) {};
  const auto rows = compute_row_values(system_.constraints(), state);
  if (!rows) return rows.failure();
  energy_scale_ = kinetic_energy(state);
  if (guides_rest(system_.constraints(), *rows) && energy_scale_ < 1e-20 * system_.constraints().model.scales().energy())
    return come_to_rest(state, silent);
  return choose(state, silent);
}

Idealisation::Passed Face::pass(int, double, double t, bool falls, const StateAt&) {
  if (!falls) return {};
  return {std::nullopt, t};
}

std::optional<Failure> Face::decide(int guard, State& state, const Tell& tell) {
  if (guard == 2 * pairs()) {
    return system_.at_rest() ? come_to_rest(state, tell) : arrive(state, tell);
  }
  if (guard > 2 * pairs()) {
    const std::vector<int> before = system_.constraints().modes;
    if (auto failure = choose(state, tell)) return failure;
    if (system_.constraints().modes != before) return std::nullopt;
    jammed_ = 1;
    jam_t_ = state.t;
    jam_reason_ = "the reactions of the guides grow without bound: rigid faces jam here";
    return Failure{"VN-GUIDE-013", jam_reason_, "lower the friction, or model the guide by a contact with `laws`"};
  }
  const int k = guard / 2;
  if (pair(k).sticks(system_.constraints().modes)) return let_slip(state, tell);
  return guard % 2 == 0 ? change_face(k, state, tell) : stop_sliding(k, state, tell);
}

// Another idealisation has changed modes or velocities: loads may have jumped.
std::optional<Failure> Face::follow_change(State& state, const Tell& tell) {
  return system_.at_rest() ? come_to_rest(state, tell) : choose(state, tell);
}

void Face::several_at(double t, double wedged) {
  if (unique_ == 0) return;
  unique_ = 0;
  first_several_ = t;
  wedged_ = wedged;
}

Occurrence Face::occurrence(EventKind kind, int k) const { return {kind, {ElementKind::guide_pair, k}, pair(k).name}; }

void Face::set_modes(const std::vector<int>& modes, State& state, const Tell& tell) {
  const std::vector<int> before = system_.constraints().modes;
  system_.set_modes(modes);
  state.modes = modes;
  for (int k = 0; k < pairs(); ++k) {
    tell_slide(k, before, modes, tell);
    const int face = face_of(modes, k);
    if (face == face_of(before, k)) continue;
    Occurrence event = occurrence(EventKind::face, k);
    event.face = face == kFace1 ? 1 : face == kFace2 ? 2 : 0;
    tell(event);
  }
}

// What slid and sticks, what stuck and slips. To and from the rest of everything is told otherwise.
void Face::tell_slide(int k, const std::vector<int>& before, const std::vector<int>& after, const Tell& tell) const {
  if (!pair(k).rubs_as_point()) return;
  const int was = before[pair(k).slide_mode], is = after[pair(k).slide_mode];
  if (was == is || was == kRests || is == kRests) return;
  tell(occurrence(is == kSticks ? EventKind::stick : was == kSticks ? EventKind::slip : EventKind::reverse, k));
}

// Rows have come or gone: those that say nothing new are chosen, and what sticks stands still.
std::optional<Failure> Face::change_rows(const std::vector<int>& modes, State& state, const Tell& tell) {
  set_modes(modes, state, tell);
  if (auto failure = system_.choose_rows(state)) return failure;
  keep_on_constraints(system_.constraints(), state, workspace_);
  return std::nullopt;
}

// What guides that can wedge hold with, to the system and the state.
void Face::remember(const std::vector<double>& memory, State& state) {
  std::vector<double> all = system_.constraints().memory;
  copy_hold(model_, memory, all);
  system_.set_memory(all);
  copy_hold(model_, memory, state.memory);
}

std::optional<Failure> Face::jam(const GuideVariants& found, double t) {
  const Failure failure = no_variant(found);
  jammed_ = 1;
  jam_t_ = t;
  jam_reason_ = failure.message;
  return failure;
}

std::optional<Failure> Face::choose(State& state, const Tell& tell) {
  ConstraintSet set = system_.constraints();
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  take_senses(set, *rows);
  if (const std::vector<int> stopped = list_stopped(set, *rows, kNoSlide * set.model.scales().velocity); !stopped.empty())
    return decide_stop(set, stopped, false, state, tell);
  const auto found = find_guide_variants(set, state, workspace_);
  if (!found) return found.failure();
  if (found->chosen() == nullptr) return jam(*found, state.t);
  unit_ = found->reduction.problem.unit;
  load_faces(set, *rows, found->reduction.pairs, found->chosen()->signed_reactions, unit_);
  return change_rows(set.modes, state, tell);
}

// The load of a pair vanishes: accelerations go on smoothly with the other face, unless sdet has the other sign there. Then the
// variant ends in a fold, and there must be another one.
std::optional<Failure> Face::change_face(int k, State& state, const Tell& tell) {
  ConstraintSet set = system_.constraints();
  if (face_of(set.modes, k) == kNoFace) return choose(state, tell);
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  const auto reduction = reduce_guides(set, state, workspace_);
  if (!reduction) return reduction.failure();
  Faces faces;
  size_t place = 0;  // of pair k among those that slide
  for (size_t i = 0; i < reduction->pairs.size(); ++i) {
    if (reduction->pairs[i] == k) place = i;
    faces.push_back(face_of(set.modes, reduction->pairs[i]) == kFace1 ? 1 : 2);
  }
  const int sign = relative_jacobian_sign(reduction->problem, faces);
  faces[place] = 3 - faces[place];
  if (relative_jacobian_sign(reduction->problem, faces) == sign) {
    std::vector<int> modes = set.modes;
    carry_on_face(set, *rows, k, faces[place] == 1 ? kFace1 : kFace2, modes);
    set_modes(modes, state, tell);
    return std::nullopt;
  }
  const auto found = find_guide_variants(set, state, workspace_);
  if (!found) return found.failure();
  several_at(state.t, kNotWedged);
  if (found->chosen() == nullptr || found->chosen()->faces[place] == 0) return jam(*found, state.t);
  load_faces(set, *rows, found->reduction.pairs, found->chosen()->signed_reactions, found->reduction.problem.unit);
  set_modes(set.modes, state, tell);
  return std::nullopt;
}

// The sliding of a pair has come to zero along its forward direction: it goes on sideways; or it stops there. Then it slides on,
// back, or sticks (guide_stop.h).
std::optional<Failure> Face::stop_sliding(int k, State& state, const Tell& tell) {
  constexpr double kSideways = 1e-7;
  const auto rows = compute_row_values(system_.constraints(), state);
  if (!rows) return rows.failure();
  const std::vector<int> before = system_.constraints().modes;
  const PairState& at = rows->pairs[k];
  const Scales& scales = system_.constraints().model.scales();
  const double slow = std::max(kSideways * std::sqrt(energy_scale_ / scales.mass), 10 * kNoSlide * scales.velocity);
  if (norm(loaded_face(at, face_of(before, k)).slide_W) > slow) {
    // A path that turns: nothing but the frozen sense changes.
    std::vector<int> modes = before;
    modes[pair(k).slide_mode] = modes[pair(k).slide_mode] == kBackward ? kForward : kBackward;
    set_modes(modes, state, [](const Occurrence&) {});
    return std::nullopt;
  }
  if (kinetic_energy(state) <= kStands * energy_scale_) {
    // v/|v| at the stop is that of minus the deceleration: v itself is round-off there.
    const auto last = compute_contact_reactions(system_.constraints(), state, workspace_);
    if (!last) return last.failure();
    const Eigen::VectorXd direction = -last->solution.accelerations;
    state.v.assign(direction.begin(), direction.end());
    return come_to_rest(state, tell);
  }
  ConstraintSet set = system_.constraints();
  const std::vector<int> stopped = list_stopped(set, *rows, slow);
  // Without reactions to go on from, nothing is remembered.
  if (remember_stop(set, state, stopped, workspace_)) forget_hold(set, stopped);
  return decide_stop(set, stopped, false, state, tell);
}

// Friction that holds what sticks has come to its bound.
std::optional<Failure> Face::let_slip(State& state, const Tell& tell) {
  ConstraintSet set = system_.constraints();
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  if (remembers_hold(set)) {
    // Faces that slip within their elastic limits, or turn back, go on holding.
    const auto dynamics = compute_contact_reactions(set, state, workspace_);
    if (!dynamics) return dynamics.failure();
    const Eigen::VectorXd& a = dynamics->solution.accelerations;
    bool all_held = true;
    ConstraintSet held = set;
    for (const GuideBlock& block : list_guide_blocks(without_sticking(set), *rows)) {
      if (!remembers_hold(held, block)) continue;
      const auto goes_on = continue_hold(held, state, a, block, workspace_);
      if (!goes_on) return goes_on.failure();
      all_held = all_held && *goes_on;
    }
    const auto slack = find_hold_slack(held, state, a, workspace_);
    if (all_held && slack && *slack > -kNearJam) {
      remember(held.memory, state);
      return std::nullopt;
    }
    set.memory = held.memory;
  }
  return decide_stop(set, list_stopped(set, *rows, kNoSlide * set.model.scales().velocity), true, state, tell);
}

std::optional<Failure> Face::decide_stop(ConstraintSet& set, const std::vector<int>& stopped, bool released, State& state,
                                         const Tell& tell) {
  const auto decision = decide_stopped(set, state, stopped, released, workspace_);
  if (!decision) return decision.failure();
  if (decision->choices == 0) {
    if (decision->jammed) return jam(*decision->jammed, state.t);
    const Failure failure = no_choice(model_, stopped, *decision);
    jammed_ = 1;
    jam_t_ = state.t;
    jam_reason_ = failure.message;
    return failure;
  }
  if (decision->choices > 1)
    several_at(state.t, decision->stays_wedged                  ? kStaysWedged
                        : !decision->only_wedged                ? kNotWedged
                        : remembers_hold(system_.constraints()) ? kFreed
                                                                : kSlides);
  if (decision->leaving) state = *decision->leaving;
  remember(set.memory, state);
  return change_rows(set.modes, state, tell);
}

// Nothing moves any more, last in the direction of the velocities: it rests, or breaks away.
std::optional<Failure> Face::come_to_rest(State& state, const Tell& tell) {
  ConstraintSet set = system_.constraints();
  std::vector<double> direction = state.v;
  double length = 0;
  for (const double v : direction) length = std::hypot(length, v);
  State standing = state;
  std::fill(standing.v.begin(), standing.v.end(), 0.0);
  const bool was_at_rest = system_.at_rest();
  if (!was_at_rest && length > 0) {
    // It stops with the reactions of its last motion.
    constexpr double kCreep = 1e-8;
    State creeping = state;
    for (double& v : creeping.v) v *= kCreep * model_.scales().velocity / length;
    if (remember_stop(set, creeping, list_guided_pairs(set), workspace_)) forget_hold(set);
  }
  const auto decided = decide_standing(set, standing, workspace_);
  if (!decided) {
    if (decided.failure().cause() == FailureCause::jammed_guides) {
      jammed_ = 1;
      jam_t_ = state.t;
      jam_reason_ = decided.failure().message;
    }
    return decided.failure();
  }
  const bool was_wedged = was_at_rest && remembers_hold(system_.constraints());
  remember(decided->memory, state);
  standing.memory = state.memory;
  if (decided->answer == Standing::Answer::rest) {
    can_wedge_ = decided->can_wedge ? 1 : 0;
    const auto rows = compute_row_values(set, standing);
    if (!rows) return rows.failure();
    load_faces(set, *rows, list_guided_pairs(set), decided->rest.signed_reactions, 0);
    std::vector<int> modes = set.modes;
    for (const FacePair& pair : model_.face_pairs())
      if (pair.rubs()) modes[pair.slide_mode] = kRests;
    if (!was_at_rest && length > 0) {
      Occurrence event{EventKind::rest, {}, "guides"};
      for (double& v : direction) v /= length;
      event.rest_direction = direction;
      tell(event);
    }
    state = standing;
    return change_rows(modes, state, tell);
  }
  if (decided->answer == Standing::Answer::several) several_at(state.t, was_wedged ? kFreed : kSlides);
  state = decided->leaving;
  state.memory = standing.memory;
  energy_scale_ = 0;
  if (auto failure = change_rows(decided->modes, state, tell)) return failure;
  if (!was_at_rest) return std::nullopt;
  // It leaves with a velocity where it could in more than one direction.
  Eigen::VectorXd way = Eigen::Map<const Eigen::VectorXd>(state.v.data(), static_cast<Eigen::Index>(state.v.size()));
  if (!(way.norm() > 0)) {
    const auto first = compute_contact_reactions(system_.constraints(), state, workspace_);
    if (!first) return first.failure();
    way = first->solution.accelerations;
  }
  way /= std::max(way.norm(), 1e-300);
  Occurrence event{EventKind::breakaway, {}, "guides"};
  event.rest_direction.assign(way.begin(), way.end());
  tell(event);
  return std::nullopt;
}

// Pads come to rest all together, in a limit direction u with  v'(u) + c u = 0 , c > 0 (theory 5, section 6).
std::optional<Failure> Face::arrive(State& state, const Tell& tell) {
  const auto found = find_rest_direction(system_.constraints(), state, workspace_);
  if (!found) return found.failure();
  const Eigen::Map<const Eigen::VectorXd> v(state.v.data(), static_cast<Eigen::Index>(state.v.size()));
  const double left = v.dot(found->direction) / found->deceleration;
  State stopped = state;
  move_state(model_, stopped, left / 2);
  stopped.t = state.t + left;
  stopped.v.assign(found->direction.begin(), found->direction.end());
  if (auto failure = come_to_rest(stopped, tell)) return failure;
  state = std::move(stopped);
  return std::nullopt;
}

// The work of friction on each face, by Gauss' rule over the step.
void Face::count_looks(double begin, double end, const LookAt&, const StateAt& state_at) {
  if (begin == end || system_.at_rest()) return;
  static constexpr double kNodes[] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640};
  static constexpr double kWeights[] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                        0.2369268850561891};
  const ConstraintSet& set = system_.constraints();
  for (int i = 0; i < 5; ++i) {
    const State state = state_at(0.5 * (begin + end) + 0.5 * (end - begin) * kNodes[i]);
    const auto dynamics = compute_contact_reactions(set, state, workspace_, &system_.sparse_constraints());
    if (!dynamics) continue;
    for (size_t row = 0; row < set.rows.size(); ++row) {
      const auto* origin = set.rows[row].from<GuideRow>();
      if (origin == nullptr || face_of(set.modes, origin->pair) == kNoFace || pair(origin->pair).sticks(set.modes)) continue;
      const int k = origin->pair, face = face_of(set.modes, k) == kFace1 ? 0 : 1;
      const PairState& at = dynamics->rows.pairs[k];
      const Wrench unit = compute_face_friction(set, dynamics->rows, k, face,
                                                pair(k).rubs() && set.modes[pair(k).slide_mode] == kBackward ? -1 : 1);
      const Vector3 moment = unit.moment - cross(at.faces[face].point_W - at.pole_W, unit.force);
      const double power = dot(unit.force, at.faces[face].slide_W) + dot(moment, at.faces[face].normal_W) * at.faces[face].spin;
      const double N = std::abs(dynamics->solution.multipliers[static_cast<Eigen::Index>(row)]);
      work_[2 * k + face] -= 0.5 * std::abs(end - begin) * kWeights[i] * N * power;
    }
  }
}

void Face::look_at_end(Moment& moment, bool) {
  pressed_ = 0;
  if (system_.at_rest()) {
    if (!remembers_hold(moment.set())) return;
    if (const ConstrainedDynamics* const rest = moment.solution()) {
      for (size_t i = 0; i < moment.set().rows.size(); ++i) {
        if (moment.set().rows[i].from<GuideRow>() != nullptr)
          pressed_ = std::max(pressed_, std::abs(rest->solution.multipliers[static_cast<Eigen::Index>(i)]));
      }
    }
    if (unique_ == 0) return;
    // Would it slide, had it not been wedged?
    ConstraintSet without = moment.set();
    forget_hold(without);
    const auto standing = decide_standing(without, moment.state(), workspace_);
    if (standing && standing->answer == Standing::Answer::several) several_at(moment.t(), kStaysWedged);
    return;
  }
  energy_scale_ = std::max(energy_scale_, kinetic_energy(moment.state()));
  const auto found = look_at_variants(moment.set(), moment.state(), workspace_);
  if (!found && tilted_ == 0) {
    tilted_ = 1;
    tilted_t_ = moment.t();
  }
  if (!found || found->reduction.pairs.empty()) return;
  unit_ = found->reduction.problem.unit;
  if (!found->only) several_at(moment.t(), kNotWedged);
  const auto critical = find_critical_friction(found->reduction.problem, {}, kMostWatchedPairs);
  if (critical) examined_ = 1;
  if (critical && critical->scale && (!margin_ || *critical->scale < *margin_))
    margin_ = *critical->scale, margin_t_ = moment.t();
}

void Face::judge(double, std::vector<Verdict>& verdicts) const {
  int named = -1;
  for (const FacePair& of : model_.face_pairs()) {
    if (of.guide == named) continue;
    named = of.guide;
    Verdict verdict;
    verdict.subject = verdict.element = model_.description().guides[named].name;
    verdict.term = "jamming, loaded faces";
    if (margin_) verdict.nearest_t = margin_t_;
    // Of what holds under its loads alone there is no margin above 1 to give.
    if (margin_ && (*margin_ >= 1 || unique_ == 0 || jammed_ != 0)) verdict.margin = margin_;
    const std::string critical =
        margin_ && *margin_ < 1
            ? fmt::format(
                  "; unique for the loads of this run, but not for every load: that needs {:.4g} times the friction, at "
                  "t = {:.4g} s",
                  *margin_, margin_t_)
        : margin_ ? fmt::format("; unique for every load up to {:.4g} times the friction (smallest factor at t = {:.4g} s)",
                                *margin_, margin_t_)
        : examined_ == 0 ? ""
                         : "; unique for every load, however large the friction";
    if (jammed_ != 0) {
      verdict.verdict = Holds::impossible;
      verdict.first_violation = jam_t_;
      verdict.hint = "lower the friction, lengthen the guide, or bring the load nearer; `variants` lists the consistent variants";
      verdict.why = jam_reason_.empty() ? "no variant is consistent: the guides jam" : jam_reason_;
    } else if (unique_ == 0) {
      verdict.verdict = Holds::not_unique;
      verdict.first_violation = first_several_;
      verdict.hint = wedged_ != kNotWedged
                         ? "lower the friction, or move the faces farther apart along the guide, so that they cannot wedge"
                         : "lower the friction for a unique variant; `variants` lists them all";
      verdict.why =
          wedged_ == kSlides ? fmt::format(
                                   "rest needs wedging: a self-stress between its faces could hold it, but nothing has caused "
                                   "one. It slides at t = {:.4g} s",
                                   first_several_)
          : wedged_ == kFreed ? fmt::format(
                                    "rest needs wedging: the reactions from stopping (equally stiff faces) held it until t = "
                                    "{:.4g} s, then it slides",
                                    first_several_)
          : wedged_ == kStaysWedged
              ? fmt::format("rest needs wedging from t = {:.4g} s on: the reactions from stopping (equally stiff faces) hold it",
                            first_several_)
              : "several choices of loaded faces carry the load; this run follows the one reached as friction grows from zero" +
                    (margin_ && *margin_ < 1
                         ? fmt::format(
                               "; unique for every load up to {:.4g} times the friction (smallest factor at t = {:.4g} s)",
                               *margin_, margin_t_)
                         : critical);
    } else if (tilted_ != 0) {
      verdict.verdict = Holds::not_checked;
      verdict.hint = "give both faces of a pair one point, or a second pair that keeps the body from tilting";
      verdict.why = fmt::format(
          "from t = {:.4g} s the faces of a pair no longer push along one line. Other loaded faces were not checked; this run "
          "keeps the loaded face in contact, at the end {}",
          tilted_t_, name_faces(model_, system_.constraints().modes, named));
    } else if (system_.at_rest()) {
      verdict.verdict = Holds::holds;
      verdict.why = fmt::format(
          "at rest at the end: friction on {} holds it (`limit` gives the load that moves it){}{}",
          name_faces(model_, system_.constraints().modes, named), critical,
          pressed_ > 0 ? fmt::format("; its faces can wedge, and press with up to {:.4g} N after stopping", pressed_) : "");
    } else {
      verdict.verdict = Holds::holds;
      verdict.why = fmt::format("the loaded faces are unique at every instant, at the end {}{}",
                                name_faces(model_, system_.constraints().modes, named), critical);
    }
    verdicts.push_back(std::move(verdict));
  }
}

void Face::list_work(std::vector<ElementWork>& list) const {
  for (int k = 0; k < pairs(); ++k) {
    for (int face = 0; face < 2; ++face) list.push_back({fmt::format("{}.face{}", pair(k).name, face + 1), work_[2 * k + face]});
  }
}

void Face::list_events(std::vector<Occurrence>& events) const {
  for (const EventKind kind : {EventKind::rest, EventKind::breakaway}) events.push_back({kind, {}, "guides"});
  for (int k = 0; k < pairs(); ++k) {
    for (const EventKind kind : {EventKind::face, EventKind::reverse, EventKind::stick, EventKind::slip})
      events.push_back(occurrence(kind, k));
  }
}

std::vector<double> Face::memory() const {
  std::vector<double> numbers{energy_scale_, unique_, first_several_, jammed_, jam_t_,     margin_t_, examined_,
                              unit_,         tilted_, tilted_t_,      wedged_, can_wedge_, pressed_};
  add_optional(margin_, numbers);
  numbers.insert(numbers.end(), work_.begin(), work_.end());
  const std::vector<double>& memory = system_.constraints().memory;
  numbers.insert(numbers.end(), memory.begin(), memory.end());
  return numbers;
}

bool Face::restore(std::span<const double> n) {
  constexpr size_t kOwn = 13, kNumbers = kOwn + kNumbersOfOptional;
  const size_t memory = system_.constraints().memory.size();
  if (n.size() != kNumbers + work_.size() + memory) return false;
  energy_scale_ = n[0], unique_ = n[1], first_several_ = n[2], jammed_ = n[3], jam_t_ = n[4], margin_t_ = n[5];
  examined_ = n[6], unit_ = n[7], tilted_ = n[8], tilted_t_ = n[9], wedged_ = n[10], can_wedge_ = n[11], pressed_ = n[12];
  std::span<const double> margin = n.subspan(kOwn);
  margin_ = take_optional(margin);
  std::copy_n(n.begin() + kNumbers, work_.size(), work_.begin());
  std::vector<double> all = system_.constraints().memory;
  copy_hold(model_, {n.end() - static_cast<std::ptrdiff_t>(memory), n.end()}, all);
  system_.set_memory(all);
  return true;
}

}  // namespace vinculum
