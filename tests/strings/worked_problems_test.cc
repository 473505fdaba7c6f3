// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The worked problems W0 to W9 and W11 of theory 4, section 13: each to its printed digits.
#include "tests/strings/worked_strings.h"
#include "vinculum/strings/permanent_rotation.h"
#include "vinculum/strings/steady_search.h"
#include "vinculum/strings/steady_spatial.h"
#include "vinculum/strings/steady_stability.h"

namespace vinculum::testing {
namespace {

// What is printed of a steady motion; empty lists are not.
struct Printed {
  Sides sides;
  std::vector<double> theta, phid, a, tension, XC, yprime, freqs;
  double growth = 0;
  int negative_K = 0;
  SteadyVerdict verdict = SteadyVerdict::stable;
};

void expect_printed(const StringTree& tree, double rate, const std::vector<double>& angles, const Printed& printed) {
  std::string families;
  for (const int side : printed.sides) families += side > 0 ? "+" : "-";
  SCOPED_TRACE(families);
  const SteadyMotion motion = compute_coplanar_motion(tree, rate, angles, printed.sides);
  ASSERT_TRUE(motion.feasible()) << motion.detail;
  expect_values(motion.tilts, printed.theta);
  expect_values(motion.spins, printed.phid);
  if (!printed.a.empty()) expect_values(motion.momenta, printed.a);
  if (!printed.tension.empty()) expect_values(motion.tensions, printed.tension);
  const auto centres = compute_mass_centres(tree, motion.x);
  for (size_t i = 0; i < printed.XC.size(); ++i) {
    EXPECT_NEAR(centres[i].y, printed.XC[i], 5e-13);
    EXPECT_NEAR(centres[i].z + tree.gravity / (rate * rate), printed.yprime[i], 5e-12);
  }
  EXPECT_LT(measure_steadiness(tree, motion), 1e-13);
  const SteadyStability stability = analyse_stability(tree, motion);
  EXPECT_EQ(stability.verdict, printed.verdict);
  EXPECT_NEAR(stability.growth, printed.growth, 1e-10);
  EXPECT_EQ(stability.negative, printed.negative_K);
  EXPECT_EQ(stability.frequencies.size(), 4 * angles.size() - 1);
  if (!printed.freqs.empty()) expect_values(stability.frequencies, printed.freqs, 1e-10);
}

constexpr SteadyVerdict kStable = SteadyVerdict::stable, kGyroscopic = SteadyVerdict::gyroscopically_stable,
                        kUnstable = SteadyVerdict::unstable;

TEST(WorkedStrings, W0ConstantsOfT4) {
  const StringTree tree = make_tree(kT4);
  EXPECT_DOUBLE_EQ(tree.mass, 5.3);
  expect_values(tree.share, {1, 0.4339622641509, 0.188679245283, 0.1509433962264}, 1e-13);
  expect_values(tree.barycentre, {0.4867924528302, 0.1462264150943, 0.0377358490566, 0.03018867924528}, 1e-13);
  expect_values(tree.string_share, {0.8, 0.2603773584906, 0.09433962264151, 0.06037735849057}, 1e-13);
  expect_values(tree.augmented_inertia, {1.418, 0.33375, 0.06, 0.047}, 1e-15);
  const std::vector<std::vector<double>> N = {{1.418, 0.465, 0.12, 0.096, 2.064, 0.828, 0.3, 0.192},
                                              {0.465, 0.33375, 0, 0.08, 0.62, 0.465, 0, 0.16},
                                              {0.12, 0, 0.06, 0, 0.16, 0, 0.1, 0},
                                              {0.096, 0.08, 0, 0.047, 0.128, 0.096, 0, 0.064},
                                              {2.064, 0.62, 0.16, 0.128, 3.392, 1.104, 0.4, 0.256},
                                              {0.828, 0.465, 0, 0.096, 1.104, 0.828, 0, 0.192},
                                              {0.3, 0, 0.1, 0, 0.4, 0, 0.25, 0},
                                              {0.192, 0.16, 0, 0.064, 0.256, 0.192, 0, 0.128}};
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) EXPECT_NEAR(tree.N(a, b), N[a][b], 1e-15) << a << " " << b;
  }
  expect_values({tree.f.begin(), tree.f.end()}, {25.3098, 7.60275, 1.962, 1.5696, 41.5944, 13.5378, 4.905, 3.1392}, 1e-14);

