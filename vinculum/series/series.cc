// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/series/series.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/kernels/series_kernels.h"
#include "vinculum/math/tape_series.h"
#include "vinculum/series/law_series.h"

namespace vinculum {

const SeriesKernels& series_kernels_for([[maybe_unused]] InstructionSet set) {
#ifdef VINCULUM_WIDE_KERNELS
  if (set == InstructionSet::avx512) return kWideSeriesKernels;
  if (set == InstructionSet::avx2) return kFusedSeriesKernels;
#endif
  assert(set == InstructionSet::baseline);
  return kBaselineSeriesKernels;
}

const SeriesKernels& series_kernels() {
  static const SeriesKernels& chosen = series_kernels_for(find_instruction_set());
  return chosen;
}

FactorLayout::FactorLayout(const Tree& tree, int order) {
  for (const Link& link : tree.links) {
    lanes.push_back(product_lanes(link));
    first.push_back(total);
    total += lanes.back() * (order + 1);
  }
}

struct MotionSeries::Memory {
  const Model& model;
  const SeriesKernels& kernels;
  int highest_order;
  LawSeries laws;
  int coordinates, velocities, dimension;

  FactorLayout layout;
  std::vector<LinkSeries<double>> links;
  std::vector<double> left, right;
  std::vector<double> tau, vdot, turns;
  std::vector<Wrench> loads, wrenches;
  std::vector<LinkMotion<double>> motions;
  std::vector<JointResponse<double>> responses;
  std::vector<Burden<double>> slots, burdens;
  std::vector<Pivot<double>> pivots;

