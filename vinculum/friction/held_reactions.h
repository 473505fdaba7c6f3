// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "vinculum/friction/friction_cone.h"

namespace vinculum {

// Reactions of faces that hold, and how they follow the load (theory 7, section 6). Where faces can wedge each other, statics
// leaves them open; they are then those with which the faces came to hold, changed as little as the load asks for: all faces are
// equally stiff, normally and tangentially, and
//
//   sticks    N and friction follow the displacement u of the body:  dN = -push·u ,  dT = -(columns)ᵀ u
//   slips     at the limit of friction (micro-slip):  T = t N  with t fixed,  dN = -push·u ; its slip must oppose T
//   unloaded  N = 0
//
// so that, while no face changes its mode,  Zᵀ K Z y = Zᵀ dQ ,  u = Z y . A path of loads is cut where a face comes to its limit.
struct HeldFace {
  enum class Mode { unloaded, sticks, slips };
  Mode mode = Mode::unloaded;
  int face = 2;              // 1 or 2
  double N = 0;              // >= 0
  Eigen::VectorXd friction;  // in the unknowns of the face's FrictionCone
};
using HeldReactions = std::vector<HeldFace>;  // pair by pair

class HeldFaces {
 public:
  // Of the problem its pairs and held constraints. `rows`: the held constraints by what they forbid, column by column; none: as
  // by what they do, which differs where sliding faces among them rub.
  explicit HeldFaces(RestProblem problem, const std::optional<Eigen::MatrixXd>& rows = std::nullopt);

  const FrictionCone& cone(std::size_t pair, int face) const { return cones_[pair][static_cast<std::size_t>(face - 1)]; }
  Eigen::VectorXd load_of(
      const HeldReactions& reactions) const;  // that they balance; like all loads here, on the motions allowed
  Eigen::VectorXd reduce(const Eigen::VectorXd& generalised) const { return tests_.transpose() * generalised; }

  // The same modes under another load. `least`: how far the nearest face is from the end of its mode, in newtons: negative
  // beyond it, and where no such reactions balance the load.
  struct Step {
    bool balances = false;
    HeldReactions reactions;
    Eigen::VectorXd displacement;  // u
    double least = 0;
  };
  Step respond(const HeldReactions& from, const Eigen::VectorXd& load) const;

  // Modes with which reactions at their limits go on when the load changes in this direction. None: the wedged rest ends.
  std::optional<HeldReactions> choose_modes(const HeldReactions& at, const Eigen::VectorXd& rate) const;
  // How fast the slip of a face that slips goes against its friction, least over all such faces, per unit of the rate; positive
  // while micro-slip goes on.
  double find_slip_progress(const HeldReactions& at, const Eigen::VectorXd& rate) const;

  // From the load that they balance along a straight line to another one. `part`: how much of it they held.
  struct Path {
    bool held = false;
    double part = 0;
    HeldReactions reactions;
  };
  Path follow(HeldReactions from, const Eigen::VectorXd& load) const;

  // Reactions of least Euclidean norm within the cones that balance a load, on these faces (0: none), by alternating
  // projections (Dykstra). None: there are none; or pads are at their limits.
  std::optional<HeldReactions> find_least(const Faces& faces, const Eigen::VectorXd& load) const;

 private:
  struct Response {
    bool balances = false;
    Eigen::VectorXd displacement;
    std::vector<double> dN;
    std::vector<Eigen::VectorXd> dT;
  };
  Response compute(const HeldReactions& at, const Eigen::VectorXd& change) const;
  double slack(std::size_t pair, const HeldFace& face) const;  // f N - |T|, of points
  // A face at its limit, and how it may go on; `begins`: from no load at all.
  struct Critical {
    std::size_t pair = 0;
    bool begins = false;
    std::vector<HeldFace> ways;
  };
  bool accepts(const HeldReactions& modes, const Response& rate, const std::vector<Critical>& critical) const;
  double size_of(const HeldReactions& reactions) const;
  double slip_against(std::size_t pair, const HeldFace& face, const Response& rate) const;

  RestProblem problem_;
  std::vector<std::array<FrictionCone, 2>> cones_;
  Eigen::MatrixXd tests_, motions_;  // balance is asked along these, displacements are of these
};

}  // namespace vinculum
