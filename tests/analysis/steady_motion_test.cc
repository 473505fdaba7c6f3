// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/steady_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/constrained/constrained_derivatives.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"
#include "vinculum/math/dense.h"

namespace vinculum {
namespace steady_motion_test {

constexpr double g = 9.81;
using Complex = std::complex<double>;

Outcome<Linearisation> try_start(const Model& model) {
  DerivativesWorkspace workspace(model);
  return linearise(model, model.initial_state(), workspace);
}

Linearisation linearise_start(const Model& model) {
  auto linear = try_start(model);
  if (!linear) throw std::runtime_error(linear.failure().message);
  return std::move(*linear);
}

// Eigenvalues of all that is not ignorable, both of a pair.
std::vector<Complex> eigenvalues_of(const Linearisation& linear) {
  std::vector<Complex> values;
  for (const Mode& mode : find_modes(linear)) {
    if (mode.is_ignorable) continue;
    values.push_back(mode.eigenvalue);
    if (mode.eigenvalue.imag() > 0) values.push_back(std::conj(mode.eigenvalue));
  }
  return values;
}

double distance_to(const std::vector<Complex>& values, Complex value) {
  double least = HUGE_VAL;
  for (const Complex& other : values) least = std::min(least, std::abs(other - value));
  return least;
}

// ---- the benchmark bicycle ------------------------------------------------------------------------------------------------

Model bicycle(const std::string& speed) {
  Diagnostics diagnostics;
  auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/bicycle/model.yaml", diagnostics, {{{"speed", speed}}});
  if (!model) throw std::runtime_error("no bicycle");
  return std::move(*model);
}

// M q'' + v C1 q' + (g K0 + v² K2) q = 0, q = (lean, steer), with the entries printed by Meijaard, Papadopoulos, Ruina, Schwab,
// Proc. R. Soc. A 463 (2007), section 5b.
std::vector<Complex> published_eigenvalues(double v) {
  Eigen::Matrix2d M, K0, K2, C1;
  M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  C1 << 0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  const Cholesky mass{Eigen::MatrixXd(M)};
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4);
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -mass.solve(g * K0 + v * v * K2);
  A.bottomRightCorner(2, 2) = -mass.solve(v * C1);
  const Eigen::VectorXcd values = find_eigenvalues(A).values;
  return {values.begin(), values.end()};
}

TEST(SteadyMotion, BenchmarkBicycleTable) {
  for (int v = 0; v <= 10; ++v) {
    const Linearisation linear = linearise_start(bicycle(std::to_string(v)));
    const std::vector<Complex> found = eigenvalues_of(linear), published = published_eigenvalues(v);
    ASSERT_EQ(found.size(), 4u) << v;
    for (const Complex& value : published) EXPECT_LT(distance_to(found, value), 1e-11 * std::max(1.0, std::abs(value))) << v;
    EXPECT_EQ(linear.error, 0);
    EXPECT_EQ(name_directions(linear.states, linear.apart.ignorable),
              (std::vector<std::string>{"frame.tx", "frame.ty", "frame.rz", "rear", "front"}));
    EXPECT_EQ(name_directions(linear.states, linear.apart.free), (std::vector<std::string>{"rear'"}));
    size_t zeros = 0;
    for (const Mode& mode : find_modes(linear)) zeros += mode.eigenvalue == 0.0;
    EXPECT_EQ(zeros, 6u) << v;
  }
}

// Their table 2, v = 5 m/s, digits as printed.
TEST(SteadyMotion, BenchmarkBicycleAtFiveMetresPerSecond) {
  const std::vector<Complex> found = eigenvalues_of(linearise_start(bicycle("5")));
  EXPECT_LT(distance_to(found, -14.078389692798220), 2e-12);
  EXPECT_LT(distance_to(found, -0.322866429004087), 2e-12);
  EXPECT_LT(distance_to(found, {-0.775341882195845, 4.464867713788230}), 2e-12);
}

// Growth changes its sign at the published weave and capsize speeds. It is a smooth function of speed near them: a chord of 2e-6
// finds its zero to 1e-12, and the digits printed there are 16.
TEST(SteadyMotion, WeaveAndCapsizeSpeeds) {
  const auto growth_at = [](double speed) {
    double growth = -HUGE_VAL;
    for (const Complex& value : eigenvalues_of(linearise_start(bicycle(fmt::format("{:.17g}", speed)))))
      growth = std::max(growth, value.real());
    return growth;
  };
  for (const auto& [speed, rises] : {std::pair(4.292382536341111, false), std::pair(6.024262015388370, true)}) {
    const double step = 1e-6, before = growth_at(speed - step), after = growth_at(speed + step);
    EXPECT_EQ(after > before, rises);
    EXPECT_LT(before * after, 0);
    const double middle = 0.5 * (before + after), slope = (after - before) / (2 * step);
    EXPECT_LT(std::abs(middle / slope), 1e-11);
  }
}

// ---- discs ------------------------------------------------------------------------------------------------------------------

// A = C/2 and C = along m r².
std::string disc(const std::string& joint, const std::string& initial, const std::string& more = "", double along = 0.5) {
  return fmt::format(R"yaml(
vinculum: 1
parameters: {{ radius: 0.5, mass: 2, along: {} }}
bodies:
  disc:
    joint: {}
    mass: mass
    inertia: [along/2*mass*radius^2, along*mass*radius^2, along/2*mass*radius^2]
contacts:
  rim: {{ body: disc, with: world, wheel: {{ axis: y, radius: radius }}, forbid: [normal, lateral, forward] }}
{}
initial: {{ {} }}
)yaml",
                     along, joint, more, initial);
}

