// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Certificates along motions, against closed forms on blocks, rotors and rods whose constants can be written down.
#include <fstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/read_case.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/simulation/realized_certificate.h"

namespace vinculum::testing {
namespace {

// A model at its start, with a law for all groups or their own.
struct Case {
  Model model;
  SlipSystem system;
  Realization realization;

  Case(Model read, std::optional<SlipLaw> law = std::nullopt)
      : model(std::move(read)),
        system(model, list_slip_rows(model)),
        realization(begin(begin_realization(system, model.initial_state(), law))) {}

  static Realization begin(Outcome<Realization> begun) {
    if (!begun) throw std::runtime_error(begun.failure().message);
    return std::move(*begun);
  }
  SampledRun ideal(double until) const { return *run_without_slip(realization, {.until = until}); }
  LawRun law(double until) const {
    auto run = run_law(realization, {.until = until});
    if (!run) throw std::runtime_error(run.failure().message);
    return std::move(*run);
  }
  MotionCertificate certificate(double until) const {
    const LawRun followed = law(until);
    auto found = certify_motion(realization, ideal(until), &followed, {.until = until}, 41);
    if (!found) throw std::runtime_error(found.failure().message);
    return std::move(*found);
  }
  SufficientBounds bounds(double until, double within) const {
    auto found = find_sufficient_bounds(realization, certificate(until).whole, within, {.until = until}, 41);
    if (!found) throw std::runtime_error(found.failure().message);
    return std::move(*found);
  }
};

// A block of 2 kg on a belt at rest, bound 3 N, pulled by a force, sliding at 0.4 m/s.
Model belt(const std::string& pull, const std::string& more = "", double speed = 0.4) {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ block: {{ joint: {{ type: prismatic, axis: x }}, mass: 2, inertia: 0.1 }} }}
velocity_constraints: {{ belt: {{ equation: "block' = 0", bound: 3{} }} }}
forces: {{ pull: {{ joint: block, law: "{}" }} }}
initial: {{ "block'": {} }}
)",
                                     more, pull, speed));
}

// The reaction grows to 8 N beyond the bound of 2.6 N: the slip ends at 0.069 s, and comes back at 0.65 s.
TEST(Certificate, HoldsOverTheWholeRun) {
  const Case grow(read_case("slip/grow.yaml"));
  const MotionCertificate found = grow.certificate(2);
  EXPECT_NEAR(*found.slip.reached, 0.0690525, 1e-6);
  EXPECT_NEAR(*found.slip.slips_again, 0.65, 1e-9);
  for (const Certificate& certificate : {found.uniform, found.refined}) {
    EXPECT_NE(certificate.not_certified.find("the bound 2.6 of belt is not above its reaction 8 at t = 2 s"), std::string::npos);
    EXPECT_FALSE(certificate.bound.t1 || certificate.sharp.t1);
    EXPECT_NEAR(*certificate.eta, 2.6 - 8, 1e-9);
  }
  // To 0.5 s it is enough: constants up to the end of the slip bound its time, 2 N of reaction leave 0.6 N.
  const MotionCertificate before = grow.certificate(0.5);
  EXPECT_EQ(before.refined.not_certified, "");
  EXPECT_EQ(before.end, *before.slip.reached);
  EXPECT_NEAR(before.least_excess, 0.6, 1e-9);
  EXPECT_LE(*before.slip.reached, *before.refined.sharp.t1);
}

// Under a Stribeck law what sticks bears 3 N, and what slips 0.6 of them. The pull grows to 2.4 N after the slip has ended:
// nothing slips again, but a slip of whatever cause would not end, and a certificate up to the first end would not say so.
TEST(Certificate, HoldsWhereNothingSlipsAgain) {
  const SlipLaw stribeck{SlipLawKind::stribeck, 0.05, 0.6};
  const MotionCertificate found = Case(belt("0.7 + 1.7*(t/2)^4"), stribeck).certificate(2);
  ASSERT_TRUE(found.slip.reached);
  EXPECT_LT(*found.slip.reached, 1.5);
  EXPECT_FALSE(found.slip.slips_again);
  EXPECT_NE(found.refined.not_certified, "");
  EXPECT_FALSE(found.refined.sharp.t1 || found.uniform.sharp.t1);
  EXPECT_NEAR(found.least_excess, 3 - 2.4, 1e-9);
  EXPECT_EQ(found.end, 2);
  // With 0.7 N to the end it is certified, up to the end of the slip.
  const MotionCertificate steady = Case(belt("0.7"), stribeck).certificate(2);
  EXPECT_EQ(steady.refined.not_certified, "");
  EXPECT_EQ(steady.end, *steady.slip.reached);
}

