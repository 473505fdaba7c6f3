// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"
#include "vinculum/strings/spin_limit.h"

// What can be asked of a model: one struct a question. The command line, a study and a program fill the same ones; an option that
// a study cannot ask (a file to write) is empty there.
namespace vinculum {

struct Kept;

// How a question treats the start of a model, `initial` and the values of --set.
enum class UseOfStart { all, positions, none };

// What all questions about a model take.
struct ModelOptions {
  std::string model;              // path; `-` is standard input
  std::vector<std::string> sets;  // NAME=VALUE, over parameters and initial values
  std::string state;              // path of a state instead of `initial`; empty: none
  bool json = false;              // the answer as a document instead of text
  // What a study keeps from point to point: the model is read once and changes its numbers. It takes the place of `model`.
  Kept* kept = nullptr;
  // A model that is there already, with all its values; it takes the place of `model` and `sets`.
  std::shared_ptr<const Model> built{};
  std::vector<Written> written{};  // beside the outputs of the model
  // --set of a start value that the question does not use is refused, with this reason.
  UseOfStart start = UseOfStart::all;
  const char* why_unused = "";
};

// Moving a state onto the constraints, and what keeps its values meanwhile.
struct ProjectOptions {
  bool project = false;
  std::vector<std::string> hold;
};

struct CheckOptions : ModelOptions, ProjectOptions {
  std::string page;  // a file to write
};

struct EvaluateOptions : ModelOptions, ProjectOptions {
  std::string form = "recursive";  // vector, aggregate
  double residual = 1e-8;          // largest one of a constraint that is accepted [m, rad; m/s, rad/s]
};

struct SimulateOptions : ModelOptions, ProjectOptions {
  RunOptions run;                            // all but its `until`, `largest_step`, `step` and `inputs`, which follow from these:
  std::optional<double> until;               // [s]
  bool until_rest = false;                   // or until guides have brought everything to rest
  std::optional<double> largest_step, step;  // [s]
  std::string inputs;                        // a CSV file: values of inputs over time
  std::string output;                        // a folder; empty: nothing is written
  bool resume = false;
  bool force = false;        // replace a run that could be resumed
  bool allow_large = false;  // tables of any size
  bool no_report = false;
  double checkpoint_seconds = 2;
  std::vector<std::string> fail_on;  // words of verdicts
};

struct InverseOptions : ModelOptions, ProjectOptions {
  std::string motion;  // a table
  std::string output;
  std::vector<std::string> drives;
  double residual = 1e-8;
  bool force = false;
};

struct EquilibriumOptions : ModelOptions {
  std::vector<std::string> steady;  // COORDINATE=RATE
  std::string write_state;
  bool force = false;
};

struct LineariseOptions : ModelOptions {
  std::string motion;  // a table
  std::string over;    // NAME=FROM:TO:COUNT
  std::string svg, table;
  bool force = false;
};

struct IntegralsOptions : ModelOptions {
  std::vector<std::string> taut;  // strings
};

inline constexpr std::array kBalanceProperties{"constant-mass-matrix", "decoupled", "force", "reactionless", "static"};
struct BalanceOptions : ModelOptions {
  std::string property;  // one of these
  std::vector<std::string> counterweights, discs, springs, drives;
  std::string write;
  bool force = false;
};

struct SeriesOptions : ModelOptions {
  int order = 12;
};

struct VariantsOptions : ModelOptions {
  std::string problem;  // a file with bare numbers instead of a model
  std::string plot;
  bool compare = false, force = false;
};

struct LimitOptions : ModelOptions {
  std::string load;   // the force that is multiplied
  std::string polar;  // a picture
  int rays = 72;
  bool force = false;
};

struct RealizeOptions : ModelOptions {
  std::vector<std::string> rows, bounds, inputs;
  std::string law, sweep, completion = "mass", problem, critical, output;
  std::optional<double> until, within, region;
  bool certificate = false, spectrum = false, force = false;
  int samples = 41;
  double tolerance = 1e-12;
};

struct SteadyMotionOptions : ModelOptions {
  std::optional<double> rate, amplitude, to_rate;
  std::vector<std::string> angles, sides, spins, momenta, azimuths;  // NAME=VALUE
  std::string interval, carousel, measured, write_state, draw, table;
  int branch = 0, scan = 0;
  bool critical = false, stability = false, driven = false, permanent = false, constants = false, fit_inertia = false,
       force = false;
  double spin_limit = kSpinLimit;
};

// What a study may ask at every point.
using QuestionOptions = std::variant<SimulateOptions, RealizeOptions, VariantsOptions, LimitOptions, SteadyMotionOptions,
                                     EquilibriumOptions, LineariseOptions, EvaluateOptions>;

}  // namespace vinculum
