// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/study/study.h"

namespace vinculum {

// Which values the parameters have at a point. Points are numbered from 0: the first parameter varies slowest, samples of the
// random parameters fastest, and every node of the grid sees the same samples. The values of a point depend on the study and its
// number alone, so that threads, ranks and shards agree.
//
// With refinement the points are the nodes of the finest grid: (count - 1) 2^levels + 1 a parameter.
//
// Saltelli's design: sample n is k + 2 points, A, B, A with its 1st parameter from B, .., A
// with its k-th parameter from B. The points A and B of a sample are drawn independently.
long count_points(const Study& study);
std::vector<double> parameters_of(const Study& study, long point);

int count_random(const Study& study);
// Values of one grid or list, after refinement.
long refined_count(const Study& study, const StudyAxis& axis);
// Points at each node of the grid: samples, k + 2 times as many with Saltelli's design; 1 without random parameters.
long points_of_node(const Study& study);
// Where a point stands on each grid or list, 0 for random parameters.
std::vector<long> node_of(const Study& study, long point);

// Uniform in (0, 1): the n-th number of a stream, by Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011): a function of its
// arguments, without a state.
double random_uniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t n);

// z with Phi(z) = u, for 0 < u < 1 (Wichura 1988, algorithm AS 241, 16 digits).
double inverse_normal(double u);

}  // namespace vinculum
