// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/files/telling.h"
#include "vinculum/realization/servo.h"
#include "vinculum/realization/slip_spectrum.h"
#include "vinculum/simulation/realized_certificate.h"

// What `realize` has found, for programs (the fields of the contract) and for people.
namespace vinculum {

Json number_or_null(const std::optional<double>& value);

Telling tell_rows(const Realization& realization);
// The slip that the law leaves on each constraint under the reaction of the start; A of the certificate there.
Telling tell_residuals(const Realization& realization, double A);
Telling tell_servo(const Realization& realization, const std::vector<std::string>& inputs, const Servo& servo);
Telling tell_ideal(const Realization& realization, const SampledRun& ideal, const ReactionHistory& history, const SlipState& end);
Telling tell_realized(const Realization& realization, const LawRun& law, const SlipHistory& history, const Eigen::VectorXd& slip,
                      const Deviation& deviation);
Telling tell_sweep(const Realization& realization, const ViscousSweep& sweep);
// At the uniform instants, and with extrema between them; both are printed if they differ. `band_time`: from when on the slip of
// the motion with forces was in the band.
Telling tell_certificate(const Realization& realization, const MotionCertificate& certificate, std::optional<double> band_time);
// Where constraints coincide there is no certificate, and this is why.
Telling tell_no_certificate(const Failure& failure, int instants);
Telling tell_tube(const Realization& realization, const Certificate& certificate, double width);
Telling tell_needed_bounds(const Realization& realization, const SufficientBounds& bounds, double time, double until);
Telling tell_spectrum(const std::vector<std::complex<double>>& values, std::optional<double> viscous);
Telling tell_critical(const CriticalCoefficient& critical, double low, double high);

// One line a group, as a driver would say it: "front slips at t = 0.489 s, margin 0.72; sticks again at 1.706 s; 3 cm from the
// no-slip path: needs ..". With the run under a law, if there was one.
Telling tell_verdicts(const Realization& realization, const ReactionHistory& history, const std::vector<Verdict>& verdicts,
                      const LawRun* law, const Deviation* deviation);

}  // namespace vinculum
