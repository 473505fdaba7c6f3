// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/guide_friction.h"

#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/pad.h"
#include "vinculum/geometry/tree_motion.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

Wrench about_pole(const PairState& pair, const Vector3& point, const Vector3& force) {
  return {force, cross(point - pair.pole_W, force)};
}

// The direction of a matrix whose columns are all along one: the longest column, and nothing of the others beside it.
std::optional<Vector3> single_direction(Given columns, Scratch& scratch) {
  constexpr double kSecond = 1e-9;
  const Scratch::Frame frame(scratch);
  const PivotedColumns qr = factorize_columns(columns, 0, scratch);
  const VectorMap& sizes = qr.lengths;
  if (qr.rank == 0 || !(sizes[0] > kSecond) || (sizes.size() > 1 && sizes[1] > kSecond * sizes[0])) return std::nullopt;
  return Vector3{qr.Q(0, 0), qr.Q(1, 0), qr.Q(2, 0)};
}

constexpr double kNoSlideRate = 1e-9;  // of the acceleration scale: round-off of the acceleration of a point

// How fast all velocities together can move the point of a face, in any direction.
double point_size(const ConstraintSet& set, const ConstraintRows& rows, int index, int face, Scratch& scratch) {
  const FacePair& pair = set.model.face_pairs()[index];
  const int against = pair.with.on == Anchor::On::body ? set.model.link_of(pair.with.index) : kGround;
  const Scratch::Frame frame(scratch);
  const std::span<double> row = scratch.numbers(static_cast<size_t>(set.model.tree().velocities));
  double squares = 0;
  for (int k = 0; k < 3; ++k) {
    std::fill(row.begin(), row.end(), 0.0);
    add_wrench_row(set.model, rows.links, set.model.link_of(pair.body), against, rows.pairs[index].faces[face].point_W,
                   {kIdentity3.column(k), {}}, row);
    for (const double entry : row) squares += entry * entry;
  }
  return std::sqrt(squares);
}

double point_size(const ConstraintSet& set, const ConstraintRows& rows, int index, int face) {
  Scratch scratch;
  return point_size(set, rows, index, face, scratch);
}

void fill_slide_jacobian(const ConstraintSet& set, const ConstraintRows& rows, int index, int face, Scratch& scratch, InPlace J) {
  const FacePair& pair = set.model.face_pairs()[index];
  const FaceState& at = rows.pairs[index].faces[face];
  const int against = pair.with.on == Anchor::On::body ? set.model.link_of(pair.with.index) : kGround;
  const Scratch::Frame frame(scratch);
  const std::span<double> row = scratch.numbers(static_cast<size_t>(set.model.tree().velocities));
  for (int k = 0; k < 3; ++k) {
    std::fill(row.begin(), row.end(), 0.0);
    const Vector3 axis = kIdentity3.column(k), in_face = axis - dot(axis, at.normal_W) * at.normal_W;
    add_wrench_row(set.model, rows.links, set.model.link_of(pair.body), against, at.point_W, {in_face, {}}, row);
    for (size_t i = 0; i < row.size(); ++i) J(k, static_cast<Eigen::Index>(i)) = row[i];
  }
}

}  // namespace

Eigen::MatrixXd compute_slide_jacobian(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face) {
  Scratch scratch;
  Eigen::MatrixXd J(3, set.model.tree().velocities);
  fill_slide_jacobian(set, rows, pair, face, scratch, J);
  return J;
}

PressureLaw pressure_of(const PadDescription& pad) {
  switch (pad.pressure) {
    case PadPressure::uniform: return PressureLaw::uniform();
    case PadPressure::punch: return PressureLaw::punch();
    case PadPressure::hertz: return PressureLaw::hertz();
    case PadPressure::power: return {PressureLaw::Kind::power, pad.exponent};
    case PadPressure::cosine: return {PressureLaw::Kind::cosine, pad.exponent};
  }
  return {};
}

std::optional<Vector3> find_slide_direction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face) {
  Scratch scratch;
  return find_slide_direction(set, rows, pair, face, scratch);
}