const char* const kAngles = "{ axes: [tx, ty, tz, rz, rx, ry] }";

// Upright at speed v: lean'' = k lean , k = (m g r - C (C + m r²) v²/(A r²))/(A + m r²): zero at v² = g r/(2 (along + 1)), that
// is g r/3 of a disc and g r/4 of a hoop.
TEST(SteadyMotion, UprightDisc) {
  const double r = 0.5, m = 2;
  for (const double along : {0.5, 1.0}) {
    const double C = along * m * r * r, A = C / 2, critical = std::sqrt(g * r / (2 * (along + 1)));
    for (const double ratio : {0.5, 0.99, 1.01, 2.0}) {
      const double v = ratio * critical, k = (m * g * r - C * (C + m * r * r) * v * v / (A * r * r)) / (A + m * r * r);
      const std::string rolling = fmt::format("disc.tz: 0.5, \"disc.tx'\": {:.17g}, ", v);
      const std::string by_angles = rolling + fmt::format("\"disc.ry'\": {:.17g}", v / r);
      const std::string as_free = rolling + fmt::format("disc.wy: {:.17g}", v / r);
      // By angles, as a free body, and that with its only contact said twice.
      const std::string twice =
          "  again: { body: disc, with: world, wheel: { axis: y, radius: radius }, forbid: [normal, lateral, forward] }";
      for (const std::string& text : {disc(kAngles, by_angles, "", along), disc("{ type: free }", as_free, "", along),
                                      disc("{ type: free }", as_free, twice, along)}) {
        const Linearisation linear = linearise_start(read_model_text(text));
        const std::vector<Complex> found = eigenvalues_of(linear);
        const Complex expected = k > 0 ? Complex(std::sqrt(k)) : Complex(0, std::sqrt(-k));
        EXPECT_LT(distance_to(found, expected), 1e-11) << text;
        EXPECT_EQ(judge_stability(find_modes(linear)), k > 0 ? Stability::unstable : Stability::marginal);
      }
    }
  }
}

