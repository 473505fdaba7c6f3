// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/drawing.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/dense.h"
#include "vinculum/math/visit.h"
#include "vinculum/page/mesh.h"

namespace vinculum {

namespace {

// Sizes of what has none of its own, in typical lengths of the mechanism.
constexpr double kRodRadius = 0.018;
constexpr double kRailRadius = 0.012;
constexpr double kPinRadius = 0.034;
constexpr double kPinLength = 0.12;
constexpr double kBallRadius = 0.042;
constexpr double kPointRadius = 0.085;

constexpr std::size_t kMostTriangles = 100'000;
constexpr std::size_t kMostSurveyed = 500;  // samples looked at to find the room of a motion
constexpr int kSurfaceCells = 40;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The part of the axis-aligned room that points take.
struct Room {
  Vector3 low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  void add(const Vector3& point) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], point[i]);
      high[i] = std::max(high[i], point[i]);
    }
  }
};

double largest_side(const Box& box) { return std::max({box.size.x, box.size.y, box.size.z}); }

std::optional<Vector3> unit_of(ElementaryMotion motion) {
  switch (motion) {
    case ElementaryMotion::rx: return Vector3{1, 0, 0};
    case ElementaryMotion::ry: return Vector3{0, 1, 0};
    case ElementaryMotion::rz: return Vector3{0, 0, 1};
    case ElementaryMotion::tx:
    case ElementaryMotion::ty:
    case ElementaryMotion::tz: break;
  }
  return std::nullopt;
}

class Draughtsman {
 public:
  Draughtsman(const Model& model, const Report& report)
      : model_(model), report_(report), words_(model.description()), length_(typical_length()), point_mass_(typical_mass()) {}

  Drawing draw() {
    drawing_.bodies.resize(words_.bodies.size());
    has_rods_.resize(words_.bodies.size());
    for (std::size_t i = 0; i < words_.bodies.size(); ++i) {
      draw_shapes(i);
      draw_joint(i);
      const int parent = model_.bodies()[i].parent;
      if (parent != kWorld && has_rods_[parent] && hangs_on_parent(words_.bodies[i])) {
        draw_rod(words_.bodies[i].joint.origin, drawing_.bodies[parent]);
      }
    }
    for (const ContactDescription& contact : words_.contacts) draw_contact_rods(contact);
    for (std::size_t i = 0; i < words_.environment.size(); ++i) draw_surface(i);
    draw_lines();
    return std::move(drawing_);
  }

 private:
  using Solids = std::vector<DrawnSolid>;

  // The median distance from a pole to what its body carries; where there is none, of the bodies' own size; then of the motion's.
  double typical_length() const {
    std::vector<double> lengths;
    const auto note = [&](double length) {
      if (length > 0) lengths.push_back(length);
    };
    for (const BodyDescription& body : words_.bodies) {
      note(norm(*body.com));
      if (hangs_on_parent(body) && *body.parent != "world") note(norm(body.joint.origin));
    }
    if (!lengths.empty()) return median(std::move(lengths));

    for (const BodyDescription& body : words_.bodies) {
      if (*body.mass > 0) note(largest_side(equal_inertia_box(*body.mass, *body.inertia).box));
    }
    if (!lengths.empty()) return median(std::move(lengths));

    Room room;
    for (const auto& poses : report_.body_poses) {
      for (const ReportPose& pose : poses) room.add(pose.position);
    }
    const double size = norm(room.high - room.low);
    return size > 0 ? size / 4 : 1;
  }

  double typical_mass() const {
    std::vector<double> masses;
    for (const BodyDescription& body : words_.bodies) {
      if (*body.mass > 0) masses.push_back(*body.mass);
    }
    return masses.empty() ? 1 : median(std::move(masses));
  }

  static bool hangs_on_parent(const BodyDescription& body) { return *body.joint.type != JointType::free; }