  // The paper's symbols (14) with the graph matrices: N = [[diag(J1)+G, Λ], [Λᵀ, ν]].
  const GraphMatrices graph = compute_graph_matrices(tree);
  EXPECT_TRUE((graph.S * graph.T).isIdentity());
  const auto& T = graph.T;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const double M = tree.mass, li = kT4.l[i], lj = kT4.l[j], pi = kT4.p[i], pj = kT4.p[j];
      const double bi = tree.barycentre[i], bj = tree.barycentre[j], di = tree.string_share[i], dj = tree.string_share[j];
      const double g = i == j ? tree.augmented_inertia[i] : -M * (T(i, j) * li * bj + T(j, i) * lj * bi);
      const double nu = i == j ? M * pi * di : -M * (T(i, j) * pi * dj + T(j, i) * pj * di);
      const double la = i == j ? M * pi * bi : -M * (T(i, j) * li * dj + T(j, i) * pj * bi);
      EXPECT_NEAR(tree.N(i, j), g, 1e-14);
      EXPECT_NEAR(tree.N(4 + i, 4 + j), nu, 1e-14);
      EXPECT_NEAR(tree.N(i, 4 + j), la, 1e-14);
    }
  }
}

TEST(WorkedStrings, W1LeansOutward) {
  const StringTree tree = make_tree(kT1);
  expect_printed(tree, 2.5, {0.4},
                 {{1},
                  {1.153018943472},
                  {63.07451176659},
                  {1.861805602934},
                  {21.30152088488},
                  {0.6636162361314},
                  {0.5268200057418},
                  {2.277871629873, 5.178889363673, 26.41760048876},
                  0,
                  0,
                  kStable});
  expect_printed(tree, 2.5, {0.4},
                 {{-1},
                  {1.988573710118},
                  {93.88548823341},
                  {2.846994397066},
                  {21.30152088488},
                  {0.6636162361314},
                  {0.7702580062524},
                  {1.180443159426, 5.33071435334, 27.65500970315},
                  0,
                  0,
                  kStable});
}

TEST(WorkedStrings, W2LeansInward) {
  const StringTree tree = make_tree(kT1);
  expect_printed(tree, 5, {0.4},
                 {{1},
                  {-0.8406062177334},
                  {51.86935501182},
                  {1.456028957251},
                  {21.30152088488},
                  {0.1659040590329},
                  {-0.7287643802104},
                  {2.612158437906, 7.793058669613, 16.26178798094},
                  0,
                  2,
                  kGyroscopic});
  expect_printed(tree, 5, {0.4},
                 {{-1},
                  {-2.300986435856},
                  {26.61064498818},
                  {0.8983710427493},
                  {21.30152088488},
                  {0.1659040590329},
                  {-0.3285576077954},
                  {3.969856205959, 3.96985620596, 8.363503237493},
                  0.836599201023,
                  2,
                  kUnstable});
}

TEST(WorkedStrings, W3ImpossibleAngleAndIntervals) {
  const StringTree tree = make_tree(kT1);
  const double impossible = std::acos(9.81 / 25);
  for (const int side : {1, -1}) {
    EXPECT_EQ(compute_coplanar_motion(tree, 5, std::vector{impossible}, {side}).reason, SteadyReason::infinite_spin);
    // with few digits too: the spin is beyond the limit
    EXPECT_EQ(compute_coplanar_motion(tree, 5, std::vector{std::round(impossible * 1e6) / 1e6}, {side}).reason,
              SteadyReason::infinite_spin);
  }
  const auto expect_intervals = [&](double rate, const std::vector<double>& expected) {
    std::vector<double> ends;
    for (const auto& interval : find_angle_intervals(tree, rate, {0}, 0))
      ends.insert(ends.end(), interval.begin(), interval.end());
    expect_values(ends, expected, 1e-12);
  };
  expect_intervals(2.5, {-0.4269815896407, 0.4269815896407});
  expect_intervals(5, {-1.26761934316, -0.867312267326, -0.6160002202558, 0.6160002202558, 0.867312267326, 1.26761934316});
  expect_intervals(10, {-1.49531282388, -1.429578041395, -0.3414595923473, 0.3414595923473, 1.429578041395, 1.49531282388});
}

