// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Steady motions put into the general engine, free bodies with strings between them: the same accelerations and tensions, motions
// that stay, and departures that grow as predicted.
#include <numbers>

#include "tests/strings/worked_strings.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/simulation/run.h"
#include "vinculum/strings/steady_search.h"
#include "vinculum/strings/steady_spatial.h"

namespace vinculum::testing {
namespace {

struct EngineCase {
  std::string name;
  const TreeData* data;
  double rate;
  SteadyMotion motion;
};

std::vector<EngineCase> engine_cases() {
  std::vector<EngineCase> cases;
  const auto add = [&](const std::string& name, const TreeData& data, double rate, const std::vector<double>& angles) {
    const StringTree tree = make_tree(data);
    for (const Sides& sides : enumerate_sides(std::vector<int>(tree.size(), 0))) {
      std::string label = name;
      for (const int side : sides) label += side > 0 ? "+" : "-";
      cases.push_back({label, &data, rate, compute_coplanar_motion(tree, rate, angles, sides)});
    }
  };
  add("W1", kT1, 2.5, {0.4});
  add("W2", kT1, 5, {0.4});
  add("W5", kT2, 5.4, {.33, .48});
  add("W7", kT3, 4.9, {-.11, .21, .77});
  add("W8", kT4, 5.8, {.04, -.05, -.6, -.88});
  const StringTree two = make_tree(kT2), carousel = make_tree(kT5);
  cases.push_back({"W6", &kT2, 7, find_bent_chains(two, 7, {std::nullopt, 0.5}, {std::nullopt, 2}, {1, 1})->front()});
  const auto ride = [&](double rate, double a, double b, double c) {
    return find_carousels(carousel, rate, 0, {std::nullopt, a, b, c}, {{}, {}, {}, {}}, {1, 1, 1, 1})->front();
  };
  cases.push_back({"W9 stable", &kT5, 4, ride(4, .7, .6, .72)});
  cases.push_back({"W9 unstable", &kT5, 5, ride(5, .5, .45, .55)});
  const auto locked = find_prescribed_motions(two, 10, std::vector<SpinLaw>(2));
  for (const SteadyMotion& motion : locked->motions)
    cases.push_back({fmt::format("T2 at 10 rad/s, tilts {:.3f} {:.3f}", motion.tilts[0], motion.tilts[1]), &kT2, 10, motion});
  return cases;
}

class Listener : public RunListener {
 public:
  void on_sample(const Sample& sample) override { samples.push_back(sample); }
  std::vector<Sample> samples;
};

std::vector<Sample> simulate(const Model& model, const State& start, double until, double every, double tolerance = 1e-12) {
  RunOptions options;
  options.until = until;
  options.every = every;
  options.tolerance = tolerance;
  options.watch_integrals = false;
  Listener listener;
  const auto result = run_simulation(model, start, options, listener);
  if (!result) throw std::runtime_error(result.failure().message);
  if (result->failure) throw std::runtime_error(result->failure->message);
  return listener.samples;
}

// Distance from the axis and height of both ends of every body's axis.
std::vector<double> shape_of(const Model& model, const State& state) {
  Workspace workspace(model);
  std::vector<double> values;
  const auto motions = compute_body_motions(model, state, workspace);
  for (size_t i = 0; i < motions.size(); ++i) {
    for (const Vector3& point : {Vector3{}, model.bodies()[i].p_BoBcm_B}) {
      const Vector3 p = motions[i].p_WB + motions[i].R_WB * point;
      values.push_back(std::hypot(p.x, p.y));
      values.push_back(p.z);
    }
  }
  return values;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// Every steady motion is one for the engine: v' is that of a turning skeleton with spinning bodies, multipliers are the tensions.
TEST(SteadyInTheEngine, ResidualIsZero) {
  for (const EngineCase& c : engine_cases()) {
    SCOPED_TRACE(c.name);
    ASSERT_TRUE(c.motion.feasible()) << c.motion.detail;
    const Model model = read_strings(string_model_text(*c.data));
    const StringTree tree = find_string_trees(model)->front();
    const State start = make_steady_state(model, {tree}, {c.motion});
    const auto samples = simulate(model, start, 1e-6, 1e-6);
    const auto centres = compute_mass_centres(tree, c.motion.x);
    const Vector3 turning{0, 0, c.rate};
    for (int i = 0; i < tree.size(); ++i) {
      const HungBody& hung = tree.bodies[i];
      const Body& body = model.bodies()[hung.body];
      const Vector3 e = tree.R_WE * c.motion.x[i], w = turning + c.motion.spins[i] * e,
                    change = cross(turning, c.motion.spins[i] * e);
      const Vector3 arm = hung.arm * e;  // from the pole, the string's end, to the mass centre
      const Vector3 r = tree.R_WE * centres[i];
      const Vector3 pole = cross(turning, cross(turning, r)) - cross(change, arm) - cross(w, cross(w, arm));
      const auto& v = samples[0].dynamics.accelerations;
      const double scale = 1 + c.motion.spins[i] * c.motion.spins[i];
      EXPECT_LT(norm(Vector3{v[body.v], v[body.v + 1], v[body.v + 2]} - pole), 1e-10 * scale) << hung.name;
      EXPECT_NEAR(norm(Vector3{v[body.v + 3], v[body.v + 4], v[body.v + 5]}), norm(change), 1e-10 * scale) << hung.name;
      EXPECT_NEAR(samples[0].multipliers[i], c.motion.tensions[i], 1e-10 * tree.weight[0]) << hung.string;
    }
  }
}

// Hung 0.5 m beside the axis of a carrier that turns: tensions at the start and after a revolution.
TEST(SteadyInTheEngine, BesideTheAxisOfACarrier) {
  std::string text =
      string_model_text(kT2, "arm", "environment: { arm: { rotation: { axis: z, angle: \"3.1*t\" }, position: [0.2, 0, 1] } }\n");
  text.replace(text.find("at: [0, 0, 0]"), 13, "at: [0.5, 0, 0]");
  const Model model = read_strings(text);
  const StringTree tree = find_string_trees(model)->front();
  const SteadyMotion motion = compute_coplanar_motion(tree, 3.1, std::vector{0.4, 0.25}, {1, 1});
  ASSERT_TRUE(motion.feasible()) << motion.detail;
  const double turn = 2 * std::numbers::pi / 3.1;
  const auto samples = simulate(model, make_steady_state(model, {tree}, {motion}), turn, turn);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(samples.front().multipliers[i], motion.tensions[i], 1e-10 * tree.weight[0]);
    EXPECT_NEAR(samples.back().multipliers[i], motion.tensions[i], 1e-6 * tree.weight[0]);
  }
}

// Stable ones stay where they are for 20 revolutions.
TEST(SteadyInTheEngine, StableOnesStay) {
  int stable = 0;
  for (const EngineCase& c : engine_cases()) {
    const Model model = read_strings(string_model_text(*c.data));
    const StringTree tree = find_string_trees(model)->front();
    if (analyse_stability(tree, c.motion).verdict != SteadyVerdict::stable) continue;
    SCOPED_TRACE(c.name);
    ++stable;
    const State start = make_steady_state(model, {tree}, {c.motion});
    const double until = 20 * 2 * std::numbers::pi / c.rate;
    const auto samples = simulate(model, start, until, until / 50);
    const auto shape = shape_of(model, start);
    for (const Sample& sample : samples) EXPECT_LT(distance(shape_of(model, sample.state), shape), 1e-6) << sample.state.t;
  }
  EXPECT_GE(stable, 3);
}

// A departure along the growing mode, spin momenta kept, grows by exp(growth T) in one of its periods T.
TEST(SteadyInTheEngine, DeparturesGrowAsPredicted) {
  int unstable = 0;
  for (const EngineCase& c : engine_cases()) {
    if (c.name != "W2-" && c.name != "W5+-" && c.name != "W6" && c.name != "W8-+++") continue;
    SCOPED_TRACE(c.name);
    ++unstable;
    const Model model = read_strings(string_model_text(*c.data));
    const StringTree tree = find_string_trees(model)->front();
    const SteadyStability stability = analyse_stability(tree, c.motion);
    ASSERT_GT(stability.growth, 0);
    const double period =
        stability.growth_frequency > 1e-6 ? 2 * std::numbers::pi / stability.growth_frequency : 0.5 / stability.growth;
    const double wait = std::ceil(9.5 / (stability.growth * period)) * period;
    const double size = 1e-4 * std::exp(-stability.growth * (wait + period));  // small to the end: nothing but the mode shows
    SteadyMotion departed = c.motion;
    for (size_t a = 0; a < departed.x.size(); ++a) {
      departed.x[a] += size * stability.mode[a];
      departed.x[a] = (1 / norm(departed.x[a])) * departed.x[a];
    }
    for (int i = 0; i < tree.size(); ++i)
      departed.spins[i] = departed.momenta[i] / tree.bodies[i].axial - c.rate * departed.x[i].z;
    const auto shape = shape_of(model, make_steady_state(model, {tree}, {c.motion}));
    const auto samples = simulate(model, make_steady_state(model, {tree}, {departed}), wait + period, period, 1e-13);
    const double first = distance(shape_of(model, samples[samples.size() - 2].state), shape),
                 second = distance(shape_of(model, samples.back().state), shape);
    EXPECT_NEAR(std::log(second / first) / (samples.back().state.t - samples[samples.size() - 2].state.t) / stability.growth, 1,
                1e-3);
  }
  EXPECT_EQ(unstable, 4);
}

}  // namespace
}  // namespace vinculum::testing
