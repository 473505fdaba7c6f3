// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

// Contacts whose normal is carried by a law of force (contact_law.h). Followed, one that holds parts where its force falls to
// zero, and one that is apart touches down where it presses again; the other constraints of the contact and its friction go and
// come with it. The force has no jump that would be an impact. Judged, the guard is the force: it falls through zero where the
// contact begins to pull.
class PressedContacts : public Idealisation {
 public:
  PressedContacts(MotionSystem& system, const Model& model);

  int guard_count() const override { return static_cast<int>(guarded_.size()); }
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  void begin_above_zero(std::span<double> guards) const override;
  bool decides(int guard) const override { return parts(guard); }
  double guard_scale(int) const override { return model_.scales().force(); }
  std::optional<Failure> begin(State& state, const Tell& tell) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  std::optional<Failure> decide(int guard, State& state, const Tell& tell) override;
  void list_events(std::vector<Occurrence>& events) const override;

 private:
  const Contact& contact(int guard) const { return model_.contacts()[guarded_[guard]]; }
  bool parts(int guard) const { return system_.constraints().parts(contact(guard)); }

  MotionSystem& system_;
  const Model& model_;
  std::vector<int> guarded_;  // indices into Model::contacts()
};

// Is the normal of any contact carried by a law?
bool has_pressed_contacts(const Model& model);

// Events of such contacts whose mode has changed: lift-off, touch-down.
void tell_pressed(const Model& model, const std::vector<int>& before, const std::vector<int>& after,
                  const Idealisation::Tell& tell);

}  // namespace vinculum
