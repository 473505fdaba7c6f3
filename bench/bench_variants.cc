// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// All solutions of complementarity problems, or the proof that there is none, beside one solution by Siconos; pads. Prints a
// table.
#include <ctime>
#include <random>
#include <vector>

#include <fmt/core.h>
#include <Eigen/Dense>

#include "vinculum/constraints/pad.h"
#include "vinculum/files/read_model.h"
#include "vinculum/friction/enumerate_variants.h"
#include "vinculum/friction/guide_variants.h"
#include "vinculum/math/complementarity_tree.h"
#include "vinculum/simulation/run.h"
#ifdef VINCULUM_PEER_SICONOS
#include "peers/siconos.h"
#endif

namespace {

using namespace vinculum;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Problem {
  RowMajor M;
  Eigen::VectorXd q;
  std::span<const double> matrix() const { return {M.data(), static_cast<std::size_t>(M.size())}; }
  std::span<const double> vector() const { return {q.data(), static_cast<std::size_t>(q.size())}; }
};

// m contacts of planar bodies, all sliding: two a body, every third between neighbours. M = N A⁻¹ (N - mu S T)ᵀ.
Problem sliding_contacts(int m, double mu, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const int bodies = (m + 1) / 2;
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(m, 3 * bodies), T = N;
  Eigen::VectorXd inverse(3 * bodies);
  for (int b = 0; b < bodies; ++b) inverse.segment<3>(3 * b) << 1, 1, 3 * (1 + 0.3 * std::abs(normal(random)));
  for (int i = 0; i < m; ++i) {
    const double angle = normal(random), x = 0.5 * normal(random), y = -0.5 + 0.2 * normal(random);
    const Eigen::Vector2d n(std::sin(0.3 * angle), std::cos(0.3 * angle)), t(n.y(), -n.x());
    const auto write = [&](int body, double sign) {
      N.block<1, 3>(i, 3 * body) << sign * n.x(), sign * n.y(), sign * (x * n.y() - y * n.x());
      T.block<1, 3>(i, 3 * body) << sign * t.x(), sign * t.y(), sign * (x * t.y() - y * t.x());
    };
    write(i / 2, 1);
    if (i % 3 == 2 && i / 2 + 1 < bodies) write(i / 2 + 1, -1);
  }
  Eigen::VectorXd force(3 * bodies), sense(m);
  for (double& value : force) value = normal(random);
  for (int b = 0; b < bodies; ++b) force[3 * b + 1] -= 3;
  for (double& value : sense) value = normal(random) > 0 ? 1 : -1;
  Problem problem;
  problem.M = N * inverse.asDiagonal() * (N - mu * sense.asDiagonal() * T).transpose();
  problem.q = N * inverse.cwiseProduct(force);
  return problem;
}

// Rows that all bodies share: the worst case for cutting branches off.
Problem coupled_contacts(int m, double mu, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd N = Eigen::MatrixXd::NullaryExpr(m, m + 2, [&] { return normal(random); }),
                        T = Eigen::MatrixXd::NullaryExpr(m, m + 2, [&] { return normal(random); });
  Problem problem;
  problem.M = N * (N - mu * T).transpose() / (m + 2);
  problem.q = Eigen::VectorXd::NullaryExpr(m, [&] { return normal(random); });
  return problem;
}

// Seconds of this processor a call: the best of some rounds of at least 2 ms.
template <class Function>
double seconds_of(Function&& function) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    int calls = 0;
    const double start = now();
    double passed = 0;
    do {
      function();
      ++calls;
      passed = now() - start;
    } while (passed < 2e-3);
    best = std::min(best, passed / calls);
    if (passed > 0.1) break;
  }
  return best;
}

