// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/step_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/constraints/row_source.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/math/polynomial.h"
#include "vinculum/series/series_laws.h"

namespace vinculum {

namespace {

constexpr int kLowDegree = 3;
constexpr double kNearSeen = 0.1;            // of the range of what was seen in a step
constexpr double kNearOfSize = 1e-3;         // of what was seen
constexpr double kRoundOffOfBounds = 1e-12;  // of a value: as in law_pieces.cc
constexpr double kLeastPartOfRun = 1e-12;
constexpr int kMostHalvings = 36;  // of an eighth of a step
constexpr int kMostPieces = 400;   // of one law and step
// What a force does to a velocity depends on all inertia it meets: a part of the least one is taken to be safe.
constexpr double kLeastInertia = 1e-3;

// de Casteljau
double bernstein_value(std::span<const double> b, double s) {
  constexpr std::size_t kMost = 64;
  std::array<double, kMost> x{};
  const std::size_t count = std::min(b.size(), kMost);
  std::copy_n(b.begin(), count, x.begin());
  for (std::size_t n = count; n-- > 1;) {
    for (std::size_t i = 0; i < n; ++i) x[i] += s * (x[i + 1] - x[i]);
  }
  return x[0];
}

double largest(const Interval& a) { return std::max(std::abs(a.low), std::abs(a.high)); }
double smallest(const Interval& a) { return std::min(std::abs(a.low), std::abs(a.high)); }
bool is_finite(const Interval& a) { return std::isfinite(a.low) && std::isfinite(a.high); }
bool keeps_sign(const Interval& rate) { return is_finite(rate) && rate.low * rate.high >= 0; }
bool is_within(double x, const Interval& a) { return x >= a.low && x <= a.high; }
bool is_within(const Interval& x, const Interval& a) { return x.low >= a.low && x.high <= a.high; }

bool knows_state(const Expression& formula) {
  return formula.depends_on(VariableKind::coordinate) || formula.depends_on(VariableKind::velocity) ||
         formula.depends_on(VariableKind::surface_x) || formula.depends_on(VariableKind::surface_y);
}

bool may_hide(const Expression& formula) {
  const int degree = polynomial_degree(formula);
  return knows_state(formula) && !(degree >= 0 && degree <= kLowDegree);
}

// The parts of a formula that may do something by themselves: within a product, or within a function, a pulse may be small beside
// its neighbours, and still be no part of what an integrator has seen. Multiples of a part are the part.
void add_inner_parts(const Expression& formula, std::vector<Expression>& parts) {
  Expression::Builder builder;
  const std::vector<int> handles = builder.include_steps(formula);
  const std::span<const Step> steps = formula.steps();
  const auto is_number = [&](int step) { return step >= 0 && builder.known_value(handles[step]).has_value(); };
  std::vector<bool> is_multiple(steps.size(), false);
  is_multiple.back() = true;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Step& step = steps[i];
    const bool scales =
        step.operation == Operation::negate || step.operation == Operation::multiply || step.operation == Operation::divide;
    if (!scales || !(step.operation == Operation::negate || is_number(step.left) || is_number(step.right))) {
      if (!is_multiple[i] && step.left >= 0) {
        const Expression part = builder.build(handles[i]);
        if (may_hide(part)) parts.push_back(part);
      }
    } else if (is_multiple[i]) {
      if (!is_number(step.left)) is_multiple[step.left] = true;
      if (step.right >= 0 && !is_number(step.right)) is_multiple[step.right] = true;
    }
  }
}

}  // namespace

std::vector<const Expression*> list_laws_of_motion(const Model& model) {
  std::vector<const Expression*> laws;
  for (const ForceAmplitude& amplitude : list_amplitudes(model)) laws.push_back(amplitude.written_out);
  for (const ExtraState& state : model.extra_states()) laws.push_back(&state.rate);
  bool sees_environment = model.forces().see_environment();
  for (const RowSource* source : row_sources()) {
    source->list_laws(model, laws);
    sees_environment = sees_environment || source->sees_environment(model);
  }
  for (const EnvironmentBody& body : model.environment()) {
    if (!sees_environment) break;
    for (const Expression& component : body.position) laws.push_back(&component);
    for (const Expression& component : body.acceleration) laws.push_back(&component);
    for (const EnvironmentBody::TurnLaw& turn : body.turns) laws.insert(laws.end(), {&turn.angle, &turn.acceleration});
  }
  return laws;
}

