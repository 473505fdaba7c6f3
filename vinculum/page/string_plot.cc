// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/string_plot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/page/svg_panel.h"

namespace vinculum {

namespace {

constexpr const char* kStableColour = "#2e8b57";
constexpr const char* kGyroscopicColour = "#e6a700";
constexpr const char* kUnstableColour = "#c0392b";
constexpr const char* kConstruction = "stroke=\"#999\" stroke-dasharray=\"5 4\" fill=\"none\"";

// From grey over orange to dark red, and from blue over grey to red.
std::string warm_colour(double fraction) {
  const auto mix = [&](double a, double b) { return static_cast<int>(a + fraction * (b - a)); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(90, 200), mix(90, 60), mix(90, 0));
}
std::string spin_colour(double spin, double largest) { return colour_of(largest > 0 ? 0.5 + 0.5 * spin / largest : 0.5); }

const char* verdict_colour(SteadyVerdict verdict) {
  switch (verdict) {
    case SteadyVerdict::stable: return kStableColour;
    case SteadyVerdict::gyroscopically_stable: return kGyroscopicColour;
    case SteadyVerdict::unstable: break;
  }
  return kUnstableColour;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Ranges of the same scale that hold these points, for a panel of this shape.
std::pair<Range, Range> to_scale(const std::vector<std::pair<double, double>>& points, double width, double height) {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  for (const auto& [x, y] : points) {
    x0 = std::min(x0, x);
    x1 = std::max(x1, x);
    y0 = std::min(y0, y);
    y1 = std::max(y1, y);
  }
  const double scale = 1.15 * std::max({(x1 - x0) / width, (y1 - y0) / height, 1e-9});
  const double cx = 0.5 * (x0 + x1), cy = 0.5 * (y0 + y1);
  return {{cx - 0.5 * scale * width, cx + 0.5 * scale * width}, {cy - 0.5 * scale * height, cy + 0.5 * scale * height}};
}

// The skeleton in space: where each string begins and ends, the mass centre and the far end of each axis.
struct Skeleton {
  std::vector<Vector3> begin, end, centre, tip;
};
Skeleton place_skeleton(const StringTree& tree, const std::vector<Vector3>& x) {
  const int n = tree.size();
  Skeleton skeleton;
  skeleton.centre = compute_mass_centres(tree, x);
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree.bodies[i];
    skeleton.end.push_back(skeleton.centre[i] - body.arm * x[i]);
    skeleton.begin.push_back(skeleton.end[i] - body.length * x[n + i]);
    double reach = body.arm;
    for (const int child : body.children) reach = std::max(reach, tree.bodies[child].hung_at);
    skeleton.tip.push_back(skeleton.end[i] + reach * x[i]);
  }
  return skeleton;
}

void draw_bodies(const StringTree& tree, const SteadyMotion& motion, Panel& panel,
                 const std::vector<std::pair<double, double>> (&ends)[4]) {
  const double most_tension = largest_of(motion.tensions), most_spin = largest_of(motion.spins);
  for (int i = 0; i < tree.size(); ++i) {
    panel.segment(ends[0][i].first, ends[0][i].second, ends[1][i].first, ends[1][i].second,
                  fmt::format("stroke=\"{}\" stroke-width=\"2\"", warm_colour(motion.tensions[i] / most_tension)));
    const std::string colour = spin_colour(motion.spins[i], most_spin);
    panel.segment(ends[1][i].first, ends[1][i].second, ends[3][i].first, ends[3][i].second,
                  fmt::format("stroke=\"{}\" stroke-width=\"6\" stroke-linecap=\"round\"", colour));
    panel.mark(ends[1][i].first, ends[1][i].second, 3, "fill=\"#fff\" stroke=\"#222\"");
    panel.mark(ends[2][i].first, ends[2][i].second, 5, fmt::format("fill=\"{}\" stroke=\"#222\"", colour));
  }
}

std::string style_of(SteadyVerdict verdict) {
  switch (verdict) {
    case SteadyVerdict::stable: return "stroke-width=\"2.4\"";
    case SteadyVerdict::gyroscopically_stable: return "stroke-width=\"2\" stroke-dasharray=\"8 4\"";
    case SteadyVerdict::unstable: break;
  }
  return "stroke-width=\"1.6\" stroke-dasharray=\"2 4\"";
}

}  // namespace

const Construction::Point* Construction::find(const std::string& name) const {
  const auto found = std::find_if(points.begin(), points.end(), [&](const Point& point) { return point.name == name; });
  return found == points.end() ? nullptr : &*found;
}

Construction construct_motion(const StringTree& tree, double rate, const std::vector<double>& angles, const Sides& sides) {
  Construction result;
  result.level = -tree.gravity / (rate * rate);
  const auto add = [&](const std::string& name, double x, double z) { result.points.push_back({name, x, z}); };
  CoplanarSkeleton skeleton(tree, rate);
  const bool fits = skeleton.solve(angles);
  add("O", 0, 0);
  if (!fits && skeleton.reason() == SteadyReason::compression) return result;
  std::vector<double> lower(tree.size()), cosine(tree.size());  // z of P_i; cos θ_i
  for (int i = 0; i < tree.size(); ++i) {
    const HungBody& body = tree.bodies[i];
    const bool root = body.parent < 0;
    const double x = root ? tree.carrier_radius : skeleton.attachment(body.parent) + body.hung_at * skeleton.sine(body.parent);
    const double z = root ? 0 : lower[body.parent] - body.hung_at * cosine[body.parent];
    add("Q:" + body.string, x, z);
    lower[i] = z - body.length * std::cos(angles[i]);
    add("P:" + body.name, skeleton.attachment(i), lower[i]);
    add("A:" + body.name, skeleton.centre(i), result.level);
    result.segments.push_back({"Q:" + body.string, "P:" + body.name});
    result.circles.push_back({body.name, skeleton.attachment(i), lower[i], body.arm});
    if (i == skeleton.culprit()) return result;
    cosine[i] = sides[i] * std::sqrt((1 - skeleton.sine(i)) * (1 + skeleton.sine(i)));
    add("C:" + body.name, skeleton.centre(i), lower[i] - body.arm * cosine[i]);
    add("C below:" + body.name, skeleton.centre(i), lower[i] - body.arm * std::abs(cosine[i]));
    add("C above:" + body.name, skeleton.centre(i), lower[i] + body.arm * std::abs(cosine[i]));
    result.segments.push_back({"P:" + body.name, "C:" + body.name});
  }
  return result;
}

std::string draw_steady_motion(const StringTree& tree, const SteadyMotion& motion) {
  const bool exists = motion.feasible(), coplanar = motion.azimuths.empty();
  Construction construction;
  if (coplanar) {
    Sides sides;
    for (const bool above : motion.above) sides.push_back(above ? -1 : 1);
    construction = construct_motion(tree, motion.rate, motion.angles, sides);
  }
  Skeleton skeleton;
  std::vector<std::pair<double, double>> side_points{{0, 0}}, top_points{{-0.1, -0.1}, {0.1, 0.1}};
  for (const auto& circle : construction.circles) {
    side_points.push_back({circle.x - circle.radius, circle.z - circle.radius});
    side_points.push_back({circle.x + circle.radius, circle.z + circle.radius});
  }
  if (exists) {
    skeleton = place_skeleton(tree, motion.x);
    for (const auto* places : {&skeleton.begin, &skeleton.end, &skeleton.centre, &skeleton.tip}) {
      for (const Vector3& p : *places) {
        side_points.push_back({p.y, p.z});
        for (const double sign : {1.0, -1.0}) top_points.push_back({sign * std::hypot(p.x, p.y), sign * std::hypot(p.x, p.y)});
      }
    }
  }
  for (const auto& point : construction.points)
    side_points.push_back({point.x, std::max(point.z, 2 * side_points.back().second - 1)});
  // The level line where it is near enough.
  double lowest = 0;
  for (const auto& point : side_points) lowest = std::min(lowest, point.second);
  const bool shows_level = coplanar && !construction.points.empty() && -construction.level < 1.6 * -lowest + 0.1;
  std::erase_if(side_points, [&](const auto& point) {
    return point.second < construction.level && !shows_level && point.second < 1.2 * lowest;
  });
  if (shows_level) side_points.push_back({0, construction.level});

  const auto [side_x, side_z] = to_scale(side_points, 560, 560);
  Panel side("side", 60, 40, 560, 560, side_x, side_z);
  side.grid("e2 [m]", fmt::format("from the side: {:g} rad/s", motion.rate));
  side.begin_data();
  side.segment(0, side_z.low, 0, side_z.high, "stroke=\"#888\" stroke-dasharray=\"12 3 2 3\"");
  if (shows_level) side.segment(side_x.low, construction.level, side_x.high, construction.level, "stroke=\"#0072b2\"");
  for (const auto& circle : construction.circles) side.circle(circle.x, circle.z, circle.radius, kConstruction);
  for (const auto& point : construction.points) {
    if (point.name.starts_with("A:")) side.segment(point.x, side_z.low, point.x, side_z.high, kConstruction);
  }
  if (!exists) {
    for (const auto& [from, to] : construction.segments) {
      const auto *a = construction.find(from), *b = construction.find(to);
      side.segment(a->x, a->z, b->x, b->z, "stroke=\"#444\" stroke-width=\"2\"");
    }
  } else {
    std::vector<std::pair<double, double>> ends[4];
    for (int i = 0; i < tree.size(); ++i) {
      const Vector3* places[] = {&skeleton.begin[i], &skeleton.end[i], &skeleton.centre[i], &skeleton.tip[i]};
      for (int k = 0; k < 4; ++k) ends[k].push_back({places[k]->y, places[k]->z});
    }
    draw_bodies(tree, motion, side, ends);
  }
  int labels = 0;  // one below the other
  for (const auto& point : construction.points) {
    if (point.name.starts_with("C below:") || point.name.starts_with("C above:"))
      side.mark(point.x, point.z, 5, "fill=\"none\" stroke=\"#222\"");
    if (shows_level && point.name.starts_with("A:")) {
      side.mark(point.x, point.z, 3, "fill=\"#0072b2\"");
      side.words(side.x(point.x) + 5, side.y(point.z) + 14 + 13 * labels++, "start", "A " + point.name.substr(2),
                 "fill=\"#0072b2\"");
    }
    if (point.name.starts_with("P:")) side.words(side.x(point.x) + 7, side.y(point.z) - 6, "start", point.name.substr(2));
  }
  if (shows_level)
    side.words(side.left() + 6, side.y(construction.level) - 5, "start", "level line, g/rate\u00b2 below", "fill=\"#0072b2\"");
  side.end_data();
  side.frame();
  std::string text = svg_head(1060, 660) + side.text();

  if (exists) {
    const auto [top_x, top_y] = to_scale(top_points, 340, 340);
    Panel top("top", 690, 40, 340, 340, top_x, top_y);
    top.grid("e2 [m]", "from above");
    top.begin_data();
    top.mark(0, 0, 3, "fill=\"#888\"");
    for (int i = 0; i < tree.size(); ++i)
      top.circle(0, 0, std::hypot(skeleton.centre[i].x, skeleton.centre[i].y), "stroke=\"#ddd\" fill=\"none\"");
    std::vector<std::pair<double, double>> ends[4];
    for (int i = 0; i < tree.size(); ++i) {
      const Vector3* places[] = {&skeleton.begin[i], &skeleton.end[i], &skeleton.centre[i], &skeleton.tip[i]};
      for (int k = 0; k < 4; ++k) ends[k].push_back({places[k]->y, -places[k]->x});
    }
    draw_bodies(tree, motion, top, ends);
    top.end_data();
    top.frame();
    text += top.text();
  }
  // The figures.
  double y = exists ? 440 : 60;
  const auto write = [&](double x, const std::string& words, const std::string& more = "") {
    text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" {}>{}</text>\n", x, y, more, escaped(words));
  };
  if (!exists) {
    write(690, fmt::format("no steady motion: {}", to_text(motion.reason)), "font-weight=\"bold\"");
    y += 18;
    for (size_t at = 0; at < motion.detail.size();) {
      size_t length = std::min<size_t>(54, motion.detail.size() - at);
      if (at + length < motion.detail.size()) length = motion.detail.rfind(' ', at + length) - at;
      write(690, motion.detail.substr(at, length));
      at += length + 1;
      y += 16;
    }
    return text + "</svg>\n";
  }
  write(690, "body", "font-weight=\"bold\"");
  write(800, "spin [rad/s]", "font-weight=\"bold\"");
  write(920, "tension [N]", "font-weight=\"bold\"");
  const double most_tension = largest_of(motion.tensions), most_spin = largest_of(motion.spins);
  for (int i = 0; i < tree.size() && y < 640; ++i) {
    y += 17;
    write(690, tree.bodies[i].name);
    write(800, fmt::format("{:.5g}{}", motion.spins[i], motion.free_spin[i] ? " (free)" : ""),
          fmt::format("fill=\"{}\"", spin_colour(motion.spins[i], most_spin)));
    write(920, fmt::format("{:.5g}", motion.tensions[i]),
          fmt::format("fill=\"{}\"", warm_colour(motion.tensions[i] / most_tension)));
  }
  return text + "</svg>\n";
}

