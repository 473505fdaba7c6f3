// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/mode_choices.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/decision/pose_local_problem.h"
#include "vinculum/idealisations/checkpoint_words.h"
#include "vinculum/idealisations/grips.h"
#include "vinculum/stepping/first_time.h"

namespace vinculum {

namespace {

constexpr double kBeyondBounds = 1e-6;

}  // namespace

ModeChoices::ModeChoices(MotionSystem& system, const Model& model) : system_(system), model_(model), workspace_(model) {}

// Normals that bring friction with them at present.
int ModeChoices::count_rubbing(const ConstraintSet& set) const {
  int count = 0;
  for (const Grip& grip : model_.grips()) {
    if (grip.friction && grip.normal >= 0 && !Grip::holds(set.modes[grip.mode]) && is_there(set, grip) &&
        set.find_row(grip.normal))
      ++count;
  }
  return count;
}

void ModeChoices::evaluate_guards(Moment& moment, std::span<double> guards) {
  guards[0] = 1;
  if (!model_.face_pairs().empty() || count_rubbing(moment.set()) == 0) return;
  if (const ConstrainedDynamics* dynamics = moment.solution())
    guards[0] = std::abs(dynamics->solution.friction_determinant) - kBeyondBounds;
}

void ModeChoices::begin_above_zero(std::span<double> guards) const {
  guards[0] = std::max(guards[0], std::numeric_limits<double>::min());
}

void ModeChoices::tell_jams(const Tell& tell) {
  const ChoiceRecord& record = system_.choice_record();
  if (record.jams > told_) tell({EventKind::jam, model_.one_sided()[record.jammed_one_sided].element, record.jammed_last});
  told_ = record.jams;
}

std::optional<Failure> ModeChoices::begin(State&, const Tell& tell) {
  tell_jams(tell);
  return std::nullopt;
}

Idealisation::Passed ModeChoices::pass(int, double, double t, bool falls, const StateAt&) {
  if (!falls) return {};
  return {std::nullopt, t};
}

std::optional<Failure> ModeChoices::decide(int, State& state, const Tell& tell) {
  const std::vector<int> before = system_.constraints().modes;
  FrictionalChange change;
  change.jams = true;
  if (auto failure = system_.settle(state, change)) return failure;
  tell_jams(tell);
  tell_grips(model_, before, state.modes, tell);
  return std::nullopt;
}

std::optional<Failure> ModeChoices::follow_change(State&, const Tell& tell) {
  tell_jams(tell);
  return std::nullopt;
}

void ModeChoices::note_critical(double scale, double t) {
  if (!margin_ || scale < *margin_) margin_ = scale, margin_t_ = t;
}

void ModeChoices::look_at_end(Moment& moment, bool) {
  const ConstraintSet& set = moment.set();
  const int rubbing = count_rubbing(set);
  if (rubbing == 0) return;
  int held = 0;
  for (size_t k = 0; k < model_.one_sided().size(); ++k) held += set.holds(static_cast<int>(k)) ? 1 : 0;
  if (const ConstrainedDynamics* dynamics = moment.solution();
      dynamics != nullptr && rubbing == 1 && held <= 1 && model_.face_pairs().empty()) {
    // One contact: det = 1 + s (det - 1) with all friction times s, and it is unique while that is positive.
    const double determinant = dynamics->solution.friction_determinant;
    if (determinant < 1) note_critical(1 / (1 - determinant), moment.t());
    if (determinant > 0) return;
  }
  const auto found = find_choices(set, moment.state(), workspace_);
  if (!found) return;
  if (found->critical) note_critical(*found->critical, moment.t());
  ChoiceRecord record = system_.choice_record();
  (found->choices ? record.examined : record.unexamined) = true;
  if (found->choices && found->choices->found.size() > 1 && record.choices == 0) {
    record.choices = static_cast<int>(found->choices->found.size());
    record.several = describe(found->choices->found);
    record.taken = "";
    record.several_t = moment.t();
  }
  system_.set_choice_record(record);
}

void ModeChoices::judge(double, std::vector<Verdict>& verdicts) const {
  const ChoiceRecord& record = system_.choice_record();
  if (!record.examined && !record.unexamined) return;
  Verdict verdict;
  verdict.subject = "modes";
  verdict.term = "uniqueness of contact modes, Painlevé's paradoxes";
  if (margin_) verdict.nearest_t = margin_t_;
  const std::string critical =
      margin_
          ? fmt::format("for every load up to {:.4g} times the friction (smallest factor at t = {:.4g} s)", *margin_, margin_t_)
          : "";
  if (record.jams > 0) {
    verdict.verdict = Holds::impossible;
    verdict.hint = "lower the friction, change the inclination, or give the contact a stiffness by `laws`";
    verdict.first_violation = record.jam_t;
    verdict.why = fmt::format(
        "sliding of {} at t = {:.4g} s has no finite forces (Painlevé paradox). An impact without collision of {:.4g} N*s stops "
        "it and dissipates {:.4g} J{}",
        record.jammed, record.jam_t, record.impulse, record.lost,
        record.jams > 1 ? fmt::format("; {} such impacts", record.jams) : "");
  } else if (record.choices > 0) {
    verdict.verdict = Holds::not_unique;
    verdict.hint = "another motion is possible; lower the friction, or give the contact a stiffness by `laws`";
    verdict.first_violation = record.several_t;
    verdict.why = fmt::format(
        "{} contact states are consistent at t = {:.4g} s: {}; {}", record.choices, record.several_t, record.several,
        record.taken.empty() ? "this run keeps the present one"
                             : fmt::format("this run follows the one reached as friction grows from zero: {}", record.taken));
  } else if (record.examined) {
    verdict.verdict = Holds::holds;
    if (margin_ && *margin_ >= 1) verdict.margin = margin_;
    verdict.why = "the contact state is unique wherever contacts slide or change";
    if (margin_ && *margin_ < 1)
      verdict.why += " for the loads of this run; other loads may have none or several; it is unique " + critical;
    if (margin_ && *margin_ >= 1) verdict.why += "; unique " + critical;
    if (record.unexamined) verdict.why += "; not checked for redundant contacts or contacts with several friction directions";
  } else {
    verdict.why = "redundant contacts or contacts with several friction directions: not all contact states were checked";
    verdict.hint = "`realize` reports where sliding has no or several solutions";
  }
  verdicts.push_back(std::move(verdict));
}

void ModeChoices::list_events(std::vector<Occurrence>& events) const {
  for (const OneSided& element : model_.one_sided()) events.push_back({EventKind::jam, element.element, element.name});
}

std::vector<double> ModeChoices::memory() const {
  const ChoiceRecord& record = system_.choice_record();
  std::vector<double> numbers{told_,
                              margin_t_,
                              static_cast<double>(record.examined),
                              static_cast<double>(record.unexamined),
                              static_cast<double>(record.choices),
                              record.several_t,
                              static_cast<double>(record.jams),
                              record.jam_t,
                              record.impulse,
                              record.lost,
                              static_cast<double>(record.jammed_one_sided)};
  add_optional(margin_, numbers);
  for (const std::string& words : {record.several, record.taken, record.jammed, record.jammed_last}) add_words(numbers, words);
  return numbers;
}

bool ModeChoices::restore(std::span<const double> n) {
  constexpr size_t kNumbers = 11;
  if (n.size() < kNumbers + kNumbersOfOptional || !(std::abs(n[4]) < 1e9) || !(std::abs(n[6]) < 1e9)) return false;
  ChoiceRecord record;
  told_ = n[0], margin_t_ = n[1];
  record.examined = n[2] != 0, record.unexamined = n[3] != 0;
  record.choices = static_cast<int>(n[4]), record.several_t = n[5];
  record.jams = static_cast<int>(n[6]), record.jam_t = n[7], record.impulse = n[8], record.lost = n[9];
  const double most = std::max<double>(1, static_cast<double>(model_.one_sided().size()));
  if (!(n[10] >= 0 && n[10] < most)) return false;
  record.jammed_one_sided = static_cast<int>(n[10]);
  n = n.subspan(kNumbers);
  margin_ = take_optional(n);
  for (std::string* words : {&record.several, &record.taken, &record.jammed, &record.jammed_last}) {
    if (!take_words(n, *words)) return false;
  }
  if (!n.empty()) return false;
  system_.set_choice_record(record);
  return true;
}

}  // namespace vinculum