StepLaws::StepLaws(const Model& model, std::vector<OwnFormula> switches) : model_(model), switches_(std::move(switches)) {
  for (const OwnFormula& one : switches_) laws_.push_back({&one.formula, nullptr, false, one.own});
  const std::vector<ForceAmplitude> forces = list_amplitudes(model);
  for (const ForceAmplitude& force : forces) laws_.push_back({force.formula, nullptr, true, force.own});
  const std::vector<const Expression*> all = list_laws_of_motion(model);
  for (std::size_t i = forces.size(); i < all.size(); ++i) laws_.push_back({all[i], nullptr, false});
  list_terms();
}

int StepLaws::slot_of(const Variable& variable) {
  if (variable.kind == VariableKind::time) return kSlotOfTime;
  const int component = variable.kind == VariableKind::coordinate ? variable.index : model_.tree().coordinates + variable.index;
  const auto place = std::find(components_.begin(), components_.end(), component);
  if (place == components_.end()) components_.push_back(component);
  return static_cast<int>(std::find(components_.begin(), components_.end(), component) - components_.begin());
}

int StepLaws::slot_of_own(const Expression& formula) {
  auto place = std::ranges::find_if(own_, [&](const OwnQuantity& known) { return known.formula == &formula; });
  if (place == own_.end()) {
    OwnQuantity quantity{&formula, {}};
    for (const Variable& variable : formula.variables()) quantity.slots.push_back(slot_of(variable));
    own_.push_back(std::move(quantity));
    place = own_.end() - 1;
  }
  return -2 - static_cast<int>(place - own_.begin());
}

void StepLaws::list_terms() {
  terms_.clear();
  components_.clear();
  series_.reset();
  series_number_.clear();
  own_.clear();
  int with_series = 0;
  for (Law& law : laws_) {
    law.content = law.formula->steps().data();
    if (!knows_state(*law.formula)) continue;
    std::vector<Expression> parts;
    for (const Expression& part : split_sum(*law.formula)) {
      if (may_hide(part)) parts.push_back(part);
    }
    const std::size_t terms = parts.size();
    // Of a difference of two steps nothing shows but the whole.
    if (terms > 1) {
      Expression sum = parts[0];
      for (std::size_t k = 1; k < terms; ++k) sum = sum + parts[k];
      parts.push_back(sum);
    }
    const std::size_t forces = parts.size();
    for (std::size_t k = 0; k < terms; ++k) add_inner_parts(Expression(parts[k]), parts);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Expression& part = parts[k];
      Term term{FormulaBounds(part), {}, law.is_force && k < forces, part.is_analytic(), 0, {}, 0, law.own};
      for (const Variable& variable : part.variables()) {
        const bool is_x = variable.kind == VariableKind::surface_x, is_y = variable.kind == VariableKind::surface_y;
        term.slots.push_back(is_x ? slot_of_own(law.own->x) : is_y ? slot_of_own(law.own->y) : slot_of(variable));
      }
      series_number_.push_back(term.has_series ? with_series++ : -1);
      terms_.push_back(std::move(term));
    }
  }
}

std::span<const int> StepLaws::components() {
  const bool is_known = std::ranges::all_of(laws_, [](const Law& law) { return law.formula->steps().data() == law.content; });
  if (!is_known) list_terms();
  return components_;
}

void StepLaws::begin(const State& start, double until, double tolerance) {
  least_step_ = kLeastPartOfRun * std::abs(until - start.t);
  negligible_impulse_ = 0;
  negligible_value_ = tolerance;
  if (terms_.empty() || model_.tree().velocities == 0) return;
  Workspace workspace(model_);
  const auto mass = compute_mass_matrix(model_, start, workspace);
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < mass.rows(); ++i) least = std::min(least, mass(i, i));
  if (least > 0 && std::isfinite(least)) negligible_impulse_ = tolerance * kLeastInertia * least;
}