  Memory(const Model& model_in, int order, const SeriesKernels& kernels_in);
};

MotionSeries::Memory::Memory(const Model& model_in, int order, const SeriesKernels& kernels_in)
    : model(model_in),
      kernels(kernels_in),
      highest_order(order),
      laws(model, order),
      coordinates(model.tree().coordinates),
      velocities(model.tree().velocities),
      dimension(coordinates + velocities + (laws.counts_work() ? 1 : 0)),
      layout(model.tree(), order) {
  const Tree& tree = model.tree();
  const std::size_t count = tree.links.size();
  left.resize(layout.total);
  right.resize(layout.total);
  links.resize(count);
  tau.resize(velocities);
  vdot.resize(velocities);
  turns.resize(2 * static_cast<std::size_t>(coordinates));
  loads.resize(count);
  wrenches.resize(count * static_cast<std::size_t>(order));
  motions.resize(count);
  responses.resize(count);
  slots.resize(tree.slots);
  burdens.resize(count);
  pivots.resize(velocities);
}

MotionSeries::MotionSeries(const Model& model, int highest_order) : MotionSeries(model, highest_order, series_kernels()) {}
MotionSeries::MotionSeries(const Model& model, int highest_order, const SeriesKernels& kernels)
    : memory_(std::make_unique<Memory>(model, highest_order, kernels)) {}
MotionSeries::~MotionSeries() = default;
MotionSeries::MotionSeries(MotionSeries&&) noexcept = default;

int MotionSeries::dimension() const { return memory_->dimension; }

bool MotionSeries::compute(double t, std::span<const double> y, int order, std::span<double> coefficients) {
  Memory& memory = *memory_;
  assert(order <= memory.highest_order);
  assert(coefficients.size() >= static_cast<std::size_t>(memory.dimension) * (order + 1));
  double *q = coefficients.data(), *v = q + memory.coordinates;
  const SeriesArrays<double> arrays{memory.links.data(),
                                    memory.layout.first.data(),
                                    memory.layout.lanes.data(),
                                    memory.left.data(),
                                    memory.right.data(),
                                    q,
                                    v,
                                    memory.dimension,
                                    memory.laws.has_loads() ? memory.loads.data() : nullptr,
                                    memory.tau.data(),
                                    memory.vdot.data(),
                                    memory.wrenches.data()};
  const MotionLane lane{1,
                        memory.dimension,
                        q,
                        v,
                        memory.tau.data(),
                        memory.vdot.data(),
                        memory.loads.empty() ? nullptr : &memory.loads[0].force.x,
                        memory.wrenches.empty() ? nullptr : &memory.wrenches[0].force.x};
  const Tree& tree = memory.model.tree();
  std::copy(y.begin(), y.end(), q);
  memory.laws.begin(t, lane);
  std::fill(memory.tau.begin(), memory.tau.end(), 0);
  std::fill(memory.vdot.begin(), memory.vdot.end(), 0);
  memory.kernels.begin(tree,
                       {q, v, memory.turns.data(), memory.motions.data(), memory.responses.data(), memory.slots.data(),
                        memory.burdens.data(), memory.pivots.data(), memory.vdot.data()},
                       arrays);
  for (const Pivot<double>& pivot : memory.pivots) {
    if (!(pivot.value > kNoInertia * pivot.scale)) return false;
  }
  for (int n = 0; n < order; ++n) {
    memory.laws.apply(t, n, lane);
    memory.kernels.compute_order(tree, n, arrays);
    memory.laws.add_work(n, lane);
  }
  const double* last = q + static_cast<std::size_t>(order - 1) * memory.dimension;
  if (std::all_of(last, last + 2 * memory.dimension, [](double x) { return std::isfinite(x); })) return true;
  // What is not a number must not meet the zeros of the next computation.
  std::fill(memory.left.begin(), memory.left.end(), 0);
  std::fill(memory.right.begin(), memory.right.end(), 0);
  return false;
}

double MotionSeries::find_branch(double reach) const { return memory_->laws.find_branch(reach); }

const Wrench& MotionSeries::wrench(int link, int order) const { return memory_->wrenches[order * memory_->links.size() + link]; }

double estimate_radius(std::span<const double> sizes) {
  const double scale = std::max(1.0, sizes[0]);
  const auto rho = [&](int n) {
    return sizes[n] > 0 ? std::pow(scale / sizes[n], 1.0 / n) : std::numeric_limits<double>::infinity();
  };
  // A series whose second half vanishes has an end.
  const auto half = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  if (sizes.size() > 8 && std::all_of(half, sizes.end(), [](double size) { return size == 0; }))
    return std::numeric_limits<double>::infinity();
  for (int n = static_cast<int>(sizes.size()) - 1; n > 1; --n) {
    if (sizes[n] > 0 || sizes[n - 1] > 0) return std::min(rho(n), rho(n - 1));
  }
  return std::numeric_limits<double>::infinity();
}

Outcome<MotionCoefficients> compute_motion_coefficients(const Model& model, const State& state, int order) {
  if (const auto refusal = check_analytic(model)) return *refusal;
  Workspace workspace(model);
  if (const auto dynamics = compute_forward_dynamics(model, state, workspace); !dynamics) return dynamics.failure();

  MotionSeries series(model, order);
  const int dimension = series.dimension();
  std::vector<double> y(state.q), coefficients((order + 1) * dimension);
  y.insert(y.end(), state.v.begin(), state.v.end());
  y.resize(dimension);
  if (!series.compute(state.t, y, order, coefficients)) return explain_no_value(model, state);
  return describe_coefficients(model, coefficients, dimension, order, [&](int link, int n) { return series.wrench(link, n); });
}

MotionCoefficients describe_coefficients(const Model& model, std::span<const double> coefficients, int dimension, int order,
                                         const std::function<Wrench(int link, int order)>& wrench_at) {
  const int coordinates = model.tree().coordinates, velocities = model.tree().velocities;
  MotionCoefficients result;
  const auto column = [&](int i) {
    std::vector<double> values;
    for (int n = 0; n <= order; ++n) values.push_back(coefficients[n * dimension + i]);
    return values;
  };
  for (int i = 0; i < coordinates; ++i) result.q.push_back(column(i));
  for (int i = 0; i < velocities; ++i) result.v.push_back(column(coordinates + i));

  // Places in the world from the coordinates; with the axes, reactions as well.
  TapeSeries places(trace_places(model), order);
  for (int n = 0; n <= order; ++n) {
    for (int i = 0; i < coordinates; ++i) places.set_input(1 + i, n, result.q[i][n]);
    places.compute_order(n);
  }
  const auto vector = [&](int body, int k, int n) {
    const int at = 12 * body + 3 * k;
    return Vector3{places.output(at, n), places.output(at + 1, n), places.output(at + 2, n)};
  };
  std::vector<double> sizes(order + 1);
  for (int n = 0; n <= order; ++n) {
    const auto grow = [&](double x) { sizes[n] = std::max(sizes[n], std::abs(x)); };
    for (int i = 0; i < coordinates + velocities; ++i) grow(coefficients[n * dimension + i]);
    for (int i = 0; i < 12 * static_cast<int>(model.bodies().size()); ++i) {
      if (i % 12 < 9) grow(places.output(i, n));
    }
  }
  result.radius = estimate_radius(sizes);
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    std::vector<Vector3> poles;
    for (int n = 0; n <= order; ++n) poles.push_back(vector(i, 3, n));
    std::vector<Wrench> reactions(order);
    for (int n = 0; n < order; ++n) {
      for (int l = 0; l <= n; ++l) {
        const Matrix3 R{vector(i, 0, l), vector(i, 1, l), vector(i, 2, l)};
        const Wrench wrench = wrench_at(model.bodies()[i].link, n - l);
        reactions[n] += {R * wrench.force, R * wrench.moment};
      }
    }
    result.poles_W.push_back(std::move(poles));
    result.reactions_W.push_back(std::move(reactions));
  }
  return result;
}

}  // namespace vinculum
