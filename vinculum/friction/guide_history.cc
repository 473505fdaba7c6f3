// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_history.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_reduction.h"
#include "vinculum/friction/guide_stop.h"
#include "vinculum/friction/held_reactions.h"

namespace vinculum {

namespace {

constexpr double kShortly = 1e-5;  // of the time scale: differences of loads over some of these give their rates,
constexpr std::array kAbout{-0.5, 0.5}, kBeyond{0.0, 10.0};  // about a moment, or what comes next
constexpr double kHeldRoundOff = 1e-12;                      // of reactions, at the limit of friction
constexpr double kLoadStands = 1e-12;                        // of the load: a change by less is round-off
constexpr double kCodeSticks = 1, kCodeSlips = 2, kCodeUnloaded = 3;

std::span<double> memory_of(const Model& model, std::vector<double>& memory, int pair) {
  const std::string name = model.face_pairs()[pair].name + ".held";
  const auto found = std::ranges::find(model.memories(), name, &Memory::name);
  if (found == model.memories().end() || memory.empty()) return {};
  return std::span(memory).subspan(static_cast<size_t>(found->first), static_cast<size_t>(found->size));
}
std::span<const double> memory_of(const ConstraintSet& set, int pair) {
  return memory_of(set.model, const_cast<std::vector<double>&>(set.memory), pair);
}

// The pairs of a block that stick, as a problem of statics: load and inertia together.
struct HeldBlock {
  std::vector<int> pairs;
  ConstraintRows rows;
  HeldFaces faces;
  Eigen::VectorXd load;  // on the motions that all else allows
};

Outcome<HeldBlock> pose_block(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                              const GuideBlock& block, Workspace& workspace) {
  auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const StuckRows split = split_stuck_rows(set, &block);
  const ContactForces forces = compute_contact_forces(set, *rows);
  RestProblem problem;
  for (size_t k = 0; k < split.pairs.size(); ++k) {
    const FacePair& pair = set.model.face_pairs()[split.pairs[k]];
    const PairState& at = rows->pairs[split.pairs[k]];
    RowAt row = rows->all[set.rows[split.pushes[k]].index];
    RestProblem::Pair faces;
    for (int p = 0; p < 2; ++p) {
      const FaceState& face = at.faces[p];
      const auto force_of = [&](const Vector3& force, const Vector3& moment) -> Eigen::VectorXd {
        row.wrench_W = {force, moment};
        return compute_row(set, *rows, row).row;
      };
      const auto at_point = [&](const Vector3& force) { return force_of(force, cross(face.point_W - at.pole_W, force)); };
      RestFace& rest = p == 0 ? faces.face1 : faces.face2;
      rest.push = at_point(face.normal_W);
      rest.shear.resize(rest.push.size(), 2);
      rest.shear << at_point(at.in_face_W[0]), at_point(at.in_face_W[1]);
      rest.spin = force_of({}, face.normal_W);
      rest.friction = pair.faces[p].friction;
      rest.radius = pair.faces[p].pad.radius;
      rest.pressure = pressure_of(pair.faces[p].pad);
    }
    problem.pairs.push_back(std::move(faces));
  }
  problem.held = columns_with_friction(*rows, forces, split.others);
  problem.constant =
      compute_known_forces(set, state, forces, workspace) - compute_mass_matrix(set.model, state, workspace) * accelerations;
  for (Eigen::Index i = 0; i < problem.constant.size(); ++i) {
    if (!block.velocities[static_cast<size_t>(i)]) problem.constant[i] = 0;
  }
  const Eigen::VectorXd load = problem.constant;
  HeldFaces faces(std::move(problem), Eigen::MatrixXd(rows->D(split.others, Eigen::all).transpose()));
  const Eigen::VectorXd reduced = faces.reduce(load);
  return HeldBlock{split.pairs, std::move(*rows), std::move(faces), reduced};
}

HeldReactions read_memory(const ConstraintSet& set, const HeldBlock& block) {
  HeldReactions reactions(block.pairs.size());
  for (size_t k = 0; k < reactions.size(); ++k) {
    const std::span<const double> numbers = memory_of(set, block.pairs[k]);
    HeldFace& face = reactions[k];
    const double code = numbers.empty() ? 0 : numbers[0];
    if (code == 0 || code == kCodeUnloaded) {
      face.friction = Eigen::VectorXd::Zero(block.faces.cone(k, face.face).unknowns());
      continue;
    }
    face.mode = std::abs(code) == kCodeSlips ? HeldFace::Mode::slips : HeldFace::Mode::sticks;
    face.face = code > 0 ? 2 : 1;
    face.N = numbers[1];
    face.friction = block.faces.cone(k, face.face).from_face({numbers[2], numbers[3], numbers[4]});
  }
  return reactions;
}

void write_memory(ConstraintSet& set, const HeldBlock& block, const HeldReactions& reactions) {
  for (size_t k = 0; k < reactions.size(); ++k) {
    const std::span<double> numbers = memory_of(set.model, set.memory, block.pairs[k]);
    if (numbers.empty()) continue;
    const HeldFace& face = reactions[k];
    std::ranges::fill(numbers, 0.0);
    numbers[0] = kCodeUnloaded;
    if (face.mode == HeldFace::Mode::unloaded) continue;
    numbers[0] = (face.mode == HeldFace::Mode::slips ? kCodeSlips : kCodeSticks) * (face.face == 2 ? 1 : -1);
    numbers[1] = face.N;
    const Eigen::Vector3d friction = block.faces.cone(k, face.face).on_face(face.friction);
    std::copy(friction.begin(), friction.end(), numbers.begin() + 2);
  }
}

// How fast the load that these reactions do not balance grows from one moment to another, both beside this one: what the load
// does, and how the faces turn meanwhile. Zero where that is round-off.
Outcome<Eigen::VectorXd> find_rate(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                                   const GuideBlock& block, const HeldReactions& reactions, std::array<double, 2> moments,
                                   Workspace& workspace) {
  const double unit = kShortly * set.model.scales().time();
  const bool stands = accelerations.isZero(0) && std::ranges::all_of(state.v, [](double v) { return v == 0; });
  std::array<Eigen::VectorXd, 2> left;
  double load = 0;
  for (const size_t i : {0, 1}) {
    const double dt = moments[i] * unit;
    State beside = state;
    move_state(set.model, beside, dt);
    beside.t += dt;
    for (size_t k = 0; k < beside.v.size(); ++k) beside.v[k] += dt * accelerations[static_cast<Eigen::Index>(k)];
    Eigen::VectorXd there = accelerations;
    if (!stands && dt != 0) {
      const auto dynamics = compute_constrained_dynamics(set, beside, workspace);
      if (!dynamics) return dynamics.failure();
      there = dynamics->solution.accelerations;
    }
    const auto posed = pose_block(set, beside, there, block, workspace);
    if (!posed) return posed.failure();
    left[i] = posed->load - posed->faces.load_of(reactions);
    load = std::max(load, posed->load.size() > 0 ? posed->load.cwiseAbs().maxCoeff() : 0);
  }
  if (left[0].size() == 0 || (left[1] - left[0]).cwiseAbs().maxCoeff() <= kLoadStands * load)
    return Eigen::VectorXd(Eigen::VectorXd::Zero(left[0].size()));
  return Eigen::VectorXd((left[1] - left[0]) / ((moments[1] - moments[0]) * unit));
}

HoldLook describe(const HeldBlock& block, const HeldFaces::Step& step) {
  HoldLook look;
  look.pairs = block.pairs;
  look.signed_reactions = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(block.pairs.size()));
  look.wrenches_W.resize(block.pairs.size());
  for (size_t k = 0; k < block.pairs.size(); ++k) {
    const HeldFace& face = step.reactions[k];
    if (face.mode == HeldFace::Mode::unloaded) continue;
    look.size = std::max({look.size, face.N, face.friction.size() > 0 ? face.friction.norm() : 0});
    look.signed_reactions[static_cast<Eigen::Index>(k)] = face.face == 2 ? face.N : -face.N;
    const PairState& at = block.rows.pairs[block.pairs[k]];
    const FaceState& of = at.faces[face.face - 1];
    const Eigen::Vector3d friction = block.faces.cone(k, face.face).on_face(face.friction);
    const Vector3 force = face.N * of.normal_W + friction[0] * at.in_face_W[0] + friction[1] * at.in_face_W[1];
    look.wrenches_W[k] = {force, cross(of.point_W - at.pole_W, force) + friction[2] * of.normal_W};
  }
  look.slack = step.balances ? step.least : -look.size;
  return look;
}

bool any_slips(const HeldReactions& reactions) {
  return std::ranges::any_of(reactions, [](const HeldFace& face) { return face.mode == HeldFace::Mode::slips; });
}

}  // namespace