  void draw_shapes(std::size_t index) {
    const BodyDescription& body = words_.bodies[index];
    Solids& solids = drawing_.bodies[index];
    for (const ShapeDescription& shape : body.shapes) {
      DrawnSolid solid{Box{}, DrawnRole::shape, shape.origin, shape.rotation, shape.color};
      const auto draw = [&](auto form) {
        solid.form = std::move(form);
        solids.push_back(solid);
      };
      std::visit(Overloaded{[&](const Box& box) { draw(box); }, [&](const Cylinder& cylinder) { draw(cylinder); },
                            [&](const Sphere& sphere) { draw(sphere); }, [&](const Capsule& capsule) { draw(capsule); },
                            [&](const Mesh& mesh) {
                              const int number = mesh_number(mesh.file, body.name);
                              if (number >= 0) draw(DrawnMesh{number, mesh.scale});
                            }},
                 shape.form);
    }
    if (!solids.empty()) return;

    draw_inertia(body, solids);
    draw_rod(*body.com, solids);
    has_rods_[index] = true;
  }

  // The cylinder or the box of equal inertia; a ball where that is too small to be seen, as that of a point mass is.
  void draw_inertia(const BodyDescription& body, Solids& solids) const {
    if (*body.mass <= 0) return;
    InertiaBox inertia = equal_inertia_box(*body.mass, *body.inertia);
    if (largest_side(inertia.box) < kPinRadius * length_) {
      const double radius = kPointRadius * length_ * std::clamp(std::cbrt(*body.mass / point_mass_), 0.5, 2.0);
      solids.push_back({Sphere{radius}, DrawnRole::shape, *body.com});
      return;
    }
    if (auto round = equal_inertia_cylinder(*body.mass, *body.inertia)) {
      round->cylinder.radius = std::max(round->cylinder.radius, kRodRadius * length_);
      round->cylinder.length = std::max(round->cylinder.length, kRodRadius * length_);
      solids.push_back({round->cylinder, DrawnRole::inertia, *body.com, round->rotation});
      return;
    }
    for (int i = 0; i < 3; ++i) inertia.box.size[i] = std::max(inertia.box.size[i], kRodRadius * length_);
    solids.push_back({inertia.box, DrawnRole::inertia, *body.com, inertia.rotation});
  }

  void draw_rod(const Vector3& to, Solids& solids) const {
    const double length = norm(to);
    if (length < 2 * kRodRadius * length_) return;
    solids.push_back({Cylinder{kRodRadius * length_, length}, DrawnRole::rod, 0.5 * to, rotation_with_z_along(1 / length * to)});
  }

  // From the poles of the bodies to where the contact holds them.
  void draw_contact_rods(const ContactDescription& contact) {
    const auto reach = [&](const std::string& name, const Vector3& to) {
      const int body = model_.find_body(name).value_or(kWorld);
      if (body != kWorld && has_rods_[body]) draw_rod(to, drawing_.bodies[body]);
    };
    std::visit(Overloaded{[&](const PointGeometry& point) { reach(*contact.body, point.point); },
                          [&](const WheelGeometry& wheel) { reach(*contact.body, wheel.center); },
                          [&](const SphereGeometry& sphere) { reach(*contact.body, sphere.center); },
                          [&](const FrameGeometry& frame) {
                            reach(*contact.body, frame.body_point);
                            if (!frame.path) reach(*contact.with, frame.environment_point);
                          }},
               contact.geometry);
  }

