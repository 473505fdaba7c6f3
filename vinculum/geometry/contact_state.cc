// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/geometry/contact_state.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/geometry/contact_point_kernel.h"
#include "vinculum/geometry/tree_motion.h"
#include "vinculum/kernels/environment.h"

namespace vinculum {

namespace {

// ---- the carrier -----------------------------------------------------------------------------------------------------

// The frame a contact is seen from, and the part of its motion that is given: all of it, unless it stands on a body. A guided
// frame is its own carrier, which follows the path.
struct Carrier {
  FrameMotion motion;
  Twist given;
};

// The trihedron of a path on the surface of the carrier, with its motion:
//
//   o = (x, y, f) , e1 = n , e3 = o'/|o'| , e2 = e3 × e1 ;  w = ½ Σ e_i × e_i' , w' = ½ Σ e_i × e_i''          theory 1, 5
std::optional<FrameMotion> guided_frame(const SurfaceLaw& surface, const PathLaw& path, double t) {
  BindingsOf<Dual2> bindings;
  bindings.time = {{t, 1}, {1, 0}};
  const Dual2 x = evaluate_at(path.x, bindings), y = evaluate_at(path.y, bindings);
  const SurfacePoint<Dual2> at = surface_point(surface, x, y);
  const Vector3Of<Dual2> o_rate = evaluate_at(path.x_rate, bindings) * at.t_x + evaluate_at(path.y_rate, bindings) * at.t_y;
  if (value_of(dot(o_rate, o_rate)) < kParallel * kParallel) return std::nullopt;
  const Matrix3Of<Dual2> G = trihedron(at.n, unit_of(o_rate));

  const auto value = [](const Vector3Of<Dual2>& a) { return Vector3{a.x.value.value, a.y.value.value, a.z.value.value}; };
  const auto rate = [](const Vector3Of<Dual2>& a) {
    return Vector3{a.x.value.derivatives, a.y.value.derivatives, a.z.value.derivatives};
  };
  const auto second = [](const Vector3Of<Dual2>& a) {
    return Vector3{a.x.derivatives.derivatives, a.y.derivatives.derivatives, a.z.derivatives.derivatives};
  };
  FrameMotion motion;
  motion.R = {value(G.x), value(G.y), value(G.z)};
  motion.p = value(at.p);
  motion.velocity = {rate(at.p), turning_rate(motion.R, Matrix3{rate(G.x), rate(G.y), rate(G.z)})};
  motion.acceleration = {second(at.p), turning_rate(motion.R, Matrix3{second(G.x), second(G.y), second(G.z)})};
  return motion;
}

// `environment`: of all its bodies; or null, to be computed here.
std::optional<Failure> find_carrier(const Model& model, const Contact& contact, double t, std::span<const FrameMotion> links,
                                    const EnvironmentMotion* environment, Carrier& carrier) {
  switch (contact.with.on) {
    case Anchor::On::world: break;
    case Anchor::On::body: carrier.motion = body_motion(model.bodies()[contact.with.index], links); break;
    case Anchor::On::environment: {
      std::vector<double> scratch;
      const EnvironmentMotion motion = environment != nullptr
                                           ? environment[contact.with.index]
                                           : compute_environment_motion(model.environment()[contact.with.index], t, scratch);
      carrier.motion = {motion.R_WE, motion.p_WE, motion.velocity, motion.acceleration};
      carrier.given = motion.velocity;
      break;
    }
  }
  if (!contact.path) return std::nullopt;
  const auto guided = guided_frame(contact.surface, *contact.path, t);
  if (!guided) {
    return Failure{"VN-CONTACT-005",
                   fmt::format("{}: its path stands still at t = {:g} s, so the direction of travel is not determined",
                               element(model, contact), t),
                   "the natural trihedron needs a path that moves; hold a frame in place by `point` and `rotation`"};
  }
  const FrameMotion moved = compose(carrier.motion, *guided);
  const Vector3 r = moved.p - carrier.motion.p;
  carrier.given = {carrier.given.linear + cross(carrier.given.angular, r) + carrier.motion.R * guided->velocity.linear,
                   carrier.given.angular + carrier.motion.R * guided->velocity.angular};
  carrier.motion = moved;
  return std::nullopt;
}

// ---- gaps ------------------------------------------------------------------------------------------------------------

// Forbidden by the vector form: a single axis has no gap, for its row cannot be integrated. Two axes hold the third axis b_k of
// the body's side along e_k, three hold the whole: the rotation that is missing, from s = e_k × b_k or ½ Σ e_i × b_i.
VINCULUM_INLINE void set_vector_gaps(const Contact& contact, const Matrix3& Q, ContactState& state) {
  const bool held[3] = {contact.forbids(ContactAxis::yaw), contact.forbids(ContactAxis::pitch),
                        contact.forbids(ContactAxis::roll)};
  const int count = held[0] + held[1] + held[2];
  Vector3 s;
  double cosine = 1;
  if (count == 2) {
    const int k = !held[0] ? 0 : !held[1] ? 1 : 2;
    s = cross(kIdentity3.column(k), Q.column(k));
    cosine = Q(k, k);
  } else if (count == 3) {
    s = turning_rate(kIdentity3, Q);
    cosine = 0.5 * (Q(0, 0) + Q(1, 1) + Q(2, 2) - 1);
  }
  // Turned by half a turn, s says nothing of the axis: any will do.
  const double sine = norm(s);
  if (sine > 0) s = (std::atan2(sine, cosine) / sine) * s;
  if (sine == 0 && cosine < 0) s = M_PI * Vector3{1.0 * held[0], 1.0 * held[1], 1.0 * held[2]};
  for (int a = 0; a < 3; ++a) {
    if (held[a]) state.gap[3 + a] = count == 1 ? std::nullopt : std::optional(s[a]);
  }
}

// The gaps beside the one along the normal.
VINCULUM_INLINE void add_gaps(const PointGeometry&, const Contact&, const BodyInCarrier<double>&, const ContactFrame<double>&,
                              ContactState&) {}
VINCULUM_INLINE void add_gaps(const SphereGeometry&, const Contact&, const BodyInCarrier<double>&, const ContactFrame<double>&,
                              ContactState&) {}
VINCULUM_INLINE void add_gaps(const WheelGeometry& wheel, const Contact&, const BodyInCarrier<double>& body,
                              const ContactFrame<double>& at, ContactState& state) {
  state.gap[5] = std::asin(std::clamp(dot(body.R * wheel.axis, at.E.x), -1.0, 1.0));
}
VINCULUM_INLINE void add_gaps(const FrameGeometry& frame, const Contact& contact, const BodyInCarrier<double>& body,
                              const ContactFrame<double>& at, ContactState& state) {
  const Vector3 offset = transpose_times(at.E, at.P - frame.environment_point);
  for (int a = 0; a < 3; ++a) state.gap[a] = offset[a];
  const Matrix3 Q = transpose(at.E) * (body.R * frame.body_rotation);
  state.angles = {std::atan2(-Q(1, 2), Q(2, 2)), std::atan2(Q(0, 2), std::hypot(Q(0, 0), Q(0, 1))),
                  std::atan2(-Q(0, 1), Q(0, 0))};
  for (int a = 0; a < 3; ++a) state.gap[3 + a] = state.angles[a];
  if (contact.angular_as_vector) set_vector_gaps(contact, Q, state);
}

VINCULUM_INLINE void set_gaps(const Contact& contact, const BodyInCarrier<double>& body, const ContactFrame<double>& at,
                              ContactState& state) {
  state.gap[0] = at.gap;
  visit_in_place(
      [&](const auto& geometry) __attribute__((always_inline)) { add_gaps(geometry, contact, body, at, state); },
      contact.geometry);
}

// ---- constraints ------------------------------------------------------------------------------------------------------------

// Y = f·x' + m·w ,  -Y' at v' = 0: what is there of the acceleration, and the rates of f and m along the motion.
VINCULUM_INLINE void set_row(int a, const Matrix3& R_c, const Wrench& unit, const FrameMotion& seen, double turning,
                             ContactState& state) {
  state.rate[a] = dot(unit.force, seen.velocity.linear) + dot(unit.moment, seen.velocity.angular);
  state.gamma[a] = -(dot(unit.force, seen.acceleration.linear) + dot(unit.moment, seen.acceleration.angular) + turning);
  state.axes[a] = {R_c * unit.force, R_c * unit.moment};
}

// A frame stands still in its carrier, so its rows and their rates are written down: with b from the body's pole to its point,
//
//   f = e_a , m = b × e_a ,  f'·x' + m'·w = e_a · (w × (w × b))
//
// and of the angles, u = cos psi6 g1 - sin psi6 g2 , n = sin psi6 g1 + cos psi6 g2 , g the axes of the body's side,
//
//   m4 = u / cos psi5 ,  m5 = n ,  m6 = g3 - tan psi5 u
//   m4'·w = psi5' (tan psi5 psi4' - psi6' / cos psi5) ,  m5'·w = cos psi5 psi4' psi6' ,
//   m6'·w = psi5' (tan psi5 psi6' - psi4' / cos psi5)
VINCULUM_INLINE void set_frame_rows(const Contact& contact, const FrameGeometry& frame, const FrameMotion& seen,
                                    const Matrix3& R_c, bool with_angular, ContactState& state) {
  const Matrix3& E = frame.environment_rotation;
  const Vector3 b = seen.R * frame.body_point, w = seen.velocity.angular, inward = cross(w, cross(w, b));
  for (int a = 0; a < 3; ++a) set_row(a, R_c, {E.column(a), cross(b, E.column(a))}, seen, dot(E.column(a), inward), state);
  if (!with_angular || contact.angular_as_vector) {
    for (int a = 0; a < 3; ++a) set_row(3 + a, R_c, {{}, E.column(a)}, seen, 0, state);
    return;
  }
  const Matrix3 g = seen.R * frame.body_rotation;
  const double q11 = dot(E.x, g.x), q12 = dot(E.x, g.y), sin5 = dot(E.x, g.z), cos5 = std::sqrt(q11 * q11 + q12 * q12);
  const double cos6 = q11 / cos5, sin6 = -q12 / cos5, tan5 = sin5 / cos5;
  const Vector3 u = cos6 * g.x - sin6 * g.y, n = sin6 * g.x + cos6 * g.y, m4 = (1 / cos5) * u, m6 = g.z - tan5 * u;
  const double psi4 = dot(m4, w), psi5 = dot(n, w), psi6 = dot(m6, w);
  set_row(3, R_c, {{}, m4}, seen, psi5 * (tan5 * psi4 - psi6 / cos5), state);
  set_row(4, R_c, {{}, n}, seen, cos5 * psi4 * psi6, state);
  set_row(5, R_c, {{}, m6}, seen, psi5 * (tan5 * psi6 - psi4 / cos5), state);
}

// Of every other kind by differentiating along the motion of the body in the carrier.
VINCULUM_INLINE void set_moving_rows(const Contact& contact, const FrameMotion& seen, const ContactUnknowns<double>& found,
                                     const Matrix3& R_c, bool with_angular, ContactState& state) {
  const auto moving = [](const Vector3& a, const Vector3& rate) __attribute__((always_inline)) {
    return Vector3Of<Dual1>{{a.x, rate.x}, {a.y, rate.y}, {a.z, rate.z}};
  };
  const auto& [x_dot, w] = seen.velocity;
  BodyInCarrier<Dual1> body;
  body.x = moving(seen.p, x_dot);
  body.R = {moving(seen.R.x, cross(w, seen.R.x)), moving(seen.R.y, cross(w, seen.R.y)), moving(seen.R.z, cross(w, seen.R.z))};
  const AxisRows<Dual1> rows = axis_rows<Dual1>(contact, body, found, with_angular);
  for (int a = 0; a < 6; ++a) {
    const auto& [force, moment] = rows[a];
    const Vector3 force_rate{force.x.derivatives, force.y.derivatives, force.z.derivatives};
    const Vector3 moment_rate{moment.x.derivatives, moment.y.derivatives, moment.z.derivatives};
    set_row(a, R_c, {{force.x.value, force.y.value, force.z.value}, {moment.x.value, moment.y.value, moment.z.value}}, seen,
            dot(force_rate, x_dot) + dot(moment_rate, w), state);
  }
}

VINCULUM_INLINE std::optional<Failure> set_state(const Model& model, const Contact& contact, const Carrier& carrier,
                                                 const FrameMotion& body_W, ContactQuery query, ContactState& state) {
  const Matrix3& R_c = carrier.motion.R;
  const FrameMotion seen = relative_to(carrier.motion, body_W);
  const BodyInCarrier<double> body{seen.R, seen.p};
  FoundContact found;
  if (auto failure = find_contact(model, contact, body, query.touches, found)) return failure;
  const ContactFrame<double> at = contact_frame<double>(contact, body, found.unknowns);
  state.point_C = at.P;
  state.foot_C = {found.unknowns.z[0], found.unknowns.z[1], 0};
  if (found.beside) {
    state.beside = found.beside;
    state.beside_W = carrier.motion.p + R_c * found.beside_at;
  }

  state.R_WB = body_W.R;
  state.pole_W = body_W.p;
  state.point_W = carrier.motion.p + R_c * at.P;
  state.E_W = R_c * at.E;
  set_gaps(contact, body, at, state);
  const auto* frame = std::get_if<FrameGeometry>(&contact.geometry);
  if (query.with_angular && frame != nullptr && !contact.angular_as_vector && std::cos(state.angles.y) < 1e-6) {
    return Failure{"VN-CONTACT-002",
                   fmt::format("{}: pitch is {:.6g} deg, where the angles yaw and roll are not determined",
                               element(model, contact), state.angles.y * 57.29577951308232),
                   "use `angular: vector`, or turn the frames so that pitch stays far from 90 deg"};
  }
  if (frame != nullptr) {
    set_frame_rows(contact, *frame, seen, R_c, query.with_angular, state);
  } else {
    set_moving_rows(contact, seen, found.unknowns, R_c, query.with_angular, state);
  }

  // F: what the given motion of the carrier adds
  const Vector3 given = carrier.given.linear + cross(carrier.given.angular, body_W.p - carrier.motion.p);
  for (int a = 0; a < 6; ++a) state.given[a] = dot(state.axes[a].force, given) + dot(state.axes[a].moment, carrier.given.angular);
  return std::nullopt;
}

// A fused a b + c is an instruction where there is one, and a call elsewhere.
#ifdef __x86_64__
__attribute__((target("fma"))) std::optional<Failure> set_state_fused(const Model& model, const Contact& contact,
                                                                      const Carrier& carrier, const FrameMotion& body_W,
                                                                      ContactQuery query, ContactState& state) {
  return set_state(model, contact, carrier, body_W, query, state);
}

bool has_fused_instructions() { return __builtin_cpu_supports("fma"); }
#else
std::optional<Failure> set_state_fused(const Model& model, const Contact& contact, const Carrier& carrier,
                                       const FrameMotion& body_W, ContactQuery query, ContactState& state) {
  return set_state(model, contact, carrier, body_W, query, state);
}

bool has_fused_instructions() { return true; }
#endif

std::optional<Failure> compute_state(const Model& model, const Contact& contact, double t, std::span<const FrameMotion> links,
                                     const EnvironmentMotion* environment, ContactQuery query, ContactState& state) {
  Carrier carrier;
  if (auto failure = find_carrier(model, contact, t, links, environment, carrier)) return failure;
  state = {};
  const FrameMotion body_W = body_motion(model.bodies()[contact.body], links);
  return has_fused_instructions() ? set_state_fused(model, contact, carrier, body_W, query, state)
                                  : set_state(model, contact, carrier, body_W, query, state);
}

}  // namespace

std::optional<Failure> compute_contact_state(const Model& model, const Contact& contact, double t,
                                             std::span<const FrameMotion> links, std::span<const EnvironmentMotion> environment,
                                             ContactQuery query, ContactState& state) {
  return compute_state(model, contact, t, links, environment.data(), query, state);
}

Outcome<ContactState> compute_contact_state(const Model& model, const Contact& contact, double t,
                                            std::span<const FrameMotion> links, ContactQuery query) {
  ContactState state;
  if (auto failure = compute_state(model, contact, t, links, nullptr, query, state)) return *failure;
  return state;
}

namespace {

// Of the whole shape above the surface, negative where it reaches in.
double compute_least_gap(const Contact& contact, const FrameMotion& body) {
  constexpr double kNowhere = 1e30;  // [m] where the surface has no value there is nothing to touch
  const SweptShape shape = place_shape(contact, body.R, body.p);
  const SurfacePoint<double> below = surface_point(contact.surface, shape.center[0].x, shape.center[0].y);
  if (shape.kind == SweptShape::Kind::point) {
    const double gap = (shape.center[0].z - below.p.z) / below.root;
    return std::isfinite(gap) ? gap : kNowhere;
  }
  const NearPlaces places = find_near_places(contact.surface, shape, 0, false);
  const double gap = places.list.empty() ? places.beyond : places.list.front().gap;
  if (!std::isfinite(gap)) return kNowhere;
  // The centre of a sphere that is below the surface is inside.
  return shape.kind == SweptShape::Kind::sphere && shape.center[0].z < below.p.z ? -gap - 2 * shape.radius : gap;
}

}  // namespace

ContactState compute_distant_state(const Model& model, const Contact& contact, double t, std::span<const FrameMotion> links) {
  ContactState state;
  Carrier carrier;
  if (find_carrier(model, contact, t, links, nullptr, carrier)) return state;
  const FrameMotion body_W = body_motion(model.bodies()[contact.body], links);
  state.point_W = state.pole_W = body_W.p;
  const FrameMotion body = relative_to(carrier.motion, body_W);
  state.gap[0] = compute_least_gap(contact, body);
  return state;
}

Outcome<FrameMotion> compute_relative_motion(const Model& model, const Contact& contact, double t,
                                             std::span<const FrameMotion> links) {
  Carrier carrier;
  if (auto failure = find_carrier(model, contact, t, links, nullptr, carrier)) return *failure;
  return relative_to(carrier.motion, body_motion(model.bodies()[contact.body], links));
}

}  // namespace vinculum
