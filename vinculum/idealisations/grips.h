// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "vinculum/constraints/follow.h"
#include "vinculum/constraints/friction_demand.h"
#include "vinculum/constraints/idealisation.h"
#include "vinculum/constraints/normal_self_stress.h"
#include "vinculum/stepping/first_time.h"
#include "vinculum/stepping/looks.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

inline constexpr double kSplits = 1e-6;  // of the friction that slides: what the shares of a load change beyond it they decide

// Rows that a limited force keeps (Model::grips()): contacts with `friction` or a `bound`, velocity constraints with one, joints
// with friction. Several
// rows share it, as a vector:
//
//   |lambda| ≤ R  or  |lambda| ≤ mu N                                                          theory 3, sections 3, 4 and 7
//
// Judged, the guard falls through zero where they would begin to slip. Followed, they slip there: the force takes the place of
// the rows, until the slip has come to its end; a single row may then stick or reverse, whatever the local problem says
// (settle_frictional.h). The end of a slip of several rows has no change of sign: it is where |slip| is a trace, and the clock
// and the state go on by the rest. One that goes straight through zero and back the other way is a trace for no time at all:
// there slip · (its direction where the step began) falls through zero, and with it |slip|.
//
// Where reactions are not determined, more rows stick than are needed, they stick while any distribution of the reactions holds
// them (least_friction.h): they share one guard, the reserve of all distributions, and give way together. Each one's demand is
// that of the smallest distribution, with the normals of equally stiff supports where these are indeterminate by themselves.
// Sliding, they share the load as equally stiff supports would (load_shares.h); where the motion hangs on that it is one of
// several, and the verdict `load split` says so.
class Grips : public Idealisation {
 public:
  // `system` is none if nothing is followed.
  Grips(MotionSystem* system, const ConstraintSet& set, Follow follow, double tolerance);

