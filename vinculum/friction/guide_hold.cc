// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_hold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/friction/guide_history.h"
#include "vinculum/friction/guide_reduction.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/self_stress.h"
#include "vinculum/math/linear_program.h"

namespace vinculum {

namespace {

constexpr size_t kMostStuck = 12;
constexpr size_t kAround = 48;    // edges of a round cone
constexpr size_t kAroundPad = 8;  // of a pad, for each
constexpr int kTilts = 2;         // .. ratio of sliding and spin, beta = cot(j pi/2 / kTilts)
constexpr double kEnough = 0.05;  // of the load: a least weight above is not asked for

struct Edge {
  Wrench wrench_W;
  Eigen::VectorXd force;  // Zᵀ of what it does
};
using Edges = std::vector<std::array<std::vector<Edge>, 2>>;  // of each pair that sticks, by face

LinearProgram pose(const Edges& edges, const Faces& faces, const Eigen::VectorXd& needed) {
  Eigen::Index count = 0, next = 0;
  for (size_t k = 0; k < edges.size(); ++k) count += static_cast<Eigen::Index>(edges[k][faces[k] - 1].size());
  LinearProgram program;
  program.equations.resize(needed.size(), count);
  for (size_t k = 0; k < edges.size(); ++k) {
    for (const Edge& edge : edges[k][faces[k] - 1]) program.equations.col(next++) = edge.force;
  }
  program.right = needed;
  program.upper = Eigen::VectorXd::Constant(count, HUGE_VAL);
  program.cost = Eigen::VectorXd::Ones(count);
  return program;
}

// The largest delta with  Σ e_j (x_j + delta) = needed ,  x ≥ 0 ,  delta ≤ kEnough ; delta = kEnough + less than nothing, so that
// it is a part with cost. None: not even with negative weights.
struct LeastWeight {
  double least = 0;         // delta
  Eigen::VectorXd weights;  // x + delta
};
Outcome<std::optional<LeastWeight>> find_least_weight(LinearProgram program) {
  const Eigen::Index count = program.equations.cols();
  const Eigen::VectorXd all = program.equations.rowwise().sum();
  program.equations.conservativeResize(Eigen::NoChange, count + 1);
  program.equations.col(count) = -all;
  program.right -= kEnough * all;
  program.upper = Eigen::VectorXd::Constant(count + 1, HUGE_VAL);
  program.cost = Eigen::VectorXd::Constant(count + 1, 1e-9);
  program.cost[count] = 1;
  const auto solved = solve_linear_program(program);
  if (!solved) return solved.failure();
  if (!solved->feasible) return std::optional<LeastWeight>();
  const double least = kEnough - solved->x[count];
  return std::optional(LeastWeight{least, solved->x.head(count).array() + least});
}

// The cones of all pairs that stick, on the motions that the other rows allow.
struct StuckCones {
  Eigen::MatrixXd Z;
  Edges edges;
  bool is_round = false;
};
StuckCones list_cones(const ConstraintSet& set, const ConstraintRows& rows, const ContactForces& forces, const StuckRows& split) {
  StuckCones cones;
  const Eigen::Index n = set.model.tree().velocities;
  cones.Z = Eigen::MatrixXd::Identity(n, n);
  if (!split.others.empty()) {
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(columns_with_friction(rows, forces, split.others).transpose());
    cones.Z = factor.dimensionOfKernel() > 0 ? Eigen::MatrixXd(factor.kernel()) : Eigen::MatrixXd(n, 0);
    for (Eigen::Index i = 0; i < cones.Z.cols(); ++i) cones.Z.col(i).normalize();
  }
  // The directions in which a face may slide are those there are when nothing sticks.
  const ConstraintSet sliding = without_sticking(set);
  cones.edges.resize(split.pairs.size());
  for (size_t k = 0; k < split.pairs.size(); ++k) {
    RowAt at = rows.all[set.rows[split.pushes[k]].index];
    for (int p = 0; p < 2; ++p) {
      for (const Wrench& wrench : list_cone_edges(sliding, rows, split.pairs[k], p)) {
        at.wrench_W = wrench;
        cones.edges[k][p].push_back({wrench, cones.Z.transpose() * compute_row(set, rows, at).row});
      }
      cones.is_round = cones.is_round || cones.edges[k][p].size() >= kAround;
    }
  }
  return cones;
}

Failure too_many_stuck(size_t count) {
  return {"VN-GUIDE-006", fmt::format("rest is not tested with {} connected pairs of faces: at most {}", count, kMostStuck),
          "leave pairs out that carry nothing"};
}

Faces faces_of_variant(unsigned variant, size_t count) {
  Faces faces;
  for (size_t k = 0; k < count; ++k) faces.push_back(((variant >> k) & 1u) != 0 ? 1 : 2);
  return faces;
}

// What a pad has at one of these ratios. They are few and the same for every pad with this pressure, and a quadrature each: kept.
PadFactors factors_of_tilt(const PressureLaw& law, int tilt) {
  thread_local std::vector<std::pair<PressureLaw, std::array<PadFactors, kTilts>>> known;
  auto found = std::ranges::find(known, law, [](const auto& entry) { return entry.first; });
  if (found == known.end()) {
    std::array<PadFactors, kTilts> factors;
    for (int j = 1; j < kTilts; ++j) factors[j] = compute_pad(law, 1 / std::tan(0.5 * M_PI * j / kTilts));
    known.emplace_back(law, factors);
    found = std::prev(known.end());
  }
  return found->second[static_cast<size_t>(tilt)];
}

// The reactions of all pairs that stick, block by block: those that it remembers, or of least sum. None: friction does not hold a
// block.
Outcome<std::optional<GuideHold>> find_held_reactions(const ConstraintSet& set, const State& state,
                                                      const Eigen::VectorXd& accelerations, Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  GuideHold all;
  all.pairs = split_stuck_rows(set).pairs;
  all.signed_reactions = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(all.pairs.size()));
  all.wrenches_W.resize(all.pairs.size());
  const auto take = [&](const auto& part) {
    for (size_t k = 0; k < part.pairs.size(); ++k) {
      const auto place = std::ranges::find(all.pairs, part.pairs[k]) - all.pairs.begin();
      all.signed_reactions[place] = part.signed_reactions[static_cast<Eigen::Index>(k)];
      all.wrenches_W[static_cast<size_t>(place)] = part.wrenches_W[k];
    }
  };
  for (const GuideBlock& block : list_guide_blocks(without_sticking(set), *rows)) {
    if (split_stuck_rows(set, &block).pairs.empty()) continue;
    if (remembers_hold(set, block)) {
      const auto look = look_at_hold(set, state, accelerations, block, workspace);
      if (!look) return look.failure();
      take(*look);
      continue;
    }
    const auto hold = find_hold(set, state, accelerations, HoldFaces::as_they_are, workspace, true, &block);
    if (!hold) return hold.failure();
    if (hold->slack < 0) return std::optional<GuideHold>();
    take(*hold);
  }
  return std::optional(std::move(all));
}

}  // namespace

