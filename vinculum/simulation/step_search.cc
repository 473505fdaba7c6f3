// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/step_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Dense>

#include "vinculum/math/find_zero.h"
#include "vinculum/math/polynomial.h"
#include "vinculum/simulation/looks.h"

namespace vinculum {

namespace {

constexpr double kEpsilonOfSearch = std::numeric_limits<double>::epsilon();
constexpr int kNodes = 9;
constexpr int kMostDepth = 40;
constexpr int kMostPiecesOfSearch = 2000;  // of one function and step
constexpr int kMostFits = 64;
constexpr double kResolved = 1e-9;  // of the range of a variable
constexpr double kErrorOfVariables = 10;

// Chebyshev's points of a piece, its ends among them.
double node(int j) { return 0.5 - 0.5 * std::cos(std::numbers::pi * j / (kNodes - 1)); }

using NodeMatrix = Eigen::Matrix<double, kNodes, kNodes>;

// From values at the nodes to Bernstein coefficients.
const NodeMatrix& to_bernstein_of_nodes() {
  static const NodeMatrix matrix = [] {
    NodeMatrix values;
    for (int j = 0; j < kNodes; ++j) {
      double binomial = 1;
      for (int i = 0; i < kNodes; ++i) {
        values(j, i) = binomial * std::pow(node(j), i) * std::pow(1 - node(j), kNodes - 1 - i);
        binomial *= static_cast<double>(kNodes - 1 - i) / (i + 1);
      }
    }
    return NodeMatrix(values.inverse());
  }();
  return matrix;
}

// The last two coefficients of the Chebyshev series through values at the nodes.
double size_of_last_terms(std::span<const double, kNodes> values) {
  constexpr int kLast = kNodes - 1;
  double last = 0, before = 0;
  for (int j = 0; j < kNodes; ++j) {
    const double weight = (j == 0 || j == kLast ? 0.5 : 1.0) * values[j];
    last += weight * (j % 2 == 0 ? 1 : -1);
    before += weight * std::cos(std::numbers::pi * j * (kLast - 1) / kLast);
  }
  return std::max(std::abs(last) / kLast, 0.1 * 2 * std::abs(before) / kLast);
}

bool keeps_its_sign(const Interval& rate) {
  return std::isfinite(rate.low) && std::isfinite(rate.high) && rate.low * rate.high >= 0;
}

}  // namespace

StepSearch::StepSearch(std::vector<Function> functions, double tolerance) : tolerance_(tolerance) {
  for (const Function& function : functions) {
    for (const Variable& variable : function.formula.variables()) {
      if (std::ranges::find(variables_, variable) == variables_.end()) variables_.push_back(variable);
    }
  }
  for (Function& function : functions) {
    Own own{FormulaBounds(function.formula), {}, function.bound};
    for (const Variable& variable : own.bounds.formula().variables())
      own.slots.push_back(static_cast<int>(std::ranges::find(variables_, variable) - variables_.begin()));
    own_.push_back(std::move(own));
  }
  sizes_.assign(variables_.size(), 0);
}

void StepSearch::forget() { points_.clear(); }

StepSearch::Value StepSearch::evaluate(std::size_t function, std::span<const double> variables) {
  Own& own = own_[function];
  arguments_.clear();
  errors_.clear();
  for (const int slot : own.slots) {
    sizes_[slot] = std::max(sizes_[slot], std::isfinite(variables[slot]) ? std::abs(variables[slot]) : 0);
    arguments_.push_back(variables[slot]);
    errors_.push_back((own.bounds.formula().variables()[arguments_.size() - 1].kind == VariableKind::time
                           ? kEpsilonOfSearch
                           : kErrorOfVariables * tolerance_) *
                      sizes_[slot]);
  }
  const double value = own.bounds.value(arguments_);
  if (!(value > own.bound)) return {value, false};
  const double error = own.bounds.find_error(arguments_, errors_) + 8 * kEpsilonOfSearch * std::abs(own.bound);
  return {value, value > own.bound + error};
}

const StepSearch::Point& StepSearch::read(double t) {
  const auto known = std::ranges::find_if(points_, [&](const Point& point) { return point.t == t; });
  if (known != points_.end()) return *known;
  Point point{t, false, std::vector<double>(variables_.size())};
  point.is_known = (*at_)(t, point.values);
  return points_.emplace_back(std::move(point));
}

StepSearch::Value StepSearch::value_at(double t) {
  const Point& point = read(t);
  const Value value = point.is_known ? evaluate(function_, point.values) : Value{std::nan(""), false};
  if (!std::isfinite(value.value) && found_.is_known) found_.is_known = false, found_.unknown_t = t;
  return value;
}

void StepSearch::take(const Value& value, double t) {
  if (std::isfinite(value.value) && is_record(value.value, found_.most)) found_.most = value.value, found_.most_t = t;
}

// The polynomials of its variables through nine points of the piece. False where one has no value.
bool StepSearch::fit(Piece& piece) {
  const std::vector<int>& slots = own_[function_].slots;
  ++fits_;
  piece.b.resize(slots.size() * kNodes);
  piece.radius.resize(slots.size());
  Eigen::Matrix<double, kNodes, Eigen::Dynamic> values(kNodes, static_cast<Eigen::Index>(slots.size()));
  for (int j = 0; j < kNodes; ++j) {
    const double t = j == 0 ? piece.t0 : j == kNodes - 1 ? piece.t1 : piece.t0 + (piece.t1 - piece.t0) * node(j);
    const Point& point = read(t);
    if (!point.is_known) return false;
    for (std::size_t k = 0; k < slots.size(); ++k) values(j, static_cast<Eigen::Index>(k)) = point.values[slots[k]];
  }
  if (!values.allFinite()) return false;
  const Eigen::Matrix<double, kNodes, Eigen::Dynamic> b = to_bernstein_of_nodes() * values;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    std::copy_n(b.col(column).data(), kNodes, piece.b.begin() + static_cast<std::ptrdiff_t>(k * kNodes));
    const std::span<const double, kNodes> own(values.col(column).data(), kNodes);
    piece.radius[k] = 2 * size_of_last_terms(own) + 64 * kEpsilonOfSearch * values.col(column).lpNorm<Eigen::Infinity>();
  }
  return true;
}