// m s/T beyond the largest reaction of the whole run takes a slip s away within T.
TEST(Certificate, ProposedBoundsAreRunAgain) {
  const Case grow(read_case("slip/grow.yaml"));
  const SufficientBounds to_two = grow.bounds(2, 0.5), to_half = grow.bounds(0.5, 0.5);
  EXPECT_TRUE(to_two.sufficient) << to_two.why;
  EXPECT_NEAR(to_two.bounds[0], 8 + 1.7 * 0.1 / 0.5, 1e-7);
  EXPECT_TRUE(to_half.sufficient) << to_half.why;
  EXPECT_NEAR(to_half.bounds[0], 2 + 1.7 * 0.1 / 0.5, 1e-7);
  EXPECT_LE(*to_half.reached, 0.5);
  // A rotor that brakes itself: the largest reaction lies in the middle of the run.
  const Case rotor(read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { disk: { joint: revolute, mass: 1, inertia: 0.3 } }
velocity_constraints: { clutch: { equation: "disk' = 0", bound: 0.5 } }
forces: { load: { joint: disk, law: "1.5*sin(pi*t)" } }
initial: { "disk'": -2 }
)yaml"));
  const SufficientBounds clutch = rotor.bounds(1, 0.8);
  EXPECT_TRUE(clutch.sufficient) << clutch.why;
  EXPECT_NEAR(clutch.bounds[0], 1.5 + 0.3 * 2 / 0.8, 1e-5);
  // Under a Stribeck law the lower branch has to do it; a law that creeps never ends a slip.
  const Case stribeck(belt("0.7"), SlipLaw{SlipLawKind::stribeck, 0.05, 0.6});
  const SufficientBounds by_branch = stribeck.bounds(1, 0.4);
  EXPECT_TRUE(by_branch.sufficient) << by_branch.why;
  EXPECT_NEAR(by_branch.bounds[0], (0.7 + 2 * 0.4 / 0.4) / 0.6, 1e-7);
  EXPECT_TRUE(Case(belt("0.7"), SlipLaw{SlipLawKind::tanh, 0.01}).bounds(1, 0.4).bounds.empty());
}

// A rod on a foot with friction and a smooth slide: braking unloads the foot, N = (m g/2)/(1 + mu h/l) with h = 0.3, l = 0.8 m.
TEST(Certificate, FrictionThatUnloadsItsOwnContact) {
  const Case rod(read_case("terms/rodwheel.yaml"));
  const MotionCertificate found = rod.certificate(0.3);
  const double brakes = 0.6 * 9.81 / 2 / (1 + 0.6 * 0.3 / 0.8);
  EXPECT_NEAR(*found.refined.sharp.t1, 0.3 / brakes, 1e-9);
  EXPECT_NEAR(*found.slip.reached, 0.3 / brakes, 1e-8);
  EXPECT_NEAR(found.least_excess, brakes, 1e-9);
}

