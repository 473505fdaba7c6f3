// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/tell_steady.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "vinculum/page/string_plot.h"
#include "vinculum/strings/steady_stability.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

Json by_string(const StringTree& tree, const std::vector<double>& values) {
  Json object = Json::object();
  for (size_t i = 0; i < values.size(); ++i) append(object, tree.bodies[i].string, values[i]);
  return object;
}
Json by_body(const StringTree& tree, const std::vector<double>& values) {
  Json object = Json::object();
  for (size_t i = 0; i < values.size(); ++i) append(object, tree.bodies[i].name, values[i]);
  return object;
}
Json by_direction(const StringTree& tree, const std::vector<Vector3>& x) {
  Json object = Json::object();
  for (size_t a = 0; a < x.size(); ++a) {
    const size_t n = tree.bodies.size();
    object[a < n ? tree.bodies[a].name : tree.bodies[a - n].string] = to_json(x[a]);
  }
  return object;
}

// A body whose axis is level: there the families below and above are one.
bool is_level(const SteadyMotion& motion, size_t i) { return std::hypot(motion.x[i].x, motion.x[i].y) > 1 - 1e-12; }

struct FamilyStability {
  SteadyStability free;
  std::optional<int> negative_driven;  // none: not asked for, or not this motion
};

Json write_family(const StringTree& tree, const SteadyMotion& motion, const std::optional<FamilyStability>& stability) {
  Json json = Json::object();
  append(json, "feasible", motion.feasible());
  append(json, "reason", to_text(motion.reason));
  append(json, "rate", motion.rate);
  if (!motion.detail.empty()) append(json, "detail", motion.detail);
  append(json, "angles", by_string(tree, motion.angles));
  append(json, "tilts", by_body(tree, motion.tilts));
  Json sides = Json::object(), free = Json::array(), merged = Json::array();
  for (size_t i = 0; i < motion.above.size(); ++i) append(sides, tree.bodies[i].name, motion.above[i] ? "above" : "below");
  append(json, "sides", std::move(sides));
  append(json, "tensions", by_string(tree, motion.tensions));
  append(json, "spins", by_body(tree, motion.spins));
  append(json, "momenta", by_body(tree, motion.momenta));
  if (!motion.azimuths.empty()) append(json, "azimuths", by_string(tree, motion.azimuths));
  for (size_t i = 0; i < motion.free_spin.size(); ++i) {
    if (motion.free_spin[i]) free.push_back(tree.bodies[i].name);
    if (is_level(motion, i)) merged.push_back(tree.bodies[i].name);
  }
  if (!free.empty()) append(json, "free_spin", std::move(free));
  if (!merged.empty()) append(json, "merged", std::move(merged));
  if (!motion.feasible()) return json;
  append(json, "directions", by_direction(tree, motion.x));
  const SteadyIntegrals integrals = compute_steady_integrals(tree, motion);
  append(json, "energy", integrals.energy);
  append(json, "vertical_momentum", integrals.momentum);
  if (!stability) return json;
  const SteadyStability& result = stability->free;
  Json entry = {{"verdict", to_text(result.verdict)},
                {"growth", result.growth},
                {"frequencies", result.frequencies},
                {"negative", result.negative}};
  if (!result.mode.empty()) {
    entry["growth_frequency"] = result.growth_frequency;
    entry["mode"] = by_direction(tree, result.mode);
  }
  if (stability->negative_driven) entry["negative_driven"] = *stability->negative_driven;
  append(json, "stability", std::move(entry));
  return json;
}