bool StepSearch::is_resolved(const Piece& piece) const {
  for (std::size_t k = 0; k < piece.radius.size(); ++k) {
    const auto first = piece.b.begin() + static_cast<std::ptrdiff_t>(k * kNodes);
    const auto [low, high] = std::minmax_element(first, first + kNodes);
    const double size = std::max(std::abs(*low), std::abs(*high));
    if (piece.radius[k] > kResolved * (*high - *low) + 1e3 * kEpsilonOfSearch * size) return false;
  }
  return true;
}

const StepSearch::Found& StepSearch::search(std::size_t function, double t0, double t1, double most, const VariablesAt& at) {
  at_ = &at;
  function_ = function;
  step_ = t1 - t0;
  pieces_ = fits_ = 0;
  found_.most = most_before_ = most;
  found_.most_t = t0;
  found_.is_known = true;
  found_.passages.clear();
  Piece whole{t0, t1, value_at(t0), value_at(t1), {}, {}};
  if (!found_.is_known) return found_;
  take(whole.at0, t0);
  take(whole.at1, t1);
  if (!fit(whole)) {
    if (found_.is_known) found_.is_known = false, found_.unknown_t = t0;
    return found_;
  }
  visit(whole, 0);
  return found_;
}

void StepSearch::visit(Piece& piece, int depth) {
  Own& own = own_[function_];
  const double width = piece.t1 - piece.t0;
  const Bounds bounds = own.bounds.bound({kDegree, width, piece.b, piece.radius});
  const double known = found_.most;
  const bool may_be_most = is_record(bounds.value.high, known);
  // Above its bound by no more than its error it counts as not above: only a value above all that can end it.
  const bool may_pass = piece.at0.is_above || piece.at1.is_above ? !(bounds.value.low > own.bound && piece.at0.is_above && piece.at1.is_above)
                                                                 : bounds.value.high > own.bound;
  if (!may_be_most && !may_pass) return;
  if (keeps_its_sign(bounds.rate) || depth == kMostDepth || ++pieces_ > kMostPiecesOfSearch) return decide_by_ends(piece);

  const double middle = piece.t0 + width / 2;
  if (middle == piece.t0 || middle == piece.t1) return decide_by_ends(piece);
  const Value at_middle = value_at(middle);
  if (!found_.is_known) return;
  take(at_middle, middle);
  Piece left{piece.t0, middle, piece.at0, at_middle, {}, {}}, right{middle, piece.t1, at_middle, piece.at1, {}, {}};
  if (!is_resolved(piece) && fits_ + 2 <= kMostFits) {
    if (!fit(left) || !fit(right)) {
      if (found_.is_known) found_.is_known = false, found_.unknown_t = middle;
      return;
    }
  } else {
    left.radius = right.radius = piece.radius;
    right.b = piece.b;
    left.b.resize(piece.b.size());
    for (std::size_t k = 0; k < piece.radius.size(); ++k)
      halve_bernstein(std::span(right.b).subspan(k * kNodes, kNodes), std::span(left.b).subspan(k * kNodes, kNodes));
  }
  visit(left, depth + 1);
  if (found_.is_known) visit(right, depth + 1);
}

void StepSearch::decide_by_ends(const Piece& piece) {
  take(piece.at0, piece.t0);
  take(piece.at1, piece.t1);
  if (piece.at0.is_above == piece.at1.is_above) return;
  const double bound = own_[function_].bound;
  const double before = piece.at0.value - bound, after = piece.at1.value - bound;
  // Beyond the bound by less than the error at an end: it passed there.
  double t = before > 0 && after > 0 ? (piece.at0.is_above ? piece.t1 : piece.t0) : piece.t1;
  if (before * after < 0)
    t = find_zero([&](double x) { return value_at(x).value - bound; }, piece.t0, before, piece.t1, after);
  found_.passages.push_back({t, piece.at1.is_above});
}

}  // namespace vinculum