// Where nothing is certified there is not a time: of every law, with a bound above and below the reaction.
TEST(Certificate, NoTimeWithoutACertificate) {
  int refused = 0;
  for (const SlipLawKind kind : {SlipLawKind::sign, SlipLawKind::dead_zone, SlipLawKind::hysteresis, SlipLawKind::delay,
                                 SlipLawKind::backlash, SlipLawKind::stribeck, SlipLawKind::tanh}) {
    for (const char* pull : {"0.7", "3.5"}) {
      const MotionCertificate found = Case(belt(pull), SlipLaw{kind, 0.01, 0.8}).certificate(0.5);
      const bool certified = found.refined.not_certified.empty();
      refused += certified ? 0 : 1;
      if (!certified) EXPECT_FALSE(found.refined.sharp.t1 || found.uniform.sharp.t1 || found.refined.t_band) << law_word(kind);
      if (certified)
        EXPECT_EQ(found.refined.sharp.t1.has_value(), (kind == SlipLawKind::sign || kind == SlipLawKind::stribeck))
            << law_word(kind);
    }
  }
  EXPECT_EQ(refused, 9);  // seven under 3.5 N, delay and backlash under 0.7 N
}

// With A = B = 0:  t = (2/c) [s0 - s + s_in ln((s0 - s_in)/(s - s_in))]  down to s = 1.01 s_in, s_in = delta/c.
TEST(Certificate, TimeToEnterTheBand) {
  const Case block(belt("0.7"), SlipLaw{SlipLawKind::dead_zone, 0.02});
  const LawRun law = block.law(2);
  const MotionCertificate found = block.certificate(2);
  EXPECT_FALSE(found.slip.reached) << "sliding at the edge of a dead zone is no sticking";
  const double rho = 1, c = (3 - 0.7) / rho, s0 = 0.4, inner = 3 * 0.02 / c, s = 1.01 * inner;
  EXPECT_NEAR(*found.refined.slip_in_band, inner / rho, 1e-12);
  EXPECT_NEAR(*found.refined.t_band, 2 / c * (s0 - s + inner * std::log((s0 - inner) / (s - inner))), 1e-9);
  const SlipHistory slips = *follow_slips(block.realization, law);
  const auto entered = find_entry_time(law, slips, 1.01 * inner);
  ASSERT_TRUE(entered);
  EXPECT_NEAR(*entered, (0.4 - 1.01 * inner) * 2 / (3 - 0.7), 2e-3) << "to a sample";
  EXPECT_LE(*entered, *found.refined.t_band);
  EXPECT_FALSE(find_entry_time(law, slips, 0.019)) << "it creeps by 0.02 m/s";
}

// Theorem 1: without reactions the slip energy falls like exp(-2k/m t); of rows with coefficients of their own the slowest
// counts. With a reaction r the slip ends within r/k, approached at the same rate.
TEST(Certificate, RateOfViscousForces) {
  const Certificate free = Case(belt("0"), SlipLaw{SlipLawKind::viscous, 5}).certificate(1).refined;
  EXPECT_NEAR(*free.rate, 2 * 5 / 2.0, 1e-12);
  EXPECT_EQ(*free.slip_in_band, 0);
  const Certificate pulled = Case(belt("0.7"), SlipLaw{SlipLawKind::viscous, 5}).certificate(1).refined;
  const double end = 0.7 / 5;
  EXPECT_NEAR(*pulled.slip_in_band, end, 1e-12);
  EXPECT_NEAR(*pulled.t_band, 2 / 5.0 * std::log((0.4 - end) / (0.01 * end)), 1e-9);
  const Case two(read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: { axes: [tx, ty] }, mass: 4, inertia: 0.1 } }
velocity_constraints:
  along: { equation: "sled.tx' = 0", law: { viscous: 3 } }
  across: { equation: "sled.ty' = 0", law: { viscous: 7 } }
initial: { "sled.tx'": 0.4 }
)"));
  EXPECT_NEAR(*two.certificate(1).refined.rate, 2 * 3 / 4.0, 1e-12);
}

// In a tube all that grows is multiplied by the safety factor 1.2, also where less is worse: the block's numbers are constant.
TEST(Certificate, SafetyOfATube) {
  const Case block(belt("0.7"), SlipLaw{SlipLawKind::tanh, 0.01});
  const auto states = list_certificate_states(block.realization, block.ideal(1), false, 1, {.until = 1}, 5);
  SlipSystem system(block.model, list_slip_rows(block.model));
  const auto tube = search_tube(system, *states, 0.1, 16);
  ASSERT_TRUE(tube);
  EXPECT_NEAR(tube->rho1, 1 / std::sqrt(1.2), 1e-12);
  EXPECT_NEAR(tube->rho2, std::sqrt(1.2), 1e-12);
  const Certificate certificate = certify(system, *tube, 0.4, block.realization.law);
  const double c = (3 - 1.2 * 0.7) / std::sqrt(1.2), delta = 0.27846454276107379 * 3 * 0.01;
  EXPECT_NEAR(*certificate.slip_in_band, delta / c * std::sqrt(1.2), 1e-12);
}

