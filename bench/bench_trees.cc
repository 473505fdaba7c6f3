// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Time of the laws of trees, ours beside other engines on the same models and states: MODEL/ALGORITHM and MODEL/ALGORITHM/PEER.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/models.h"
#include "bench/peers/peer.h"
#include "vinculum/constraints/point_loops.h"
#include "vinculum/constraints/sparse_constraints.h"
#include "vinculum/dynamics/applied.h"
#include "vinculum/dynamics/batch.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/files/read_model.h"

namespace vinculum::bench {
namespace {

struct PeerKind {
  const char* name;
  const char* version;
  MakePeer* make;
};

// The engines found when this was built.
const std::vector<PeerKind> kPeers = {
#ifdef VINCULUM_PEER_SIMBODY
    {"simbody", VINCULUM_PEER_SIMBODY, make_simbody_peer},
#endif
#ifdef VINCULUM_PEER_MUJOCO
    {"mujoco", VINCULUM_PEER_MUJOCO, make_mujoco_peer},
#endif
#ifdef VINCULUM_PEER_PINOCCHIO
    {"pinocchio", VINCULUM_PEER_PINOCCHIO, make_pinocchio_peer},
#endif
#ifdef VINCULUM_PEER_RBDL
    {"rbdl", VINCULUM_PEER_RBDL, make_rbdl_peer},
#endif
};

Model build(const ModelDescription& words) {
  Diagnostics diagnostics;
  auto model = build_model(words, diagnostics);
  if (!model) throw std::runtime_error(to_text(diagnostics.list().front()));
  return std::move(*model);
}

// Another engine with the model, or why it cannot hold it.
struct Guest {
  std::unique_ptr<Peer> peer;
  std::string refusal;
};

// A model in our engine, with as many states as keep branch predictors and caches honest, each with forces of its own.
struct Subject {
  explicit Subject(const std::string& name)
      : model(load(name, samples)), workspace(model), accelerations(model.velocity_names().size()), batch(model) {
    motions.resize(model.bodies().size());
    forces.resize(accelerations.size());
  }

  static Model load(const std::string& name, std::vector<Sample>& samples) {
    Model model = build(describe_model(name));
    const int count = std::clamp(8000 / static_cast<int>(model.velocity_names().size()), 2, 64);
    for (int k = 0; k < count; ++k) samples.push_back(draw_sample(model, k));
    return model;
  }

  int count() const { return static_cast<int>(samples.size()); }

  void compute_forward(int k) {
    const State& state = samples[k].state;
    if (!compute_accelerations(model, state.t, state.q, state.v, accelerations, workspace, {.tau = samples[k].forces}))
      throw std::runtime_error("no accelerations");
  }

  // All samples side by side, and room for what a batch finds.
  void gather() {
    if (states.count > 0) return;
    std::vector<State> all;
    for (const Sample& sample : samples) all.push_back(sample.state);
    states = make_batch(all);
    for (size_t i = 0; i < accelerations.size(); ++i) {
      for (const Sample& sample : samples) given.push_back(sample.accelerations[i]), tau.push_back(sample.forces[i]);
    }
  }
  std::span<double> room(size_t numbers_a_state) {
    results.resize(std::max(results.size(), numbers_a_state * states.count));
    return results;
  }
  void compute_derivatives(int k) {
    if (!differentiator) differentiator.emplace(model);
    if (compute_forward_derivatives(model, samples[k].state, *differentiator, derivatives, {.tau = samples[k].forces}))
      throw std::runtime_error("no derivatives");
  }

