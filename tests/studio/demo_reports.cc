// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// studio_demo DIR: writes reports of small mechanisms into DIR, for the browser test and for eyes.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/core.h>

#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/kernels/environment.h"
#include "vinculum/page/report.h"
#include "vinculum/page/report_page.h"
#include "vinculum/page/run_report.h"

namespace {

using namespace vinculum;

BodyDescription body(std::string name, std::string parent, JointType type, Vector3 axis, Vector3 origin, double mass, Vector3 com,
                     Symmetric3 inertia) {
  BodyDescription description;
  description.name = std::move(name);
  description.parent = std::move(parent);
  description.joint.type = type;
  description.joint.axis = axis;
  description.joint.origin = origin;
  description.mass = mass;
  description.com = com;
  description.inertia = inertia;
  return description;
}

Model build(ModelDescription description) {
  Diagnostics diagnostics;
  auto model = build_model(std::move(description), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) std::fprintf(stderr, "%s\n", to_text(diagnostic).c_str());
  if (!model) std::exit(1);
  return std::move(*model);
}

// One step of the classical Runge-Kutta method.
void advance(const Model& model, State& state, double h, Workspace& workspace) {
  const std::size_t nq = state.q.size(), nv = state.v.size();
  std::vector<std::vector<double>> rates(4, std::vector<double>(nq)), accelerations(4, std::vector<double>(nv));
  State stage = state;
  for (int k = 0; k < 4; ++k) {
    const double c = k == 0 ? 0 : k == 3 ? h : h / 2;
    for (std::size_t i = 0; k > 0 && i < nq; ++i) stage.q[i] = state.q[i] + c * rates[k - 1][i];
    for (std::size_t i = 0; k > 0 && i < nv; ++i) stage.v[i] = state.v[i] + c * accelerations[k - 1][i];
    compute_coordinate_rates(model, stage.q, stage.v, rates[k]);
    if (!compute_accelerations(model, state.t + c, stage.q, stage.v, accelerations[k], workspace)) std::exit(1);
  }
  const auto mean = [](const auto& slopes, std::size_t i) {
    return (slopes[0][i] + 2 * slopes[1][i] + 2 * slopes[2][i] + slopes[3][i]) / 6;
  };
  for (std::size_t i = 0; i < nq; ++i) state.q[i] += h * mean(rates, i);
  for (std::size_t i = 0; i < nv; ++i) state.v[i] += h * mean(accelerations, i);
  state.t += h;
}

std::string unit_of(const std::string& name) {
  const bool is_rate = name.ends_with('\'') || name.find(".w") != std::string::npos;
  const bool is_length = name.find(".t") != std::string::npos || name.find("slider") != std::string::npos;
  if (name.find(".q") != std::string::npos) return "1";
  return std::string(is_length ? "m" : "rad") + (is_rate ? "/s" : "");
}

Report simulate(const Model& model, double until, int samples) {
  constexpr int kSubsteps = 4;
  Report report;
  report.title = model.name();
  report.body_poses.resize(model.bodies().size());
  report.environment_poses.resize(model.environment().size());
  for (const std::string& name : model.coordinate_names()) report.series.push_back({"coordinates", name, unit_of(name), {}});
  for (const std::string& name : model.velocity_names()) report.series.push_back({"velocities", name, unit_of(name), {}});
  for (const char* name : {"kinetic", "potential", "total"}) report.series.push_back({"energy", name, "J", {}});
  for (const Body& body : model.bodies()) {
    for (const char* part : {"force", "moment"}) {
      for (const char* axis : {"x", "y", "z"}) {
        report.series.push_back({"reactions", fmt::format("{}.{}.{}", body.name, part, axis), *part == 'f' ? "N" : "N*m", {}});
      }
    }
  }

  Workspace workspace(model);
  State state = model.initial_state();
  std::vector<double> scratch;
  for (int k = 0; k < samples; ++k) {
    for (int step = 0; k > 0 && step < kSubsteps; ++step) advance(model, state, until / (samples - 1) / kSubsteps, workspace);
    report.times.push_back(state.t);
    const auto motions = compute_body_motions(model, state, workspace);
    for (std::size_t i = 0; i < motions.size(); ++i)
      report.body_poses[i].push_back({motions[i].p_WB, to_quaternion(motions[i].R_WB)});
    for (std::size_t i = 0; i < model.environment().size(); ++i) {
      const EnvironmentMotion motion = compute_environment_motion(model.environment()[i], state.t, scratch);
      report.environment_poses[i].push_back({motion.p_WE, to_quaternion(motion.R_WE)});
    }
    std::size_t series = 0;
    const auto note = [&](double value) { report.series[series++].values.push_back(value); };
    for (const double q : state.q) note(q);
    for (const double v : state.v) note(v);
    const Energy energy = compute_energy(model, state, workspace);
    for (const double e : {energy.kinetic, energy.potential, energy.total()}) note(e);
    const auto forward = compute_forward_dynamics(model, state, workspace);
    if (!forward) std::exit(1);
    for (const Wrench& reaction : forward->reactions_W) {
      for (const Vector3& part : {reaction.force, reaction.moment}) {
        for (int i = 0; i < 3; ++i) note(part[i]);
      }
    }
  }
  report.facts = {{"integrator", "Runge-Kutta 4"},
                  {"steps", fmt::format("{}", kSubsteps * (samples - 1))},
                  {"until", fmt::format("{} s", until)}};
  return report;
}

// Zeros of a curve, as events.
void mark_zeros(Report& report, const std::string& curve, const std::string& event) {
  for (const ReportSeries& series : report.series) {
    if (series.name != curve) continue;
    for (std::size_t k = 1; k < report.times.size(); ++k) {
      const double a = series.values[k - 1], b = series.values[k];
      if (a * b < 0)
        report.events.push_back({report.times[k - 1] + a / (a - b) * (report.times[k] - report.times[k - 1]), event});
    }
  }
}

void write(const std::filesystem::path& path, const Model& model, const Report& report) {
  const auto written = write_report(path.string(), model, report);
  if (written) return;
  std::fprintf(stderr, "%s\n", written.failure().message.c_str());
  std::exit(1);
}

void double_pendulum(const std::filesystem::path& directory) {
  ModelDescription description;
  description.name = "Double pendulum";
  const Vector3 y{0, 1, 0};
  description.bodies = {body("upper", "world", JointType::revolute, y, {}, 2, {0, 0, -0.5}, {0.17, 0.17, 0.005}),
                        body("lower", "upper", JointType::revolute, y, {0, 0, -1}, 1, {0, 0, -0.4}, {0.06, 0.06, 0.002})};
  description.initial = {{"upper", 1.9, {}}, {"lower", 0.6, {}}};
  const Model model = build(description);
  Report report = simulate(model, 10, 1201);
  mark_zeros(report, "upper", "upper hangs");
  mark_zeros(report, "lower'", "lower turns");
  report.verdicts = {
      {"front wheel", Holds::violated, 0.85, 4.89, "slips: needs friction 0.71, available 0.60; sticks again at t = 7.13 s"},
      {"rear wheel", Holds::holds, 1.62, std::nullopt, "needs friction 0.37, available 0.60"},
      {"reactions", Holds::not_unique, std::nullopt, std::nullopt,
       "hinge.2 and hinge.3 carry the same load; only their sum is determined"},
      {"energy", Holds::holds, std::nullopt, std::nullopt, "drift 3e-9 J of 34 J"}};
  report.facts.push_back({"hostile", "</script><script>throw new Error('escaped')</script><!--"});
  write(directory / "double_pendulum.html", model, report);
}

// The pendulum again, from another angle: two runs in one page. And with more events than can be listed.
void overlaid_and_eventful(const std::filesystem::path& directory) {
  ModelDescription description;
  description.name = "Pendulum";
  const Vector3 y{0, 1, 0};
  description.bodies = {body("bob", "world", JointType::revolute, y, {}, 2, {0, 0, -0.5}, {0.17, 0.17, 0.005})};
  description.initial = {{"bob", 0.4, {}}};
  const Model model = build(description);
  Report report = simulate(model, 4, 401);
  description.initial = {{"bob", 0.8, {}}};
  const Model second = build(description);
  Report longer = simulate(second, 5, 601);
  longer.title = "Pendulum, wider";
  longer.verdicts = {{"bob.position", Holds::not_unique, std::nullopt, 1.25, "it could be there or here"}};
  const auto written = write_overlaid_report((directory / "overlay.html").string(), model, report, second, longer);
  if (!written) std::exit(1);

  report.title = "A million events";
  for (int k = 0; k < 1'000'000; ++k) report.events.push_back({4e-6 * k, k % 1000 == 0 ? "thousandth" : "chatter"});
  report.verdicts = longer.verdicts;
  write(directory / "events.html", model, report);
}

// A cart that goes 60 m, pushed and held back; 40 curves of one unit.
void vehicle(const std::filesystem::path& directory) {
  ModelDescription description;
  description.name = "Vehicle";
  BodyDescription cart = body("cart", "world", JointType::free, {0, 0, 1}, {}, 3, {}, {0.1, 0.3, 0.3});
  cart.shapes = {{Box{{1.2, 0.6, 0.4}}, {}, kIdentity3, ""}};
  BodyDescription mast = body("mast", "cart", JointType::revolute, {0, 1, 0}, {0, 0, 0.2}, 0.5, {0, 0, 0.3}, {0.02, 0.02, 0.001});
  description.bodies = {cart, mast};
  const Model model = build(description);
  Report report;
  report.body_poses.resize(2);
  report.series = {{"coordinates", "cart.tx", "m", {}}, {"coordinates", "cart.ty", "m", {}}};
  for (int i = 0; i < 40; ++i) report.series.push_back({"velocities", fmt::format("channel{}", i), "m/s", {}});
  for (const char* axis : {"x", "y", "z"}) report.series.push_back({"reactions", fmt::format("mast.force.{}", axis), "N", {}});
  report.arrows = {{"loads", "push", 0, {-0.6, 0, 0}, false, {}}, {"drives", "mast", 1, {}, true, {}}};
  report.grips = {{"tyre", "", 0.8, {}, {}}};
  report.verdicts = {{"mast.position", Holds::violated, 0.5, 4.0, "it hits its stop"}};
  for (int k = 0; k <= 400; ++k) {
    const double t = k / 40.0, turn = 0.3 * std::sin(t);
    const Vector3 at{6 * t, 4 * std::sin(t), 0.4};
    report.times.push_back(t);
    report.body_poses[0].push_back({at, {std::cos(turn / 2), 0, 0, std::sin(turn / 2)}});
    report.body_poses[1].push_back({at + Vector3{0, 0, 0.2}, {std::cos(turn / 2), 0, 0, std::sin(turn / 2)}});
    size_t series = 0;
    const auto note = [&](double value) { report.series[series++].values.push_back(value); };
    note(at.x), note(at.y);
    for (int i = 0; i < 40; ++i) note(i + std::sin(t + i));
    note(0), note(3 * std::cos(t)), note(5);
    report.arrows[0].vectors.push_back({12, 3 * std::sin(t), 0});
    report.arrows[1].vectors.push_back({0, 0.4 * std::cos(t), 0});
    report.grips[0].lateral.push_back(0.5 * std::sin(t));
    report.grips[0].forward.push_back(0.3);
  }
  write(directory / "vehicle.html", model, report);
}

// A body on each kind of joint, at a state far from zero: the page must put them where the library does.
void poses(const std::filesystem::path& directory) {
  ModelDescription description;
  description.name = "All joints";
  const Symmetric3 inertia{0.02, 0.02, 0.02};
  const auto add = [&](std::string name, std::string parent, JointType type, Vector3 axis) -> BodyDescription& {
    description.bodies.push_back(
        body(std::move(name), std::move(parent), type, axis, {0.3, -0.2, 0.5}, 1, {0.1, 0, 0.2}, inertia));
    description.bodies.back().joint.rotation = rotation_about({2 / 3.0, -1 / 3.0, 2 / 3.0}, 0.7);
    return description.bodies.back();
  };
  add("turned", "world", JointType::revolute, {1, -1, 2});
  add("slid", "turned", JointType::prismatic, {0, 1, 1});
  add("screwed", "slid", JointType::screw, {0, 0, -1}).joint.pitch = 0.05;
  add("ball", "screwed", JointType::spherical, {0, 0, 1});
  add("flat", "ball", JointType::planar, {0, 0, 1});
  add("fork", "flat", JointType::universal, {0, 0, 1});
  add("fixed", "fork", JointType::fixed, {0, 0, 1});
  add("free", "world", JointType::free, {0, 0, 1});
  add("on", "free", JointType::cylindrical, {0, 0, 1});
  const Model model = build(description);
  State state = model.initial_state();
  for (size_t i = 0; i < state.q.size(); ++i) state.q[i] += 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(i));
  for (const Link& link : model.tree().links) {
    if (link.kind != LinkKind::spherical && link.kind != LinkKind::free) continue;
    double* const Q = &state.q[link.q + (link.kind == LinkKind::free ? 3 : 0)];
    const double size = std::sqrt(Q[0] * Q[0] + Q[1] * Q[1] + Q[2] * Q[2] + Q[3] * Q[3]);
    for (int k = 0; k < 4; ++k) Q[k] /= size;
  }
  const auto written = write_pose_report((directory / "pose.html").string(), model, state, "joints.yaml");
  if (written) return;
  std::fprintf(stderr, "%s\n", written.failure().message.c_str());
  std::exit(1);
}

