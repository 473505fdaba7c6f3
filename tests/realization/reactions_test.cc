// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Reactions along motions without slip. Expected values: theory 3, section 15; peak times are good to 1e-6 there.
#include <gtest/gtest.h>

#include "tests/support/velocity_models.h"
#include "vinculum/realization/reactions.h"
#include "vinculum/simulation/sampled_run.h"

namespace vinculum::testing {
namespace {

struct Followed {
  State final;
  ReactionHistory history;
  std::vector<Verdict> verdicts;
};

Followed follow(const Model& model, const State& start, double until) {
  SlipSystem system(model, list_slip_rows(model));
  const auto projected = system.project(start);
  if (!projected) throw std::runtime_error(projected.failure().message);
  RunOptions options;
  options.until = until;
  options.tolerance = 1e-13;
  const auto run = run_sampled(model, *projected, options, 2001);
  if (!run) throw std::runtime_error(run.failure().message);
  const auto history = follow_reactions(system, run->motion);
  if (!history) throw std::runtime_error(history.failure().message);
  return {run->result.final, *history,
          judge_groups(system, *history, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system.rows().realized.size())))};
}

void expect_state(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 5e-12 * (1 + std::abs(expected[i])) * 4) << i;
}

// Two equal peaks: the earlier one counts. The critical bound is sqrt(m) I E / Jc^{3/2}.
TEST(Reactions, SleighOfW2a) {
  const auto [final, history, verdicts] = follow(sleigh(1, 0.5, 0.5), {0, {0, 0, 0}, {-1.5, 0, 0.3}}, 12);
  expect_state(final.q, {1.2314806230876, -13.3872106943783, 5.1441381368766});
  expect_state(final.v, {0.637035902908121, -1.38263705478974, 0.00021016995978663});
  const double E = 0.5 * (1.5 * 1.5 + 0.75 * 0.09), critical = 0.5 * E / std::pow(0.75, 1.5);
  EXPECT_NEAR(history.peaks[0].value, critical, 1e-11);
  EXPECT_NEAR(history.peaks[0].value, 0.892006165898093, 1e-11);
  EXPECT_NEAR(history.peaks[0].t, 1.5494002831438, 1e-6);
}

// Where a bound of 0.9 of the critical one is passed: 1.189570974401 (W2c); with 1.05 it never is (W2b).
TEST(Reactions, SleighThroughItsCriticalBound) {
  const State start{0, {0, 0, 0}, {-1.5, 0, 0.3}};
  const auto slips = follow(sleigh(1, 0.5, 0.5, "", ", bound: 0.80280554930817"), start, 12);
  EXPECT_EQ(slips.verdicts[0].verdict, Holds::violated);
  EXPECT_NEAR(*slips.verdicts[0].first_violation, 1.18957097440133, 1e-10);
  EXPECT_NEAR(*slips.verdicts[0].margin, 0.9, 1e-10);
  const auto grips = follow(sleigh(1, 0.5, 0.5, "", ", bound: 0.93660647419287"), start, 12);
  EXPECT_EQ(grips.verdicts[0].verdict, Holds::holds);
  EXPECT_NEAR(*grips.verdicts[0].margin, 1.05, 1e-10);
  EXPECT_FALSE(grips.verdicts[0].first_violation);
}

TEST(Reactions, DriveOfW6a) {
  const auto [final, history, verdicts] =
      follow(diffdrive("0.5 + 0.6*sin(2*t)", "0.4 - 0.6*sin(2*t)"), {0, {0, 0, 0, 0, 0}, {0.5, 0, 0, 6.25, 6.25}}, 4);
  expect_state(final.q, {-0.982360108921507, 10.9950179727367, 1.81694947338545, 158.678498969826, 147.322564761167});
  const double peaks[] = {33.2878909732638, 12.5763295753235, 11.1991856374961},
               times[] = {4.0, 3.94990570938617, 2.39226254507797};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(history.peaks[i].value, peaks[i], 1e-9) << i;
    EXPECT_NEAR(history.peaks[i].t, times[i], 1e-6) << i;
  }
}

