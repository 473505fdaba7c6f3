// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_stop.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/QR>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/friction/guide_blocks.h"
#include "vinculum/friction/guide_history.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_release.h"

namespace vinculum {

namespace {

constexpr size_t kMostGroups = 6;  // of one block: 3^6 choices

// Pairs that slide together: their senses, beside that of the first.
struct Group {
  std::vector<int> pairs;
  std::vector<int> senses;
  bool may_stick = true;  // not at a dead centre, where the mechanism moves on though the slider cannot
};

// The rate of the sliding along `forward` of each stopped pair, in the velocities that all rows but sticking allow: rows that are
// parallel belong together. A row of nothing, as at a dead centre, is alone.
std::vector<Group> group_pairs(const ConstraintSet& sliding, const ConstraintRows& rows, const std::vector<int>& stopped) {
  constexpr double kParallel = 1e-9;
  const Eigen::MatrixXd allowed = compute_allowed_velocities(sliding, rows);
  std::vector<Group> groups;
  std::vector<Eigen::RowVectorXd> directions;
  for (const int k : stopped) {
    const Eigen::RowVectorXd rate = compute_slide_row(sliding, rows, k) * allowed;
    const bool moves = compute_slide_mobility(sliding, rows, k, allowed) > kNoMobility;
    bool found = false;
    for (size_t i = 0; i < groups.size() && !found && moves; ++i) {
      const double product = rate.dot(directions[i]), size = rate.norm() * directions[i].norm();
      found = size > 0 && std::abs(product) > (1 - kParallel) * size;
      if (!found) continue;
      groups[i].pairs.push_back(k);
      groups[i].senses.push_back(product > 0 ? 1 : -1);
    }
    if (found) continue;
    groups.push_back({{k}, {1}, moves});
    directions.push_back(moves ? rate : Eigen::RowVectorXd::Zero(rate.size()));
  }
  return groups;
}

enum class Goes { sticks, on, back };

struct StopWay {
  std::vector<int> modes;
  std::optional<State> leaving;
  size_t sticking = 0;  // groups
  Eigen::VectorXd accelerations;
};

// One block of pairs: all that follows concerns its velocities only.
class StopProblem {
 public:
  StopProblem(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const GuideBlock& block, bool released,
              std::vector<bool> has_direction, Workspace& workspace)
      : before_(set.modes),
        state_(state),
        rows_(rows),
        block_(block),
        released_(released),
        has_direction_(std::move(has_direction)),
        workspace_(workspace) {}

  // Ways to go on with this choice, added to the list. `loose`: senses and bounds within round-off of a balance.
  std::optional<Failure> try_choice(ConstraintSet set, const std::vector<Group>& groups, const std::vector<Goes>& choice,
                                    bool loose, StopDecision& decision, std::vector<StopWay>& ways) {
    std::vector<int> released;  // in a direction of their own
    std::vector<int> modes = before_;
    bool any_sticks = false;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (choice[i] == Goes::sticks ? !groups[i].may_stick : !has_direction_[i] && choice[i] == Goes::back) return std::nullopt;
      if (choice[i] != Goes::sticks && !has_direction_[i])
        released.insert(released.end(), groups[i].pairs.begin(), groups[i].pairs.end());
      const FacePair& first = set.model.face_pairs()[groups[i].pairs[0]];
      const bool was_backward = before_[first.slide_mode] == kBackward;
      const bool backward = was_backward == (choice[i] == Goes::on);
      any_sticks = any_sticks || choice[i] == Goes::sticks;
      for (size_t j = 0; j < groups[i].pairs.size(); ++j) {
        int& mode = modes[set.model.face_pairs()[groups[i].pairs[j]].slide_mode];
        mode = choice[i] == Goes::sticks ? kSticks : backward == (groups[i].senses[j] > 0) ? kBackward : kForward;
      }
    }
    set.set_modes(modes);
    if (!released.empty()) return try_release(set, groups, choice, released, loose, decision, ways);
    Outcome<GuideReduction> all = reduce_guides(set, state_, workspace_);
    // What is driven through its dead centre cannot stick there.
    if (!all && any_sticks) return std::nullopt;
    if (!all) return all.failure();
    GuideReduction reduction = restrict_to_block(*all, block_);
    Eigen::VectorXd a = reduction.unloaded;
    double size = a.lpNorm<Eigen::Infinity>();
    if (reduction.problem.pairs() > 0) {
      Outcome<Variants> variants = find_variants(reduction.problem, reduction.names);
      if (!variants && any_sticks) return std::nullopt;
      if (!variants) return variants.failure();
      GuideVariants found{std::move(reduction), std::move(*variants)};
      if (found.chosen() == nullptr) {
        decision.jammed = std::move(found);
        return std::nullopt;
      }
      a = found.reduction.accelerations(found.chosen()->signed_reactions);
      size = std::max(size, (a - found.reduction.unloaded).lpNorm<Eigen::Infinity>());
      load_faces(set, rows_, found.reduction.pairs, found.chosen()->signed_reactions, found.reduction.problem.unit);
    }
    return add_way(set, groups, choice, a, size, loose, false, std::nullopt, ways);
  }

