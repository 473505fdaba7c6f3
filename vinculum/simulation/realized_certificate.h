// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/realization/certificate.h"
#include "vinculum/simulation/realized_motion.h"

namespace vinculum {

// When the slip of a run under limited forces ends. The first instant at which everything that slipped sticks; none: there is
// none, or a law never sticks. And the first slip after it.
struct SlipEnd {
  std::optional<double> reached;
  std::optional<double> slips_again;
};
SlipEnd find_slip_end(const Realization& realization, const LawRun& law);

// The instant from which |psi'| stays below `slip`, to a sample; none: it does not at the end.
std::optional<double> find_entry_time(const LawRun& law, const SlipHistory& history, double slip);

// A certificate along a motion, over the whole of it.                                                    theory 3, section 5.5
//
// It says two things: the slip of the start is gone after t1, and it does not come back. The first needs constants up to the end
// of the slip, the second forces above the reactions to the end of the run. So the constants are those of [begin, end]: to the
// end of the slip if the bounds suffice from there on. Otherwise they are those of the whole run, and nothing is certified.
struct MotionCertificate {
  int instants = 0;
  double begin = 0, end = 0;
  Certificate uniform, refined;  // at the instants alone, and with extrema between them; certified are both or none
  WorstConstants whole;          // from the start to the end of the run, extrema between instants included
  double least_excess = 0;       // of all bounds, over the whole run
  SlipEnd slip;                  // of the motion with forces
};
Outcome<MotionCertificate> certify_motion(const Realization& realization, const SampledRun& ideal, const LawRun* law,
                                          const MotionOptions& options, int instants);

// States at the instants: of the motion with forces up to `until`, or (`by_law` false) of the one without slip.
Outcome<std::vector<State>> list_certificate_states(const Realization& realization, const SampledRun& ideal, bool by_law,
                                                    double until, const MotionOptions& options, int instants);

// Bounds that end the slip within `time` and hold to the end of the run. Bounds proposed from the
// constants of one motion are run again, and proposed again with the constants of that run, until a
// run meets both conditions. Otherwise they are not sufficient, and `why` describes the last run.
struct SufficientBounds {
  std::vector<double> bounds;  // group by group; empty: no bound ends the slip under this law
  bool sufficient = false;
  std::optional<double> reached, t1_sharp;  // of the last run
  std::string why;
};
Outcome<SufficientBounds> find_sufficient_bounds(const Realization& realization, const WorstConstants& whole, double time,
                                                 const MotionOptions& options, int instants);

}  // namespace vinculum
