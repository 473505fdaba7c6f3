// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/permanent_rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/core.h>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The equations of a permanent rotation, divided by weight and lengths so that they weigh alike; the unknowns n and ρ/p.
class RotationEquations {
 public:
  RotationEquations(const BodyOnString& body, double rate) : body_(body), square_(rate * rate) {
    const double weight = body.mass * body.gravity;
    moment_ = weight * norm(body.arm) + square_ * (body.inertia.xx + body.inertia.yy + body.inertia.zz);
  }

  // Eight equations for six unknowns: where there is a solution they agree.
  VectorXd residual(const VectorXd& unknown) const {
    const auto [n, rho] = split(unknown);
    const double m = body_.mass, g = body_.gravity;
    const Vector3 turning = square_ * cross(n, body_.inertia * n) - m * cross(body_.arm, g * n - square_ * rho);
    const double k = body_.length * square_ / std::sqrt(g * g + square_ * square_ * dot(rho, rho));
    const Vector3 across = body_.arm - dot(body_.arm, n) * n;
    const Vector3 hanging = rho + across - k * rho;
    VectorXd F(8);
    F << turning.x / moment_, turning.y / moment_, turning.z / moment_, hanging.x / body_.length, hanging.y / body_.length,
        hanging.z / body_.length, dot(n, rho) / body_.length, 0.5 * (dot(n, n) - 1);
    return F;
  }

  MatrixXd jacobian(const VectorXd& unknown) const {
    const auto [n, rho] = split(unknown);
    const double m = body_.mass, g = body_.gravity, p = body_.length;
    const double root = std::sqrt(g * g + square_ * square_ * dot(rho, rho)), k = p * square_ / root;
    const double arm_up = dot(body_.arm, n);
    MatrixXd J = MatrixXd::Zero(8, 6);
    for (int j = 0; j < 3; ++j) {
      Vector3 unit;
      unit[j] = 1;
      const Vector3 turning =
          square_ * (cross(unit, body_.inertia * n) + cross(n, body_.inertia * unit)) - m * g * cross(body_.arm, unit);
      const Vector3 hanging = -1.0 * (dot(body_.arm, unit) * n + arm_up * unit);
      const Vector3 turning_offset = p * m * square_ * cross(body_.arm, unit);
      const Vector3 hanging_offset = p * ((1 - k) * unit + (k * square_ * square_ * dot(rho, unit) / (root * root)) * rho);
      for (int i = 0; i < 3; ++i) {
        J(i, j) = turning[i] / moment_;
        J(i, 3 + j) = turning_offset[i] / moment_;
        J(3 + i, j) = hanging[i] / p;
        J(3 + i, 3 + j) = hanging_offset[i] / p;
      }
      J(6, j) = rho[j] / p;
      J(6, 3 + j) = n[j];
      J(7, j) = n[j];
    }
    return J;
  }

  // By Gauss and Newton, damped by Levenberg and Marquardt's term while far away.
  std::optional<PermanentRotation> solve(VectorXd unknown) const {
    VectorXd F = residual(unknown);
    double damping = 1e-3;
    for (int step = 0; step < 100; ++step) {
      const MatrixXd J = jacobian(unknown);
      MatrixXd A = J.transpose() * J;
      A.diagonal().array() += damping * A.diagonal().maxCoeff();
      const VectorXd change = solve_square(A, J.transpose() * F).x;
      if (!change.allFinite()) return std::nullopt;
      const VectorXd next = unknown - change, G = residual(next);
      if (G.norm() > F.norm() && F.norm() > 1e-13) {
        damping = std::max(10 * damping, 1e-8);
        if (damping > 1e6) return std::nullopt;
        continue;
      }
      unknown = next;
      F = G;
      damping = damping < 1e-10 ? 0 : damping / 10;
      if (change.norm() < 1e-14 || (F.norm() < 1e-15 && damping == 0)) break;
    }
    if (F.norm() > 1e-11) return std::nullopt;
    return describe(unknown);
  }

  VectorXd unknown(const Vector3& n, const Vector3& rho) const {
    VectorXd result(6);
    result << n.x, n.y, n.z, rho.x / body_.length, rho.y / body_.length, rho.z / body_.length;
    return result;
  }

 private:
  std::pair<Vector3, Vector3> split(const VectorXd& unknown) const {
    return {{unknown[0], unknown[1], unknown[2]},
            {body_.length * unknown[3], body_.length * unknown[4], body_.length * unknown[5]}};
  }

  PermanentRotation describe(const VectorXd& unknown) const {
    const auto [n, rho] = split(unknown);
    PermanentRotation rotation{n, rho, std::atan(square_ * norm(rho) / body_.gravity),
                               body_.mass * std::hypot(body_.gravity, square_ * norm(rho)), 0};
    const PrincipalValues principal = find_principal_values(body_.inertia);
    double nearest = HUGE_VAL;
    for (int j = 0; j < 3; ++j) {
      const Vector3& axis = principal.axes.column(j);
      nearest = std::min(nearest, std::atan2(norm(cross(axis, n)), std::abs(dot(axis, n))));
    }
    rotation.tilt = nearest;
    return rotation;
  }

