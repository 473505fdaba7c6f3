// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/steady_axes.h"

#include <algorithm>
#include <cmath>

#include "vinculum/model/state.h"

namespace vinculum {

namespace {

Matrix3 axes_of_standing(const Tree& tree, int link) {
  Matrix3 R = kIdentity3;
  for (; link != kGround; link = tree.links[link].parent) R = tree.links[link].C * R;
  return R;
}

// Neither the link nor what carries it turns.
bool is_standing(const Tree& tree, int link) {
  for (; link != kGround; link = tree.links[link].parent) {
    const LinkKind kind = tree.links[link].kind;
    if (kind != LinkKind::prismatic && kind != LinkKind::fixed) return false;
  }
  return true;
}

Vector3 vertical_of(const Model& model) {
  const double g = norm(model.gravity());
  return g > 0 ? (-1 / g) * model.gravity() : Vector3{0, 0, 1};
}

Eigen::Matrix3d skew(const Vector3& a) {
  Eigen::Matrix3d matrix;
  matrix << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0;
  return matrix;
}

Matrix3 turn_by(const Vector3& rate, double s) {
  const double angle = norm(rate);
  return angle > 0 ? rotation_about((1 / angle) * rate, angle * s) : kIdentity3;
}

Vector3 components(const VelocityVector& vector, const std::vector<double>& v) {
  return {v[vector.velocities[0]], v[vector.velocities[1]], v[vector.velocities[2]]};
}

Vector3 slide_of(const VelocityVector& vector, std::span<const double> v) {
  Vector3 u;
  for (size_t i = 0; i < vector.velocities.size(); ++i) u += v[vector.velocities[i]] * vector.axes_W[i];
  return u;
}

Quaternion quaternion_at(const std::vector<double>& q, int first) { return {q[first], q[first + 1], q[first + 2], q[first + 3]}; }

// Slides can turn if what they span turns into itself.
bool is_closed(const VelocityVector& vector, const Vector3& axis) {
  for (const Vector3& a : vector.axes_W) {
    const Vector3 turned = cross(axis, a);
    Vector3 inside;
    for (const Vector3& b : vector.axes_W) inside += dot(b, turned) * b;
    if (norm(turned - inside) > 1e-12) return false;
  }
  return true;
}

}  // namespace

std::vector<VelocityVector> list_velocity_vectors(const Model& model) {
  const Tree& tree = model.tree();
  std::vector<VelocityVector> vectors;
  std::vector<int> slides_of_link(tree.links.size(), -1);
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const bool stands = is_standing(tree, link.parent);
    const Matrix3 R = axes_of_standing(tree, static_cast<int>(i));
    if (link.kind == LinkKind::prismatic && stands) {
      const int before = link.parent == kGround ? -1 : slides_of_link[link.parent];
      slides_of_link[i] = before >= 0 ? before : static_cast<int>(vectors.size());
      if (before < 0) vectors.emplace_back();
      VelocityVector& slides = vectors[slides_of_link[i]];
      slides.velocities.push_back(link.v);
      slides.axes_W.push_back(R.z);
    }
    if (link.kind == LinkKind::free && stands)
      vectors.push_back({false, {link.v, link.v + 1, link.v + 2}, 0, true, {}, {R.x, R.y, R.z}});
    const int quaternion = quaternion_index(link);
    if (quaternion < 0) continue;
    const int v = link.v + velocity_count(link.kind) - 3;
    vectors.push_back({true, {v, v + 1, v + 2}, quaternion, stands, R, {}});
  }
  return vectors;
}

SteadyAxes::SteadyAxes(const Model& model, const State& state, std::vector<VelocityVector> vectors,
                       std::vector<bool> follows_body, double turn_rate)
    : model_(model),
      state_(state),
      vectors_(std::move(vectors)),
      follows_body_(std::move(follows_body)),
      turn_rate_(turn_rate),
      vertical_(vertical_of(model)) {
  const Eigen::Index n = model.tree().velocities;
  K_.setZero(n, n);
  for (size_t k = 0; k < vectors_.size(); ++k) {
    const VelocityVector& vector = vectors_[k];
    const std::vector<int>& v = vector.velocities;
    if (vector.is_ball) {
      if (follows_body_[k]) continue;
      K_(v, v) = skew(components(vector, state.v));
      const Matrix3 R = vector.R_WJ * to_rotation(quaternion_at(state.q, vector.coordinate));
      if (turns(vector)) K_(v, v) -= skew(transpose_times(R, turn_rate_ * vertical_));
      continue;
    }
    if (!turns(vector)) continue;
    for (size_t i = 0; i < v.size(); ++i) {
      for (size_t j = 0; j < v.size(); ++j)
        K_(v[i], v[j]) = -dot(vector.axes_W[i], cross(turn_rate_ * vertical_, vector.axes_W[j]));
    }
  }
}

