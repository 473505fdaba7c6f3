// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/checkpoint.h"

#include <tuple>

#include <fmt/core.h>

namespace vinculum {

namespace {

Failure misfit(const std::string& why) {
  return {"VN-RUN-140", "the checkpoint does not fit the model: " + why, "start the run again"};
}

}  // namespace

Failure refuse_checkpoint(std::string_view what, size_t found, size_t wanted) {
  return misfit(fmt::format("{} {} where there must be {}", found, what, wanted));
}

Failure refuse_checkpoint_values() { return misfit("a count or an index is out of range"); }

std::optional<Failure> check_fit(const Checkpoint& point, const Model& model, const RunSizes& sizes) {
  const size_t rows = model.rows().size();
  const std::tuple<std::string_view, size_t, size_t> pairs[] = {
      {"values of the state", point.integrator.y.size(), sizes.values},
      {"values of events", point.event_memory.size(), sizes.events},
      {"modes", point.modes.size(), model.modes().size()},
      {"idealisations", point.idealisations.size(), sizes.idealisations},
      {"instants", point.instants.size(), sizes.instants},
      {"redundant constraints", point.left_out.size(), rows},
      {"determined constraints", point.undetermined.size(), rows},
      {"residuals of position", point.worst_position.size(), rows},
      {"residuals of velocity", point.worst_velocity.size(), rows},
  };
  for (const auto& [what, found, wanted] : pairs) {
    if (found != wanted) return refuse_checkpoint(what, found, wanted);
  }
  bool fits = point.weakest_velocity >= -1 && point.weakest_velocity < model.tree().velocities && point.next_sample >= 0 &&
              point.steps >= 0 && point.rejected >= 0 && point.evaluations >= 0;
  fits = fits && point.mark_every > 0;
  for (const std::vector<double>& mark : point.marks)
    fits = fits && mark.size() == 1 + static_cast<size_t>(model.tree().coordinates + model.tree().velocities);
  for (size_t i = 0; i < point.modes.size(); ++i)
    fits = fits && point.modes[i] >= 0 && point.modes[i] < static_cast<int>(model.modes()[i].words.size());
  if (!fits) return refuse_checkpoint_values();
  return std::nullopt;
}

}  // namespace vinculum
