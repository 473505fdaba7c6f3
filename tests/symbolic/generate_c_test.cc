// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/symbolic/generate_c.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/line_forces.h"
#include "tests/support/random_model.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

using testing::Random;

bool has_compiler() { return std::system("cc --version >/dev/null 2>&1") == 0; }

// The generated functions of a model, compiled by the C compiler of the system without a warning.
class CompiledModel {
 public:
  CompiledModel(const Model& model, const std::string& name, const std::string& optimisation = "-O1") : name_(name) {
    namespace fs = std::filesystem;
    const auto text = generate_c(model);
    if (!text) throw std::runtime_error(text.failure().message);
    const fs::path folder = fs::path(::testing::TempDir()) / ("vinculum.derive." + std::to_string(getpid()));
    fs::create_directories(folder);
    const std::string source = folder / "model.c", library = folder / "model.so";
    std::ofstream(source) << *text;
    const std::string flags = "-std=c99 -pedantic -Wall -Wextra -Werror -shared -fPIC " + optimisation;
    EXPECT_EQ(std::system(("cc " + flags + " -o '" + library + "' '" + source + "' -lm").c_str()), 0);
    library_ = dlopen(library.c_str(), RTLD_NOW);
    EXPECT_NE(library_, nullptr);
    fs::remove_all(folder);
  }
  ~CompiledModel() { dlclose(library_); }
  CompiledModel(const CompiledModel&) = delete;
  CompiledModel& operator=(const CompiledModel&) = delete;

  using OfState = void(double, const double*, const double*, double*);
  using OfMotion = void(double, const double*, const double*, const double*, double*);

  std::vector<double> run(const char* function, const State& state, size_t size) const {
    std::vector<double> out(size);
    find<OfState>(function)(state.t, state.q.data(), state.v.data(), out.data());
    return out;
  }
  std::vector<double> forces(const State& state, const std::vector<double>& a) const {
    std::vector<double> out(a.size());
    find<OfMotion>("forces")(state.t, state.q.data(), state.v.data(), a.data(), out.data());
    return out;
  }

 private:
  template <class Function>
  Function* find(const char* function) const {
    return reinterpret_cast<Function*>(dlsym(library_, (name_ + "_" + function).c_str()));
  }

  std::string name_;
  void* library_ = nullptr;
};

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, const char* what) {
  ASSERT_EQ(values.size(), expected.size());
  const double scale = testing::largest(expected);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-12 * scale) << what << " " << i;
}

void expect_agreement(const Model& model, const CompiledModel& compiled, int samples) {
  Random random(11);
  Workspace workspace(model);
  const size_t n = model.velocity_names().size();
  for (int sample = 0; sample < samples; ++sample) {
    State state = testing::random_state(model, random);
    state.t = random.unit();
    std::vector<double> a(n), expected(n), rates(state.q.size());
    ASSERT_TRUE(compute_accelerations(model, state.t, state.q, state.v, a, workspace));
    expect_near(compiled.run("accelerations", state, n), a, "acceleration");
    compute_forces(model, state.t, state.q, state.v, a, expected, workspace);
    expect_near(compiled.forces(state, a), expected, "force");
    compute_coordinate_rates(model, state.q, state.v, rates);
    expect_near(compiled.run("rates", state, rates.size()), rates, "rate");

    compute_forces(model, state.t, state.q, state.v, std::vector<double>(n, 0), expected, workspace);
    expect_near(compiled.run("bias", state, n), expected, "bias");
    const Eigen::MatrixXd A = compute_mass_matrix(model, state, workspace);
    expect_near(compiled.run("mass_matrix", state, n * n), {A.data(), A.data() + A.size()}, "mass");
  }
}

// A tree with every joint, every kind of load and driven coordinates.
Model loaded_tree(std::uint64_t seed, int bodies) {
  Random random(seed);
  ModelDescription words = testing::random_tree(seed, bodies);
  words.name = "loaded tree";
  testing::add_joint_forces(words, random);
  testing::add_body_forces(words, random);
  testing::add_line_forces(words, random);
  testing::add_motions(words);
  return testing::build(words);
}

class GeneratedC : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, GeneratedC, ::testing::Values(1, 5, 30));

TEST_P(GeneratedC, AgreesWithTheEngine) {
  if (!has_compiler()) GTEST_SKIP() << "no C compiler";
  const Model model = loaded_tree(2, GetParam());
  // Compilers take long to optimise large files.
  expect_agreement(model, CompiledModel(model, "loaded_tree", GetParam() < 10 ? "-O1" : "-O0"), 5);
}

TEST(GeneratedCode, LawsOfTheFileAndNamesThatCDoesNotKnow) {
  if (!has_compiler()) GTEST_SKIP() << "no C compiler";
  const Model model = read_model_text(R"yaml(
vinculum: 1
name: "2 arms */ on a-deck"
parameters: { k: 3, mu: 0.2 }
bodies:
  a: { joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.01] }
  b: { parent: a, joint: {type: universal, origin: [0, 0, -0.6]}, mass: 1, com: [0, 0, -0.2], inertia: [0.1, 0.1, 0.01] }
forces:
  at_a: { joint: a, law: "-k*sin(a)^3 - mu*abs(a')*a' + sqrt(1 + t^2)*exp(-t)*cos(2*t)" }
  at_b: { joint: b.rx, law: "log(2 + b.ry^2) - tan(b.rx/3) + atan2(b.rx, a)*asin(sin(a)/2)" }
  also_at_b: { joint: b.ry, law: "min(b.ry, mu)*tanh(b.ry') - max(b.rx, a)*floor(3*a) + if(b.rx < b.ry, k*a, sqrt(1 + b.rx^2))" }
)yaml");
  expect_agreement(model, CompiledModel(model, "model_2_arms____on_a_deck"), 20);
}

// Each distinct subexpression stands once.
TEST(GeneratedCode, SharesCommonSubexpressions) {
  const auto text = generate_c(loaded_tree(2, 30));
  ASSERT_TRUE(text);
  std::set<std::string> values;
  int lines = 0;
  std::string function;
  for (size_t at = 0; at < text->size();) {
    const size_t end = text->find('\n', at);
    const std::string line = text->substr(at, end - at);
    at = end + 1;
    if (line.starts_with("void ")) values.clear();
    if (!line.starts_with("  const double x")) continue;
    EXPECT_TRUE(values.insert(line.substr(line.find(" = "))).second) << line;
    ++lines;
  }
  EXPECT_GT(lines, 10000);
}

}  // namespace
}  // namespace vinculum
