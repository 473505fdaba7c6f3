// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/series/series_batch.h"

#include <algorithm>
#include <cmath>

#include "vinculum/dynamics/failures.h"
#include "vinculum/kernels/aligned_bytes.h"
#include "vinculum/kernels/series_kernels.h"
#include "vinculum/series/law_series.h"

namespace vinculum {

struct SeriesBatch::Memory {
  const Model& model;
  const SeriesKernels& kernels;
  int order, lanes, links, velocities, dimension;
  std::vector<LawSeries> laws;  // one a lane
  FactorLayout layout;
  AlignedBytes scratch, coefficients, tau, vdot, loads, wrenches;
  std::vector<MotionLane> views;  // one a lane

  Memory(const Model& model_in, int order_in, const SeriesKernels& kernels_in)
      : model(model_in),
        kernels(kernels_in),
        order(order_in),
        lanes(kernels.group_lanes),
        links(static_cast<int>(model.tree().links.size())),
        velocities(model.tree().velocities),
        laws(lanes, LawSeries(model, order)),
        layout(model.tree(), order),
        scratch(kernels.group_size(model.tree(), layout.total)),
        coefficients(numbers((order + 1) * (model.tree().coordinates + velocities + 1))),
        tau(numbers(velocities)),
        vdot(numbers(velocities)),
        loads(numbers(6 * links)),
        wrenches(numbers(6 * links * order)) {
    dimension = model.tree().coordinates + velocities + (laws[0].counts_work() ? 1 : 0);
    for (int k = 0; k < lanes; ++k) views.push_back(view(k));
  }
  std::size_t numbers(int count) const { return static_cast<std::size_t>(count) * lanes * sizeof(double); }

  MotionLane view(int k) {
    double* q = coefficients.numbers() + k;
    return {lanes,
            dimension * lanes,
            q,
            q + model.tree().coordinates * lanes,
            tau.numbers() + k,
            vdot.numbers() + k,
            loads.numbers() + k,
            wrenches.numbers() + k};
  }
};

SeriesBatch::SeriesBatch(const Model& model, int order) : SeriesBatch(model, order, series_kernels()) {}
SeriesBatch::SeriesBatch(const Model& model, int order, const SeriesKernels& kernels)
    : memory_(std::make_unique<Memory>(model, order, kernels)) {}
SeriesBatch::~SeriesBatch() = default;
SeriesBatch::SeriesBatch(SeriesBatch&&) noexcept = default;

int SeriesBatch::lanes() const { return memory_->lanes; }
int SeriesBatch::dimension() const { return memory_->dimension; }
const double* SeriesBatch::coefficients() const { return memory_->coefficients.numbers(); }
double SeriesBatch::find_branch(int lane, double reach) const { return memory_->laws[lane].find_branch(reach); }

unsigned SeriesBatch::compute(std::span<const double> t, std::span<const double> y) {
  Memory& memory = *memory_;
  const Tree& tree = memory.model.tree();
  const SeriesKernels& kernels = memory.kernels;
  const SeriesGroup group{memory.layout.first.data(),
                          memory.layout.lanes.data(),
                          memory.layout.total,
                          memory.dimension,
                          memory.coefficients.numbers(),
                          memory.tau.numbers(),
                          memory.laws[0].has_loads() ? memory.loads.numbers() : nullptr,
                          memory.vdot.numbers(),
                          memory.wrenches.numbers(),
                          memory.scratch.data()};
  std::copy(y.begin(), y.end(), group.coefficients);
  const std::vector<MotionLane>& views = memory.views;
  for (int k = 0; k < memory.lanes; ++k) memory.laws[k].begin(t[k], views[k]);
  unsigned missing = kernels.begin_group(tree, kNoInertia, group);
  for (int n = 0; n < memory.order; ++n) {
    const bool idle = n > 1 && memory.laws[0].is_empty();
    for (int k = 0; k < memory.lanes && !idle; ++k) memory.laws[k].apply(t[k], n, views[k]);
    kernels.compute_group_order(tree, n, group);
    for (int k = 0; k < memory.lanes && !idle; ++k) memory.laws[k].add_work(n, views[k]);
  }
  const int row = memory.dimension * memory.lanes;
  const double* last = group.coefficients + static_cast<std::size_t>(memory.order - 1) * row;
  const bool all_finite = std::all_of(last, last + 2 * row, [](double x) { return std::isfinite(x); });
  for (int i = 0; i < 2 * row && !all_finite; ++i) {
    if (!std::isfinite(last[i])) missing |= 1u << i % memory.lanes;
  }
  // What is not a number must not meet the zeros of the next computation.
  if (missing != 0) std::fill_n(memory.scratch.data(), kernels.group_size(tree, memory.layout.total), std::byte{0});
  return missing;
}

}  // namespace vinculum