  // Can the pairs that stick in this way press each other without any load?
  Outcome<bool> can_way_wedge(const ConstraintSet& set, const StopWay& way) {
    ConstraintSet stuck = set;
    stuck.set_modes(way.modes);
    return can_wedge(stuck, state_, &block_);
  }

 private:
  // Some points begin to slide in directions that are to be found (guide_release.h).
  std::optional<Failure> try_release(const ConstraintSet& set, const std::vector<Group>& groups, const std::vector<Goes>& choice,
                                     const std::vector<int>& released, bool loose, StopDecision& decision,
                                     std::vector<StopWay>& ways) {
    auto releases = find_releases(set, state_, released, block_, workspace_);
    if (!releases) return std::ranges::count(choice, Goes::sticks) > 0 ? std::nullopt : std::optional(releases.failure());
    if (releases->jammed) decision.jammed = std::move(releases->jammed);
    for (GuideRelease& release : releases->found) {
      ConstraintSet leaving = set;
      leaving.set_modes(release.modes);
      const double size = release.accelerations.lpNorm<Eigen::Infinity>();
      if (auto failure = add_way(leaving, groups, choice, release.accelerations, size, loose, release.begins,
                                 std::move(release.state), ways))
        return failure;
    }
    return std::nullopt;
  }

  // Accelerations with the sense of what slides, and friction that holds what sticks?
  std::optional<Failure> add_way(ConstraintSet& set, const std::vector<Group>& groups, const std::vector<Goes>& choice,
                                 const Eigen::VectorXd& a, double size, bool loose, bool begins, std::optional<State> leaving,
                                 std::vector<StopWay>& ways) {
    const auto rows = compute_row_values(set, state_);
    if (!rows) return rows.failure();
    constexpr double kBalance = 1e-7;
    const double nothing = loose ? kBalance * size : 0;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (choice[i] == Goes::sticks || !has_direction_[i]) continue;
      for (const int k : groups[i].pairs) {
        const double sense = set.modes[set.model.face_pairs()[k].slide_mode] == kBackward ? -1 : 1;
        if (!(sense * compute_slide_acceleration(set, *rows, k, a) > -nothing)) return std::nullopt;
      }
    }
    const auto sticking = static_cast<size_t>(std::ranges::count(choice, Goes::sticks));
    if (sticking > 0) {
      const auto held = holds(set, a, loose, begins);
      if (!held) return held.failure();
      if (!*held) return std::nullopt;
    }
    ways.push_back({set.modes, std::move(leaving), sticking, a});
    return std::nullopt;
  }

  Outcome<bool> holds(ConstraintSet& set, const Eigen::VectorXd& accelerations, bool loose, bool begins) {
    // Of the loads. A bound that is reached: its slack is the optimum of a linear program, good to about 1e-9;
    constexpr double kAtBound = 1e-9;
    // what was released has to hold by more than that, not to be released again; and what is beside points that only begin to
    // slide, and at its bound too, slides with them.
    constexpr double kReleased = 1e-7, kBegins = 1e-5;
    const auto hold = find_hold(set, state_, accelerations, HoldFaces::best, workspace_, false, &block_);
    if (!hold) return hold.failure();
    if (!(hold->slack > (begins ? kBegins : released_ ? kReleased : loose ? -kAtBound : 0) * hold->size)) return false;
    std::vector<int> modes = set.modes;
    for (size_t k = 0; k < hold->pairs.size(); ++k)
      modes[set.model.face_pairs()[hold->pairs[k]].mode] = hold->faces[k] == 1 ? kFace1 : kFace2;
    set.set_modes(modes);
    return true;
  }