  // A pin along an axis of rotation, a ball for several, a rail along a translation.
  void draw_joint(std::size_t index) {
    const JointDescription& joint = words_.bodies[index].joint;
    Solids& solids = drawing_.bodies[index];
    const auto pin = [&](const Vector3& unit_axis) {
      solids.push_back(
          {Cylinder{kPinRadius * length_, kPinLength * length_}, DrawnRole::joint, {}, rotation_with_z_along(unit_axis)});
    };
    const auto ball = [&] { solids.push_back({Sphere{kBallRadius * length_}, DrawnRole::joint}); };

    const Vector3 axis = 1 / norm(*joint.axis) * *joint.axis;
    const std::vector<ElementaryMotion> motions = elementary_motions(joint);
    switch (*joint.type) {
      case JointType::revolute: pin(axis); break;
      case JointType::prismatic: draw_rail(index, axis); break;
      case JointType::screw:
        pin(axis);
        draw_rail(index, axis);
        break;
      case JointType::cylindrical:
        pin({0, 0, 1});
        draw_rail(index, {0, 0, 1});
        break;
      case JointType::universal:
      case JointType::spherical: ball(); break;
      case JointType::axes:
        if (!std::all_of(motions.begin(), motions.end(), [](ElementaryMotion m) { return unit_of(m).has_value(); })) break;
        if (motions.size() == 1) pin(*unit_of(motions[0]));
        if (motions.size() > 1) ball();
        break;
      case JointType::fixed:
      case JointType::planar:
      case JointType::free: break;
    }
  }

  // As long as the way the body goes on it, and a little more.
  void draw_rail(std::size_t index, const Vector3& unit_axis) {
    const JointDescription& joint = words_.bodies[index].joint;
    const int parent = model_.bodies()[index].parent;
    const Vector3 axis_P = joint.rotation * unit_axis;
    double low = 0, high = 0;
    for (std::size_t k = 0; k < report_.times.size(); ++k) {
      Vector3 p_P = report_.body_poses[index][k].position;
      if (parent != kWorld) {
        const ReportPose& base = report_.body_poses[parent][k];
        p_P = transpose_times(to_rotation(base.orientation), p_P - base.position);
      }
      const double way = dot(p_P - joint.origin, axis_P);
      low = std::min(low, way);
      high = std::max(high, way);
    }
    const double length = high - low + 0.5 * length_;
    Solids& solids = parent == kWorld ? drawing_.world : drawing_.bodies[parent];
    solids.push_back({Cylinder{kRailRadius * length_, length}, DrawnRole::joint, joint.origin + 0.5 * (low + high) * axis_P,
                      rotation_with_z_along(axis_P)});
  }

  // The surface below all mass centres of the run, in the frame of its body.
  void draw_surface(std::size_t index) {
    drawing_.environment.emplace_back();
    const auto& height = words_.environment[index].surface;
    if (!height) return;

    Room room;
    const std::size_t stride = report_.times.size() / kMostSurveyed + 1;
    for (std::size_t k = 0; k < report_.times.size(); k += stride) {
      const ReportPose& own = report_.environment_poses[index][k];
      const Matrix3 R_WE = to_rotation(own.orientation);
      for (std::size_t i = 0; i < words_.bodies.size(); ++i) {
        const ReportPose& pose = report_.body_poses[i][k];
        const Vector3 center = pose.position + to_rotation(pose.orientation) * *words_.bodies[i].com;
        room.add(transpose_times(R_WE, center - own.position));
      }
      for (const ReportElement& element : report_.elements)
        room.add(transpose_times(R_WE, element.frames[k].position - own.position));
    }
    const double extent = std::max({room.high.x - room.low.x, room.high.y - room.low.y, 2 * length_});
    DrawnSurface surface{{}, {}, kSurfaceCells + 1, kSurfaceCells + 1, {}};
    const auto widened = [&](double low, double high) {
      const double half = 0.5 * (high - low) + 0.2 * extent + 0.3 * length_;
      return std::array{0.5 * (low + high) - half, 0.5 * (low + high) + half};
    };
    surface.x = widened(room.low.x, room.high.x);
    surface.y = widened(room.low.y, room.high.y);

    std::vector<double> scratch;
    Bindings at;
    for (int row = 0; row < surface.rows; ++row) {
      for (int column = 0; column < surface.columns; ++column) {
        at.surface_x = surface.x[0] + (surface.x[1] - surface.x[0]) * column / kSurfaceCells;
        at.surface_y = surface.y[0] + (surface.y[1] - surface.y[0]) * row / kSurfaceCells;
        const float z = static_cast<float>(evaluate(*height, at, scratch));
        surface.heights.push_back(std::isfinite(z) ? z : std::numeric_limits<float>::quiet_NaN());
      }
    }
    drawing_.environment.back() = std::move(surface);
  }