bool SteadyAxes::turns(const VelocityVector& vector) const {
  if (turn_rate_ == 0) return false;
  return vector.is_ball ? vector.stands : is_closed(vector, vertical_);
}

// About the vertical slides become z × u, and w of a ball is turned with its body. About its own axis κ = w - Ω a ball has the
// same w in the axes of its base, and -κ × w more in its own.
Eigen::MatrixXd SteadyAxes::turned_velocities() const {
  Eigen::MatrixXd changes = Eigen::MatrixXd::Zero(K_.rows(), 1);
  const Eigen::Map<const Eigen::VectorXd> velocities(state_.v.data(), K_.rows());
  for (const VelocityVector& vector : vectors_) {
    const std::vector<int>& v = vector.velocities;
    if (vector.is_ball) {
      Eigen::VectorXd change = Eigen::VectorXd::Zero(K_.rows());
      change(v) = -K_(v, v) * velocities(v);
      if (change.isZero(0)) continue;
      changes.conservativeResize(Eigen::NoChange, changes.cols() + 1);
      changes.rightCols(1) = change;
    } else if (is_closed(vector, vertical_)) {
      const Vector3 turned = cross(vertical_, slide_of(vector, state_.v));
      for (size_t i = 0; i < v.size(); ++i) changes(v[i], 0) = dot(vector.axes_W[i], turned);
    }
  }
  return changes;
}

// Blocks of K are skew: S = 1 + sin(k s)/k K + (1 - cos(k s))/k² K² , k² = ½ |K|²
Eigen::MatrixXd SteadyAxes::to_seen(double s) const {
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(K_.rows(), K_.cols());
  for (const VelocityVector& vector : vectors_) {
    const std::vector<int>& v = vector.velocities;
    const Eigen::MatrixXd block = K_(v, v);
    const double k = std::sqrt(0.5) * block.norm();
    if (k == 0) continue;
    const Eigen::MatrixXd square = block * block;
    S(v, v) += std::sin(k * s) / k * block + (1 - std::cos(k * s)) / (k * k) * square;
  }
  return S;
}

void SteadyAxes::move_vector(size_t k, double s, State& moved) const {
  const VelocityVector& vector = vectors_[k];
  const std::vector<int>& v = vector.velocities;
  if (vector.is_ball) {
    // R(s) = E(s) R exp(κ s) , E: the base's turning axes
    const Vector3 w = components(vector, state_.v);
    const Quaternion q = quaternion_at(state_.q, vector.coordinate);
    const Matrix3 R = to_rotation(q);
    const bool turning = turns(vector) && !follows_body_[k];
    const Vector3 carried_J = turning ? transpose_times(vector.R_WJ, turn_rate_ * vertical_) : Vector3{};
    const Matrix3 placed = turn_by(carried_J, s) * (R * turn_by(w - transpose_times(R, carried_J), s));
    const Quaternion now = to_quaternion(placed);
    const double parts[] = {now.w, now.x, now.y, now.z};
    std::copy_n(parts, 4, moved.q.begin() + vector.coordinate);
    return;
  }
  // ∫ exp(Ω σ) u dσ = u s + (1 - cos Ωs)/Ω² Ω × u + (s - sin(Ωs)/Ω)/Ω² Ω × (Ω × u)
  const Vector3 u = slide_of(vector, state_.v);
  Vector3 way = s * u;
  if (turns(vector)) {
    const double W = turn_rate_, angle = W * s;
    const Vector3 once = cross(vertical_, u), twice = cross(vertical_, once);
    way += ((1 - std::cos(angle)) / W) * once + (s - std::sin(angle) / W) * twice;
  }
  for (size_t i = 0; i < v.size(); ++i) moved.q[coordinate_of(v[i])] = state_.q[coordinate_of(v[i])] + dot(vector.axes_W[i], way);
}

