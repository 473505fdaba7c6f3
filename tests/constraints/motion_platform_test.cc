// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/motion_platform.h"

#include <Eigen/LU>

#include "tests/constraints/worked.h"

namespace vinculum::testing {
namespace {

// The state of a pose and the rates of the platform: the legs follow by their rows, D v = F.
State platform_state(const Model& model, const std::vector<double>& pose, const std::vector<double>& rates) {
  State state{0, MotionPlatform::place(pose), std::vector<double>(model.tree().velocities, 0.0)};
  const auto rows = compute_constraint_rows(ConstraintSet(model), state);
  EXPECT_TRUE(rows);
  const Eigen::Index m = rows->D.rows(), n = rows->D.cols();
  EXPECT_EQ(n, m + 6);
  Eigen::MatrixXd square = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd right(n);
  square.topRows(m) = rows->D;
  square.bottomLeftCorner(6, 6).setIdentity();
  right << rows->F, Eigen::Map<const Eigen::VectorXd>(rates.data(), 6);
  const Eigen::VectorXd v = square.partialPivLu().solve(right);
  state.v.assign(v.begin(), v.end());
  return state;
}

// Per leg: length, s', s'', the six multipliers of the bolt, and that of the key.
using LegValues = std::vector<std::vector<double>>;

void expect_platform(const std::vector<double>& pose, const std::vector<double>& rates, const std::vector<double>& forces,
                     const std::vector<double>& accelerations, const LegValues& legs) {
  const Model model = read_model_text(MotionPlatform::text(forces));
  const State start = platform_state(model, pose, rates);
  const Worked at(MotionPlatform::text(forces), 0, start.q, start.v);
  ASSERT_EQ(at.model().velocity_names().size(), 48u);
  EXPECT_EQ(at.rank(), 42);
  EXPECT_LE(at.dynamics().rows.rate.lpNorm<Eigen::Infinity>(), 1e-14);
  for (const auto& gap : at.dynamics().rows.gap) EXPECT_NEAR(*gap, 0, 1e-14);

  // Thirteen digits are printed of values up to 1300.
  const auto& v_dot = at.dynamics().solution.accelerations;
  const auto& lambda = at.dynamics().solution.multipliers;
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(v_dot[i], accelerations[i], 2e-12);
  for (int leg = 0; leg < 6; ++leg) {
    const int s = 6 + 7 * leg + 2;
    EXPECT_NEAR(0.8 + start.q[s], legs[leg][0], 1e-11);
    EXPECT_NEAR(start.v[s], legs[leg][1], 1e-12);
    EXPECT_NEAR(v_dot[s], legs[leg][2], 2e-12);
    for (int axis = 0; axis < 6; ++axis) EXPECT_NEAR(lambda[6 * leg + axis], legs[leg][3 + axis], 1e-8);
    EXPECT_NEAR(lambda[36 + leg], legs[leg][9], 1e-10);
  }
}

TEST(MotionPlatform, AtRest) {
  expect_platform({0, 0, 1.5, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {1000, 1000, 1000, 1000, 1000, 1000},
                  {-4.739604857316e-06, 0, -1.989725049567, 0, 4.029416095752e-05, 0},
                  {{1.63271692652, 0, -1.754890261676, 1110.687635101, -427.1134383306, 185.1759589229, 0, -11.11055753537,
                    -25.62680629984, -0.001701445870979},
                   {1.63271692652, 0, -1.754877734138, 1110.688524567, 373.9284678647, -277.2940248063, 0, 16.63764148838,
                    22.43570807188, -0.00211650510819},
                   {1.63271692652, 0, -1.75483854713, 1110.688290835, 53.18479092837, -462.4783892101, 0, 27.7487033526,
                    3.191087455702, -0.0004311268371378},
                   {1.63271692652, 0, -1.75483854713, 1110.688290835, 53.18479092837, 462.4783892101, 0, -27.7487033526,
                    3.191087455702, 0.0004311268371388},
                   {1.63271692652, 0, -1.754877734138, 1110.688524567, 373.9284678647, 277.2940248063, 0, -16.63764148838,
                    22.43570807188, 0.00211650510819},
                   {1.63271692652, 0, -1.754890261676, 1110.687635101, -427.1134383306, -185.1759589229, 0, 11.11055753537,
                    -25.62680629984, 0.001701445870978}});
}

TEST(MotionPlatform, InMotion) {
  expect_platform({0.15, -0.1, 1.62, 0.12, -0.08, 0.2}, {0.3, -0.2, 0.25, 0.15, 0.2, -0.3}, {900, 1100, 1000, 1200, 950, 1050},
                  {0.9314392260351, -0.4058069143442, -1.663020659534, 0.5754026986901, -0.1701464174229, 1.415461959777},
                  {{1.852496394071, -0.02875315535846, -0.8294295851456, 1047.515737906, -331.2647269945, 151.6781708105, 0,
                    -9.100690248628, -19.87588361967, -0.01855456452892},
                   {1.851857454418, 0.6081860489092, -1.094604536832, 1219.782863563, 342.5691794441, -321.8846609489, 0,
                    19.31307965693, 20.55415076664, -0.02306715573647},
                   {1.832377638415, 0.3942255455456, -0.3643578492037, 1041.290866683, 116.8791529584, -565.9833889249, 0,
                    33.95900333549, 7.012749177504, -0.01991718589876},
                   {1.563993644197, 0.3767288180056, -1.9770047597, 1338.09297997, 249.5913122954, 374.7411528808, 0,
                    -22.48446917285, 14.97547873773, -0.02190776073441},
                   {1.810144411157, -0.01777517822563, -0.362207789972, 1005.144199576, 497.5343157569, 216.7965713055, 0,
                    -13.00779427833, 29.85205894541, -0.02285509998442},
                   {1.650073355512, 0.008175230840906, -1.953406302479, 1226.702211875, -271.0392908757, -161.6286031835, 0,
                    9.69771619101, -16.26235745254, -0.01969078920579}});
}

}  // namespace
}  // namespace vinculum::testing
