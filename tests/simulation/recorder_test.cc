// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a recorder keeps of a run: the numbers asked for, all of those of the tables, and few enough of a long run.
#include "vinculum/simulation/recorder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

using Of = Quantity::Of;

// A ball is thrown up under g = 10 m/s^2 beside a cart with given motion x = 0.2 sin 3t.
constexpr const char* kThrown = R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies:
  ball: { joint: {type: prismatic, axis: z}, mass: 3, inertia: 0.1 }
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 }
motions: { cart: "0.2*sin(3*t)" }
outputs: { momentum: "3*ball'" }
initial: { ball: 1, "ball'": 4 }
)yaml";

class Recorded : public ::testing::Test {
 protected:
  Recorder record(std::vector<Quantity> wanted, double until = 0.8) {
    Recorder recorder(model_, std::move(wanted));
    RunOptions options;
    options.until = until;
    options.every = 0.1;
    const auto result = run_simulation(model_, model_.initial_state(), options, recorder);
    EXPECT_TRUE(result && !result->failure);
    return recorder;
  }

  const Model model_ = read_model_text(kThrown);
};

//   z = 1 + 4t - 5t^2 ,  z' = 4 - 10t ,  z'' = -10 ;  cart: F = m x'' = -2 * 9 * 0.2 sin 3t
TEST_F(Recorded, NumbersAskedForByName) {
  std::vector<Quantity> wanted;
  for (const char* name :
       {"ball''", "momentum", "motion:cart", "t", "ball", "potential energy", "ball.force.x", "cart.force.z"}) {
    const auto quantity = find_quantity(model_, name);
    ASSERT_TRUE(quantity) << name;
    wanted.push_back(*quantity);
  }
  const Recorder recorder = record(wanted);
  ASSERT_EQ(recorder.rows(), 9u);
  ASSERT_EQ(recorder.values().size(), 9 * wanted.size());
  const std::vector<std::string> units{"m/s^2", "", "N", "s", "m", "J", "N", "N"};
  for (size_t i = 0; i < units.size(); ++i) {
    if (!units[i].empty()) EXPECT_EQ(recorder.columns()[i].unit, units[i]) << recorder.columns()[i].name;
  }
  for (size_t row = 0; row < 9; ++row) {
    const double t = 0.1 * static_cast<double>(row), z = 1 + 4 * t - 5 * t * t;
    const double expected[] = {-10, 3 * (4 - 10 * t), -2 * 9 * 0.2 * std::sin(3 * t), t, z, 3 * 10 * z, 0, 2 * 10};
    EXPECT_NEAR(recorder.times()[row], t, 1e-15);
    for (size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(recorder.value(row, i), expected[i], 1e-9 * (1 + std::abs(expected[i]))) << recorder.columns()[i].name;
      EXPECT_EQ(recorder.value(row, i), recorder.values()[row * wanted.size() + i]);
    }
  }
}

TEST_F(Recorded, UnknownNameHasANearest) {
  std::string nearest;
  EXPECT_FALSE(find_quantity(model_, "momentun", &nearest));
  EXPECT_EQ(nearest, "momentum");
}

// Nothing asked for: all columns of the tables, each once; every one of them is found by its own quantity and by its name.
TEST_F(Recorded, AllColumnsOfTheTables) {
  const Recorder recorder = record({});
  std::vector<std::string> names;
  for (size_t i = 0; i < recorder.columns().size(); ++i) {
    const Column& column = recorder.columns()[i];
    names.push_back(column.name);
    EXPECT_EQ(recorder.find(column.quantity), i);
    EXPECT_EQ(recorder.find(column.table(), column.name), i);
  }
  const std::vector<std::string> expected{
      "ball",         "cart",          "ball'",         "cart'",         "kinetic energy", "potential energy", "ball.force.x",
      "ball.force.y", "ball.force.z",  "ball.moment.x", "ball.moment.y", "ball.moment.z",  "cart.force.x",     "cart.force.y",
      "cart.force.z", "cart.moment.x", "cart.moment.y", "cart.moment.z", "motion:cart",    "momentum"};
  EXPECT_EQ(names, expected);
  EXPECT_FALSE(recorder.find(ResultTable::outputs, "ball"));

  const State last = recorder.state(recorder.rows() - 1);
  EXPECT_EQ(last.t, recorder.times().back());
  EXPECT_NEAR(last.q[0], 1 + 4 * 0.8 - 5 * 0.64, 1e-12);
  EXPECT_NEAR(last.v[0], 4 - 8, 1e-12);
  EXPECT_EQ(last.q[1], recorder.values_of(1).back());
}

