// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/geometry/near_places.h"

#include <algorithm>
#include <cmath>

#include "vinculum/expression/bounds.h"
#include "vinculum/geometry/contact_geometry_kernel.h"

namespace vinculum {

namespace {

using IntervalVector = Vector3Of<Interval>;

Interval point_interval(double x) { return {x, x}; }

// c0 + s (c1 - c0)
IntervalVector along_way(const std::array<Vector3, 2>& c, const Interval& s) {
  const auto component = [&](double from, double to) { return point_interval(from) + (to - from) * s; };
  return {component(c[0].x, c[1].x), component(c[0].y, c[1].y), component(c[0].z, c[1].z)};
}

// A part of the surface or the rim (two numbers, or one) and of the way.
struct Part {
  std::array<Interval, 3> u;
  double low = 0;                   // of the gap
  std::array<double, 3> variation;  // of the gap by each of the three
};

// The gap as a function of a place and of s, with bounds over parts.
class GapField {
 public:
  GapField(const SurfaceLaw& surface, const SweptShape& shape) : surface_(surface), shape_(shape) {
    for (int k = 0; k < 2; ++k) turns_ = turns_ || norm(shape.first[k] - shape.first[0]) > 0;
    const Vector3 way = shape.center[1] - shape.center[0];
    moves_ = turns_ || norm(way) > 0;
  }

  bool is_sphere() const { return shape_.kind == SweptShape::Kind::sphere; }
  int dimensions() const { return is_sphere() ? 2 : shape_.kind == SweptShape::Kind::wheel ? 1 : 0; }

  // Every place within `reach` of a sphere's centre; the whole rim of a wheel.
  Part whole(double reach) const {
    Part part;
    part.u = {point_interval(0), point_interval(0), moves_ ? Interval{0, 1} : point_interval(0)};
    if (dimensions() == 1) part.u[0] = {-M_PI, M_PI};
    if (dimensions() == 2) {
      part.u[0] = widened(hull(point_interval(shape_.center[0].x), point_interval(shape_.center[1].x)), reach);
      part.u[1] = widened(hull(point_interval(shape_.center[0].y), point_interval(shape_.center[1].y)), reach);
    }
    return part;
  }

  // Sets the bounds of a part. False: it has no nearest place inside, or nothing is there.
  bool bound(Part& part) const { return is_sphere() ? bound_sphere(part) : bound_rim(part); }

  // The second derivatives by the place are positive definite all over the part.
  bool is_convex(const Part& part) const {
    if (dimensions() == 0) return false;
    const Rim rim = rim_over(part);
    const Interval &x = is_sphere() ? part.u[0] : rim.p.x, &y = is_sphere() ? part.u[1] : rim.p.y;
    const auto f = bound_over_place(surface_.f, x, y), f_x = bound_over_place(surface_.f_x, x, y),
               f_y = bound_over_place(surface_.f_y, x, y);
    if (!f || !f_x || !f_y) return false;
    if (!is_sphere()) {
      const Interval bend =
          square(rim.along.x) * f_x->by_x + 2.0 * (rim.along.x * rim.along.y * f_x->by_y) + square(rim.along.y) * f_y->by_y;
      return (rim.outward.z - f->by_x * rim.outward.x - f->by_y * rim.outward.y + bend).high < 0;
    }
    const Interval dz = f->value - center_over(part).z, one = point_interval(1);
    const Interval xx = one + square(f->by_x) + dz * f_x->by_x, yy = one + square(f->by_y) + dz * f_y->by_y;
    const Interval xy = f->by_x * f->by_y + dz * f_x->by_y;
    return xx.low > 0 && yy.low > 0 && xx.low * yy.low > magnitude(xy) * magnitude(xy);
  }

  // At one place; infinite where the surface has no value.
  double value(const std::array<double, 3>& u) const {
    const Vector3 center = shape_.center_at(u[2]);
    if (is_sphere()) {
      const double dx = u[0] - center.x, dy = u[1] - center.y, dz = height(u[0], u[1]) - center.z;
      const double distance = std::sqrt(dx * dx + dy * dy + dz * dz);
      return std::isfinite(distance) ? distance - shape_.radius : HUGE_VAL;
    }
    const Vector3 p = dimensions() == 1 ? center + shape_.radius * shape_.outward_at(u[0], u[2]) : center;
    const double gap = p.z - height(p.x, p.y);
    return std::isfinite(gap) ? gap : HUGE_VAL;
  }

