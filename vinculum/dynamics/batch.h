// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Many states side by side: value i of state k stands at [i count + k], as do the values of every result.
struct StateBatch {
  int count = 0;
  std::vector<double> t;  // count
  std::vector<double> q;  // coordinates × count
  std::vector<double> v;  // velocities × count
};

StateBatch make_batch(std::span<const State> states);
State state_of(const StateBatch& batch, int k);

// What is moved: one model in any number of states, or as many variants of one structure (same bodies and joints, other numbers
// and laws), one a state. Holds the scratch memory of all threads; models must outlive it.
class Batch {
 public:
  // Threads: how many work at once. Results do not depend on it.
  explicit Batch(const Model& model, int threads = 1);

  // Failure VN-RUN-020 if the variants differ in structure: names the first body that does.
  static Outcome<Batch> of_variants(std::span<const Model> variants, int threads = 1);

  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  // States that are computed together: the width of this processor's registers.
  int lanes() const;

  struct Memory;  // batch.cc
  Memory& memory() { return *memory_; }

 private:
  Batch();
  std::unique_ptr<Memory> memory_;
};

// v' under the forces of the model and forces applied from outside (applied.h); empty: none. `tau` is velocities × count.
// `wrenches_W` is force and moment in world axes about the origin of each body, number i of body b in state k at
// [(6 b + i) count + k]. Returns the states in which v' is not determined (singular mass matrix, a law without a finite value):
// none, if all is well. Their accelerations are left 0. Each state has the bits that compute_accelerations gives it.
std::vector<int> compute_accelerations(Batch& batch, const StateBatch& states, std::span<double> accelerations,
                                       std::span<const double> tau = {}, std::span<const double> wrenches_W = {});

// Inverse dynamics: the forces A v' + h, as compute_forces gives them.
void compute_forces(Batch& batch, const StateBatch& states, std::span<const double> accelerations, std::span<double> forces,
                    std::span<const double> wrenches_W = {});

// A, entry (i, j) of state k at [(i n + j) count + k].
void compute_mass_matrices(Batch& batch, const StateBatch& states, std::span<double> matrices);

// Poses and velocities of bodies, as compute_body_motions gives them: 18 numbers per body, R_WB by
// columns, p_WB, V_WB_W linear and angular. Number i of body b in state k is at [(18 b + i) count + k].
void compute_body_motions(Batch& batch, const StateBatch& states, std::span<double> motions);

}  // namespace vinculum