// In a turn, leaning. With α the angle between disc and ground, Ω the turn and n the spin about the axis (Routh, Advanced Rigid
// Dynamics, art. 244):
//
//   (A + m a²) α'' = A Ω² sin α cos α - (C + m a²) n Ω sin α - m g a cos α
//   A (Ω' sin α + 2 Ω α' cos α) = C n α' ,   (C + m a²) n' = m a² Ω α' sin α
//
// so that Ω and n follow α and small departures have one frequency.
TEST(SteadyMotion, DiscInATurn) {
  const double a = 0.5, m = 2, C = 0.5 * m * a * a, A = C / 2, lean = 0.3, turn = 1.7;
  const double alpha = std::numbers::pi / 2 - lean, s = std::sin(alpha), c = std::cos(alpha), axial = C + m * a * a;
  const double n = (A * turn * turn * s * c - m * g * a * c) / (axial * turn * s);
  const double by_alpha = A * turn * turn * std::cos(2 * alpha) - axial * n * turn * c + m * g * a * s,
               by_turn = 2 * A * turn * s * c - axial * n * s, by_spin = -axial * turn * s;
  const double turn_follows = C * n / (A * s) - 2 * turn * c / s, spin_follows = m * a * a / axial * turn * s;
  const double omega = std::sqrt(-(by_alpha + by_turn * turn_follows + by_spin * spin_follows) / (A + m * a * a));

  const double roll = -n, speed = a * roll;
  const std::string common = fmt::format("disc.tz: {:.17g}, ", a * std::cos(lean));
  const std::string angles = fmt::format("disc.rx: {:.17g}, \"disc.tx'\": {:.17g}, \"disc.rz'\": {:.17g}, \"disc.ry'\": {:.17g}",
                                         -lean, speed, turn, roll + turn * std::sin(lean));
  // The same with a quaternion: turned about x by -lean; w in body axes.
  const std::string free =
      fmt::format("disc.qw: {:.17g}, disc.qx: {:.17g}, \"disc.tx'\": {:.17g}, disc.wy: {:.17g}, disc.wz: {:.17g}",
                  std::cos(lean / 2), -std::sin(lean / 2), speed, roll, turn * std::cos(lean));
  // And round the origin: angle of the place, distance, height, heading against the tangent.
  const std::string polar =
      fmt::format("disc.tx: {:.17g}, \"disc.rz'\": {:.17g}, disc.rx: {:.17g}, disc.rz2: -pi/2, \"disc.ry'\": {:.17g}",
                  speed / turn, -turn, lean, roll + turn * std::sin(lean));
  for (const auto& [text, rate] : {std::pair(disc(kAngles, common + angles), turn),
                                   {disc("{ type: free }", common + free), turn},
                                   {disc("{ axes: [rz, tx, tz, rz, rx, ry] }", common + polar), 0.0}}) {
    const Linearisation linear = linearise_start(read_model_text(text));
    EXPECT_NEAR(linear.turn_rate, rate, 1e-12) << text;
    const std::vector<Complex> found = eigenvalues_of(linear);
    EXPECT_LT(distance_to(found, {0, omega}), 1e-11) << text;
    EXPECT_EQ(judge_stability(find_modes(linear)), Stability::marginal);
    // Turn and spin may be others: two neighbouring motions. Else there is only the circle, which may lie elsewhere.
    EXPECT_EQ(linear.apart.free.cols(), 2) << text;
    for (const Complex& value : found)
      EXPECT_LT(std::min(std::abs(std::abs(value) - omega), std::abs(std::abs(value) - turn)), 1e-11) << value << text;
  }
}

// A ball rests in a bowl of curvature 1/R: it rolls to and fro as √(5/7 g/(R - r)). By differences, as its place is searched for.
TEST(SteadyMotion, BallInABowl) {
  const Linearisation linear = linearise_start(read_model_text(R"yaml(
vinculum: 1
bodies:
  ball: { joint: {type: free}, mass: 1.5, inertia: 0.4*1.5*0.2^2 }
environment: { bowl: { surface: "(x^2 + y^2)/(2*0.9)" } }
contacts: { touch: { body: ball, with: bowl, sphere: { radius: 0.2 }, forbid: [normal, lateral, forward] } }
initial: { ball.tz: 0.2 }
)yaml"));
  EXPECT_GT(linear.error, 0);
  EXPECT_LT(linear.error, 1e-9);
  EXPECT_LT(distance_to(eigenvalues_of(linear), {0, std::sqrt(5.0 / 7 * g / 0.7)}), 1e-8);
}

// Chaplygin's sleigh goes straight on if its mass centre is ahead of the blade by a: turning dies out with m a v/(J + m a²), and
// grows if it goes backwards. The blade as a contact, and as an equation.
TEST(SteadyMotion, Sleigh) {
  const double m = 2, a = 0.3, J = 0.4, v = 1.5;
  for (const char* blade :
       {"contacts: { blade: { body: sled, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] } }",
        "velocity_constraints: { blade: \"sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0\" }"}) {
    for (const double sign : {1.0, -1.0}) {
      const Linearisation linear =
          linearise_start(read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ sled: {{ joint: {{type: planar}}, mass: {}, com: [{}, 0, 0], inertia: {} }} }}
{}
initial: {{ sled.rz: 0.7, "sled.tx'": {:.17g}, "sled.ty'": {:.17g} }}
)yaml",
                                                      m, a, J, blade, sign * v * std::cos(0.7), sign * v * std::sin(0.7))));
      const std::vector<Complex> found = eigenvalues_of(linear);
      ASSERT_EQ(found.size(), 1u) << blade;
      EXPECT_NEAR(found[0].real(), -sign * m * a * v / (J + m * a * a), 1e-13) << blade;
      EXPECT_EQ(judge_stability(find_modes(linear)), sign > 0 ? Stability::asymptotically_stable : Stability::unstable);
    }
  }
}

