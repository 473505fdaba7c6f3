// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/law_jumps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/core.h>

namespace vinculum {

namespace {

// Every law of a model that enters its equations of motion, with the element it belongs to.
void visit_laws(const ModelDescription& words, auto& forces, auto& driven, auto& environment, auto& states, auto&& visit_own) {
  forces.for_each([&](auto& law) {
    const std::string element = fmt::format("force '{}'", words.forces[law.force].name);
    law.visit_formulas(law, [&](auto& formula, const OwnVariables* own) { visit_own(formula, element, own); });
  });
  const auto visit = [&](auto& formula, const std::string& element) { visit_own(formula, element, nullptr); };
  for (auto& motion : driven) {
    const std::string element = fmt::format("the motion of '{}'", words.motions[motion.motion].coordinate);
    for (auto* formula : {&motion.law, &motion.rate, &motion.acceleration}) visit(*formula, element);
  }
  for (auto& state : states) visit(state.rate, fmt::format("state '{}'", state.name));
  for (auto& body : environment) {
    const std::string element = fmt::format("environment body '{}'", body.name);
    for (auto* formulas : {&body.position, &body.velocity, &body.acceleration}) {
      for (auto& formula : *formulas) visit(formula, element);
    }
    for (auto& turn : body.turns) {
      for (auto* formula : {&turn.angle, &turn.rate, &turn.acceleration}) visit(*formula, element);
    }
  }
}

bool is_same(const Expression& a, const Expression& b) {
  const auto is_same_step = [](const Step& x, const Step& y) {
    return x.operation == y.operation && x.left == y.left && x.right == y.right && x.third == y.third && x.table == y.table &&
           x.order == y.order && x.variable == y.variable && (x.value == y.value || x.value != x.value);
  };
  return std::ranges::equal(a.steps(), b.steps(), is_same_step);
}

std::vector<int> steps_to_hold(const Expression& law, HeldAt held_at) {
  if (held_at == HeldAt::jumps) return law.jumps();
  std::vector<int> kinks = law.kinks();
  if (held_at == HeldAt::kinks) return kinks;
  std::erase_if(kinks, [&](int kink) {
    const Step& step = law.steps()[kink];
    return step.operation == Operation::table && step.order + 1 <= step.table->values.smoothness;
  });
  return kinks;
}

}  // namespace

LawJumps::LawJumps(Model& model, HeldAt held_at) : model_(model) {
  visit_laws(model.description_, model.forces_, model.driven_, model.environment_, model.extra_states_,
             [&](Expression& formula, const std::string& element, const OwnVariables* own) {
               const std::vector<int> jumps = formula.jumps(), kinks = steps_to_hold(formula, held_at);
               if (kinks.empty()) return;
               for (int kink : kinks) {
                 const bool is_jump = std::binary_search(jumps.begin(), jumps.end(), kink);
                 jumps_.push_back({static_cast<int>(laws_.size()), kink, is_jump});
               }
               laws_.push_back({&formula, formula, element, kinks, own});
             });
  sides_.assign(jumps_.size(), 0);
}

bool LawJumps::has_any(const Model& model, HeldAt held_at) {
  bool found = false;
  visit_laws(model.description(), model.forces(), model.driven(), model.environment(), model.extra_states(),
             [&](const Expression& formula, const std::string&, const OwnVariables*) {
               found = found || !steps_to_hold(formula, held_at).empty();
             });
  return found;
}

std::vector<OwnFormula> LawJumps::list_switches() const {
  std::vector<OwnFormula> list;
  const std::vector<double> q(model_.tree().coordinates, 0), v(model_.tree().velocities, 0);
  for (const Law& law : laws_) {
    const std::vector<double> free(law.kinks.size(), 0);
    for (const Branch::Switch& one : take_branch(law.written, law.kinks, free, {0, q, v}).switches)
      list.push_back({one.value, law.own});
  }
  return list;
}

bool LawJumps::hold(std::span<const double> sides, const Bindings& place) {
  bool changes = switches_.empty() || !std::equal(sides.begin(), sides.end(), sides_.begin());
  sides_.assign(sides.begin(), sides.end());
  switches_.clear();
  for (Law& law : laws_) {
    const std::size_t first = switches_.size();
    Branch branch = take_branch(law.written, law.kinks, sides.subspan(first, law.kinks.size()), with_own(place, law.own));
    for (Branch::Switch& one : branch.switches) {
      if (law.own == nullptr) break;
      for (Expression* formula : {&one.value, &one.left, &one.right}) *formula = write_out(*formula, *law.own);
    }
    changes = changes || !is_same(branch.formula, *law.held);
    *law.held = std::move(branch.formula);
    std::move(branch.switches.begin(), branch.switches.end(), std::back_inserter(switches_));
  }
  if (changes) {
    model_.forces_.for_each([](auto& law) {
      if constexpr (requires { law.follow_held_law(); }) law.follow_held_law();
    });
  }
  return changes;
}

bool LawJumps::holds_all() const {
  return std::all_of(sides_.begin(), sides_.end(), [](double side) { return side != 0; });
}

bool LawJumps::is_round_off(double value, double left, double right) {
  return std::abs(value) <= 4 * std::numeric_limits<double>::epsilon() * (std::abs(left) + std::abs(right));
}

void LawJumps::evaluate(const Bindings& at, std::span<double> switches) {
  const auto value = [&](const Expression& formula) {
    return formula.is_constant() ? formula.constant_value() : vinculum::evaluate(formula, at, scratch_);
  };
  for (std::size_t k = 0; k < jumps_.size(); ++k) {
    switches[k] = value(switches_[k].value);
    if (is_round_off(switches[k], value(switches_[k].left), value(switches_[k].right))) switches[k] = 0;
  }
}

double LawJumps::side_on_switch(int number, const Bindings& place) const {
  return vinculum::side_on_switch(law(number), kink(number), with_own(place, laws_[jumps_[number].law].own));
}

std::string LawJumps::describe(int number) const {
  const Law& law = laws_[jumps_[number].law];
  Expression::Builder builder;
  const std::vector<int> handles = builder.include_steps(law.written);
  return fmt::format("{}: {}", law.element, to_text(builder.build(handles[jumps_[number].kink])));
}

std::string LawJumps::describe_side(int number, double side) const {
  const Step& step = law(number).steps()[kink(number)];
  Expression::Builder builder;
  const std::vector<int> handles = builder.include_steps(law(number));
  const std::string left = to_text(builder.build(handles[step.left]));
  const std::string_view relation = side > 0 ? ">" : side < 0 ? "<" : "=";
  std::string where = fmt::format("{} {} 0", left, relation);
  if (step.operation == Operation::min || step.operation == Operation::max)
    where = fmt::format("{} {} {}", left, relation, to_text(builder.build(handles[step.right])));
  if (step.operation == Operation::floor) where = fmt::format("{:g} <= {} < {:g}", side, left, side + 1);
  if (step.operation == Operation::table) {
    const std::vector<double>& breaks = step.table->values.breaks;
    const std::size_t piece = static_cast<std::size_t>(side);
    where = piece == 0               ? fmt::format("{} < {:g}", left, breaks.front())
            : piece == breaks.size() ? fmt::format("{} >= {:g}", left, breaks.back())
                                     : fmt::format("{:g} <= {} < {:g}", breaks[piece - 1], left, breaks[piece]);
  }
  return fmt::format("{} where {}", describe(number), where);
}

// Coordinates and velocities of the drives; places and velocities of what contacts stand on.
std::vector<double> LawJumps::given_values(double t) {
  Bindings at;
  at.time = t;
  std::vector<double> values;
  const auto add = [&](const Expression& formula) { values.push_back(vinculum::evaluate(formula, at, scratch_)); };
  for (const DrivenCoordinate& driven : model_.driven()) add(driven.law), add(driven.rate);
  if (model_.description().contacts.empty()) return values;
  for (const EnvironmentBody& body : model_.environment()) {
    for (int i = 0; i < 3; ++i) add(body.position[i]), add(body.velocity[i]);
    for (const EnvironmentBody::TurnLaw& turn : body.turns) add(turn.angle), add(turn.rate);
  }
  return values;
}

// The model's own unit of each of them: what is small beside it is round-off.
std::vector<double> LawJumps::given_scales() const {
  const Scales& own = model_.scales();
  const std::vector<double> q = coordinate_scales(model_, own), v = velocity_scales(model_, own);
  std::vector<double> scales;
  for (const DrivenCoordinate& driven : model_.driven()) scales.insert(scales.end(), {q[driven.q], v[driven.v]});
  if (model_.description().contacts.empty()) return scales;
  for (const EnvironmentBody& body : model_.environment()) {
    for (int i = 0; i < 3; ++i) scales.insert(scales.end(), {own.length, own.velocity});
    for (size_t i = 0; i < body.turns.size(); ++i) scales.insert(scales.end(), {1.0, own.angular_velocity()});
  }
  return scales;
}

std::optional<std::string> LawJumps::find_jump_of_motion(const Bindings& place, std::span<const double> next) {
  // Two branches of a law that meet at a place which is known to the round-off of a step, 1e-10 of its length at best.
  constexpr double kSmallestJump = 1e-9;
  const std::vector<double> scales = given_scales();
  const std::vector<double> before = given_values(place.time);
  hold(next, place);
  const std::vector<double> after = given_values(place.time);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::abs(after[i] - before[i]) <= kSmallestJump * std::max({scales[i], std::abs(before[i]), std::abs(after[i])}))
      continue;
    const std::size_t drives = 2 * model_.driven().size();
    if (i < drives)
      return fmt::format("the motion of '{}'", model_.description().motions[model_.driven()[i / 2].motion].coordinate);
    return "the ground of the contacts";
  }
  return std::nullopt;
}

}  // namespace vinculum