State SteadyAxes::move(double s) const {
  State moved = state_;
  moved.t += s;
  for (const Link& link : model_.tree().links) {
    const int plain = velocity_count(link.kind) - (quaternion_index(link) >= 0 ? 3 : 0);
    for (int k = 0; k < plain; ++k) moved.q[link.q + k] += s * state_.v[link.v + k];
  }
  for (size_t k = 0; k < vectors_.size(); ++k) move_vector(k, s, moved);
  // u = S⁻¹ û
  const Eigen::VectorXd v = to_seen(s).transpose() * Eigen::Map<const Eigen::VectorXd>(state_.v.data(), K_.rows());
  std::copy(v.begin(), v.end(), moved.v.begin());
  return moved;
}

State SteadyAxes::move_alone(int velocity, double s) const {
  State moved = state_;
  for (size_t k = 0; k < vectors_.size(); ++k) {
    const std::vector<int>& v = vectors_[k].velocities;
    if (!vectors_[k].is_ball || std::find(v.begin(), v.end(), velocity) == v.end()) continue;
    move_vector(k, s, moved);
    const Eigen::MatrixXd S = to_seen(s);
    const Eigen::VectorXd turned = S(v, v).transpose() * Eigen::Map<const Eigen::VectorXd>(state_.v.data(), K_.rows())(v);
    for (size_t i = 0; i < v.size(); ++i) moved.v[v[i]] = turned[static_cast<Eigen::Index>(i)];
    return moved;
  }
  moved.q[coordinate_of(velocity)] += s * state_.v[velocity];
  return moved;
}

int SteadyAxes::coordinate_of(int velocity) const {
  for (const Link& link : model_.tree().links) {
    if (velocity >= link.v && velocity < link.v + velocity_count(link.kind)) return link.q + velocity - link.v;
  }
  return -1;
}

// Least squares: Ω = Σ u'·(z × u) / Σ |z × u|²
double fit_turn_rate(const Model& model, const State& state, const Eigen::VectorXd& accelerations,
                     const std::vector<VelocityVector>& vectors, const std::vector<bool>& follows_body) {
  const Vector3 z = vertical_of(model);
  const std::vector<double> v_rate(accelerations.begin(), accelerations.end());
  double above = 0, below = 0;
  for (size_t k = 0; k < vectors.size(); ++k) {
    const VelocityVector& vector = vectors[k];
    Vector3 u, u_rate;
    if (vector.is_ball) {
      if (!vector.stands || follows_body[k]) continue;
      const Matrix3 R = vector.R_WJ * to_rotation(quaternion_at(state.q, vector.coordinate));
      u = R * components(vector, state.v);
      u_rate = R * components(vector, v_rate);
    } else {
      if (!is_closed(vector, z)) continue;
      u = slide_of(vector, state.v);
      u_rate = slide_of(vector, v_rate);
    }
    const Vector3 across = cross(z, u);
    above += dot(u_rate, across);
    below += dot(across, across);
  }
  return below > 0 ? above / below : 0;
}

std::vector<double> list_vertical_rates(const Model& model, const State& state) {
  const Tree& tree = model.tree();
  const Vector3 z = vertical_of(model);
  std::vector<double> rates;
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    if (!is_standing(tree, link.parent)) continue;
    const Matrix3 R = axes_of_standing(tree, static_cast<int>(i));
    double rate = 0;
    if (const int quaternion = quaternion_index(link); quaternion >= 0) {
      const int v = link.v + velocity_count(link.kind) - 3;
      rate = dot(z, R * (to_rotation(quaternion_at(state.q, quaternion)) * Vector3{state.v[v], state.v[v + 1], state.v[v + 2]}));
    } else if (link.kind == LinkKind::revolute && std::abs(dot(R.z, z)) > 1 - 1e-12) {
      rate = dot(R.z, z) * state.v[link.v];
    }
    if (rate != 0 && std::find(rates.begin(), rates.end(), rate) == rates.end()) rates.push_back(rate);
  }
  return rates;
}

}  // namespace vinculum
