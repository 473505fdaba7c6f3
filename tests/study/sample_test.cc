// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/sample.h"

#include <set>

#include <gtest/gtest.h>

#include "vinculum/study/sobol.h"

namespace vinculum {
namespace {

StudyAxis grid(const std::string& name, double from, double to, long count) {
  StudyAxis axis;
  axis.name = name;
  axis.first = from;
  axis.second = to;
  axis.count = count;
  return axis;
}

StudyAxis drawn(const std::string& name, StudyAxis::Kind kind, double first, double second) {
  StudyAxis axis = grid(name, first, second, 0);
  axis.kind = kind;
  return axis;
}

TEST(Sample, FirstParameterVariesSlowestAndSamplesFastest) {
  Study study;
  study.over = {grid("a", 1, 3, 3), drawn("r", StudyAxis::Kind::uniform, 0, 1), grid("b", 10, 20, 2)};
  study.samples = 4;
  ASSERT_EQ(count_points(study), 3 * 2 * 4);
  const auto point = parameters_of(study, (1 * 2 + 1) * 4 + 2);
  EXPECT_EQ(point[0], 2);
  EXPECT_EQ(point[2], 20);
  // Every node of the grid sees the same samples, and they differ.
  EXPECT_EQ(point[1], parameters_of(study, 2)[1]);
  EXPECT_NE(point[1], parameters_of(study, 3)[1]);
}

TEST(Sample, NodesOfARefinedGridAreThoseOfTheCoarseOneToTheLastBit) {
  Study coarse, fine;
  coarse.over = {grid("a", 0.1, 0.9, 8)};
  fine = coarse;
  fine.refine = StudyRefinement{"x", {}, 5};
  ASSERT_EQ(count_points(fine), 7 * 32 + 1);
  for (long i = 0; i < 8; ++i) EXPECT_EQ(parameters_of(coarse, i), parameters_of(fine, 32 * i)) << i;
  coarse.over[0].logarithmic = fine.over[0].logarithmic = true;
  for (long i = 0; i < 8; ++i) EXPECT_EQ(parameters_of(coarse, i), parameters_of(fine, 32 * i)) << i;
  EXPECT_NEAR(parameters_of(coarse, 1)[0], 0.1 * std::pow(9.0, 1.0 / 7), 1e-15);
}

// The ends of an axis are those given, to the last bit: 0.3 + (0.9 - 0.3) is not 0.9.
TEST(Sample, EndsOfAnAxisAreThoseGiven) {
  for (const auto& [from, to] : {std::pair{0.3, 0.9}, std::pair{-0.1, 0.2}}) {
    ASSERT_NE(from + (to - from), to);
    Study study;
    study.over = {grid("a", from, to, 4)};
    EXPECT_EQ(parameters_of(study, 0)[0], from);
    EXPECT_EQ(parameters_of(study, 3)[0], to);
  }
}

// Known answer of Philox 4x32-10 with counter 0 and key 0 (Random123): 6627e8d5 e169c58d ..
TEST(Sample, RandomNumbersAreThoseOfPhilox) {
  EXPECT_EQ(random_uniform(0, 0, 0), (static_cast<double>(0x6627e8d5e169c58dull >> 12) + 0.5) * 0x1p-52);
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (int n = 0; n < kCount; ++n) {
    const double u = random_uniform(7, 3, static_cast<std::uint64_t>(n));
    ASSERT_TRUE(u > 0 && u < 1);
    sum += u;
    squares += u * u;
  }
  // Deviations of the means: 1/sqrt(12 N), sqrt(4/45/N); five of them.
  EXPECT_NEAR(sum / kCount, 0.5, 5 / std::sqrt(12.0 * kCount));
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kCount));
}

TEST(Sample, InverseNormalIsTheInverse) {
  for (const double u : {1e-300, 1e-20, 1e-9, 0.001, 0.0749, 0.0751, 0.3, 0.5, 0.6, 0.925, 0.99, 0.999999}) {
    const double z = inverse_normal(u);
    // Phi(z) = erfc(-z/sqrt 2)/2; its relative condition is |z| phi/Phi, about z^2 in the tail.
    EXPECT_NEAR(0.5 * std::erfc(-z / std::sqrt(2.0)) / u, 1, 1e-15 * (4 + z * z)) << u;
  }
  EXPECT_EQ(inverse_normal(0.5), 0);
  EXPECT_NEAR(inverse_normal(0.975), 1.959963984540054, 1e-15);
}

// The first points in three dimensions, as printed by Joe and Kuo.
TEST(Sobol, BeginsAsInTheTable) {
  const double expected[8][3] = {{0, 0, 0},
                                 {0.5, 0.5, 0.5},
                                 {0.75, 0.25, 0.25},
                                 {0.25, 0.75, 0.75},
                                 {0.375, 0.375, 0.625},
                                 {0.875, 0.875, 0.125},
                                 {0.625, 0.125, 0.875},
                                 {0.125, 0.625, 0.375}};
  for (std::uint64_t n = 0; n < 8; ++n) {
    for (int d = 0; d < 3; ++d) EXPECT_EQ(sobol_number(d, n, 0), expected[n][d] + 0x1p-53) << n << " " << d;
  }
}