void spinning_top(const std::filesystem::path& directory) {
  ModelDescription description;
  description.name = "Spinning top";
  BodyDescription top = body("top", "world", JointType::spherical, {0, 0, 1}, {}, 0.5, {0, 0, 0.12}, {8e-4, 8e-4, 1.2e-3});
  top.shapes = {{Cylinder{0.075, 0.02}, {0, 0, 0.12}, kIdentity3, ""},
                {Cylinder{0.006, 0.2}, {0, 0, 0.1}, kIdentity3, "#8a8f98"},
                {Sphere{0.012}, {0, 0, 0.205}, kIdentity3, "#d2574c"}};
  description.bodies = {top};
  EnvironmentDescription table;
  table.name = "table";
  table.surface = Expression(0.0);
  table.position = {Expression(0.0), Expression(0.0), Expression(-0.002)};
  description.environment = {table};
  const double half = 0.15;
  description.initial = {{"top.qw", std::cos(half), {}}, {"top.qx", std::sin(half), {}}, {"top.wz", 160, {}}};
  const Model model = build(description);
  Report report = simulate(model, 3, 6001);
  report.verdicts = {{"tip", Holds::holds, 3.4, std::nullopt, "stays on the table: the largest tilt is 0.52 rad"}};
  write(directory / "spinning_top.html", model, report);
}