// A block pushed over rough ground at a constant speed: m δv' = -mu m g/v0 sech²(v/v0) δv + δF, the friction following the
// weight.
TEST(SteadyMotion, BlockThatRubs) {
  const double m = 3, mu = 0.3, v0 = 0.5, v = 0.4, cosh = std::cosh(v / v0);
  const Linearisation linear = linearise_start(read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: {} }} }}
contacts:
  sole: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal], sliding_friction: {{coefficient: {}, smoothing: {}}} }}
forces: {{ push: {{ joint: block.tx, law: "{:.17g}" }} }}
initial: {{ "block.tx'": {} }}
)yaml",
                                                                           m, mu, v0, mu * m * g * std::tanh(v / v0), v)));
  EXPECT_EQ(linear.states, (std::vector<std::string>{"block.tx", "block.tx'"}));
  EXPECT_GT(linear.error, 0);
  EXPECT_NEAR(linear.A(1, 1), -mu * g / (v0 * cosh * cosh), 1e-9);
  EXPECT_NEAR(linear.B(1, 0), 1 / m, 1e-14);
  // A force upward takes weight, and friction with it.
  EXPECT_NEAR(linear.B(1, 1), mu * std::tanh(v / v0) / m, 1e-14);
}

// ---- carousels --------------------------------------------------------------------------------------------------------------

// A bob of mass m on a rod l hangs from a table at the distance R, out by θ where Ω² (R + l sin θ) = g tan θ. It swings in the
// plane of axis and rod as
//
//   ω² = g/(l cos θ) - Ω² cos²θ + 4 Ω² cos²θ m r²/(J + m r²) ,  r = R + l sin θ ;  the last only if the table is free.
struct Carousel {
  double R = 2, l = 1.3, theta = 0.4, m = 0.7, J = 3;
  double r = R + l * std::sin(theta), rate = std::sqrt(g * std::tan(theta) / r);

  double frequency(bool driven) const {
    const double across = rate * rate * std::cos(theta) * std::cos(theta);
    return std::sqrt(g / (l * std::cos(theta)) - across + (driven ? 0 : 4 * across * m * r * r / (J + m * r * r)));
  }
  // Hinged to the world by a contact, as a free body; the bob is its child.
  std::string on_a_pivot() const {
    return fmt::format(R"yaml(
vinculum: 1
bodies:
  table: {{ joint: {{type: free}}, mass: 1, inertia: [1.5, 1.5, {J}] }}
  bob: {{ parent: table, joint: {{type: revolute, axis: -y, origin: [{R}, 0, 0]}}, mass: {m}, com: [0, 0, -{l}], inertia: [0, 0, 0] }}
contacts: {{ pivot: {{ body: table, with: world, frame: {{ }}, forbid: [normal, lateral, forward, yaw, pitch] }} }}
initial: {{ bob: {theta}, table.wz: {rate:.17g} }}
)yaml",
                       fmt::arg("J", J), fmt::arg("R", R), fmt::arg("m", m), fmt::arg("l", l), fmt::arg("theta", theta),
                       fmt::arg("rate", rate));
  }
  // Driven; the bob is a free body, held by a hinge on the table.
  std::string driven(const std::string& law) const {
    return fmt::format(R"yaml(
vinculum: 1
parameters: {{ rate: {rate:.17g}, theta: {theta} }}
bodies:
  table: {{ joint: {{type: revolute, axis: z}}, mass: 1, inertia: [1.5, 1.5, {J}] }}
  bob: {{ joint: {{type: free}}, mass: {m}, com: [0, 0, -{l}], inertia: [0, 0, 0] }}
contacts:
  hinge:
    body: bob
    with: table
    frame: {{ on_body: {{rotation: {{axis: x, angle: 90 deg}}}}, on_environment: {{point: [{R}, 0, 0], rotation: {{axis: x, angle: 90 deg}}}} }}
    forbid: [normal, lateral, forward, yaw, pitch]
motions: {{ table: "{law}" }}
initial: {{ bob.tx: {R}, bob.qw: cos(theta/2), bob.qy: -sin(theta/2), "bob.ty'": {R}*rate, bob.wx: -rate*sin(-theta), bob.wz: rate*cos(theta) }}
)yaml",
                       fmt::arg("J", J), fmt::arg("R", R), fmt::arg("m", m), fmt::arg("l", l), fmt::arg("theta", theta),
                       fmt::arg("rate", rate), fmt::arg("law", law));
  }
};

