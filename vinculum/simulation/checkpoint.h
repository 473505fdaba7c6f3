// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vinculum/integration/integrator.h"
#include "vinculum/model/model.h"
#include "vinculum/simulation/accumulation.h"
#include "vinculum/simulation/integral_drift.h"

namespace vinculum {

// All a run needs to continue from here, bit for bit.
struct Checkpoint {
  IntegratorState integrator;
  std::vector<double> event_memory;
  std::vector<Occurrence> events;
  long next_sample = 0;
  std::optional<double> last_sampled_t;
  long steps = 0, rejected = 0, evaluations = 0;
  double start_t = 0;
  std::vector<IntegralDrift> integrals;
  double energy_scale = 0;  // the largest exchange,
  double energy_size = 0;   // and the largest sum of terms, each without its sign
  double weakest_ratio = 1;
  int weakest_velocity = -1;
  double weakest_t = 0;
  std::vector<int> modes;      // of the elements,
  std::vector<bool> left_out;  // and which of all constraints say nothing new
  int switches = 0;            // of modes, since
  double switches_since = 0;
  std::vector<Stretch> stretches;                       // taken by implicit steps, because events accumulated
  std::vector<std::vector<double>> idealisations;       // what each of them knows
  std::vector<bool> undetermined;                       // constraints whose multiplier was not determined at some time
  std::vector<double> worst_position, worst_velocity;   // residuals of each constraint; -1: it has no position
  double least_regularity = 1, least_regularity_t = 0;  // of the constraints (LoopSolver), at the ends of steps
  std::vector<double> singular_times;                   // where they lost rank on the way
  double stiff_since = 0, stiff_gain = 0;               // from when on cvode comes farther, how many times; 0: not found
  std::vector<std::vector<double>> marks;               // (t, q, v) of some samples, evenly: those whose number is a multiple of
  long mark_every = 1;                                  // this
  std::vector<double> instants;                         // how far everything that acts at instants has come (instants.h)

  // What is at its extreme from the start on is so at the start: every number is a time.
  void begin_at(double t) { start_t = weakest_t = least_regularity_t = t; }
};

// Every part of it with its name: the one list that all who write and read it share. `archive(name, part)` is called for each.
template <class Point, class Archive>
void visit_checkpoint(Point& point, Archive& archive) {
  archive("t", point.integrator.t);
  archive("y", point.integrator.y);
  archive("next_step", point.integrator.next_step);
  archive("memory", point.integrator.memory);
  archive("event_memory", point.event_memory);
  archive("events", point.events);
  archive("next_sample", point.next_sample);
  archive("last_sampled_t", point.last_sampled_t);
  archive("steps", point.steps);
  archive("rejected", point.rejected);
  archive("evaluations", point.evaluations);
  archive("start_t", point.start_t);
  archive("integrals", point.integrals);
  archive("energy_scale", point.energy_scale);
  archive("energy_size", point.energy_size);
  archive("weakest_ratio", point.weakest_ratio);
  archive("weakest_velocity", point.weakest_velocity);
  archive("weakest_t", point.weakest_t);
  archive("modes", point.modes);
  archive("left_out", point.left_out);
  archive("switches", point.switches);
  archive("switches_since", point.switches_since);
  archive("stretches", point.stretches);
  archive("idealisations", point.idealisations);
  archive("undetermined", point.undetermined);
  archive("worst_position", point.worst_position);
  archive("worst_velocity", point.worst_velocity);
  archive("least_regularity", point.least_regularity);
  archive("least_regularity_t", point.least_regularity_t);
  archive("singular_times", point.singular_times);
  archive("stiff_since", point.stiff_since);
  archive("stiff_gain", point.stiff_gain);
  archive("marks", point.marks);
  archive("mark_every", point.mark_every);
  archive("instants", point.instants);
}

// VN-RUN-140: in a checkpoint there are `found` of something where the model has `wanted`.
Failure refuse_checkpoint(std::string_view what, size_t found, size_t wanted);
Failure refuse_checkpoint_values();

// The sizes a run of the model has.
struct RunSizes {
  size_t values = 0, events = 0, idealisations = 0, instants = 0;
};

// Has anything in it another size than the model gives it, or a count or an index out of range: then it is the checkpoint of
// something else.
std::optional<Failure> check_fit(const Checkpoint& point, const Model& model, const RunSizes& sizes);

}  // namespace vinculum
