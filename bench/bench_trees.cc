// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Time of the laws of trees, ours beside other engines on the same models and states: MODEL/ALGORITHM and MODEL/ALGORITHM/PEER.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/models.h"
#include "bench/peers/peer.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"

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

// A model in our engine, with as many states as keep branch predictors and caches honest. The forces are laws of the model, so
// all states have those of the first.
struct Subject {
  explicit Subject(const std::string& name)
      : model(load(name, samples)), workspace(model), accelerations(model.velocity_names().size()) {}

  static Model load(const std::string& name, std::vector<Sample>& samples) {
    ModelDescription words = describe_model(name);
    const Model bare = build(words);
    const int count = std::clamp(8000 / static_cast<int>(bare.velocity_names().size()), 2, 64);
    for (int k = 0; k < count; ++k) {
      samples.push_back(draw_sample(bare, k));
      samples.back().forces = samples.front().forces;
    }
    set_constant_forces(words, samples.front().forces);
    return build(words);
  }

  void compute_forward(int k) {
    const State& state = samples[k].state;
    if (!compute_accelerations(model, state.t, state.q, state.v, accelerations, workspace))
      throw std::runtime_error("no accelerations");
  }

  std::vector<Sample> samples;
  Model model;
  Workspace workspace;
  std::vector<double> accelerations;
  std::map<std::string, Guest> guests;  // by the name of the engine
};

// One law: how we compute it for sample k, and how a peer does. A law that works on several samples at once says on how many.
struct Algorithm {
  const char* name;
  void (*ours)(Subject& subject, int k);
  void (Peer::*theirs)(int k) = nullptr;
  int most_velocities = std::numeric_limits<int>::max();  // for larger models it takes too much memory
  int samples = 1;
};

constexpr int kDense = 2000;

const Algorithm kAlgorithms[] = {
    {"forward", [](Subject& s, int k) { s.compute_forward(k); }, &Peer::forward},
    {"inverse",
     [](Subject& s, int k) {
       benchmark::DoNotOptimize(compute_inverse_dynamics(s.model, s.samples[k].state, s.samples[k].accelerations, s.workspace));
     },
     &Peer::inverse},
    {"mass_matrix",
     [](Subject& s, int k) { benchmark::DoNotOptimize(compute_mass_matrix(s.model, s.samples[k].state, s.workspace)); },
     &Peer::mass_matrix, kDense},
    {"kinematics",
     [](Subject& s, int k) { benchmark::DoNotOptimize(compute_body_motions(s.model, s.samples[k].state, s.workspace)); },
     &Peer::kinematics},
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

template <class Run>
void measure(benchmark::State& state, const Algorithm& algorithm, int count, Run&& run) {
  int k = 0;
  while (state.KeepRunningBatch(algorithm.samples)) {
    run(k);
    k = k + 2 * algorithm.samples <= count ? k + algorithm.samples : 0;
  }
}

void register_benchmarks(Subjects& subjects) {
  for (const auto& [name, velocities] : benchmark_models()) {
    for (const Algorithm& algorithm : kAlgorithms) {
      if (velocities > algorithm.most_velocities) continue;
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}", name, algorithm.name).c_str(), [&subjects, name = name, &algorithm](benchmark::State& state) {
            Subject& subject = subjects.find(name);
            measure(state, algorithm, static_cast<int>(subject.samples.size()), [&](int k) { algorithm.ours(subject, k); });
          });
      if (algorithm.theirs == nullptr) continue;
      for (const PeerKind& kind : kPeers) {
        const std::string peer_name = fmt::format("{}/{}/{}", name, algorithm.name, kind.name);
        benchmark::RegisterBenchmark(peer_name.c_str(), [&subjects, name = name, &algorithm, &kind](benchmark::State& state) {
          const Guest& guest = subjects.find_guest(name, kind);
          if (!guest.peer) return state.SkipWithError(guest.refusal.c_str());
          const int count = static_cast<int>(subjects.find(name).samples.size());
          measure(state, algorithm, count, [&](int k) { (guest.peer.get()->*algorithm.theirs)(k); });
        });
      }
    }
  }
}

}  // namespace
}  // namespace vinculum::bench

int main(int argc, char** argv) {
  using namespace vinculum::bench;
  Subjects subjects;
  register_benchmarks(subjects);
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
