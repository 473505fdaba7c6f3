// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/motion_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/expression/substitute.h"
#include "vinculum/stepping/law_pieces.h"

namespace vinculum {

namespace {

using Of = MotionQuantity::Of;

constexpr double kUnitRoundOff = std::numeric_limits<double>::epsilon() / 2;
constexpr double kRoundingsOfQuantity = 64;  // in a position made of a few joints, or a solution of the equations
constexpr double kStepsOfError = 10;         // local errors that add up in a value
constexpr double kSmallPart = 0.25;          // of a scale, as passed to integrators

bool is_of_solution(const MotionQuantity& quantity) {
  return quantity.of == Of::acceleration || quantity.of == Of::multiplier || quantity.of == Of::drive_power ||
         (quantity.of == Of::point && quantity.component >= 6);
}

double scale_of_row(const Model& model, int row) {
  const Scales& scales = model.scales();
  return scales.force() * scales.length / scales_of(scales, model.rows()[row]).position;
}

double scale_of_quantity(const Model& model, const MotionQuantity& quantity) {
  const Scales& scales = model.scales();
  const double power = scales.energy() / scales.time();
  switch (quantity.of) {
    case Of::acceleration: return velocity_scales(model, scales)[quantity.index] / scales.time();
    case Of::multiplier: return scale_of_row(model, quantity.index);
    case Of::drive_power: return power;
    case Of::point:
      return quantity.component < 3 ? scales.length : quantity.component < 6 ? scales.velocity : scales.acceleration;
    case Of::force: {
      const ForceOf force = find_force(model, quantity.index);
      return force.source->output_scale(model, force.k, quantity.component);
    }
    case Of::output: break;
  }
  return 1;
}

}  // namespace

MotionNumbers::MotionNumbers(const Model& model, double tolerance)
    : states_(model.tree().coordinates + model.tree().velocities),
      quantities_(static_cast<int>(model.outputs().quantities.size())),
      model_(model),
      tolerance_(tolerance),
      scales_(coordinate_scales(model, model.scales())) {
  for (const double scale : velocity_scales(model, model.scales())) scales_.push_back(scale);
  for (double& scale : scales_) scale *= kSmallPart;
  for (const MotionQuantity& quantity : model.outputs().quantities) {
    scales_.push_back(scale_of_quantity(model, quantity));
    dear_.push_back(is_of_solution(quantity));
  }
  for (const Row& row : model.rows()) {
    scales_.push_back(scale_of_row(model, row.index));
    dear_.push_back(true);
  }
}

int MotionNumbers::of_variable(const Variable& variable) const {
  switch (variable.kind) {
    case VariableKind::coordinate: return variable.index;
    case VariableKind::velocity: return model_.tree().coordinates + variable.index;
    case VariableKind::quantity: return states_ + variable.index;
    default: return SearchedFunction::kTime;
  }
}

double MotionNumbers::noise(int number) const {
  if (number < states_) return 0;
  return (is_dear(number) ? tolerance_ : kRoundingsOfQuantity * kUnitRoundOff) * scales_[number];
}

double MotionNumbers::round_off(int number, double value) const {
  if (number < states_) return kUnitRoundOff * std::abs(value);
  return kRoundingsOfQuantity * kUnitRoundOff * (std::abs(value) + scales_[number]);
}

double MotionNumbers::error(int number, double value) const {
  return kStepsOfError * tolerance_ * (std::abs(value) + scales_[number]);
}

std::span<double> ReadingsByTime::at(double t, std::size_t size, bool& is_new) {
  const auto place = std::find(times_.rbegin(), times_.rend(), t);
  is_new = place == times_.rend();
  if (is_new) times_.push_back(t);
  const std::size_t index = is_new ? times_.size() - 1 : static_cast<std::size_t>(times_.rend() - place) - 1;
  if (values_.size() <= index) values_.resize(index + 1);
  values_[index].resize(size);
  return values_[index];
}

MotionValues::MotionValues(const Model& model, double tolerance, int dimension, ReadState read_state, LookAtMoment look)
    : MotionNumbers(model, tolerance),
      dimension_(dimension),
      read_state_(std::move(read_state)),
      look_(std::move(look)),
      outputs_(model) {}

double MotionValues::read(int number, double t) {
  bool is_new = false;
  if (number < states_) {
    const std::span<double> y = states_read_.at(t, static_cast<std::size_t>(dimension_), is_new);
    if (is_new) read_state_(t, y);
    return y[number];
  }
  const bool is_multiplier = number >= states_ + quantities_;
  ReadingsByTime& readings = is_multiplier ? multipliers_read_ : moments_read_;
  const std::span<double> values = readings.at(t, is_multiplier ? model_.rows().size() : quantities_, is_new);
  const int index = number - states_ - (is_multiplier ? quantities_ : 0);
  if (!is_new) return values[index];
  look_(t, [&](Moment& moment) { is_multiplier ? read_multipliers(moment, values) : read_quantities(outputs_, moment, values); });
  return values[index];
}

std::span<const double> MotionValues::pieces() { return laws_->pieces(); }
double MotionValues::unseen(double t0, double t1) { return laws_->unseen(t0, t1); }

void read_multipliers(Moment& moment, std::span<double> values) {
  const ConstrainedDynamics* solution = moment.solution();
  std::fill(values.begin(), values.end(), solution != nullptr ? 0 : std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; solution != nullptr && i < moment.set().rows.size(); ++i)
    values[moment.set().rows[i].index] = solution->solution.multipliers[static_cast<Eigen::Index>(i)];
}

void read_quantities(OutputValues& outputs, Moment& moment, std::span<double> values) {
  if (outputs.compute(moment))
    std::ranges::copy(outputs.quantities(), values.begin());
  else
    std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
}

double MomentValues::read(int number, double) {
  const State& state = moment_.state();
  const int coordinates = model_.tree().coordinates;
  if (number < coordinates) return state.q[number];
  if (number < states_) return state.v[number - coordinates];
  if (values_.empty()) {
    values_.resize(static_cast<std::size_t>(quantities_) + model_.rows().size(), std::numeric_limits<double>::quiet_NaN());
    if (quantities_ > 0) read_quantities(outputs_, moment_, std::span(values_).first(quantities_));
  }
  if (number >= states_ + quantities_ && !has_multipliers_) {
    read_multipliers(moment_, std::span(values_).subspan(quantities_));
    has_multipliers_ = true;
  }
  return values_[number - states_];
}

bool StraightValues::go_on(OutputValues& outputs, Moment& moment) {
  const State& state = moment.state();
  if (ends_[1].values.empty() || state.t != ends_[1].t) std::swap(ends_[0], ends_[1]);
  End& end = ends_[1];
  end.t = state.t;
  end.values.assign(state.q.begin(), state.q.end());
  end.values.insert(end.values.end(), state.v.begin(), state.v.end());
  end.values.resize(static_cast<std::size_t>(states_ + quantities_));
  if (quantities_ > 0) read_quantities(outputs, moment, std::span(end.values).last(quantities_));
  return ends_[0].values.size() == end.values.size() && ends_[0].t != end.t;
}

double StraightValues::read(int number, double t) {
  const auto& [first, last] = ends_;
  const std::size_t i = static_cast<std::size_t>(number);
  if (i >= last.values.size()) return std::numeric_limits<double>::quiet_NaN();
  if (t == first.t) return first.values[i];
  if (t == last.t) return last.values[i];
  return first.values[i] + (last.values[i] - first.values[i]) * ((t - first.t) / (last.t - first.t));
}

SearchedFunction make_function(const Expression& formula, const MotionNumbers& numbers) {
  SearchedFunction function;
  for (const Variable& variable : formula.variables()) {
    const int number = numbers.of_variable(variable);
    function.slots.push_back(number);
    function.is_dear = function.is_dear || (number != SearchedFunction::kTime && numbers.is_dear(number));
  }
  function.formula.emplace(formula);
  return function;
}

Expression write_out(const Model& model, const Expression& formula) {
  const Outputs& outputs = model.outputs();
  return substitute(formula, [&](const Variable& variable) -> std::optional<Expression> {
    if (variable.kind != VariableKind::quantity) return std::nullopt;
    const MotionQuantity& quantity = outputs.quantities[variable.index];
    if (quantity.of == Of::output) return write_out(model, outputs.columns[quantity.index].value);
    if (quantity.of != Of::force) return std::nullopt;
    const ForceOf force = find_force(model, quantity.index);
    return force.source->output_formula(model, force.k, quantity.component);
  });
}

}  // namespace vinculum