void StepLaws::forget_steps() {
  for (Term& term : terms_) term.remembered = 0;
}

double StepLaws::find_safe_part(const StepPolynomial& step) {
  length_ = step.length();
  if (!(std::abs(length_) > least_step_)) return 1;
  degree_ = step.degree();
  series_known_ = false;
  for (OwnQuantity& quantity : own_) quantity.is_known = false;
  double safe = 1;
  for (std::size_t i = 0; i < terms_.size(); ++i) safe = std::min(safe, check_term(i, step));
  return safe;
}

std::span<double> StepLaws::piece_memory(std::size_t number, std::size_t size) {
  if (memory_.size() <= number) memory_.resize(number + 1);
  if (memory_[number].size() < size) memory_[number].resize(size);
  return std::span(memory_[number]).first(size);
}

PolynomialArguments StepLaws::arguments(const FormulaBounds&, std::span<const double> b, double width) const {
  return {degree_, width, b, radius_};
}

// The range of the values at the beginnings of the last steps and of this one.
double StepLaws::recent_range(Term& term, double t, double value) const {
  if (term.remembered == 0 || term.last_t != t) {
    term.last[term.remembered % kRemembered] = value;
    ++term.remembered;
    term.last_t = t;
  }
  const int known = std::min(term.remembered, kRemembered);
  const auto [low, high] = std::minmax_element(term.last.begin(), term.last.begin() + known);
  return *high - *low;
}

double StepLaws::evaluate_own(OwnQuantity& quantity, const StepPolynomial& step, double s) {
  const std::span<const Variable> variables = quantity.formula->variables();
  own_q_.resize(static_cast<std::size_t>(model_.tree().coordinates));
  own_v_.resize(static_cast<std::size_t>(model_.tree().velocities));
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (quantity.slots[k] == kSlotOfTime) continue;
    (variables[k].kind == VariableKind::coordinate ? own_q_ : own_v_)[variables[k].index] =
        bernstein_value(step.bernstein(quantity.slots[k]), s);
  }
  return evaluate(*quantity.formula, Bindings{step.t0 + length_ * s, own_q_, own_v_}, quantity.scratch);
}

// Through values at Chebyshev points, then of the degree of the step.
void StepLaws::fit(OwnQuantity& quantity, const StepPolynomial& step) {
  const int degree = std::min(degree_, kMostFitDegree);
  const auto point = [&](double j) { return 0.5 - 0.5 * std::cos(std::numbers::pi * j / degree); };
  quantity.b.resize(static_cast<std::size_t>(degree_) + 1);
  const std::span<double> b = quantity.b;
  if (fit_degree_ != degree) {
    fit_matrix_.resize(degree + 1, degree + 1);
    for (int j = 0; j <= degree; ++j) {
      double binomial = 1;
      for (int i = 0; i <= degree; ++i) {
        fit_matrix_(j, i) = binomial * std::pow(point(j), i) * std::pow(1 - point(j), degree - i);
        binomial *= static_cast<double>(degree - i) / (i + 1);
      }
    }
    fit_matrix_ = fit_matrix_.inverse().eval();
    fit_degree_ = degree;
  }
  std::array<double, kMostFitDegree + 1> values{};
  double size = 0;
  for (int j = 0; j <= degree; ++j) {
    values[j] = evaluate_own(quantity, step, point(j));
    size = std::max(size, std::abs(values[j]));
  }
  for (int i = 0; i <= degree; ++i) {
    b[i] = 0;
    for (int j = 0; j <= degree; ++j) b[i] += fit_matrix_(i, j) * values[j];
  }
  b[0] = values[0], b[degree] = values[degree];
  double residual = 0;
  for (int j = 0; j < degree; ++j) {
    const double s = point(j + 0.5);
    residual = std::max(residual, std::abs(bernstein_value(b.first(degree + 1), s) - evaluate_own(quantity, step, s)));
  }
  quantity.radius = 2 * residual + 64 * std::numeric_limits<double>::epsilon() * size;
  for (const int slot : quantity.slots) quantity.radius += slot == kSlotOfTime ? 0 : step.radius(slot);
  for (int d = degree; d < degree_; ++d) {
    b[d + 1] = b[d];
    for (int i = d; i > 0; --i) b[i] = (i * b[i - 1] + (d + 1 - i) * b[i]) / (d + 1);
  }
  quantity.is_known = true;
}

