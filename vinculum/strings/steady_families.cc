// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/steady_families.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/math/find_zero.h"
#include "vinculum/math/rotation.h"

namespace vinculum {

namespace {

constexpr double kVertical = 1e-9;  // |sin θ| that counts as 0
constexpr double kNoMoment = 1e-8;  // |q_i|/(w_i c_i) that then counts as 0
constexpr double kMerge = 1e-12;    // |sin θ| - 1 that counts as 0

double angle_of(const Vector3& direction) { return std::atan2(direction.y, -direction.z); }

std::string describe_infeasible(const StringTree& tree, double rate, const CoplanarSkeleton& skeleton,
                                std::span<const double> angles) {
  const int i = skeleton.culprit();
  const HungBody& body = tree.bodies[i];
  if (skeleton.reason() == SteadyReason::compression)
    return fmt::format("string '{}' at {:.6g} rad would have to push: a taut string hangs below its upper end", body.string,
                       angles[i]);
  std::string text = fmt::format("body '{}' would need sin(tilt) = {:.6g}", body.name, skeleton.sine(i));
  // The last angle that counts for this body: its own string's if it carries none, else its last child's.
  const int last = body.children.empty() ? i : body.children.back();
  const auto intervals = find_angle_intervals(tree, rate, {angles.begin(), angles.end()}, last);
  if (intervals.empty()) return text + fmt::format("; no angle of string '{}' makes all bodies fit", tree.bodies[last].string);
  text += fmt::format("; string '{}' may have", tree.bodies[last].string);
  for (size_t k = 0; k < intervals.size(); ++k)
    text += fmt::format("{} {:.6g} .. {:.6g}", k > 0 ? " or" : "", intervals[k][0], intervals[k][1]);
  return text + " rad";
}

}  // namespace

const char* to_text(SteadyReason reason) {
  switch (reason) {
    case SteadyReason::compression: return "compression";
    case SteadyReason::infeasible_angle: return "infeasible-angle";
    case SteadyReason::infinite_spin: return "infinite-spin";
    case SteadyReason::none: break;
  }
  return "";
}

CoplanarSkeleton::CoplanarSkeleton(const StringTree& tree, double rate) : tree_(tree), rate_(rate) {
  assert(rate != 0);
  for (auto* values : {&tension_, &pull_, &centre_, &attachment_, &sine_, &moment_}) values->assign(tree.size(), 0);
}

bool CoplanarSkeleton::solve(std::span<const double> angles) {
  const int n = tree_.size();
  culprit_ = -1;
  reason_ = SteadyReason::none;
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree_.bodies[i];
    const double cosine = std::cos(angles[i]), sine = std::sin(angles[i]);
    if (!(cosine > 0)) {
      reason_ = SteadyReason::compression;
      culprit_ = i;
      return false;
    }
    tension_[i] = tree_.weight[i] / cosine;
    pull_[i] = tension_[i] * sine;
    centre_[i] = pull_[i];
    moment_[i] = body.arm * pull_[i];
    attachment_[i] = body.length * sine;
    if (body.parent < 0) continue;
    centre_[body.parent] -= pull_[i];
    moment_[body.parent] += (body.hung_at - tree_.bodies[body.parent].arm) * pull_[i];
  }
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree_.bodies[i];
    centre_[i] /= body.mass * rate_ * rate_;
    attachment_[i] += body.parent < 0 ? tree_.carrier_radius : attachment_[body.parent] + body.hung_at * sine_[body.parent];
    sine_[i] = (centre_[i] - attachment_[i]) / body.arm;
    if (std::abs(sine_[i]) <= 1) continue;
    if (std::abs(sine_[i]) <= 1 + kMerge) {
      sine_[i] = sine_[i] > 0 ? 1 : -1;
      continue;
    }
    reason_ = SteadyReason::infeasible_angle;
    culprit_ = i;
    return false;
  }
  return true;
}

CoplanarSkeleton::Spin CoplanarSkeleton::spin(int i, int side) const {
  const HungBody& body = tree_.bodies[i];
  Spin result;
  const double sine = sine_[i];
  result.cosine = side * std::sqrt((1 - sine) * (1 + sine));
  if (std::abs(sine) <= kVertical) {
    result.is_free = std::abs(moment_[i]) <= kNoMoment * tree_.weight[i] * body.arm;
    result.is_infinite = !result.is_free;
    return result;
  }
  result.momentum = tree_.mass * tree_.gravity * tree_.barycentre[i] / rate_ -
                    result.cosine * (body.transverse * rate_ + moment_[i] / (rate_ * sine));
  result.spin = result.momentum / body.axial + rate_ * result.cosine;
  return result;
}

