// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vinculum/constraints/idealisation.h"
#include "vinculum/friction/guide_variants.h"
#include "vinculum/idealisations/element_work.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

// Guides: which face of each pair carries the load (theory 5, sections 6 to 8). Between events the variant is frozen; guards are
//
//   of each pair   the load on its face, and the sliding in its sense, where a point rubs;
//   of what sticks   what friction can hold beyond what it must (guide_hold.h);
//   of all         the kinetic energy, on the way to rest; det B(p) beside that without friction, before reactions grow beyond
//                  all bounds.
//
// Where a load vanishes the pair changes its face; where the sliding does, it reverses, sticks, or everything comes to rest;
// where friction no longer holds what sticks, it slips. No variant: the guides jam, and the run ends there with that verdict.
// Always followed.
class Face : public Idealisation {
 public:
  Face(MotionSystem& system, const Model& model);

  int guard_count() const override { return 2 * pairs() + 2; }
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  void begin_above_zero(std::span<double> guards) const override;
  std::optional<Failure> begin(State& state, const Tell& tell) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  std::optional<Failure> decide(int guard, State& state, const Tell& tell) override;
  std::optional<Failure> follow_change(State& state, const Tell& tell) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  void list_work(std::vector<ElementWork>& list) const override;
  void list_events(std::vector<Occurrence>& events) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  int pairs() const { return static_cast<int>(model_.face_pairs().size()); }
  const FacePair& pair(int k) const { return model_.face_pairs()[k]; }
  int first_stuck(const std::vector<int>& modes) const;  // -1: none
  int face_of(const std::vector<int>& modes, int k) const { return modes[pair(k).mode]; }

  // All faces anew, from every realised variant; told are those that changed.
  std::optional<Failure> choose(State& state, const Tell& tell);
  std::optional<Failure> change_face(int k, State& state, const Tell& tell);
  std::optional<Failure> stop_sliding(int k, State& state, const Tell& tell);
  std::optional<Failure> let_slip(State& state, const Tell& tell);
  std::optional<Failure> decide_stop(ConstraintSet& set, const std::vector<int>& stopped, bool released, State& state,
                                     const Tell& tell);
  std::optional<Failure> change_rows(const std::vector<int>& modes, State& state, const Tell& tell);
  void tell_slide(int k, const std::vector<int>& before, const std::vector<int>& after, const Tell& tell) const;
  std::optional<Failure> come_to_rest(State& state, const Tell& tell);
  std::optional<Failure> arrive(State& state, const Tell& tell);
  Occurrence occurrence(EventKind kind, int k) const;
  void set_modes(const std::vector<int>& modes, State& state, const Tell& tell);
  std::optional<Failure> jam(const GuideVariants& found, double t);
  double kinetic_energy(const State& state);
  void several_at(double t, double wedged);
  void remember(const std::vector<double>& memory, State& state);

  MotionSystem& system_;
  const Model& model_;
  Workspace workspace_;
  bool has_laws_of_time_;
  double unit_ = 1;          // of loads, as the last reduction has it
  double energy_scale_ = 0;  // kinetic energy since the last start from rest, the largest
  double unique_ = 1;        // 0: several variants were realised at some time, first at
  double first_several_ = 0;
  // That was where it would rest only if faces were wedged against each other: it slides, they are, or they were until then.
  static constexpr double kNotWedged = 0, kSlides = 1, kStaysWedged = 2, kFreed = 3;
  double wedged_ = kNotWedged;
  double pressed_ = 0;                // [N] at the end of the last step, by what it remembers; 0: nothing
  double can_wedge_ = 0;              // 1: at the present rest faces can wedge each other
  double jammed_ = 0, jam_t_ = 0;     // 1: no variant was realised
  double tilted_ = 0, tilted_t_ = 0;  // 1: from this time on the loaded faces were not examined
  double examined_ = 0;               // 1: sliding, so that the following is known
  std::optional<double> margin_;      // the least factor on all friction at which uniqueness for every load is lost,
  double margin_t_ = 0;               // and when
  std::vector<double> work_;          // of friction on each face, pair by pair
  std::string jam_reason_;
};

}  // namespace vinculum
