// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/study_statistics.h"

#include <limits>

#include <gtest/gtest.h>

#include "vinculum/files/study_json.h"

namespace vinculum {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// u in {0, 1, 2} × w in {0, 1}: y = u + 3 w, "violated" where w = 1; the last point failed.
StudyResults small_study() {
  StudyResults table;
  table.title = "small";
  table.command = "simulate";
  table.model = "m.yaml";
  table.parameters = {{"u", "m", "3 values", false, {0, 0, 1, 1, 2, 2}}, {"w", "", "2 values", false, {0, 1, 0, 1, 0, 1}}};
  table.quantities = {{"y", "final.q.y", "m", {0, 3, 1, 4, 2, kAbsent}},
                      {"slips", "verdicts.a.verdict", "", {}, {"holds", "violated"}, {1, 2, 1, 2, 1, 0}}};
  table.status.assign(6, PointStatus::done);
  table.status[5] = PointStatus::failed;
  table.failures = {{5, "VN-RUN-002", "<too> far"}};
  table.planned = 6;
  return table;
}

TEST(StudyStatistics, OfAGridWithAFailure) {
  const StudyStatistics found = compute_study_statistics(small_study());
  EXPECT_FALSE(found.sampled);
  ASSERT_EQ(found.quantities.size(), 2u);
  EXPECT_EQ(found.quantities[0].spread->count, 5u);
  EXPECT_EQ(found.quantities[0].spread->mean, 2);
  EXPECT_EQ(found.quantities[1].fractions[1].count, 2u);
  EXPECT_EQ(found.quantities[1].fractions[1].of, 5u);
  EXPECT_EQ(found.quantities[1].event, "does not hold");
  EXPECT_NEAR(found.quantities[1].sensitivity->parameters[1].rank_correlation->value, 1, 1e-15);
  const std::string text = to_text(found);
  EXPECT_NE(text.find("slips: holds 3 of 5, 60 %; violated 2 of 5, 40 %\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("(95 %:"), std::string::npos) << "a grid is no sample";
}

TEST(StudyStatistics, OfAWholeGridAreExact) {
  StudyResults table = small_study();
  table.quantities[0].numbers[5] = 5;
  const Json json = to_json(compute_study_statistics(table));
  const Json& parameters = json["y"]["sensitivity"]["parameters"];
  EXPECT_EQ(json["y"]["sensitivity"]["method"], "grid");
  EXPECT_NEAR(parameters["w"]["total"]["value"].get<double>(), 2.25 / (2.25 + 2.0 / 3), 1e-14);  // 9/4 and 2/3
  EXPECT_NEAR(parameters["u"]["first"]["value"].get<double>(), 2.0 / 3 / (2.25 + 2.0 / 3), 1e-14);
}

// Of a block of four points two were drawn for themselves.
TEST(StudyStatistics, BlocksAreNoFurtherWitnesses) {
  StudyResults table;
  table.parameters = {{"u", "", "", true, {0.1, 0.9, 0.9, 0.1, 0.4, 0.3, 0.3, 0.4}},
                      {"w", "", "", true, {0.2, 0.8, 0.2, 0.8, 0.7, 0.6, 0.7, 0.6}}};
  table.quantities = {{"y", "", "", {1, 2, 9, 9, 3, 4, 9, 9}},
                      {"slips", "", "", {}, {"holds", "violated"}, {1, 2, 2, 2, 1, 1, 2, 2}}};
  table.status.assign(8, PointStatus::done);
  table.points_of_node = 8;
  table.block = 4;
  const StudyStatistics found = compute_study_statistics(table);
  EXPECT_EQ(found.quantities[0].spread->count, 4u);
  EXPECT_EQ(found.quantities[0].spread->largest, 4);
  EXPECT_EQ(found.quantities[1].fractions[1].count, 1u);
  EXPECT_EQ(found.quantities[1].fractions[1].of, 4u);
}

TEST(StudyStatistics, OfASampleHaveIntervals) {
  StudyResults table = small_study();
  for (StudyParameter& parameter : table.parameters) parameter.random = true;
  table.points_of_node = 6;
  EXPECT_NE(to_text(compute_study_statistics(table)).find("violated 2 of 5, 40 % (95 %: 11.8 to 76.9 %)"), std::string::npos)
      << to_text(compute_study_statistics(table));
  // At two nodes of a grid the same three samples: shares of the points, not probabilities.
  table.parameters[1].random = false;
  table.points_of_node = 3;
  EXPECT_EQ(to_text(compute_study_statistics(table)).find("(95 %:"), std::string::npos);
}

// Lengths within a tolerance differ in late digits: these are told.
TEST(StudyStatistics, DigitsTellTheValuesApart) {
  StudyResults table;
  table.parameters = {{"u", "", "", true, {0.1, 0.9, 0.5, 0.3}}};
  table.quantities = {{"length", "", "", {1.50001, 1.50003, 1.50002, 1.50004}}};
  table.status.assign(4, PointStatus::done);
  table.points_of_node = 4;
  const std::string text = to_text(compute_study_statistics(table));
  EXPECT_NE(text.find("from 1.50001 to 1.50004, mean 1.500025"), std::string::npos) << text;
  table.quantities[0].numbers = {7, 7, 7, 7};
  EXPECT_NE(to_text(compute_study_statistics(table)).find("from 7 to 7, mean 7"), std::string::npos);
}

// One value of -1234.5 among 9999 of zero has a spread of 12.3, a hundredth of it: five digits.
TEST(StudyStatistics, DigitsOfNegativeValues) {
  StudyResults table;
  std::vector<double> u(10'000), y(10'000, 0.0);
  for (size_t k = 0; k < u.size(); ++k) u[k] = static_cast<double>(k * 7919 % u.size()) / static_cast<double>(u.size());
  y[17] = -1234.5;
  table.parameters = {{"u", "", "", true, u}};
  table.quantities = {{"low", "", "", y}};
  table.status.assign(u.size(), PointStatus::done);
  table.points_of_node = static_cast<long>(u.size());
  const std::string text = to_text(compute_study_statistics(table));
  EXPECT_NE(text.find("from -1234.5 to 0"), std::string::npos) << text;
}

// What falls with a parameter depends on it as much as what rises: the stronger one is named first.
TEST(StudyStatistics, AFallingInfluenceIsRankedByItsSize) {
  StudyResults table;
  table.parameters = {{"weak", "", "", true, {3, 1, 4, 2, 6, 5, 9, 7, 10, 8}}, {"strong", "", "", true, {}}};
  table.quantities = {{"y", "", "", {}}};
  const double noise[] = {2, 9, 4, 7, 1, 10, 3, 8, 6, 5};
  for (int k = 0; k < 10; ++k) {
    table.parameters[1].values.push_back(noise[k]);
    table.quantities[0].numbers.push_back(-noise[k]);
  }
  table.status.assign(10, PointStatus::done);
  table.points_of_node = 10;
  const StudyStatistics found = compute_study_statistics(table);
  ASSERT_TRUE(found.quantities[0].sensitivity);
  ASSERT_FALSE(found.quantities[0].sensitivity->parameters[0].first) << "by ranks alone";
  const std::string text = to_text(found), ranked = text.substr(text.find("which parameter matters"));
  EXPECT_LT(ranked.find("strong"), ranked.find("weak")) << text;
}

// Where refinement ran only the points along the boundary, their numbers are no fair picture of the plane; the verdicts are.
TEST(StudyStatistics, OfRefinedNumbersAreNotRanked) {
  StudyResults table = small_study();
  table.status[5] = PointStatus::inferred;
  table.quantities[1].word[5] = 2;
  const StudyStatistics found = compute_study_statistics(table);
  EXPECT_FALSE(found.quantities[0].sensitivity);
  EXPECT_EQ(found.quantities[0].why_not, "the points that were run crowd along the boundary");
  ASSERT_TRUE(found.quantities[1].sensitivity);
  EXPECT_EQ(found.quantities[1].sensitivity->method, SensitivityMethod::grid);
}

// A second copy of the same samples, at another node of a grid, must not make an error smaller.
TEST(StudyStatistics, RepeatedSamplesAreOneWitness) {
  StudyResults table;
  table.quantities = {{"y", "", "", {}}};
  table.parameters = {{"node", "", "", false, {}}, {"x", "", "", true, {}}, {"z", "", "", true, {}}};
  table.points_of_node = 200;
  double x = 0.1, z = 0.7;
  for (std::size_t k = 0; k < 200; ++k) {
    x = std::fmod(x + 0.6180339887, 1);
    z = std::fmod(997 * z + 0.1234, 1);
    for (const auto& [i, value] : {std::pair{0, 0.0}, {1, x}, {2, z}}) table.parameters[i].values.push_back(value);
    table.quantities[0].numbers.push_back(x + z);
  }
  table.status.assign(200, PointStatus::done);
  const Estimate once = *compute_study_statistics(table).quantities[0].sensitivity->parameters[2].first;
  for (StudyParameter& parameter : table.parameters) {
    for (std::size_t k = 0; k < 3 * 200; ++k)
      parameter.values.push_back(parameter.random ? parameter.values[k % 200] : 1 + k / 200);
  }
  for (std::size_t k = 0; k < 3 * 200; ++k) table.quantities[0].numbers.push_back(table.quantities[0].numbers[k % 200]);
  table.status.assign(800, PointStatus::done);
  const Estimate four_times = *compute_study_statistics(table).quantities[0].sensitivity->parameters[2].first;
  EXPECT_GT(four_times.error, 0.7 * once.error);
  EXPECT_LT(four_times.error, 1.4 * once.error);
}

}  // namespace
}  // namespace vinculum
