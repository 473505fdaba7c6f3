// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vinculum {

// How bodies rebound. With c the rate of the gap, p the normal impulse and s the slip, before (-) and after (+) an impact:
//
//   newton      c⁺ = -e c⁻ ,  tangential impulse opposite to the slip after the impact      may make energy with friction
//   poisson     p = (1 + e) p_c , p_c: the impulse up to c = 0
//   energetic   work of p after c = 0: e² times that before (Stronge)                       theory 7, section 4
//
// Poisson's and the energetic law follow the slip during the impact. `tangential` is et: the slip after is -et s⁻, as far as
// friction allows.
struct ImpactLaw {
  enum class Kind { newton, poisson, energetic } kind = Kind::newton;
  double coefficient = 0;
  double tangential = 0;

  bool rebounds() const { return coefficient > 0 || tangential > 0; }
};

}  // namespace vinculum