std::vector<std::string> say_family(const StringTree& tree, const SteadyMotion& motion, const std::string& title,
                                    const std::optional<FamilyStability>& stability, bool is_driven) {
  std::string told;
  for (size_t i = 0; i < motion.above.size(); ++i)
    told += fmt::format("{}{} {}", i > 0 ? ", " : "", tree.bodies[i].name, motion.above[i] ? "above" : "below");
  if (!motion.feasible())
    return {fmt::format("{}{}: {}{}", title, told, to_text(motion.reason), motion.detail.empty() ? "" : "; " + motion.detail)};
  std::string verdict;
  if (stability) {
    const SteadyStability& result = stability->free;
    verdict = fmt::format(": {}", to_text(result.verdict));
    if (result.growth > 0) verdict += fmt::format(", growth rate {:.6g} 1/s", result.growth);
    if (result.verdict == SteadyVerdict::gyroscopically_stable) verdict += " (linear only; friction destroys it)";
    if (const auto negative = stability->negative_driven)
      verdict += *negative == 0 ? "; driven: stable" : fmt::format("; driven: unstable, {} negative", *negative);
    else if (is_driven)
      verdict += "; driven: not applicable, because a body rotates in the frame";
  }
  std::vector<std::string> lines{title + told + verdict};
  const auto say = [&](std::string line) { lines.push_back(std::move(line)); };
  say(fmt::format("  {:<12} {:>13} {:>13}   {:<12} {:>13} {:>15} {:>16}", "string", "angle [rad]", "tension [N]", "body",
                  "tilt [rad]", "spin [rad/s]", "momentum [N*m*s]"));
  for (int i = 0; i < tree.size(); ++i) {
    say(fmt::format("  {:<12} {:>13.9g} {:>13.9g}   {:<12} {:>13.9g} {:>15.9g} {:>16.9g}{}", tree.bodies[i].string,
                    motion.angles[i], motion.tensions[i], tree.bodies[i].name, motion.tilts[i], motion.spins[i],
                    motion.momenta[i], motion.free_spin[i] ? "  (any spin)" : ""));
  }
  for (int i = 0; i < tree.size() && !motion.azimuths.empty(); ++i)
    say(fmt::format("  azimuth of {:<12} {:.9g} rad", tree.bodies[i].string, motion.azimuths[i]));
  for (size_t i = 0; i < motion.free_spin.size(); ++i) {
    if (is_level(motion, i))
      say(fmt::format("  the axis of {} is level: the families below and above meet here", tree.bodies[i].name));
  }
  return lines;
}

}  // namespace

Telling tell_family(const StringTree& tree, const SteadyMotion& motion, const std::string& title, const ToldStability& stability,
                    bool with_lines) {
  std::optional<FamilyStability> found;
  if (motion.feasible() && stability.wanted) {
    found = FamilyStability{analyse_stability(tree, motion), std::nullopt};
    if (stability.driven) found->negative_driven = count_driven_negatives(tree, motion);
  }
  Telling telling{write_family(tree, motion, found), {}};
  if (with_lines) telling.lines = say_family(tree, motion, title, found, stability.driven);
  return telling;
}

Telling tell_constants(const StringTree& tree) {
  Telling telling;
  const auto say = [&](std::string line) { telling.lines.push_back(std::move(line)); };
  const int n = tree.size();
  std::vector<std::string> names, strings, bodies;
  for (const HungBody& body : tree.bodies) names.push_back(body.name);
  bodies = names;
  for (const HungBody& body : tree.bodies) names.push_back(body.string);
  strings.assign(names.begin() + n, names.end());
  const auto table = [&](const Eigen::MatrixXd& A, const std::vector<std::string>& rows,
                         const std::vector<std::string>& columns) {
    Json json = Json::object();
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t j = 0; j < columns.size(); ++j) json[rows[i]][columns[j]] = A(i, j);
    }
    return json;
  };
  const GraphMatrices graph = compute_graph_matrices(tree);
  Json& json = telling.json["constants"];
  json["M"] = tree.mass;
  json["mu"] = by_string(tree, tree.share);
  json["d"] = by_string(tree, tree.string_share);
  json["b"] = by_body(tree, tree.barycentre);
  json["J1"] = by_body(tree, tree.augmented_inertia);
  json["f"] = named(names, std::span(tree.f.data(), 2 * n));
  json["N"] = table(tree.N, names, names);
  json["S"] = table(graph.S, bodies, strings);
  json["T"] = table(graph.T, strings, bodies);
  say(fmt::format("M = {:.12g} kg", tree.mass));
  say(fmt::format("  {:<12} {:>14} {:>14}   {:<12} {:>14} {:>14}", "string", "mu", "d [m]", "body", "b [m]", "J1 [kg m^2]"));
  for (int i = 0; i < n; ++i)
    say(fmt::format("  {:<12} {:>14.9g} {:>14.9g}   {:<12} {:>14.9g} {:>14.9g}", strings[i], tree.share[i], tree.string_share[i],
                    bodies[i], tree.barycentre[i], tree.augmented_inertia[i]));
  say("N [kg m^2], axes then strings; last column f [N m]");
  for (int a = 0; a < 2 * n; ++a) {
    std::string line = fmt::format("  {:<12}", names[a]);
    for (int b = 0; b < 2 * n; ++b) line += fmt::format(" {:>10.6g}", tree.N(a, b));
    say(line + fmt::format("  | {:>10.6g}", tree.f[a]));
  }
  return telling;
}

