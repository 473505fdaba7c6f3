// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"

namespace vinculum {

// Dry friction on its own slip, the one that does most positive work: friction may only take energy.
struct DrivingFriction {
  std::string element;  // foot
  double power = 0;     // [W] force times slip, positive
};
std::optional<DrivingFriction> find_driving_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics);

// Looks for it along a run. The balance of energy cannot see it, for it counts the work of the force there is. A verdict
// `friction work` only where friction drives.
class FrictionWork : public Idealisation {
 public:
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  std::string element_;
  double first_ = 0, most_ = 0;
};

}  // namespace vinculum