void CoplanarSkeleton::compute_sines(std::span<const double> tangents, std::span<const double> sines, double offset,
                                     std::span<double> result) const {
  const int n = tree_.size();
  std::vector<double> centre(n), attachment(n);
  for (int i = 0; i < n; ++i) {
    const double pull = tree_.weight[i] * tangents[i];
    centre[i] += pull;
    if (tree_.bodies[i].parent >= 0) centre[tree_.bodies[i].parent] -= pull;
  }
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree_.bodies[i];
    attachment[i] =
        body.length * sines[i] + (body.parent < 0 ? offset : attachment[body.parent] + body.hung_at * result[body.parent]);
    result[i] = (centre[i] / (body.mass * rate_ * rate_) - attachment[i]) / body.arm;
  }
}

SteadyMotion compute_coplanar_motion(const StringTree& tree, double rate, std::span<const double> angles, const Sides& sides,
                                     const SteadyOptions& options) {
  const int n = tree.size();
  CoplanarSkeleton skeleton(tree, rate);
  SteadyMotion motion;
  motion.rate = rate;
  motion.angles.assign(angles.begin(), angles.end());
  for (const int side : sides) motion.above.push_back(side < 0);
  if (!skeleton.solve(angles)) {
    motion.reason = skeleton.reason();
    motion.detail = describe_infeasible(tree, rate, skeleton, angles);
    return motion;
  }
  motion.free_spin.assign(n, false);
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree.bodies[i];
    auto spin = skeleton.spin(i, sides[i]);
    motion.tensions.push_back(skeleton.tension(i));
    motion.tilts.push_back(std::atan2(skeleton.sine(i), spin.cosine));
    motion.x.push_back({0, skeleton.sine(i), -spin.cosine});
    if (spin.is_free) {
      motion.free_spin[i] = true;
      spin.spin = i < static_cast<int>(options.free_spins.size()) ? options.free_spins[i].value_or(0) : 0;
      spin.momentum = body.axial * (spin.spin - rate * spin.cosine);
    }
    motion.spins.push_back(spin.spin);
    motion.momenta.push_back(spin.momentum);
    if (spin.is_infinite || std::abs(spin.spin) > options.spin_limit) {
      motion.reason = SteadyReason::infinite_spin;
      motion.detail =
          spin.is_infinite
              ? fmt::format(
                    "the axis of body '{}' is vertical while the strings turn it over with {:.4g} N m: no spin is fast enough",
                    body.name, skeleton.moment(i))
              : fmt::format("body '{}' would have to spin at {:.4g} rad/s, more than the limit of {:g} rad/s", body.name,
                            spin.spin, options.spin_limit);
    }
  }
  if (!motion.feasible()) {
    motion.spins.clear();
    motion.momenta.clear();
    motion.x.clear();
    motion.free_spin.clear();
    return motion;
  }
  for (int i = 0; i < n; ++i) motion.x.push_back({0, std::sin(angles[i]), -std::cos(angles[i])});
  return motion;
}

std::vector<Sides> enumerate_sides(const std::vector<int>& given) {
  std::vector<Sides> list{Sides{}};
  for (const int side : given) {
    std::vector<Sides> longer;
    for (const Sides& sides : list) {
      for (const int choice : {1, -1}) {
        if (side != 0 && side != choice) continue;
        longer.push_back(sides);
        longer.back().push_back(choice);
      }
    }
    list = std::move(longer);
  }
  return list;
}

