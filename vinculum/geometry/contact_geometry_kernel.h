// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "vinculum/expression/evaluate_at.h"
#include "vinculum/expression/evaluate_kernel.h"
#include "vinculum/math/dual.h"
#include "vinculum/math/rotation.h"
#include "vinculum/math/spatial.h"
#include "vinculum/math/visit.h"
#include "vinculum/model/contact.h"

// Where a body touches its carrier, on any scalar: on numbers to find it, on dual numbers for exact rates. All in the axes of the
// carrier c; (R, x) are axes and origin of the body in it. Private to this room.
namespace vinculum {

using Dual1 = Dual<double, double>;
using Dual2 = Dual<Dual1, Dual1>;

// To which order a scalar carries derivatives; of others than these it is not known, and they get as many steps as a second one.
template <class S>
inline constexpr int kOrderOf = std::is_same_v<S, double>  ? 0
                                : std::is_same_v<S, Dual1> ? 1
                                                           : 2;

VINCULUM_INLINE double value_of(double a) { return a; }
template <class V, class D>
VINCULUM_INLINE double value_of(const Dual<V, D>& a) {
  return value_of(a.value);
}

template <class S>
VINCULUM_INLINE Vector3Of<S> lift_vector(const Vector3& a) {
  return {lift<S>(a.x), lift<S>(a.y), lift<S>(a.z)};
}
template <class S>
VINCULUM_INLINE Matrix3Of<S> lift_matrix(const Matrix3& m) {
  return {lift_vector<S>(m.x), lift_vector<S>(m.y), lift_vector<S>(m.z)};
}
template <class S>
VINCULUM_INLINE S length_of(const Vector3Of<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class S>
VINCULUM_INLINE Vector3Of<S> unit_of(const Vector3Of<S>& a) {
  return (lift<S>(1) / length_of(a)) * a;
}

template <class S>
VINCULUM_INLINE Vector3Of<S> unit_vector(int i) {
  return {lift<S>(i == 0), lift<S>(i == 1), lift<S>(i == 2)};
}

template <class S>
struct BodyInCarrier {
  Matrix3Of<S> R;
  Vector3Of<S> x;
};

// Solves a x = b by elimination with constraint pivoting.
template <int N, class S>
VINCULUM_INLINE std::array<S, N> solve_small(std::array<std::array<S, N>, N> a, std::array<S, N> b) {
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i) {
      if (std::abs(value_of(a[i][k])) > std::abs(value_of(a[pivot][k]))) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < N; ++i) {
      const S factor = a[i][k] / a[k][k];
      for (int j = k + 1; j < N; ++j) a[i][j] = a[i][j] - factor * a[k][j];
      b[i] = b[i] - factor * b[k];
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int j = k + 1; j < N; ++j) b[k] = b[k] - a[k][j] * b[j];
    b[k] = b[k] / a[k][k];
  }
  return b;
}

// ---- the surface -----------------------------------------------------------------------------------------------------

// The point of the surface over (x, y) and its normal.
//
//   n = (-f_x, -f_y, 1) / √(1 + f_x² + f_y²) ,   ∂n/∂y_i = (1 - n nᵀ)(-f_xi, -f_yi, 0) / √(1 + f_x² + f_y²)         theory 1, 5
template <class S>
struct SurfacePoint {
  Vector3Of<S> p, t_x, t_y;  // the point and its derivatives by x and y
  Vector3Of<S> n;
  S root;  // √(1 + f_x² + f_y²)
};

template <class S>
VINCULUM_INLINE SurfacePoint<S> surface_point(const SurfaceLaw& surface, const S& x, const S& y) {
  using std::sqrt;
  const S zero = lift<S>(0), one = lift<S>(1);
  if (surface.is_plane) return {{x, y, zero}, {one, zero, zero}, {zero, one, zero}, {zero, zero, one}, one};
  BindingsOf<S> bindings;
  bindings.surface_x = x;
  bindings.surface_y = y;
  const S f_x = evaluate_at(surface.f_x, bindings), f_y = evaluate_at(surface.f_y, bindings);
  const S root = sqrt(one + f_x * f_x + f_y * f_y);
  return {{x, y, evaluate_at(surface.f, bindings)},
          {one, zero, f_x},
          {zero, one, f_y},
          (one / root) * Vector3Of<S>{-f_x, -f_y, one},
          root};
}

