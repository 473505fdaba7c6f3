// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A mechanism moves the same however it is described: in another order, in a turned world, in a mirror, with other coordinates,
// from another root. Events, verdicts, margins and the final places of all bodies agree.
#include <map>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/random_mechanism.h"

namespace vinculum::testing {
namespace {

constexpr int kSeeds = 24;

// What does not depend on the description: mass centres, their velocities and angular velocities, world axes.
struct Told {
  struct Place {
    Vector3 com, velocity, turn;
  };
  std::map<std::string, Place> places;
  std::vector<std::string> events;  // simultaneous ones in the order of their names
  std::vector<double> times;
  std::map<std::string, Verdict> verdicts;
};

Told tell(const ModelDescription& words, const Mechanism& mechanism) {
  const Model model = build(words);
  RunOptions options;
  options.until = mechanism.until;
  options.follow = mechanism.follow;
  options.watch_accuracy = false;
  const RunResult result = finish_run(model, options);
  Workspace workspace(model);
  const auto motions = compute_body_motions(model, result.final, workspace);
  Told told;
  for (size_t i = 0; i < motions.size(); ++i) {
    const BodyMotion& at = motions[i];
    const Vector3 arm = at.R_WB * model.bodies()[i].p_BoBcm_B;
    told.places[model.bodies()[i].name] = {at.p_WB + arm, at.V_WB_W.linear + cross(at.V_WB_W.angular, arm), at.V_WB_W.angular};
  }
  std::vector<std::pair<double, std::string>> events;
  for (const Occurrence& event : result.events)
    events.push_back({event.t, event.name() + (event.name() == "face" ? event.subject : "")});
  for (size_t i = 1; i < events.size(); ++i) {
    for (size_t k = i; k > 0 && events[k].first <= events[k - 1].first + 1e-9 && events[k].second < events[k - 1].second; --k)
      std::swap(events[k], events[k - 1]);
  }
  for (const auto& [t, name] : events) told.times.push_back(t), told.events.push_back(name);
  for (const Verdict& verdict : result.verdicts) told.verdicts[verdict.subject] = verdict;
  return told;
}

// First integrals, conditioning and the size of residuals depend on coordinates. The margin of `modes` is the least at the ends
// of steps, which are others.
bool depends_on_coordinates(const std::string& subject) {
  for (const char* word : {"energy", "integrals", "position", "constraints", "accelerations", "modes"}) {
    if (subject.find(word) != std::string::npos) return true;
  }
  return false;
}

void compare(const Told& own, const Told& other, const std::function<Vector3(const Vector3&)>& map,
             const std::function<Vector3(const Vector3&)>& map_turn) {
  ASSERT_EQ(other.events, own.events);
  for (size_t i = 0; i < own.times.size(); ++i) EXPECT_NEAR(other.times[i], own.times[i], 1e-6) << own.events[i];
  for (const auto& [name, place] : own.places) {
    const Told::Place& at = other.places.at(name);
    EXPECT_LT(norm(at.com - map(place.com)), 1e-6) << name;
    EXPECT_LT(norm(at.velocity - map(place.velocity)), 1e-5) << name;
    EXPECT_LT(norm(at.turn - map_turn(place.turn)), 1e-4) << name;
  }
  ASSERT_EQ(other.verdicts.size(), own.verdicts.size());
  for (const auto& [subject, verdict] : own.verdicts) {
    ASSERT_TRUE(other.verdicts.count(subject)) << subject;
    const Verdict& there = other.verdicts.at(subject);
    EXPECT_EQ(to_text(there.verdict), to_text(verdict.verdict)) << subject << ": " << there.why << "\n" << verdict.why;
    if (depends_on_coordinates(subject)) continue;
    EXPECT_EQ(there.margin.has_value(), verdict.margin.has_value()) << subject;
    if (there.margin && verdict.margin)
      EXPECT_NEAR(*there.margin, *verdict.margin, 1e-4 * (1 + std::abs(*verdict.margin))) << subject;
    EXPECT_EQ(there.first_violation.has_value(), verdict.first_violation.has_value()) << subject;
    if (there.first_violation && verdict.first_violation)
      EXPECT_NEAR(*there.first_violation, *verdict.first_violation, 1e-6) << subject;
  }
}

Vector3 same(const Vector3& a) { return a; }

class MechanismLaws : public ::testing::TestWithParam<int> {
 protected:
  const Mechanism mechanism_ = random_mechanism(static_cast<std::uint64_t>(GetParam()));
  const Told own_ = tell(mechanism_.words, mechanism_);
};

TEST_P(MechanismLaws, AnyOrder) { compare(own_, tell(reorder(mechanism_.words), mechanism_), same, same); }

TEST_P(MechanismLaws, TurnedWorld) {
  Random random(static_cast<std::uint64_t>(1000 + GetParam()));
  const Matrix3 Q = to_rotation(random.rotation());
  const auto turn = [&](const Vector3& a) { return Q * a; };
  compare(own_, tell(turn_world(mechanism_.words, Q), mechanism_), turn, turn);
}

TEST_P(MechanismLaws, Mirror) {
  compare(
      own_, tell(mirror(mechanism_.words), mechanism_), [](const Vector3& a) { return mirror(a); }, mirror_turn);
}

TEST_P(MechanismLaws, OtherCoordinates) {
  if (mechanism_.name == "slider") GTEST_SKIP() << "has no free joint";
  compare(own_, tell(decompose(mechanism_.words), mechanism_), same, same);
}

TEST_P(MechanismLaws, OtherRoot) {
  if (mechanism_.name != "hinged pair") GTEST_SKIP() << "has one body";
  compare(own_, tell(change_root(mechanism_.words), mechanism_), same, same);
}

INSTANTIATE_TEST_SUITE_P(Random, MechanismLaws, ::testing::Range(0, kSeeds), [](const auto& info) {
  return random_mechanism(info.param).name.substr(0, 5) + std::to_string(info.param);
});

}  // namespace
}  // namespace vinculum::testing
