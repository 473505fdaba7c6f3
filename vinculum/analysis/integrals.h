// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/analysis/integral_candidates.h"
#include "vinculum/verdict/outcome.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// A combination of candidates that stays constant along every motion of the model: Σ coefficient φ + by_time t.
struct Integral {
  struct Term {
    int candidate = 0;  // index into the list of candidates
    double coefficient = 0;
  };
  std::string name;         // "Pz + 29.43 t"
  std::vector<Term> terms;  // the first has the coefficient 1
  double by_time = 0;
  std::string unit;
  std::string why;
  std::string doubt{};  // what may change it at states that were not tried: "force 'wall'"; empty if it is proven
};

// What separates numbers that count as zero from those that do not.
struct DecisionGap {
  std::optional<double> zero;     // the largest that counts as zero
  std::optional<double> nonzero;  // the smallest that does not

  // How many times larger; none if all count as zero. A zero is not trusted beyond round-off, even where it is exact.
  std::optional<double> ratio() const;
};

struct IntegralSearch {
  std::vector<IntegralCandidate> candidates;
  std::vector<Integral> identities;  // candidates that are no functions of their own: name = terms + constant
  std::vector<Integral> integrals;   // linearly independent, in reduced form
  std::optional<int>
      independent_functions;  // of them; none with contacts, where the gradients are not all free, and without sums
  int samples = 0;
  // Laws with kinks: integrals of the random states that states beyond a kink do not know, and the sides of kinks on which no
  // state was found.
  struct OneSided {
    std::string name;
    std::string broken;  // "force 'stop': max(p - 1, 0) where p > 1"
  };
  std::vector<OneSided> one_sided;
  std::vector<std::string> unseen_sides;
  std::vector<std::string> undecided;  // bodies whose subsystems gave no clear answer
  DecisionGap dependence;              // of candidates on each other; without sums, on nothing at all
  DecisionGap rates;                   // of the candidates
};

struct IntegralSearchOptions {
  bool generalized_momenta = true;
  bool sums = true;    // false: each candidate by itself, plus c t
  bool inner = false;  // with sums: of every body on another body with all it carries, too
  AskStop stop;        // asked after every state and every candidate
};

// Which combinations of the candidates are conserved, tried at random states around a given one.     theory 2, section 6.2
//
// Candidates that depend on the others are dropped. For the rest, the null space of [dφ/dt | 1] over 2 C + 8 states is
// reduced to the shortest combinations; each candidate is scaled by its standard deviation. What is no combination of
// the candidates is not found. Momenta of inner subsystems are combined among themselves, subsystem by subsystem; what
// is a function of the integrals found before is dropped. With kinks in the laws there are states on both sides of each.
// Without sums eight states suffice, and an identity may be reported as an integral. Failure VN-INTEGRAL-001 if zero and
// not zero are less than 1e4 apart, -002 if the model has too few states with a motion, VN-RUN-150 if it was stopped.
Outcome<IntegralSearch> find_integrals(const Model& model, const State& around, const IntegralSearchOptions& options = {});

// How many operations such a search takes, in order of magnitude: what it costs is known before it begins. Memory is about a byte
// for ten of them at most.
double count_search_operations(const Model& model, const IntegralSearchOptions& options);

// The widest search within so many operations: with sums and generalized momenta and, if wanted, inner subsystems; without those,
// without momenta, each candidate by itself. Failure VN-INTEGRAL-150 if there is none.
Outcome<IntegralSearchOptions> choose_search(const Model& model, double most_operations, bool generalized_momenta = true,
                                             bool inner = false);

// Sets the modes of strings: those named are taut and the others as they are; all are taut if none is named.
struct TautStrings {
  std::vector<std::string> taut, slack;
  std::optional<std::string> unknown;  // a name that is no string: nothing is changed
  std::string nearest;                 // what may have been meant
};
TautStrings make_taut(const Model& model, const std::vector<std::string>& strings, State& state);

// The values of given integrals at states.
class IntegralMonitor {  // not of inner subsystems, which runs do not watch
 public:
  IntegralMonitor(const Model& model, std::vector<Integral> integrals);

  const std::vector<Integral>& integrals() const { return integrals_; }
  void compute(const State& state, Workspace& workspace, std::span<double> values);

  // The largest possible value of each in this position with a given kinetic energy T. A
  // momentum is linear in the velocities, φ = g·v, so that in the metric of T  |φ| ≤ √(2 T
  // g A⁻¹ g): √(2 T m) of P, √(2 T (Σ m r² + tr I)) of L and K at most, √(2 T A_jj) of p.
  std::vector<double> compute_sizes(const State& state, double kinetic_energy, Workspace& workspace) const;

 private:
  const Model& model_;
  IntegralCandidates candidates_;
  std::vector<Integral> integrals_;
  std::vector<double> values_;  // of the candidates
};

}  // namespace vinculum