std::string draw_branch(const StringTree& tree, const std::vector<SteadyBranch>& branches, const std::vector<double>& critical) {
  struct Curve {
    const char* title;
    std::vector<std::string> names;
    std::vector<std::vector<std::vector<double>>> values;  // of every branch, point, name
  };
  Curve curves[4] = {{"angles of the strings [rad]", {}, {}},
                     {"tilts of the bodies [rad]", {}, {}},
                     {"energy [J]", {"E"}, {}},
                     {"momentum about the vertical [kg m^2/s]", {"p"}, {}}};
  for (const HungBody& body : tree.bodies) {
    curves[0].names.push_back(body.string);
    curves[1].names.push_back(body.name);
  }
  std::vector<std::vector<double>> rates;
  std::vector<std::vector<SteadyVerdict>> verdicts;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const SteadyBranch& branch : branches) {
    rates.emplace_back();
    verdicts.emplace_back();
    for (Curve& curve : curves) curve.values.emplace_back();
    for (const auto& point : branch.points) {
      rates.back().push_back(point.motion.rate);
      low = std::min(low, point.motion.rate);
      high = std::max(high, point.motion.rate);
      verdicts.back().push_back(analyse_stability(tree, point.motion).verdict);
      const SteadyIntegrals integrals = compute_steady_integrals(tree, point.motion);
      curves[0].values.back().push_back(point.motion.angles);
      curves[1].values.back().push_back(point.motion.tilts);
      curves[2].values.back().push_back({integrals.energy});
      curves[3].values.back().push_back({integrals.momentum});
    }
  }
  for (const double rate : critical) {
    low = std::min(low, rate);
    high = std::max(high, rate);
  }
  std::string text = svg_head(1060, 760);
  for (int c = 0; c < 4; ++c) {
    double least = 0, most = 0;
    for (const auto& branch : curves[c].values) {
      for (const auto& point : branch) {
        for (const double value : point) {
          least = std::min(least, value);
          most = std::max(most, value);
        }
      }
    }
    static constexpr const char* kNames[] = {"panel1", "panel2", "panel3", "panel4"};
    Panel panel(kNames[c], 60 + (c % 2) * 520, 40 + (c / 2) * 350, 440, 260, widened(low, high), widened(least, most));
    panel.grid("rate [rad/s]", curves[c].title);
    panel.zero_across();
    panel.begin_data();
    for (const double rate : critical)
      panel.segment(rate, least - 1e3, rate, most + 1e3, "stroke=\"#0072b2\" stroke-dasharray=\"2 3\"");
    for (size_t b = 0; b < branches.size(); ++b) {
      for (size_t name = 0; name < curves[c].names.size(); ++name) {
        std::vector<std::pair<double, double>> run;
        for (size_t k = 0; k < rates[b].size(); ++k) {
          run.push_back({rates[b][k], curves[c].values[b][k][name]});
          const bool ends = k + 1 == rates[b].size() || verdicts[b][k + 1] != verdicts[b][k];
          if (!ends) continue;
          panel.polyline(run, kLineColours[name % kLineColours.size()], style_of(verdicts[b][k]).c_str());
          run.erase(run.begin(), run.end() - 1);
        }
        for (size_t k = 0; k < rates[b].size(); ++k) {
          if (branches[b].points[k].kind == SteadyBranch::Point::Kind::regular) continue;
          panel.mark(
              rates[b][k], curves[c].values[b][k][name], 4,
              branches[b].points[k].kind == SteadyBranch::Point::Kind::fold ? "fill=\"#222\"" : "fill=\"#fff\" stroke=\"#222\"");
        }
      }
    }
    panel.end_data();
    for (size_t name = 0; name < curves[c].names.size() && c < 2; ++name)
      panel.words(panel.left() + 8, panel.top() + 16 + 15 * name, "start", curves[c].names[name],
                  fmt::format("fill=\"{}\"", kLineColours[name % kLineColours.size()]).c_str());
    panel.frame();
    text += panel.text();
  }
  text +=
      "<text x=\"60\" y=\"750\">solid: stable; dashed: gyroscopically stable; dotted: unstable; dots: folds; rings: branch "
      "points; "
      "blue: critical rates of the vertical state</text>\n";
  return text + "</svg>\n";
}