TEST(WorkedStrings, W4LockedSpins) {
  const std::vector<SpinLaw> locked{{false, 0}};
  const auto rates_of = [&](const TreeData& data) {
    std::vector<double> rates;
    for (const CriticalRate& critical : find_critical_rates(make_tree(data), locked, {1})) rates.push_back(critical.rate);
    return rates;
  };
  expect_values(rates_of(kT1), {-19.61884598148, -2.738773878034, 2.738773878034, 19.61884598148}, 1e-12);
  expect_values(rates_of(kT1D), {-2.755030407369, 2.755030407369}, 1e-12);

  const StringTree tree = make_tree(kT1);
  const BoundedForm form(tree, locked);
  const auto critical = find_critical_rates(tree, locked, {1});
  struct Branch {
    double psi, alpha, theta, a;
    int negative_K, negative_driven;
  };
  const Branch branches[] = {{2.769584037905, 0.2094611542956, 0.2147697344962, -0.08117862645562, 0, 0},
                             {19.94322331792, 0.08720359396935, -0.2870483739312, -0.5738166267544, 2, 2}};
  for (int k = 0; k < 2; ++k) {
    const auto start = find_branch_start(form, critical[2 + k], {1}, 0.3);
    ASSERT_TRUE(start);
    expect_values({start->rate, start->angles[0], start->tilts[0], start->momenta[0]},
                  {branches[k].psi, branches[k].alpha, branches[k].theta, branches[k].a}, 1e-11);
    const SteadyStability stability = analyse_stability(tree, *start);
    EXPECT_EQ(stability.growth, 0);
    EXPECT_EQ(stability.negative, branches[k].negative_K);
    EXPECT_EQ(count_driven_negatives(tree, *start), branches[k].negative_driven);
  }
  const auto start = find_branch_start(form, critical[3], {1}, 0.3);
  const SteadyBranch branch = follow_branch(form, *start, critical[3], 25);
  ASSERT_TRUE(branch.reached) << branch.end;
  const SteadyMotion& last = branch.points.back().motion;
  expect_values({last.rate, last.angles[0], last.tilts[0], last.momenta[0], last.tensions[0]},
                {25, 0.2568984010029, -0.9848610395799, -0.4147341757124, 20.28572286923}, 1e-12);
  EXPECT_EQ(analyse_stability(tree, last).negative, 2);

  const auto low = follow_branch(form, *find_branch_start(form, critical[2], {1}, 0.3), critical[2], 25);
  ASSERT_TRUE(low.reached) << low.end;
  expect_values({low.points.back().motion.angles[0], low.points.back().motion.tilts[0]}, {1.5587221973, 1.5590240231}, 1e-10);
}

TEST(WorkedStrings, W5FourFamiliesOfTwo) {
  const StringTree tree = make_tree(kT2);
  const std::vector<double> tension{36.29330149425, 16.5897229196}, XC{0.07029840113802, 0.1751437716569};
  expect_printed(
      tree, 5.4, {.33, .48},
      {{1, 1},
       {-0.6812786313454, 0.3244317613076},
       {147.3120720427, -4.515817978098},
       {4.293525730883, -0.5780466521991},
       tension,
       XC,
       {-0.6534445483984, -1.733306741869},
       {1.128667006644, 3.411456863859, 7.595896659934, 9.907849162496, 13.19960082842, 15.38196600708, 24.60538353931},
       0,
       2,
       kGyroscopic});
  expect_printed(
      tree, 5.4, {.33, .48},
      {{1, -1},
       {-0.6812786313454, 2.817160892282},
       {147.3120720427, 27.22415131143},
       {4.293525730883, 1.940546652199},
       tension,
       XC,
       {-0.6534445483984, -1.259390733361},
       {1.231055963572, 3.494155562301, 3.494155562301, 7.968746363841, 11.27789500159, 19.89315746083, 44.97066104272},
       0.3332065367602,
       2,
       kUnstable});
  expect_printed(tree, 5.4, {.33, .48},
                 {{-1, 1},
                  {-2.460314022244, 0.3244317613076},
                  {52.52126129065, -4.515817978098},
                  {1.701474269117, -0.5780466521991},
                  tension,
                  XC,
                  {-0.1873836950742, -0.6458314174463},
                  {1.150206794302, 2.43694737788, 7.80800491288, 10.20186078316, 11.20366631051, 13.63019203195, 18.90593701372},
                  0,
                  2,
                  kGyroscopic});
  expect_printed(tree, 5.4, {.33, .48},
                 {{-1, -1},
                  {-2.460314022244, 2.817160892282},
                  {52.52126129065, 27.22415131143},
                  {1.701474269117, 1.940546652199},
                  tension,
                  XC,
                  {-0.1873836950742, -0.1719154089383},
                  {1.360769411751, 1.980970909648, 3.34680557045, 8.509355893204, 10.96899333319, 13.67628273579, 35.79420314016},
                  0,
                  2,
                  kGyroscopic});
}