// ∂n/∂x and ∂n/∂y there.
template <class S>
VINCULUM_INLINE std::array<Vector3Of<S>, 2> normal_derivatives(const SurfaceLaw& surface, const SurfacePoint<S>& at) {
  const S zero = lift<S>(0);
  if (surface.is_plane) return {Vector3Of<S>{zero, zero, zero}, Vector3Of<S>{zero, zero, zero}};
  BindingsOf<S> bindings;
  bindings.surface_x = at.p.x;
  bindings.surface_y = at.p.y;
  const S f_xx = evaluate_at(surface.f_xx, bindings), f_xy = evaluate_at(surface.f_xy, bindings),
          f_yy = evaluate_at(surface.f_yy, bindings);
  const auto tangential = [&](const Vector3Of<S>& a) __attribute__((always_inline)) {
    return (lift<S>(1) / at.root) * (a - dot(at.n, a) * at.n);
  };
  return {tangential({-f_xx, -f_xy, zero}), tangential({-f_xy, -f_yy, zero})};
}

// ---- the search ------------------------------------------------------------------------------------------------------

// What a search for the contact solves for. Point: nothing. Sphere: (x, y, d). Wheel: (x, y, d, theta), theta from the radius
// `start`, fixed in the body.
template <class S>
struct ContactUnknowns {
  std::array<S, 4> z{};  // x, y, d, theta
  Vector3 start{};
};

// Sphere of radius a about X:  (x, y, f) + (a + d) n = X                                                    theory 1, section 5
template <class S>
VINCULUM_INLINE void improve_sphere(const SurfaceLaw& surface, const Vector3Of<S>& X, double radius, std::array<S, 4>& z) {
  const SurfacePoint<S> at = surface_point(surface, z[0], z[1]);
  const auto [n_x, n_y] = normal_derivatives(surface, at);
  const S reach = lift<S>(radius) + z[2];
  const Vector3Of<S> columns[3] = {at.t_x + reach * n_x, at.t_y + reach * n_y, at.n}, rest = X - at.p - reach * at.n;
  std::array<std::array<S, 3>, 3> matrix;
  for (int i = 0; i < 3; ++i) matrix[i] = {columns[0][i], columns[1][i], columns[2][i]};
  const auto step = solve_small<3, S>(matrix, {rest.x, rest.y, rest.z});
  for (int i = 0; i < 3; ++i) z[i] = z[i] + step[i];
}

// The rim of a wheel: its radius, turned by theta from `start`, and its tangent, in the axes of the carrier.
template <class S>
struct Rim {
  Vector3Of<S> axis, radius, tangent;
};
template <class S>
VINCULUM_INLINE Rim<S> rim_at(const WheelGeometry& wheel, const Matrix3Of<S>& R, const Vector3& start, const S& theta) {
  const auto [s, c] = sincos(theta);
  const Vector3Of<S> u = R * lift_vector<S>(start), w = R * lift_vector<S>(cross(wheel.axis, start));
  return {R * lift_vector<S>(wheel.axis), c * u + s * w, c * w - s * u};
}

// The matrix of Newton's method for a wheel of radius a:  (x, y, f) + d n - X(theta) = 0 ,  tangent · n = 0
template <class S>
VINCULUM_INLINE std::array<std::array<S, 4>, 4> wheel_matrix(const WheelGeometry& wheel, const Rim<S>& rim,
                                                             const SurfacePoint<S>& at, const std::array<Vector3Of<S>, 2>& n_i,
                                                             const S& d) {
  const Vector3Of<S> columns[4] = {at.t_x + d * n_i[0], at.t_y + d * n_i[1], at.n, lift<S>(-wheel.radius) * rim.tangent};
  std::array<std::array<S, 4>, 4> matrix;
  for (int i = 0; i < 3; ++i) matrix[i] = {columns[0][i], columns[1][i], columns[2][i], columns[3][i]};
  matrix[3] = {dot(rim.tangent, n_i[0]), dot(rim.tangent, n_i[1]), lift<S>(0), -dot(rim.radius, at.n)};
  return matrix;
}

