// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/files/json_text.h"
#include "vinculum/model/model.h"

namespace vinculum {

// The tree of links, for a page of sliders that places the bodies itself (tree.h has the laws): links, bodies, and coordinates
// with their values q, units and limits.
Json kinematics_document(const Model& model, const std::vector<double>& q);

}  // namespace vinculum
