// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/simulation/controller.h"
#include "vinculum/simulation/input_table.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// What acts on a run at instants of time: lines of a table of inputs, sampled laws of the model, controllers of a program. This
// is their order at one instant. At an instant all formulas of a sampled law are evaluated with the values from before it.
//
// An instant takes effect when the motion leaves it, not when it arrives. So a run
// that ends there and is continued from its final state equals the uninterrupted run.
class Instants {
 public:
  using Outputs = std::function<Outcome<std::vector<double>>()>;

  Instants(const Model& model, std::shared_ptr<const InputTable> table);
  // Acts from t on.
  std::optional<Failure> add(Controller controller, double t);

  bool empty() const { return table_ == nullptr && laws_.empty() && controllers_.empty(); }
  bool has_controllers() const { return !controllers_.empty(); }
  // From t on: what lies before has acted.
  void begin(double t);
  // The next instant that has not acted, if there is one.
  std::optional<double> next() const;
  // The same time, to the round-off of times as people write them.
  bool is_due(double t) const;
  // Where a step towards `limit` must end.
  double end_of_step(double limit) const;
  // All that is due at the state's time acts on it.
  std::optional<Failure> act(State& state, const Outputs& outputs);

  // How far each has come: for a checkpoint. Controllers belong to the program, and begin where they are added.
  std::vector<double> memory() const;
  void restore(std::span<const double> numbers);

 private:
  // offset + k every
  struct Clock {
    double every = 0, offset = 0, k = 0;
    double next() const { return offset + k * every; }
    double round_off() const;
    void begin(double t);
  };
  struct Delayed {
    double t = 0;
    std::vector<double> values;
  };
  struct Program {
    Controller controller;
    Clock clock;
    std::vector<Delayed> waiting;
  };

  double round_off(double t) const;
  void take_line(State& state) const;
  std::optional<Failure> set(State& state, int input, double value) const;
  std::optional<Failure> evaluate_law(const SampledLaw& law, State& state) const;

  const Model& model_;
  std::shared_ptr<const InputTable> table_;
  size_t line_ = 0;          // the next one of the table
  bool between_ = false;     // the run begins between two lines
  std::vector<Clock> laws_;  // of Model::sampled_laws()
  std::vector<Program> controllers_;
};

}  // namespace vinculum
