// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/model/model.h"

namespace vinculum {

// 64 bits of all that decides a motion (not of drawings), as 16 hexadecimal digits: results and checkpoints carry it.
std::string fingerprint(const Model& model);

}  // namespace vinculum