bool remembers_hold(const ConstraintSet& set, const GuideBlock& block) {
  return std::ranges::any_of(block.pairs, [&](int pair) {
    const auto numbers = memory_of(set, pair);
    return !numbers.empty() && numbers[0] != 0;
  });
}

bool remembers_hold(const ConstraintSet& set) {
  for (size_t k = 0; k < set.model.face_pairs().size(); ++k) {
    if (const auto numbers = memory_of(set, static_cast<int>(k)); !numbers.empty() && numbers[0] != 0) return true;
  }
  return false;
}

void forget_hold(ConstraintSet& set, const std::vector<int>& pairs) {
  for (const int pair : pairs) std::ranges::fill(memory_of(set.model, set.memory, pair), 0.0);
}

void forget_hold(ConstraintSet& set) {
  for (size_t k = 0; k < set.model.face_pairs().size(); ++k) forget_hold(set, {static_cast<int>(k)});
}

void copy_hold(const Model& model, const std::vector<double>& from, std::vector<double>& to) {
  to.resize(from.size());
  std::vector<double> source = from;
  for (size_t k = 0; k < model.face_pairs().size(); ++k)
    std::ranges::copy(memory_of(model, source, static_cast<int>(k)), memory_of(model, to, static_cast<int>(k)).begin());
}

