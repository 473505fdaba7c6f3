// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Wheels and legs whose normals are indeterminate by themselves: those of equally stiff supports. Worked problems of theory 7.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult run_supports(const Model& model, double until, Follow follow = Follow::frictional) {
  RunOptions options;
  options.follow = follow;
  options.until = until;
  options.tolerance = 1e-12;
  return testing::finish_run(model, options);
}

double support_time(const RunResult& run, EventKind kind, const std::string& name) {
  for (const Occurrence& event : run.events) {
    if (event.kind == kind && event.subject == name) return event.t;
  }
  ADD_FAILURE() << "no such event of " << name;
  return 0;
}

const Verdict& verdict_of_support(const RunResult& run, const std::string& subject) {
  const auto found = std::ranges::find(run.verdicts, subject, &Verdict::subject);
  EXPECT_NE(found, run.verdicts.end()) << subject;
  return *found;
}

double position_in(const Model& model, const RunResult& run, const std::string& name) {
  return run.final.q[*model.find_coordinate(name)];
}
double velocity_in(const Model& model, const RunResult& run, const std::string& name) {
  return run.final.v[*model.find_velocity(name)];
}

// The car of W1 to W3: wheels at x = 2.62 and 0, y = ±0.74, moments on them that grow with time.
struct Car {
  double left = 0, right = 0;  // friction
  double front = 0, rear = 0;  // moment per time [N m/s]
  double speed = 0;
};
Model make_car(const Car& car) {
  std::string bodies, contacts, forces, initial;
  for (const std::string wheel : {"fl", "fr", "rl", "rr"}) {
    const bool is_front = wheel[0] == 'f', is_left = wheel[1] == 'l';
    bodies += fmt::format(
        "  {}: {{ parent: body, joint: {{type: revolute, axis: y, origin: [{}, {}, 0.31]}}, mass: 19, inertia: [0.5, 0.95, 0.5] "
        "}}\n",
        wheel, is_front ? 2.62 : 0, is_left ? 0.74 : -0.74);
    contacts += fmt::format(
        "  c{}: {{ body: {}, with: world, wheel: {{center: [0, 0, 0], axis: y, radius: 0.31}}, forbid: [normal, lateral, "
        "forward], "
        "friction: {} }}\n",
        wheel, wheel, is_left ? car.left : car.right);
    const double moment = is_front ? car.front : car.rear;
    if (moment != 0) forces += fmt::format("  on_{}: {{ joint: {}, law: \"{}*t\" }}\n", wheel, wheel, moment);
    initial += fmt::format(", \"{}'\": {}/0.31", wheel, car.speed);
  }
  return read_model_text(fmt::format(R"model(
vinculum: 1
bodies:
  body: {{ joint: {{axes: [tx, ty, tz, rz, ry, rx]}}, mass: 1280, com: [1.31, 0, 0.56], inertia: [600, 1900, 2000] }}
{}contacts:
{}forces:
{}initial: {{ "body.tx'": {}{} }}
)model",
                                     bodies, contacts, forces, car.speed, initial));
}

// W1: both rear wheels slip at one instant, and the car stays straight.
TEST(RedundantSupports, BothRearWheelsOfABrakedCarSlip) {
  const Model model = make_car({0.82, 0.82, -700, -620, 22});
  const double slips = 1.025803022225, locks = 1.384757916214;
  const RunResult until_onset = run_supports(model, slips);
  EXPECT_NEAR(position_in(model, until_onset, "body.tx"), 21.469824216618, 1e-10);
  EXPECT_NEAR(velocity_in(model, until_onset, "body.tx'"), 18.789318469886, 1e-10);

  const RunResult run = run_supports(model, locks);
  EXPECT_NEAR(support_time(run, EventKind::slip, "crl"), slips, 1e-9);
  EXPECT_NEAR(support_time(run, EventKind::slip, "crr"), slips, 1e-9);
  EXPECT_EQ(std::ranges::count(run.events, EventKind::slip, &Occurrence::kind), 2);
  EXPECT_NEAR(velocity_in(model, run, "rl'"), 0, 1e-6);
  EXPECT_NEAR(velocity_in(model, run, "rr'"), 0, 1e-6);
  EXPECT_NEAR(position_in(model, run, "body.ty"), 0, 1e-11);
  EXPECT_NEAR(position_in(model, run, "body.rz"), 0, 1e-11);
  // A front wheel bears what its own moment asks for.
  const Verdict& front = verdict_of_support(run, "cfl.friction");
  EXPECT_EQ(front.verdict, Holds::holds) << front.why;
  EXPECT_EQ(verdict_of_support(run, "crl.friction").verdict, Holds::violated);
  EXPECT_EQ(verdict_of_support(run, "cfl.normal").verdict, Holds::holds);
  EXPECT_EQ(verdict_of_support(run, "energy").verdict, Holds::holds);
  // Wheels that turn while they slip follow their own normal.
  EXPECT_EQ(verdict_of_support(run, "load split").verdict, Holds::not_unique);
}