std::string draw_atlas(const StringTree& tree, double rate, const SteadyAtlas& atlas) {
  std::map<std::uint32_t, std::vector<size_t>> by_sides;
  double most = 0;
  const auto fastest = [&](size_t k) {
    double spin = 0;
    for (int i = 0; i < atlas.bodies; ++i) spin = std::max(spin, std::abs(atlas.spin(k, i)));
    return spin;
  };
  for (size_t k = 0; k < atlas.size(); ++k) {
    by_sides[atlas.above[k]].push_back(k);
    most = std::max(most, std::log1p(fastest(k)));
  }
  const int columns = by_sides.size() > 1 ? 2 : 1, rows = static_cast<int>((by_sides.size() + columns - 1) / columns);
  const int a = atlas.strings[0], b = atlas.strings[1];
  const double half = 0.5 * std::numbers::pi / atlas.count;
  std::vector<std::pair<double, double>> used;
  for (size_t k = 0; k < atlas.size(); ++k) used.push_back({atlas.angle(k, a), atlas.angle(k, b)});
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  for (const auto& [x, y] : used) {
    x0 = std::min(x0, x - half);
    x1 = std::max(x1, x + half);
    y0 = std::min(y0, y - half);
    y1 = std::max(y1, y + half);
  }
  const int height = 60 + std::max(1, rows) * 420;
  std::string text = svg_head(60 + columns * 480, height);
  int place = 0;
  std::vector<std::string> names;  // of the panels; they keep a pointer
  names.reserve(by_sides.size());
  for (const auto& [above, list] : by_sides) {
    std::string title = fmt::format("{:g} rad/s: angle of {} [rad];", rate, tree.bodies[b].string);
    for (int i = 0; i < atlas.bodies; ++i)
      title += fmt::format(" {} {}", tree.bodies[i].name, (above >> i) & 1 ? "above" : "below");
    names.push_back(fmt::format("map{}", place));
    Panel panel(names.back().c_str(), 60 + (place % columns) * 480, 40 + (place / columns) * 420, 400, 330, widened(x0, x1),
                widened(y0, y1));
    panel.grid(fmt::format("angle of {} [rad]", tree.bodies[a].string), title);
    panel.begin_data();
    for (const size_t k : list) {
      const std::string colour =
          atlas.verdicts.empty() ? warm_colour(most > 0 ? std::log1p(fastest(k)) / most : 0) : verdict_colour(atlas.verdicts[k]);
      panel.cell(used[k].first - half, used[k].second - half, used[k].first + half, used[k].second + half, colour);
    }
    panel.end_data();
    panel.frame();
    text += panel.text();
    ++place;
  }
  if (atlas.verdicts.empty()) {
    text +=
        fmt::format("<text x=\"60\" y=\"{}\">grey to red: the fastest spin, up to {:.4g} rad/s; white: no steady motion</text>\n",
                    height - 12, std::expm1(most));
  } else {
    text += fmt::format(
        "<text x=\"60\" y=\"{}\"><tspan fill=\"{}\">stable</tspan>, <tspan fill=\"{}\">gyroscopically stable</tspan>, <tspan "
        "fill=\"{}\">unstable</tspan>; white: no steady motion</text>\n",
        height - 12, kStableColour, kGyroscopicColour, kUnstableColour);
  }
  return text + "</svg>\n";
}

