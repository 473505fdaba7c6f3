// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The motion of bodies on strings by four roads: rows solved in proportion to their number, rows solved densely, unit vectors
// with a constant mass matrix, and the literal tensor form of theory 4, section 3.
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/strings/tensor_form.h"
#include "tests/strings/worked_strings.h"
#include "tests/support/expect.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/sparse_constraints.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/strings/unit_vector_form.h"

namespace vinculum::testing {
namespace {

// Any state on the strings: from random unit vectors and their rates.
State random_state(const Model& model, const StringTree& tree, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vector3{number(random), number(random), number(random)}; };
  const auto unit = [&] {
    const Vector3 v = vector();
    return (1 / norm(v)) * v;
  };
  State state = model.initial_state();
  std::vector<Vector3> P(tree.size()), P_rate(tree.size()), e(tree.size()), w(tree.size());
  for (int i = 0; i < tree.size(); ++i) {
    const HungBody& hung = tree.bodies[i];
    const Vector3 u = unit(), u_rate = 2.0 * cross(vector(), u);
    const Quaternion turn = normalized({1 + number(random), number(random), number(random), number(random)});
    const Matrix3 R = to_rotation(turn);
    const Vector3 w_B = 3.0 * vector();
    e[i] = R * hung.axis_B;
    w[i] = R * w_B;
    const Vector3 G = hung.parent < 0 ? Vector3{} : P[hung.parent] + hung.hung_at * e[hung.parent];
    const Vector3 G_rate =
        hung.parent < 0 ? Vector3{} : P_rate[hung.parent] + hung.hung_at * cross(w[hung.parent], e[hung.parent]);
    P[i] = G + hung.length * u;
    P_rate[i] = G_rate + hung.length * u_rate;
    const Body& body = model.bodies()[hung.body];
    const std::array<double, 7> q{P[i].x, P[i].y, P[i].z, turn.w, turn.x, turn.y, turn.z};
    const std::array<double, 6> v{P_rate[i].x, P_rate[i].y, P_rate[i].z, w_B.x, w_B.y, w_B.z};
    std::copy(q.begin(), q.end(), state.q.begin() + body.q);
    std::copy(v.begin(), v.end(), state.v.begin() + body.v);
  }
  return state;
}

class FormsOfStrings : public ::testing::TestWithParam<const TreeData*> {};

TEST_P(FormsOfStrings, Agree) {
  const Model model = read_strings(string_model_text(*GetParam()));
  const StringTree tree = make_tree(*GetParam());
  const int n = tree.size();
  Workspace workspace(model);
  const ConstraintSet set(model);
  SparseConstraints sparse(set);
  std::mt19937 random(n);
  for (int trial = 0; trial < 20; ++trial) {
    const State state = random_state(model, tree, random);
    const auto rows = compute_constraint_rows(set, state);
    ASSERT_TRUE(rows);
    const auto dense = compute_constrained_dynamics(set, state, workspace);
    const auto quick = compute_constrained_dynamics(set, state, workspace, &sparse);
    ASSERT_TRUE(dense && quick);
    const Eigen::VectorXd& tension = quick->solution.multipliers;
    const double size = 1 + tension.lpNorm<Eigen::Infinity>();
    EXPECT_LT((dense->solution.multipliers - tension).lpNorm<Eigen::Infinity>(), 1e-12 * size);

    // B = d(u·z'')/dT: symmetric, negative definite, and zero where two strings share no body.
    const Eigen::MatrixXd B = -rows->D * compute_mass_matrix(model, state, workspace).inverse() * rows->D.transpose();
    EXPECT_LT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(B).eigenvalues().maxCoeff(), 0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const int a = tree.bodies[i].parent, b = tree.bodies[j].parent;
        const bool share = i == j || a == j || b == i || (a == b && a >= 0);
        if (!share) EXPECT_NEAR(B(i, j), 0, 1e-13);
        if (share) EXPECT_NE(B(i, j), 0);
      }
    }

