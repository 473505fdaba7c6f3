// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "vinculum/study/ranks.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum::app {

// The other processes, if this one was started as one of several by mpirun or srun; nullptr if it is alone. Failure if there are
// others and MPI is not to be had.
Outcome<std::unique_ptr<Ranks>> join_ranks();

}  // namespace vinculum::app