void expect_directions(const SteadyMotion& motion, const std::vector<std::vector<double>>& x) {
  ASSERT_EQ(motion.x.size(), x.size());
  for (size_t a = 0; a < x.size(); ++a) expect_values({motion.x[a].x, motion.x[a].y, motion.x[a].z}, x[a], 1e-12);
}

TEST(WorkedStrings, W6BentChain) {
  const StringTree tree = make_tree(kT2);
  const auto motions = find_bent_chains(tree, 7, {std::nullopt, 0.5}, {std::nullopt, 2}, {1, 1});
  ASSERT_TRUE(motions);
  ASSERT_EQ(motions->size(), 1u);
  const SteadyMotion& motion = motions->front();
  ASSERT_TRUE(motion.feasible()) << motion.detail;
  expect_directions(motion, {{0.2486291687582, -0.6203343294551, -0.7438876636577},
                             {-0.04771136187844, -0.02183546519248, -0.9986224704099},
                             {0, 0.6423561784251, -0.76640625},
                             {-0.4359404086073, -0.19951142125, -0.8775825618904}});
  expect_values(motion.momenta, {3.301727735522, -5.218206998696});
  expect_values(motion.spins, {115.2648048297, -79.97975935206});
  const SteadyStability stability = analyse_stability(tree, motion);
  EXPECT_NEAR(stability.growth, 0.6979633390263, 1e-11);
  EXPECT_EQ(stability.negative, 3);
  EXPECT_EQ(stability.verdict, kUnstable);
}

TEST(WorkedStrings, W7EightFamiliesOfThree) {
  const StringTree tree = make_tree(kT3);
  const double t1[] = {-0.4208751231093, -2.72071753048}, t2[] = {0.3635583648364, 2.778034288753},
               t3[] = {0.4017201228727, 2.739872530717};
  const double s1[] = {138.764692574, 141.5210217117}, s2[] = {-2.219899968538, 60.61275711139},
               s3[] = {-15.61450483531, 42.30838238633};
  const double growth[] = {
      0, 0, 0.5548160199775, 0.5744317076487, 1.125632574146, 1.096944307129, 1.153017625719, 1.173158509586};
  for (int k = 0; k < 8; ++k) {
    const int i = k / 4, j = k / 2 % 2, l = k % 2;
    Printed printed{
        {1 - 2 * i, 1 - 2 * j, 1 - 2 * l},      {t1[i], t2[j], t3[l]}, {s1[i], s2[j], s3[l]}, {}, {}, {}, {}, {}, growth[k], 2,
        growth[k] > 0 ? kUnstable : kGyroscopic};
    if (k == 0) {
      printed.tension = {44.41343042288, 25.07589446384, 13.66465274199};
      printed.XC = {-0.2103904492849, -0.1189817534032, 0.3961868511996};
      printed.yprime = {-0.660404644968, -1.754702064074, -2.531394700977};
      printed.freqs = {2.171036087977, 2.879183831946, 3.999332308723, 6.650171954648, 7.71325740062, 9.235276661583,
                       12.53556856484, 18.35505484658, 19.54889669698, 28.86437454504, 48.37750573269};
    }
    expect_printed(tree, 4.9, {-.11, .21, .77}, printed);
  }
}

