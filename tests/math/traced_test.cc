// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "scalar_laws.h"
#include "tests/support/random_tree.h"
#include "vinculum/math/dual.h"
#include "vinculum/math/traced.h"

namespace vinculum::testing {
namespace {

template <class S>
std::vector<S> run(const Tape& tape, const std::vector<S>& in) {
  std::vector<S> out(tape.outputs.size()), values(tape.steps.size());
  evaluate(tape, in.data(), out.data(), values.data());
  return out;
}

std::vector<double> gradient(const Tape& tape, const std::vector<double>& in, const std::vector<double>& weights) {
  std::vector<double> out(tape.outputs.size()), values(tape.steps.size()), result(tape.inputs), scratch(tape.steps.size());
  evaluate(tape, in.data(), out.data(), values.data());
  pull_back(tape, values.data(), weights.data(), result.data(), scratch.data());
  return result;
}

// The function a C compiler makes of the tape; null without a compiler.
class CompiledTape {
 public:
  explicit CompiledTape(const Tape& tape) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(::testing::TempDir()) / ("vinculum.tape." + std::to_string(getpid()));
    fs::create_directories(folder);
    const std::string source = folder / "law.c", library = folder / "law.so";
    std::ofstream(source) << to_c(tape, "law");
    if (std::system("cc --version >/dev/null 2>&1") == 0) {
      const std::string flags = "-std=c99 -Wall -Wextra -Wno-unused-parameter -Werror -ffp-contract=off -shared -fPIC";
      EXPECT_EQ(std::system(("cc " + flags + " -o '" + library + "' '" + source + "' -lm").c_str()), 0);
      library_ = dlopen(library.c_str(), RTLD_NOW);
      if (library_ != nullptr) function_ = reinterpret_cast<Function*>(dlsym(library_, "law"));
    }
    fs::remove_all(folder);
  }
  ~CompiledTape() {
    if (library_ != nullptr) dlclose(library_);
  }
  CompiledTape(const CompiledTape&) = delete;
  CompiledTape& operator=(const CompiledTape&) = delete;

  explicit operator bool() const { return function_ != nullptr; }
  void operator()(const double* in, double* out) const { function_(in, out); }

 private:
  using Function = void(const double*, double*);
  void* library_ = nullptr;
  Function* function_ = nullptr;
};

TEST(Traced, FoldsConstantsAndSharesSteps) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input(), zero = lift<Traced>(0), one = lift<Traced>(1), two = lift<Traced>(2);
  const auto steps = [&](const Traced& value) { return scope.tape_of({&value, 1}).steps.size(); };

  EXPECT_EQ(steps(sqrt(two * two) + one), 1u);      // 3
  EXPECT_EQ(steps(zero * x + one * y - zero), 1u);  // y
  EXPECT_EQ(steps(multiply_add(x, zero, multiply_add(one, y, zero))), 1u);
  EXPECT_EQ(steps(-(-x)), 1u);
  EXPECT_EQ(steps(x * y + y * x), 4u);                  // x, y, x y, sum
  EXPECT_EQ(steps((-x) * y + x * y), 1u);               // 0
  EXPECT_EQ(steps((-x) * y + x), 4u);                   // x, y, x y, difference
  EXPECT_EQ(steps(sincos(x).sin * sincos(x).cos), 4u);  // x, sin, cos, product
  EXPECT_EQ(steps(two * x + two * y), 6u);              // 2 once
  EXPECT_EQ(run<double>(scope.tape_of(std::vector{two + one, x - x}), {5, 7}), (std::vector<double>{3, 0}));
}

TEST(Traced, LeavesOutWhatIsNotNeeded) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input();
  [[maybe_unused]] const Traced unused = exp(x) / y;
  const Traced cosine = sincos(y).cos;
  const Tape tape = scope.tape_of({&cosine, 1});
  EXPECT_EQ(tape.inputs, 2);
  EXPECT_EQ(tape.steps.size(), 3u);
  EXPECT_EQ(run<double>(tape, {0.3, 0.4}).at(0), sincos(0.4).cos);
}

// Every function, the bits of double, by the tape and by C; also in packs.
TEST(Traced, ValuesAreThoseOfDouble) {
  TraceScope scope;
  const Traced a = scope.input(), b = scope.input(), c = scope.input();
  std::vector<Traced> results(kFunctions);
  apply_functions(a, b, c, results.data());
  const Tape tape = scope.tape_of(results);
  const CompiledTape compiled(tape);

  Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> in(3), in_c(kFunctions), expected(kFunctions);
    for (double& x : in) x = random.symmetric() * std::ldexp(1.0, random.below(40) - 5);
    in[0] = round % 2 == 0 ? std::abs(in[0]) : in[0];
    apply_functions(in[0], in[1], in[2], expected.data());
    const std::vector<double> out = run(tape, in);
    const std::vector<Pack<8>> in_packs = run<Pack<8>>(tape, {Pack<8>(in[0]), Pack<8>(in[1]), Pack<8>(in[2])});
    if (compiled) compiled(in.data(), in_c.data());
    for (int i = 0; i < kFunctions; ++i) {
      if (std::isnan(expected[i])) continue;
      EXPECT_EQ(out[i], expected[i]) << "function " << i << " of " << in[0] << ", " << in[1];
      EXPECT_EQ(in_packs[i][5], expected[i]) << "function " << i << " of " << in[0] << ", " << in[1];
      if (!compiled) continue;
      EXPECT_EQ(in_c[i], expected[i]) << "function " << i << " of " << in[0] << ", " << in[1];
    }
  }
  if (!compiled) GTEST_SKIP() << "no C compiler for the last part";
}