std::vector<std::array<double, 2>> find_angle_intervals(const StringTree& tree, double rate, std::vector<double> angles,
                                                        int string) {
  const int n = tree.size();
  const CoplanarSkeleton skeleton(tree, rate);
  std::vector<double> none(n), unit(n), tangents(n), sines(n), P(n), Q(n), R(n);
  unit[string] = 1;
  for (int i = 0; i < n; ++i) {
    if (i == string) continue;
    tangents[i] = std::tan(angles[i]);
    sines[i] = std::sin(angles[i]);
    if (!(std::cos(angles[i]) > 0)) return {};
  }
  skeleton.compute_sines(unit, none, 0, P);
  skeleton.compute_sines(none, unit, 0, Q);
  skeleton.compute_sines(tangents, sines, tree.carrier_radius, R);

  // Ends of the monotone pieces of every sin θ_j, then every crossing of ±1 between them.
  constexpr double kEnd = std::numbers::pi / 2 - 1e-13;
  std::vector<double> cells{-kEnd, kEnd};
  for (int j = 0; j < n; ++j) {
    std::vector<double> pieces{-kEnd, kEnd};
    const double cube = Q[j] == 0 ? -1 : -P[j] / Q[j];
    if (cube > 0 && cube < 1) {
      const double extremum = std::acos(std::cbrt(cube));
      pieces = {-kEnd, -extremum, extremum, kEnd};
    }
    for (const double bound : {-1.0, 1.0}) {
      // times cos α: bounded, with the same zeros
      const auto excess = [&](double a) { return P[j] * std::sin(a) + (Q[j] * std::sin(a) + R[j] - bound) * std::cos(a); };
      for (size_t k = 0; k + 1 < pieces.size(); ++k) {
        const double low = excess(pieces[k]), high = excess(pieces[k + 1]);
        if ((low < 0) != (high < 0)) cells.push_back(find_zero(excess, pieces[k], low, pieces[k + 1], high));
      }
    }
  }
  std::sort(cells.begin(), cells.end());
  std::vector<std::array<double, 2>> intervals;
  for (size_t k = 0; k + 1 < cells.size(); ++k) {
    if (cells[k + 1] - cells[k] < 1e-14) continue;
    const double middle = 0.5 * (cells[k] + cells[k + 1]);
    bool fits = true;
    for (int j = 0; j < n; ++j) fits = fits && std::abs(P[j] * std::tan(middle) + Q[j] * std::sin(middle) + R[j]) <= 1;
    if (!fits) continue;
    if (!intervals.empty() && intervals.back()[1] == cells[k])
      intervals.back()[1] = cells[k + 1];
    else
      intervals.push_back({cells[k], cells[k + 1]});
  }
  return intervals;
}

std::vector<Vector3> compute_potential_gradient(const StringTree& tree, double rate, const std::vector<Vector3>& x,
                                                const std::vector<double>& momenta) {
  const int n = tree.size();
  std::vector<Vector3> gradient(2 * n);
  for (int a = 0; a < 2 * n; ++a) {
    for (int b = 0; b < 2 * n; ++b) gradient[a] += -rate * rate * tree.N(a, b) * Vector3{x[b].x, x[b].y, 0};
    gradient[a].y -= rate * rate * tree.carrier_radius * tree.mass_moments[a];
    gradient[a].z += tree.f[a];
    if (a < n) gradient[a].z -= rate * momenta[a];
  }
  return gradient;
}

double measure_steadiness(const StringTree& tree, const SteadyMotion& motion) {
  const auto gradient = compute_potential_gradient(tree, motion.rate, motion.x, motion.momenta);
  double worst = 0;
  for (size_t a = 0; a < gradient.size(); ++a) {
    double scale = tree.f.cwiseAbs().maxCoeff() + norm(gradient[a]);
    if (a < motion.momenta.size()) scale += std::abs(motion.rate * motion.momenta[a]);
    worst = std::max(worst, norm(cross(motion.x[a], gradient[a])) / scale);
  }
  return worst;
}

void complete_motion(const StringTree& tree, const SteadyOptions& options, SteadyMotion& motion) {
  const int n = tree.size();
  const Vector3 e3{0, 0, 1};
  const auto gradient = compute_potential_gradient(tree, motion.rate, motion.x, std::vector<double>(n));
  motion.free_spin.assign(n, false);
  motion.tensions.assign(n, 0);
  motion.angles = motion.tilts = motion.spins = motion.momenta = motion.tensions;
  motion.above.assign(n, false);
  const bool coplanar = motion.azimuths.empty();
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree.bodies[i];
    const Vector3 e = motion.x[i], u = motion.x[n + i], across = cross(e, e3);
    if (norm(across) <= kVertical) {
      motion.free_spin[i] = true;
      motion.spins[i] = i < static_cast<int>(options.free_spins.size()) ? options.free_spins[i].value_or(0) : 0;
      motion.momenta[i] = body.axial * (motion.spins[i] + motion.rate * e.z);
    } else {
      motion.momenta[i] = dot(cross(e, gradient[i]), across) / (motion.rate * dot(across, across));
      motion.spins[i] = motion.momenta[i] / body.axial - motion.rate * e.z;
    }
    motion.above[i] = e.z > 0;
    motion.tensions[i] = -dot(u, gradient[n + i]) / body.length;
    motion.angles[i] = coplanar ? angle_of(u) : std::acos(std::clamp(-u.z, -1.0, 1.0));
    motion.tilts[i] = coplanar ? angle_of(e) : std::acos(std::clamp(-e.z, -1.0, 1.0));
    if (motion.tensions[i] <= 0) {
      motion.reason = SteadyReason::compression;
      motion.detail = fmt::format("string '{}' would have to push with {:.4g} N", body.string, -motion.tensions[i]);
    } else if (std::abs(motion.spins[i]) > options.spin_limit) {
      motion.reason = SteadyReason::infinite_spin;
      motion.detail = fmt::format("body '{}' would have to spin at {:.4g} rad/s, more than the limit of {:g} rad/s", body.name,
                                  motion.spins[i], options.spin_limit);
    }
  }
}