void compare(const char* family, Problem (*make)(int, double, unsigned), int m, double mu, int seeds, bool enumerate_peer) {
  ComplementarityTree tree;
  double own = 0, lemke = 0, all = 0;
  std::size_t solutions = 0, nodes = 0;
  int missed = 0;
  for (int seed = 50; seed < 50 + seeds; ++seed) {
    const Problem problem = make(m, mu, static_cast<unsigned>(seed));
    own += seconds_of([&] { tree.run(problem.matrix(), problem.vector()); }) / seeds;
    solutions += tree.leaf_count();
    nodes += tree.nodes();
#ifdef VINCULUM_PEER_SICONOS
    std::vector<double> z(m), w(m);
    bool found = false;
    lemke += seconds_of([&] { found = peers::solve_siconos_lemke(problem.matrix(), problem.vector(), z, w); }) / seeds;
    missed += !found && tree.leaf_count() > 0 ? 1 : 0;
    if (enumerate_peer) all += seconds_of([&] { peers::count_siconos_solutions(problem.matrix(), problem.vector()); }) / seeds;
#else
    (void)enumerate_peer;
#endif
  }
  const auto ratio = [&](double peer) {
    return peer > 0 ? fmt::format("{:.3g} us ({:.3g})", 1e6 * peer, peer / own) : std::string("-");
  };
  fmt::print("{:<10} {:>4} {:>3} {:>10.3g} {:>9} {:>10.3g} {:>20} {:>7} {:>24}\n", family, mu, m, 1e6 * own, solutions,
             static_cast<double>(nodes) / seeds, ratio(lemke), missed, ratio(all));
}

// The states of a turn of the slider-crank, with the faces that its run had there: the reduction and the decision, as a run has
// them at the end of a step.
void look_at_slider_crank(const std::string& file) {
  struct Collector : RunListener {
    std::vector<State> states;
    void on_sample(const Sample& sample) override { states.push_back(sample.state); }
  } collector;
  Diagnostics diagnostics(file);
  const auto model = read_model_file(file, diagnostics);
  if (!model) {
    fmt::print("{} cannot be read: run from the root of the project\n", file);
    return;
  }
  RunOptions options;
  options.until = 0.5;
  options.every = 0.005;
  if (const auto result = run_simulation(*model, model->initial_state(), options, collector); !result) {
    fmt::print("{}\n", result.failure().message);
    return;
  }
  Workspace workspace(*model);
  double mean = 0, most = 0;
  int only = 0;
  for (const State& state : collector.states) {
    const ConstraintSet set(*model, state);
    const double seconds = seconds_of([&] { only += look_at_variants(set, state, workspace)->only ? 1 : 0; });
    mean += seconds / static_cast<double>(collector.states.size());
    most = std::max(most, seconds);
  }
  fmt::print("slider-crank: reduction and warm decision {:.3g} us, at most {:.3g} us, {} states{}\n", 1e6 * mean, 1e6 * most,
             collector.states.size(), only == 0 ? ", none unique" : "");
}

}  // namespace

int main() {
  fmt::print("all solutions, mean of 10 problems; Siconos: one solution by Lemke, all by lcp_enum, with the ratio to the tree\n");
  fmt::print("{:<10} {:>4} {:>3} {:>10} {:>9} {:>10} {:>20} {:>7} {:>24}\n", "family", "mu", "m", "tree us", "solutions", "nodes",
             "Lemke", "missed", "lcp_enum");
  for (const double mu : {0.3, 1.0}) {
    compare("sliding", sliding_contacts, 8, mu, 10, true);
    compare("sliding", sliding_contacts, 16, mu, 10, false);
    compare("sliding", sliding_contacts, 31, mu, 10, false);
    compare("coupled", coupled_contacts, 12, mu, 10, true);
  }
  compare("coupled", coupled_contacts, 20, 0.3, 4, false);
  compare("coupled", coupled_contacts, 20, 3, 4, false);

  const PadTable table(PressureLaw::uniform());
  std::vector<double> beta(1000);
  std::mt19937 random(1);
  for (double& value : beta) value = std::uniform_real_distribution<double>(0, 3)(random);
  double sum = 0;
  const double pad = seconds_of([&] {
                       for (const double value : beta) sum += table.at(value).S;
                     }) /
                     1000;
  const double exact = seconds_of([&] {
                         for (const double value : beta) sum += compute_pad(PressureLaw::uniform(), value).S;
                       }) /
                       1000;
  look_at_slider_crank("examples/slider-crank-faces/model.yaml");
  fmt::print("pad: {:.3g} ns from the table, {:.3g} ns by closed forms\n", 1e9 * pad, 1e9 * exact + 0 * sum);
}
