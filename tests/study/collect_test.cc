// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/collect.h"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

const auto kDocument = nlohmann::ordered_json::parse(R"({
  "final": {"t": 5, "q": {"car.tx": 1.5, "car": {"tx": 2.5}, "car.tx'": 3.5}},
  "verdicts": [{"subject": "front", "verdict": "holds", "margin": 3},
               {"subject": "front.friction", "verdict": "violated", "margin": 0.8},
               {"subject": "rear", "verdict": "not checked", "margin": null}],
  "events": [{"t": 0.5, "name": "slip:front"}, {"t": 0.7, "name": "slip:front"}],
  "integrals": [{"name": "E", "drift": 1e-12}],
  "families": [{"feasible": true, "stability": {"verdict": "stable"}}, {"feasible": false}],
  "count": 2
})");

TEST(Collect, GoesThroughNamesTheLongestFirst) {
  const auto value = [](const char* path) { return collect_value(kDocument, path); };
  EXPECT_EQ(value("final.t"), StudyValue(5.0));
  EXPECT_EQ(value("final.q.car.tx"), StudyValue(1.5));
  EXPECT_EQ(value("final.q.car.tx'"), StudyValue(3.5));
  EXPECT_EQ(value("verdicts.front.friction.margin"), StudyValue(0.8));
  EXPECT_EQ(value("verdicts.front.margin"), StudyValue(3.0));
  EXPECT_EQ(value("front.friction.verdict"), StudyValue("violated"));  // verdicts by subject alone
  EXPECT_EQ(value("events.slip:front.t"), StudyValue(0.5));            // the first
  EXPECT_EQ(value("integrals.E.drift"), StudyValue(1e-12));
  EXPECT_EQ(value("families.0.stability.verdict"), StudyValue("stable"));
  EXPECT_EQ(value("families.1.feasible"), StudyValue(0.0));
  EXPECT_EQ(value("verdicts.rear.margin"), StudyValue());
  EXPECT_EQ(value("events.stick:front.t"), StudyValue());
  EXPECT_EQ(value("final.q"), StudyValue());
  EXPECT_EQ(value(""), StudyValue());
}

TEST(Collect, PathsThatLeadNowhereAreTold) {
  EXPECT_FALSE(check_path(kDocument, "final.q.car.tx"));
  EXPECT_FALSE(check_path(kDocument, "verdicts.rear.margin"));  // null is a value
  const auto wrong = check_path(kDocument, "final.q.car.ty");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->reason, "there is no 'ty' in 'final.q.car'");
  EXPECT_EQ(wrong->known, std::vector<std::string>{"tx"});
  EXPECT_EQ(check_path(kDocument, "fnal.t")->nearest, "final");
  EXPECT_EQ(check_path(kDocument, "frnt.margin")->nearest, "front");
  EXPECT_NE(check_path(kDocument, "final.q")->reason.find("an object"), std::string::npos);
  EXPECT_NE(check_path(kDocument, "families")->reason.find("a list"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