template <class S>
VINCULUM_INLINE void improve_wheel(const SurfaceLaw& surface, const WheelGeometry& wheel, const BodyInCarrier<S>& body,
                                   ContactUnknowns<S>& unknowns) {
  std::array<S, 4>& z = unknowns.z;
  const SurfacePoint<S> at = surface_point(surface, z[0], z[1]);
  const Rim<S> rim = rim_at(wheel, body.R, unknowns.start, z[3]);
  const Vector3Of<S> X = body.x + body.R * lift_vector<S>(wheel.center) + lift<S>(wheel.radius) * rim.radius;
  const Vector3Of<S> rest = X - at.p - z[2] * at.n;
  const auto matrix = wheel_matrix(wheel, rim, at, normal_derivatives(surface, at), z[2]);
  const auto step = solve_small<4, S>(matrix, {rest.x, rest.y, rest.z, -dot(rim.tangent, at.n)});
  for (int i = 0; i < 4; ++i) z[i] = z[i] + step[i];
}

// ---- the contact frame -----------------------------------------------------------------------------------------------

// Axes E = (normal, lateral, forward), the material point P of the body that touches, and the gap of the normal axis.
template <class S>
struct ContactFrame {
  Matrix3Of<S> E;
  Vector3Of<S> P;
  S gap;
};

template <class S>
VINCULUM_INLINE Matrix3Of<S> trihedron(const Vector3Of<S>& normal, const Vector3Of<S>& forward) {
  return {normal, cross(forward, normal), forward};
}

// Heading of a point or a sphere: the chosen direction, in the tangent plane.
template <class S>
VINCULUM_INLINE Vector3Of<S> tangential_heading(const Contact& contact, const Matrix3Of<S>& R, const Vector3Of<S>& n) {
  const Vector3Of<S> given = lift_vector<S>(contact.heading);
  const Vector3Of<S> h = contact.heading_in_body ? R * given : given;
  return h - dot(h, n) * n;
}

// `found` solves the search on numbers; each further step in the arithmetic of S gives its derivatives to one more order. On a
// plane nothing is searched for.
template <class S>
VINCULUM_INLINE ContactUnknowns<S> lift_unknowns(const ContactUnknowns<double>& found) {
  ContactUnknowns<S> unknowns;
  for (int i = 0; i < 4; ++i) unknowns.z[i] = lift<S>(found.z[i]);
  unknowns.start = found.start;
  return unknowns;
}

template <class S>
VINCULUM_INLINE ContactFrame<S> frame_of(const PointGeometry& point, const Contact& contact, const BodyInCarrier<S>& body,
                                         const ContactUnknowns<double>&) {
  const Vector3Of<S> P = body.x + body.R * lift_vector<S>(point.point);
  const SurfacePoint<S> at = surface_point(contact.surface, P.x, P.y);
  return {trihedron(at.n, unit_of(tangential_heading(contact, body.R, at.n))), P, (P.z - at.p.z) / at.root};
}

template <class S>
VINCULUM_INLINE ContactFrame<S> frame_of(const SphereGeometry& sphere, const Contact& contact, const BodyInCarrier<S>& body,
                                         const ContactUnknowns<double>& found) {
  const Vector3Of<S> center = body.x + body.R * lift_vector<S>(sphere.center);
  if (contact.surface.is_plane) {
    const Vector3Of<S> n = unit_vector<S>(2);
    return {trihedron(n, unit_of(tangential_heading(contact, body.R, n))), center - lift<S>(sphere.radius) * n,
            center.z - lift<S>(sphere.radius)};
  }
  ContactUnknowns<S> unknowns = lift_unknowns<S>(found);
  for (int i = 0; i < kOrderOf<S>; ++i) improve_sphere(contact.surface, center, sphere.radius, unknowns.z);
  const SurfacePoint<S> at = surface_point(contact.surface, unknowns.z[0], unknowns.z[1]);
  return {trihedron(at.n, unit_of(tangential_heading(contact, body.R, at.n))), center - lift<S>(sphere.radius) * at.n,
          unknowns.z[2]};
}