void tree_of_thirty(const std::filesystem::path& directory) {
  ModelDescription description;
  description.name = "Tree of thirty bodies";
  for (int i = 0; i < 30; ++i) {
    const int parent = i == 0 ? -1 : (i - 1) / 2;
    const double length = 0.9 * std::pow(0.78, std::floor(std::log2(i + 1)));
    const double base = i == 0 ? 0 : 0.9 * std::pow(0.78, std::floor(std::log2(parent + 1)));
    const double mass = 4 * length * length;
    BodyDescription link = body(fmt::format("limb{}", i + 1), parent < 0 ? "world" : fmt::format("limb{}", parent + 1),
                                i % 5 == 3 ? JointType::spherical : JointType::revolute,
                                i % 3 == 0 ? Vector3{0, 1, 0} : Vector3{1, 0.3, 0}, {0, 0, -base}, mass, {0, 0, -length / 2},
                                {mass * length * length / 11, mass * length * length / 11.5, mass * length * length / 100});
    if (i > 0) link.joint.rotation = rotation_about({i % 4 < 2 ? 1. : 0., i % 4 < 2 ? 0. : 1., 0}, i % 2 == 0 ? 0.5 : -0.5);
    description.bodies.push_back(link);
  }
  description.initial = {{"limb1", 0.8, {}}, {"limb2", 0.5, {}}, {"limb3", -0.7, {}}};
  const Model model = build(description);
  Report report = simulate(model, 6, 1801);
  mark_zeros(report, "limb1", "trunk hangs");
  write(directory / "tree.html", model, report);
}

