// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Ridges from as wide as a radius down to a thousandth of it: nothing falls or flies through them, and the time of every touch is
// that of an independent computation in the plane across the ridge.
#include <cmath>
#include <functional>
#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::narrow_ridges {
namespace {

constexpr double kRadius = 0.3;

struct Ridge {
  double place = 0, height = 0, width = 0;
  double at(double u) const { return height * std::exp(-std::pow((u - place) / width, 2)); }

  // The distance of the profile from a circle about (u, z): the ridge in small pieces, then what is beside it.
  double clearance(double u, double z, double radius = kRadius) const {
    double least = HUGE_VAL, nearest = 0;
    const auto look = [&](double s) {
      const double d = std::hypot(s - u, at(s) - z);
      if (d < least) least = d, nearest = s;
    };
    for (int k = -4000; k <= 4000; ++k) look(place + width * k / 500.0);
    for (int k = -2000; k <= 2000; ++k) look(u + 1.5 * radius * k / 2000.0);
    for (double step = std::min(width / 500, radius / 1000); step > 1e-15; step /= 2) {
      look(nearest + step);
      look(nearest - step);
    }
    return (z > at(u) ? least : -least) - radius;
  }
};

// The first zero of a clearance that falls from positive values, to 1e-12 s, by steps that no ridge fits into.
double first_touch(const std::function<double(double)>& clearance, double until, double speed) {
  double t = 0;
  for (double gap = clearance(0); gap > 1e-13; gap = clearance(t)) {
    t += gap / speed;  // nothing comes nearer faster than this
    if (t > until) return HUGE_VAL;
  }
  return t;
}

RunResult run_for(const Model& model, double until, const std::string& integrator, Follow follow = Follow::unilateral) {
  RunOptions options;
  options.follow = follow;
  options.until = until;
  options.tolerance = 1e-10;
  options.integrator = integrator;
  RunListener nobody;
  const auto run = run_simulation(model, model.initial_state(), options, nobody);
  if (!run) throw std::runtime_error(run.failure().message);
  return *run;
}

double time_of(const RunResult& run, const std::string& name) {
  for (const Occurrence& event : run.events) {
    if (event.name() == name) return event.t;
  }
  return HUGE_VAL;
}

// A body without weight that flies straight on, over a ridge that stands across at an angle, in a frame that is turned.
std::string flying(const std::string& shape, const Ridge& ridge, double angle, double x, double z, double vx, double vz) {
  return fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ b: {{ joint: {{axes: [tx, ty, tz, ry]}}, mass: 2, inertia: 0.05 }} }}
environment: {{ g: {{ surface: "{:.17g}*exp(-((x*{:.17g} + y*{:.17g} - {:.17g})/{:.17g})^2)" }} }}
contacts: {{ c: {{ body: b, with: g, {}, forbid: [normal] }} }}
initial: {{ b.tx: {:.17g}, b.tz: {:.17g}, "b.tx'": {:.17g}, "b.tz'": {:.17g}, "b.ry'": 3 }}
)yaml",
                     ridge.height, std::cos(angle), std::sin(angle), ridge.place, ridge.width, shape, x, z, vx, vz);
}

TEST(NarrowRidges, NothingFliesThroughThem) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0, 1);
  int touches = 0;
  for (const double width : {1.0, 0.1, 0.01, 1e-3}) {
    for (int tried = 0; tried < 4; ++tried) {
      const Ridge ridge{0.2 + 0.4 * part(random), kRadius * (0.2 + 0.6 * part(random)), width * kRadius};
      const bool is_wheel = tried % 2 == 0;
      // Ridges that stand at an angle to the axes cost as many parts as they are longer than wide.
      const double angle = is_wheel || width < 0.1 ? 0 : 1.2 * part(random) - 0.6,
                   z = kRadius + ridge.height * (0.1 + 0.7 * part(random));
      const double x = -1.2 - width * kRadius, vx = 2 + part(random), vz = -0.02 * part(random);
      const std::string shape = is_wheel ? "wheel: {axis: y, radius: 0.3}" : "sphere: {radius: 0.3}";
      const double c = std::cos(angle);
      const auto clearance = [&](double t) { return ridge.clearance((x + vx * t) * c, z + vz * t); };
      const double expected = first_touch(clearance, 1, std::hypot(vx, vz));
      const Model model = read_model_text(flying(shape, ridge, angle, x, z, vx, vz));
      for (const char* integrator : {"dop853", "cvode"}) {
        const RunResult run = run_for(model, 1, integrator);
        EXPECT_NEAR(time_of(run, "touch-down:c"), expected, 1e-8)
            << shape << " width " << width << " " << integrator << " try " << tried;
        touches += expected < 1;
      }
      // Its mirror image comes from the other side.
      const Ridge mirrored{-ridge.place, ridge.height, ridge.width};
      const RunResult other = run_for(read_model_text(flying(shape, mirrored, -angle, -x, z, -vx, vz)), 1, "dop853");
      EXPECT_NEAR(time_of(other, "touch-down:c"), expected, 1e-8) << shape << " width " << width << ", mirrored";
    }
  }
  EXPECT_GE(touches, 24);
}

