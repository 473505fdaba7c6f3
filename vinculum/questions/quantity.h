// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vinculum/simulation/ensemble.h"
#include "vinculum/simulation/run.h"
#include "vinculum/study/study.h"

namespace vinculum {

// One value of an answer, found by its path once, before a study, instead of in the document of every point.
struct AnswerQuantity {
  enum class Of {
    // of a run
    final_time,
    final_coordinate,  // `index` in State::q
    final_velocity,
    samples,
    steps,
    rejected,
    integrator,
    output,   // `name`; `field` of its numbers: final, min, t_min, max, t_max, mean, rms
    event,    // the first one of this name; t, direction, face, energy_lost, kind, subject, name
    verdict,  // of this subject; verdict, margin, first_violation, nearest_t, why, hint, term, element, subject
    // of an evaluation
    time,
    acceleration,  // `index` of a velocity
    position,      // `index` of a body; `component` in world axes
    quaternion,
    twist,
    mass_matrix,  // `index` of the matrix row, `component` of the column
    kinetic_energy,
    potential_energy
  } of = Of::final_time;
  int index = 0, component = 0;
  std::string name{}, field{};
};

// A path as `collect` has it: `final.q.arm`, `events.slip:foot.t`, `verdicts.foot.margin`
// or `foot.margin`. None if there is no such quantity, or if only the document of the
// answer has it. Then `nearest`, if wanted, is the most similar quantity, or empty.
std::optional<AnswerQuantity> find_run_quantity(const Model& model, std::string_view path, std::string* nearest = nullptr);
// `accelerations.arm'`, `poses.arm.position.0`, `twists.arm.5`, `mass_matrix.0.1`, `energy.kinetic`.
std::optional<AnswerQuantity> find_evaluation_quantity(const Model& model, std::string_view path, std::string* nearest = nullptr);

// Nothing where the run has no such event, verdict or number.
StudyValue value_of(const AnswerQuantity& quantity, const RunResult& result);
// Of a run in lanes; `has_value` says which of its quantities there are.
bool has_value(const AnswerQuantity& quantity, const Model& model);
StudyValue value_of(const AnswerQuantity& quantity, const Model& model, const EnsembleRun& run);

// Are all numbers of a result finite? If not, its document names the first that is none.
bool is_all_finite(const RunResult& result);

}  // namespace vinculum