std::string draw_measured_tilts(const BodyOnString& body, const Imbalance& found, const std::vector<MeasuredTilt>& measured) {
  BodyOnString fitted = body;
  fitted.arm.x = found.d_x.value;
  fitted.arm.y = found.d_y.value;
  fitted.inertia.xx = fitted.inertia.zz - found.difference_x.value;
  fitted.inertia.yy = fitted.inertia.zz - found.difference_y.value;
  double slowest = HUGE_VAL, fastest = 0, least = 0, most = 0;
  for (const MeasuredTilt& tilt : measured) {
    slowest = std::min(slowest, tilt.rate);
    fastest = std::max(fastest, tilt.rate);
    least = std::min({least, tilt.x, tilt.y});
    most = std::max({most, tilt.x, tilt.y});
  }
  Panel panel("tilts", 70, 40, 620, 380, widened(slowest, fastest), widened(least, most));
  panel.grid("rate [rad/s]", "vertical in the axes of the body: lines found, rings measured");
  panel.zero_across();
  panel.begin_data();
  std::vector<std::pair<double, double>> x, y;
  constexpr int kPoints = 160;
  for (int k = 0; k <= kPoints; ++k) {
    const double rate = slowest + k * (fastest - slowest) / kPoints;
    const auto rotation = find_rotation_near_axis(fitted, rate);
    if (!rotation) continue;
    x.push_back({rate, rotation->vertical.x});
    y.push_back({rate, rotation->vertical.y});
  }
  panel.polyline(x, kLineColours[0], "stroke-width=\"2\"");
  panel.polyline(y, kLineColours[1], "stroke-width=\"2\"");
  for (const MeasuredTilt& tilt : measured) {
    panel.mark(tilt.rate, tilt.x, 5, fmt::format("fill=\"none\" stroke=\"{}\"", kLineColours[0]));
    panel.mark(tilt.rate, tilt.y, 5, fmt::format("fill=\"none\" stroke=\"{}\"", kLineColours[1]));
  }
  panel.end_data();
  panel.words(panel.right() - 8, panel.top() + 16, "end", "along x", fmt::format("fill=\"{}\"", kLineColours[0]).c_str());
  panel.words(panel.right() - 8, panel.top() + 32, "end", "along y", fmt::format("fill=\"{}\"", kLineColours[1]).c_str());
  panel.frame();
  return svg_head(720, 480) + panel.text() + "</svg>\n";
}

}  // namespace vinculum
