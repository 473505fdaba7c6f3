// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Every idealisation in a model has its verdict in every run, whether it was asked for or not: gone through by the elements of
// the models of all examples, not by the list of those who judge.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/models_of_examples.h"
#include "vinculum/constraints/redundancy.h"
#include "vinculum/files/read_model.h"
#include "vinculum/geometry/swept_shape.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::every_idealisation {
namespace {

namespace fs = std::filesystem;

// What must be judged, by the words of the model file alone.
std::set<std::string> subjects_of(const Model& model) {
  std::set<std::string> subjects{"energy", "accelerations", "reactions"};
  const ModelDescription& words = model.description();
  for (const Contact& contact : model.contacts()) {
    if (contact.can_lift_off()) subjects.insert(contact.name + ".normal");
    if (may_be_reached_into(contact)) subjects.insert(contact.name + ".contact");
    const bool along = contact.forbids(ContactAxis::lateral) || contact.forbids(ContactAxis::forward);
    const bool has_bound = std::any_of(model.grips().begin(), model.grips().end(), [&](const Grip& grip) {
      return grip.contact >= 0 && model.contacts()[grip.contact].name == contact.name && !grip.friction;
    });
    if (contact.can_lift_off() && along && !has_bound) subjects.insert(contact.name + ".friction");
  }
  for (const Grip& grip : model.grips()) {
    if (grip.joint >= 0) continue;  // that a joint slips is no assumption that fails
    if (grip.bound) subjects.insert(grip.judged);
  }
  for (const VelocityConstraintDescription& constraint : words.velocity_constraints) {
    if (constraint.bound || constraint.friction) subjects.insert(constraint.name);
  }
  for (const StringDescription& string : words.strings) subjects.insert(string.name + ".taut");
  for (const GuideDescription& guide : words.guides) subjects.insert(guide.name);
  for (const JointLimit& limit : model.joint_limits()) {
    if (std::isfinite(limit.lower) || std::isfinite(limit.upper)) subjects.insert(limit.name + ".position");
    if (limit.speed) subjects.insert(limit.name + ".velocity");
    if (limit.effort) subjects.insert(limit.name + ".effort");
  }
  if (!model.is_plain_tree()) subjects.insert({"constraints", "position"});
  return subjects;
}

TEST(EveryIdealisation, HasAVerdictInTheRunOfEveryExample) {
  int runs = 0;
  std::map<std::string, int> kinds;  // so that the test cannot pass without any
  for (const fs::path& path : models_of_examples()) {
    Diagnostics diagnostics(path.string());
    const auto model = read_model_file(path.string(), diagnostics);
    if (!model) continue;  // a study, or what is wrong on purpose
    for (const Follow follow : {Follow::bilateral, Follow::unilateral, Follow::frictional}) {
      RunOptions options;
      options.until = model->initial_state().t + 1e-3;
      options.every = 1e-3;
      options.follow = follow;
      options.watch_integrals = false;
      RunListener nobody;
      const auto result = run_simulation(*model, model->initial_state(), options, nobody);
      if (!result) continue;  // there is no run to judge, and it says why
      ++runs;
      std::map<std::string, int> judged;
      for (const Verdict& verdict : result->verdicts) {
        ++judged[verdict.subject];
        EXPECT_FALSE(verdict.why.empty()) << path << ": " << verdict.subject;
        EXPECT_FALSE(verdict.term.empty()) << path << ": " << verdict.subject;
        if (verdict.verdict != Holds::holds && verdict.subject != "integrals" && verdict.subject != "friction")
          EXPECT_FALSE(verdict.hint.empty()) << path << ": " << verdict.subject << " " << verdict.why;
      }
      for (const std::string& subject : subjects_of(*model)) {
        EXPECT_EQ(judged[subject], 1) << path << " (" << word_of(follow) << "): " << subject << " has no verdict of its own";
        const size_t point = subject.rfind('.');
        ++kinds[point == std::string::npos ? "whole" : subject.substr(point)];
      }
      for (const auto& [subject, count] : judged) EXPECT_EQ(count, 1) << path << ": " << subject << " is judged twice";
      EXPECT_TRUE(std::is_sorted(result->verdicts.begin(), result->verdicts.end(), [](const Verdict& a, const Verdict& b) {
        const auto rank = [](Holds verdict) {
          const std::string order = "ivuch";  // impossible, violated, not unique, not checked, holds
          return order.find("hvuic"[static_cast<int>(verdict)]);
        };
        return rank(a.verdict) < rank(b.verdict);
      })) << path;
    }
  }
  EXPECT_GT(runs, 90);
  for (const char* kind : {".normal", ".contact", ".friction", ".taut", ".position", ".velocity", ".effort", "whole"})
    EXPECT_GT(kinds[kind], 0) << kind;
}

// Rows that are redundant are named in the verdict on the reactions.
TEST(EveryIdealisation, RedundantRowsAreNamed) {
  int found = 0;
  for (const fs::path& path : models_of_examples()) {
    Diagnostics diagnostics(path.string());
    const auto model = read_model_file(path.string(), diagnostics);
    if (!model || model->is_plain_tree()) continue;
    RunOptions options;
    options.until = model->initial_state().t + 1e-3;
    options.every = 1e-3;
    options.watch_integrals = false;
    RunListener nobody;
    const State start = model->initial_state();
    const auto result = run_simulation(*model, start, options, nobody);
    if (!result) continue;
    const ConstraintSet set(*model, start);
    const auto rows = compute_constraint_rows(set, start);
    if (!rows) continue;
    Workspace workspace(*model);
    const auto dynamics = compute_constrained_dynamics(set, start, workspace);
    if (!dynamics) continue;
    for (size_t i = 0; i < set.rows.size(); ++i) {
      if (dynamics->solution.analysis.determinate[i] || set.rows[i].is_drive) continue;
      ++found;
      const auto reactions = std::find_if(result->verdicts.begin(), result->verdicts.end(),
                                          [](const Verdict& verdict) { return verdict.subject == "reactions"; });
      EXPECT_EQ(reactions->verdict, Holds::not_unique) << path;
      EXPECT_NE(reactions->why.find(set.rows[i].name), std::string::npos) << path << ": " << set.rows[i].name;
    }
  }
  EXPECT_GE(found, 4);
}

// Two bodies fly apart with no force between: their momentum is zero and stays so, although each has much.
Model flying_pair(const std::string& extra = "") {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  hull: { joint: {type: free}, mass: 3, inertia: [1, 2, 2.5] }
  arm: { parent: hull, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: 2, com: [1, 0, 0], inertia: [0.1, 0.2, 0.2] }
initial: { hull.wz: 1, "arm'": -3, hull.wx: 0.3 }
)yaml" + extra);
}

