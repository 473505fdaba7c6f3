// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/model/description.h"

namespace vinculum {

// A description as a model file (contract, section 2), the comments on top. Reading it gives the description back: numbers to the
// bit; rotations to the bit where a turn about a coordinate axis, or roll, pitch and yaw, reproduce them, else to round-off as
// quaternions. Values are written as they are: the parameters they were computed from are kept in formulas only.
std::string write_model(const ModelDescription& description, const std::vector<std::string>& heading_comments = {});

}  // namespace vinculum
