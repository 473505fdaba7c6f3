// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// Turns bodies and their joints into the links of the recursion, and assigns each body its place in q, v and the links. `ordered`
// has parents before children. The three translations of a free joint in `split` become links of their own, so that one of them
// can be driven.
Tree compile_tree(const std::vector<BodyDescription>& ordered, const Vector3& gravity, const std::set<std::string>& split,
                  std::vector<Body>& bodies);

}  // namespace vinculum
