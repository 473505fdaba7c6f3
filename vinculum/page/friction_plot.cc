// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/friction_plot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <Eigen/LU>

#include "vinculum/page/svg_panel.h"

namespace vinculum {

namespace {

constexpr int kSamples = 120;  // a piece

// Near a jam reactions grow beyond all bounds: what of them is worth its place.
Range reaction_range(const Variants& variants, const std::vector<std::vector<Eigen::VectorXd>>& pieces) {
  std::vector<double> values{0};
  for (const RealisedVariant& solution : variants.solutions()) {
    for (const double n : solution.signed_reactions) values.push_back(n);
  }
  double usual = 0;
  for (const auto& piece : pieces) usual = std::max(usual, piece.front().cwiseAbs().maxCoeff());
  for (const double value : values) usual = std::max(usual, std::abs(value));
  for (const auto& piece : pieces) {
    for (const Eigen::VectorXd& n : piece) {
      for (const double value : n) {
        if (std::abs(value) <= 3 * usual) values.push_back(value);
      }
    }
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return widened(*low, *high);
}

}  // namespace

std::string draw_friction_path(const VariantProblem& problem, const Variants& variants, const std::vector<std::string>& names) {
  const auto& path = variants.path;
  std::vector<std::vector<Eigen::VectorXd>> pieces;
  double farthest = 1;
  for (const FrictionPath::Piece& piece : path.pieces) {
    pieces.emplace_back();
    farthest = std::max({farthest, piece.from, piece.to});
    for (int i = 0; i <= kSamples; ++i) {
      // Closer together towards the end, where a jam may lie.
      const double fraction = 1 - std::pow(1 - static_cast<double>(i) / kSamples, 2);
      const double s = piece.from + (piece.to - piece.from) * fraction;
      const Eigen::VectorXd n = sign_reactions(piece.faces, columns_of(problem, piece.faces, s).partialPivLu().solve(problem.d));
      if (n.allFinite()) pieces.back().push_back(n);
    }
    if (pieces.back().empty()) pieces.pop_back();
  }
  std::string text = svg_head(760, 480);
  if (pieces.empty()) return text + "</svg>\n";
  Panel panel("path", 70, 34, 520, 390, {0, 1.04 * farthest}, reaction_range(variants, pieces));
  panel.grid("friction, as a part of its value: s", "signed reaction n: + on face 2, - on face 1 [N]");
  panel.zero_across();
  panel.line(panel.x(1), panel.top(), panel.x(1), panel.bottom(), "stroke=\"#444\" stroke-dasharray=\"6 3\"");
  panel.begin_data();
  bool behind_fold = false;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto& piece = path.pieces[i];
    behind_fold = behind_fold || piece.to < piece.from;
    for (Eigen::Index k = 0; k < problem.pairs(); ++k) {
      std::vector<std::pair<double, double>> points;
      for (size_t j = 0; j < pieces[i].size(); ++j) {
        const double fraction = 1 - std::pow(1 - static_cast<double>(j) / kSamples, 2);
        points.push_back({piece.from + (piece.to - piece.from) * fraction, pieces[i][j][k]});
      }
      panel.polyline(points, kLineColours[static_cast<size_t>(k) % kLineColours.size()],
                     behind_fold ? "stroke-width=\"1.4\" stroke-dasharray=\"5 3\"" : "stroke-width=\"2\"");
    }
  }
  for (size_t i = 0; i < variants.solutions().size(); ++i) {
    const bool chosen = variants.chosen && *variants.chosen == static_cast<int>(i);
    for (Eigen::Index k = 0; k < problem.pairs(); ++k) {
      const double n = variants.solutions()[i].signed_reactions[k];
      panel.mark(1, n, 5, fmt::format("fill=\"{}\"", kLineColours[static_cast<size_t>(k) % kLineColours.size()]));
      if (!chosen) panel.mark(1, n, 3, "fill=\"#fff\"");
    }
  }
  panel.end_data();
  const auto mark = [&](double s, const std::string& words, double at, const char* colour) {
    panel.line(panel.x(s), panel.top(), panel.x(s), panel.bottom(),
               fmt::format("stroke=\"{}\" stroke-dasharray=\"2 3\"", colour).c_str());
    panel.words(panel.x(s) - 4, panel.top() + at, "end", words, fmt::format("fill=\"{}\"", colour).c_str());
  };
  double at = 14;
  for (const FrictionPath::Switch& change : path.switches) {
    const bool fold = std::find(path.folds.begin(), path.folds.end(), change.scale) != path.folds.end();
    mark(change.scale,
         fmt::format("{}{} to face {} at {:.5g}", fold ? "fold: " : "", names[static_cast<size_t>(change.pair)], change.face,
                     change.scale),
         at, fold ? "#b00020" : "#555");
    at += 15;
  }
  if (path.reason == FrictionPath::Reason::jam) mark(path.end, fmt::format("jam at {:.5g}", path.end), at, "#b00020");
  panel.frame();
  double y = panel.top() + 12;
  for (size_t k = 0; k < names.size() && k < 20; ++k, y += 17) {
    panel.line(panel.right() + 14, y - 4, panel.right() + 34, y - 4,
               fmt::format("stroke=\"{}\" stroke-width=\"2\"", kLineColours[k % kLineColours.size()]).c_str());
    panel.words(panel.right() + 40, y, "start", names[k]);
  }
  panel.words(panel.right() + 14, y + 12, "start", fmt::format("realised at s = 1: {}", variants.solutions().size()));
  if (variants.chosen) panel.words(panel.right() + 14, y + 29, "start", "chosen: filled");
  return text + panel.text() + "</svg>\n";
}

std::string draw_limit_diagram(const std::vector<LimitRay>& rays, const std::string& load) {
  double largest = 0;
  for (const LimitRay& ray : rays) {
    if (ray.rests && !ray.endless) largest = std::max(largest, ray.alpha);
  }
  if (largest == 0) largest = 1;
  const Range range = widened(-1.15 * largest, 1.15 * largest);
  Panel panel("limit", 64, 34, 440, 440, range, range);
  panel.grid(fmt::format("'{}' along [N]", load), fmt::format("'{}' across [N]", load));
  panel.zero_across();
  panel.zero_up();
  panel.begin_data();
  std::vector<std::pair<double, double>> bounded;
  for (size_t i = 0; i <= rays.size(); ++i) {
    const LimitRay& ray = rays[i % rays.size()];
    if (ray.rests && !ray.endless) {
      bounded.push_back({ray.alpha * std::cos(ray.angle), ray.alpha * std::sin(ray.angle)});
      continue;
    }
    panel.polyline(bounded, kLineColours[0], "stroke-width=\"2\"");
    bounded.clear();
    // Where there is no end, a ray to the frame.
    if (ray.rests)
      panel.polyline({{0, 0}, {2 * largest * std::cos(ray.angle), 2 * largest * std::sin(ray.angle)}}, "#d55e00",
                     "stroke-width=\"1\" stroke-opacity=\"0.5\"");
  }
  panel.polyline(bounded, kLineColours[0], "stroke-width=\"2\"");
  panel.end_data();
  panel.frame();
  panel.words(panel.left() + 8, panel.top() + 16, "start", "inside: it rests", "fill=\"#0072b2\"");
  if (std::any_of(rays.begin(), rays.end(), [](const LimitRay& ray) { return ray.endless; }))
    panel.words(panel.left() + 8, panel.top() + 32, "start", "rays: locks itself, however large", "fill=\"#d55e00\"");
  return svg_head(540, 530) + panel.text() + "</svg>\n";
}

}  // namespace vinculum
