// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/analysis/integral_samples.h"
#include "vinculum/analysis/integrals.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

// What may change an integral at states that were not tried. A law such as exp(-((x - 0.5)/w)²) is zero to round-off at every
// random state and not zero in between, so that "no force was found" is no proof. A law l leaves an integral φ alone
//
//   if it is constant: its range over all arguments is one point (bound_everywhere);
//   or if it has no lever on it: ∂φ/∂v · δv' = 0 for the response δv' of the constrained motion to a unit of the law (for the
//     energy: no power), which is a smooth function of the position and so is decided at a few random states;
//   or if it is a polynomial, also of sines and cosines, piece by piece with all pieces tried, and acts at the states tried: then
//     that all changes cancel there to round-off holds everywhere.
//
// Given motions, moving environment bodies, surfaces and factors of velocity constraints are laws, too.
class IntegralDoubts {
 public:
  IntegralDoubts(const Model& model, IntegralCandidates& candidates, const IntegralSamples& samples);

  // The element that may change it: "force 'wall'"; empty if none can. `unit`: what its rate is measured by.
  std::string find(const Integral& integral, double unit) const;

 private:
  // A formula whose value has an effect on the motion, and one such effect.
  struct Lever {
    std::string element;
    Expression law;      // on velocities
    Expression working;  // the part of it that has no potential
    bool is_force;       // else it moves something
    bool is_seen;        // by the states that were tried, as far as it acts there
    int velocity;        // it pushes,
    int body;            // or if this is -1, a body,
    Vector3 point_B;
    Wrench push;  // a unit of it
    enum class Axes { world, environment } axes;
    int environment;             // whose axes
    ForceOf force{};             // of a force in place of all these: which one,
    std::vector<double> unit{};  // and its amplitudes
  };
  void list_forces();
  void list_motions();
  void list_surroundings();
  void add(Lever lever);
  void add_contacts_of(int environment, const std::vector<Wrench>& pushes, const std::string& element, const Expression& law);
  bool is_seen_whole(const Expression& law, const std::string& element) const;
  void look(const State& state, IntegralCandidates& candidates);

  const Model& model_;
  const IntegralSamples& samples_;
  const std::vector<IntegralCandidate>& list_;
  std::vector<Lever> levers_;
  bool is_too_large_ = false;

  // At each state: how every candidate changes with v, the response to every lever, its power and the values of the laws.
  struct Look {
    Eigen::MatrixXd gradients, responses, pushes;
    Eigen::VectorXd v, values, working_values;
  };
  std::vector<Look> looks_;
};

}  // namespace vinculum