StuckRows split_stuck_rows(const ConstraintSet& set, const GuideBlock* block) {
  StuckRows split;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const auto* pushes = set.rows[i].from<GuideRow>();
    const bool held = pushes != nullptr && set.model.face_pairs()[pushes->pair].sticks(set.modes) &&
                      (block == nullptr || block->has(pushes->pair));
    if (held) split.pairs.push_back(pushes->pair);
    if (held || set.rows[i].from<StickRow>() == nullptr)
      (held ? split.pushes : split.others).push_back(static_cast<Eigen::Index>(i));
  }
  return split;
}

Eigen::MatrixXd columns_with_friction(const ConstraintRows& rows, const ContactForces& forces,
                                      const std::vector<Eigen::Index>& chosen) {
  Eigen::MatrixXd columns = rows.D(chosen, Eigen::all).transpose();
  if (forces.coupling.cols() > 0) columns += forces.coupling(Eigen::all, chosen);
  return columns;
}

std::vector<Wrench> list_cone_edges(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face) {
  const GuideFace& words = set.model.face_pairs()[pair].faces[face];
  const FaceState& at = rows.pairs[pair].faces[face];
  const Wrench push = compute_face_push(rows, pair, face);
  if (words.friction == 0) return {push};
  std::vector<Wrench> edges;
  const auto add = [&](const Vector3& slide, double spin) {
    edges.push_back(push + friction_against(words, rows.pairs[pair], face, slide, spin));
  };
  const double radius = words.pad.radius;
  if (const auto only = find_slide_direction(set, rows, pair, face); only && radius == 0) {
    add(*only, 0);
    add(-*only, 0);
    return edges;
  }
  const Vector3 x = rows.pairs[pair].forward_W, y = cross(at.normal_W, x);
  const size_t around = radius > 0 ? kAroundPad : kAround;
  for (size_t i = 0; i < around; ++i) {
    const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(around);
    const Vector3 slide = std::cos(angle) * x + std::sin(angle) * y;
    add(slide, 0);
    for (int j = 1; radius > 0 && j < kTilts; ++j) {
      const PadFactors factors = factors_of_tilt(pressure_of(words.pad), j);
      const Vector3 force = -words.friction * factors.S * slide;
      for (const double sign : {1.0, -1.0}) {
        const Vector3 moment =
            cross(at.point_W - rows.pairs[pair].pole_W, force) - (sign * words.friction * radius * factors.T) * at.normal_W;
        edges.push_back(push + Wrench{force, moment});
      }
    }
  }
  if (radius > 0) add({}, 1), add({}, -1);
  return edges;
}