const Verdict* find(const RunResult& run, const std::string& subject) {
  for (const Verdict& verdict : run.verdicts) {
    if (verdict.subject == subject) return &verdict;
  }
  return nullptr;
}

TEST(EveryIdealisation, FirstIntegralsAreJudgedByWhatTheyCouldBe) {
  const Model model = flying_pair();
  RunListener nobody;
  RunOptions options;
  options.until = 5;
  const auto good = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(good);
  const Verdict* holds = find(*good, "integrals");
  ASSERT_NE(holds, nullptr);
  EXPECT_EQ(holds->verdict, Holds::holds) << holds->why;
  EXPECT_GT(*holds->margin, 10);

  // Steps that are far too long for the tolerance they claim: Baumgarte has no part in it, a loose run is told by the tight rule.
  options.integrator = "dop853";
  options.tolerance = 1e-3;
  const auto loose = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(loose);
  EXPECT_GT(good->integrals.size(), 4u);
  EXPECT_LT(*find(*loose, "integrals")->margin, *holds->margin);

  options.watch_integrals = false;
  const auto unwatched = run_simulation(model, model.initial_state(), options, nobody);
  EXPECT_EQ(find(*unwatched, "integrals")->verdict, Holds::not_checked);
}

}  // namespace
}  // namespace vinculum::testing::every_idealisation
