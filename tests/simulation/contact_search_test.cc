// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Wheels and spheres on surfaces given as heights: the contact is found wherever it is, and nothing comes through the ground.
#include <cmath>
#include <functional>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/read_case.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::contact_search {
namespace {

using Profile = std::function<double(double)>;

// The distance of a curve from a circle about (x, z), by looking everywhere.
double clearance(const Profile& f, double x, double z, double radius) {
  const auto distance = [&](double s) { return std::hypot(s - x, f(s) - z); };
  double least = HUGE_VAL, at = x;
  for (double s = x - 3 * radius; s <= x + 3 * radius; s += radius / 2000) {
    if (distance(s) < least) least = distance(s), at = s;
  }
  for (double step = radius / 2000; step > 1e-12; step /= 2) {
    for (const double s : {at - step, at + step}) {
      if (distance(s) < least) least = distance(s), at = s;
    }
  }
  return (z > f(x) ? least : -least) - radius;
}

// The clearance at every sample.
class Clearances : public RunListener {
 public:
  Clearances(Profile profile, double radius, int x, int z) : profile_(std::move(profile)), radius_(radius), x_(x), z_(z) {}
  void on_sample(const Sample& sample) override {
    const double gap = clearance(profile_, sample.state.q[x_], sample.state.q[z_], radius_);
    least = std::min(least, gap);
    most = std::max(most, gap);
  }
  double least = HUGE_VAL, most = -HUGE_VAL;

 private:
  Profile profile_;
  double radius_;
  int x_, z_;
};

RunResult run_on(const Model& model, Follow how, double until, RunListener& listener, bool project = false) {
  State start = model.initial_state();
  Workspace workspace(model);
  if (project) {
    auto projected = project_state(ConstraintSet(model), start, workspace);
    if (!projected) throw std::runtime_error(projected.failure().message);
    start = projected->state;
  }
  RunOptions options;
  options.follow = how;
  options.until = until;
  options.tolerance = 1e-10;
  options.every = until / 50;
  options.integrator = "dop853";
  auto result = run_simulation(model, start, options, listener);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

double drift_of(const RunResult& run, const std::string& name) {
  for (const IntegralDrift& integral : run.integrals) {
    if (integral.name.starts_with(name)) return std::abs(integral.drift);
  }
  return HUGE_VAL;
}

// The bump is less curved than the wheel wherever it is hollow: one contact, all the way.
TEST(ContactSearch, WheelRollsOverABump) {
  for (const auto& [h, w] : {std::pair{0.05, 0.12}, {0.04, 0.11}}) {
    const Model model = read_case("contacts/bump.yaml", {{"h", fmt::format("{}", h)}, {"w", fmt::format("{}", w)}});
    Clearances seen([h = h, w = w](double x) { return h * std::exp(-(x / w) * (x / w)); }, 0.3, 0, 1);
    const RunResult run = run_on(model, Follow::bilateral, 1.2, seen, true);
    EXPECT_FALSE(run.failure) << run.failure->message;
    EXPECT_GT(run.final.q[0], 0.5);
    EXPECT_LT(std::max(-seen.least, seen.most), 1e-8);
    EXPECT_LT(drift_of(run, "E"), 1e-7);
  }
}

// A sphere over a ridge and a bump in two directions.
TEST(ContactSearch, SphereRollsOverABump) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { ball: { joint: {axes: [tx, tz, ry]}, mass: 2, inertia: 0.05 } }
environment: { g: { surface: "0.05*exp(-(x/0.12)^2)*cos(y)" } }
contacts: { c: { body: ball, with: g, sphere: {radius: 0.3}, forbid: [normal, forward] } }
initial: { ball.tx: -0.8, ball.tz: 0.3, "ball.tx'": 1.5, "ball.ry'": 5 }
)yaml");
  Clearances seen([](double x) { return 0.05 * std::exp(-std::pow(x / 0.12, 2)); }, 0.3, 0, 1);
  const RunResult run = run_on(model, Follow::bilateral, 1.2, seen, true);
  EXPECT_FALSE(run.failure) << run.failure->message;
  EXPECT_LT(std::max(-seen.least, seen.most), 1e-8);
}