TEST(SteadyMotion, CarouselOnAPivot) {
  const Carousel carousel;
  const Linearisation linear = linearise_start(read_model_text(carousel.on_a_pivot()));
  EXPECT_EQ(linear.error, 0);
  EXPECT_LT(distance_to(eigenvalues_of(linear), {0, carousel.frequency(false)}), 1e-11);
}

TEST(SteadyMotion, DrivenCarousel) {
  const Carousel carousel;
  const Linearisation linear = linearise_start(read_model_text(carousel.driven("rate*t")));
  EXPECT_EQ(linear.states.size(), 2u);  // all else is held
  EXPECT_LT(distance_to(eigenvalues_of(linear), {0, carousel.frequency(true)}), 1e-11);
}

// ---- refusals ---------------------------------------------------------------------------------------------------------------

void expect_refusal(const std::string& text, const char* code, const char* words) {
  const auto linear = try_start(read_model_text(text));
  ASSERT_FALSE(linear) << words;
  EXPECT_EQ(linear.failure().code, code) << linear.failure().message;
  EXPECT_NE(linear.failure().message.find(words), std::string::npos) << linear.failure().message;
}

TEST(SteadyMotion, RefusesWhatAccelerates) {
  expect_refusal(disc(kAngles, R"(disc.tz: 0.5*cos(0.1), disc.rx: 0.1, "disc.tx'": 1, "disc.ry'": 2)"), "VN-LINEAR-004",
                 "disc.rx' changes by");
}

// Straight below the axis the mass centre brakes nothing at this moment, but it does so a little later.
TEST(SteadyMotion, RefusesAWheelOutOfBalance) {
  std::string text = disc(kAngles, R"(disc.tz: 0.5, "disc.tx'": 1, "disc.ry'": 2)");
  text.replace(text.find("mass: mass"), 10, "mass: mass\n    com: [0, 0, -0.05]");
  expect_refusal(text, "VN-LINEAR-220", "disc.ry' moves at 2 rad/s, and the equations depend on it");
}

// Every velocity is constant for ever, and departures do not obey constant equations: the spring changes on the way.
TEST(SteadyMotion, RefusesASpringThatChangesOnTheWay) {
  expect_refusal(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {axes: [tx, tz]}, mass: 3 }
  arm: { parent: cart, joint: {type: revolute, axis: x}, mass: 2, com: [0, 0, -0.5], inertia: [0, 0, 0] }
contacts: { rail: { body: cart, with: world, point: [0, 0, 0], forbid: [normal] } }
forces: { spring: { joint: arm, law: "-(3 + sin(cart.tx))*arm" } }
initial: { "cart.tx'": 2 }
)yaml",
                 "VN-LINEAR-220", "cart.tx' moves at 2 m/s, and the equations depend on it");
}

TEST(SteadyMotion, RefusesAMotionThatIsSteadyForAMoment) {
  expect_refusal(Carousel().driven("sin(rate*t)"), "VN-LINEAR-221", "violates the constraint");
}

// So slow on the top of a hill that its velocity leaves the row by less than round-off: its position does not.
TEST(SteadyMotion, RefusesASlowMotionThatLeavesTheGround) {
  expect_refusal(R"yaml(
vinculum: 1
environment: { hill: { surface: "-0.5*x^2" } }
bodies: { bead: { joint: {axes: [tx, tz]}, mass: 3 } }
contacts: { touch: { body: bead, with: hill, point: [0, 0, 0], forbid: [normal] } }
initial: { "bead.tx'": 1e-9 }
)yaml",
                 "VN-LINEAR-221", "violates the constraint");
}

TEST(SteadyMotion, RefusesAForceOfTime) {
  expect_refusal(disc(kAngles, R"(disc.tz: 0.5, "disc.tx'": 2, "disc.ry'": 4)",
                      R"yaml(forces: { wind: { body: disc, force: [0, "sin(t)", 0] } })yaml"),
                 "VN-LINEAR-220", "change with time, by the force 'wind'");
}