  // The least gap in a part where it is convex, at s = 0, by Newton's method; none: it is least outside.
  std::optional<NearPlace> find_least(const Part& part) const {
    constexpr int kMostSteps = 50;
    constexpr double kBeyond = 1e-6;  // of the part's width, so that nothing is lost between two parts
    std::array<double, 3> u{middle(part.u[0]), middle(part.u[1]), 0};
    for (int i = 0; i < kMostSteps; ++i) {
      const std::array<double, 2> step = newton_step(u);
      double moved = 0, size = 0;
      for (int k = 0; k < dimensions(); ++k) {
        const Interval room = widened(part.u[k], kBeyond * width(part.u[k]));
        const double next = std::clamp(u[k] + step[k], room.low, room.high);
        moved = std::max(moved, std::abs(next - u[k]));
        size = std::max(size, width(part.u[k]));
        if (!std::isfinite(next)) return std::nullopt;
        u[k] = next;
      }
      if (moved <= 1e-12 * size) break;
    }
    const std::array<double, 2> rest = newton_step(u);
    for (int k = 0; k < dimensions(); ++k) {
      if (!(std::abs(rest[k]) <= kBeyond * width(part.u[k]))) return std::nullopt;
    }
    return NearPlace{{u[0], u[1]}, value(u)};
  }

  double height(double x, double y) const {
    BindingsOf<double> bindings;
    bindings.surface_x = x;
    bindings.surface_y = y;
    return evaluate_at(surface_.f, bindings);
  }

 private:
  // The points of a rim, or the point, over a part; the derivative by the angle, by s, and the vector from the centre.
  struct Rim {
    IntervalVector p, along, way, outward;
  };
  Rim rim_over(const Part& part) const {
    Rim rim;
    if (is_sphere()) return rim;
    rim.p = center_over(part);
    const Vector3 way = shape_.center[1] - shape_.center[0];
    rim.way = {point_interval(way.x), point_interval(way.y), point_interval(way.z)};
    if (dimensions() == 0) return rim;
    const Interval c = shape_.radius * cosine(part.u[0]), s = shape_.radius * sine(part.u[0]);
    const IntervalVector first = along_way(shape_.first, part.u[2]), second = along_way(shape_.second, part.u[2]);
    const Vector3 d_first = shape_.first[1] - shape_.first[0], d_second = shape_.second[1] - shape_.second[0];
    for (int k = 0; k < 3; ++k) {
      rim.outward[k] = widened(c * first[k] + s * second[k], shape_.doubt);
      rim.along[k] = widened(c * second[k] - s * first[k], shape_.doubt);
      rim.p[k] = rim.p[k] + rim.outward[k];
      rim.way[k] = rim.way[k] + d_first[k] * c + d_second[k] * s;
    }
    return rim;
  }

  IntervalVector center_over(const Part& part) const {
    const IntervalVector center = along_way(shape_.center, part.u[2]);
    return {widened(center.x, shape_.doubt), widened(center.y, shape_.doubt), widened(center.z, shape_.doubt)};
  }

  bool bound_sphere(Part& part) const {
    const auto f = bound_over_place(surface_.f, part.u[0], part.u[1]);
    if (!f) return false;
    const IntervalVector center = center_over(part);
    const Interval dx = part.u[0] - center.x, dy = part.u[1] - center.y, dz = f->value - center.z;
    const Interval by_x = dx + dz * f->by_x, by_y = dy + dz * f->by_y;
    if (!has_zero(by_x) || !has_zero(by_y)) return false;
    const Vector3 way = shape_.center[1] - shape_.center[0];
    const Interval by_s = -(way.x * dx + way.y * dy + way.z * dz);
    const double least = square(dx).low + square(dy).low + square(dz).low;
    const double distance = value(middle_of(part)) + shape_.radius;
    part.variation = {0.5 * magnitude(by_x) * width(part.u[0]), 0.5 * magnitude(by_y) * width(part.u[1]),
                      0.5 * magnitude(by_s) * width(part.u[2])};
    const double from_middle = distance * distance - 2 * (part.variation[0] + part.variation[1] + part.variation[2]);
    const double about_middle = std::isfinite(distance) && from_middle > 0 ? std::sqrt(from_middle) - shape_.doubt : 0;
    part.low = std::max(std::sqrt(least), about_middle) - shape_.radius;
    return true;
  }