  const BodyOnString& body_;
  double square_, moment_;
};

// Evenly over the sphere (Fibonacci's spiral).
Vector3 spread_direction(int k, int count) {
  const double z = 1 - (2 * k + 1.0) / count, turn = k * std::numbers::pi * (3 - std::sqrt(5.0)), r = std::sqrt(1 - z * z);
  return {r * std::cos(turn), r * std::sin(turn), z};
}

}  // namespace

Outcome<BodyOnString> find_body_on_string(const Model& model, const std::vector<StringTree>& trees) {
  if (trees.size() != 1 || trees[0].size() != 1 || trees[0].is_off_axis())
    return Failure{"VN-STEADY-017", "permanent rotations are those of one body on one string that begins on the axis",
                   "leave the other bodies out of the model"};
  const HungBody& hung = trees[0].bodies[0];
  const Body& body = model.bodies()[hung.body];
  return BodyOnString{body.mass, body.I_Bcm_B, hung.attachment_B - body.p_BoBcm_B, hung.length, trees[0].gravity};
}

std::vector<PermanentRotation> find_permanent_rotations(const BodyOnString& body, double rate) {
  const RotationEquations equations(body, rate);
  std::vector<PermanentRotation> found;
  const auto add = [&](const std::optional<PermanentRotation>& rotation) {
    if (!rotation) return;
    for (const PermanentRotation& known : found) {
      if (norm(known.vertical - rotation->vertical) < 1e-7 && norm(known.offset - rotation->offset) < 1e-7 * body.length) return;
    }
    found.push_back(*rotation);
  };
  constexpr int kDirections = 96;
  for (int k = 0; k < kDirections; ++k) {
    const Vector3 n = spread_direction(k, kDirections);
    Vector3 across = body.arm - dot(body.arm, n) * n;
    if (norm(across) == 0) across = cross(n, {n.z, n.x, n.y});
    for (const double size : {1e-4, 0.2, 0.5, 0.8, 0.95, 1.0, 1.1}) {
      for (const double sign : {1.0, -1.0})
        add(equations.solve(equations.unknown(n, (sign * size * body.length / norm(across)) * across)));
    }
  }
  // The fast ones near the principal axes, where the basins are small.
  const PrincipalValues principal = find_principal_values(body.inertia);
  for (int j = 0; j < 3; ++j) {
    for (const double sign : {1.0, -1.0}) {
      const Vector3 n = sign * principal.axes.column(j);
      const Vector3 across = body.arm - dot(body.arm, n) * n;
      const double arm = norm(across);
      add(equations.solve(equations.unknown(n, {})));
      if (arm == 0) continue;
      for (const double size : {body.length - arm, body.length + arm, -body.length - arm, arm - body.length})
        add(equations.solve(equations.unknown(n, (size / arm) * across)));
    }
  }
  std::sort(found.begin(), found.end(), [&](const PermanentRotation& a, const PermanentRotation& b) {
    return dot(a.vertical, body.arm) > dot(b.vertical, body.arm);
  });
  return found;
}

//   n_x = L d_x/(ω²(J_z - J_x) + d_z L) ,   L = m g [1 + ω² d_z/(p ω² - g)]                                        theory 4,
//   section 9
std::optional<PermanentRotation> find_rotation_near_axis(const BodyOnString& body, double rate) {
  const double square = rate * rate, m = body.mass, g = body.gravity, p = body.length;
  const Vector3& d = body.arm;
  const double L = m * g * (1 + square * d.z / (p * square - g));
  const double x = L * d.x / (square * (body.inertia.zz - body.inertia.xx) + d.z * L),
               y = L * d.y / (square * (body.inertia.zz - body.inertia.yy) + d.z * L);
  if (!std::isfinite(x) || !std::isfinite(y) || x * x + y * y > 0.25) return std::nullopt;
  const Vector3 n{x, y, std::sqrt(1 - x * x - y * y)};
  const Vector3 across = d - dot(d, n) * n;
  const RotationEquations equations(body, rate);
  auto rotation = equations.solve(equations.unknown(n, (g / (p * square - g)) * across));
  if (!rotation || norm(rotation->vertical - n) > 0.3) return std::nullopt;
  return rotation;
}