// A start beyond s* is not certified, and the limit is named.
TEST(Certificate, SlipBeyondItsBasin) {
  const Model sleigh = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: planar, mass: 1, inertia: 0.5, com: [0.5, 0, 0] } }
velocity_constraints: { blade: { equation: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0", bound: 1.5 } }
initial: { "sled.tx'": 1, "sled.ty'": 0.6, "sled.rz'": 0.4 }
)");
  SlipSystem system(sleigh, list_slip_rows(sleigh));
  const std::vector<State> start{sleigh.initial_state()};
  const auto worst = find_worst_constants(system, start);
  ASSERT_TRUE(worst);
  const Certificate near = certify(system, *worst, 0.1, std::nullopt), far = certify(system, *worst, 100, std::nullopt);
  EXPECT_TRUE(near.sharp.t1);
  EXPECT_FALSE(far.sharp.t1);
  EXPECT_NE(far.not_certified.find("1e+04 J of the start"), std::string::npos) << far.not_certified;
}

// Constraints that say the same take as much energy as one: blades side by side, and a block held twice whose whole kinetic
// energy is lost.
TEST(RedundantSlip, EnergyLost) {
  const Case both(read_case("slip/blades.yaml")), one(read_case("slip/blade1.yaml"));
  const double lost = follow_slips(one.realization, one.law(3))->energy;
  EXPECT_NEAR(lost, 4.92, 0.005);
  EXPECT_NEAR(follow_slips(both.realization, both.law(3))->energy, lost, 1e-6 * lost);
  const Case block(read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { block: { joint: { axes: [tx, ty] }, mass: 3, inertia: 0.1 } }
velocity_constraints:
  a: { equation: "block.tx' = 0", bound: 1 }
  b: { equation: "2*block.tx' = 0", bound: 2 }
initial: { "block.tx'": 0.5, "block.ty'": 2 }
)"));
  EXPECT_NEAR(block.realization.slip_energy, 0.5 * 3 * 0.25, 1e-14);
  EXPECT_NEAR(follow_slips(block.realization, block.law(1))->energy, 0.5 * 3 * 0.25, 1e-5);
}

// Motors of a drive that turns on the spot: what they do and the bodies do not have is lost in the slip.
TEST(RedundantSlip, EnergyLostOfADrive) {
  const Case drive(read_case("vehicles/dd.yaml", {{"TL", "2"}, {"TR", "-2"}}));
  const LawRun law = drive.law(1.2);
  Workspace workspace(drive.model);
  const auto velocity = [&](const State& state, const char* name) { return state.v[*drive.model.find_velocity(name)]; };
  double work = 0;
  for (size_t i = 1; i < law.samples.size(); ++i) {
    const State &a = law.samples[i - 1], &b = law.samples[i];
    const auto power = [&](const State& state) { return 2 * state.t * (velocity(state, "wl'") - velocity(state, "wr'")); };
    work += 0.5 * (b.t - a.t) * (power(a) + power(b));
  }
  const double gained = compute_energy(drive.model, law.samples.back(), workspace).total() -
                        compute_energy(drive.model, law.samples.front(), workspace).total();
  const double lost = follow_slips(drive.realization, law)->energy;
  EXPECT_GT(lost, 100);
  EXPECT_NEAR(lost, work - gained, 1e-4 * lost);
}