  std::vector<Sample> samples;
  Model model;
  Workspace workspace;
  std::vector<double> accelerations, forces;
  std::vector<BodyMotion> motions;
  Eigen::MatrixXd mass_matrix;
  std::optional<DerivativesWorkspace> differentiator;
  ForwardDerivatives derivatives;
  Batch batch;
  StateBatch states;
  std::vector<double> given, tau, results;
  std::map<std::string, Guest> guests;  // by the name of the engine
};

// One law: how we compute it for sample k, and for all samples at once; and how a peer does.
struct Algorithm {
  const char* name;
  void (*ours)(Subject& subject, int k);
  void (*batch)(Subject& subject);
  void (Peer::*theirs)(int k);
  int most_velocities = std::numeric_limits<int>::max();           // for larger models it takes too much memory,
  int most_velocities_in_batch = std::numeric_limits<int>::max();  // or time
};

constexpr int kDense = 2000;

const Algorithm kAlgorithms[] = {
    {"forward", [](Subject& s, int k) { s.compute_forward(k); },
     [](Subject& s) {
       if (!compute_accelerations(s.batch, s.states, s.room(s.accelerations.size()), s.tau).empty())
         throw std::runtime_error("no accelerations");
     },
     &Peer::forward},
    {"inverse",
     [](Subject& s, int k) {
       const auto& [state, forces, accelerations] = s.samples[k];
       compute_forces(s.model, state.t, state.q, state.v, accelerations, s.forces, s.workspace);
     },
     [](Subject& s) { compute_forces(s.batch, s.states, s.given, s.room(s.forces.size())); }, &Peer::inverse},
    {"mass_matrix", [](Subject& s, int k) { compute_mass_matrix(s.model, s.samples[k].state.q, s.workspace, s.mass_matrix); },
     [](Subject& s) { compute_mass_matrices(s.batch, s.states, s.room(s.forces.size() * s.forces.size())); }, &Peer::mass_matrix,
     kDense, 200},
    {"forward_derivatives", [](Subject& s, int k) { s.compute_derivatives(k); },
     // The columns of one state fill the lanes already.
     [](Subject& s) {
       for (int k = 0; k < s.states.count; ++k) s.compute_derivatives(k);
     },
     nullptr, kDense, 200},
    {"kinematics",
     [](Subject& s, int k) { compute_body_motions(s.model, s.samples[k].state.q, s.samples[k].state.v, s.motions, s.workspace); },
     [](Subject& s) { compute_body_motions(s.batch, s.states, s.room(18 * s.motions.size())); }, &Peer::kinematics},
};

// Engines that disagree do not do the same work: then there is nothing to measure.
void require_agreement(const std::string& what, const std::vector<double>& ours, const std::vector<double>& theirs) {
  double scale = 1, difference = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    scale = std::max(scale, std::abs(ours[i]));
    difference = std::max(difference, std::abs(ours[i] - theirs[i]));
  }
  if (difference <= 1e-9 * scale) return;
  fmt::print(stderr, "{} differ from ours by {:.3g}, the largest is {:.3g}: nothing is measured\n", what, difference, scale);
  std::exit(1);
}

Guest invite(const std::string& model_name, const PeerKind& kind, Subject& subject) {
  Guest guest;
  guest.peer = kind.make(subject.model, guest.refusal);
  if (!guest.peer) return guest;
  guest.peer->take(subject.samples);
  for (int k = 0; k < static_cast<int>(subject.samples.size()); ++k) {
    const Sample& sample = subject.samples[k];
    const std::string where = fmt::format("{}, state {}, {}", model_name, k, kind.name);
    subject.compute_forward(k);
    guest.peer->forward(k);
    require_agreement(where + ": accelerations", subject.accelerations, guest.peer->accelerations());
    guest.peer->inverse(k);
    const auto inverse = compute_inverse_dynamics(subject.model, sample.state, sample.accelerations, subject.workspace);
    require_agreement(where + ": forces", inverse.forces, guest.peer->forces());
    if (k > 0 || static_cast<int>(subject.accelerations.size()) > kDense) continue;
    guest.peer->mass_matrix(k);
    if (const std::vector<double> theirs = guest.peer->matrix(); !theirs.empty()) {
      const Eigen::MatrixXd ours = compute_mass_matrix(subject.model, sample.state, subject.workspace);
      require_agreement(where + ": mass matrices", {ours.data(), ours.data() + ours.size()}, theirs);
    }
    if (!guest.peer->forward_derivatives(k)) continue;
    subject.compute_derivatives(k);
    const Eigen::MatrixXd by_v = subject.derivatives.by_v;
    require_agreement(where + ": derivatives", {by_v.data(), by_v.data() + by_v.size()}, guest.peer->derivative_by_velocity());
  }
  return guest;
}

// Models and guests are made when first measured, and kept: interleaved runs come back to them.
class Subjects {
 public:
  Subject& find(const std::string& name) {
    auto& subject = subjects_[name];
    if (!subject) subject = std::make_unique<Subject>(name);
    return *subject;
  }
  Guest& find_guest(const std::string& name, const PeerKind& kind) {
    Subject& subject = find(name);
    const auto found = subject.guests.find(kind.name);
    return found != subject.guests.end() ? found->second : subject.guests[kind.name] = invite(name, kind, subject);
  }

 private:
  std::map<std::string, std::unique_ptr<Subject>> subjects_;
};

// Cycles through the samples, so that no call finds what the last one left.
template <class Run>
void measure(benchmark::State& state, int count, Run&& run) {
  int k = 0;
  for (auto _ : state) {
    run(k);
    k = k + 1 < count ? k + 1 : 0;
  }
}

void register_ours(Subjects& subjects, const std::string& name, int velocities, const Algorithm& algorithm) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}", name, algorithm.name).c_str(),
                               [&subjects, name, &algorithm](benchmark::State& state) {
                                 Subject& subject = subjects.find(name);
                                 measure(state, subject.count(), [&](int k) { algorithm.ours(subject, k); });
                               });
  if (velocities > algorithm.most_velocities_in_batch) return;
  benchmark::RegisterBenchmark(fmt::format("{}/{}/batch", name, algorithm.name).c_str(),
                               [&subjects, name, &algorithm](benchmark::State& state) {
                                 Subject& subject = subjects.find(name);
                                 subject.gather();
                                 for (auto _ : state) algorithm.batch(subject);
                                 state.SetItemsProcessed(state.iterations() * subject.states.count);
                               });
}

