// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/drawing.h"

#include <bit>
#include <cstdint>

#include "tests/support/expect.h"
#include "vinculum/formats/stl.h"
#include "vinculum/page/mesh.h"

namespace vinculum {
namespace {

// A box 3 x 2 x 1 m of 12 kg has the moments m (b² + c²) / 12 = 5, 10, 13; turned in the body it is still found.
TEST(InertiaBox, IsTheBoxItself) {
  const Matrix3 R = rotation_about({2 / 3., -1 / 3., 2 / 3.}, 0.7);
  const InertiaBox found = equal_inertia_box(12, sandwich(R, Symmetric3{5, 10, 13}));

  EXPECT_NEAR_VECTOR(found.box.size, (Vector3{3, 2, 1}), 1e-14);
  const Vector3 axes[] = {found.rotation.x, found.rotation.y, found.rotation.z};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(std::abs(dot(axes[i], R.column(i))), 1, 1e-14);
  EXPECT_NEAR(determinant(found.rotation), 1, 1e-14);
}

// A thin rod of length l has m l² / 12 across and nothing along; a point mass has nothing at all.
TEST(InertiaBox, OfThinBodies) {
  const Vector3 rod = equal_inertia_box(3, {1, 1, 0}).box.size;
  EXPECT_NEAR_VECTOR(rod, (Vector3{2, 0, 0}), 1e-15);
  EXPECT_NEAR_VECTOR(equal_inertia_box(3, {}).box.size, Vector3{}, 0);
}

// A cylinder of 2 kg, radius 0.5 and length 3 m: C = m r²/2 = 0.25, A = m (3 r² + l²)/12 = 1.625; then a flat disc, C = 2 A.
TEST(InertiaCylinder, IsTheCylinderItself) {
  const Matrix3 R = rotation_about({2 / 3., -1 / 3., 2 / 3.}, 0.7);
  const auto found = equal_inertia_cylinder(2, sandwich(R, Symmetric3{1.625, 0.25, 1.625}));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->cylinder.radius, 0.5, 1e-14);
  EXPECT_NEAR(found->cylinder.length, 3, 1e-14);
  EXPECT_NEAR(std::abs(dot(found->rotation.z, R.column(1))), 1, 1e-14);