// Two laws of a force that lags, T f' + f = u, |u| ≤ R: its swings die out and are not followed for ever, and it keeps the slip
// at zero until u = F + T F' reaches R: for F = 2 t, R = 3, T = 0.05 at t = 1.45 s, not at 1.5 s.
TEST(LaggingForce, SwingsEndAndForceLetsGo) {
  const Case block(belt("2*t"), SlipLaw{SlipLawKind::lag, 0.05});
  const LawRun law = block.law(2);
  const SlipHistory slips = *follow_slips(block.realization, law);
  const std::vector<SlipEvent> events = list_slip_events(block.realization, law, slips);
  EXPECT_LT(events.size(), 2000u);
  const auto find = [&](std::optional<EventKind> kind) {
    return std::find_if(events.begin(), events.end(), [&](const SlipEvent& event) { return event.kind == kind; });
  };
  ASSERT_NE(find(EventKind::stick), events.end());
  ASSERT_NE(find(EventKind::slip), events.end());
  EXPECT_LT(find(EventKind::stick)->t, 1.4);
  EXPECT_NEAR(find(EventKind::slip)->t, 1.45, 1e-6);
  EXPECT_GT(slips.slip.back()[0], 0) << "dragged along by the pull";
  // The case that made 55 788 events.
  const Case case_belt(read_case("slip/belt.yaml"), SlipLaw{SlipLawKind::lag, 0.05});
  const LawRun long_run = case_belt.law(3);
  EXPECT_LT(long_run.result.events.size(), 2000u);
  EXPECT_LT(std::abs(follow_slips(case_belt.realization, long_run)->slip.back()[0]), 1e-9);
}

// The arm comes to a position beyond which its tool cannot follow; so does a pointer whose tip is led sideways, x = sin a = t/2.
TEST(LimitedForce, GoesOnWhereTheIdealMotionEnds) {
  const Case arm(read_case("slip/arm.yaml", {{"a", "0.9"}}));
  const SampledRun ideal = arm.ideal(2);
  ASSERT_TRUE(ideal.result.failure);
  EXPECT_NEAR(ideal.result.final.t, 1.35091, 1e-4);
  EXPECT_LE(ideal.motion.end(), ideal.result.final.t);
  EXPECT_EQ(arm.law(2).result.final.t, 2);

  const Case pointer(read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { pointer: { joint: revolute, mass: 1, inertia: 1 } }
velocity_constraints: { tip: { equation: "cos(pointer)*pointer' = 0.5", bound: 40 } }
initial: { "pointer'": 0.5 }
)yaml"));
  const SampledRun led = pointer.ideal(3);
  ASSERT_TRUE(led.result.failure);
  EXPECT_NEAR(led.result.final.t, 2, 1e-6);
  const LawRun law = pointer.law(3);
  EXPECT_EQ(law.result.final.t, 3);
  const auto history = follow_reactions(pointer.realization.system, led.motion);
  ASSERT_TRUE(history);
  std::vector<Verdict> verdicts = judge_groups(pointer.realization.system, *history, pointer.realization.slip);
  judge_by_motion(pointer.realization, led, law, *follow_slips(pointer.realization, law), verdicts);
  EXPECT_EQ(verdicts[0].verdict, Holds::violated);
  EXPECT_LT(*verdicts[0].first_violation, 2);
}

// Two front wheels steered alike coincide at t = 0, and contradict each other and the speed of the car right after: their
// reactions are without limit there. One of them slips; the rear axle needs no more than that motion asks of it. At the default
// tolerance of `realize` (1e-12) no step led on, because the constraint that goes on was not kept to round-off when the other one
// let go.
TEST(CoincidingConstraints, LeaveTheOthersAlone) {
  std::string text;
  for (std::ifstream file(std::string(VINCULUM_SOURCE_DIR) + "/tests/cases/slip/par.yaml"); std::getline(file, text, '\0');)
    break;
  for (size_t at; (at = text.find("+0.3)")) != std::string::npos;) text.replace(at, 5, ")");
  const Case car(read_model_text(text));
  for (const double tolerance : {1e-10, 1e-12}) {
    SCOPED_TRACE(tolerance);
    const MotionOptions options{.until = 2, .tolerance = tolerance};
    const auto ideal = run_without_slip(car.realization, options);
    ASSERT_TRUE(ideal && ideal->result.failure);
    EXPECT_EQ(ideal->motion.end(), 0) << "no sample of the step that failed";
    const auto law = run_law(car.realization, options);
    ASSERT_TRUE(law) << law.failure().message;
    const auto history = follow_reactions(car.realization.system, ideal->motion);
    ASSERT_TRUE(history);
    std::vector<Verdict> verdicts = judge_groups(car.realization.system, *history, car.realization.slip);
    judge_by_motion(car.realization, *ideal, *law, *follow_slips(car.realization, *law), verdicts);
    EXPECT_EQ(verdicts[0].verdict, Holds::not_unique);
    EXPECT_EQ(verdicts[1].verdict, Holds::not_unique);
    EXPECT_EQ(verdicts[2].verdict, Holds::holds) << verdicts[2].why;
  }
}