  std::vector<int> before_;
  const State& state_;
  const ConstraintRows& rows_;
  const GuideBlock& block_;
  bool released_;
  std::vector<bool> has_direction_;  // of each group
  Workspace& workspace_;
};

// A block where nothing that can slide has stopped: its loaded faces. `choices` is at least 1 then.
std::optional<Failure> load_block(ConstraintSet& set, const State& state, const ConstraintRows& rows, const GuideBlock& block,
                                  StopDecision& decision, Workspace& workspace) {
  decision.choices = std::max(decision.choices, 1);
  const auto all = reduce_guides(set, state, workspace);
  if (!all) return all.failure();
  GuideReduction reduction = restrict_to_block(*all, block);
  if (reduction.problem.pairs() == 0) return std::nullopt;
  Outcome<Variants> variants = find_variants(reduction.problem, reduction.names);
  if (!variants) return variants.failure();
  GuideVariants found{std::move(reduction), std::move(*variants)};
  if (found.chosen() == nullptr) {
    decision.choices = 0;
    decision.jammed = std::move(found);
    return std::nullopt;
  }
  load_faces(set, rows, found.reduction.pairs, found.chosen()->signed_reactions, found.reduction.problem.unit);
  return std::nullopt;
}

// All choices for so many groups, those in which most stick first.
std::vector<std::vector<Goes>> list_choices(size_t groups) {
  std::vector<std::vector<Goes>> choices{{}};
  for (size_t i = 0; i < groups; ++i) {
    std::vector<std::vector<Goes>> longer;
    for (const auto& choice : choices) {
      for (const Goes goes : {Goes::sticks, Goes::back, Goes::on}) {
        longer.push_back(choice);
        longer.back().push_back(goes);
      }
    }
    choices = std::move(longer);
  }
  std::ranges::stable_sort(choices, {}, [](const auto& choice) { return -std::ranges::count(choice, Goes::sticks); });
  return choices;
}

// The way to go on: the first, in which most stick; but where that can wedge, only if it holds by the reactions with which it
// came to a stop (guide_history.h), or none sticks less. The set remembers how then.
Outcome<size_t> choose_way(StopProblem& problem, ConstraintSet& set, const State& state, const GuideBlock& block,
                           const std::vector<StopWay>& ways, Workspace& workspace) {
  for (size_t i = 0; i < ways.size(); ++i) {
    const bool is_last = ways[i].sticking == ways.back().sticking;
    const auto wedges = ways[i].sticking == 0 ? Outcome<bool>(false) : problem.can_way_wedge(set, ways[i]);
    if (!wedges) return wedges.failure();
    ConstraintSet stuck = set;
    stuck.set_modes(ways[i].modes);
    std::vector<int> slide;
    std::ranges::copy_if(block.pairs, std::back_inserter(slide),
                         [&](int k) { return !set.model.face_pairs()[k].sticks(ways[i].modes); });
    forget_hold(stuck, *wedges ? slide : block.pairs);
    if (*wedges && remembers_hold(stuck, block)) {
      const auto held = continue_hold(stuck, state, ways[i].accelerations, block, workspace);
      if (!held) return held.failure();
      if (!*held) forget_hold(stuck, block.pairs);
    }
    const bool remembers = remembers_hold(stuck, block);
    if (*wedges && !remembers && !is_last) continue;
    if (*wedges && !remembers) {
      const auto hold = find_hold(stuck, state, ways[i].accelerations, HoldFaces::as_they_are, workspace, true, &block);
      if (!hold) return hold.failure();
      if (auto failure =
              remember_least(stuck, state, ways[i].accelerations, block, hold->pairs, hold->signed_reactions, workspace))
        return *failure;
    }
    set.memory = std::move(stuck.memory);
    return i;
  }
  return ways.size() - 1;
}

}  // namespace

