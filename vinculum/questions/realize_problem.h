// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/questions/options.h"
#include "vinculum/questions/reply.h"

namespace vinculum {

// `realize --problem`: bare numbers instead of a model.
int answer_problem(const RealizeOptions& options, Reply& reply);

}  // namespace vinculum