// The slip is finite and its energy is not: of a row of the model's own, and of a belt under a ball.
TEST(StartWithSlip, OfAnEnergyBeyondAllNumbersIsRefused) {
  for (const char* text : {R"yaml(
vinculum: 1
bodies: { block: { joint: {type: prismatic, axis: x}, mass: 2 } }
velocity_constraints: { belt: "block' = -1e308" }
)yaml",
                           R"yaml(
vinculum: 1
bodies: { disc: { joint: {axes: [tx, ry]}, mass: 3, inertia: 0.1 } }
velocity_constraints: { roll: "disc.tx' - 0.5*disc.ry' = 3e200" }
)yaml"}) {
    const Model model = read_model_text(text);
    SlipSystem system(model, list_slip_rows(model));
    const auto realization = begin_realization(system, model.initial_state(), std::nullopt);
    ASSERT_FALSE(realization);
    EXPECT_EQ(realization.failure().code, "VN-RUN-132");
  }
}

// A ball thrown onto a belt: it slips because it starts so, and needs 2/7 of the belt's acceleration once it rolls.
TEST(StartWithSlip, IsSaid) {
  const Case ball(read_case("slip/ball.yaml"));
  const auto history = follow_reactions(ball.realization.system, ball.ideal(2).motion);
  ASSERT_TRUE(history);
  const Verdict verdict = judge_groups(ball.realization.system, *history, ball.realization.slip)[0];
  EXPECT_EQ(verdict.verdict, Holds::violated);
  const double needs = 2.0 / 7 * std::hypot(1.3, 0.2 * 9) / 9.81;
  const std::string words = fmt::format("needs friction {:.3g} at t = 0.5236 s", needs);
  EXPECT_NE(verdict.why.find("starts with slip (3.002 m/s); " + words + " once it sticks, available 0.23"), std::string::npos)
      << verdict.why;
  for (const Verdict& followed : ball.law(2).result.verdicts) {
    if (followed.subject != "c.friction") continue;
    EXPECT_NE(followed.why.find("starts with slip (once it sticks it " + words), std::string::npos) << followed.why;
    EXPECT_EQ(followed.why.find("needs more than"), std::string::npos) << followed.why;
  }
}

// Ctrl-C at any state, of the instants or of the search between them, ends the search with that failure.
TEST(Certificate, TheSearchForExtremaStopsWhereverItIsAsked) {
  const Case at(belt("2*sin(4*t)"));
  constexpr int kInstants = 5, kStride = 16;
  const auto states = list_certificate_states(at.realization, at.ideal(1), false, 1, {.until = 1}, (kInstants - 1) * kStride + 1);
  ASSERT_TRUE(states);
  int asked = 0;
  const auto search = [&](int stop_at) {
    asked = 0;
    return refine_worst_constants(at.realization.system, *states, kStride, [&] { return ++asked == stop_at; });
  };
  ASSERT_TRUE(search(0));
  const int all = asked;
  EXPECT_GT(all, kInstants);  // the pull has its extremum between two
  for (int k = 1; k <= all; ++k) {
    const auto stopped = search(k);
    ASSERT_FALSE(stopped) << k;
    EXPECT_EQ(stopped.failure().code, "VN-RUN-150");
  }
}

}  // namespace
}  // namespace vinculum::testing
