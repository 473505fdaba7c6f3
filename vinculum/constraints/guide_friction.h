// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/constraints/pad.h"

namespace vinculum {

struct ConstrainedDynamics;

PressureLaw pressure_of(const PadDescription& pad);

// What a unit load on a face does to its body, world axes, about the body origin: w = Jn + f Jt.       theory 5, section 3
//
// The push is along the inward normal; friction is against the sliding, and of a pad of finite size also against its spin:
//
//   -f S(beta) V/|V| ,  -f r T(beta) sgn(Omega) nu ,  beta = |V| / (|Omega| r)                                section 5
//
// The friction of a point has a frozen direction: `sense` is +1 for forward, -1 for backward sliding,
// whatever the sign of the sliding at this state. So it is smooth at the instant at which the sliding stops.
Wrench compute_face_push(const ConstraintRows& rows, int pair, int face);
// Of a slide and a spin of its own, per unit load.
Wrench friction_against(const GuideFace& words, const PairState& at, int face, const Vector3& slide_W, double spin);
Wrench compute_face_friction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face, double sense);
Wrench compute_face_friction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face, double sense,
                             Scratch& scratch);

// The velocity of a face's point in the other body, within the face, world axes, by velocities: 3 x nv.
Eigen::MatrixXd compute_slide_jacobian(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face);

// The single direction along which the point of a face can slide, positive forward. It is that of the possible motions; at a
// dead centre, where none moves it, that of its acceleration. None if it can slide along several directions, or not at all.
std::optional<Vector3> find_slide_direction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face);
std::optional<Vector3> find_slide_direction(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face,
                                            Scratch& scratch);

// Sliding forward or backward is a mode of the pair: of the face that carries (of face2 if none does). The point of the other
// face may slide the other way, where the body turns between them: +1 or -1 for each face, as the mode says of the one that
// carries.
std::array<double, 2> compute_senses(const ConstraintSet& set, const ConstraintRows& rows, int pair);
// With another face that carries, the mode that says the same motion.
void carry_on_face(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face, std::vector<int>& modes);

// How fast the point of the loaded face can slide along `forward`, per permitted velocity, relative to its
// largest speed: zero at a dead centre. `allowed` is an orthonormal basis of the permitted velocities.
inline constexpr double kNoMobility = 1e-6;
double compute_slide_mobility(const ConstraintSet& set, const ConstraintRows& rows, int pair, const Eigen::MatrixXd& allowed);
Eigen::MatrixXd compute_allowed_velocities(const ConstraintSet& set, const ConstraintRows& rows);

// Nothing makes the point of the loaded face slide: no permitted motion and no acceleration. An example
// is a point on the axis of rotation of its body. It has no friction, and its sliding is round-off.
bool cannot_slide(const ConstraintSet& set, const ConstraintRows& rows, int pair);

// The sliding along `forward` at the face that carries (or face2), by velocities.
Eigen::RowVectorXd compute_slide_row(const ConstraintSet& set, const ConstraintRows& rows, int pair);

// The rate of the sliding along `forward` where it is zero, at the face that carries (or face2).
double compute_slide_acceleration(const ConstraintSet& set, const ConstraintRows& rows, int pair,
                                  const Eigen::VectorXd& accelerations);

// The friction of a pair on its body, sliding, sticking or at rest, world axes [N].
Vector3 compute_pair_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, int pair);

// For computations without friction of guides: a refusal that names the guide. VN-GUIDE-010.
std::optional<Failure> refuse_guide_friction(const Model& model);

// Neither slides nor spins, within round-off.
bool is_at_rest(const Model& model, const FacePair& pair, const PairState& state);
inline constexpr double kNoSlide = 1e-11;  // of the velocity scale

}  // namespace vinculum