// ---- derivatives ------------------------------------------------------------------------------------------------------------

// By tapes and by differences, at a state without any symmetry: a law of no force is all that takes the tape away.
TEST(ConstrainedDerivatives, TapesAgreeWithDifferences) {
  const auto model_with = [](const char* laws) {
    return read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  frame: {{ joint: {{type: free}}, mass: 5, com: [0.1, 0.02, 0.1], inertia: [0.3, 0.4, 0.5] }}
  wheel: {{ parent: frame, joint: {{type: revolute, axis: y, origin: [0.2, 0.1, -0.1]}}, mass: 2, inertia: [0.02, 0.04, 0.02] }}
  arm: {{ parent: frame, joint: {{type: revolute, axis: [1, 2, 3], origin: [-0.4, 0, 0]}}, mass: 1, com: [0.1, 0, -0.2], inertia: 0.01 }}
contacts:
  tyre: {{ body: wheel, with: world, wheel: {{ axis: y, radius: 0.3 }}, forbid: [normal, lateral, forward]{} }}
  tip: {{ body: arm, with: world, point: [0.1, 0, -0.3], forbid: [normal] }}
forces: {{ spring: {{ joint: arm, law: "-3*arm - 0.2*arm'" }} }}
initial: {{ frame.tz: 0.4, frame.qw: 0.99, frame.qx: 0.1, frame.qy: 0.08, frame.qz: 0.05, "frame.tx'": 1, frame.wx: 0.3, frame.wz: -0.4, "wheel'": 3, "arm'": 0.6 }}
)yaml",
                                       laws));
  };
  const Model exact_model = model_with(""), rough_model = model_with(", laws: { yaw: { viscous: 0 } }");
  const ConstraintSet exact_set(exact_model), rough_set(rough_model);
  Workspace workspace(exact_model);
  const auto on_rows = project_state(exact_set, exact_model.initial_state(), workspace);
  ASSERT_TRUE(on_rows);
  ConstrainedDifferentiator exact(exact_set), rough(rough_set);
  EXPECT_TRUE(exact.is_exact());
  EXPECT_FALSE(rough.is_exact());
  const auto a = exact.compute(on_rows->state), b = rough.compute(on_rows->state);
  ASSERT_TRUE(a && b);
  const auto dynamics = compute_constrained_dynamics(exact_set, on_rows->state, workspace);
  ASSERT_TRUE(dynamics);
  EXPECT_LT((a->accelerations - dynamics->solution.accelerations).cwiseAbs().maxCoeff(), 1e-11);
  const double largest = std::max(a->by_q.cwiseAbs().maxCoeff(), a->by_v.cwiseAbs().maxCoeff());
  EXPECT_GT(largest, 10);
  EXPECT_LT(b->error, 1e-9);
  for (const auto& [x, y] : {std::pair(a->by_q, b->by_q), std::pair(a->by_v, b->by_v), std::pair(a->rate_by_q, b->rate_by_q),
                             std::pair(a->by_tau, b->by_tau)})
    EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-9 * largest);
}

// Stiffness that changes by 1e-5 along the motion: steady at every instant, and no constant equations.
TEST(SteadyMotion, EquationsThatChangeALittleAreRefused) {
  const auto linearised = [](const std::string& change) {
    const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  b: { joint: {axes: [tx, ty]}, mass: 2, inertia: 1 }
  wheel: { joint: {type: revolute, axis: z}, mass: 1, inertia: 0.1 }
velocity_constraints: { gear: "wheel' - 2*b.tx' = 0" }
forces: { spring: { joint: b.ty, law: "-50*(1 + )yaml" +
                                        change + R"yaml(*sin(b.tx))*b.ty" } }
initial: { "b.tx'": 1.5, "wheel'": 3 }
)yaml");
    return linearise_steady_motion(model, model.initial_state());
  };
  const auto round = linearised("0");
  ASSERT_TRUE(round) << round.failure().message;
  for (const char* change : {"1e-5", "1e-7"}) {
    const auto refused = linearised(change);
    ASSERT_FALSE(refused) << change;
    EXPECT_EQ(refused.failure().code, "VN-LINEAR-220");
  }
}

}  // namespace steady_motion_test
}  // namespace vinculum
