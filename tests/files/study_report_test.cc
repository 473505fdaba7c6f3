// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/study_report.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "vinculum/files/json_text.h"

namespace vinculum {
namespace {

Outcome<std::string> document(const StudyResults& results, std::size_t largest = kLargestStudyPage) {
  return study_document(results, compute_study_statistics(results), largest);
}

// u in {0, 1, 2} × w in {0, 1}: y = u + 3 w, "violated" where w = 1; the last point failed.
StudyResults small_study() {
  StudyResults table;
  table.title = "small";
  table.command = "simulate";
  table.model = "m.yaml";
  table.parameters = {{"u", "m", "3 values", false, {0, 0, 1, 1, 2, 2}}, {"w", "", "2 values", false, {0, 1, 0, 1, 0, 1}}};
  table.quantities = {{"y", "final.q.y", "m", {0, 3, 1, 4, 2, std::numeric_limits<double>::quiet_NaN()}},
                      {"slips", "verdicts.a.verdict", "", {}, {"holds", "violated"}, {1, 2, 1, 2, 1, 0}}};
  table.status.assign(6, PointStatus::done);
  table.status[5] = PointStatus::failed;
  table.failures = {{5, "VN-RUN-002", "<too> far"}};
  table.planned = 6;
  return table;
}

TEST(StudyDocument, TellsAllOfASmallStudy) {
  const auto text = document(small_study());
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find('<'), std::string::npos) << "safe in a script";
  const Json json = Json::parse(*text);
  EXPECT_EQ(json["kind"], "study");
  EXPECT_EQ(json["points"]["shown"], 6);
  EXPECT_EQ(json["parameters"][0]["levels"], "AAAAAAAAAAAAAAAAAADwPwAAAAAAAABA");  // 0, 1, 2
  EXPECT_EQ(json["parameters"][0]["index"], "AAAAAAEAAQACAAIA");
  EXPECT_EQ(json["quantities"][1]["index"], "AQACAAEAAgABAAAA");
  EXPECT_EQ(json["status"], "AAAAAAAB");
  EXPECT_EQ(json["failures"]["texts"][0]["message"], "<too> far");
  EXPECT_EQ(json["failures"]["points"], "BQAAAA==");
}

// What does not fit in goes in a fixed order, and is told.
TEST(StudyDocument, KeepsWithinItsSize) {
  StudyResults table;
  table.parameters = {{"a", "", "", true, {}}, {"b", "", "", true, {}}};
  table.quantities = {{"y", "", "", {}}, {"z", "", "", {}}};
  constexpr std::size_t kCount = 20'000;
  for (std::size_t k = 0; k < kCount; ++k) {
    table.parameters[0].values.push_back(std::sin(double(k)));
    table.parameters[1].values.push_back(std::cos(3.0 * double(k)));
    for (StudyQuantity& quantity : table.quantities) quantity.numbers.push_back(std::sin(0.1 * double(k)));
  }
  table.status.assign(kCount, PointStatus::done);
  table.points_of_node = kCount;
  const auto whole = Json::parse(*document(table));
  EXPECT_TRUE(whole["quantities"][0].contains("values"));
  EXPECT_TRUE(whole["warnings"].empty());

  const auto rounded = Json::parse(*document(table, 1'100'000));
  EXPECT_TRUE(rounded["quantities"][0].contains("short"));
  EXPECT_EQ(rounded["points"]["shown"], kCount);

  const auto thinned_text = document(table, 600'000);
  const auto thinned = Json::parse(*thinned_text);
  EXPECT_LT(thinned_text->size(), 600'000u);
  EXPECT_LT(thinned["points"]["shown"], kCount);
  EXPECT_GT(thinned["points"]["shown"], 5'000);
  EXPECT_EQ(thinned["points"]["total"], kCount);
  EXPECT_EQ(thinned["warnings"].size(), 1u);
  EXPECT_EQ(thinned["statistics"]["y"]["spread"]["count"], kCount);

  for (StudyParameter& parameter : table.parameters) parameter.random = false;  // a grid is not thinned
  for (double& value : table.parameters[0].values) value = std::round(10 * value);
  for (double& value : table.parameters[1].values) value = std::round(10 * value);
  const auto fewer = Json::parse(*document(table, 600'000));
  EXPECT_EQ(fewer["points"]["shown"], kCount);
  EXPECT_EQ(fewer["quantities"].size(), 1u);
  EXPECT_NE(fewer["warnings"][0].get<std::string>().find("'z' is left out"), std::string::npos);
  EXPECT_EQ(document(table, 300'000).failure().code, "VN-STUDY-050");
}

}  // namespace
}  // namespace vinculum
