// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/study/store.h"

namespace vinculum {

// Imports the results and times of a store of the same study. For a point in both, a result counts more than a
// failure, and a failure more than an inferred value. Failure if the studies differ, or results cannot be written.
std::optional<Failure> merge_store(const StudyStore& from, StudyStore& into);

}  // namespace vinculum
