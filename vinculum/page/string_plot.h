// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vinculum/strings/permanent_rotation.h"
#include "vinculum/strings/steady_atlas.h"
#include "vinculum/strings/steady_search.h"

namespace vinculum {

// The points, segments and circles of the construction of a coplanar motion with ruler and compass (theory 4, section 6), in the
// plane of e2 and e3 from O', the point on the axis at the height of the suspension: the level line at depth g/ψ'², on it A_i =
// (X_Ci, -g/ψ'²); every mass centre is on the vertical through its A_i and on the circle of radius c_i about P_i: the two
// meetings C_i are the two sides. What cannot be constructed is left out.
struct Construction {
  struct Point {
    std::string name;  // O, A:BODY, P:BODY, Q:STRING, C:BODY, C below:BODY, C above:BODY
    double x = 0, z = 0;
  };
  struct Circle {
    std::string body;
    double x = 0, z = 0, radius = 0;
  };
  double level = 0;  // z of the level line
  std::vector<Point> points;
  std::vector<std::pair<std::string, std::string>> segments;  // between points by name
  std::vector<Circle> circles;

  const Point* find(const std::string& name) const;
};
Construction construct_motion(const StringTree& tree, double rate, const std::vector<double>& angles, const Sides& sides);

// A steady motion from the side, with its construction if it is coplanar, and from above (SVG): strings in the colour of their
// tension, bodies in that of their spin. A motion that does not exist is shown as far as it can be constructed.
std::string draw_steady_motion(const StringTree& tree, const SteadyMotion& motion);

// Angles, tilts, energy and vertical momentum against the rate along a branch; the line tells the stability.
std::string draw_branch(const StringTree& tree, const std::vector<SteadyBranch>& branches, const std::vector<double>& critical);

// Where in the plane of two angles there are motions, one panel for each choice of sides: coloured by stability where it is
// known, else by the fastest spin.
std::string draw_atlas(const StringTree& tree, double rate, const SteadyAtlas& atlas);

// Tilts against speed, as measured and as the body that was found has them.
std::string draw_measured_tilts(const BodyOnString& body, const Imbalance& found, const std::vector<MeasuredTilt>& measured);

}  // namespace vinculum