// J of all velocities; then of those that the rows allow:  J (1 - Q Qᵀ) , Q an orthonormal basis of the rows.
std::optional<Vector3> find_slide_direction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face,
                                            Scratch& scratch) {
  constexpr double kDependent = 1e-13;
  const Scratch::Frame frame(scratch);
  const Eigen::Index n = set.model.tree().velocities, m = static_cast<Eigen::Index>(set.rows.size());
  MatrixMap J = scratch.matrix(3, n);
  fill_slide_jacobian(set, rows, pair, face, scratch, J);
  std::optional<Vector3> direction = single_direction(J, scratch);
  if (!direction) {
    MatrixMap D_T = scratch.matrix(n, m);
    for (Eigen::Index i = 0; i < m; ++i)
      compute_row(set, rows, rows.all[set.rows[static_cast<size_t>(i)].index], {D_T.col(i).data(), static_cast<size_t>(n)});
    const PivotedColumns held = factorize_columns(D_T, kDependent, scratch);
    MatrixMap along = scratch.matrix(3, held.rank);
    along.noalias() = J * held.Q;
    J.noalias() -= along * held.Q.transpose();
    if (held.rank < n) direction = single_direction(J, scratch);
  }
  if (!direction) {
    const FaceState& at = rows.pairs[pair].faces[face];
    const Vector3 bias = at.bias_W - dot(at.bias_W, at.normal_W) * at.normal_W;
    if (norm(bias) > kNoSlideRate * set.model.scales().acceleration &&
        J.norm() <= kNoMobility * point_size(set, rows, pair, face, scratch))
      direction = (1 / norm(bias)) * bias;
  }
  if (direction && dot(*direction, rows.pairs[pair].forward_W) < 0) direction = -*direction;
  return direction;
}

Wrench compute_face_push(const ConstraintRows& rows, int pair, int face) {
  const PairState& at = rows.pairs[pair];
  return about_pole(at, at.faces[face].point_W, at.faces[face].normal_W);
}

Wrench friction_against(const GuideFace& words, const PairState& at, int face, const Vector3& slide_W, double spin) {
  const FaceState& state = at.faces[face];
  const double speed = norm(slide_W), radius = words.pad.radius;
  if (speed == 0 && (spin == 0 || radius == 0)) return {};
  // Without a spin that could be felt at its rim a pad slides like a point: S = 1, T = 0.
  double slides = 1, spins = 0;
  const double rim_speed = std::abs(spin) * radius;
  if (rim_speed > 0 && std::isfinite(speed / rim_speed)) {
    const PadFactors pad = look_up_pad(pressure_of(words.pad), speed / rim_speed);
    slides = pad.S;
    spins = std::copysign(pad.T, spin);
  }
  const Vector3 force = speed > 0 ? (-words.friction * slides / speed) * slide_W : Vector3{};
  Wrench wrench = about_pole(at, state.point_W, force);
  wrench.moment = wrench.moment - (words.friction * radius * spins) * state.normal_W;
  return wrench;
}

Wrench compute_face_friction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face, double sense) {
  Scratch scratch;
  return compute_face_friction(set, rows, pair, face, sense, scratch);
}

Wrench compute_face_friction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face, double sense,
                             Scratch& scratch) {
  const GuideFace& words = set.model.face_pairs()[pair].faces[face];
  const PairState& at = rows.pairs[pair];
  const FaceState& state = at.faces[face];
  const double speed = norm(state.slide_W);
  if (words.friction == 0) return {};
  if (words.pad.radius > 0) return friction_against(words, at, face, state.slide_W, state.spin);
  Vector3 direction;
  if (speed > kNoSlide * set.model.scales().velocity) {
    direction = ((dot(state.slide_W, at.forward_W) < 0 ? -sense : sense) / speed) * state.slide_W;
  } else if (const auto only = find_slide_direction(set, rows, pair, face, scratch)) {
    direction = sense * *only;
  }
  return friction_against(words, at, face, direction, 0);
}

std::array<double, 2> compute_senses(const ConstraintSet& set, const ConstraintRows& rows, int index) {
  const FacePair& pair = set.model.face_pairs()[index];
  const double sense = pair.rubs() && set.modes[pair.slide_mode] == kBackward ? -1 : 1;
  if (pair.faces[0].point_B == pair.faces[1].point_B) return {sense, sense};
  const PairState& at = rows.pairs[index];
  const Vector3 &first = at.faces[0].slide_W, &second = at.faces[1].slide_W;
  double product = dot(first, at.forward_W) * dot(second, at.forward_W);
  const double least = kNoSlide * set.model.scales().velocity;
  if (!(norm(first) > least && norm(second) > least)) {
    // They stop together: by the motions that the constraints allow.
    ConstraintRows with_jacobian = rows;
    fill_jacobian(set, with_jacobian);
    const Eigen::FullPivLU<Eigen::MatrixXd> rank(with_jacobian.D);
    const Eigen::RowVector3d forward(at.forward_W.x, at.forward_W.y, at.forward_W.z);
    const Eigen::MatrixXd K = rank.dimensionOfKernel() > 0 ? Eigen::MatrixXd(rank.kernel()) : Eigen::MatrixXd(rank.cols(), 0);
    product = (forward * compute_slide_jacobian(set, rows, index, 0) * K)
                  .dot(forward * compute_slide_jacobian(set, rows, index, 1) * K);
  }
  const double other = product < 0 ? -sense : sense;
  return set.modes[pair.mode] == kFace1 ? std::array{sense, other} : std::array{other, sense};
}

