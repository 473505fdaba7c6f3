// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_gate.h"

#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/dynamics/failures.h"

namespace vinculum {

namespace {

bool is_clean(const Verdict& verdict) {
  return std::isfinite(verdict.margin.value_or(0)) && std::isfinite(verdict.first_violation.value_or(0)) &&
         std::isfinite(verdict.nearest_t.value_or(0)) && !tells_no_number(verdict.why);
}

}  // namespace

std::optional<Failure> find_overflow(const Model& model, const Sample& sample) {
  const auto first = [](const std::vector<double>& values, const std::vector<std::string>& names,
                        const std::string& what) -> std::optional<Failure> {
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) return beyond_all_numbers(i < names.size() ? fmt::format("{} {}", what, names[i]) : what);
    }
    return std::nullopt;
  };
  if (auto failure = first(sample.state.q, model.coordinate_names(), "the coordinate")) return failure;
  if (auto failure = first(sample.state.v, model.velocity_names(), "the velocity")) return failure;
  if (auto failure = first(sample.dynamics.accelerations, model.velocity_names(), "the acceleration of")) return failure;
  if (auto failure = first(sample.dynamics.driving_forces, {}, "the force of a drive")) return failure;
  for (size_t i = 0; i < sample.dynamics.reactions_W.size(); ++i) {
    const auto& [f, m] = sample.dynamics.reactions_W[i];
    for (const double part : {f.x, f.y, f.z, m.x, m.y, m.z}) {
      if (!std::isfinite(part))
        return beyond_all_numbers(fmt::format("the reaction of the joint of body '{}'", model.bodies()[i].name));
    }
  }
  for (const auto* values : {&sample.multipliers, &sample.quantities}) {
    if (auto failure = first(*values, {}, "a reaction or a slip")) return failure;
  }
  if (!std::isfinite(sample.energy.kinetic)) return beyond_all_numbers("the kinetic energy");
  if (!std::isfinite(sample.energy.potential)) return beyond_all_numbers("the potential energy");
  return std::nullopt;
}

void pass_gate(RunResult& result) {
  std::string first;
  const auto note = [&](const std::string& quantity) {
    if (first.empty()) first = quantity;
  };
  for (IntegralDrift& integral : result.integrals) {
    for (double* value : {&integral.start, &integral.drift}) {
      if (std::isfinite(*value)) continue;
      note(fmt::format("the integral {}", integral.name));
      *value = std::numeric_limits<double>::max();
    }
  }
  for (Verdict& verdict : result.verdicts) {
    if (is_clean(verdict)) continue;
    note(fmt::format("a number in the verdict {}", verdict.subject));
    verdict.verdict = Holds::not_checked;
    verdict.margin = verdict.first_violation = verdict.nearest_t = std::nullopt;
    verdict.why = "a number it depends on is beyond double precision";
    verdict.hint = "is a value of the model in another unit than it is meant?";
  }
  if (first.empty()) return;
  result.end = RunResult::End::failed;
  if (!result.failure) result.failure = beyond_all_numbers(first);
}

}  // namespace vinculum
