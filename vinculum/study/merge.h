// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/study/store.h"

namespace vinculum {

// Takes over the rows, and times, of a store of the same study. Of a point that both have, an answer counts more than a failure,
// and a failure more than an inferred value. Failure if the studies are not the same, or rows cannot be written.
std::optional<Failure> merge_store(const StudyStore& from, StudyStore& into);

}  // namespace vinculum
