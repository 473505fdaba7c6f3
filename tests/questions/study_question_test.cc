// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Questions of studies as a program asks them.
#include "vinculum/questions/study_question.h"

#include <gtest/gtest.h>

#include "vinculum/questions/question_words.h"
#include "vinculum/study/sample.h"

namespace vinculum {
namespace {

const char* const kPendulum = R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
parameters: { length: 1 m, load: 2 kg }
bodies:
  upper: { joint: { type: revolute, axis: y }, mass: 1, com: [0, 0, -length], inertia: 0.1 }
  lower: { parent: upper, joint: { type: revolute, axis: y, origin: [0, 0, -1] }, mass: load, com: [0, 0, -0.4], inertia: 0.05 }
initial: { upper: 0.3 }
events: { lowest: "sin(upper)" }
)yaml";

StudyAxis axis(const std::string& name, double from, double to, long count) {
  StudyAxis made;
  made.name = name;
  made.first = from;
  made.second = to;
  made.count = count;
  return made;
}

ModelSource source_of(const char* text) {
  Diagnostics diagnostics;
  auto source = ModelSource::parse(text, diagnostics);
  EXPECT_TRUE(source);
  return std::move(*source);
}

std::vector<Question::Answer> ask_all(const Study& study, Question& question) {
  std::vector<std::vector<double>> points;
  for (long i = 0; i < count_points(study); ++i) points.push_back(parameters_of(study, i));
  return question.ask_together(points, std::nullopt);
}

void expect_equal_answers(const Study& study, Question& one, Question& other, size_t values) {
  const auto first = ask_all(study, one), second = ask_all(study, other);
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    ASSERT_TRUE(first[i]) << first[i].failure().message;
    ASSERT_TRUE(second[i]) << second[i].failure().message;
    for (size_t k = 0; k < values; ++k) EXPECT_EQ((*first[i])[k], (*second[i])[k]) << "point " << i << ", value " << k;
  }
}

// In lanes, alone, and from the document: the same bits.
TEST(StudyQuestions, RunsHaveOneAnswer) {
  const ModelSource source = source_of(kPendulum);
  SimulateOptions options;
  options.until = 2;
  options.run.integrator = "taylor";
  Study study;
  study.over = {axis("upper", 0.1, 1.2, 4), axis("lower'", -1, 1, 3)};
  study.collect = {{"t", "events.lowest.t"}, {"q", "final.q.upper"}, {"v", "final.v.lower'"}, {"steps", "steps"}};
  set_question(study, options);
  const StudySubject subject{study, source, always(options)};
  const auto lanes = make_question(subject), alone = make_question(subject, true);
  EXPECT_GT(lanes->together(), 1);
  EXPECT_EQ(alone->together(), 1);
  expect_equal_answers(study, *lanes, *alone, 4);

  Study wider = study;
  wider.collect.push_back({"energy", "integrals.0.drift"});
  wider.collect.push_back({"rejected", "rejected"});
  const auto by_document = make_question({wider, source, always(options)});
  EXPECT_EQ(by_document->together(), 1);
  expect_equal_answers(study, *alone, *by_document, 4);

  const auto answers = ask_all(study, *lanes);
  EXPECT_NE((*answers.front())[1], (*answers.back())[1]);
}

TEST(StudyQuestions, EvaluationsHaveOneAnswer) {
  const ModelSource source = source_of(kPendulum);
  const EvaluateOptions options;
  Study study;
  study.over = {axis("load", 0.5, 3, 5), axis("upper", -1, 1, 3)};
  study.collect = {{"a", "accelerations.lower'"}, {"x", "poses.lower.position.0"}, {"w", "poses.lower.quaternion.0"},
                   {"v", "twists.lower.4"},       {"m", "mass_matrix.0.1"},        {"e", "energy.potential"}};
  set_question(study, options);
  const StudySubject subject{study, source, always(options)};
  const auto lanes = make_question(subject), alone = make_question(subject, true);
  EXPECT_GT(lanes->together(), 1);
  expect_equal_answers(study, *lanes, *alone, 6);
}

TEST(StudyQuestions, WrongNamesAreToldBeforeAnythingRuns) {
  const ModelSource source = source_of(kPendulum);
  SimulateOptions options;
  options.until = 1;
  Study study;
  study.over = {axis("upper", 0.1, 1.2, 4)};
  study.collect = {{"q", "final.q.uper"}};
  set_question(study, options);
  Diagnostics diagnostics;
  EXPECT_FALSE(check_question({study, source, always(options)}, {}, diagnostics));
  ASSERT_FALSE(diagnostics.list().empty());
  EXPECT_EQ(diagnostics.list()[0].code, "VN-STUDY-012");
  EXPECT_EQ(diagnostics.list()[0].hint, "did you mean 'upper'?");

  study.over[0].name = "uper";
  Diagnostics of_axis;
  EXPECT_FALSE(check_question({study, source, always(options)}, {}, of_axis));
  EXPECT_FALSE(of_axis.list().empty());
}

// A point that fails has its reason, and one that takes too long has that.
TEST(StudyQuestions, PointsFailWithAReason) {
  const ModelSource source = source_of(kPendulum);
  SimulateOptions options;
  options.until = 1;
  Study study;
  study.over = {axis("load", -1, 1, 2)};
  study.collect = {{"q", "final.q.upper"}};
  set_question(study, options);
  const auto answers = ask_all(study, *make_question({study, source, always(options)}));
  ASSERT_FALSE(answers[0]);
  EXPECT_TRUE(answers[0].failure().code.starts_with("VN-MODEL-"));
  EXPECT_TRUE(answers[1]);

  SimulateOptions no_end;
  const auto refused = ask_all(study, *make_question({study, source, always(no_end)}));
  ASSERT_FALSE(refused[1]);
  EXPECT_EQ(refused[1].failure().code, "VN-USAGE-001");

  options.until = 1e6;
  const auto late = make_question({study, source, always(options)}, true);
  const auto answer = late->ask(std::vector{1.0}, 0.01);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.failure().code, "VN-STUDY-010");
}

TEST(StudyQuestions, HaveWords) {
  Study study;
  SimulateOptions simulate;
  simulate.until = 0.5;
  simulate.run.follow = Follow::frictional;
  simulate.run.every = 0.01;
  simulate.sets = {"load=3 kg"};
  set_question(study, simulate);
  EXPECT_EQ(study.command, "simulate");
  EXPECT_EQ(study.options, R"(--until 0.5 --every 0.01 --contacts frictional --set "load=3 kg")");
  set_question(study, EvaluateOptions{});
  EXPECT_EQ(study.command, "evaluate");
  EXPECT_EQ(study.options, "");
  SteadyMotionOptions steady;
  steady.rate = 5;
  steady.angles = {"s1=0.4"};
  steady.stability = true;
  set_question(study, steady);
  EXPECT_EQ(study.command + " " + study.options, "steady --rate 5 --angle s1=0.4 --stability");
}

}  // namespace
}  // namespace vinculum