TEST(Reactions, CarWithTrailerOfW7a) {
  const auto [final, history, verdicts] = follow(car_with_trailer(0.15, 1.3, 300), {0, {0, 0, 0, 0}, {10, 0, 0, 0}}, 5);
  expect_state(final.q, {44.8262047070085, 20.4689803702822, -0.0266763563941584, -0.0202353241430548 + 0.0266763563941584});
  const double peaks[] = {3721.60126311767, 4626.21687353967, 2893.53607583587};
  const double times[] = {3.44171962884078, 3.60740591306435, 3.92583686729136};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(history.peaks[i].value, peaks[i], 1e-7) << i;
    EXPECT_NEAR(history.peaks[i].t, times[i], 2e-6) << i;
  }
}

// Normal force and friction of a rolling disk: both change on the way.
TEST(Reactions, DiskOfW5) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  disk: { joint: { axes: [tx, ty, tz, rz, rx, rz] }, mass: 1.2, inertia: [0.02, 0.02, 0.05], accept_inertia: true }
environment: { floor: { surface: plane } }
contacts:
  rim: { body: disk, with: floor, wheel: { center: [0, 0, 0], axis: [0, 0, 1], radius: 0.3 }, forbid: [normal, lateral, forward],
         friction: 0.2 }
)");
  const double th = 1.3;
  const State start{0, {0, 0, 0.3 * std::sin(th), 0, th, 0}, {2.9, 0, 0.3 * std::cos(th) * 0.1, 0.3, 0.1, -10}};
  const auto [final, history, verdicts] = follow(model, start, 2);
  EXPECT_NEAR(final.q[0], 4.25506427607044, 1e-10);
  EXPECT_NEAR(final.q[4], 1.2876539486234, 1e-10);
  EXPECT_NEAR(history.groups[0].required_friction->value, 0.211090756058415, 1e-10);
  // The tilt is periodic, and so is what friction needs; the source names the fourth peak.
  EXPECT_NEAR(history.groups[0].required_friction->t, 0.0055406, 1e-6);
  const auto later = follow(model, follow(model, start, 1).final, 2);
  EXPECT_NEAR(later.history.groups[0].required_friction->value, 0.211090756058415, 1e-10);
  EXPECT_NEAR(later.history.groups[0].required_friction->t, 1.15017759659446, 2e-6);
  EXPECT_EQ(verdicts[0].verdict, Holds::violated);
  EXPECT_NEAR(*verdicts[0].margin, 0.2 / 0.211090756058415, 1e-9);
  EXPECT_EQ(history.groups[0].path_lateral.size(), 2001u);
}

// A ball on a turntable rolls in a circle at 2/7 of its rate with a reaction of constant size; the table does work on it.
TEST(Reactions, BallOnATurntable) {
  const double Om = 2, rate = 2.0 / 7 * Om;
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { ball: { joint: free, mass: 0.2, inertia: 0.0008 } }
environment: { table: { surface: plane, rotation: { axis: z, angle: "2*t" } } }
contacts:
  touch: { body: ball, with: table, sphere: { center: [0, 0, 0], radius: 0.1 }, forbid: [normal, lateral, forward], friction: 0.3 }
)");
  State start = model.initial_state();
  start.q[0] = 0.5, start.q[2] = 0.1;
  start.v[0] = 0.3, start.v[1] = 0.2;
  const auto [final, history, verdicts] = follow(model, start, 3);
  const double speed = std::hypot(final.v[0], final.v[1]);
  EXPECT_NEAR(history.groups[0].required_friction->value, rate * speed / 9.81, 1e-9);
  EXPECT_EQ(history.groups[0].required_friction->t, 0) << "constant: the earliest";
  EXPECT_GT(std::abs(history.power.value), 1e-3);
  EXPECT_EQ(verdicts[0].verdict, Holds::holds);
}