Telling tell_branch(const StringTree& tree, const SteadyBranch& branch, double critical_rate, double to_rate,
                    const ToldStability& stability, const AskStop& stop) {
  Telling telling;
  const auto say = [&](std::string line) { telling.lines.push_back(std::move(line)); };
  Json list = Json::array(), folds = Json::array(), branch_points = Json::array(), changes = Json::array();
  SteadyVerdict before = SteadyVerdict::stable;
  for (size_t k = 0; k < branch.points.size() && !is_stopped(stop); ++k) {
    const auto& point = branch.points[k];
    Json family = tell_family(tree, point.motion, "", stability, false).json;
    family["critical_rate"] = critical_rate;
    if (point.kind == SteadyBranch::Point::Kind::fold) {
      family["kind"] = "fold";
      folds.push_back(point.motion.rate);
      say(fmt::format("  fold at {:.9g} rad/s: the branch turns back", point.motion.rate));
    } else if (point.kind == SteadyBranch::Point::Kind::branch_point) {
      family["kind"] = "branch point";
      branch_points.push_back(point.motion.rate);
      say(fmt::format("  branch point at {:.9g} rad/s: another family crosses", point.motion.rate));
    } else if (point.kind == SteadyBranch::Point::Kind::stability_change) {
      family["kind"] = "stability change";
      changes.push_back({{"rate", point.motion.rate}, {"verdict", to_text(analyse_stability(tree, point.motion).verdict)}});
    }
    if (stability.wanted) {
      const SteadyVerdict now = analyse_stability(tree, point.motion).verdict;
      if (k == 0 || now != before) say(fmt::format("  from {:.9g} rad/s {}", point.motion.rate, to_text(now)));
      before = now;
    }
    list.push_back(std::move(family));
  }
  Json& json = telling.json;
  json["branch"] = list;
  json["folds"] = folds;
  json["branch_points"] = branch_points;
  if (stability.wanted) json["stability_changes"] = changes;
  json["reached"] = branch.reached;
  if (!branch.reached) {
    json["end"] = branch.end;
    say(fmt::format("  the branch does not reach {:g} rad/s: {}", to_rate, branch.end));
  }
  const Telling end = tell_family(tree, branch.points.back().motion,
                                  fmt::format("its end, at {:.9g} rad/s: ", branch.points.back().motion.rate), stability);
  telling.lines.insert(telling.lines.end(), end.lines.begin(), end.lines.end());
  return telling;
}

namespace {

std::vector<std::string> atlas_columns(const StringTree& tree) {
  std::vector<std::string> columns;
  for (const char* what : {"angle", "tilt", "tension", "spin"}) {
    for (const HungBody& body : tree.bodies)
      columns.push_back(fmt::format("{} {}", what, what[0] == 'a' || what[1] == 'e' ? body.string : body.name));
  }
  return columns;
}

}  // namespace

