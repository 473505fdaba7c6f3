// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/vector3.h"

namespace vinculum {

inline constexpr int kWorld = -1;  // the index of the world where a body is asked for

// Either end of a spring, a contact or a string: a point of a body, of an environment body, or of the world.
struct Anchor {
  enum class On { world, body, environment } on = On::world;
  int index = 0;
  Vector3 point;
};

}  // namespace vinculum
