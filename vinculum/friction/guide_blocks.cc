// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_blocks.h"

#include <algorithm>
#include <numeric>

namespace vinculum {

namespace {

// Sets of velocities that are connected: each has a representative.
class ConnectedVelocities {
 public:
  explicit ConnectedVelocities(int count) : parent_(static_cast<size_t>(count)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // -1 stands for the world, which connects nothing.
  void join(int a, int b) {
    if (a >= 0 && b >= 0) parent_[find(a)] = find(b);
  }

 private:
  std::vector<int> parent_;
};

// A velocity that moves a link: its own, or the nearest below it in the tree; -1 for what stands on the ground.
int velocity_of_link(const Tree& tree, int link) {
  for (; link != kGround; link = tree.links[link].parent) {
    if (velocity_count(tree.links[link].kind) > 0) return tree.links[link].v;
  }
  return -1;
}

}  // namespace

bool GuideBlock::has(int pair) const { return std::ranges::find(pairs, pair) != pairs.end(); }

std::vector<GuideBlock> list_guide_blocks(const ConstraintSet& set, const ConstraintRows& rows) {
  const Model& model = set.model;
  const Tree& tree = model.tree();
  ConnectedVelocities connected(tree.velocities);
  for (const Link& link : tree.links) {
    for (int i = 1; i < velocity_count(link.kind); ++i) connected.join(link.v, link.v + i);
    if (velocity_count(link.kind) > 0) connected.join(link.v, velocity_of_link(tree, link.parent));
  }
  const auto join_all = [&](const auto& entries) {
    int first = -1;
    for (Eigen::Index i = 0; i < entries.size(); ++i) {
      if (entries[i] == 0) continue;
      if (first >= 0) connected.join(first, static_cast<int>(i));
      first = static_cast<int>(i);
    }
    return first;
  };
  const ContactForces forces = compute_contact_forces(set, rows);
  for (Eigen::Index i = 0; i < rows.D.rows(); ++i) {
    const int moved = join_all(rows.D.row(i));
    if (i < forces.coupling.cols()) connected.join(moved, join_all(forces.coupling.col(i)));
  }
  std::vector<GuideBlock> blocks;
  std::vector<int> representatives;
  for (size_t k = 0; k < model.face_pairs().size(); ++k) {
    const FacePair& pair = model.face_pairs()[k];
    const int moved = velocity_of_link(tree, model.link_of(pair.body));
    if (pair.with.on == Anchor::On::body) connected.join(moved, velocity_of_link(tree, model.link_of(pair.with.index)));
  }
  for (size_t k = 0; k < model.face_pairs().size(); ++k) {
    const int moved = velocity_of_link(tree, model.link_of(model.face_pairs()[k].body));
    const int representative = moved < 0 ? -1 : connected.find(moved);
    const auto found = std::ranges::find(representatives, representative);
    if (found == representatives.end()) {
      representatives.push_back(representative);
      blocks.push_back({{}, std::vector<bool>(static_cast<size_t>(tree.velocities))});
      for (int i = 0; i < tree.velocities; ++i) blocks.back().velocities[i] = connected.find(i) == representative;
      blocks.back().pairs.push_back(static_cast<int>(k));
    } else {
      blocks[static_cast<size_t>(found - representatives.begin())].pairs.push_back(static_cast<int>(k));
    }
  }
  return blocks;
}

GuideReduction restrict_to_block(const GuideReduction& reduction, const GuideBlock& block) {
  GuideReduction part;
  std::vector<Eigen::Index> chosen;
  for (size_t k = 0; k < reduction.pairs.size(); ++k) {
    if (!block.has(reduction.pairs[k])) continue;
    chosen.push_back(static_cast<Eigen::Index>(k));
    part.pairs.push_back(reduction.pairs[k]);
    part.names.push_back(reduction.names[k]);
  }
  const VariantProblem& all = reduction.problem;
  part.problem = {all.B1(chosen, chosen), all.B2(chosen, chosen), all.F1(chosen, chosen),
                  all.F2(chosen, chosen), all.d(chosen),          all.unit};
  part.unloaded = reduction.unloaded;
  part.by_face1 = reduction.by_face1(Eigen::all, chosen);
  part.by_face2 = reduction.by_face2(Eigen::all, chosen);
  return part;
}

}  // namespace vinculum