// Dropped beside and above: it lands on the ridge's side, or on the ground.
TEST(NarrowRidges, NothingFallsThroughThem) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> part(0, 1);
  for (const double width : {1.0, 0.1, 0.01, 1e-3}) {
    for (const char* shape : {"wheel: {axis: y, radius: 0.3}", "sphere: {radius: 0.3}"}) {
      const Ridge ridge{kRadius * (1.6 * part(random) - 0.8), 0.5 * kRadius, width * kRadius};
      const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ b: {{ joint: {{axes: [tx, tz, ry]}}, mass: 2, inertia: 0.05 }} }}
environment: {{ g: {{ surface: "{:.17g}*exp(-((x - {:.17g})/{:.17g})^2)" }} }}
contacts: {{ c: {{ body: b, with: g, {}, forbid: [normal] }} }}
initial: {{ b.tz: 3 }}
)yaml",
                                                      ridge.height, ridge.place, ridge.width, shape));
      const auto clearance = [&](double t) { return ridge.clearance(0, 3 - 9.81 / 2 * t * t); };
      const RunResult run = run_for(model, 0.74, "dop853");
      EXPECT_NEAR(time_of(run, "touch-down:c"), first_touch(clearance, 1, 9.81), 1e-8) << shape << " width " << width;
    }
  }
}

// A point that flies against a ridge a thousandth of a metre thin, and a surface that comes and turns towards a sphere at rest.
TEST(NarrowRidges, PointsAndMovingSurfaces) {
  const Ridge ridge{0.5, 0.2, 5e-4};
  const RunResult point = run_for(read_model_text(flying("point: [0, 0, 0]", ridge, 0.3, -0.7, 0.13, 2, 0)), 1, "dop853");
  const double side = (ridge.place - ridge.width * std::sqrt(std::log(0.2 / 0.13))) / std::cos(0.3);
  EXPECT_NEAR(time_of(point, "touch-down:c"), (side + 0.7) / 2, 1e-8);

  // The ridge comes along x at 1.5 m/s while its frame turns about z by 0.4 rad/s: seen from there the sphere goes in a spiral.
  const Ridge thin{1, 0.2, 3e-3};
  const Model moving = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { b: { joint: {axes: [tx, ty, tz]}, mass: 2, inertia: 0.05 } }
environment: { g: { surface: "0.2*exp(-((x - 1)/3e-3)^2)", position: ["-1.5*t", 0, 0], rotation: {axis: z, angle: "0.4*t"} } }
contacts: { c: { body: b, with: g, sphere: {radius: 0.3}, forbid: [normal] } }
initial: { b.tz: 0.35 }
)yaml");
  const auto clearance = [&](double t) { return thin.clearance(1.5 * t * std::cos(0.4 * t), 0.35); };
  for (const char* integrator : {"dop853", "cvode"})
    EXPECT_NEAR(time_of(run_for(moving, 0.8, integrator), "touch-down:c"), first_touch(clearance, 0.8, 2), 1e-8);
}

// What rolls on the ground against a ridge touches it at a second point: the run ends there and names both.
TEST(NarrowRidges, TwoPlacesAtOnceEndTheRun) {
  for (const double width : {0.1, 0.01, 1e-3}) {
    for (const char* shape : {"wheel: {axis: y, radius: 0.3}", "sphere: {radius: 0.3}"}) {
      const Ridge ridge{0.9, 0.1, width * kRadius};
      const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ b: {{ joint: {{axes: [tx, tz, ry]}}, mass: 2, inertia: 0.05 }} }}
environment: {{ g: {{ surface: "0.1*exp(-((x - 0.9)/{:.17g})^2)" }} }}
contacts: {{ c: {{ body: b, with: g, {}, forbid: [normal, forward], friction: 0.8 }} }}
initial: {{ b.tz: 0.3, "b.tx'": 1.5, "b.ry'": 5 }}
)yaml",
                                                      ridge.width, shape));
      // The ridge alone, for the ground touches all the time.
      const auto clearance = [&](double t) {
        double least = HUGE_VAL;
        for (int k = -40000; k <= 40000; ++k) {
          const double s = ridge.place + ridge.width * k / 10000.0;
          if (ridge.at(s) > 0.01) least = std::min(least, std::hypot(s - 1.5 * t, ridge.at(s) - kRadius));
        }
        return least - kRadius;
      };
      for (const Follow follow : {Follow::unilateral, Follow::frictional}) {
        const RunResult run = run_for(model, 0.8, "dop853", follow);
        ASSERT_TRUE(run.failure) << shape << " width " << width;
        EXPECT_EQ(run.failure->code, "VN-CONTACT-004");
        EXPECT_NEAR(run.final.t, first_touch(clearance, 0.8, 1.5), 1e-6) << shape << " width " << width;
        EXPECT_NE(run.failure->message.find(fmt::format("({:.6g}", 1.5 * run.final.t)), std::string::npos)
            << run.failure->message;
        EXPECT_NE(run.failure->message.find("and (0.8"), std::string::npos) << run.failure->message;
      }
      // Two-sided, the run goes on and the verdict says so.
      const double met = first_touch(clearance, 0.8, 1.5);
      const RunResult held = run_for(model, met + 0.01, "dop853", Follow::bilateral);
      EXPECT_FALSE(held.failure);
      for (const Verdict& verdict : held.verdicts) {
        if (verdict.subject != "c.contact") continue;
        EXPECT_EQ(verdict.verdict, Holds::violated) << shape << " width " << width;
        EXPECT_NEAR(*verdict.first_violation, met, 1e-5) << shape << " width " << width;
      }
    }
  }
}

}  // namespace
}  // namespace vinculum::testing::narrow_ridges
