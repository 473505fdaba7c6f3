// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/constrained_series.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/contact_geometry_kernel.h"
#include "vinculum/constraints/singular_position.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/series_laws.h"
#include "vinculum/dynamics/traced_tree.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/tape_series.h"

namespace vinculum {

// On a tape nothing is compared: what is written here is never searched for.
inline double value_of(const Traced&) { return 0; }

namespace {

// A row on the tape: the wrench that does the power Y at unit strength (world axes, about the body's pole), Y, and its given
// part.
struct TracedRow {
  WrenchOf<Traced> wrench_W;
  Traced rate, given;
};

struct TracedFrame {
  Matrix3Of<Traced> R;
  Vector3Of<Traced> p;
  TwistOf<Traced> velocity;  // world axes
};

TracedFrame frame_of(const Body& body, const TracedTree& tree) {
  const LinkInWorld<Traced>& link = tree.links[body.link];
  return {link.R * lift_matrix<Traced>(body.R_LB), link.p, {link.R * link.velocity.linear, link.R * link.velocity.angular}};
}

TracedFrame carrier_of(const Model& model, const Contact& contact, const TracedTree& tree) {
  switch (contact.with.on) {
    case Anchor::On::body: return frame_of(model.bodies()[contact.with.index], tree);
    case Anchor::On::environment: {
      const EnvironmentMotionOf<Traced>& motion = tree.environment[contact.with.index];
      return {motion.R_WE, motion.p_WE, motion.velocity};
    }
    case Anchor::On::world: break;
  }
  return {lift_matrix<Traced>(kIdentity3), {}, {}};
}

// As compute_contact_state.
TracedRow write_contact_row(const Model& model, const Contact& contact, ContactAxis axis, const TracedTree& tree) {
  const TracedFrame carrier = carrier_of(model, contact, tree), body = frame_of(model.bodies()[contact.body], tree);
  const Vector3Of<Traced> r = body.p - carrier.p;
  const BodyInCarrier<Traced> seen{transpose(carrier.R) * body.R, transpose_times(carrier.R, r)};
  const ContactFrame<Traced> at = contact_frame<Traced>(contact, seen, {});
  const WrenchOf<Traced> row = plain_rows(contact, seen, at, is_angular(axis))[static_cast<int>(axis)];

  TracedRow result;
  result.wrench_W = {carrier.R * row.force, carrier.R * row.moment};
  const auto& [force, moment] = result.wrench_W;
  const Vector3Of<Traced> carried = carrier.velocity.linear + cross(carrier.velocity.angular, r);
  result.rate = dot(force, body.velocity.linear - carried) + dot(moment, body.velocity.angular - carrier.velocity.angular);
  if (contact.with.on == Anchor::On::environment) result.given = dot(force, carried) + dot(moment, carrier.velocity.angular);
  return result;
}

TracedRow write_row(const ConstraintSet& set, const RowLabel& label, const TracedTree& tree) {
  if (label.contact >= 0) return write_contact_row(set.model, set.contacts[label.contact], label.axis, tree);
  const DrivenCoordinate& driven = set.model.driven()[label.driven];
  BindingsOf<Traced> bindings;
  bindings.time = tree.t;
  const Traced rate = evaluate_at(driven.rate, bindings);
  return {{}, tree.v[driven.v] - rate, rate};
}

// Rates, then given parts, then q'.
Tape trace_constraint_rows(const ConstraintSet& set) {
  return trace_rows(set.model, [&](const TracedTree& tree) {
    std::vector<Traced> rates, given;
    for (const RowLabel& label : set.rows) {
      const TracedRow row = write_row(set, label, tree);
      rates.push_back(row.rate);
      given.push_back(row.given);
    }
    rates.insert(rates.end(), given.begin(), given.end());
    return rates;
  });
}

Tape trace_constrained_motion(const ConstraintSet& set) {
  const auto push = [&](const TracedTree& tree, std::span<const Traced> multipliers, std::span<WrenchOf<Traced>> loads,
                        std::span<Traced> forces) {
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const RowLabel& label = set.rows[i];
      if (label.contact < 0) {
        Traced& force = forces[set.model.driven()[label.driven].v];
        force = force + multipliers[i];
        continue;
      }
      const Contact& contact = set.contacts[label.contact];
      const WrenchOf<Traced> row = write_row(set, label, tree).wrench_W;
      const Vector3Of<Traced>& pole = tree.links[contact.link].p;
      const auto act_on = [&](int link, const Traced& strength) {
        if (link == kGround) return;
        const LinkInWorld<Traced>& place = tree.links[link];
        const Vector3Of<Traced> force = strength * row.force;
        const Vector3Of<Traced> moment = strength * row.moment + cross(pole - place.p, force);
        loads[link] += WrenchOf<Traced>{transpose_times(place.R, force), transpose_times(place.R, moment)};
      };
      act_on(contact.link, multipliers[i]);
      act_on(contact.carrier_link, -multipliers[i]);
    }
  };
  return trace_motion(set.model, static_cast<int>(set.rows.size()), push);
}

}  // namespace

