// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/realization/reactions.h"
#include "vinculum/simulation/sampled_run.h"

namespace vinculum {

// A model whose constraints forces have to realize, at a start: what the motions with and without slip begin with.
struct Realization {
  SlipSystem& system;
  State start;                 // on the permanent constraints
  State projected;             // and without slip
  SlipState at;                // there
  Eigen::VectorXd slip;        // of the start,
  double slip_energy = 0;      // and its energy
  std::optional<SlipLaw> law;  // of all groups; none: their own

  const Model& model() const { return system.model(); }
  bool has_law() const;  // or bounds: there are forces to follow
};

// The start of a realization, from a state that obeys the constraints with a position. Strings without slack there are permanent
// constraints. Failures of the slip system, VN-CONTACT-013 (positions off their constraints).
Outcome<Realization> begin_realization(SlipSystem& system, const State& state, const std::optional<SlipLaw>& law);

struct MotionOptions {
  double until = 0;
  double tolerance = 1e-12;
  int samples = 2001;
  AskStop stop{};  // asked after every step
};

// The motion without slip. It may end early, or not begin: `result.failure` gives the
// reason, and the motion has at least its start. Limited forces may continue from there.
Outcome<SampledRun> run_without_slip(const Realization& realization, const MotionOptions& options);

// The motion of the same bodies with forces of a law in place of the constraints.
struct LawRun {
  Model model;
  RunResult result;
  std::vector<State> samples;  // at equal times, with the modes of the model the constraints are of
  std::vector<std::vector<double>> accelerations;
};
Outcome<LawRun> run_law(const Realization& realization, const MotionOptions& options);

// The slip of a state of such a run, by the constraints of the model itself.
Outcome<Eigen::VectorXd> compute_slip(const Realization& realization, const State& state);

// Viscous forces approach the motion without slip like 1/k: theorem 1 where no reactions are needed, else section 5.2.
struct ViscousSweep {
  struct Point {
    double coefficient = 0, error = 0;  // the largest difference of any q or v from the motion without slip at the end
    Eigen::VectorXd slip;               // there
  };
  std::vector<Point> points;
  std::optional<double> slope;  // -d log error / d log k of the last two
};
Outcome<ViscousSweep> sweep_viscous(const Realization& realization, const std::vector<double>& coefficients,
                                    const State& ideal_end, const MotionOptions& options);

// How far the bodies are from where they would be without slip, at most.
struct Deviation {
  double distance = 0, t = 0;
  int body = 0;
};
Deviation find_deviation(const Model& model, const std::vector<State>& ideal, const std::vector<State>& real);

// Slips and their rates at the samples; from them slip travelled and energy lost:  R = hold J (v' - a0) , power -R.psi' .
struct SlipHistory {
  std::vector<Eigen::VectorXd> slip, rate;
  Eigen::VectorXd distance;
  double energy = 0;
  bool lifts = false;  // a contact lifts off on the way: distance and energy do not count then
};
Outcome<SlipHistory> follow_slips(const Realization& realization, const LawRun& law);

// Slip, stick, reverse, engage; and of a force that lags where the slip
// is largest. What sticks at an end of a dead zone keeps that slip.
struct SlipEvent {
  double t = 0;
  std::optional<EventKind> kind{};  // none: the slip is largest here
  std::string name{};
  double slip = 0;
};
std::vector<SlipEvent> list_slip_events(const Realization& realization, const LawRun& law, const SlipHistory& history);

// Its law sticks: the slip ends exactly. All other laws creep, or continue in cycles.
bool has_sticking(const Realization& realization, const SlipGroup& group);

// The constraints of the group that this event of the motion with forces is of; none: it is of others.
std::vector<int> find_rows_of(const Realization& realization, const LawRun& law, const SlipGroup& group, const Occurrence& event);
bool is_of_slip(EventKind kind);  // slip, stick, reverse, engage

// Verdicts on the motion without slip, compared with the one with forces. If
// one contact slips, the load of others changes: one that sticks in the first
// may slip in the second, and one above its bound may be unloaded.  theory 3,
// section 6, point 5 Beyond the end of the motion without slip, the one with
// forces alone is judged. What a law that creeps leaves is said.
void judge_by_motion(const Realization& realization, const SampledRun& ideal, const LawRun& law, const SlipHistory& slips,
                     std::vector<Verdict>& verdicts);
// It has a law that sticks, and sticks from beginning to end in the motion with forces.
bool never_slips(const Realization& realization, const LawRun& law, const SlipGroup& group);

}  // namespace vinculum