ConstraintSet with_all_sticking(const ConstraintSet& set) {
  ConstraintSet stuck = set;
  std::vector<int> modes = set.modes;
  for (const FacePair& pair : set.model.face_pairs()) {
    if (pair.rubs()) modes[pair.slide_mode] = kSticks;
  }
  stuck.set_modes(modes);
  return stuck;
}

Outcome<bool> can_wedge(const ConstraintSet& set, const State& state, const GuideBlock* block) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  if (block == nullptr) {
    for (const GuideBlock& one : list_guide_blocks(set, *rows)) {
      const auto wedges = can_wedge(set, state, &one);
      if (!wedges || *wedges) return wedges;
    }
    return false;
  }
  const StuckRows split = split_stuck_rows(set, block);
  const size_t count = split.pairs.size();
  if (count > kMostStuck) return too_many_stuck(count);
  const StuckCones cones = list_cones(set, *rows, compute_contact_forces(set, *rows), split);
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(cones.Z.cols());
  for (unsigned variant = 0; count > 1 && variant < 1u << count; ++variant) {
    const auto wedges = has_self_stress(pose(cones.edges, faces_of_variant(variant, count), nothing).equations);
    if (!wedges || *wedges) return wedges;
  }
  return false;
}

Outcome<GuideHold> find_hold(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations, HoldFaces which,
                             Workspace& workspace, bool with_loads, const GuideBlock* block) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const StuckRows split = split_stuck_rows(set, block);
  const size_t count = split.pairs.size();
  GuideHold hold;
  hold.pairs = split.pairs;
  hold.slack = 1;
  if (count == 0) return hold;
  if (which == HoldFaces::best && count > kMostStuck) return too_many_stuck(count);
  const ContactForces forces = compute_contact_forces(set, *rows);
  Eigen::VectorXd all =
      compute_mass_matrix(set.model, state, workspace) * accelerations - compute_known_forces(set, state, forces, workspace);
  for (Eigen::Index i = 0; block != nullptr && i < all.size(); ++i) {
    if (!block->velocities[static_cast<size_t>(i)]) all[i] = 0;
  }
  StuckCones cones = list_cones(set, *rows, forces, split);
  const Eigen::MatrixXd& Z = cones.Z;
  Edges& edges = cones.edges;
  const bool is_round = cones.is_round;
  const Eigen::VectorXd needed = Z.transpose() * all;
  hold.size = std::max(needed.size() > 0 ? needed.lpNorm<Eigen::Infinity>() : 0, 1e-300);

  // The faces that are, or each choice of them.
  Faces best;
  double most = -HUGE_VAL;
  for (unsigned variant = 0; variant < (which == HoldFaces::best ? 1u << count : 1u); ++variant) {
    Faces faces = faces_of_variant(variant, count);
    for (size_t k = 0; which == HoldFaces::as_they_are && k < count; ++k)
      faces[k] = set.modes[set.model.face_pairs()[split.pairs[k]].mode] == kFace1 ? 1 : 2;
    const LinearProgram program = pose(edges, faces, needed / hold.size);
    const auto weight = find_least_weight(program);
    if (!weight) return weight.failure();
    if (!*weight || (!best.empty() && !hold.wedges && !((*weight)->least > most))) continue;
    const auto wedges = has_self_stress(program.equations);
    if (!wedges) return wedges.failure();
    // Faces that cannot wedge come first, if they hold.
    constexpr double kHolds = 1e-6;
    const double least = (*weight)->least;
    const bool better = best.empty() || (*wedges == hold.wedges ? least > most
                                         : *wedges              ? !(most > kHolds) && least > most
                                                                : least > kHolds || least > most);
    if (!better) continue;
    most = (*weight)->least;
    hold.wedges = *wedges;
    best = faces;
  }

  // Near the bound edges at even angles are not enough of a round cone (48 of them give up 0.2 % before): more of them about the
  // friction that there is, until what is left out is round-off.
  constexpr double kNearBound = 0.02;
  for (double width = 2 * M_PI / kAround; is_round && !best.empty() && most < kNearBound && width > 1e-4; width /= 8) {
    const auto weight = find_least_weight(pose(edges, best, needed / hold.size));
    if (!weight) return weight.failure();
    if (!*weight) break;
    Eigen::Index next = 0;
    for (size_t k = 0; k < count; ++k) {
      const int face = best[k] - 1;
      Vector3 force;
      for (const Edge& edge : edges[k][face]) force += (*weight)->weights[next++] * edge.wrench_W.force;
      if (edges[k][face].size() < kAround) continue;
      const PairState& pair = rows->pairs[split.pairs[k]];
      const double angle = std::atan2(dot(force, pair.in_face_W[1]), dot(force, pair.in_face_W[0]));
      RowAt at = rows->all[set.rows[split.pushes[k]].index];
      for (int i = -4; i <= 4; ++i) {
        const double turned = angle + i * width / 8;
        const Vector3 slide = -std::cos(turned) * pair.in_face_W[0] - std::sin(turned) * pair.in_face_W[1];
        at.wrench_W = compute_face_push(*rows, split.pairs[k], face) +
                      friction_against(set.model.face_pairs()[split.pairs[k]].faces[face], pair, face, slide, 0);
        edges[k][face].push_back({at.wrench_W, Z.transpose() * compute_row(set, *rows, at).row});
      }
    }
    const auto refined = find_least_weight(pose(edges, best, needed / hold.size));
    if (!refined) return refined.failure();
    if (*refined) most = (*refined)->least;
  }
  hold.slack = best.empty() ? -hold.size : most * hold.size;
  hold.faces = best.empty() ? Faces(count, 2) : best;
  hold.signed_reactions = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(count));
  hold.wrenches_W.resize(count);
  if (!with_loads || best.empty() || hold.slack < 0) return hold;

  const auto least = solve_linear_program(pose(edges, best, needed / hold.size));
  if (!least) return least.failure();
  if (!least->feasible) return hold;
  Eigen::Index next = 0;
  for (size_t k = 0; k < count; ++k) {
    double N = 0;
    for (const Edge& edge : edges[k][best[k] - 1]) {
      const double part = hold.size * least->x[next++];
      N += part;
      hold.wrenches_W[k] += Wrench{part * edge.wrench_W.force, part * edge.wrench_W.moment};
    }
    hold.signed_reactions[static_cast<Eigen::Index>(k)] = best[k] == 2 ? N : -N;
  }
  return hold;
}