std::optional<Failure> remember_stop(ConstraintSet& set, const State& state, const std::vector<int>& pairs,
                                     Workspace& workspace) {
  const auto dynamics = compute_held_dynamics(set, state, workspace);
  if (!dynamics) return dynamics.failure();
  for (size_t row = 0; row < set.rows.size(); ++row) {
    const auto* origin = set.rows[row].from<GuideRow>();
    if (origin == nullptr || std::ranges::find(pairs, origin->pair) == pairs.end()) continue;
    const int k = origin->pair;
    const FacePair& pair = set.model.face_pairs()[k];
    const std::span<double> numbers = memory_of(set.model, set.memory, k);
    // What sticks and remembers goes on from that.
    if (numbers.empty() || (pair.sticks(set.modes) && numbers[0] != 0)) continue;
    std::ranges::fill(numbers, 0.0);
    const int mode = set.modes[pair.mode];
    numbers[0] = mode == kNoFace ? kCodeUnloaded : mode == kFace2 ? kCodeSticks : -kCodeSticks;
    if (mode == kNoFace) continue;
    const int face = mode == kFace1 ? 0 : 1;
    const PairState& at = dynamics->rows.pairs[k];
    const double N = std::abs(dynamics->solution.multipliers[static_cast<Eigen::Index>(row)]);
    numbers[1] = N;
    if (pair.sticks(set.modes)) {
      const Vector3 friction = compute_pair_friction(set, *dynamics, k);
      numbers[2] = dot(friction, at.in_face_W[0]), numbers[3] = dot(friction, at.in_face_W[1]);
      continue;
    }
    const Wrench unit =
        compute_face_friction(set, dynamics->rows, k, face, pair.rubs() && set.modes[pair.slide_mode] == kBackward ? -1 : 1);
    const Vector3 moment = unit.moment - cross(at.faces[face].point_W - at.pole_W, unit.force);
    numbers[2] = N * dot(unit.force, at.in_face_W[0]), numbers[3] = N * dot(unit.force, at.in_face_W[1]);
    numbers[4] = N * dot(moment, at.faces[face].normal_W);
  }
  return std::nullopt;
}

