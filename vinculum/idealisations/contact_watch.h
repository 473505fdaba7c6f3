// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/constraints/normal_self_stress.h"
#include "vinculum/idealisations/contact_record.h"
#include "vinculum/idealisations/surface_watch.h"

namespace vinculum {

// Contacts that can only push (point, wheel and sphere with a forbidden normal): do they push, and is the point of contact the
// nearest one. Whether their friction is enough is judged by grips.h; of those without one, what they need is told.
class ContactWatcher : public Idealisation {
 public:
  ContactWatcher(const ConstraintSet& constraints, bool followed, double tolerance);

  // Followed, each sphere or wheel on a curved surface has one: the gap at the next place where it may touch. The run ends there.
  int guard_count() const override;
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  std::optional<Failure> decide(int guard, State& state, const Tell& tell) override;
  void list_looks(double begin, double end, const StateAt& state_at, std::vector<double>& times) override;
  void hear(const Occurrence& event) override;
  void search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>& found) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  struct Look {
    double t = 0;
    double round_off = 0;                   // of a force
    std::vector<Vector3> forces;            // of each contact, its axes
    std::vector<int> undetermined, shared;  // axes of each contact, as bits; `shared`: known of equally stiff supports
  };
  Look make_look(Moment& moment);
  void add_to_watch(const Look& look, bool forward);
  std::optional<double> pull_of(const Look& look, int contact) const;
  bool follows_pull(const Contact& contact) const;
  void count_pulling(bool forward);
  std::optional<double> friction_needed(const Look& look, int contact) const;

  const ConstraintSet& set_;
  const std::vector<Contact>& contacts_;
  bool followed_;
  double least_pull_;  // [N] what is less is an error of the run
  bool has_lifting_ = false;
  SurfaceWatcher surfaces_;
  std::vector<bool> without_limit_;  // contacts that hold along the surface, by a friction nobody has told
  KnownSelfStress self_stress_;
  Looks<Look> looks_;
  std::vector<Look> pulling_;  // looks of a step at which something pulls that is followed: perhaps it lets go in this step
  std::vector<ContactWatch> watches_;
  std::vector<FirstTime> pulls_;  // of each contact, where it begins to pull in the step that was searched
};

}  // namespace vinculum