std::vector<Vector3> compute_mass_centres(const StringTree& tree, const std::vector<Vector3>& x) {
  const int n = tree.size();
  std::vector<Vector3> centres(n, Vector3{0, tree.carrier_radius, 0});
  for (int i = 0; i < n; ++i) {
    for (int a = 0; a < 2 * n; ++a) centres[i] += tree.D(i, a) * x[a];
  }
  return centres;
}

//   E = ½ ψ'² Σ N_ab x⊥_a·x⊥_b + Σ a_i²/(2 C_i) + f·x_z ,   p_z = ψ' Σ N_ab x⊥_a·x⊥_b + Σ a_i e_iz        theory 4, section 4
SteadyIntegrals compute_steady_integrals(const StringTree& tree, const SteadyMotion& motion) {
  const auto centres = compute_mass_centres(tree, motion.x);
  double inertia = 0;
  SteadyIntegrals result;
  for (int i = 0; i < tree.size(); ++i) {
    const HungBody& body = tree.bodies[i];
    const Vector3& e = motion.x[i];
    inertia +=
        body.mass * (centres[i].x * centres[i].x + centres[i].y * centres[i].y) + body.transverse * (e.x * e.x + e.y * e.y);
    result.energy += 0.5 * motion.momenta[i] * motion.momenta[i] / body.axial + body.mass * tree.gravity * centres[i].z;
    result.momentum += motion.momenta[i] * e.z;
  }
  result.energy += 0.5 * motion.rate * motion.rate * inertia;
  result.momentum += motion.rate * inertia;
  return result;
}

State make_steady_state(const Model& model, const std::vector<StringTree>& trees, const std::vector<SteadyMotion>& motions) {
  State state = model.initial_state();
  state.t = 0;
  for (size_t k = 0; k < trees.size(); ++k) {
    const StringTree& tree = trees[k];
    const SteadyMotion& motion = motions[k];
    const std::vector<Vector3> centres = compute_mass_centres(tree, motion.x);
    const Vector3 axis_W = tree.suspension_W - tree.carrier_radius * tree.R_WE.y;
    const Vector3 turning_W = motion.rate * tree.R_WE.z;
    for (int i = 0; i < tree.size(); ++i) {
      const HungBody& hung = tree.bodies[i];
      const Body& body = model.bodies()[hung.body];
      const Vector3 e_W = tree.R_WE * motion.x[i];
      const Matrix3 R_WB = rotation_with_z_along(e_W) * transpose(rotation_with_z_along(hung.axis_B));
      const Vector3 arm_W = R_WB * body.p_BoBcm_B, radius_W = tree.R_WE * centres[i];
      const Vector3 w_W = turning_W + motion.spins[i] * e_W;
      const Vector3 pole_W = axis_W + radius_W - arm_W, velocity_W = cross(turning_W, radius_W) - cross(w_W, arm_W);
      // The coordinates of a free joint: the pole in the joint frame, the quaternion of the body in it, ω in body axes.
      const JointDescription& joint = model.description().bodies[hung.body].joint;
      const Vector3 place = transpose_times(joint.rotation, pole_W - joint.origin),
                    rate = transpose_times(joint.rotation, velocity_W), w_B = transpose_times(R_WB, w_W);
      const Quaternion turn = to_quaternion(transpose(joint.rotation) * R_WB);
      const double q[] = {place.x, place.y, place.z, turn.w, turn.x, turn.y, turn.z};
      const double v[] = {rate.x, rate.y, rate.z, w_B.x, w_B.y, w_B.z};
      std::copy(std::begin(q), std::end(q), state.q.begin() + body.q);
      std::copy(std::begin(v), std::end(v), state.v.begin() + body.v);
    }
  }
  return state;
}

}  // namespace vinculum