  const auto disc = equal_inertia_cylinder(2, Symmetric3{0.125, 0.125, 0.25});
  ASSERT_TRUE(disc);
  EXPECT_NEAR(disc->cylinder.radius, 0.5, 1e-15);
  EXPECT_NEAR(disc->cylinder.length, 0, 1e-7);  // the root of a difference
  EXPECT_FALSE(equal_inertia_cylinder(2, Symmetric3{1, 1, 1}));
  EXPECT_FALSE(equal_inertia_cylinder(2, Symmetric3{1, 2, 2.5}));
}

struct Scene {
  Model model;
  Report report;
};

BodyDescription body(const char* name, const char* parent, JointType type, const Vector3& origin) {
  BodyDescription description;
  description.name = name;
  description.parent = std::string(parent);
  description.joint.type = type;
  description.joint.axis = Vector3{1, 0, 0};
  description.joint.origin = origin;
  description.mass = 1.0;
  return description;
}

// Bodies at rest at the given places, as if the first one had then been moved to `end`.
Scene scene(std::vector<BodyDescription> bodies, const Vector3& end = {}) {
  ModelDescription description;
  description.bodies = std::move(bodies);
  Diagnostics diagnostics;
  Scene result{*build_model(description, diagnostics), {}};
  result.report.times = {0, 1};
  result.report.body_poses.assign(result.model.bodies().size(), {{{}, {1, 0, 0, 0}}, {end, {1, 0, 0, 0}}});
  return result;
}

template <class Form>
std::vector<DrawnSolid> find(const std::vector<DrawnSolid>& solids, DrawnRole role) {
  std::vector<DrawnSolid> found;
  for (const DrawnSolid& solid : solids) {
    if (solid.role == role && std::holds_alternative<Form>(solid.form)) found.push_back(solid);
  }
  return found;
}

TEST(Drawing, PointMassesOnRods) {
  BodyDescription upper = body("upper", "world", JointType::revolute, {});
  upper.com = Vector3{0, 0, -2};
  const auto [model, report] = scene({upper, body("lower", "upper", JointType::spherical, {0, 3, 0})});
  const Drawing drawing = draw_model(model, report);

  const auto balls = find<Sphere>(drawing.bodies[0], DrawnRole::shape);
  ASSERT_EQ(balls.size(), 1u);
  EXPECT_EQ(balls[0].position, (Vector3{0, 0, -2}));

  // From the pole to the mass centre, and to the pole of the child.
  const auto rods = find<Cylinder>(drawing.bodies[0], DrawnRole::rod);
  ASSERT_EQ(rods.size(), 2u);
  EXPECT_EQ(std::get<Cylinder>(rods[0].form).length, 2);
  EXPECT_EQ(rods[0].position, (Vector3{0, 0, -1}));
  EXPECT_EQ(std::get<Cylinder>(rods[1].form).length, 3);
  EXPECT_NEAR_VECTOR(rods[1].rotation.z, (Vector3{0, 1, 0}), 0);

  const auto pins = find<Cylinder>(drawing.bodies[0], DrawnRole::joint);
  ASSERT_EQ(pins.size(), 1u);
  EXPECT_EQ(pins[0].rotation.z, (Vector3{1, 0, 0}));
  EXPECT_EQ(find<Sphere>(drawing.bodies[1], DrawnRole::joint).size(), 1u);
}

// A loop is seen to close: both bodies have a rod to the pin between them.
TEST(Drawing, RodsReachTheContacts) {
  ModelDescription description;
  description.bodies = {body("crank", "world", JointType::revolute, {}), body("rocker", "world", JointType::revolute, {0, 4, 0})};
  ContactDescription pin;
  pin.name = "pin";
  pin.body = std::string("crank");
  pin.with = std::string("rocker");
  pin.geometry = FrameGeometry{{0, 0, 3}, kIdentity3, {0, -2, 0}, kIdentity3, std::nullopt};
  pin.forbid = {ContactAxis::normal, ContactAxis::lateral, ContactAxis::forward};
  description.contacts = {pin};
  Diagnostics diagnostics;
  const auto model = build_model(description, diagnostics);
  ASSERT_TRUE(model) << to_text(diagnostics.list().front());
  Report report;
  report.times = {0};
  report.body_poses.assign(2, {{{}, {1, 0, 0, 0}}});
  const Drawing drawing = draw_model(*model, report);

  const auto crank = find<Cylinder>(drawing.bodies[0], DrawnRole::rod),
             rocker = find<Cylinder>(drawing.bodies[1], DrawnRole::rod);
  ASSERT_EQ(crank.size(), 1u);
  EXPECT_EQ(crank[0].position, (Vector3{0, 0, 1.5}));
  EXPECT_EQ(std::get<Cylinder>(crank[0].form).length, 3);
  ASSERT_EQ(rocker.size(), 1u);
  EXPECT_EQ(rocker[0].position, (Vector3{0, -1, 0}));
}

TEST(Drawing, ARailIsAsLongAsTheWay) {
  const Vector3 y{0, 1, 0};
  BodyDescription slider = body("slider", "world", JointType::prismatic, {0, 0, 1});
  slider.joint.rotation = rotation_about({0, 0, 1}, 0);
  slider.joint.axis = y;
  slider.com = Vector3{2, 0, 0};  // the typical length: 2 m
  auto [model, report] = scene({slider}, {0, 5, 1});
  report.body_poses[0][0].position = {0, -1, 1};
  const Drawing drawing = draw_model(model, report);

  ASSERT_EQ(drawing.world.size(), 1u);
  EXPECT_EQ(std::get<Cylinder>(drawing.world[0].form).length, 6 + 0.5 * 2);
  EXPECT_EQ(drawing.world[0].position, (Vector3{0, 2, 1}));
  EXPECT_EQ(drawing.world[0].rotation.z, y);
}

TEST(Drawing, OwnShapesStandAlone) {
  BodyDescription wheel = body("wheel", "world", JointType::free, {});
  wheel.com = Vector3{0, 0, 1};
  wheel.inertia = Symmetric3{1, 1, 1};
  wheel.shapes = {{Cylinder{0.3, 0.1}, {0, 0, 1}, kIdentity3, "#123456"}};
  const auto [model, report] = scene({wheel});
  const Drawing drawing = draw_model(model, report);
  ASSERT_EQ(drawing.bodies[0].size(), 1u);
  EXPECT_EQ(std::get<Cylinder>(drawing.bodies[0][0].form).radius, 0.3);
  EXPECT_EQ(drawing.bodies[0][0].color, "#123456");
}

// Corners counted from 1, or backwards from the last one read so far; a face of four corners is two triangles.
TEST(Drawing, CornersOfAnObjFileCountFromBothEnds) {
  const auto forwards = parse_obj("v 0 0 0\nv 1 0 0\nv 1 2 0\nf 1 2 3\nv 5 5 5\n", 10);
  const auto backwards = parse_obj("v 0 0 0\nv 1 0 0\nv 1 2 0\nf -3 -2 -1\nv 5 5 5\n", 10);
  ASSERT_TRUE(forwards && backwards) << backwards.failure().message;
  EXPECT_EQ(*backwards, (std::vector<float>{0, 0, 0, 1, 0, 0, 1, 2, 0}));
  EXPECT_EQ(*forwards, *backwards);
  const auto fan = parse_obj("v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nf -4 -3 -2 -1\n", 10);
  ASSERT_TRUE(fan);
  EXPECT_EQ(*fan, (std::vector<float>{0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 2, 0}));
  EXPECT_FALSE(parse_obj("v 0 0 0\nv 1 0 0\nv 1 2 0\nf -4 -2 -1\n", 10));
}

// A cube of side a has the moments m a² / 6.
TEST(Drawing, AMissingMeshIsToldAndTheInertiaDrawn) {
  BodyDescription cube = body("cube", "world", JointType::free, {});
  cube.inertia = Symmetric3{1.5, 1.5, 1.5};
  cube.shapes = {{Mesh{"no/such/file.stl", 1}, {}, kIdentity3, ""}};
  const auto [model, report] = scene({cube});
  const Drawing drawing = draw_model(model, report);
  ASSERT_EQ(drawing.warnings.size(), 1u);
  EXPECT_NE(drawing.warnings[0].find("body 'cube': the mesh 'no/such/file.stl'"), std::string::npos);
  const auto boxes = find<Box>(drawing.bodies[0], DrawnRole::inertia);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_NEAR_VECTOR(std::get<Box>(boxes[0].form).size, (Vector3{3, 3, 3}), 1e-14);
}

// z = x y below two bodies at (0, 0) and (4, 0); the environment stands at (1, 0).
TEST(Drawing, ASurfaceReachesBelowTheWholeMotion) {
  ModelDescription description;
  description.bodies = {body("runner", "world", JointType::free, {})};
  Expression::Builder product;
  EnvironmentDescription ground;
  ground.name = "ground";
  ground.surface = product.build(product.binary(Operation::multiply, product.variable({VariableKind::surface_x, 0}, "x"),
                                                product.variable({VariableKind::surface_y, 0}, "y")));
  description.environment = {ground};
  Diagnostics diagnostics;
  const Model model = *build_model(description, diagnostics);
  Report report;
  report.times = {0, 1};
  report.body_poses = {{{{0, 0, 0}, {1, 0, 0, 0}}, {{4, 0, 0}, {1, 0, 0, 0}}}};
  report.environment_poses = {{{{1, 0, 0}, {1, 0, 0, 0}}, {{1, 0, 0}, {1, 0, 0, 0}}}};

  const Drawing drawing = draw_model(model, report);
  ASSERT_TRUE(drawing.environment[0]);
  const DrawnSurface& surface = *drawing.environment[0];
  EXPECT_LT(surface.x[0], -1);
  EXPECT_GT(surface.x[1], 3);
  EXPECT_LT(surface.y[0], 0);
  ASSERT_EQ(surface.heights.size(), static_cast<std::size_t>(surface.columns * surface.rows));
  EXPECT_FLOAT_EQ(surface.heights.front(), static_cast<float>(surface.x[0] * surface.y[0]));
  EXPECT_FLOAT_EQ(surface.heights.back(), static_cast<float>(surface.x[1] * surface.y[1]));
}

constexpr const char* kAsciiTriangle = R"(solid one
  facet normal 0 0 1
    outer loop
      vertex 0 0 0
      vertex 1.5 0 0
      vertex 0 -2e-1 0
    endloop
  endfacet
endsolid one
)";