Telling tell_atlas(const StringTree& tree, double rate, const SteadyAtlas& atlas, bool with_stability, bool with_rows) {
  Telling telling;
  const auto say = [&](std::string line) { telling.lines.push_back(std::move(line)); };
  const int n = tree.size();
  int counts[3] = {};
  for (const SteadyVerdict verdict : atlas.verdicts) ++counts[static_cast<int>(verdict)];
  double least = HUGE_VAL, most = 0, spin = 0;
  for (size_t k = 0; k < atlas.size(); ++k) {
    for (int i = 0; i < n; ++i) {
      least = std::min(least, atlas.tension(k, i));
      most = std::max(most, atlas.tension(k, i));
      spin = std::max(spin, std::abs(atlas.spin(k, i)));
    }
  }
  say(fmt::format("{} positions of the strings at {:g} rad/s: in {} of them all bodies fit, {} steady motions", atlas.points,
                  rate, atlas.fitting, atlas.size()));
  if (atlas.size() > 0) say(fmt::format("  tensions {:.6g} .. {:.6g} N, spins up to {:.6g} rad/s", least, most, spin));
  if (with_stability) say(fmt::format("  stable {}, gyroscopically stable {}, unstable {}", counts[0], counts[1], counts[2]));

  Json& json = telling.json["atlas"];
  json = {{"points", atlas.points}, {"fitting", atlas.fitting}, {"motions", atlas.size()}, {"columns", atlas_columns(tree)}};
  if (with_stability) json["counts"] = {{"stable", counts[0]}, {"gyroscopically stable", counts[1]}, {"unstable", counts[2]}};
  if (with_rows) {
    Json rows = Json::array(), sides = Json::array(), verdicts = Json::array();
    for (size_t k = 0; k < atlas.size(); ++k) {
      rows.push_back(std::vector<double>(atlas.values.begin() + k * 4 * n, atlas.values.begin() + (k + 1) * 4 * n));
      std::string letters;
      for (int i = 0; i < n; ++i) letters += (atlas.above[k] >> i) & 1 ? '-' : '+';
      sides.push_back(letters);
      if (with_stability) verdicts.push_back(to_text(atlas.verdicts[k]));
    }
    json["rows"] = rows;
    json["sides"] = sides;
    if (with_stability) json["verdicts"] = verdicts;
  }
  return telling;
}

std::string write_atlas(const StringTree& tree, const SteadyAtlas& atlas, bool with_stability) {
  const int n = tree.size();
  const std::vector<std::string> columns = atlas_columns(tree);
  std::string text;
  static constexpr const char* kUnits[] = {"rad", "rad", "N", "rad/s"};
  for (size_t c = 0; c < columns.size(); ++c) text += fmt::format("{}{} [{}]", c > 0 ? "," : "", columns[c], kUnits[c / n]);
  for (const HungBody& body : tree.bodies) text += fmt::format(",side {} [1]", body.name);
  if (with_stability) text += ",verdict [1]";
  text += "\n";
  for (size_t k = 0; k < atlas.size(); ++k) {
    for (int c = 0; c < 4 * n; ++c) text += fmt::format("{}{:.12g}", c > 0 ? "," : "", atlas.values[k * 4 * n + c]);
    for (int i = 0; i < n; ++i) text += (atlas.above[k] >> i) & 1 ? ",-1" : ",1";
    if (with_stability) text += fmt::format(",{}", 1 - static_cast<int>(atlas.verdicts[k]));
    text += "\n";
  }
  return text;
}

Telling tell_construction(const StringTree& tree, const SteadyMotion& motion) {
  Telling telling;
  Sides sides;
  for (const bool above : motion.above) sides.push_back(above ? -1 : 1);
  const Construction construction = construct_motion(tree, motion.rate, motion.angles, sides);
  Json points = Json::object(), segments = Json::array(), circles = Json::array();
  for (const auto& point : construction.points) points[point.name] = {point.x, point.z};
  for (const auto& [from, to] : construction.segments) segments.push_back({from, to});
  for (const auto& circle : construction.circles)
    circles.push_back({{"body", circle.body}, {"centre", {circle.x, circle.z}}, {"radius", circle.radius}});
  telling.json["construction"] = {
      {"level", construction.level}, {"points", points}, {"segments", segments}, {"circles", circles}};
  return telling;
}

