// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/impact_report.h"
#include "vinculum/decision/impact_problem.h"

namespace vinculum {

// A change of velocities by impulses on rows in question; all other rows that are there are kept:  v + P Jᵀ R
struct ImpulseAnswer {
  std::vector<int> rows;      // in question, by Row::index
  Eigen::VectorXd before;     // v
  Eigen::MatrixXd J, change;  // change: P Jᵀ
  Eigen::VectorXd rates;      // J v - F before
  std::vector<int> kept;      // rows that are kept,
  Eigen::MatrixXd on_kept;    // and their impulses: kept by rows in question
};
// `is_kept` says it of each row of the set.
Outcome<ImpulseAnswer> answer_impulses(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                       std::vector<int> questioned, const std::vector<bool>& is_kept, Workspace& workspace);
// What impulses R on the rows in question do, row by row.
ImpactReport report_impulses(const ConstraintSet& set, const State& state, const ImpulseAnswer& answer, const Eigen::VectorXd& R,
                             Workspace& workspace);

// The impact of one-sided rows (Model::one_sided()) that touch, each by the law of its restitution.          theory 7, section 4
struct StrikeRequest {
  std::vector<bool> taking_part;  // which of them may take an impulse
  std::vector<bool> plastic;      // those whose restitution is left out
  bool slips = false;             // tangential impulses obey friction; else the rows of a contact hold while it pushes
  double still = 0;               // of RowScales: slower is no approach
};
struct StrikeAnswer {
  Eigen::VectorXd after;      // v⁺
  std::vector<double> rates;  // of one-sided rows that take part, after; 0 of others
  ImpactReport report;
};
// The problem alone, with the rows it speaks of.
struct StrikeProblem {
  ImpulseAnswer answer;
  ImpactProblem impact;
  std::vector<int> one_sided;  // of each contact of the problem
};
Outcome<StrikeProblem> pose_strike(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                   const StrikeRequest& request, Workspace& workspace);
// The same of a strike, compared with other orders.
ImpactReport report_strike(const ConstraintSet& set, const State& state, const StrikeProblem& problem, const Eigen::VectorXd& R,
                           Workspace& workspace);

// None: the impulses do not settle. `other_way` is tried where sweeps do not, on rows by Row::index.
using OtherWay = std::function<std::optional<GripSolution>(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                                           const std::vector<GripBlock>& blocks, const std::vector<int>& rows)>;
Outcome<std::optional<StrikeAnswer>> strike_rows(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                 const StrikeRequest& request, Workspace& workspace,
                                                 const OtherWay& other_way = {});

}  // namespace vinculum