// W2: the wheels on the slippery side slip one by one, each where its own moment exceeds what it bears.
TEST(RedundantSupports, WheelsOnASplitRoadSlipOneByOne) {
  const Model model = make_car({0.32, 0.85, -700, -620, 22});
  const RunResult run = run_supports(model, 0.9);
  EXPECT_NEAR(support_time(run, EventKind::slip, "crl"), 0.479332218094, 1e-9);
  EXPECT_NEAR(support_time(run, EventKind::slip, "cfl"), 0.553262769696, 1e-9);
  EXPECT_EQ(std::ranges::count(run.events, EventKind::slip, &Occurrence::kind), 2);
  EXPECT_NEAR(position_in(model, run, "body.rz"), 0, 1e-10);
  EXPECT_EQ(verdict_of_support(run, "cfr.friction").verdict, Holds::holds);
  EXPECT_EQ(verdict_of_support(run, "crr.friction").verdict, Holds::holds);
}

// The same car described in another order, and mirrored.
TEST(RedundantSupports, TheMirroredCarDoesTheMirroredMotion) {
  const Model model = make_car({0.32, 0.85, -700, -620, 22}), mirrored = make_car({0.85, 0.32, -700, -620, 22});
  const RunResult run = run_supports(model, 1.2), other = run_supports(mirrored, 1.2);
  EXPECT_NEAR(position_in(model, run, "body.tx"), position_in(mirrored, other, "body.tx"), 1e-9);
  EXPECT_NEAR(position_in(model, run, "body.rz"), -position_in(mirrored, other, "body.rz"), 1e-9);
  EXPECT_GT(std::abs(position_in(model, run, "body.rz")), 1e-4);
}

// Judged alone, the wheels are blamed that need more than they bear.
TEST(RedundantSupports, JudgedWheelsHaveTheirOwnDemand) {
  const Model model = make_car({0.32, 0.85, -700, -620, 22});
  const RunResult run = run_supports(model, 0.6, Follow::bilateral);
  for (const char* left : {"cfl.friction", "crl.friction"})
    EXPECT_EQ(verdict_of_support(run, left).verdict, Holds::violated) << left;
  for (const char* right : {"cfr.friction", "crr.friction"})
    EXPECT_EQ(verdict_of_support(run, right).verdict, Holds::holds) << right;
  // Polygons in the place of round cones.
  EXPECT_NEAR(*verdict_of_support(run, "crl.friction").first_violation, 0.479332218094, 1e-7);
}

// W3: both driven wheels spin.
TEST(RedundantSupports, BothDrivenWheelsSpin) {
  const Model model = make_car({0.6, 0.6, 0, 640, 5});
  const RunResult run = run_supports(model, 2);
  EXPECT_NEAR(support_time(run, EventKind::slip, "crl"), 1.120802075415, 1e-9);
  EXPECT_NEAR(support_time(run, EventKind::slip, "crr"), 1.120802075415, 1e-9);
  EXPECT_NEAR(position_in(model, run, "body.tx"), 13.635334091137, 1e-9);
  EXPECT_NEAR(velocity_in(model, run, "body.tx'"), 9.860908952583, 1e-9);
  EXPECT_NEAR(velocity_in(model, run, "rl'"), 272.379371688679, 1e-7);
}

// W5: a table that is pushed; the legs are points.
Model make_table(const char* com, const char* at, const std::string& corner_friction, const std::string& friction,
                 const std::string& force) {
  std::string contacts;
  for (const auto& [name, point] : {std::pair{"pp", "[0.55, 0.35, 0]"},
                                    {"pm", "[0.55, -0.35, 0]"},
                                    {"mp", "[-0.55, 0.35, 0]"},
                                    {"mm", "[-0.55, -0.35, 0]"}}) {
    contacts += fmt::format("  {}: {{ body: table, with: world, point: {}, forbid: [normal, lateral, forward], friction: {} }}\n",
                            name, point, std::string(name) == "pp" ? corner_friction : friction);
  }
  return read_model_text(fmt::format(R"model(
vinculum: 1
bodies:
  table: {{ joint: {{type: free}}, mass: 24, com: {}, inertia: [3, 3, 3.4] }}
contacts:
{}forces: {{ push: {{ body: table, point: {}, force: ["{}", 0, 0] }} }}
)model",
                                     com, contacts, at, force));
}

TEST(RedundantSupports, APushedTableTurnsWhereNoDistributionHolds) {
  const Model model = make_table("[0.06, -0.04, 0.55]", "[-0.55, 0.22, 0.7]", "0.4", "0.4", "100*t");
  const RunResult run = run_supports(model, 0.83);
  for (const char* leg : {"pp", "pm", "mp", "mm"})
    EXPECT_NEAR(support_time(run, EventKind::slip, leg), 0.81862044795304, 1e-7) << leg;  // polygons in the place of round cones
}

// The leg with more friction is the pivot, and sticks.
TEST(RedundantSupports, ALegMayBeThePivot) {
  const Model model = make_table("[0.27, 0.15, 0.4]", "[-0.55, -0.35, 0]", "0.6", "0.3", "100*t");
  const RunResult run = run_supports(model, 0.475);
  for (const char* leg : {"pm", "mp", "mm"}) EXPECT_NEAR(support_time(run, EventKind::slip, leg), 0.47425591360448, 1e-8) << leg;
  EXPECT_EQ(std::ranges::count(run.events, EventKind::slip, &Occurrence::kind), 3);
  const Verdict& pivot = verdict_of_support(run, "pp.friction");
  EXPECT_EQ(pivot.verdict, Holds::holds) << pivot.why;
}

}  // namespace
}  // namespace vinculum::testing