// A ridge bends away from the wheel: one contact, however steep it is beside it.
TEST(ContactSearch, WheelOnASharpRidge) {
  const Model model = read_case("contacts/ridge2.yaml", {{"k", "5"}});
  Clearances seen([](double x) { return -5 * x * x; }, 0.3, 0, 1);
  const RunResult run = run_on(model, Follow::bilateral, 0.4, seen);
  EXPECT_FALSE(run.failure) << run.failure->message;
  EXPECT_GT(run.final.q[0], 0.1);
  EXPECT_LT(std::max(-seen.least, seen.most), 1e-7);
  EXPECT_LT(drift_of(run, "E"), 1e-7);
}

// Dropped beside the ridge, and over waves that are sharper than the wheel: it lands, and does not come through.
TEST(ContactSearch, NothingFallsThrough) {
  const auto drop = [](const Model& model, const Profile& profile, double until) {
    Clearances seen(profile, 0.3, 0, 1);
    const RunResult run = run_on(model, Follow::unilateral, until, seen);
    const bool lands = std::ranges::any_of(run.events, [](const Occurrence& e) { return e.name() == "touch-down:c"; });
    EXPECT_TRUE(lands);
    EXPECT_GT(seen.least, -1e-6);
    return run;
  };
  drop(
      read_case("contacts/ridge3.yaml", {{"k", "5"}}), [](double x) { return -5 * x * x; }, 0.4);
  for (const char* x : {"0.1", "0.15", "0.06"}) {
    const Profile waves = [](double s) { return 0.02 * std::cos(30 * s); };
    const RunResult run = drop(read_case("contacts/drop.yaml", {{"w.tx", x}}), waves, 0.5);
    // It comes to lie between two crests, one wave apart, where it touches both: one contact cannot hold that.
    ASSERT_TRUE(run.failure);
    EXPECT_EQ(run.failure->code, "VN-CONTACT-004");
    EXPECT_NEAR(std::abs(run.final.q[0]), M_PI / 30, 1e-7);
  }
}

// A particle that has left a dome is beside it, where the dome has no height: it falls on, down to the floor.
TEST(ContactSearch, ApartMeansFree) {
  const Model model = read_case("impacts/domepoint.yaml");
  RunListener nobody;
  RunOptions options;
  options.follow = Follow::unilateral;
  options.until = 1.2;
  options.tolerance = 1e-11;
  const auto run = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->failure) << run->failure->message;
  // From rest at th = 0.2 it leaves where cos = 2/3 cos(th).
  const double leaves = 2.0 / 3 * std::cos(0.2), speed = std::sqrt(2 * 9.81 * (std::cos(0.2) - leaves));
  const double sine = std::sqrt(1 - leaves * leaves);
  double landed = -1, left = -1;
  for (const Occurrence& event : run->events) {
    if (event.name() == "lift-off:c") left = event.t;
    if (event.name() == "touch-down:f") landed = event.t;
  }
  const double down = speed * sine, fall = (std::sqrt(down * down + 2 * 9.81 * leaves) - down) / 9.81;
  EXPECT_NEAR(landed - left, fall, 1e-8);
  EXPECT_NEAR(run->final.q[2], 0, 1e-9);
}

// A coin that comes to lie flat touches with its whole rim: the run ends and says so.
TEST(ContactSearch, CoinComesToLieFlat) {
  const Model model = read_case("contacts/flat2.yaml");
  RunListener nobody;
  for (const Follow how : {Follow::bilateral, Follow::unilateral}) {
    const RunResult run = run_on(model, how, 1, nobody);
    ASSERT_TRUE(run.failure);
    EXPECT_EQ(run.failure->code, "VN-CONTACT-001");
    EXPECT_NE(run.failure->message.find("contact 'c' of body 'coin': the wheel comes to lie flat at t = 0.2635"),
              std::string::npos)
        << run.failure->message;
  }
}

// Brakes that lift the rear wheels at once: an event at t = 0.
TEST(ContactSearch, LiftOffAtTheStartIsAnEvent) {
  const Model model = read_case("impacts/brake.yaml", {{"h", "2.5"}});
  RunListener nobody;
  const RunResult run = run_on(model, Follow::frictional, 0.05, nobody);
  ASSERT_FALSE(run.events.empty());
  const bool rises = std::ranges::any_of(run.events, [](const Occurrence& e) { return e.name() == "lift-off:rear" && e.t == 0; });
  EXPECT_TRUE(rises);
  for (const Verdict& verdict : run.verdicts) {
    if (verdict.subject == "rear.normal")
      EXPECT_NE(verdict.why.find("separates, first at t = 0 s"), std::string::npos) << verdict.why;
  }
}

}  // namespace
}  // namespace vinculum::testing::contact_search
