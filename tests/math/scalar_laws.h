// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/forward_kernel.h"
#include "vinculum/dynamics/inverse_kernel.h"
#include "vinculum/dynamics/mass_matrix_kernel.h"
#include "vinculum/math/pack.h"

// What every scalar is asked to do, once for all scalars: each operation, and the laws of trees.
namespace vinculum::testing {

inline constexpr int kFunctions = 14, kChoices = 4, kOperations = kFunctions + kChoices;

template <class S>
VINCULUM_INLINE void apply_functions(const S& a, const S& b, const S& c, S* results) {
  using std::sqrt, std::abs, std::exp, std::log, std::pow;
  const auto [s, k] = sincos(a);
  const S all[kFunctions] = {a + b,  a - b,  a * b,     a / b, -a, multiply_add(a, b, c), sqrt(a), abs(a), sign(a),
                             exp(a), log(a), pow(a, b), s,     k};
  for (int i = 0; i < kFunctions; ++i) results[i] = all[i];
}

// And those that compare.
template <class S>
VINCULUM_INLINE void apply_operations(const S& a, const S& b, const S& c, S* results) {
  apply_functions(a, b, c, results);
  const S choices[kChoices] = {min(a, b), max(a, b), select(a < b, c, a), select(a <= b, a, c)};
  for (int i = 0; i < kChoices; ++i) results[kFunctions + i] = choices[i];
}

// Accelerations, forces and mass matrix: 2 n + n² results.
template <class S>
void apply_laws(const Tree& tree, const S* q, const S* v, const S* given, S* results) {
  const int n = tree.velocities;
  const LinkSpan<double> links = span_of(tree);
  std::vector<LinkMotion<S>> motions(tree.links.size());
  std::vector<JointResponse<S>> responses(tree.links.size());
  std::vector<Burden<S>> slots(tree.slots);
  std::vector<WrenchOf<S>> wrenches(tree.links.size());
  std::vector<Pivot<S>> pivots(n);
  std::vector<S> scratch(2 * tree.coordinates);
  const Turns<S> turns = compute_turns(q, tree.coordinates, scratch.data());
  move_links(links, turns, v, motions.data());
  run_forward<S>(links, nullptr, given, results, pivots.data(), motions.data(), responses.data(), slots.data());
  sweep_outward(links, turns, v, given, motions.data(), wrenches.data());
  sweep_inward<S>(links, motions.data(), nullptr, wrenches.data(), results + n);
  std::vector<LinkPlace<S>> places(tree.links.size());
  std::vector<CompositeInertia<S>> composites(tree.links.size());
  std::vector<S> axes(6 * n);
  for (int i = 0; i < n * n; ++i) results[2 * n + i] = lift<S>(0);
  run_mass_matrix<S>(links, tree.rows.data(), n, turns, {places.data(), composites.data(), axes.data()}, results + 2 * n);
}

// N of each at a time; number i of lane k stands at [i N + k].
template <int N>
VINCULUM_INLINE void apply_operations_in_packs(const double* a, const double* b, const double* c, double* results) {
  Pack<N> packs[kOperations];
  apply_operations(Pack<N>::load(a), Pack<N>::load(b), Pack<N>::load(c), packs);
  for (int i = 0; i < kOperations; ++i) packs[i].store(results + i * N);
}
template <int N>
VINCULUM_INLINE void apply_laws_in_packs(const Tree& tree, const double* q, const double* v, const double* given,
                                         double* results) {
  std::vector<Pack<N>> pack_q, pack_v, pack_given, pack_results(tree.velocities * (2 + tree.velocities));
  for (int i = 0; i < tree.coordinates; ++i) pack_q.push_back(Pack<N>::load(q + i * N));
  for (int i = 0; i < tree.velocities; ++i) pack_v.push_back(Pack<N>::load(v + i * N));
  for (int i = 0; i < tree.velocities; ++i) pack_given.push_back(Pack<N>::load(given + i * N));
  apply_laws(tree, pack_q.data(), pack_v.data(), pack_given.data(), pack_results.data());
  for (size_t i = 0; i < pack_results.size(); ++i) pack_results[i].store(results + i * N);
}

// The same, in files compiled for wider registers.
void apply_operations_with_avx2(const double* a, const double* b, const double* c, double* results);    // Pack<4>
void apply_operations_with_avx512(const double* a, const double* b, const double* c, double* results);  // Pack<8>
void apply_laws_with_avx2(const Tree& tree, const double* q, const double* v, const double* given, double* results);
void apply_laws_with_avx512(const Tree& tree, const double* q, const double* v, const double* given, double* results);

}  // namespace vinculum::testing
