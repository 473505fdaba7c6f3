// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "vinculum/analysis/balance.h"

namespace vinculum {

// What may be added to a mechanism to balance it, and where.
struct BalanceSites {
  static constexpr double kAny = std::numeric_limits<double>::infinity();

  struct Counterweight {  // a point mass
    int body = 0;
    Vector3 point;       // in the body frame [m]
    double most = kAny;  // [kg]
  };
  struct Disc {  // thin, centred on the axis of the body's joint: half its inertia about every diameter; its mass is the user's
    int body = 0;
    double most = kAny;  // [kg m²]
  };
  struct Spring {        // one of the model's springs, its stiffness to be chosen: for static balance
    int force = 0;       // index into description().forces
    double most = kAny;  // [N/m]
  };
  std::vector<Counterweight> counterweights;
  std::vector<Disc> discs;
  std::vector<Spring> springs;

  size_t count() const { return counterweights.size() + discs.size() + springs.size(); }
};

// The axis, in the body frame, of the last turn of a body's joint; none if it ends with no turn about an axis.
std::optional<Vector3> find_turning_axis(const Model& model, int body);

struct BalanceDesign {
  bool feasible = false;
  std::string why;                                    // impossible because of this combination of the conditions
  std::vector<double> masses, inertias, stiffnesses;  // in the order of the sites
  double added_mass = 0;                              // [kg]
  ModelDescription balanced;                          // the model with all that
};

// C (π0 + B x) = 0 ,  x >= 0 :  the least added mass, and of equal masses the least disc inertias and stiffnesses, by a linear
// program (theory 2, section 7).
Outcome<BalanceDesign> design_balance(const Model& model, const BalanceConditions& conditions, const BalanceSites& sites);

}  // namespace vinculum
