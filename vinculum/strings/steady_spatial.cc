// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/steady_spatial.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/math/find_zero.h"

namespace vinculum {

namespace {

constexpr double kHalfPi = std::numbers::pi / 2;

Vector3 along(double azimuth) { return {-std::sin(azimuth), std::cos(azimuth), 0}; }

SteadyMotion infeasible(double rate, SteadyReason reason, std::string detail) {
  SteadyMotion motion;
  motion.rate = rate;
  motion.reason = reason;
  motion.detail = std::move(detail);
  return motion;
}

// Zeros of P tan α + Q sin α + R in (-π/2, π/2), ascending: times cos α it is bounded, with one zero at most between the extrema.
std::vector<double> find_angles(double P, double Q, double R) {
  constexpr double kEnd = kHalfPi - 1e-12;
  std::vector<double> pieces{-kEnd, kEnd}, zeros;
  if (const double cube = Q == 0 ? -1 : -P / Q; cube > 0 && cube < 1) {
    const double extremum = std::acos(std::cbrt(cube));
    pieces = {-kEnd, -extremum, extremum, kEnd};
  }
  const auto value = [&](double a) { return P * std::sin(a) + (Q * std::sin(a) + R) * std::cos(a); };
  for (size_t k = 0; k + 1 < pieces.size(); ++k) {
    const double low = value(pieces[k]), high = value(pieces[k + 1]);
    if ((low < 0) != (high < 0)) zeros.push_back(find_zero(value, pieces[k], low, pieces[k + 1], high));
  }
  return zeros;
}

// The motion with these directions in the horizontal plane, every e_i and u_i completed by its vertical part.
SteadyMotion complete_spatial(const StringTree& tree, double rate, const std::vector<Vector3>& axes,
                              const std::vector<double>& angles, const std::vector<double>& azimuths, const Sides& sides,
                              const SteadyOptions& options) {
  const int n = tree.size();
  SteadyMotion motion;
  motion.rate = rate;
  for (int i = 0; i < n; ++i) {
    const double sine = norm(axes[i]);
    if (sine > 1 + 1e-12)
      return infeasible(rate, SteadyReason::infeasible_angle,
                        fmt::format("body '{}' would need sin(tilt) = {:.6g}", tree.bodies[i].name, sine));
    motion.x.push_back({axes[i].x, axes[i].y, -sides[i] * std::sqrt(std::max(0.0, 1 - sine * sine))});
  }
  for (int i = 0; i < n; ++i) {
    const Vector3 across = std::sin(angles[i]) * along(azimuths[i]);
    motion.x.push_back({across.x, across.y, -std::cos(angles[i])});
    const double azimuth = angles[i] < 0 ? azimuths[i] + std::numbers::pi : azimuths[i];
    motion.azimuths.push_back(std::remainder(azimuth, 2 * std::numbers::pi));
  }
  complete_motion(tree, options, motion);
  // A vertical axis while the strings turn it over is no steady motion whatever its spin.
  if (motion.feasible() && measure_steadiness(tree, motion) > 1e-8)
    return infeasible(rate, SteadyReason::infinite_spin,
                      "a body has a vertical axis while the strings turn it over: no spin is fast enough");
  return motion;
}

Failure missing_angle(const HungBody& body) {
  return {"VN-STEADY-012", fmt::format("string '{}' has no angle", body.string), fmt::format("give --angle {}=RAD", body.string)};
}

}  // namespace

Outcome<std::vector<SteadyMotion>> find_bent_chains(const StringTree& tree, double rate,
                                                    const std::vector<std::optional<double>>& angles,
                                                    const std::vector<std::optional<double>>& azimuths,
                                                    const std::vector<int>& sides, const SteadyOptions& options) {
  const int n = tree.size();
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree.bodies[i];
    if (body.children.size() > 1)
      return Failure{
          "VN-STEADY-013",
          fmt::format("body '{}' carries {} strings, and azimuths of a chain were given", body.name, body.children.size()),
          fmt::format("branches turn about a vertical body: --carousel {}", body.name)};
    const bool bends_below = i + 1 < n && azimuths[i + 1].has_value();
    if (!bends_below && !angles[i]) return missing_angle(body);
    if (bends_below && angles[i])
      return Failure{"VN-STEADY-014",
                     fmt::format("the angle of string '{}' follows from the bend below body '{}' and cannot be given",
                                 body.string, body.name),
                     "leave out its --angle"};
    if (bends_below && !(tree.bodies[i + 1].hung_at > body.arm))
      return std::vector{infeasible(
          rate, SteadyReason::infeasible_angle,
          fmt::format("string '{}' begins above the mass centre of body '{}', whose rod then carries a horizontal force",
                      tree.bodies[i + 1].string, body.name))};
  }
  if (azimuths[0] || tree.is_off_axis())
    return Failure{"VN-STEADY-015",
                   tree.is_off_axis() ? "a chain on a carrier beside the axis has no free azimuth"
                                      : fmt::format("the first string, '{}', has azimuth 0", tree.bodies[0].string),
                   "give --azimuth for a string below"};
  const double square = rate * rate;

