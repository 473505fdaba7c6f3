// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Asked by long computations between their parts; true: the user has pressed Ctrl-C, leave without an answer. Empty: never.
using AskStop = std::function<bool()>;

inline bool is_stopped(const AskStop& ask) { return ask && ask(); }

inline Failure stopped_failure() { return {"VN-RUN-150", "interrupted before there was an answer", ""}; }

}  // namespace vinculum
