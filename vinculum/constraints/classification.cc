// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/classification.h"

#include <cmath>
#include <random>

#include <fmt/core.h>
#include <Eigen/QR>

#include "vinculum/constraints/projection.h"

namespace vinculum {

namespace {

constexpr double kStep = 1e-4;       // of the differences
constexpr double kVanishing = 1e-6;  // well above their error, 1e-8 of third derivatives
constexpr int kPositions = 3;

// Is the row of a contact the rate of its gap wherever it is on the constraints?
bool is_rate_of_gap(const ConstraintSet& set, const RowLabel& label) {
  if (label.driven >= 0) return true;
  const Contact& contact = set.contacts[label.contact];
  if (contact.is_frame()) return !is_angular(label.axis) || !contact.angular_as_vector;
  const bool wheel = std::holds_alternative<WheelGeometry>(contact.geometry);
  return label.axis == ContactAxis::normal || (wheel && label.axis == ContactAxis::roll);
}

// All rows as forms on (velocities, time): [D, -F].
Outcome<Eigen::MatrixXd> forms_at(const ConstraintSet& set, const State& state) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  Eigen::MatrixXd forms(rows->D.rows(), rows->D.cols() + 1);
  forms << rows->D, -rows->F;
  return forms;
}

// ∂_j of all forms, j over the velocities and time.
Outcome<std::vector<Eigen::MatrixXd>> differentiate_forms(const ConstraintSet& set, const State& state) {
  const Eigen::Index n = set.model.tree().velocities;
  std::vector<Eigen::MatrixXd> derivatives;
  for (Eigen::Index j = 0; j <= n; ++j) {
    Eigen::MatrixXd difference;
    for (double sign : {1.0, -1.0}) {
      State moved = state;
      if (j == n) {
        moved.t += sign * kStep;
      } else {
        move_coordinates(set.model, sign * kStep * Eigen::VectorXd::Unit(n, j), moved.q);
      }
      const auto forms = forms_at(set, moved);
      if (!forms) return forms.failure();
      difference = sign > 0 ? *forms : difference - *forms;
    }
    derivatives.push_back(difference / (2 * kStep));
  }
  return derivatives;
}

// ω([e_a, e_b]): for the angular velocities of a ball [e_x, e_y] = e_z and so on.
void subtract_brackets(const Tree& tree, const Eigen::VectorXd& form, Eigen::MatrixXd& curl) {
  for (const Link& link : tree.links) {
    if (link.kind != LinkKind::spherical && link.kind != LinkKind::free) continue;
    const int w = link.v + velocity_count(link.kind) - 3;
    for (int k = 0; k < 3; ++k) {
      const int a = w + k, b = w + (k + 1) % 3, c = w + (k + 2) % 3;
      curl(a, b) -= form[c];
      curl(b, a) += form[c];
    }
  }
}

// The largest dω of each row on the motions that all rows allow.
Outcome<Eigen::VectorXd> largest_curls(const ConstraintSet& set, const State& state) {
  const auto forms = forms_at(set, state);
  if (!forms) return forms.failure();
  const auto derivatives = differentiate_forms(set, state);
  if (!derivatives) return derivatives.failure();
  const Eigen::Index m = forms->rows(), n = forms->cols();

  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(forms->transpose());
  qr.setThreshold(1e-10);
  const Eigen::MatrixXd Q = qr.householderQ();
  const Eigen::MatrixXd allowed = Q.rightCols(n - qr.rank());

  Eigen::VectorXd curls = Eigen::VectorXd::Zero(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    Eigen::MatrixXd gradient(n, n);  // row j: ∂_j ω
    for (Eigen::Index j = 0; j < n; ++j) gradient.row(j) = (*derivatives)[j].row(i);
    Eigen::MatrixXd curl = gradient - gradient.transpose();
    subtract_brackets(set.model.tree(), forms->row(i), curl);
    const Eigen::MatrixXd on_allowed = allowed.transpose() * curl * allowed;
    curls[i] = on_allowed.size() == 0 ? 0 : on_allowed.cwiseAbs().maxCoeff();
  }
  return curls;
}

// Does time enter the rows at this position: as F, or by axes that turn? At three times.
Outcome<std::vector<bool>> find_moving_rows(const ConstraintSet& set, const State& state) {
  std::vector<bool> moving(set.rows.size(), false);
  const auto now = forms_at(set, state);
  if (!now) return now.failure();
  for (double later : {0.0, 0.37, 1.1}) {
    State moved = state;
    moved.t += later;
    const auto forms = forms_at(set, moved);
    if (!forms) continue;  // there may be no contact at another time
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const Eigen::Index row = static_cast<Eigen::Index>(i), last = forms->cols() - 1;
      const double change = std::max(std::abs((*forms)(row, last)), (forms->row(row) - now->row(row)).head(last).norm());
      moving[i] = moving[i] || change > 1e-9;
    }
  }
  return moving;
}

std::string explain(const ConstraintSet& set, const RowLabel& label, const RowKind& kind) {
  std::string text =
      fmt::format("{}, {}: ", kind.holonomic ? "holonomic" : "non-holonomic", kind.stationary ? "stationary" : "non-stationary");
  if (label.driven >= 0) return text + "the coordinate follows its law";
  if (is_rate_of_gap(set, label)) {
    text += is_angular(label.axis) ? "it holds an angle" : "it holds a distance";
  } else if (kind.holonomic) {
    text += fmt::format("a velocity that can be integrated together with the other rows (dω = 0 to {:.0e} at {} positions)",
                        kVanishing, kPositions);
  } else {
    text += fmt::format("it forbids a velocity, not a position (dω = {:.2g})", kind.curl);
  }
  const Contact& contact = set.contacts[label.contact];
  if (!kind.stationary) text += fmt::format("; {} moves by a given law", *set.model.description().contacts[label.contact].with);
  if (kind.stationary && is_moved_by_law(set.model, contact)) text += "; the given motion does not enter it";
  return text;
}

}  // namespace

Outcome<std::vector<RowKind>> classify_rows(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto moving = find_moving_rows(set, state);
  if (!moving) return moving.failure();
  Eigen::VectorXd curls = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(set.rows.size()));
  bool undecided = false;
  for (const RowLabel& label : set.rows) undecided = undecided || !is_rate_of_gap(set, label);
  if (undecided) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-0.1, 0.1);
    for (int position = 0; position < kPositions; ++position) {
      State tested = state;
      if (position > 0) {
        const Eigen::VectorXd shift = Eigen::VectorXd::NullaryExpr(set.model.tree().velocities, [&] { return number(random); });
        move_coordinates(set.model, shift, tested.q);
        const auto projected = project_state(set, tested, workspace);
        if (!projected) continue;
        tested = projected->state;
      }
      const auto found = largest_curls(set, tested);
      if (!found && position == 0) return found.failure();
      if (found) curls = curls.cwiseMax(*found);
    }
  }

  std::vector<RowKind> kinds;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    RowKind kind;
    const bool by_construction = is_rate_of_gap(set, set.rows[i]);
    kind.curl = by_construction ? 0 : curls[static_cast<Eigen::Index>(i)];
    kind.holonomic = kind.curl <= kVanishing;
    kind.stationary = !(*moving)[i];
    kind.text = explain(set, set.rows[i], kind);
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace vinculum
