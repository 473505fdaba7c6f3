// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/decision/impact.h"

namespace vinculum {

// As settle_one_sided, where joints, and contacts where they are followed, also stick or slip under their friction and bounds.
// All that touches, and every grip without slip, is decided in one local problem (grip_problem.h):
//
//   impact   normals  0 ≤ u⁺ - e max(-u⁻, 0)  ⟂  Λ_n ≥ 0                                  Newton's; others: impact_problem.h
//            tangents Λ_t in -mu Λ_n ∂|u_t⁺|                                             Coulomb's, of impulses
//            a force that is bounded by itself has no impulse
//   forces   0 ≤ D_n v' - γ_n ⟂ λ_n ≥ 0 ,  λ_t in -rho ∂|D_t v' - γ_t| where the slip is 0, else -rho slip/|slip|
//
// Where redundant grips give way together nothing has an acceleration yet that would tell which of them slip, and where to. With
// all friction less by a trace it has.
//
// Every consistent choice of modes is looked for (local_choices.h), guides among them, where the tree can tell. Several: the one
// reached as friction grows from none is taken. None: no finite forces go with the motion (Painlevé), and it goes on behind an
// impact without collision: impulses at contacts that touch and slide, by the same laws, that are not zero,
//
//   u⁺ = W Λ + u⁻ ,  Λ ≠ 0                            of one contact Λ = -W⁻¹u⁻: the slide stops at once, and the contact stays
//
// behind which forces have a solution again. Both are told in the record.
//
// What slides may bear less than what held it: once it slips, the others are decided beside what it bears then.
//
// A slip up to `still` is none, and is taken away. Laws without sticking have their side from the slip. In and out: the modes of
// `set`. Failures VN-CONTACT-120 where friction and pushes do not settle, -150 without any choice of modes and impulses, -017 as
// there.
struct FrictionalChange {
  int leaving = -1;               // index into Model::one_sided(): has just lost its push
  int slipping = -1;              // index into Model::grips(): has just come to its bound, and slips
  bool gives_way = false;         // no distribution of reactions that are not determined holds any longer: some of them slip
  bool jams = false;              // reactions grow beyond all bounds: forces are not asked
  double least_rise = kTouching;  // of the length scale,
  double still = 1e-9;            // and of the velocity scale of a row (RowScales)
};

// What settling came upon, of each the first time.
struct ChoiceRecord {
  double split = 0;                           // of the slips that began last on redundant supports (equal_supports.h)
  bool examined = false, unexamined = false;  // all choices were looked for; there was a time they were not
  int choices = 0;                            // several, how many,
  std::string several, taken;                 // which, in words, and the one taken
  double several_t = 0;
  int jams = 0;                             // how many times there was none
  std::string jammed, jammed_last;          // contacts whose slide an impact without collision ended; at the first and the last
  int jammed_one_sided = 0;                 // the first of the last: index into Model::one_sided()
  double jam_t = 0, impulse = 0, lost = 0;  // impulse of normals [N s], kinetic energy lost [J]
};
// What is struck, jams included, is added to `impacts`.
std::optional<Failure> settle_frictional(ConstraintSet& set, State& state, const FrictionalChange& change, Workspace& workspace,
                                         ChoiceRecord& record, std::vector<ImpactReport>* impacts = nullptr);

// Grips whose rows slip at the start, or whose law has no sticking: not yet what forces decide.
// `still`: of the velocity scale of a row.
std::optional<Failure> let_slip_what_slips(ConstraintSet& set, const State& state, double still);

// What a law cannot do in a frictional run, as a refusal: VN-CONTACT-121.
std::optional<Failure> check_slip_laws(const Model& model);

}  // namespace vinculum