  bool bound_rim(Part& part) const {
    const Rim rim = rim_over(part);
    const auto f = bound_over_place(surface_.f, rim.p.x, rim.p.y);
    if (!f) return false;
    const Interval by_angle = rim.along.z - f->by_x * rim.along.x - f->by_y * rim.along.y;
    if (dimensions() == 1 && !has_zero(by_angle)) return false;
    const Interval by_s = rim.way.z - f->by_x * rim.way.x - f->by_y * rim.way.y;
    part.variation = {0.5 * magnitude(by_angle) * width(part.u[0]), 0, 0.5 * magnitude(by_s) * width(part.u[2])};
    if (dimensions() == 0) part.variation[0] = 0;
    const double doubt = shape_.doubt * (1 + (shape_.doubt > 0 ? magnitude(f->by_x) + magnitude(f->by_y) : 0));
    const double gap = value(middle_of(part)), from_middle = gap - part.variation[0] - part.variation[2] - doubt;
    const double least = rim.p.z.low - f->value.high;
    part.low = std::max(least, std::isfinite(gap) && !std::isnan(from_middle) ? from_middle : -HUGE_VAL);
    if (dimensions() == 0 && !has_zero(by_s)) {
      // It rises or falls all the way.
      const double at_ends = std::min(value({0, 0, part.u[2].low}), value({0, 0, part.u[2].high})) - doubt;
      if (std::isfinite(at_ends)) part.low = std::max(part.low, at_ends);
    }
    return true;
  }

  static std::array<double, 3> middle_of(const Part& part) { return {middle(part.u[0]), middle(part.u[1]), middle(part.u[2])}; }

  // -(second derivatives)⁻¹ (derivatives), at s = 0.
  std::array<double, 2> newton_step(const std::array<double, 3>& u) const {
    BindingsOf<double> at;
    const Vector3 center = shape_.center[0], outward = shape_.radius * shape_.outward_at(u[0], 0);
    at.surface_x = is_sphere() ? u[0] : center.x + outward.x;
    at.surface_y = is_sphere() ? u[1] : center.y + outward.y;
    const double f_x = evaluate_at(surface_.f_x, at), f_y = evaluate_at(surface_.f_y, at), f_xx = evaluate_at(surface_.f_xx, at),
                 f_xy = evaluate_at(surface_.f_xy, at), f_yy = evaluate_at(surface_.f_yy, at);
    if (!is_sphere()) {
      const Vector3 along = shape_.radius * shape_.outward_at(u[0] + M_PI / 2, 0);
      const double bend = f_xx * along.x * along.x + 2 * f_xy * along.x * along.y + f_yy * along.y * along.y;
      return {(along.z - f_x * along.x - f_y * along.y) / (outward.z - f_x * outward.x - f_y * outward.y + bend), 0};
    }
    const double dz = evaluate_at(surface_.f, at) - center.z, g_x = u[0] - center.x + dz * f_x, g_y = u[1] - center.y + dz * f_y;
    const double xx = 1 + f_x * f_x + dz * f_xx, yy = 1 + f_y * f_y + dz * f_yy, xy = f_x * f_y + dz * f_xy;
    const double determinant = xx * yy - xy * xy;
    return {(xy * g_y - yy * g_x) / determinant, (xy * g_x - xx * g_y) / determinant};
  }