    // Unit vectors: e'' = w' × e + w × (w × e).
    const UnitVectorMotion form = compute_unit_vector_motion(tree, see_as_unit_vectors(model, tree, state), {});
    const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
    std::vector<HingedBody> hinged(n);
    for (int i = 0; i < n; ++i) {
      const HungBody& hung = tree.bodies[i];
      const Body& body = model.bodies()[hung.body];
      const BodyMotion& motion = motions[hung.body];
      const double* v_dot = quick->dynamics.accelerations.data() + body.v;
      const Vector3 w = motion.V_WB_W.angular, w_dot = motion.R_WB * Vector3{v_dot[3], v_dot[4], v_dot[5]};
      const Vector3 e = motion.R_WB * hung.axis_B, P_ddot{v_dot[0], v_dot[1], v_dot[2]};
      EXPECT_NEAR_VECTOR(tree.R_WE * form.x_ddot[i], cross(w_dot, e) + cross(w, cross(w, e)), 1e-12 * 10 * size);
      EXPECT_NEAR(form.tensions[i], tension[i], 1e-12 * size);

      HingedBody& b = hinged[i];
      b = {};
      b.parent = hung.parent;
      b.mass = hung.mass;
      b.inertia = sandwich(motion.R_WB, body.I_Bcm_B);
      b.centre = hung.arm * e;
      b.w = w;
      b.w_dot = w_dot;
      b.force = Vector3{0, 0, -9.81 * hung.mass};
      b.moment = cross(b.centre, b.force);
      b.z_ddot = P_ddot;
      b.z = motion.p_WB;
      if (hung.parent < 0) continue;
      const HingedBody& base = hinged[hung.parent];
      const Body& parent = model.bodies()[tree.bodies[hung.parent].body];
      const double* a = quick->dynamics.accelerations.data() + parent.v;
      b.hinge = (hung.hung_at / tree.bodies[hung.parent].arm) * base.centre;
      b.z = motion.p_WB - motions[tree.bodies[hung.parent].body].p_WB - b.hinge;
      b.z_ddot = P_ddot - Vector3{a[0], a[1], a[2]} - cross(base.w_dot, b.hinge) - cross(base.w, cross(base.w, b.hinge));
    }
    // Tensor form: no moment at the end of a string, and the force there is the tension along it.
    const TensorForm balance = compute_tensor_form(hinged, {});
    for (int i = 0; i < n; ++i) {
      const Vector3 u = (1 / norm(hinged[i].z)) * hinged[i].z;
      EXPECT_NEAR_VECTOR(balance.L[i], -tension[i] * u, 1e-12 * 10 * size);
      EXPECT_NEAR_VECTOR(balance.K[i], (Vector3{}), 1e-12 * 10 * size);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(WorkedTrees, FormsOfStrings, ::testing::Values(&kT1, &kT2, &kT3, &kT4, &kT5));

// The same tensor form on a tree of joints: what recursive Newton-Euler returns. K_i turns body i and moves all it carries
// without turning it, so that about the pole  N_i = K_i + Σ_children (N_c + z_c × L_c) ,  f_i = L_i .
// Hung from an arm that turns with w: the rate of the string's direction is that of the body's end less w × r of the arm's end,
// here (0, 1.5 * 0.4, 0), across the string, which hangs straight down.
TEST(UnitVectors, SuspensionOnATurningArm) {
  std::string text = string_model_text(kT1, "arm", R"(environment: { arm: { rotation: { axis: z, angle: "1.5*t" } } }
initial: { b1.tx: 0.4, b1.tz: -1, "b1.tx'": 0.3, "b1.ty'": 2, "b1.tz'": 0.1 }
)");
  text.replace(text.find("at: [0, 0, 0]"), 13, "at: [0.4, 0, 0]");
  const Model model = read_strings(text);
  const auto trees = find_string_trees(model);
  ASSERT_TRUE(trees) << trees.failure().message;
  const StringTree& tree = trees->front();
  const UnitVectorState seen = see_as_unit_vectors(model, tree, model.initial_state());
  EXPECT_NEAR_VECTOR(tree.R_WE * seen.x[1], (Vector3{0, 0, -1}), 1e-15);
  EXPECT_NEAR_VECTOR(tree.R_WE * seen.x_dot[1], (Vector3{0.3, 2 - 1.5 * 0.4, 0}), 1e-15);
}

// Where the origin of a body is does not count: moved along its axis and beside it, the tree is the same.
TEST(UnitVectors, OriginOfABodyDoesNotCount) {
  const StringTree plain = make_tree(kT2);
  const auto trees = find_string_trees(read_strings(R"(
vinculum: 1
bodies:
  b1: { joint: {type: free}, mass: 2, com: [0.1, 0.2, 0.1], inertia: [0.05, 0.05, 0.03] }
  b2: { joint: {type: free}, mass: 1.5, com: [0, 0, -0.25], inertia: [0.04, 0.04, 0.06] }
strings:
  s1: { from: world, at: [0, 0, 0], to: b1, on: [0.1, 0.2, 0.4], length: 0.8 }
  s2: { from: b1, at: [0.1, 0.2, -0.3], to: b2, on: [0, 0, 0], length: 0.6 }
)"));
  ASSERT_TRUE(trees) << trees.failure().message;
  const StringTree& moved = trees->front();
  EXPECT_NEAR(moved.bodies[1].hung_at, 0.7, 1e-15);
  EXPECT_LT((moved.N - plain.N).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(TensorForm, IsTheReactionOfInverseDynamics) {
  const Model model = read_strings(R"(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: [1, 2, 2], origin: [0.1, 0.2, 0.3]}, mass: 2, com: [0.1, -0.2, 0.3], inertia: [0.3, 0.4, 0.5, 0.02, 0.01, -0.03] }
  b: { parent: a, joint: {type: prismatic, axis: [0, 1, 1], origin: [0.4, 0, 0.1]}, mass: 1.5, com: [0.2, 0.1, 0], inertia: [0.1, 0.2, 0.25] }
  c: { parent: b, joint: {type: spherical, origin: [0, 0.3, 0.1]}, mass: 1, com: [0, 0.1, 0.2], inertia: [0.2, 0.1, 0.15] }
  d: { parent: a, joint: {type: free}, mass: 0.7, com: [0.1, 0.1, 0.1], inertia: [0.05, 0.06, 0.07] }
initial: { a: 0.4, b: 0.3, c.qw: 0.8, c.qx: 0.6, d.tx: 0.5, d.ty: -0.3, d.tz: 0.2, d.qw: 0.6, d.qy: 0.8,
  a': 1.2, b': -0.7, c.wx: 0.5, c.wy: 1.1, c.wz: -0.4, d.tx': 0.3, d.ty': 0.9, d.tz': -0.5, d.wx: 0.7, d.wy: -0.2, d.wz: 1.3 }
)");
  const State state = model.initial_state();
  std::vector<double> accelerations(model.velocity_names().size());
  for (size_t i = 0; i < accelerations.size(); ++i) accelerations[i] = std::sin(1.0 + static_cast<double>(i));
  Workspace workspace(model);
  const InverseDynamics inverse = compute_inverse_dynamics(model, state, accelerations, workspace);

  const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
  place_bodies(model, state, workspace);
  const std::vector<Twist> rates = compute_body_accelerations(model, state.v, accelerations, workspace);
  const Vector3 origins[] = {{0.1, 0.2, 0.3}, {0.4, 0, 0.1}, {0, 0.3, 0.1}, {0, 0, 0}};
  std::vector<HingedBody> hinged(4);
  for (int i = 0; i < 4; ++i) {
    const Body& body = model.bodies()[i];
    HingedBody& h = hinged[i];
    h = {};
    h.parent = body.parent;
    h.mass = body.mass;
    h.inertia = sandwich(motions[i].R_WB, body.I_Bcm_B);
    h.centre = motions[i].R_WB * body.p_BoBcm_B;
    h.w = motions[i].V_WB_W.angular;
    h.w_dot = rates[i].angular;
    h.force = body.mass * model.gravity();
    h.moment = cross(h.centre, h.force);
    const bool root = body.parent < 0;
    h.hinge = root ? origins[i] : motions[body.parent].R_WB * origins[i];
    h.z = motions[i].p_WB - h.hinge - (root ? Vector3{} : motions[body.parent].p_WB);
    h.z_ddot = rates[i].linear;
    if (root) continue;
    const HingedBody& base = hinged[body.parent];
    h.z_ddot = h.z_ddot - rates[body.parent].linear - cross(base.w_dot, h.hinge) - cross(base.w, cross(base.w, h.hinge));
  }
  const TensorForm form = compute_tensor_form(hinged, {});
  std::vector<Vector3> N = form.K;
  for (int i = 3; i >= 0; --i) {
    if (hinged[i].parent >= 0) N[hinged[i].parent] += N[i] + cross(hinged[i].z, form.L[i]);
  }
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR_VECTOR(inverse.reactions_W[i].force, form.L[i], 4e-13 * 50);
    EXPECT_NEAR_VECTOR(inverse.reactions_W[i].moment, N[i], 4e-13 * 50);
  }
}

}  // namespace
}  // namespace vinculum::testing
