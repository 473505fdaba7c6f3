// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/model/anchor.h"
#include "vinculum/model/impact_law.h"

namespace vinculum {

// A massless, inextensible, perfectly flexible string between two points: it keeps them within its length, and pulls only.
//
//   length - |z| ≥ 0 ,   z from `from` to `to`                                                                theory 4, section 4
//
// At least one end is on a body, and never both on the same.
struct StringElement {
  std::string name;
  Anchor from, to;
  double length = 0;      // [m]
  ImpactLaw restitution;  // of the impact when it snaps taut
};

}  // namespace vinculum