// A tetrahedron of edge √2, ASCII.
void write_tetrahedron(const std::filesystem::path& path) {
  constexpr int kCorners[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  constexpr int kFaces[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  std::ofstream file(path);
  file << "solid tetrahedron\n";
  for (const auto& face : kFaces) {
    file << "facet normal 0 0 0\nouter loop\n";
    for (const int corner : face)
      file << "vertex " << kCorners[corner][0] << ' ' << kCorners[corner][1] << ' ' << kCorners[corner][2] << '\n';
    file << "endloop\nendfacet\n";
  }
  file << "endsolid\n";
}

// All that can be drawn: a rail, a spring, a mesh, a missing mesh, a point mass, a moving surface.
void gallery(const std::filesystem::path& directory) {
  write_tetrahedron(directory / "tetrahedron.stl");
  ModelDescription description;
  description.name = "Slider, spring and pendulum over a swell";
  BodyDescription slider = body("slider", "world", JointType::prismatic, {1, 0, 0}, {0, 0, 1}, 2, {}, {0.02, 0.02, 0.02});
  slider.shapes = {{Box{{0.3, 0.2, 0.15}}, {}, kIdentity3, "#3aa5c6"}};
  BodyDescription bob = body("bob", "slider", JointType::revolute, {0, 1, 0}, {}, 0.8, {0, 0, -0.6}, {});
  BodyDescription crystal = body("crystal", "world", JointType::free, {0, 0, 1}, {}, 1, {0.1, 0.1, 0.1}, {0.01, 0.012, 0.015});
  crystal.shapes = {{Mesh{"tetrahedron.stl", 0.2}, {}, kIdentity3, ""}};
  BodyDescription ghost = body("ghost", "world", JointType::free, {0, 0, 1}, {}, 1, {}, {0.01, 0.02, 0.025});
  ghost.shapes = {{Mesh{"missing.stl", 1}, {}, kIdentity3, ""}};
  description.bodies = {slider, bob, crystal, ghost};
  description.gravity = {0, 0, -1};
  EnvironmentDescription swell;
  swell.name = "swell";
  Expression::Builder x;
  swell.surface = x.build(x.binary(
      Operation::multiply, x.constant(0.08),
      x.unary(Operation::sin, x.binary(Operation::multiply, x.constant(4), x.variable({VariableKind::surface_x, 0}, "x")))));
  Expression::Builder t;
  const Expression rise =
      t.build(t.binary(Operation::multiply, t.constant(0.05), t.unary(Operation::sin, t.variable({VariableKind::time, 0}, "t"))));
  swell.position = {Expression(0.0), Expression(0.0), rise};
  description.environment = {swell};
  ForceDescription spring;
  spring.name = "spring";
  spring.law = SpringForce{{std::string("world"), {-1, 0, 1}}, {std::string("slider"), {-0.15, 0, 0}}, 30, 0.1, 0.7};
  description.forces = {spring};
  description.initial = {{"slider", 0.4, {}},     {"bob", 0.9, {}},       {"crystal.tx", -0.4, {}}, {"crystal.ty", -0.6, {}},
                         {"crystal.tz", 0.6, {}}, {"crystal.tz'", 2, {}}, {"crystal.wy", 3, {}},    {"ghost.tx", 0.5, {}},
                         {"ghost.ty", 0.5, {}},   {"ghost.tz", 0.5, {}},  {"ghost.tz'", 2, {}},     {"ghost.wx", 1, {}},
                         {"ghost.wy", 4, {}}};
  const Model model = build(description);
  Report report = simulate(model, 4, 801);
  report.mesh_directory = directory.string();
  mark_zeros(report, "slider'", "slider turns");
  report.verdicts = {
      {"guide", Holds::impossible, std::nullopt, 2.31, "no variant of the loaded faces is realised: the slider jams"},
      {"string", Holds::not_checked, std::nullopt, std::nullopt, "no string in this model"}};
  write(directory / "gallery.html", model, report);

  report.end = {"failed", "after t = 4 s: the steps have fallen to 1e-12 s", 4, 10};
  report.verdicts = {{"energy", Holds::holds, 120, std::nullopt, "it stayed constant to 1e-9 J"},
                     {"guide", Holds::violated, 0.5, 2.31, "the slider jams"}};
  write(directory / "failed.html", model, report);
}

// A disc rolls down a slope, from rest:  s = g sin α t² / 3 ,  normal m g cos α ,  friction m g sin α / 3.
void rolling_disc(const std::filesystem::path& directory) {
  constexpr double kRadius = 0.3, kMass = 2, kSlope = 0.35, kGravity = 9.81;
  ModelDescription description;
  description.name = "Disc on a slope";
  BodyDescription disc = body("disc", "world", JointType::free, {0, 0, 1}, {}, kMass, {}, {0.045, 0.09, 0.045});
  disc.shapes = {{Cylinder{kRadius, 0.06}, {}, rotation_about({1, 0, 0}, M_PI / 2), ""}};
  description.bodies = {disc};
  EnvironmentDescription slope;
  slope.name = "slope";
  Expression::Builder z;
  slope.surface =
      z.build(z.binary(Operation::multiply, z.constant(-std::tan(kSlope)), z.variable({VariableKind::surface_x, 0}, "x")));
  description.environment = {slope};
  const Model model = build(description);

  const Vector3 down{std::cos(kSlope), 0, -std::sin(kSlope)}, normal{std::sin(kSlope), 0, std::cos(kSlope)};
  const Quaternion axes = to_quaternion(Matrix3{normal, cross(down, normal), down});
  Report report;
  report.body_poses.resize(1);
  report.environment_poses.resize(1);
  report.series = {{"coordinates", "disc.tx", "m", {}}};
  report.elements = {{"rim", {true, false, true}, {true, false, false}, {}, {}}};
  for (int k = 0; k <= 300; ++k) {
    const double t = k / 200.0, s = kGravity * std::sin(kSlope) * t * t / 3;
    const Vector3 center = s * down + kRadius * normal;
    report.times.push_back(t);
    report.body_poses[0].push_back({center, {std::cos(s / kRadius / 2), 0, std::sin(s / kRadius / 2), 0}});
    report.environment_poses[0].push_back({{}, {1, 0, 0, 0}});
    report.series[0].values.push_back(center.x);
    report.elements[0].frames.push_back({s * down, axes});
    report.elements[0].forces.push_back(kMass * kGravity * (std::cos(kSlope) * normal - std::sin(kSlope) / 3 * down));
  }
  write(directory / "rolling_disc.html", model, report);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (!report_page_available()) {
    std::puts("skipped: this build has no report page");
    return 0;
  }
  const std::filesystem::path directory = argv[1];
  std::filesystem::create_directories(directory);
  double_pendulum(directory);
  overlaid_and_eventful(directory);
  vehicle(directory);
  poses(directory);
  spinning_top(directory);
  tree_of_thirty(directory);
  gallery(directory);
  rolling_disc(directory);
  return 0;
}
