// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The laws for groups of states in registers of one width: included by one file for each, which names VINCULUM_BATCH_TABLE.
#include "vinculum/kernels/batch_kernels.h"

namespace vinculum {

namespace {

constexpr int kLanes = kRegisterWidth;
using Wide = Pack<kLanes>;

std::size_t scratch_size(const Model& model) {
  BatchScratch<Wide> scratch;
  return BatchScratch<Wide>::carve(model, nullptr, scratch);
}

BatchScratch<Wide> carve(const Model& model, std::byte* memory) {
  BatchScratch<Wide> scratch;
  BatchScratch<Wide>::carve(model, memory, scratch);
  return scratch;
}

// Constants of each lane's own mechanism: gravity, then the links.
std::size_t packed_size(const Tree& tree) { return sizeof(Vector3Of<Wide>) + tree.links.size() * sizeof(LinkOf<Wide>); }

void pack_links(const Tree* const* trees, std::byte* memory) {
  auto& gravity = *reinterpret_cast<Vector3Of<Wide>*>(memory);
  for (int j = 0; j < 3; ++j) gravity[j] = gather_lanes<kLanes>([&](int k) { return trees[k]->gravity[j]; });
  auto* links = reinterpret_cast<LinkOf<Wide>*>(memory + sizeof gravity);
  for (std::size_t i = 0; i < trees[0]->links.size(); ++i) {
    const Link* lanes[kLanes];
    for (int k = 0; k < kLanes; ++k) lanes[k] = &trees[k]->links[i];
    links[i] = pack_link<kLanes>(lanes);
  }
}

LinkSpan<Wide> links_of_lanes(const BatchTask& task) {
  const auto& gravity = *reinterpret_cast<const Vector3Of<Wide>*>(task.links);
  return {reinterpret_cast<const LinkOf<Wide>*>(task.links + sizeof gravity), static_cast<int>(task.model->tree().links.size()),
          gravity};
}

unsigned accelerations(const BatchTask& task, int first, double no_inertia, std::byte* memory) {
  BatchScratch<Wide> scratch = carve(*task.model, memory);
  if (task.links != nullptr) return accelerate_group<kLanes>(task, links_of_lanes(task), first, no_inertia, scratch);
  return accelerate_group<kLanes>(task, span_of(task.model->tree()), first, no_inertia, scratch);
}

void forces(const BatchTask& task, int first, std::byte* memory) {
  BatchScratch<Wide> scratch = carve(*task.model, memory);
  if (task.links != nullptr) return force_group<kLanes>(task, links_of_lanes(task), first, scratch);
  force_group<kLanes>(task, span_of(task.model->tree()), first, scratch);
}

void motions(const BatchTask& task, int first, std::byte* memory) {
  BatchScratch<Wide> scratch = carve(*task.model, memory);
  if (task.links != nullptr) return move_group<kLanes>(task, links_of_lanes(task), first, scratch);
  move_group<kLanes>(task, span_of(task.model->tree()), first, scratch);
}

std::size_t mass_scratch_size(const Tree& tree) {
  MassBatchScratch<Wide> scratch;
  return MassBatchScratch<Wide>::carve(tree, nullptr, scratch);
}

void mass_matrices(const BatchTask& task, int first, std::byte* memory, std::byte* mass_memory) {
  BatchScratch<Wide> scratch = carve(*task.model, memory);
  MassBatchScratch<Wide> mass;
  MassBatchScratch<Wide>::carve(task.model->tree(), mass_memory, mass);
  if (task.links != nullptr) return weigh_group<kLanes>(task, links_of_lanes(task), first, scratch, mass);
  weigh_group<kLanes>(task, span_of(task.model->tree()), first, scratch, mass);
}

}  // namespace

const BatchKernels VINCULUM_BATCH_TABLE{kLanes, scratch_size, packed_size,       pack_links,   accelerations,
                                        forces, motions,      mass_scratch_size, mass_matrices};

}  // namespace vinculum