Telling tell_permanent(const HungBody& hung, double rate, const std::vector<PermanentRotation>& rotations) {
  Telling telling;
  const auto say = [&](std::string line) { telling.lines.push_back(std::move(line)); };
  Json families = Json::array();
  say(fmt::format("permanent rotations of '{}' at {:g} rad/s found: {}", hung.name, rate, rotations.size()));
  say(fmt::format("  {:>38}   {:>14} {:>14} {:>14} {:>14}", "vertical, in the axes of the body", "offset [m]", "tilt [rad]",
                  "angle [rad]", "tension [N]"));
  const auto tidy = [](double value) { return std::abs(value) < 1e-12 ? 0.0 : value; };
  for (const PermanentRotation& rotation : rotations) {
    Json family = {{"feasible", true}, {"reason", ""}, {"rate", rate}};
    family["vertical"][hung.name] = to_json(rotation.vertical);
    family["offset"][hung.name] = to_json(rotation.offset);
    family["angles"][hung.string] = rotation.angle;
    family["tensions"][hung.string] = rotation.tension;
    family["tilts"][hung.name] = rotation.tilt;
    families.push_back(family);
    const Vector3& n = rotation.vertical;
    say(fmt::format("  {:>12.7f} {:>12.7f} {:>12.7f}   {:>14.7g} {:>14.7g} {:>14.7g} {:>14.7g}", tidy(n.x), tidy(n.y), tidy(n.z),
                    tidy(norm(rotation.offset)), tidy(rotation.tilt), tidy(rotation.angle), rotation.tension));
  }
  telling.json["families"] = families;
  return telling;
}

Telling tell_imbalance(const BodyOnString& body, const HungBody& hung, const Imbalance& found, size_t measurements) {
  Telling telling;
  const auto say = [&](std::string text) { telling.lines.push_back(std::move(text)); };
  const auto entry = [](const Imbalance::Value& value) { return Json{{"value", value.value}, {"deviation", value.deviation}}; };
  const double size = std::hypot(found.d_x.value, found.d_y.value), direction = std::atan2(found.d_y.value, found.d_x.value);
  Json& json = telling.json;
  json["imbalance"] = {{"d_x", entry(found.d_x)},
                       {"d_y", entry(found.d_y)},
                       {"scatter", found.scatter},
                       {"measurements", measurements},
                       {"residuals", found.residuals}};
  if (found.fits_inertia) {
    json["imbalance"]["Jz-Jx"] = entry(found.difference_x);
    json["imbalance"]["Jz-Jy"] = entry(found.difference_y);
  }
  json["correction"] = {{"move_attachment", {-found.d_x.value, -found.d_y.value, 0.0}},
                        {"mass_moment", body.mass * size},
                        {"direction", direction}};
  const auto line = [&](const char* name, const Imbalance::Value& value, const char* unit) {
    say(found.has_scatter ? fmt::format("  {:<8} {:>14.7g} +- {:<10.2g} {}", name, value.value, value.deviation, unit)
                          : fmt::format("  {:<8} {:>14.7g} {}", name, value.value, unit));
  };
  say(fmt::format("imbalance of '{}' from {} measured tilts", hung.name, measurements));
  line("d_x", found.d_x, "m, the string's end from the principal axis z");
  line("d_y", found.d_y, "m");
  if (found.fits_inertia) {
    line("Jz-Jx", found.difference_x, "kg m^2");
    line("Jz-Jy", found.difference_y, "kg m^2");
  }
  say(found.has_scatter ? fmt::format("  scatter of the measured components {:.3g}", found.scatter)
                        : "  as many measurements as unknowns: the uncertainty is unknown");
  say(
      fmt::format("to balance it: move the string's end by ({:.6g}, {:.6g}) m, or add a mass moment of {:.6g} kg m at {:.6g} "
                  "rad from x,\n  at the "
                  "height of the mass centre ({:.4g} kg at a radius of 0.1 m)",
                  -found.d_x.value, -found.d_y.value, body.mass * size, direction, body.mass * size / 0.1));
  return telling;
}

}  // namespace vinculum