struct ConstrainedSeries::Memory {
  Memory(const ConstraintSet& constraints, bool with_work, int highest)
      : set(constraints),
        workspace(constraints.model),
        counts_work(with_work),
        coordinates(constraints.model.tree().coordinates),
        velocities(constraints.model.tree().velocities),
        links(static_cast<int>(constraints.model.tree().links.size())),
        rows(static_cast<int>(constraints.rows.size())),
        row_series(trace_constraint_rows(constraints), highest),
        motion_series(trace_constrained_motion(constraints), highest),
        multipliers(static_cast<size_t>(rows) * (highest + 1)),
        stride(highest + 1) {}

  int dimension() const { return coordinates + velocities + (counts_work ? 1 : 0); }

  // Orders of the inputs that are known: t, q, v.
  static void set_state(TapeSeries& series, int n, double t, std::span<const double> y) {
    series.set_input(0, n, n == 0 ? t : n == 1 ? 1 : 0);
    for (size_t i = 0; i < y.size(); ++i) series.set_input(1 + static_cast<int>(i), n, y[i]);
  }

  // A v' + h - tau - Dᵀ lambda at order n.
  void compute_motion(int n, double t, std::span<const double> y, const Eigen::VectorXd& a, const Eigen::VectorXd& lambda) {
    set_state(motion_series, n, t, y);
    const int first = 1 + coordinates + velocities;
    for (int i = 0; i < velocities; ++i) motion_series.set_input(first + i, n, a[i]);
    for (int i = 0; i < rows; ++i) motion_series.set_input(first + velocities + i, n, lambda[i]);
    motion_series.compute_order(n);
  }

  // Power of forces without a potential, contacts and drives at order n: loads + Σ lambda F.
  double power(int n) const {
    double sum = motion_series.output(velocities + 6 * links, n);
    for (int k = 0; k < rows; ++k) {
      for (int j = 0; j <= n; ++j) sum += multipliers[k * stride + j] * row_series.output(rows + k, n - j);
    }
    return sum;
  }

  const ConstraintSet& set;
  Workspace workspace;
  bool counts_work;
  int coordinates, velocities, links, rows;
  TapeSeries row_series, motion_series;
  std::vector<double> multipliers;  // of each row, order after order
  int stride;
};

ConstrainedSeries::ConstrainedSeries(const ConstraintSet& set, bool counts_work, int highest_order)
    : memory_(std::make_unique<Memory>(set, counts_work, highest_order)) {}
ConstrainedSeries::~ConstrainedSeries() = default;
ConstrainedSeries::ConstrainedSeries(ConstrainedSeries&&) noexcept = default;

int ConstrainedSeries::dimension() const { return memory_->dimension(); }