// Of n rows those at 0, s, 2s, .. and the last, s = 2^k the largest with s <= max(1, n/enough): whatever n becomes.
TEST_F(Recorded, LongRunsAreThinnedEvenly) {
  constexpr size_t kEnough = 10;
  Recorder recorder(model_, {Quantity{Of::coordinate, 0}}, kEnough);
  for (size_t n = 1; n < 1000; ++n) {
    recorder.add(static_cast<double>(n - 1), std::vector<double>{-static_cast<double>(n - 1)});
    const size_t stride = std::bit_floor(std::max<size_t>(1, n / kEnough));
    std::vector<double> times;
    for (size_t row = 0; row < n; row += stride) times.push_back(static_cast<double>(row));
    if ((n - 1) % stride != 0) times.push_back(static_cast<double>(n - 1));
    ASSERT_EQ(std::vector<double>(recorder.times().begin(), recorder.times().end()), times) << n;
    ASSERT_EQ(recorder.rows_of_run(), n);
    ASSERT_LE(recorder.rows(), 2 * kEnough + 1);
    for (size_t row = 0; row < recorder.rows(); ++row) ASSERT_EQ(recorder.value(row, 0), -times[row]);
  }
}

// A block that is pushed, slips and comes to rest: modes are numbers that count in the words of the tables, and a change adds
// two rows: just before it and just after.
TEST(RecordedModes, ChangesAreRows) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies: { block: { joint: free, mass: 2, inertia: 1 } }
environment: { floor: { surface: plane } }
contacts: { foot: { body: block, with: floor, point: [0, 0, 0], forbid: [normal, lateral, forward, yaw, pitch, roll], friction: 0.5 } }
initial: { "block.tx'": 1 }
)yaml");
  Recorder recorder(model);
  RunOptions options;
  options.until = 0.5;
  options.follow = Follow::frictional;
  const auto result = run_simulation(model, model.initial_state(), options, recorder);
  ASSERT_TRUE(result && !result->failure);
  // It slides for v/(mu g) = 0.2 s.
  const auto mode = recorder.find(ResultTable::states, "mode:foot.grip");
  ASSERT_TRUE(mode);
  const Column& column = recorder.columns()[*mode];
  const auto index = static_cast<size_t>(column.quantity.index);
  EXPECT_EQ(column.words, model.modes()[index].words);
  std::set<std::string> before, after;
  for (size_t row = 0; row < recorder.rows(); ++row) {
    const double t = recorder.times()[row];
    EXPECT_EQ(recorder.state(row).modes[index], static_cast<int>(recorder.value(row, *mode)));
    const std::string& word = column.words.at(static_cast<size_t>(recorder.value(row, *mode)));
    if (t < 0.2 - 1e-9) before.insert(word);
    if (t > 0.2 + 1e-9) after.insert(word);
  }
  EXPECT_EQ(before, std::set<std::string>{"slips"});
  EXPECT_EQ(after, std::set<std::string>{"sticks"});
  EXPECT_EQ(result->samples, 1001);
  EXPECT_EQ(recorder.rows(), 1001u + 2);
  EXPECT_TRUE(std::ranges::is_sorted(recorder.times()));
}

}  // namespace
}  // namespace vinculum
