// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/instants.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/expression/evaluate.h"
#include "vinculum/model/inputs.h"
#include "vinculum/stepping/first_time.h"

namespace vinculum {

namespace {

constexpr double kSameInstant = 1e-9;                                           // of a period
constexpr double kRoundOffOfTime = 4 * std::numeric_limits<double>::epsilon();  // of t: offset + k every is rounded twice

}  // namespace

double Instants::Clock::round_off() const { return kSameInstant * every; }

void Instants::Clock::begin(double t) { k = std::max(0.0, std::ceil((t - round_off() - offset) / every)); }

Instants::Instants(const Model& model, std::shared_ptr<const InputTable> table) : model_(model), table_(std::move(table)) {
  for (const SampledLaw& law : model.sampled_laws()) laws_.push_back({law.every, law.offset});
}

std::optional<Failure> Instants::add(Controller controller, double t) {
  const auto refuse = [](std::string what) {
    return Failure{"VN-RUN-145", "a controller cannot be added: " + what, "see Controller in simulation/controller.h"};
  };
  if (!(controller.period > 0) || !std::isfinite(controller.period) || !std::isfinite(controller.offset))
    return refuse(fmt::format("its period is {:g} s", controller.period));
  if (!(controller.delay >= 0 && controller.delay < controller.period))
    return refuse(fmt::format("its delay {:g} s is not between 0 and its period {:g} s", controller.delay, controller.period));
  if (!controller.update) return refuse("it has no function");
  for (const int input : controller.inputs) {
    if (input < 0 || input >= static_cast<int>(model_.inputs().size())) return refuse(fmt::format("there is no input {}", input));
  }
  Clock clock{controller.period, controller.offset};
  clock.begin(t);
  controllers_.push_back({std::move(controller), clock, {}});
  return std::nullopt;
}

void Instants::begin(double t) {
  for (Clock& clock : laws_) clock.begin(t);
  for (Program& program : controllers_) program.clock.begin(t), program.waiting.clear();
  if (table_ == nullptr) return;
  const auto after = std::ranges::upper_bound(table_->times, t);
  line_ = static_cast<size_t>(after - table_->times.begin());
  between_ = line_ > 0;
  if (between_) --line_;
}

std::optional<double> Instants::next() const {
  FirstTime next;
  if (table_ != nullptr && line_ < table_->times.size()) next.take(table_->times[line_]);
  for (const Clock& clock : laws_) next.take(clock.next());
  for (const Program& program : controllers_) {
    next.take(program.clock.next());
    for (const Delayed& delayed : program.waiting) next.take(delayed.t);
  }
  return next.t;
}

bool Instants::is_due(double t) const {
  const std::optional<double> instant = next();
  return instant && *instant <= t + round_off(t);
}

double Instants::end_of_step(double limit) const {
  const std::optional<double> instant = next();
  return instant && *instant < limit - round_off(limit) ? *instant : limit;
}

double Instants::round_off(double t) const {
  double allowed = kRoundOffOfTime * std::abs(t);
  for (const Clock& clock : laws_) allowed = std::max(allowed, clock.round_off());
  for (const Program& program : controllers_) allowed = std::max(allowed, program.clock.round_off());
  return allowed;
}

std::optional<Failure> Instants::set(State& state, int input, double value) const {
  const Input& own = model_.inputs()[input];
  if (auto failure = check_input_value(own, value)) return failure;
  state.q[own.q] = value;
  return std::nullopt;
}

// The line that holds at the state's time: its values, and the slopes to the next one.
void Instants::take_line(State& state) const {
  const size_t next = std::min(line_ + 1, table_->times.size() - 1);
  const double span = table_->times[next] - table_->times[line_], since = state.t - table_->times[line_];
  for (size_t i = 0; i < table_->inputs.size(); ++i) {
    const Input& input = model_.inputs()[table_->inputs[i]];
    const double value = table_->value(line_, i);
    state.q[input.q] = value;
    if (input.rate_q < 0) continue;
    const double slope = span > 0 ? (table_->value(next, i) - value) / span : 0;
    state.q[input.rate_q] = slope;
    state.q[input.q] = value + slope * (between_ ? since : 0);
  }
}

std::optional<Failure> Instants::evaluate_law(const SampledLaw& law, State& state) const {
  std::vector<double> values, scratch;
  const Bindings bindings{state.t, state.q, state.v};
  for (const SampledLaw::Entry& entry : law.entries) {
    values.push_back(evaluate(entry.formula, bindings, scratch));
    if (std::isfinite(values.back())) continue;
    return Failure{"VN-RUN-144",
                   fmt::format("sample '{}': '{}' has no finite value at t = {:.6g} s", law.name,
                               model_.coordinate_names()[entry.q], state.t),
                   "check divisions, roots and logarithms of its formula"};
  }
  for (size_t i = 0; i < values.size(); ++i) state.q[law.entries[i].q] = values[i];
  return std::nullopt;
}

std::optional<Failure> Instants::act(State& state, const Outputs& outputs) {
  const auto is_now = [&](double t, double round_off) {
    return t <= state.t + std::max(round_off, kRoundOffOfTime * std::abs(state.t));
  };
  while (table_ != nullptr && line_ < table_->times.size() && is_now(table_->times[line_], 0)) {
    take_line(state);
    ++line_;
    between_ = false;
  }
  for (size_t i = 0; i < laws_.size(); ++i) {
    if (!is_now(laws_[i].next(), laws_[i].round_off())) continue;
    ++laws_[i].k;
    if (auto failure = evaluate_law(model_.sampled_laws()[i], state)) return failure;
  }
  for (Program& program : controllers_) {
    const Controller& own = program.controller;
    const auto write = [&](std::span<const double> values) -> std::optional<Failure> {
      for (size_t i = 0; i < values.size(); ++i) {
        if (auto failure = set(state, own.inputs[i], values[i])) return failure;
      }
      return std::nullopt;
    };
    while (!program.waiting.empty() && is_now(program.waiting.front().t, program.clock.round_off())) {
      if (auto failure = write(program.waiting.front().values)) return failure;
      program.waiting.erase(program.waiting.begin());
    }
    if (!is_now(program.clock.next(), program.clock.round_off())) continue;
    ++program.clock.k;
    std::vector<double> values;
    for (const int input : own.inputs) values.push_back(state.q[model_.inputs()[input].q]);
    const Outcome<std::vector<double>> seen = outputs();
    if (!seen) return seen.failure();
    if (auto failure = own.update(state, *seen, values)) return failure;
    if (own.delay > 0) {
      program.waiting.push_back({state.t + own.delay, std::move(values)});
    } else if (auto failure = write(values)) {
      return failure;
    }
  }
  return std::nullopt;
}

std::vector<double> Instants::memory() const {
  std::vector<double> numbers;
  if (table_ != nullptr) numbers.push_back(static_cast<double>(line_));
  for (const Clock& clock : laws_) numbers.push_back(clock.k);
  return numbers;
}

void Instants::restore(std::span<const double> numbers) {
  if (table_ != nullptr) {
    line_ = static_cast<size_t>(numbers.front());
    between_ = false;
    numbers = numbers.subspan(1);
  }
  for (size_t i = 0; i < laws_.size(); ++i) laws_[i].k = numbers[i];
}

}  // namespace vinculum