// A deck that falls away: friction is too weak before the foot would have to be pulled.
TEST(Reactions, ContactIsLost) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  lift: { joint: { axes: [tx, tz] }, mass: 1, inertia: 0.1 }
environment: { deck: { surface: plane, position: [0, 0, "0.2*sin(8*t)"] } }
contacts:
  foot: { body: lift, with: deck, point: [0, 0, 0], forbid: [normal, forward], friction: 0.5 }
forces: { push: { joint: lift.tx, law: "1" } }
initial: { "lift.tz'": 1.6 }
)yaml");
  const auto [final, history, verdicts] = follow(model, model.initial_state(), 1);
  // N = g - 12.8 sin 8t is zero where sin 8t = g/12.8; friction 0.5 N is below 1 N before that.
  EXPECT_NEAR(*history.groups[0].normal_lost, std::asin(9.81 / 12.8) / 8, 1e-9);
  EXPECT_NEAR(*history.groups[0].first_slip, std::asin((9.81 - 2) / 12.8) / 8, 1e-9);
  EXPECT_EQ(verdicts[0].verdict, Holds::violated);
  EXPECT_EQ(*verdicts[0].first_violation, *history.groups[0].first_slip) << "the earlier of both is judged";
  EXPECT_NE(verdicts[0].why.find("no normal force at"), std::string::npos) << verdicts[0].why;
}

// The same deck, pushed only after the foot has gone: the contact is lost first.
TEST(Reactions, ContactIsLostBeforeItSlips) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  lift: { joint: { axes: [tx, tz] }, mass: 1, inertia: 0.1 }
environment: { deck: { surface: plane, position: [0, 0, "0.2*sin(8*t)"] } }
contacts:
  foot: { body: lift, with: deck, point: [0, 0, 0], forbid: [normal, forward], friction: 0.5 }
forces: { push: { joint: lift.tx, law: "max(t - 0.2, 0)" } }
initial: { "lift.tz'": 1.6 }
)yaml");
  const auto [final, history, verdicts] = follow(model, model.initial_state(), 0.3);
  const double lost = std::asin(9.81 / 12.8) / 8;
  EXPECT_NEAR(*history.groups[0].normal_lost, lost, 1e-9);
  EXPECT_GT(*history.groups[0].first_slip, 0.19);
  EXPECT_NEAR(*verdicts[0].first_violation, lost, 1e-9);
  EXPECT_NE(verdicts[0].why.find("would have to pull"), std::string::npos) << verdicts[0].why;
}

// A rod that leans and is pushed along: friction beyond 1/|C| makes sliding ambiguous (Painlevé).
TEST(Reactions, PainleveConfiguration) {
  const auto denominator = [](double mu) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  rod: {{ joint: {{ axes: [tx, tz, ry] }}, mass: 1, inertia: 0.08333333333333333 }}
environment: {{ floor: {{ surface: plane }} }}
contacts:
  tip: {{ body: rod, with: floor, point: [0, 0, -0.5], forbid: [normal, forward], friction: {} }}
initial: {{ rod.ry: 0.5, rod.tz: "0.5*cos(0.5)" }}
)yaml",
                                                    mu));
    SlipSystem system(model, list_slip_rows(model));
    const auto at = system.compute(model.initial_state());
    return compute_sliding_denominator(system, *at, 0)->least;
  };
  // With l = 1/2, I = 1/12: C = 3 sin th cos th / (1 + 3 sin² th), th from the vertical.
  const double C = 3 * std::sin(0.5) * std::cos(0.5) / (1 + 3 * std::sin(0.5) * std::sin(0.5));
  EXPECT_NEAR(denominator(0.5), 1 - 0.5 * C, 1e-12);
  EXPECT_LT(denominator(1.4), 0);
}

}  // namespace
}  // namespace vinculum::testing
