// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/friction_work.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

constexpr double kSurelySlides = 1e-6;  // [m/s], or the row's unit: a slip below this may have yet to turn
constexpr double kAlongSlip = 1e-9;     // cosine of force and slip that is round-off

// Laws that remember may push along the slip for a while.
bool has_memory(SlipLawKind kind) {
  switch (kind) {
    case SlipLawKind::hysteresis:
    case SlipLawKind::delay:
    case SlipLawKind::lag:
    case SlipLawKind::backlash: return true;
    case SlipLawKind::sign:
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan:
    case SlipLawKind::dead_zone:
    case SlipLawKind::stribeck: return false;
  }
  return false;
}

// Force and slip of one element, over its rows.
struct SlipWork {
  double power = 0, forces = 0, slips = 0;  // and the squares of both
  void add(double force, double slip) {
    power += force * slip;
    forces += force * force;
    slips += slip * slip;
  }
  bool drives() const { return slips > kSurelySlides * kSurelySlides && power > kAlongSlip * std::sqrt(forces * slips); }
};

}  // namespace

// Every element by itself: all its slips and laws, from the first that names it.
std::optional<DrivingFriction> find_driving_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics) {
  const std::vector<ContactForces::Slip>& slips = dynamics.forces.slips;
  const std::vector<ContactForces::Law>& laws = dynamics.forces.laws;
  const auto name_of_slip = [&](const ContactForces::Slip& slip) -> const std::string* {
    const Grip& grip = set.model.grips()[slip.grip];
    return has_memory(grip.law.kind) ? nullptr : &grip.name;
  };
  const auto name_of_law = [&](const ContactForces::Law& law) -> const std::string* {
    const Contact& contact = set.model.contacts()[law.contact];
    return contact.rubs(law.axis) && contact.laws.count(law.axis) == 0 ? &contact.name : nullptr;
  };
  std::optional<DrivingFriction> found;
  const auto offer = [&](const std::string* name) {
    if (name == nullptr) return;
    SlipWork work;
    for (const ContactForces::Slip& slip : slips) {
      const std::string* const own = name_of_slip(slip);
      if (own != nullptr && *own == *name) work.add(slip.force, dynamics.rows.all[slip.row].rate);
    }
    for (const ContactForces::Law& law : laws) {
      const std::string* const own = name_of_law(law);
      if (own != nullptr && *own == *name)
        work.add(law.force, dynamics.rows.contacts[law.contact].rate[static_cast<int>(law.axis)]);
    }
    const bool is_most = !found || work.power > found->power || (work.power == found->power && *name < found->element);
    if (work.drives() && is_most) found = DrivingFriction{*name, work.power};
  };
  for (const ContactForces::Slip& slip : slips) offer(name_of_slip(slip));
  for (const ContactForces::Law& law : laws) offer(name_of_law(law));
  return found;
}

void FrictionWork::look_at_end(Moment& moment, bool) {
  if (moment.solution() == nullptr) return;
  const auto found = find_driving_friction(moment.set(), *moment.solution());
  if (!found) return;
  if (most_ == 0) first_ = moment.t();
  if (found->power > most_) most_ = found->power, element_ = found->element;
}

void FrictionWork::judge(double, std::vector<Verdict>& verdicts) const {
  if (most_ == 0) return;
  Verdict verdict;
  verdict.subject = "friction work";
  verdict.term = "dissipation of dry friction";
  verdict.verdict = Holds::violated;
  verdict.first_violation = first_;
  verdict.why =
      fmt::format("the friction of '{}' drives its own slip with up to {:.4g} W, from t = {:.4g} s on", element_, most_, first_);
  verdict.hint = "friction can only take energy: please report this model";
  verdicts.push_back(std::move(verdict));
}

std::vector<double> FrictionWork::memory() const {
  std::vector<double> numbers{first_, most_};
  for (const char letter : element_) numbers.push_back(static_cast<unsigned char>(letter));
  return numbers;
}

bool FrictionWork::restore(std::span<const double> numbers) {
  if (numbers.size() < 2) return false;
  first_ = numbers[0], most_ = numbers[1];
  element_.clear();
  for (const double letter : numbers.subspan(2)) element_ += static_cast<char>(static_cast<unsigned char>(letter));
  return true;
}

}  // namespace vinculum