void register_theirs(Subjects& subjects, const std::string& name, const Algorithm& algorithm, const PeerKind& kind) {
  const std::string peer_name = fmt::format("{}/{}/{}", name, algorithm.name, kind.name);
  benchmark::RegisterBenchmark(peer_name.c_str(), [&subjects, name, &algorithm, &kind](benchmark::State& state) {
    const Guest& guest = subjects.find_guest(name, kind);
    if (!guest.peer) return state.SkipWithError(guest.refusal.c_str());
    Peer& peer = *guest.peer;
    const int count = subjects.find(name).count();
    if (algorithm.theirs != nullptr) return measure(state, count, [&](int k) { (peer.*algorithm.theirs)(k); });
    if (!peer.forward_derivatives(0)) return state.SkipWithError("it has no such derivatives");
    measure(state, count, [&](int k) { peer.forward_derivatives(k); });
  });
}

// Closed loops: the Stewart platform; and platforms on top of each other, whose cost should grow with their number.
struct LoopSubject {
  explicit LoopSubject(const std::string& name) : model(load(name, samples)), constraints(model), workspace(model) {
    solver = make_loop_solver(constraints);
    accelerations.resize(model.velocity_names().size());
    forces.resize(constraints.model.contacts().size());
  }

  static Model load(const std::string& name, std::vector<Sample>& samples) {
    Model model = build(describe_model(name));
    const int count = model.bodies().size() > 100 ? 2 : 64;
    for (int k = 0; k < count; ++k) samples.push_back(draw_sample(model, k));
    return model;
  }

  void compute_forward(int k) {
    const State& state = samples[k].state;
    if (!solver->compute_accelerations(0, state.q, state.v, samples[k].forces, workspace, accelerations, forces))
      throw std::runtime_error("no accelerations");
  }

  std::vector<Sample> samples;
  Model model;
  ConstraintSet constraints;
  Workspace workspace;
  std::optional<LoopSolver> solver;
  std::vector<double> accelerations;
  std::vector<Vector3> forces;
};

void register_loops() {
  for (const char* name : {"stewart_loops", "platforms1", "platforms10", "platforms100"}) {
    const auto subject = std::make_shared<LoopSubject>(name);
    const int count = static_cast<int>(subject->samples.size());
    benchmark::RegisterBenchmark(fmt::format("{}/forward", name).c_str(), [subject, count](benchmark::State& state) {
      measure(state, count, [&](int k) { subject->compute_forward(k); });
    });
    if (count < 64) continue;
    for (const PeerKind& kind : kPeers) {
      Guest guest;
      guest.peer = kind.make(subject->model, guest.refusal);
      if (!guest.peer) continue;
      guest.peer->take(subject->samples);
      for (int k = 0; k < count; ++k) {
        subject->compute_forward(k);
        guest.peer->forward(k);
        require_agreement(fmt::format("{}, state {}, {}: accelerations", name, k, kind.name), subject->accelerations,
                          guest.peer->accelerations());
      }
      const std::shared_ptr<Peer> peer = std::move(guest.peer);
      benchmark::RegisterBenchmark(
          fmt::format("{}/forward/{}", name, kind.name).c_str(),
          [subject, peer, count](benchmark::State& state) { measure(state, count, [&](int k) { peer->forward(k); }); });
    }
  }
}

// The motion platform of theory 1, section 11: 25 bodies, 48 velocities, 42 rows, on a base that shakes; by the structure of the
// tree, and by dense matrices with all that is said about the rows.
void register_platform() {
  for (const bool sparse : {true, false}) {
    benchmark::RegisterBenchmark(sparse ? "platform25/forward" : "platform25/forward/dense", [sparse](benchmark::State& state) {
      Diagnostics diagnostics;
      const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/motion-platform/model.yaml", diagnostics);
      if (!model) throw std::runtime_error("no model");
      const ConstraintSet constraints(*model);
      SparseConstraints structure(constraints);
      Workspace workspace(*model);
      const State start = model->initial_state();
      ConstrainedMotion motion;
      measure(state, 1, [&](int) {
        const bool fails = sparse ? compute_constrained_motion(constraints, start, {}, workspace, structure, motion).has_value()
                                  : !compute_constrained_motion(constraints, start, {}, workspace);
        if (fails) throw std::runtime_error("no accelerations");
      });
    });
  }
}

void register_benchmarks(Subjects& subjects) {
  for (const auto& [name, velocities] : benchmark_models()) {
    for (const Algorithm& algorithm : kAlgorithms) {
      if (velocities > algorithm.most_velocities) continue;
      register_ours(subjects, name, velocities, algorithm);
      for (const PeerKind& kind : kPeers) register_theirs(subjects, name, algorithm, kind);
    }
  }
}

}  // namespace
}  // namespace vinculum::bench

int main(int argc, char** argv) {
  using namespace vinculum::bench;
  Subjects subjects;
  register_benchmarks(subjects);
  register_loops();
  register_platform();
#ifdef __clang__
  benchmark::AddCustomContext("compiler", __VERSION__);
#else
  benchmark::AddCustomContext("compiler", "g++ " __VERSION__);
#endif
  for (const PeerKind& kind : kPeers) benchmark::AddCustomContext(kind.name, kind.version);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