void carry_on_face(const ConstraintSet& set, const ConstraintRows& rows, int index, int face, std::vector<int>& modes) {
  const FacePair& pair = set.model.face_pairs()[index];
  const bool slides = pair.rubs() && (modes[pair.slide_mode] == kForward || modes[pair.slide_mode] == kBackward);
  if (slides) modes[pair.slide_mode] = compute_senses(set, rows, index)[face == kFace1 ? 0 : 1] < 0 ? kBackward : kForward;
  modes[pair.mode] = face;
}

Eigen::MatrixXd compute_allowed_velocities(const ConstraintSet& set, const ConstraintRows& rows) {
  ConstraintRows with_jacobian = rows;
  fill_jacobian(set, with_jacobian);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(with_jacobian.D.transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(Q.cols() - qr.rank());
}

double compute_slide_mobility(const ConstraintSet& set, const ConstraintRows& rows, int pair, const Eigen::MatrixXd& allowed) {
  const int face = set.modes[set.model.face_pairs()[pair].mode] == kFace1 ? 0 : 1;
  const double size = point_size(set, rows, pair, face);
  return size > 0 ? (compute_slide_row(set, rows, pair) * allowed).norm() / size : 0;
}

bool cannot_slide(const ConstraintSet& set, const ConstraintRows& rows, int pair) {
  const int face = set.modes[set.model.face_pairs()[pair].mode] == kFace1 ? 0 : 1;
  const FaceState& at = rows.pairs[pair].faces[face];
  const Vector3 bias = at.bias_W - dot(at.bias_W, at.normal_W) * at.normal_W;
  const Scales& scales = set.model.scales();
  if (norm(at.slide_W) > kNoSlide * scales.velocity || norm(bias) > kNoSlideRate * scales.acceleration) return false;
  const Eigen::MatrixXd J = compute_slide_jacobian(set, rows, pair, face) * compute_allowed_velocities(set, rows);
  constexpr double kNothing = 1e-12;
  return J.norm() <= kNothing * point_size(set, rows, pair, face);
}

Eigen::RowVectorXd compute_slide_row(const ConstraintSet& set, const ConstraintRows& rows, int pair) {
  const int face = set.modes[set.model.face_pairs()[pair].mode] == kFace1 ? 0 : 1;
  const Vector3& forward = rows.pairs[pair].forward_W;
  return Eigen::RowVector3d(forward.x, forward.y, forward.z) * compute_slide_jacobian(set, rows, pair, face);
}

double compute_slide_acceleration(const ConstraintSet& set, const ConstraintRows& rows, int pair,
                                  const Eigen::VectorXd& accelerations) {
  const int face = set.modes[set.model.face_pairs()[pair].mode] == kFace1 ? 0 : 1;
  return compute_slide_row(set, rows, pair).dot(accelerations) +
         dot(rows.pairs[pair].forward_W, rows.pairs[pair].faces[face].bias_W);
}

// What there is beside the push of the constraint.
Vector3 compute_pair_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, int pair) {
  const PairState& at = dynamics.rows.pairs[pair];
  Vector3 force;
  for (size_t i = 0; i < set.rows.size() && dynamics.solution.multipliers.size() > 0; ++i) {
    const double multiplier = dynamics.solution.multipliers[static_cast<Eigen::Index>(i)];
    const auto* pushed = set.rows[i].from<GuideRow>();
    if (pushed != nullptr && pushed->pair == pair && i < dynamics.forces.beside.size())
      force += multiplier * dynamics.forces.beside[i].force;
    const auto* stuck = set.rows[i].from<StickRow>();
    if (stuck != nullptr && stuck->pair == pair) force += multiplier * at.in_face_W[stuck->direction];
  }
  return force;
}

std::optional<Failure> refuse_guide_friction(const Model& model) {
  for (const FacePair& pair : model.face_pairs()) {
    if (!pair.rubs()) continue;
    return Failure{"VN-GUIDE-010",
                   fmt::format("guide '{}' has dry friction, which this command does not support",
                               model.description().guides[pair.guide].name),
                   "`simulate`, `evaluate` and `variants` do; with `friction: 0` the guide is an ideal constraint here"};
  }
  return std::nullopt;
}

bool is_at_rest(const Model& model, const FacePair& pair, const PairState& state) {
  const double still = kNoSlide * model.scales().velocity;
  for (int p = 0; p < 2; ++p) {
    const double spin = pair.faces[p].pad.radius * std::abs(state.faces[p].spin);
    if (pair.faces[p].friction > 0 && std::max(norm(state.faces[p].slide_W), spin) > still) return false;
  }
  return true;
}

}  // namespace vinculum