Outcome<HoldLook> look_at_hold(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                               const GuideBlock& block, Workspace& workspace) {
  const auto now = pose_block(set, state, accelerations, block, workspace);
  if (!now) return now.failure();
  const HeldReactions remembered = read_memory(set, *now);
  const HeldFaces::Step step = now->faces.respond(remembered, now->load);
  HoldLook look = describe(*now, step);
  if (any_slips(step.reactions)) {
    const auto rate = find_rate(set, state, accelerations, block, step.reactions, kAbout, workspace);
    if (!rate) return rate.failure();
    // Micro-slip that turns back ends its mode.
    const double per_time = now->faces.find_slip_progress(step.reactions, set.model.scales().time() * *rate);
    if (rate->norm() > 0) look.slack = std::min(look.slack, per_time);
  }
  return look;
}

Outcome<std::optional<HoldLook>> find_least_hold(const ConstraintSet& set, const State& state,
                                                 const Eigen::VectorXd& accelerations, const GuideBlock& block,
                                                 Workspace& workspace) {
  const auto now = pose_block(set, state, accelerations, block, workspace);
  if (!now) return now.failure();
  if (now->pairs.size() != block.pairs.size()) return std::optional<HoldLook>();
  HeldReactions from(now->pairs.size());
  for (size_t k = 0; k < from.size(); ++k) {
    from[k].mode = HeldFace::Mode::sticks;
    from[k].friction = Eigen::VectorXd::Zero(now->faces.cone(k, 2).unknowns());
  }
  // On the faces that the load itself asks for.
  constexpr int kMostChanges = 4;
  for (int change = 0; change < kMostChanges; ++change) {
    const HeldFaces::Step step = now->faces.respond(from, now->load);
    if (!step.balances) break;
    if (step.least >= 0) return std::optional(describe(*now, step));
    bool changes = false;
    for (size_t k = 0; k < from.size(); ++k) {
      if (step.reactions[k].N >= 0) continue;
      from[k].face = 3 - from[k].face;
      from[k].friction = Eigen::VectorXd::Zero(now->faces.cone(k, from[k].face).unknowns());
      changes = true;
    }
    if (!changes) break;
  }
  return std::optional<HoldLook>();
}

Outcome<bool> continue_hold(ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations, const GuideBlock& block,
                            Workspace& workspace) {
  const auto now = pose_block(set, state, accelerations, block, workspace);
  if (!now) return now.failure();
  HeldFaces::Path path = now->faces.follow(read_memory(set, *now), now->load);
  if (!path.held) return false;
  const auto rate = find_rate(set, state, accelerations, block, path.reactions, kBeyond, workspace);
  if (!rate) return rate.failure();
  if (rate->norm() > 0) {
    const auto modes = now->faces.choose_modes(path.reactions, *rate);
    if (!modes) return false;
    path.reactions = *modes;
  }
  write_memory(set, *now, path.reactions);
  return true;
}

std::optional<Failure> remember_least(ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                                      const GuideBlock& block, const std::vector<int>& pairs,
                                      const Eigen::VectorXd& signed_reactions, Workspace& workspace) {
  forget_hold(set, block.pairs);
  const auto now = pose_block(set, state, accelerations, block, workspace);
  if (!now) return now.failure();
  Faces faces(now->pairs.size(), 0);
  for (size_t k = 0; k < faces.size(); ++k) {
    const auto place = std::ranges::find(pairs, now->pairs[k]);
    if (place == pairs.end()) continue;
    const double n = signed_reactions[place - pairs.begin()];
    faces[k] = n > 0 ? 2 : n < 0 ? 1 : 0;
  }
  const auto least = now->faces.find_least(faces, now->load);
  if (!least) return std::nullopt;
  const auto rate = find_rate(set, state, accelerations, block, *least, kBeyond, workspace);
  if (!rate) return rate.failure();
  const auto modes = rate->norm() > 0 ? now->faces.choose_modes(*least, *rate) : least;
  if (modes) write_memory(set, *now, *modes);
  return std::nullopt;
}