  int guard_count() const override { return 2 * static_cast<int>(grips_.size()); }  // of the mode; of what is delayed, or turns
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  void begin_above_zero(std::span<double> guards) const override;
  std::optional<Failure> begin(State& state, const Tell& tell) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  std::optional<Failure> decide(int guard, State& state, const Tell& tell) override;
  void hear(const Occurrence& event) override;
  void hear_use(std::span<const GripUse> uses, double t) override;
  bool decides(int guard) const override { return follows(grips_[static_cast<size_t>(guard / 2)]); }
  double guard_scale(int guard) const override;
  void search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>& found) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  void list_events(std::vector<Occurrence>& events) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  static constexpr double kNoFactor = kNothingPresses;  // a demand that no friction meets
  struct Watch {
    double most = 0, most_t = 0;  // the largest demand, and when
    FirstTime first;              // slip
    FirstTime beyond;             // judged, on redundant supports: its own demand is more than it bears,
    FirstTime moves;              // it has a part in the mechanism that slips
    FirstTime regrips;            // followed: the first end of a slip,
    double last = 0, count = 0;   // the last beginning of one, how many slips
    bool undetermined = false;
    bool shares = false;                                         // its normal was that of equally stiff supports
    enum class Began { torn_off, together, at_start, landing };  // together: one of redundant rows
    Began began = Began::torn_off;                               // how its first slip did
  };
  struct Demand {
    std::optional<double> part;  // needed / bound or, of friction, needed / N; none: not there, or not determined
    double reserve = 1;          // positive while it is enough
    bool undetermined = false;
    bool shares = false;  // its normal is that of equally stiff supports (normal_self_stress.h), and `part` goes with it
    bool slips = false;   // followed, it does at present
  };
  struct Look {
    double t = 0;
    std::vector<Demand> demands;
    double split = 0;  // ConstraintSolution::friction_split
  };
  bool follows(const Grip& grip) const { return system_ != nullptr && may_slip(follow_, grip); }
  bool follows_contacts() const { return follow_ == Follow::frictional; }
  bool followed() const {
    return std::ranges::any_of(grips_, [this](const Grip& grip) { return follows(grip); });
  }
  Demand find_demand(Moment& moment, const Grip& grip, std::span<const Wrench> joints, const NormalSelfStress& stress) const;
  std::vector<Wrench> joint_reactions(Moment& moment) const;
  Look make_look(Moment& moment);
  bool is_beyond_elsewhere(const Look& look, size_t index) const;
  void note_mechanism(Moment& moment);
  void add_to_watch(const Look& look, bool forward);
  bool is_open(const Grip& grip, const Demand& demand) const;
  double reserve_of_all(Moment& moment) const;
  bool judge_shared(const Watch& watch, Verdict& verdict) const;
  Verdict judge_undetermined(const Grip& grip, Verdict verdict) const;
  double slip_on_acceleration(Moment& moment, const Grip& grip);
  double follow_guard(Moment& moment, size_t index, const Demand& demand);
  std::optional<Failure> end_slip(size_t index, State& state, const Tell& tell);
  std::optional<Failure> settle(State& state, const FrictionalChange& change, const Tell& tell);
  std::optional<Failure> settle_or_reverse(size_t index, State& state, const FrictionalChange& change, const Tell& tell);
  std::optional<double> strength_of(Moment& moment, const Grip& grip) const;
  double guard_of_edge(Moment& moment, const Grip& grip, int mode) const;
  std::optional<Failure> decide_at_edge(size_t index, State& state, const Tell& tell);
  double scale_of(const Grip& grip) const { return scales_of(model_, grip.rows[0]).velocity; }
  double still(const Grip& grip) const { return still_ * scale_of(grip); }
  double now_of_lag(const Grip& grip, double t) const;
  double relay_of_lag(Moment& moment, size_t index);
  std::optional<Failure> decide_lag(size_t index, State& state, const Tell& tell);
  std::span<const double> turns_due(const Grip& grip) const;
  std::optional<Failure> put_off_turn(const Grip& grip, State& state);
  void take_turn(const Grip& grip, State& state);
  void remember(const Grip& grip, std::span<const double> numbers, State& state);
  void turn(size_t index, int side, State& state, const Tell& tell);
  bool may_turn(const Grip& grip, const std::vector<int>& modes) const;
  std::string describe_demand(const Grip& grip, const Watch& watch) const;
  Verdict judge_followed(size_t index, Verdict verdict) const;

  MotionSystem* system_;
  const Model& model_;
  const std::vector<Grip>& grips_;
  Follow follow_;
  double tolerance_;
  double still_;  // a slip up to this part of the velocity scale of its row is none
  Workspace workspace_;
  Scratch scratch_;
  State beside_;  // a moment earlier or later (relay_of_lag)
  ConstrainedDynamics dynamics_beside_;
  KnownSelfStress self_stress_;
  Looks<Look> looks_;
  std::vector<Watch> watches_;
  bool has_looked_ = false;
  std::vector<bool> shares_guard_;  // at the last look
  // Of contacts whose reactions are not determined: the least factor of all frictions with which some distribution holds, the
  // largest of the run (least_friction.h), and when; and when it first was above 1. The largest number: no factor does.
  double least_ = 0, least_t_ = 0;
  FirstTime least_first_;
  double split_ = 0, split_t_ = 0;  // the same of Look::split
  FirstTime split_first_;
  std::vector<Eigen::VectorXd> headings_;  // of slips of several rows: their direction where the step begins; empty: none
  std::vector<double> tree_masses_;        // [kg] of each body: of the tree it belongs to
};

// The verdict on redundant supports that slide: the motion depends on their share of the load from `first_t` on, by up to `share`
// of their friction, at `share_t`.
Verdict judge_load_split(double first_t, double share, double share_t);

// Events of grips whose mode has changed: slip, stick, reverse.
void tell_grips(const Model& model, const std::vector<int>& before, const std::vector<int>& after,
                const Idealisation::Tell& tell);

}  // namespace vinculum