template <class S>
VINCULUM_INLINE ContactFrame<S> frame_of(const WheelGeometry& wheel, const Contact& contact, const BodyInCarrier<S>& body,
                                         const ContactUnknowns<double>& found) {
  if (contact.surface.is_plane) {
    // The point of the rim farthest along -n.
    const Vector3Of<S> n = unit_vector<S>(2), axis = body.R * lift_vector<S>(wheel.axis);
    const Vector3Of<S> P =
        body.x + body.R * lift_vector<S>(wheel.center) + lift<S>(wheel.radius) * unit_of(dot(axis, n) * axis - n);
    return {trihedron(n, unit_of(cross(axis, n))), P, P.z};
  }
  ContactUnknowns<S> unknowns = lift_unknowns<S>(found);
  for (int i = 0; i < kOrderOf<S>; ++i) improve_wheel(contact.surface, wheel, body, unknowns);
  const SurfacePoint<S> at = surface_point(contact.surface, unknowns.z[0], unknowns.z[1]);
  const Rim<S> rim = rim_at(wheel, body.R, unknowns.start, unknowns.z[3]);
  return {trihedron(at.n, unit_of(cross(rim.axis, at.n))),
          body.x + body.R * lift_vector<S>(wheel.center) + lift<S>(wheel.radius) * rim.radius, unknowns.z[2]};
}

template <class S>
VINCULUM_INLINE ContactFrame<S> frame_of(const FrameGeometry& frame, const Contact&, const BodyInCarrier<S>& body,
                                         const ContactUnknowns<double>&) {
  const Matrix3Of<S> E = lift_matrix<S>(frame.environment_rotation);
  const Vector3Of<S> P = body.x + body.R * lift_vector<S>(frame.body_point);
  return {E, P, dot(E.x, P - lift_vector<S>(frame.environment_point))};
}

template <class S>
VINCULUM_INLINE ContactFrame<S> contact_frame(const Contact& contact, const BodyInCarrier<S>& body,
                                              const ContactUnknowns<double>& found) {
  return visit_in_place(
      [&](const auto& geometry) __attribute__((always_inline)) { return frame_of<S>(geometry, contact, body, found); },
      contact.geometry);
}

// ---- constraints ------------------------------------------------------------------------------------------------------------

// Relative rate number a is force · x' + moment · w, (x', w) the twist of the body in the carrier: a wrench about the body's
// origin.
//
//   axes 1-3:  e_a · (velocity of P)             (e_a ; (P - x) × e_a)
//   axes 4-6:  rates of the angles psi, or e_a · (w - w_E)
template <class S>
using AxisRows = std::array<WrenchOf<S>, 6>;

// Orientation of the body's side in the contact frame, Q = Eᵀ R C_b = Rx(psi4) Ry(psi5) Rz(psi6): the rates of its angles are
// psi' = eps⁻¹ (R C_b)ᵀ w.                                                                               theory 1, sections 2, 4
template <class S>
VINCULUM_INLINE void add_angle_rows(const Matrix3Of<S>& E, const Matrix3Of<S>& R_body_side, AxisRows<S>& rows) {
  using std::sqrt;
  const S zero = lift<S>(0), one = lift<S>(1);
  const S q11 = dot(E.x, R_body_side.x), q12 = dot(E.x, R_body_side.y), sin5 = dot(E.x, R_body_side.z);
  const S cos5 = sqrt(q11 * q11 + q12 * q12), cos6 = q11 / cos5, sin6 = -q12 / cos5;
  rows[3].moment = R_body_side * Vector3Of<S>{cos6 / cos5, -sin6 / cos5, zero};
  rows[4].moment = R_body_side * Vector3Of<S>{sin6, cos6, zero};
  rows[5].moment = R_body_side * Vector3Of<S>{-(sin5 * cos6 / cos5), sin5 * sin6 / cos5, one};
}