// 2^k numbers of each dimension lie one in each of 2^k equal intervals, shifted or not.
TEST(Sobol, EveryDimensionIsEven) {
  for (int d = 0; d < kMostSobolDimensions; ++d) {
    for (const std::uint64_t seed : {0, 5}) {
      std::set<int> hit;
      for (std::uint64_t n = 0; n < 1024; ++n) hit.insert(static_cast<int>(sobol_number(d, n, seed) * 1024));
      EXPECT_EQ(hit.size(), 1024u) << d;
    }
  }
  // And no two dimensions are the same.
  for (int d = 1; d < kMostSobolDimensions; ++d) {
    for (int e = 0; e < d; ++e) {
      int same = 0;
      for (std::uint64_t n = 1; n < 1024; ++n) same += sobol_number(d, n, 0) == sobol_number(e, n, 0) ? 1 : 0;
      EXPECT_LT(same, 512) << d << " " << e;
    }
  }
}

// The integral of the product of (1 + (x_i - 1/2)) over the cube is 1; a good sequence errs like 1/N.
TEST(Sobol, IntegratesBetterThanChance) {
  constexpr int kCount = 4096;
  double sum = 0;
  for (std::uint64_t n = 0; n < kCount; ++n) {
    double product = 1;
    for (int d = 0; d < 6; ++d) product *= 0.5 + sobol_number(d, n, 3);
    sum += product;
  }
  EXPECT_NEAR(sum / kCount, 1, 1.5e-3);  // by chance: 0.013
}

// Saltelli's blocks: A, B, then A with one parameter from B.
TEST(Sample, SaltelliTakesOneParameterFromTheOtherDraw) {
  Study study;
  study.over = {drawn("u", StudyAxis::Kind::uniform, 0, 1), drawn("s", StudyAxis::Kind::sobol, 0, 1),
                drawn("n", StudyAxis::Kind::normal, 5, 2)};
  study.samples = 3;
  study.design = StudyDesign::saltelli;
  ASSERT_EQ(count_points(study), 3 * 5);
  for (long n = 0; n < 3; ++n) {
    const auto a = parameters_of(study, 5 * n), b = parameters_of(study, 5 * n + 1);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_NE(a[i], b[i]);
      const auto mixed = parameters_of(study, 5 * n + 2 + static_cast<long>(i));
      for (size_t k = 0; k < 3; ++k) EXPECT_EQ(mixed[k], k == i ? b[k] : a[k]);
    }
  }
}

TEST(Study, IsReadBackFromItsText) {
  Study study;
  study.model = "car.yaml";
  study.over = {grid("mu", 0.1, 0.7, 3), drawn("m", StudyAxis::Kind::normal, 12, 0.5)};
  study.over[0].unit = "m/s";
  study.samples = 10;
  study.seed = 99;
  study.command = "simulate";
  study.options = "--until 5";
  study.collect = {{"margin", "verdicts.front.friction.margin"}};
  study.refine = StudyRefinement{"margin", 1.0, 3};
  ASSERT_FALSE(check_study(study));
  const auto read = read_study_text(describe_study(study));
  ASSERT_TRUE(read);
  EXPECT_EQ(describe_study(*read), describe_study(study));
  EXPECT_FALSE(read_study_text("{}"));
  EXPECT_FALSE(read_study_text("nonsense"));
}

TEST(Study, WrongOnesAreRefused) {
  Study good;
  good.over = {grid("a", 0, 1, 2)};
  good.collect = {{"x", "final.t"}};
  ASSERT_FALSE(check_study(good));
  const auto refused = [&](auto change) {
    Study study = good;
    change(study);
    const auto failure = check_study(study);
    return failure ? std::string(failure->code) : std::string();
  };
  EXPECT_EQ(refused([](Study& s) { s.over.clear(); }), "VN-STUDY-001");
  EXPECT_EQ(refused([](Study& s) { s.collect.clear(); }), "VN-STUDY-001");
  EXPECT_EQ(refused([](Study& s) { s.over[0].count = 0; }), "VN-STUDY-002");
  EXPECT_EQ(refused([](Study& s) { s.over[0].second = 0; }), "VN-STUDY-002");
  EXPECT_EQ(refused([](Study& s) { s.over[0].second = std::nan(""); }), "VN-STUDY-002");
  EXPECT_EQ(refused([](Study& s) { s.over[0].logarithmic = true; }), "VN-STUDY-002");
  EXPECT_EQ(refused([](Study& s) { s.samples = 5; }), "VN-STUDY-003");
  EXPECT_EQ(refused([](Study& s) { s.over.push_back(drawn("r", StudyAxis::Kind::normal, 0, 1)); }), "VN-STUDY-003");
  EXPECT_EQ(refused([](Study& s) { s.over.push_back(grid("A", 0, 1, 2)); }), "VN-STUDY-004");
  EXPECT_EQ(refused([](Study& s) { s.collect[0].name = "status"; }), "VN-STUDY-004");
  EXPECT_EQ(refused([](Study& s) { s.refine = StudyRefinement{"y", {}, 2}; }), "VN-STUDY-005");
  EXPECT_EQ(refused([](Study& s) { s.over[0].count = 2'000'000'000; }), "VN-STUDY-006");
  EXPECT_EQ(refused([](Study& s) {
              s.over[0].count = 1000;
              s.refine = StudyRefinement{"x", {}, 20};
            }),
            "VN-STUDY-006");
}

}  // namespace
}  // namespace vinculum