std::vector<int> list_stopped(const ConstraintSet& set, const ConstraintRows& rows, double slow) {
  std::vector<int> stopped;
  for (size_t k = 0; k < set.model.face_pairs().size(); ++k) {
    const FacePair& pair = set.model.face_pairs()[k];
    if (!pair.rubs_as_point()) continue;
    const FaceState& face = rows.pairs[k].faces[set.modes[pair.mode] == kFace1 ? 0 : 1];
    if (norm(face.slide_W) <= (pair.sticks(set.modes) ? std::max(slow, kStuckDrift * set.model.scales().velocity) : slow))
      stopped.push_back(static_cast<int>(k));
  }
  return stopped;
}

Outcome<StopDecision> decide_stopped(ConstraintSet& set, const State& state, const std::vector<int>& stopped, bool released,
                                     Workspace& workspace) {
  const std::vector<int> before = set.modes;
  // Blocks that are not asked about go on as they are.
  const ConstraintSet sliding = without_sticking(set);
  const auto rows = compute_constraint_rows(sliding, state);
  if (!rows) return rows.failure();
  StopDecision decision;
  for (const GuideBlock& block : list_guide_blocks(sliding, *rows)) {
    std::vector<int> of_block;
    // What cannot slide at all has nothing to be decided.
    std::ranges::copy_if(stopped, std::back_inserter(of_block),
                         [&](int k) { return block.has(k) && !cannot_slide(sliding, *rows, k); });
    if (of_block.empty()) {
      if (auto failure = load_block(set, state, *rows, block, decision, workspace)) return *failure;
      if (decision.jammed) return decision;
      continue;
    }
    const std::vector<Group> groups = group_pairs(sliding, *rows, of_block);
    if (groups.size() > kMostGroups)
      return Failure{
          "VN-GUIDE-007",
          fmt::format("{} connected faces that slide apart from each other stop sliding at once: at most {} are followed",
                      groups.size(), kMostGroups),
          "leave pairs out that carry nothing"};
    // A point that may slide along more than one line, and does not slide, has a direction to be found.
    std::vector<bool> has_direction;
    for (const Group& group : groups) {
      has_direction.push_back(std::ranges::all_of(group.pairs, [&](int k) {
        const int face = set.modes[set.model.face_pairs()[k].mode] == kFace1 ? 0 : 1;
        return norm(rows->pairs[k].faces[face].slide_W) > kNoSlide * set.model.scales().velocity ||
               find_slide_direction(sliding, *rows, k, face);
      }));
    }
    const State& from = decision.leaving ? *decision.leaving : state;
    StopProblem problem(set, from, *rows, block, released, std::move(has_direction), workspace);
    std::vector<StopWay> ways;
    const auto choices = list_choices(groups.size());
    for (const bool loose : {false, true}) {
      for (const auto& choice : choices) {
        if (auto failure = problem.try_choice(set, groups, choice, loose, decision, ways)) return *failure;
      }
      if (!ways.empty()) break;
    }
    if (ways.empty()) {
      decision.choices = 0;
      set.set_modes(before);
      return decision;
    }
    const auto chosen = choose_way(problem, set, from, block, ways, workspace);
    if (!chosen) return chosen.failure();
    StopWay& way = ways[*chosen];
    decision.choices = std::max(decision.choices, static_cast<int>(ways.size()));
    decision.only_wedged = decision.only_wedged || *chosen > 0;
    decision.stays_wedged = decision.stays_wedged || (remembers_hold(set, block) && way.sticking > ways.back().sticking);
    decision.slides = decision.slides || way.sticking < groups.size();
    set.set_modes(way.modes);
    if (way.leaving) decision.leaving = std::move(way.leaving);
  }
  return decision;
}

Failure no_choice(const Model& model, const std::vector<int>& stopped, const StopDecision& decision) {
  if (decision.jammed) return no_variant(*decision.jammed);
  return {"VN-GUIDE-008",
          fmt::format("'{}' stops sliding but can neither stick nor slide on: no choice of loaded faces is consistent",
                      stopped.empty() ? "a guide" : model.face_pairs()[stopped[0]].name),
          "rigid faces jam here at once; less friction, or give the faces pads of finite size (`pad`)"};
}

}  // namespace vinculum
