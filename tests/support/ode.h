// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/integration/integrator.h"
#include "vinculum/math/tape_series.h"
#include "vinculum/math/traced.h"

namespace vinculum {

// A system written as a lambda; a function that returns nothing always has a derivative. One whose t is `auto` is taken down as
// a tape as well, and so has a power series.
class FunctionSystem final : public System {
 public:
  using Derivative = std::function<bool(double t, std::span<const double> y, std::span<double> dydt)>;

  template <class Function>
  FunctionSystem(int dimension, Function function) : dimension_(dimension) {
    if constexpr (requires { function(Traced{}, std::span<const Traced>{}, std::span<Traced>{}); }) {
      TraceScope scope;
      const Traced t = scope.input();
      std::vector<Traced> y(dimension), dydt(dimension);
      for (Traced& component : y) component = scope.input();
      function(t, std::span<const Traced>(y), std::span<Traced>(dydt));
      tape_ = scope.tape_of(dydt);
    }
    if constexpr (std::is_same_v<decltype(function(0.0, std::span<const double>{}, std::span<double>{})), bool>) {
      derivative_ = std::move(function);
    } else {
      derivative_ = [function](double t, std::span<const double> y, std::span<double> dydt) {
        return function(t, y, dydt), true;
      };
    }
  }

  int dimension() const override { return dimension_; }
  bool compute_derivative(double t, std::span<const double> y, std::span<double> dydt) override {
    return derivative_(t, y, dydt);
  }
  bool has_series() const override { return tape_.has_value(); }
  // y_{n+1} = f_n / (n + 1)
  bool compute_series(double t, std::span<const double> y, int order, std::span<double> coefficients) override {
    if (!derivative_(t, y, coefficients.first(y.size()))) return false;
    TapeSeries series(*tape_, order);
    std::copy(y.begin(), y.end(), coefficients.begin());
    for (int n = 0; n < order; ++n) {
      series.set_input(0, n, n == 0 ? t : n == 1 ? 1 : 0);
      for (int i = 0; i < dimension_; ++i) series.set_input(1 + i, n, coefficients[n * dimension_ + i]);
      series.compute_order(n);
      for (int i = 0; i < dimension_; ++i) coefficients[(n + 1) * dimension_ + i] = series.output(i, n) / (n + 1);
    }
    return std::all_of(coefficients.begin(), coefficients.end(), [](double x) { return std::isfinite(x); });
  }

 private:
  int dimension_;
  std::optional<Tape> tape_;
  Derivative derivative_;
};

struct Course {
  IntegratorState end;
  int steps = 0;
  int rejected = 0;
  long evaluations = 0;
  std::optional<Failure> failure;
};

// On to t_end from where the integrator is; `see` is called after every step.
inline Course go_on(Integrator& integrator, double t_end, const std::function<void(const StepReport&)>& see = {}) {
  Course course;
  for (bool arrived = false; !arrived && !course.failure;) {
    const Outcome<StepReport> step = integrator.advance(t_end);
    if (!step) {
      course.failure = step.failure();
      break;
    }
    ++course.steps;
    course.rejected += step->rejected;
    course.evaluations += step->evaluations;
    arrived = step->t1 == t_end;
    if (see) see(*step);
  }
  course.end = integrator.state();
  return course;
}

inline Course run(std::string_view name, System& system, std::vector<double> y0, double t_end, double tolerance,
                  const std::function<void(const Integrator&, const StepReport&)>& see = {}) {
  const auto integrator = make_integrator(name);
  integrator->start(system, {0, std::move(y0), 0, {}}, {tolerance, tolerance});
  return go_on(*integrator, t_end, [&](const StepReport& step) {
    if (see) see(*integrator, step);
  });
}

inline double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// x'' = -x
inline FunctionSystem harmonic_oscillator() {
  return {2, [](auto, auto y, auto dydt) { dydt[0] = y[1], dydt[1] = -y[0]; }};
}

// r'' = -r/|r|³ in the plane: y = (x, y, x', y')
inline FunctionSystem kepler() {
  return {4, [](auto t, auto y, auto dydt) {
            using std::sqrt;
            const auto r2 = y[0] * y[0] + y[1] * y[1], k = lift<decltype(t)>(1) / (r2 * sqrt(r2));
            dydt[0] = y[2], dydt[1] = y[3], dydt[2] = -k * y[0], dydt[3] = -k * y[1];
          }};
}

// Two point masses 1 kg on rods of 1 m, g = 9.81: angles from the downward vertical, y = (θ1, θ2, θ1', θ2').
inline FunctionSystem double_pendulum() {
  return {4, [](auto t, auto y, auto dydt) {
            const auto g = lift<decltype(t)>(9.81), two = lift<decltype(t)>(2);
            const auto [s, c] = sincos(y[0] - y[1]);
            const auto moment1 = -s * y[3] * y[3] - two * g * sincos(y[0]).sin, moment2 = s * y[2] * y[2] - g * sincos(y[1]).sin;
            dydt[0] = y[2], dydt[1] = y[3];
            dydt[2] = (moment1 - c * moment2) / (two - c * c), dydt[3] = (two * moment2 - c * moment1) / (two - c * c);
          }};
}

}  // namespace vinculum