TEST(Stl, ReadsAscii) {
  const auto triangles = parse_stl(kAsciiTriangle, 10);
  ASSERT_TRUE(triangles);
  EXPECT_EQ(*triangles, (std::vector<float>{0, 0, 0, 1.5f, 0, 0, 0, -0.2f, 0}));
}

// The header may say "solid" all the same.
TEST(Stl, ReadsBinary) {
  std::string content = "solid binary";
  content.resize(80);
  const auto append = [&](std::uint32_t word) {
    for (int i = 0; i < 4; ++i) content += static_cast<char>(word >> (8 * i) & 255);
  };
  append(1);
  for (const float number : {0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9}) append(std::bit_cast<std::uint32_t>(number));
  content += std::string(2, '\0');
  const auto triangles = parse_stl(content, 1);
  ASSERT_TRUE(triangles);
  EXPECT_EQ(*triangles, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_FALSE(parse_stl(content, 0));
}

TEST(Stl, RefusesWhatIsNone) {
  for (const char* content : {"", "solid", "<dae/>", "solid x vertex 0 0", "solid x vertex a b c", "solid x vertex 0 0 0"}) {
    const auto triangles = parse_stl(content, 10);
    ASSERT_FALSE(triangles) << content;
    EXPECT_EQ(triangles.failure().code, "VN-FILE-063");
  }
  EXPECT_NE(parse_stl(kAsciiTriangle, 0).failure().message.find("1 triangles"), std::string::npos);
  EXPECT_FALSE(parse_stl("solid x vertex 0 0 0 vertex inf 0 0 vertex 0 0 0", 10));
}

}  // namespace
}  // namespace vinculum
