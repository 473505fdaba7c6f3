// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/run.h"

namespace vinculum {

// VN-RUN-140: in a checkpoint there are `found` of something where the model has `wanted`.
Failure refuse_checkpoint(std::string_view what, size_t found, size_t wanted);
Failure refuse_checkpoint_values();

// The sizes a run of the model has.
struct RunSizes {
  size_t values = 0, events = 0, idealisations = 0;
};

// Has anything in it another size than the model gives it, or a count or an index out of range: then it is the checkpoint of
// something else.
std::optional<Failure> check_fit(const Checkpoint& point, const Model& model, const RunSizes& sizes);

}  // namespace vinculum
