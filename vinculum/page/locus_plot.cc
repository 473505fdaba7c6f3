// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/locus_plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/page/svg_panel.h"

namespace vinculum {

namespace {

// What of the eigenvalues is worth its place: fast decay is cut off.
struct Extent {
  Range real, both, imaginary;
};
Extent extent_of(const RootLocus& locus) {
  double low = 0, high = 0, up = 0;
  for (const RootLocus::Point& point : locus.points) {
    for (const auto& value : point.eigenvalues) {
      low = std::min(low, value.real());
      high = std::max(high, value.real());
      up = std::max(up, value.imag());
    }
  }
  const double top = std::max({high, up, 1e-3 * std::abs(low)}), bottom = std::max(low, -1.2 * top);
  return {widened(bottom, high), widened(bottom, top), widened(-up, up)};
}

void draw_over_parameter(const RootLocus& locus, const std::string& parameter, Panel& panel) {
  // Stable from one change to the next.
  double from = locus.points.front().value;
  size_t next = 0;
  bool decays = locus.points.front().growth < 0 && locus.points.front().stability == Stability::asymptotically_stable;
  for (; next <= locus.changes.size(); ++next) {
    const double to = next < locus.changes.size() ? locus.changes[next].value : locus.points.back().value;
    if (decays) panel.shade(from, to, "#e3f4e3");
    from = to;
    if (next < locus.changes.size()) decays = !locus.changes[next].grows;
  }
  panel.grid(parameter, "real parts (solid) [1/s] and imaginary parts (dashed) [rad/s]");
  panel.zero_across();
  panel.begin_data();
  for (size_t k = 0; k < locus.points.front().eigenvalues.size(); ++k) {
    std::vector<std::pair<double, double>> real, imaginary;
    const char* colour = kLineColours[k % kLineColours.size()];
    for (const RootLocus::Point& point : locus.points) {
      real.push_back({point.value, point.eigenvalues[k].real()});
      if (point.eigenvalues[k].imag() > 0) {
        imaginary.push_back({point.value, point.eigenvalues[k].imag()});
        continue;
      }
      panel.polyline(imaginary, colour, "stroke-width=\"1.4\" stroke-dasharray=\"5 3\"");
      imaginary.clear();
    }
    panel.polyline(imaginary, colour, "stroke-width=\"1.4\" stroke-dasharray=\"5 3\"");
    panel.polyline(real, colour, "stroke-width=\"2\"");
  }
  panel.end_data();
  for (const RootLocus::Change& change : locus.changes) {
    panel.line(panel.x(change.value), panel.top(), panel.x(change.value), panel.bottom(),
               "stroke=\"#b00020\" stroke-dasharray=\"2 3\"");
    panel.words(panel.x(change.value) + 4, panel.top() + 14, "start", fmt::format("{:.6g}", change.value), "fill=\"#b00020\"");
  }
  panel.frame();
}

void draw_plane(const RootLocus& locus, const std::string& parameter, Panel& panel) {
  panel.grid("real part [1/s]", "imaginary part [rad/s]");
  panel.zero_across();
  panel.zero_up();
  panel.begin_data();
  const double first = locus.points.front().value, last = locus.points.back().value;
  for (const RootLocus::Point& point : locus.points) {
    for (const auto& value : point.eigenvalues)
      panel.dot(value.real(), value.imag(), colour_of(last > first ? (point.value - first) / (last - first) : 0));
  }
  panel.end_data();
  const double y = panel.top() + 16;
  panel.words(panel.left() + 10, y, "start", fmt::format("{} = {:.6g}", parameter, first),
              fmt::format("fill=\"{}\"", colour_of(0)).c_str());
  panel.words(panel.left() + 10, y + 16, "start", fmt::format("{} = {:.6g}", parameter, last),
              fmt::format("fill=\"{}\"", colour_of(1)).c_str());
  panel.frame();
}

}  // namespace

std::string draw_root_locus(const RootLocus& locus, const std::string& parameter) {
  std::string text = svg_head(1060, 460);
  if (!locus.points.empty()) {
    const Extent extent = extent_of(locus);
    Panel over("over", 56, 34, 540, 370, {locus.points.front().value, locus.points.back().value}, extent.both);
    draw_over_parameter(locus, parameter, over);
    Panel plane("plane", 662, 34, 376, 370, extent.real, extent.imaginary);
    draw_plane(locus, parameter, plane);
    text += over.text() + plane.text();
  }
  return text + "</svg>\n";
}

std::string tabulate_root_locus(const RootLocus& locus, const std::string& parameter) {
  std::string text = parameter + ",growth [1/s]";
  const size_t count = locus.points.empty() ? 0 : locus.points.front().eigenvalues.size();
  for (size_t k = 1; k <= count; ++k) text += fmt::format(",re{0} [1/s],im{0} [rad/s]", k);
  text += "\n";
  for (const RootLocus::Point& point : locus.points) {
    text += fmt::format("{:.17g},{:.17g}", point.value, point.growth + 0.0);
    for (const auto& value : point.eigenvalues) text += fmt::format(",{:.17g},{:.17g}", value.real() + 0.0, value.imag() + 0.0);
    text += "\n";
  }
  return text;
}

}  // namespace vinculum
