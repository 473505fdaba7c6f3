// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

// What the pictures of results have in common: colours, ticks, panels.
namespace vinculum {

inline constexpr std::array<const char*, 8> kLineColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                            "#e69f00", "#56b4e9", "#666666", "#a0522d"};

struct Range {
  double low = 0, high = 1;
  double at(double fraction) const { return low + fraction * (high - low); }
  double fraction_of(double x) const { return (x - low) / (high - low); }
};

// A little more than the values need, and something where they are all alike.
inline Range widened(double low, double high) {
  const double more = high > low ? 0.04 * (high - low) : std::max(1.0, std::abs(low));
  return {low - more, high + more};
}

inline std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      default: safe += c;
    }
  }
  return safe;
}

// A step of 1, 2 or 5 times a power of ten, about seven of them.
inline double nice_step(const Range& range) {
  const double rough = (range.high - range.low) / 7, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

inline std::vector<double> ticks(const Range& range) {
  constexpr int kMost = 12;
  const double step = nice_step(range), first = std::ceil(range.low / step);
  std::vector<double> values;
  for (int k = 0; k < kMost && (first + k) * step <= range.high; ++k) values.push_back((first + k) * step);
  return values;
}

// One pair of axes of a picture (SVG): values in, text out.
class Panel {
 public:
  Panel(const char* name, double left, double top, double width, double height, Range x, Range y)
      : name_(name), left_(left), top_(top), width_(width), height_(height), x_(x), y_(y) {}

  double x(double value) const { return left_ + width_ * x_.fraction_of(value); }
  double y(double value) const { return top_ + height_ * (1 - y_.fraction_of(value)); }

  void shade(double from, double to, const char* colour) {
    text_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x(from), top_,
                         x(to) - x(from), height_, colour);
  }
  void line(double x1, double y1, double x2, double y2, const char* style) {
    text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", x1, y1, x2, y2, style);
  }
  void words(double at_x, double at_y, const char* anchor, const std::string& words, const char* more = "") {
    text_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" {}>{}</text>\n", at_x, at_y, anchor, more,
                         escaped(words));
  }
  void grid(const std::string& below, const std::string& beside) {
    for (const double value : ticks(x_)) {
      line(x(value), top_, x(value), top_ + height_, kGrid);
      words(x(value), top_ + height_ + 16, "middle", tick(value, nice_step(x_)));
    }
    for (const double value : ticks(y_)) {
      line(left_, y(value), left_ + width_, y(value), kGrid);
      words(left_ - 7, y(value) + 4, "end", tick(value, nice_step(y_)));
    }
    words(left_ + width_ / 2, top_ + height_ + 36, "middle", below);
    words(left_, top_ - 10, "start", beside);
  }
  void zero_across() { line(left_, y(0), left_ + width_, y(0), kAxis); }
  void zero_up() { line(x(0), top_, x(0), top_ + height_, kAxis); }
  void frame() {
    text_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" stroke=\"#444\"/>\n",
                         left_, top_, width_, height_);
  }
  // Inside the frame only.
  void begin_data() {
    text_ += fmt::format(
        "<clipPath id=\"{0}\"><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4:.2f}\"/></clipPath>\n<g "
        "clip-path=\"url(#{0})\">\n",
        name_, left_, top_, width_, height_);
  }
  void end_data() { text_ += "</g>\n"; }
  void polyline(const std::vector<std::pair<double, double>>& points, const char* colour, const char* style) {
    if (points.size() < 2) return;
    text_ += fmt::format("<polyline fill=\"none\" stroke=\"{}\" {} points=\"", colour, style);
    for (const auto& [a, b] : points) text_ += fmt::format("{:.2f},{:.2f} ", x(a), y(b));
    text_ += "\"/>\n";
  }
  void dot(double at_x, double at_y, const std::string& colour) {
    text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2\" fill=\"{}\"/>\n", x(at_x), y(at_y), colour);
  }
  // In the units of the axes; `radius` in those of x, which are those of y where a picture is to scale.
  void circle(double at_x, double at_y, double radius, const std::string& style) {
    text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", x(at_x), y(at_y), x(at_x + radius) - x(at_x),
                         style);
  }
  void mark(double at_x, double at_y, double pixels, const std::string& style) {
    text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", x(at_x), y(at_y), pixels, style);
  }
  void segment(double x1, double y1, double x2, double y2, const std::string& style) {
    line(x(x1), y(y1), x(x2), y(y2), style.c_str());
  }
  void cell(double x1, double y1, double x2, double y2, const std::string& colour) {
    text_ += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>\n",
        x(x1), y(y2), x(x2) - x(x1), y(y1) - y(y2), colour);
  }
  double top() const { return top_; }
  double bottom() const { return top_ + height_; }
  double left() const { return left_; }
  double right() const { return left_ + width_; }
  const std::string& text() const { return text_; }

 private:
  static constexpr const char* kGrid = "stroke=\"#e4e4e4\"";
  static constexpr const char* kAxis = "stroke=\"#888\"";

  static std::string tick(double value, double step) {
    const double whole = std::round(value / step) * step;
    return fmt::format("{:.6g}", whole == 0 ? 0.0 : whole);
  }

  const char* name_;
  double left_, top_, width_, height_;
  Range x_, y_;
  std::string text_;
};

// From blue over grey to red.
inline std::string colour_of(double fraction) {
  const auto mix = [&](double a, double b, double c) {
    return static_cast<int>(fraction < 0.5 ? a + 2 * fraction * (b - a) : b + (2 * fraction - 1) * (c - b));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0, 150, 213), mix(90, 150, 60), mix(200, 150, 0));
}

inline std::string svg_head(int width, int height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
      "font-size=\"12\" fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height);
}

}  // namespace vinculum