  // Plane by plane downwards; where an angle has several values, each is followed.
  struct Partial {
    std::vector<double> angles, azimuths;
    std::vector<Vector3> axes;
  };
  std::vector<Partial> partials{{}};
  std::string why;
  for (int first = 0; first < n;) {
    int last = first;
    while (last + 1 < n && !azimuths[last + 1]) ++last;
    const bool bends = last + 1 < n;
    std::vector<Partial> longer;
    for (const Partial& partial : partials) {
      // X of the lower ends along this plane, for tangents and sines of its strings; the result: X_P of the last string, and the
      // tilts.
      const auto run = [&](const std::vector<double>& tangents, const std::vector<double>& sines, std::vector<double>* tilts) {
        double below = 0;
        if (first > 0) {  // m c/s ψ'² X_Q = -τ of the string that hangs there
          const HungBody& upper = tree.bodies[first - 1];
          below = -tree.bodies[first].hung_at * tree.weight[first] * tangents[0] / (upper.arm * upper.mass * square);
        }
        double attachment = 0;
        for (int i = first; i <= last; ++i) {
          const HungBody& body = tree.bodies[i];
          attachment = below + body.length * sines[i - first];
          if (i == last && bends) break;
          double pull = tree.weight[i] * tangents[i - first];
          if (i < last) pull -= tree.weight[i + 1] * tangents[i + 1 - first];
          const double tilt = (pull / (body.mass * square) - attachment) / body.arm;
          if (tilts) tilts->push_back(tilt);
          if (i < last) below = attachment + tree.bodies[i + 1].hung_at * tilt;
        }
        return attachment;
      };
      const size_t count = last - first + 1;
      std::vector<double> tangents(count), sines(count), unit(count), none(count);
      for (size_t k = 0; k < count; ++k) {
        if (!angles[first + k]) continue;
        tangents[k] = std::tan(*angles[first + k]);
        sines[k] = std::sin(*angles[first + k]);
        if (!(std::cos(*angles[first + k]) > 0))
          return std::vector{infeasible(
              rate, SteadyReason::compression,
              fmt::format("string '{}' at {:.6g} rad would have to push", tree.bodies[first + k].string, *angles[first + k]))};
      }
      std::vector<double> choices{0};
      const HungBody& end = tree.bodies[last];
      if (bends) {
        // w tan α - m (1 - c/s) ψ'² X_P = 0, linear in tan α and sin α
        const double upper_mass = end.mass * (1 - end.arm / tree.bodies[last + 1].hung_at) * square;
        unit[count - 1] = 1;
        const double P = tree.weight[last] - upper_mass * run(unit, none, nullptr), Q = -upper_mass * run(none, unit, nullptr),
                     R = -upper_mass * run(tangents, sines, nullptr);
        choices = find_angles(P, Q, R);
        // Nothing above leans: the chain is straight down to here, in no plane at all.
        if (first == 0)
          std::erase_if(choices, [&](double a) { return std::abs(a) < 1e-9 && std::abs(R) < 1e-12 * tree.weight[0]; });
        // The mirror image once.
        if (first == 0 && count == 1) std::erase_if(choices, [](double a) { return a < 0; });
        if (choices.empty())
          why = fmt::format("no angle of string '{}' leaves the rod of body '{}' without horizontal force", end.string, end.name);
      }
      for (const double choice : choices) {
        Partial next = partial;
        if (bends) {
          tangents[count - 1] = std::tan(choice);
          sines[count - 1] = std::sin(choice);
        }
        const double azimuth = azimuths[first].value_or(0);
        std::vector<double> tilts;
        const double attachment = run(tangents, sines, &tilts);
        for (int i = first; i <= last; ++i) {
          next.angles.push_back(bends && i == last ? choice : *angles[i]);
          next.azimuths.push_back(azimuth);
          if (i < last || !bends) next.axes.push_back(tilts[i - first] * along(azimuth));
        }
        if (bends) next.axes.push_back(-attachment * along(azimuth));  // s e⊥ = X_Q n' - X_P n: X_Q follows with the next plane
        if (first > 0) {
          const HungBody& upper = tree.bodies[first - 1];
          const double s = tree.bodies[first].hung_at;
          const double X_Q = -s * tree.weight[first] * tangents[0] / (upper.arm * upper.mass * square);
          next.axes[first - 1] = (1 / s) * (next.axes[first - 1] + X_Q * along(azimuth));
        }
        longer.push_back(std::move(next));
      }
    }
    partials = std::move(longer);
    first = last + 1;
  }
  if (partials.empty()) return std::vector{infeasible(rate, SteadyReason::infeasible_angle, why)};
  std::vector<SteadyMotion> motions;
  for (const Partial& partial : partials) {
    for (const Sides& choice : enumerate_sides(sides))
      motions.push_back(complete_spatial(tree, rate, partial.axes, partial.angles, partial.azimuths, choice, options));
  }
  return motions;
}