  void draw_lines() {
    for (const ForceOf& force : list_forces(model_)) {
      if (const auto line = force.source->drawing(model_, force.k).line)
        drawing_.lines.push_back({name_of_force(model_, force), true, (*line)[0], (*line)[1]});
    }
    for (const StringElement& string : model_.strings())
      drawing_.lines.push_back({string.name, false, string.from, string.to, string.length});
  }

  // Every file is read and kept once, whatever the number of bodies that have it; -1 if it cannot be drawn.
  int mesh_number(const std::string& file, const std::string& body) {
    const auto [entry, is_new] = mesh_numbers_.emplace(file, -1);
    if (!is_new && entry->second >= 0) return entry->second;
    const auto path = find_mesh(report_.mesh_directory, file);
    auto triangles = path ? read_mesh(*path, kMostTriangles - triangles_)
                          : Outcome<std::vector<float>>(Failure{"VN-FILE-063", "there is no such file", ""});
    if (!triangles) {
      drawing_.warnings.push_back(
          fmt::format("body '{}': the mesh '{}' is not drawn: {}", body, file, triangles.failure().message));
      return -1;
    }
    triangles_ += triangles->size() / 9;
    drawing_.meshes.push_back(std::move(*triangles));
    return entry->second = static_cast<int>(drawing_.meshes.size()) - 1;
  }

  const Model& model_;
  const Report& report_;
  const ModelDescription& words_;
  const double length_;
  const double point_mass_;
  std::vector<bool> has_rods_;  // bodies without a shape of their own
  std::map<std::string, int> mesh_numbers_;
  std::size_t triangles_ = 0;
  Drawing drawing_;
};

}  // namespace

Drawing draw_model(const Model& model, const Report& report) { return Draughtsman(model, report).draw(); }

namespace {

// The largest moment first.
SingularValues find_principal_moments(const Symmetric3& inertia) {
  Eigen::MatrixXd tensor(3, 3);
  tensor << inertia.xx, inertia.xy, inertia.xz, inertia.xy, inertia.yy, inertia.yz, inertia.xz, inertia.yz, inertia.zz;
  return find_singular_values(tensor);
}

}  // namespace

std::optional<InertiaCylinder> equal_inertia_cylinder(double mass, const Symmetric3& inertia) {
  const SingularValues principal = find_principal_moments(inertia);
  const Eigen::VectorXd& moment = principal.values;
  const auto same = [&](int i, int k) { return std::abs(moment[i] - moment[k]) <= 1e-6 * moment[0]; };
  if (same(0, 1) == same(1, 2)) return std::nullopt;
  const int own = same(0, 1) ? 2 : 0;  // the axis: long bodies have the least moment about it, flat ones the largest
  const double radius2 = 2 * moment[own] / mass;
  const double length2 = 12 * moment[1] / mass - 3 * radius2;
  const Vector3 axis{principal.U(0, own), principal.U(1, own), principal.U(2, own)};
  return InertiaCylinder{{std::sqrt(radius2), std::sqrt(std::max(0.0, length2))}, rotation_with_z_along(axis)};
}

InertiaBox equal_inertia_box(double mass, const Symmetric3& inertia) {
  const SingularValues principal = find_principal_moments(inertia);

  // A triangle inequality missed by round-off would make a side imaginary.
  const Eigen::VectorXd& moment = principal.values;
  const auto side = [&](int i) { return std::sqrt(std::max(0.0, 6 * (moment.sum() - 2 * moment[i]) / mass)); };
  const auto axis = [&](int i) { return Vector3{principal.U(0, i), principal.U(1, i), principal.U(2, i)}; };
  return {{{side(2), side(1), side(0)}}, {axis(2), axis(1), cross(axis(2), axis(1))}};
}

}  // namespace vinculum
