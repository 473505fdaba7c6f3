// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "vinculum/realization/certificate.h"
#include "vinculum/realization/reactions.h"
#include "vinculum/simulation/sampled_run.h"

// The command `realize` in parts: options and the state (realize.cc), the motion (realize_motion.cc), bare problems
// (realize_problem.cc).
namespace vinculum::app {

struct RealizeOptions : ModelOptions {
  std::vector<std::string> rows, bounds, inputs;
  std::string law, sweep, completion = "mass", problem, critical, output;
  std::optional<double> until, within, region;
  bool certificate = false, spectrum = false, force = false;
  int samples = 41;
  double tolerance = 1e-12;
};

// What the command knows once its words are read.
struct Realization {
  SlipSystem& system;
  State start;                 // on the permanent rows
  State projected;             // and without slip
  SlipState at;                // there
  Eigen::VectorXd slip;        // of the start,
  double slip_energy = 0;      // and its energy
  std::optional<SlipLaw> law;  // of --law

  const Model& model() const { return system.model(); }
};

// A failure of the command, with its exit code.
struct Refusal {
  Failure failure;
  int exit_code = kFailed;
};

std::string_view law_word(SlipLawKind kind);
std::string slip_unit(const Row& row);  // m/s, rad/s

Json rows_json(const Realization& realization, const Eigen::VectorXd& values);
Json number_or_null(const std::optional<double>& value);

int answer_problem(const RealizeOptions& options, Reply& reply);

// Everything of `--until`, `--sweep`, `--certificate`; the verdicts of the motion.
std::optional<Refusal> tell_motion(const RealizeOptions& options, const Realization& realization, Reply& reply);
std::optional<Refusal> tell_spectrum(const RealizeOptions& options, const Realization& realization, Reply& reply);

void tell_group_verdicts(const Realization& realization, const ReactionHistory& history, const std::vector<Verdict>& verdicts,
                         const std::vector<std::string>& after, Reply& reply);

}  // namespace vinculum::app
