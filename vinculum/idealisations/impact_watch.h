// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/stepping/first_time.h"

namespace vinculum {

// The laws of impact: does one make energy, as Newton's may with friction; and would contacts that are struck at the same instant
// leave otherwise in another order? Verdict `impacts`, where anything was struck.                          theory 7, section 4
class ImpactWatcher : public Idealisation {
 public:
  void hear_impact(const ImpactReport& report, double t) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  double count_ = 0, lost_ = 0;  // all impacts, and the energy they took [J]
  FirstTime made_first_;         // energy,
  double made_count_ = 0;        // how many times,
  double made_ = 0;              // how much at the first [J],
  double before_ = 0;            // and the kinetic energy before that
  FirstTime order_first_;        // where the order mattered,
  std::string followed_, other_;
  double uncompared_ = 0;  // instants with too many contacts to compare all orders
};

// Gives the events of an instant the impulses of its impacts: each event of an impact those of the rows of its element, and the
// first of them those of all other rows too.
void add_impulses(const Model& model, const std::vector<ImpactReport>& impacts, std::span<Occurrence> events);

}  // namespace vinculum
