// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bench/sample.h"

// The trees on which speed is measured, and their states: drawn from splitmix64 in a fixed order (README.md), so that the same
// mechanism can be made in any engine and its accelerations compared to the last digits.
namespace vinculum::bench {

//   arm7, chain10, chain100, chain1000, chain100000   revolutes in a row
//   humanoid36                                        a free trunk, two legs, waist, two arms, head: 31 bodies
//   btree127                                          revolutes, every body carries two
//   stewart                                           six legs (universal, prismatic) and a free platform, not joined
struct ModelSize {
  std::string name;
  int velocities;
};
std::vector<ModelSize> benchmark_models();

ModelDescription describe_model(const std::string& name);

// Sample number k of a model made by describe_model. The states of `stewart` are those in which the legs reach the platform.
Sample draw_sample(const Model& model, int k);

}  // namespace vinculum::bench
