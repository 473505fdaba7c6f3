// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/model/description.h"

namespace vinculum {

// A description as a model file (contract, section 2), the comments on top. Reading it restores the description: numbers to the
// bit; rotations to the bit if a rotation about a coordinate axis, or roll, pitch and yaw, reproduce them. Otherwise rotations
// are quaternions, to round-off. Values are written as they are; only formulas keep parameters.
std::string write_model(const ModelDescription& description, const std::vector<std::string>& heading_comments = {});

}  // namespace vinculum