Outcome<double> find_hold_slack(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                                Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const bool at_rest = std::ranges::any_of(
      set.model.face_pairs(), [&](const FacePair& pair) { return pair.slide_mode >= 0 && set.modes[pair.slide_mode] == kRests; });
  const ConstraintSet stuck = at_rest ? with_all_sticking(set) : set;
  double least = HUGE_VAL;
  bool all_remember = true;
  for (const GuideBlock& block : list_guide_blocks(without_sticking(set), *rows)) {
    if (split_stuck_rows(stuck, &block).pairs.empty()) continue;
    if (remembers_hold(set, block)) {
      const auto look = look_at_hold(stuck, state, accelerations, block, workspace);
      if (!look) return look.failure();
      least = std::min(least, look->slack / std::max(look->size, 1e-300) + kHeldRoundOff);
      continue;
    }
    all_remember = false;
    if (at_rest) continue;
    const auto hold = find_hold(stuck, state, accelerations, HoldFaces::as_they_are, workspace, false, &block);
    if (!hold) return hold.failure();
    least = std::min(least, hold->slack / std::max(hold->size, 1e-300));
    // Faces that wedge hold whatever the load: what ends it is a slide that agrees with its own accelerations.
    if (!hold->wedges) continue;
    ConstraintSet free = set;
    const auto decision = decide_stopped(free, state, hold->pairs, false, workspace);
    if (decision && decision->slides) return -1.0;
  }
  if (at_rest && !all_remember) {
    const auto rest = find_rest(set, state, workspace);
    if (!rest) return rest.failure();
    if (!rest->holds) return -1.0;
  }
  return least;
}

Outcome<std::array<double, 2>> find_kept_factors(const ConstraintSet& set, const State& state, const Eigen::VectorXd& load,
                                                 Workspace& workspace) {
  constexpr double kFarthest = 1e6;
  std::array<double, 2> kept{-HUGE_VAL, HUGE_VAL};
  const ConstraintSet stuck = with_all_sticking(set);
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(set.model.tree().velocities);
  for (const GuideBlock& block : list_guide_blocks(set, *rows)) {
    if (!remembers_hold(set, block)) continue;
    const auto now = pose_block(stuck, state, still, block, workspace);
    if (!now) return now.failure();
    Eigen::VectorXd masked = load;
    for (Eigen::Index i = 0; i < masked.size(); ++i) {
      if (!block.velocities[static_cast<size_t>(i)]) masked[i] = 0;
    }
    const Eigen::VectorXd of_block = now->faces.reduce(masked);
    const HeldFaces::Path here = now->faces.follow(read_memory(set, *now), now->load);
    if (!here.held) return std::array{1.0, 1.0};
    for (const int side : {0, 1}) {
      HeldReactions from = here.reactions;
      double at = 0;  // beyond 1
      for (double next = 1; next <= kFarthest; at = next, next *= 10) {
        const double way = side == 0 ? -1 : 1;
        const HeldFaces::Path path = now->faces.follow(from, now->load + way * next * of_block);
        from = path.reactions;
        if (path.held) continue;
        const double end = 1 + way * (at + path.part * (next - at));
        kept[static_cast<size_t>(side)] = side == 0 ? std::max(kept[0], end) : std::min(kept[1], end);
        break;
      }
    }
  }
  return kept;
}

Outcome<GuideRest> find_remembered_rest(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const ConstraintSet stuck = with_all_sticking(set);
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  std::vector<int> pairs;
  for (const Row& row : set.rows) {
    if (const auto* origin = row.from<GuideRow>()) pairs.push_back(origin->pair);
  }
  const std::vector<GuideBlock> blocks = list_guide_blocks(set, *rows);
  GuideRest rest;
  rest.holds = true;
  rest.signed_reactions = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(pairs.size()));
  rest.wrenches_W.resize(pairs.size());
  if (!std::ranges::all_of(blocks, [&](const GuideBlock& block) { return remembers_hold(set, block); })) {
    auto found = find_rest(set, state, workspace);
    if (!found || !found->holds) return found;
    rest = std::move(*found);
  }
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(set.model.tree().velocities);
  for (const GuideBlock& block : blocks) {
    if (!remembers_hold(set, block)) continue;
    const auto look = look_at_hold(stuck, state, still, block, workspace);
    if (!look) return look.failure();
    for (size_t k = 0; k < look->pairs.size(); ++k) {
      const auto place = std::ranges::find(pairs, look->pairs[k]) - pairs.begin();
      rest.signed_reactions[place] = look->signed_reactions[static_cast<Eigen::Index>(k)];
      rest.wrenches_W[static_cast<size_t>(place)] = look->wrenches_W[k];
    }
  }
  return rest;
}

}  // namespace vinculum