// ½ Σ e_i × e_i' = w of a turning trihedron
template <class S>
VINCULUM_INLINE Vector3Of<S> turning_rate(const Matrix3Of<S>& E, const Matrix3Of<S>& E_dot) {
  return lift<S>(0.5) * (cross(E.x, E_dot.x) + cross(E.y, E_dot.y) + cross(E.z, E_dot.z));
}

// A trihedron carried by a free contact turns with w_E, linear in the twist: its six columns are the turning rates at the unit
// twists, each by differentiating the whole contact in that direction.                                      theory 1, section 5
template <class S>
VINCULUM_INLINE void add_trihedron_rows(const Contact& contact, const BodyInCarrier<S>& body,
                                        const ContactUnknowns<double>& found, const Matrix3Of<S>& E, AxisRows<S>& rows) {
  using D = Dual<S, S>;
  const auto with_rate = [](const Vector3Of<S>& a, const Vector3Of<S>& rate) {
    return Vector3Of<D>{{a.x, rate.x}, {a.y, rate.y}, {a.z, rate.z}};
  };
  const auto rate_of = [](const Vector3Of<D>& a) { return Vector3Of<S>{a.x.derivatives, a.y.derivatives, a.z.derivatives}; };
  const Vector3Of<S> none{lift<S>(0), lift<S>(0), lift<S>(0)};
  for (int j = 0; j < 6; ++j) {
    const Vector3Of<S> x_rate = j < 3 ? unit_vector<S>(j) : none, w = j < 3 ? none : unit_vector<S>(j - 3);
    BodyInCarrier<D> moving;
    moving.x = with_rate(body.x, x_rate);
    for (int k = 0; k < 3; ++k) moving.R.column(k) = with_rate(body.R.column(k), cross(w, body.R.column(k)));
    const Matrix3Of<D> turned = contact_frame<D>(contact, moving, found).E;
    const Vector3Of<S> w_E = turning_rate(E, Matrix3Of<S>{rate_of(turned.x), rate_of(turned.y), rate_of(turned.z)});
    for (int a = 0; a < 3; ++a) {
      const S rate = dot(E.column(a), w - w_E);
      (j < 3 ? rows[3 + a].force[j] : rows[3 + a].moment[j - 3]) = rate;
    }
  }
}

// All constraints but the angular ones of a contact that carries its trihedron along.
template <class S>
VINCULUM_INLINE AxisRows<S> plain_rows(const Contact& contact, const BodyInCarrier<S>& body, const ContactFrame<S>& at,
                                       bool with_angular) {
  const Vector3Of<S> zero{lift<S>(0), lift<S>(0), lift<S>(0)};
  AxisRows<S> rows;
  for (int a = 0; a < 3; ++a) {
    rows[a] = {at.E.column(a), cross(at.P - body.x, at.E.column(a))};
    rows[3 + a] = {zero, at.E.column(a)};
  }
  const auto* frame = std::get_if<FrameGeometry>(&contact.geometry);
  if (with_angular && frame != nullptr && !contact.angular_as_vector)
    add_angle_rows(at.E, body.R * lift_matrix<S>(frame->body_rotation), rows);
  return rows;
}

template <class S>
VINCULUM_INLINE AxisRows<S> axis_rows(const Contact& contact, const BodyInCarrier<S>& body, const ContactUnknowns<double>& found,
                                      bool with_angular) {
  const ContactFrame<S> at = contact_frame<S>(contact, body, found);
  AxisRows<S> rows = plain_rows(contact, body, at, with_angular);
  if (with_angular && !contact.is_frame()) add_trihedron_rows(contact, body, found, at.E, rows);
  return rows;
}

}  // namespace vinculum