  const SurfaceLaw& surface_;
  const SweptShape& shape_;
  bool turns_ = false, moves_ = false;
};

// Of the three ranges that along which the gap varies most is halved; where that is not known, the widest.
int split_along(const Part& part, const GapField& field, double radius) {
  const double sizes[3] = {field.is_sphere() ? radius : 1, radius, 1};
  int widest = 0, most = 0;
  for (int k = 1; k < 3; ++k) {
    if (width(part.u[k]) / sizes[k] > width(part.u[widest]) / sizes[widest]) widest = k;
    if (part.variation[k] > part.variation[most]) most = k;
  }
  const double largest = part.variation[most];
  return std::isfinite(largest) && largest > 0 ? most : widest;
}

bool is_farther(const Part& a, const Part& b) { return a.low > b.low; }

// Halves the nearest part, again and again, until `take` has had all that are left. take(part) is false where it must be halved.
template <class Take, class IsFar>
bool divide(const GapField& field, double radius, size_t most, std::vector<Part>& parts, const Take& take, const IsFar& is_far) {
  size_t count = parts.size();
  std::make_heap(parts.begin(), parts.end(), is_farther);
  while (!parts.empty()) {
    std::pop_heap(parts.begin(), parts.end(), is_farther);
    const Part part = parts.back();
    parts.pop_back();
    if (is_far(part)) {
      parts.push_back(part);
      return true;
    }
    if (take(part)) continue;
    const int along = split_along(part, field, radius);
    for (const bool upper : {false, true}) {
      Part half = part;
      (upper ? half.u[along].low : half.u[along].high) = middle(part.u[along]);
      if (!field.bound(half) || is_far(half)) continue;
      parts.push_back(half);
      std::push_heap(parts.begin(), parts.end(), is_farther);
      if (++count > most) return false;
    }
  }
  return true;
}

// Below this, beside the radius, nothing is divided: the place is at a kink.
constexpr double kSmallest = 1e-7, kSamePlace = 1e-5;
constexpr size_t kMostParts = 20000, kMostPartsOfWay = 2000;  // a way can be halved

double size_of(const Part& part, const GapField& field, double radius) {
  const double unit = field.is_sphere() ? radius : 1;
  return std::max(width(part.u[0]) / unit, width(part.u[1]) / radius);
}

}  // namespace

const NearPlaces& find_near_places(const SurfaceLaw& surface, const SweptShape& shape, double window, bool also_far) {
  const GapField field(surface, shape);
  static thread_local NearPlaces result;  // no evaluation allocates
  result.list.clear();
  result.is_complete = true;
  double best = HUGE_VAL;
  const auto farthest = [&] { return best > shape.radius && !also_far ? 0.9 * best : std::max(best, 0.0) + window; };
  const auto add = [&](const NearPlace& place) {
    best = std::min(best, place.gap);
    for (const NearPlace& known : result.list) {
      const double turn = std::remainder(known.at[0] - place.at[0], field.is_sphere() ? HUGE_VAL : 2 * M_PI);
      const double unit = field.is_sphere() ? shape.radius : 1;
      if (std::hypot(turn / unit, (known.at[1] - place.at[1]) / shape.radius) < kSamePlace) return;
    }
    result.list.push_back(place);
  };
  const auto search = [&](double reach) {
    Part whole = field.whole(reach);
    result.list.clear();
    if (!field.bound(whole)) return;
    static thread_local std::vector<Part> parts;
    parts.assign(1, whole);
    const auto take = [&](const Part& part) {
      const std::array<double, 3> at{middle(part.u[0]), middle(part.u[1]), 0};
      best = std::min(best, field.value(at));
      if (size_of(part, field, shape.radius) < kSmallest) {
        if (const double gap = field.value(at); std::isfinite(gap)) add({{at[0], at[1]}, gap});
        return true;
      }
      if (!field.is_convex(part)) return false;
      if (const auto least = field.find_least(part)) add(*least);
      return true;
    };
    result.is_complete =
        divide(field, shape.radius, kMostParts, parts, take, [&](const Part& part) { return part.low > farthest(); });
    result.beyond = farthest();
  };
  if (field.dimensions() == 1) {
    search(0);
  } else {
    // All places that are nearer than the one below the centre are within its distance.
    const double below = std::abs(field.height(shape.center[0].x, shape.center[0].y) - shape.center[0].z);
    if (std::isfinite(below)) {
      best = below - shape.radius;
      search((1 + 1e-9) * below + window);
    } else {
      for (double reach = 2 * shape.radius; reach < 1e3 * shape.radius && !(best + shape.radius + window <= reach); reach *= 4) {
        best = HUGE_VAL;
        search(reach);
      }
    }
  }
  std::erase_if(result.list, [&](const NearPlace& place) { return place.gap > farthest(); });
  std::ranges::sort(result.list, {}, &NearPlace::gap);
  return result;
}

Clearance check_clearance(const SurfaceLaw& surface, const SweptShape& shape, double allowed_depth,
                          const std::optional<std::array<Interval, 2>>& followed) {
  const GapField field(surface, shape);
  const double radius = shape.radius > 0 ? shape.radius : 1;
  Part whole = field.whole(shape.radius + shape.doubt);
  if (field.is_sphere()) {
    // Its centre is above the surface at both ends; on the way the surface would have to pass through it.
    for (int k = 0; k < 2; ++k) {
      if (field.height(shape.center[k].x, shape.center[k].y) > shape.center[k].z)
        return {Clearance::Is::reached, static_cast<double>(k)};
    }
  }
  std::vector<Part> parts;
  if (!followed) {
    parts.push_back(whole);
  } else {
    // As wide a part as is convex, then what is left around it.
    Part own = whole;
    double margin = field.is_sphere() ? shape.radius : M_PI;
    const double least = 1e-6 * margin;
    const auto shrink = [&] {
      for (int k = 0; k < field.dimensions(); ++k) {
        const Interval wide = widened((*followed)[k], margin);
        own.u[k] = field.is_sphere() ? Interval{std::max(wide.low, whole.u[k].low), std::min(wide.high, whole.u[k].high)} : wide;
      }
    };
    for (shrink(); !field.is_convex(own); shrink()) {
      margin *= 0.5;
      if (margin < least) return {Clearance::Is::open, 0};
    }
    if (field.dimensions() == 1) {
      if (width(own.u[0]) < 2 * M_PI) {
        parts.push_back(whole);
        parts.back().u[0] = {own.u[0].high, own.u[0].low + 2 * M_PI};
      }
    } else {
      const auto add = [&](const Interval& x, const Interval& y) {
        if (!(x.low < x.high && y.low < y.high)) return;
        parts.push_back(whole);
        parts.back().u[0] = x, parts.back().u[1] = y;
      };
      add({whole.u[0].low, own.u[0].low}, whole.u[1]);
      add({own.u[0].high, whole.u[0].high}, whole.u[1]);
      add(own.u[0], {whole.u[1].low, own.u[1].low});
      add(own.u[0], {own.u[1].high, whole.u[1].high});
    }
  }
  std::erase_if(parts, [&](Part& part) { return !field.bound(part); });
  std::optional<double> reached_at;
  bool is_open = false;
  const auto take = [&](const Part& part) {
    const std::array<double, 3> at{middle(part.u[0]), middle(part.u[1]), middle(part.u[2])};
    if (field.value(at) < -allowed_depth - shape.doubt) reached_at = at[2];
    const bool is_small = size_of(part, field, radius) < kSmallest && width(part.u[2]) < kSmallest;
    is_open = is_open || is_small;
    return is_small || reached_at;
  };
  const auto is_far = [&](const Part& part) { return part.low > -allowed_depth || reached_at || is_open; };
  const bool is_complete = divide(field, radius, kMostPartsOfWay, parts, take, is_far);
  if (reached_at) return {Clearance::Is::reached, *reached_at};
  return {is_complete && !is_open ? Clearance::Is::clear : Clearance::Is::open, 0};
}

bool is_gentle(const SurfaceLaw& surface, const SweptShape& shape, double reach) {
  if (surface.is_plane) return true;
  double bend = surface.bend;
  if (shape.kind == SweptShape::Kind::wheel) {
    // With b the steepest direction of the wheel's plane, s and c its vertical and horizontal parts, its section z = s w is
    //   w' = f_a / (s - c f_b) ,  w'' = ∂²f along (a + w' c b) / (s - c f_b) .
    const double c = std::abs(cross(shape.first[0], shape.second[0]).z), s = std::sqrt(std::max(1 - c * c, 0.0));
    const double steepness = c > 0 ? s - surface.slope * c : s;
    if (!(steepness > 0)) return false;
    const double turned = c > 0 ? c * surface.slope / steepness : 0;
    bend *= (1 + turned * turned) / steepness;
  }
  return 1.5 * bend * reach < 1;
}

}  // namespace vinculum
