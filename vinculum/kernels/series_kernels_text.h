// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The series recursion, for one instruction set: included by one file for each, which names the table by VINCULUM_KERNEL_TABLE.
#include "vinculum/kernels/series_kernels.h"

namespace vinculum {

namespace {

void begin(const Tree& tree, const SeriesStart& start, const SeriesArrays<double>& arrays) {
  const Turns<double> turns = compute_turns(start.q, tree.coordinates, start.turns);
  move_links(span_of(tree), turns, start.v, start.motions);
  run_forward<double>(span_of(tree), nullptr, arrays.tau, start.vdot, start.pivots, start.motions, start.responses, start.slots,
                      start.burdens);
  begin_series<double>(span_of(tree), turns, start.motions, start.burdens, start.responses, start.pivots, arrays);
}

void compute_order(const Tree& tree, int order, const SeriesArrays<double>& arrays) {
  compute_series_order<double>(span_of(tree), order, arrays);
}

// ---- groups --------------------------------------------------------------------------------------------------------------

constexpr int kLanes = kRegisterWidth;
using Wide = Pack<kLanes>;

struct GroupScratch {
  LinkSeries<Wide>* links;
  Wide *left, *right, *turns, *vdot, *tau;
  LinkMotion<Wide>* motions;
  JointResponse<Wide>* responses;
  Burden<Wide>*slots, *burdens;
  Pivot<Wide>* pivots;

  // With null it only counts.
  std::size_t carve(const Tree& tree, int factors, std::byte* memory) {
    const std::size_t count = tree.links.size(), velocities = static_cast<std::size_t>(tree.velocities);
    std::size_t used = 0;
    const auto take = [&]<class T>(T*& pointer, std::size_t size) {
      pointer = reinterpret_cast<T*>(memory + used);
      used += size * sizeof(T);
    };
    take(links, count);
    take(left, static_cast<std::size_t>(factors));
    take(right, static_cast<std::size_t>(factors));
    take(turns, 2 * static_cast<std::size_t>(tree.coordinates));
    take(vdot, velocities);
    take(tau, velocities);
    take(motions, count);
    take(responses, count);
    take(slots, static_cast<std::size_t>(tree.slots));
    take(burdens, count);
    take(pivots, velocities);
    return used;
  }
};

std::size_t group_size(const Tree& tree, int factors) { return GroupScratch{}.carve(tree, factors, nullptr); }

SeriesArrays<Wide> arrays_of(const Tree& tree, const SeriesGroup& group, GroupScratch& scratch) {
  scratch.carve(tree, group.factors, group.memory);
  auto* q = reinterpret_cast<Wide*>(group.coefficients);
  return {scratch.links,
          group.first,
          group.lanes,
          scratch.left,
          scratch.right,
          q,
          q + tree.coordinates,
          group.dimension,
          reinterpret_cast<const WrenchOf<Wide>*>(group.loads),
          reinterpret_cast<const Wide*>(group.tau),
          reinterpret_cast<Wide*>(group.vdot),
          reinterpret_cast<WrenchOf<Wide>*>(group.wrenches)};
}

unsigned begin_group(const Tree& tree, double no_inertia, const SeriesGroup& group) {
  GroupScratch scratch;
  const SeriesArrays<Wide> arrays = arrays_of(tree, group, scratch);
  const Turns<Wide> turns = compute_turns(static_cast<const Wide*>(arrays.q), tree.coordinates, scratch.turns);
  for (int i = 0; i < tree.velocities; ++i) scratch.tau[i] = scratch.vdot[i] = Wide(0);
  move_links(span_of(tree), turns, static_cast<const Wide*>(arrays.v), scratch.motions);
  run_forward<Wide>(span_of(tree), nullptr, scratch.tau, scratch.vdot, scratch.pivots, scratch.motions, scratch.responses,
                    scratch.slots, scratch.burdens);
  begin_series<Wide>(span_of(tree), turns, scratch.motions, scratch.burdens, scratch.responses, scratch.pivots, arrays);
  unsigned singular = 0;
  for (int i = 0; i < tree.velocities; ++i) {
    const Mask<kLanes> sound = scratch.pivots[i].value > Wide(no_inertia) * scratch.pivots[i].scale;
    for (int k = 0; k < kLanes; ++k) singular |= sound[k] ? 0u : 1u << k;
  }
  return singular;
}

void compute_group_order(const Tree& tree, int order, const SeriesGroup& group) {
  GroupScratch scratch;
  const SeriesArrays<Wide> arrays = arrays_of(tree, group, scratch);
  compute_series_order<Wide>(span_of(tree), order, arrays);
}

}  // namespace

const SeriesKernels VINCULUM_KERNEL_TABLE{begin, compute_order, kLanes, group_size, begin_group, compute_group_order};

}  // namespace vinculum