double StepLaws::check_term(std::size_t number, const StepPolynomial& step) {
  Term& term = terms_[number];
  const std::size_t variables = term.slots.size(), coefficients = degree_ + 1, size = variables * coefficients;
  const std::span<double> whole = piece_memory(kPieces, size);
  radius_.resize(variables);
  for (std::size_t k = 0; k < variables; ++k) {
    const std::span<double> own = whole.subspan(k * coefficients, coefficients);
    if (term.slots[k] == kSlotOfTime) {
      for (int j = 0; j <= degree_; ++j) own[j] = step.t0 + length_ * j / degree_;
      radius_[k] = 0;
    } else if (term.slots[k] < 0) {
      OwnQuantity& quantity = own_[-2 - term.slots[k]];
      if (!quantity.is_known) fit(quantity, step);
      std::ranges::copy(quantity.b, own.begin());
      radius_[k] = quantity.radius;
    } else {
      std::ranges::copy(step.bernstein(term.slots[k]), own.begin());
      radius_[k] = step.radius(term.slots[k]);
    }
  }
  const Bounds bounds = term.bounds.bound(arguments(term.bounds, whole, length_));
  const double negligible =
      (term.is_force ? negligible_impulse_ / std::abs(length_) : negligible_value_) + kRoundOffOfBounds * largest(bounds.value);
  const double first = term.bounds.value_at(arguments(term.bounds, whole, length_), 0);
  const double recent = recent_range(term, step.t0, first);
  if (std::isfinite(negligible) && bounds.value.high - bounds.value.low <= negligible) return 1;
  // A rate that keeps its sign and changes little leaves nothing to ask.
  if (keeps_sign(bounds.rate) && largest(bounds.rate) <= 3 * smallest(bounds.rate)) return 1;

  const Seen seen = see(number, step);
  const int pieces = seen.pieces;
  const auto all = [&](const auto& values) {
    return std::all_of(values.begin(), values.begin() + pieces + 1, [](double x) { return std::isfinite(x); });
  };
  // Where it has no value, the equations will tell.
  if (!all(seen.law) || !all(seen.used)) return 1;
  const auto [low, high] = std::minmax_element(seen.used.begin(), seen.used.begin() + pieces + 1);
  double range = *high - *low;
  if (pieces == 1) range = std::max(range, recent);
  const double near = kNearSeen * range + (term.is_force ? negligible_impulse_ / std::abs(length_) : negligible_value_) +
                      kNearOfSize * std::max(std::abs(*low), std::abs(*high));
  pieces_used_ = 0;
  for (int j = 0; j < pieces; ++j) {
    const Interval allowed{std::min(seen.used[j], seen.used[j + 1]) - near, std::max(seen.used[j], seen.used[j + 1]) + near};
    const std::span<double> piece = pieces == 1 ? whole : piece_memory(j, size);
    const double safe =
        find_safe(term.bounds, piece, static_cast<double>(j) / pieces, (j + 1.0) / pieces, allowed, kMostHalvings);
    if (safe < 1) return safe;
  }
  return 1;
}