Outcome<std::vector<SteadyMotion>> find_carousels(const StringTree& tree, double rate, int centre,
                                                  const std::vector<std::optional<double>>& angles,
                                                  const std::vector<std::optional<double>>& azimuths,
                                                  const std::vector<int>& sides, const SteadyOptions& options) {
  const int n = tree.size();
  const HungBody& hub = tree.bodies[centre];
  const auto& children = hub.children;
  if (children.size() < 2)
    return Failure{"VN-STEADY-016",
                   fmt::format("body '{}' carries {} strings: a carousel has two or more", hub.name, children.size()),
                   "name a body that carries others"};
  if (tree.is_off_axis())
    return Failure{"VN-STEADY-016", "a carousel needs a carrier on the axis, and this one is beside it",
                   "attach the first string on the axis"};
  std::vector<bool> vertical(n, false);
  for (int above = centre; above >= 0; above = tree.bodies[above].parent) {
    vertical[above] = true;
    if (above != centre && tree.bodies[above].children.size() > 1)
      return Failure{"VN-STEADY-016",
                     fmt::format("body '{}' above the carousel carries other strings too", tree.bodies[above].name),
                     "only one branch can be on the axis"};
  }

  // Each branch as a tree of its own, hung on the axis: its leaf relations, in its plane.
  std::vector<double> all_angles(n), all_azimuths(n), sines(n), tangents(n);
  std::vector<int> branch_of(n, -1);
  for (int i = 0; i < n; ++i) {
    if (vertical[i]) continue;
    const int parent = tree.bodies[i].parent;
    branch_of[i] = parent == centre ? i : branch_of[parent];
    if (!angles[i]) return missing_angle(tree.bodies[i]);
    all_angles[i] = *angles[i];
    if (!(std::cos(all_angles[i]) > 0))
      return std::vector{
          infeasible(rate, SteadyReason::compression,
                     fmt::format("string '{}' at {:.6g} rad would have to push", tree.bodies[i].string, all_angles[i]))};
    sines[i] = std::sin(all_angles[i]);
    tangents[i] = std::tan(all_angles[i]);
  }
  std::vector<double> lean(n), attachment(n);
  for (int i = 0; i < n; ++i) {
    if (vertical[i]) continue;
    const HungBody& body = tree.bodies[i];
    double pull = tree.weight[i] * tangents[i];
    for (const int child : body.children) pull -= tree.weight[child] * tangents[child];
    attachment[i] = body.length * sines[i];
    if (body.parent != centre) attachment[i] += attachment[body.parent] + body.hung_at * lean[body.parent];
    lean[i] = (pull / (body.mass * rate * rate) - attachment[i]) / body.arm;
  }

  // The polygon of pulls: the first along azimuth 0, those between as given, the last two close it.
  const size_t count = children.size();
  const auto pull = [&](size_t k) { return tree.weight[children[k]] * tangents[children[k]]; };
  std::vector<double> azimuth(count, 0);
  Vector3 sum = pull(0) * along(0);
  for (size_t k = 1; k + 2 < count; ++k) {
    const auto& given = azimuths[children[k]];
    if (!given)
      return Failure{"VN-STEADY-012",
                     fmt::format("string '{}' has no azimuth, and {} strings close a polygon in many ways",
                                 tree.bodies[children[k]].string, count),
                     fmt::format("give --azimuth {}=RAD; those of the last two follow", tree.bodies[children[k]].string)};
    azimuth[k] = *given;
    sum += pull(k) * along(azimuth[k]);
  }
  const double scale = hub.mass * tree.gravity + tree.weight[centre];
  const auto no_polygon = [&](std::string detail) {
    return std::vector{infeasible(rate, SteadyReason::infeasible_angle, std::move(detail))};
  };
  if (count == 2) {
    if (std::abs(std::abs(pull(0)) - std::abs(pull(1))) > 1e-9 * scale)
      return no_polygon(
          fmt::format("the horizontal pulls of the two strings, {:.6g} N and {:.6g} N, are not equal", pull(0), pull(1)));
    azimuth[1] = pull(0) * pull(1) > 0 ? std::numbers::pi : 0;
  } else {
    // sum + a n(φ_a) + b n(φ_b) = 0: a triangle with sides |sum|, |a|, |b|
    const double a = pull(count - 2), b = pull(count - 1), c = norm(sum);
    const double cosine = (b * b - a * a - c * c) / (2 * a * c);
    if (!(std::abs(cosine) <= 1))
      return no_polygon(fmt::format("the horizontal pulls {:.6g}, {:.6g} and {:.6g} N close no triangle", c, a, b));
    const double base = std::atan2(-sum.x, sum.y);
    azimuth[count - 2] = base + std::acos(cosine);
    const Vector3 rest = (-1 / b) * (sum + a * along(azimuth[count - 2]));
    azimuth[count - 1] = std::atan2(-rest.x, rest.y);
  }
  std::vector<Vector3> axes(n);
  for (size_t k = 0; k < count; ++k) {
    for (int i = 0; i < n; ++i) {
      if (branch_of[i] != children[k]) continue;
      all_azimuths[i] = azimuth[k];
      axes[i] = lean[i] * along(azimuth[k]);
    }
  }
  std::vector<SteadyMotion> motions;
  std::vector<int> choices = sides;
  for (const Sides& choice : enumerate_sides(choices))
    motions.push_back(complete_spatial(tree, rate, axes, all_angles, all_azimuths, choice, options));
  return motions;
}

}  // namespace vinculum