// f = x^y sin(x) / sqrt(y) + |x| exp(-y) + log(x) y²
TEST(Traced, GradientInClosedForm) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input();
  const Traced f = pow(x, y) * sincos(x).sin / sqrt(y) + abs(x) * exp(-y) + multiply_add(log(x), y * y, sign(x));
  const Tape tape = scope.tape_of({&f, 1});

  const double a = 1.7, b = 0.6, p = std::pow(a, b), s = std::sin(a), c = std::cos(a), root = std::sqrt(b);
  const double by_x = (b * p / a * s + p * c) / root + std::exp(-b) + b * b / a;
  const double by_y = p * std::log(a) * s / root - p * s / (2 * b * root) - a * std::exp(-b) + 2 * b * std::log(a);
  const std::vector<double> reverse = gradient(tape, {a, b}, {1});
  EXPECT_NEAR(reverse[0], by_x, 1e-14);
  EXPECT_NEAR(reverse[1], by_y, 1e-14);

  using Dual4 = Dual<double, Pack<4>>;
  Dual4 dual_x(a), dual_y(b);
  dual_x.derivatives.lanes[0] = dual_y.derivatives.lanes[1] = 1;
  const Dual4 forward = run<Dual4>(tape, {dual_x, dual_y}).at(0);
  EXPECT_NEAR(forward.derivatives[0], by_x, 1e-14);
  EXPECT_NEAR(forward.derivatives[1], by_y, 1e-14);
}

// The gradient traced in turn: a tape of derivatives. (x³ y)'' = 6 x y by x twice, 3 x² by x and y.
TEST(Traced, TapeOfATape) {
  TraceScope inner, outer;
  const Traced x = inner.input(), y = inner.input(), f = x * x * x * y;
  const Tape tape = inner.tape_of({&f, 1});

  const std::vector<Traced> in{outer.input(), outer.input()}, one{lift<Traced>(1)};
  std::vector<Traced> out(1), values(tape.steps.size()), result(2), scratch(tape.steps.size());
  evaluate(tape, in.data(), out.data(), values.data());
  pull_back(tape, values.data(), one.data(), result.data(), scratch.data());
  const Tape slope = outer.tape_of(result);

  EXPECT_DOUBLE_EQ(run<double>(slope, {2, 5})[0], 3 * 2 * 2 * 5);
  EXPECT_DOUBLE_EQ(gradient(slope, {2, 5}, {1, 0})[0], 6 * 2 * 5);
  EXPECT_DOUBLE_EQ(gradient(slope, {2, 5}, {1, 0})[1], 3 * 2 * 2);
}

// The laws of a tree, traced once: the same numbers in another state, by the tape, in packs and by C, and wᵀ (J d) = (Jᵀ w)·d.
class TracedTrees : public ::testing::TestWithParam<int> {};

TEST_P(TracedTrees, LawsOfTrees) {
  Random random(GetParam());
  Diagnostics diagnostics;
  const auto model = build_model(random_tree(random.next(), 1 + GetParam()), diagnostics);
  ASSERT_TRUE(model);
  const Tree& tree = model->tree();
  const int n = tree.velocities, inputs = tree.coordinates + 2 * n, count = n * (2 + n);

  TraceScope scope;
  std::vector<Traced> in, out(count);
  for (int i = 0; i < inputs; ++i) in.push_back(scope.input());
  apply_laws(tree, in.data(), in.data() + tree.coordinates, in.data() + tree.coordinates + n, out.data());
  const Tape tape = scope.tape_of(out);
  EXPECT_EQ(tape.inputs, inputs);

  const State state = random_state(*model, random);
  std::vector<double> at(state.q), expected(count), in_c(count);
  at.insert(at.end(), state.v.begin(), state.v.end());
  for (int i = 0; i < n; ++i) at.push_back(5 * random.symmetric());
  apply_laws(tree, at.data(), at.data() + tree.coordinates, at.data() + tree.coordinates + n, expected.data());
  EXPECT_EQ(run(tape, at), expected);

  std::vector<Pack<4>> packs;
  for (double value : at) packs.emplace_back(value);
  const std::vector<Pack<4>> in_packs = run(tape, packs);
  for (int i = 0; i < count; ++i) EXPECT_EQ(in_packs[i][3], expected[i]);

  using Directed = Dual<double, double>;
  std::vector<Directed> moving;
  std::vector<double> weights;
  for (double value : at) moving.emplace_back(value, random.symmetric());
  for (int i = 0; i < count; ++i) weights.push_back(random.symmetric());
  const std::vector<Directed> moved = run(tape, moving);
  const std::vector<double> back = gradient(tape, at, weights);
  double forward = 0, reverse = 0, size = 0;
  for (int i = 0; i < count; ++i)
    forward += weights[i] * moved[i].derivatives, size += std::abs(weights[i] * moved[i].derivatives);
  for (int i = 0; i < inputs; ++i) reverse += back[i] * moving[i].derivatives, size += std::abs(back[i] * moving[i].derivatives);
  EXPECT_NEAR(forward, reverse, 1e-12 * size);
  EXPECT_GT(std::abs(forward), 1e-3);

  const CompiledTape compiled(tape);
  if (!compiled) GTEST_SKIP() << "no C compiler for the last part";
  compiled(at.data(), in_c.data());
  EXPECT_EQ(in_c, expected);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TracedTrees, ::testing::Range(1, 5));

}  // namespace
}  // namespace vinculum::testing