bool ConstrainedSeries::compute(double t, std::span<const double> y, int order, std::span<double> coefficients) {
  Memory& own = *memory_;
  const Model& model = own.set.model;
  const int dimension = own.dimension(), nq = own.coordinates, nv = own.velocities, m = own.rows;
  State state{t, {y.begin(), y.begin() + nq}, {y.begin() + nq, y.begin() + nq + nv}};
  Bindings bindings;
  bindings.time = t;
  for (const DrivenCoordinate& driven : model.driven()) {
    state.q[driven.q] = evaluate(driven.law, bindings);
    state.v[driven.v] = evaluate(driven.rate, bindings);
  }

  // The matrices of order 0 serve at every order.
  const auto rows = compute_constraint_rows(own.set, state);
  if (!rows) return false;
  const auto mass = factorize_mass_matrix(own.set, compute_mass_matrix(model, state, own.workspace), rows->D);
  if (!mass) return false;
  const RowAnalysis analysis = analyse_rows(mass->factor, *rows);
  if (check_consistent(own.set, *rows, analysis)) return false;

  const auto at = [&](int n) { return coefficients.subspan(static_cast<size_t>(n) * dimension, dimension); };
  std::fill(coefficients.begin(), coefficients.begin() + static_cast<std::ptrdiff_t>(order + 1) * dimension, 0.0);
  std::copy(state.q.begin(), state.q.end(), at(0).begin());
  std::copy(state.v.begin(), state.v.end(), at(0).begin() + nq);
  if (own.counts_work) at(0)[dimension - 1] = y[dimension - 1];
  Memory::set_state(own.row_series, 0, t, at(0).first(nq + nv));
  own.row_series.compute_order(0);

  const Eigen::VectorXd no_a = Eigen::VectorXd::Zero(nv), no_lambda = Eigen::VectorXd::Zero(m);
  Eigen::VectorXd b(nv), target(m);
  for (int n = 0; n < order; ++n) {
    const std::span<double> next = at(n + 1);
    for (int i = 0; i < nq; ++i) next[i] = own.row_series.output(2 * m + i, n) / (n + 1);
    Memory::set_state(own.row_series, n + 1, t, next.first(nq + nv));
    own.row_series.compute_order(n + 1);
    for (int i = 0; i < m; ++i) target[i] = -(n + 1) * own.row_series.output(i, n + 1);

    own.compute_motion(n, t, at(n).first(nq + nv), no_a, no_lambda);
    for (int i = 0; i < nv; ++i) b[i] = -own.motion_series.output(i, n);
    const RowSolution solution = solve_rows(*mass, analysis, rows->D, b, target);
    if (!solution.x.allFinite()) return false;

    own.compute_motion(n, t, at(n).first(nq + nv), solution.x, solution.multipliers);
    for (int i = 0; i < m; ++i) own.multipliers[i * own.stride + n] = solution.multipliers[i];
    for (int i = 0; i < nv; ++i) next[nq + i] = solution.x[i] / (n + 1);
    Memory::set_state(own.row_series, n + 1, t, next.first(nq + nv));
    own.row_series.compute_order(n + 1);
    if (own.counts_work) next[dimension - 1] = own.power(n) / (n + 1);
  }
  return std::ranges::all_of(coefficients.first(static_cast<size_t>(order + 1) * dimension),
                             [](double value) { return std::isfinite(value); });
}

double ConstrainedSeries::find_branch(double reach) const {
  return memory_->motion_series.find_branch(memory_->row_series.find_branch(reach));
}

double ConstrainedSeries::multiplier(int row, int order) const { return memory_->multipliers[row * memory_->stride + order]; }

Wrench ConstrainedSeries::wrench(int link, int order) const {
  const auto value = [&](int k) { return memory_->motion_series.output(memory_->velocities + 6 * link + k, order); };
  return {{value(0), value(1), value(2)}, {value(3), value(4), value(5)}};
}

std::optional<Failure> check_series(const ConstraintSet& set) {
  for (const Contact& contact : set.contacts) {
    const auto refuse = [&](const char* why) {
      return Failure{"VN-RUN-015",
                     fmt::format("the motion with contact '{}' is not computed as a power series: {}", contact.name, why),
                     "take --integrator dop853"};
    };
    const bool is_point = std::holds_alternative<PointGeometry>(contact.geometry);
    if (contact.path) return refuse("it follows a path");
    if (!contact.laws.empty() || contact.sliding_friction) return refuse("it has laws of force");
    if (!contact.is_frame() && std::ranges::any_of(contact.forbid, is_angular)) return refuse("it holds a rolling body upright");
    if (!contact.is_frame() && !is_point && !contact.surface.is_plane)
      return refuse("where a wheel or a sphere touches a curved surface is searched for");
    if (is_point && !contact.surface.is_plane && !contact.surface.f.is_analytic()) return refuse("its surface uses abs");
  }
  return check_analytic(set.model);
}

Outcome<MotionCoefficients> compute_motion_coefficients(const ConstraintSet& set, const State& state, int order) {
  if (set.contacts.empty()) return compute_motion_coefficients(set.model, state, order);
  if (const auto refusal = check_series(set)) return *refusal;
  Workspace workspace(set.model);
  if (const auto refusal = check_regular_position(set, state, workspace)) return *refusal;
  if (const auto dynamics = compute_constrained_dynamics(set, state, workspace); !dynamics) return dynamics.failure();
  ConstrainedSeries series(set, false, order);
  std::vector<double> y(state.q), coefficients(static_cast<size_t>(order + 1) * series.dimension());
  y.insert(y.end(), state.v.begin(), state.v.end());
  if (!series.compute(state.t, y, order, coefficients)) return no_finite_value(state.t);
  return describe_coefficients(set.model, coefficients, series.dimension(), order,
                               [&](int link, int n) { return series.wrench(link, n); });
}

}  // namespace vinculum
