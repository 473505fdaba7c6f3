// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

// A run in a box: what was asked, where it can be continued from, and the present, which may lie within the step that follows.
struct RunImage {
  RunOptions options;
  double first_horizon = 0;  // options.until before it was extended: scales are those of the start
  State start;
  Checkpoint checkpoint;
  double t = 0;
};

// As bytes: a mark, the version of the program, a fingerprint of the model, the numbers as in memory,
// and a checksum of all of it. So they are restored bit for bit on a machine of the same byte order.
std::vector<std::byte> write_image(const Model& model, const RunImage& image);

// Failure VN-RUN-142: damaged, or of another version; 140: of another model.
Outcome<RunImage> read_image(const Model& model, std::span<const std::byte> bytes);

}  // namespace vinculum