Outcome<ConstrainedDynamics> compute_held_dynamics(const ConstraintSet& set, const State& state, Workspace& workspace) {
  auto dynamics = compute_constrained_dynamics(set, state, workspace);
  if (!dynamics) return dynamics;
  ConstraintSolution& solution = dynamics->solution;
  bool shared = false;  // the loads of pairs that stick are some of many
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const bool sticks = set.rows[i].from<StickRow>() != nullptr;
    // What no joint feels is determined: it is nothing.
    if (sticks && !(dynamics->rows.felt.size() > 0 && dynamics->rows.felt[static_cast<Eigen::Index>(i)] > 0))
      solution.analysis.determinate[i] = true;
    shared = shared || (sticks && !solution.analysis.determinate[i]);
  }
  if (!shared) return dynamics;

  const auto found = find_held_reactions(set, state, solution.accelerations, workspace);
  if (!found) return found.failure();
  if (!*found) return dynamics;
  const GuideHold& hold = **found;
  auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  ContactForces forces = compute_contact_forces(set, *rows);
  forces.signless.resize(set.rows.size(), false);
  forces.beside.resize(set.rows.size());
  Eigen::VectorXd left = compute_mass_matrix(set.model, state, workspace) * solution.accelerations -
                         compute_known_forces(set, state, forces, workspace);
  const StuckRows split = split_stuck_rows(set);
  for (size_t k = 0; k < split.pairs.size(); ++k) {
    const auto push_row = static_cast<size_t>(split.pushes[k]);
    const double n = hold.signed_reactions[static_cast<Eigen::Index>(k)];
    RowAt at = rows->all[set.rows[push_row].index];
    Wrench beside = hold.wrenches_W[k];
    beside += Wrench{-n * at.wrench_W.force, -n * at.wrench_W.moment};
    at.wrench_W = hold.wrenches_W[k];
    left -= compute_row(set, *rows, at).row;
    solution.multipliers[split.pushes[k]] = n;
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const auto* stuck = set.rows[i].from<StickRow>();
      if (stuck == nullptr || stuck->pair != split.pairs[k]) continue;
      const Wrench& unit = rows->all[set.rows[i].index].wrench_W;
      const double friction = dot(hold.wrenches_W[k].force, unit.force);
      solution.multipliers[static_cast<Eigen::Index>(i)] = friction;
      beside += Wrench{-friction * unit.force, -friction * unit.moment};
    }
    // The line of action of face1 is not that of the row.
    forces.signless[push_row] = n != 0;
    forces.beside[push_row] = n != 0 ? Wrench{(1 / n) * beside.force, (1 / n) * beside.moment} : Wrench{};
  }
  if (!split.others.empty()) {
    const Eigen::VectorXd given =
        columns_with_friction(*rows, forces, split.others).completeOrthogonalDecomposition().solve(left);
    for (size_t i = 0; i < split.others.size(); ++i) solution.multipliers[split.others[i]] = given[static_cast<Eigen::Index>(i)];
  }
  return explain_solution(set, state, std::move(*rows), std::move(forces), compute_given_forces(set.model, state, workspace),
                          std::move(solution), workspace);
}

}  // namespace vinculum