TEST(WorkedStrings, W8BranchedTreeOfFour) {
  const StringTree tree = make_tree(kT4);
  const std::vector<double> tension{52.03462214765, 22.59123315881, 11.88607376537, 12.3173285828};
  const std::vector<double> XC{0.1474628871915, 0.1657620482929, -0.1995060074266, -0.3527587701745};
  expect_printed(tree, 5.8, {.04, -.05, -.6, -.88},
                 {{1, 1, 1, 1},
                  {0.3951046007193, -0.2720836617005, -1.121137362616, -0.796913867037},
                  {165.7018348513, -3.642267257774, 8.393046884016, -1.450839674647},
                  {4.810460647929, -0.5537341686932, 0.1761608407261, -0.1100911938342},
                  tension,
                  XC,
                  {-0.7846298552857, -1.901570160581, -1.561116239992, -2.537017323753},
                  {1.599596096548, 1.909296710512, 3.072556508425, 3.740445875067, 6.433129402953, 7.465732068173, 8.012529786836,
                   8.469372077134, 11.74779366119, 15.37784338897, 16.0722178073, 18.03452915328, 19.11318458454, 20.58047110928,
                   52.1793963763},
                  0,
                  4,
                  kGyroscopic});
  expect_printed(tree, 5.8, {.04, -.05, -.6, -.88},
                 {{1, 1, -1, -1},
                  {0.3951046007193, -0.2720836617005, -2.020455290974, -2.344678786553},
                  {165.7018348513, -3.642267257774, 14.15867725391, 28.51290864016},
                  {4.810460647929, -0.5537341686932, 0.5003908834118, 0.6513325731445},
                  tension,
                  XC,
                  {-0.7846298552857, -1.901570160581, -1.38725287035, -2.257450426025},
                  {1.613893939305, 2.155704567292, 3.005927258531, 3.909815561341, 3.909815561341, 4.664418171047, 7.798548798793,
                   8.182920624092, 8.730410161188, 11.98506117647, 16.74817319426, 18.77997337172, 19.93453091551, 30.18693809055,
                   57.92445464398},
                  0.03542225162148,
                  4,
                  kUnstable});
  expect_printed(tree, 5.8, {.04, -.05, -.6, -.88},
                 {{-1, 1, 1, 1},
                  {2.74648805287, -0.2720836617005, -1.121137362616, -0.796913867037},
                  {125.215406528, -3.642267257774, 8.393046884016, -1.450839674647},
                  {3.91705659345, -0.5537341686932, 0.1761608407261, -0.1100911938342},
                  tension,
                  XC,
                  {-0.2308560704254, -0.7940225908607, -0.4535686702712, -1.429469754033},
                  {1.834805893876, 1.834805893876, 2.513581895612, 2.945016265791, 6.103590663362, 7.488614799032, 8.083029756006,
                   8.971107872701, 11.86947656285, 15.34490008692, 16.05967282489, 18.02591077335, 19.38126900039, 20.52265341324,
                   38.92752408325},
                  1.523632146918,
                  4,
                  kUnstable});
}