Outcome<Imbalance> find_imbalance(const BodyOnString& body, const std::vector<MeasuredTilt>& measured, bool fit_inertia) {
  const int unknowns = fit_inertia ? 4 : 2, count = static_cast<int>(measured.size());
  if (2 * count < unknowns || count < 2)
    return Failure{"VN-STEADY-018", fmt::format("{} measurement(s) are too few: the tilt at two speeds or more is needed", count),
                   "add lines to the table"};
  const Symmetric3& J0 = body.inertia;
  if (std::max({std::abs(J0.xy), std::abs(J0.xz), std::abs(J0.yz)}) > 1e-9 * (J0.xx + J0.yy + J0.zz))
    return Failure{"VN-STEADY-024", "tilts are measured in the principal axes of the body, and its inertia has products",
                   "turn the body's axes so that `inertia` has three entries"};
  BodyOnString trial = body;
  // parameters: d_x, d_y, then J_z - J_x and J_z - J_y, in units in which they are about 1
  const double arm = std::abs(body.arm.z), inertia = body.inertia.xx + body.inertia.yy + body.inertia.zz;
  VectorXd unit(unknowns), value = VectorXd::Zero(unknowns);
  unit.setConstant(arm);
  if (fit_inertia) unit.tail(2).setConstant(inertia);
  const double dJx = body.inertia.zz - body.inertia.xx, dJy = body.inertia.zz - body.inertia.yy;

  // Start: the first-order formula is linear in the unknowns,  n_x (ω² ΔJ_x + d_z L) = L d_x .
  for (int axis = 0; axis < 2; ++axis) {
    const int columns = fit_inertia ? 2 : 1;
    MatrixXd A(count, columns), b(count, 1);
    for (int k = 0; k < count; ++k) {
      const double square = measured[k].rate * measured[k].rate, m = body.mass, g = body.gravity;
      const double L = m * g * (1 + square * body.arm.z / (body.length * square - g));
      const double n = axis == 0 ? measured[k].x : measured[k].y;
      A(k, 0) = L * arm;
      b(k, 0) = n * body.arm.z * L;
      if (fit_inertia)
        A(k, 1) = -n * square * inertia;
      else
        b(k, 0) += n * square * (axis == 0 ? dJx : dJy);
    }
    const LeastSquares start = solve_least_squares(A, b, 1e-12);
    if (start.rank < columns)
      return Failure{"VN-STEADY-018", "the speeds of the table do not separate imbalance and inertia",
                     "measure at speeds that differ more"};
    value[axis] = start.x(0, 0);
    if (fit_inertia) value[2 + axis] = start.x(1, 0);
  }

  const auto predict = [&](const VectorXd& parameters, VectorXd& result) {
    trial.arm.x = parameters[0] * unit[0];
    trial.arm.y = parameters[1] * unit[1];
    trial.inertia = {body.inertia.zz - dJx, body.inertia.zz - dJy, body.inertia.zz, 0, 0, 0};
    if (fit_inertia) {
      trial.inertia.xx = body.inertia.zz - parameters[2] * unit[2];
      trial.inertia.yy = body.inertia.zz - parameters[3] * unit[3];
    }
    for (int k = 0; k < count; ++k) {
      const auto rotation = find_rotation_near_axis(trial, measured[k].rate);
      if (!rotation) return false;
      result[2 * k] = rotation->vertical.x;
      result[2 * k + 1] = rotation->vertical.y;
    }
    return true;
  };
  VectorXd goal(2 * count), fitted(2 * count), moved(2 * count);
  for (int k = 0; k < count; ++k) {
    goal[2 * k] = measured[k].x;
    goal[2 * k + 1] = measured[k].y;
  }
  const Failure lost{"VN-STEADY-019", "no body with the given mass, length and inertia turns as the table says",
                     "check the units of the table, the sign of the tilts and the speeds: rate [rad/s], vertical_x, vertical_y"};
  MatrixXd J(2 * count, unknowns);
  for (int step = 0; step < 30; ++step) {
    if (!predict(value, fitted)) return lost;
    for (int j = 0; j < unknowns; ++j) {
      VectorXd back(2 * count), beside = value;
      const double h = 1e-5 * std::max(1e-2, std::abs(value[j]));
      beside[j] = value[j] + h;
      if (!predict(beside, moved)) return lost;
      beside[j] = value[j] - h;
      if (!predict(beside, back)) return lost;
      J.col(j) = (moved - back) / (2 * h);
    }
    const LeastSquares change = solve_least_squares(J, goal - fitted, 1e-12);
    if (change.rank < unknowns)
      return Failure{"VN-STEADY-018", "the speeds of the table do not separate imbalance and inertia",
                     "measure at speeds that differ more"};
    value += change.x.col(0);
    if (change.x.norm() < 1e-11 * value.norm()) break;
  }
  if (!predict(value, fitted)) return lost;

  Imbalance result;
  result.fits_inertia = fit_inertia;
  const VectorXd residual = goal - fitted;
  const int spare = 2 * count - unknowns;
  result.has_scatter = spare > 0;
  result.scatter = spare > 0 ? residual.norm() / std::sqrt(spare) : 0;
  const MatrixXd covariance = solve_square(J.transpose() * J, MatrixXd::Identity(unknowns, unknowns)).x;
  const auto entry = [&](int j) {
    return Imbalance::Value{value[j] * unit[j], result.scatter * std::sqrt(std::max(0.0, covariance(j, j))) * unit[j]};
  };
  result.d_x = entry(0);
  result.d_y = entry(1);
  result.difference_x = fit_inertia ? entry(2) : Imbalance::Value{dJx, 0};
  result.difference_y = fit_inertia ? entry(3) : Imbalance::Value{dJy, 0};
  for (int k = 0; k < count; ++k) result.residuals.push_back({residual[2 * k], residual[2 * k + 1]});
  return result;
}

}  // namespace vinculum