// Cuts the step into pieces and looks at the law at their ends.
StepLaws::Seen StepLaws::see(std::size_t number, const StepPolynomial& step) {
  Term& term = terms_[number];
  const std::size_t variables = term.slots.size(), coefficients = degree_ + 1, size = variables * coefficients;
  const std::span<double> whole = piece_memory(kPieces, size);
  Seen seen;
  if (step.sees == StepPolynomial::Sees::ends) {
    seen.pieces = 1;
    for (const int end : {0, 1})
      seen.law[end] = term.bounds.value_at(arguments(term.bounds, whole, length_), end == 0 ? 0 : degree_);
    seen.used = seen.law;
    return seen;
  }
  // Halves, quarters, eighths: piece j of 2^n becomes pieces 2j and 2j + 1.
  std::ranges::copy(whole, piece_memory(0, size).begin());
  for (int count = 1; count < kPieces; count *= 2) {
    for (int j = count - 1; j >= 0; --j) {
      const std::span<double> right = piece_memory(2 * j + 1, size), left = piece_memory(2 * j, size);
      const std::span<double> piece = piece_memory(j, size);
      std::copy(piece.begin(), piece.end(), right.begin());
      for (std::size_t k = 0; k < variables; ++k)
        halve_bernstein(right.subspan(k * coefficients, coefficients), left.subspan(k * coefficients, coefficients));
    }
  }
  for (int j = 0; j < kPieces; ++j) {
    const PolynomialArguments at = arguments(term.bounds, piece_memory(j, size), length_ / kPieces);
    if (j == 0) seen.law[0] = term.bounds.value_at(at, 0);
    seen.law[j + 1] = term.bounds.value_at(at, degree_);
  }
  seen.used = seen.law;
  if (step.sees != StepPolynomial::Sees::series || !term.has_series) return seen;

  if (!series_known_) {
    std::vector<Expression> formulas;
    const int order = static_cast<int>(step.series.size()) / std::max(1, step.dimension) - 1;
    if (!series_ || series_->order() != order) {
      for (const Term& each : terms_) {
        if (!each.has_series) continue;
        const Expression formula = each.bounds.formula();
        formulas.push_back(each.own == nullptr ? formula : write_out(formula, *each.own));
      }
      series_.emplace(trace_expressions(model_, formulas), order);
    }
    series_found_ = series_->compute(step.t0, step.series, step.dimension);
    series_known_ = true;
  }
  const std::size_t count = std::ranges::count_if(terms_, [](const Term& each) { return each.has_series; });
  const std::size_t orders = series_found_.size() / count;
  for (int j = 0; j <= kPieces; ++j) {
    double sum = 0;
    for (std::size_t n = orders; n-- > 0;) sum = series_found_[n * count + series_number_[number]] + length_ * j / kPieces * sum;
    seen.used[j] = sum;
  }
  return seen;
}

// How far from s0 the law stays within what is allowed in the piece; 1 if throughout.
double StepLaws::find_safe(FormulaBounds& bounds, std::span<const double> b, double s0, double s1, Interval allowed, int depth) {
  const double width = length_ * (s1 - s0);
  const PolynomialArguments at = arguments(bounds, b, width);
  const Bounds found = bounds.bound(at);
  if (is_within(found.value, allowed)) return 1;
  const bool ends_are_within = is_within(bounds.value_at(at, 0), allowed) && is_within(bounds.value_at(at, degree_), allowed);
  if (ends_are_within && keeps_sign(found.rate)) return 1;
  // Bounds of x/x and its like stay wide however short the piece; what is really there shows in the values beside it.
  if (++pieces_used_ > kMostPieces || (depth == 0 && !is_finite(found.value))) return ends_are_within ? 1 : s0;
  if (depth == 0) return s0;

  const std::size_t coefficients = degree_ + 1, variables = b.size() / coefficients;
  const std::size_t level = kPieces + 1 + 2 * static_cast<std::size_t>(depth);
  piece_memory(level + 1, b.size());  // grows before spans are taken
  const std::span<double> left = piece_memory(level, b.size()), right = piece_memory(level + 1, b.size());
  std::copy(b.begin(), b.end(), right.begin());
  for (std::size_t k = 0; k < variables; ++k)
    halve_bernstein(right.subspan(k * coefficients, coefficients), left.subspan(k * coefficients, coefficients));
  const double middle = s0 + (s1 - s0) / 2, at_middle = bounds.value_at(arguments(bounds, right, width / 2), 0);
  const double reach =
      is_finite(found.rate) ? largest(found.rate) * std::abs(width) / 2 : std::numeric_limits<double>::infinity();
  if (at_middle - reach >= allowed.low && at_middle + reach <= allowed.high) return 1;
  const double safe = find_safe(bounds, left, s0, middle, allowed, depth - 1);
  // What is outside in the middle began before it.
  if (safe < 1 || !is_within(at_middle, allowed)) return std::min(safe, middle);
  return find_safe(bounds, right, middle, s1, allowed, depth - 1);
}

}  // namespace vinculum