TEST(WorkedStrings, W9Carousel) {
  const StringTree tree = make_tree(kT5);
  const auto find = [&](double rate, const std::vector<double>& angles) {
    const auto motions =
        find_carousels(tree, rate, 0, {std::nullopt, angles[0], angles[1], angles[2]}, {{}, {}, {}, {}}, {1, 1, 1, 1});
    if (!motions || motions->size() != 1) throw std::runtime_error("no carousel");
    return motions->front();
  };
  const SteadyMotion stable = find(4, {.7, .6, .72});
  ASSERT_TRUE(stable.feasible()) << stable.detail;
  expect_values(stable.azimuths, {0, 0, 2.152903864895, -2.088923302298});
  expect_directions(stable, {{0, 0, -1},
                             {0, 0.3273784110252, -0.94489331461},
                             {-0.091927869642, -0.06050552722584, -0.9939257255742},
                             {0.3676880071625, -0.2096106375004, -0.9060181620892},
                             {0, 0, -1},
                             {0, 0.6442176872377, -0.7648421872845},
                             {-0.4716491396042, -0.3104322983716, -0.8253356149097},
                             {0.572839329671, -0.3265627780581, -0.7518057291409}});
  expect_values(stable.momenta, {-0.4, -0.7775205515805, -3.452376053143, -0.4138765009543});
  expect_values(stable.spins, {0, -22.13777846091, -168.6430997548, -10.17181071679});
  EXPECT_EQ(analyse_stability(tree, stable).growth, 0);
  EXPECT_EQ(analyse_stability(tree, stable).negative, 2);
  EXPECT_TRUE(stable.free_spin[0]);

  const SteadyMotion unstable = find(5, {.5, .45, .55});
  ASSERT_TRUE(unstable.feasible()) << unstable.detail;
  expect_values(unstable.azimuths, {0, 0, 2.11883415495, -2.029422447701});
  expect_directions(unstable, {{0, 0, -1},
                               {0, -0.6061439000412, -0.7953549977481},
                               {0.4458823444801, 0.272170464678, -0.8527087269624},
                               {-0.6241689898385, 0.3081764527262, -0.7179417428379},
                               {0, 0, -1},
                               {0, 0.4794255386042, -0.8775825618904},
                               {-0.3712641715396, -0.2266228823303, -0.9004471023527},
                               {0.4686735579435, -0.2314023236094, -0.8525245220595}});
  expect_values(unstable.momenta, {-0.5, 0.5941500706348, 0.8198005338064, 0.45421468749});
  expect_values(unstable.spins, {0, 23.78177734323, 45.25357032513, 18.73019829719});
  EXPECT_NEAR(analyse_stability(tree, unstable).growth, 0.2311925942629, 1e-10);
  EXPECT_EQ(analyse_stability(tree, unstable).negative, 8);
}

BodyOnString worked_rotor() { return {4, {.05, .06, .08, 0, 0, 0}, {.004, -.006, .15}, .9, 9.81}; }

TEST(WorkedStrings, W11PermanentRotations) {
  struct Case {
    double rate;
    std::vector<double> nv, rho;
    double alpha, tension, tilt;
  };
  const Case cases[] = {{10,
                         {0.01864864002985, -0.0310835545985, 0.9993428044763},
                         {0.0001467617902458, -0.0001630007482417, -7.808682285041e-06},
                         0.00223725339863,
                         39.24009820425,
                         0.03625651722498},
                        {40,
                         {0.00334052627028, -0.007073145049982, 0.9999694052837},
                         {2.399927955061e-05, -3.387622058854e-05, -3.197914297029e-07},
                         0.006771281923583,
                         39.24089959927,
                         0.007822387404875},
                        {160,
                         {0.0002363406450609, -0.0005294203843337, 0.9999998319286},
                         {1.688802208959e-06, -2.522026926563e-06, -1.734345359688e-09},
                         0.007920539578127,
                         39.24123089184,
                         0.0005797783037678}};
  for (const Case& expected : cases) {
    SCOPED_TRACE(expected.rate);
    const auto rotation = find_rotation_near_axis(worked_rotor(), expected.rate);
    ASSERT_TRUE(rotation);
    expect_values({rotation->vertical.x, rotation->vertical.y, rotation->vertical.z}, expected.nv, 1e-12);
    expect_values({rotation->offset.x, rotation->offset.y, rotation->offset.z}, expected.rho, 1e-14);
    expect_values({rotation->angle, rotation->tension, rotation->tilt}, {expected.alpha, expected.tension, expected.tilt}, 5e-12);
  }
  // Of all that turn as a whole, as many as the theory counts, this one among them.
  for (const auto& [rate, count] : {std::pair{10.0, 10u}, std::pair{40.0, 14u}}) {
    const auto all = find_permanent_rotations(worked_rotor(), rate);
    EXPECT_EQ(all.size(), count);
    const auto near = find_rotation_near_axis(worked_rotor(), rate);
    EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                            [&](const PermanentRotation& r) { return norm(r.vertical - near->vertical) < 1e-9; }));
  }
}

}  // namespace
}  // namespace vinculum::testing
