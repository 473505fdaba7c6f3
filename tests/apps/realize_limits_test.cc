// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Degenerate and bad input of `realize` and `simulate --contacts frictional`, line by line of theory 3, section 10: what is
// asked, with what exit code it is answered, and by which words. Nothing of it may end in numbers without a word.
#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

const std::string kSledge = R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: planar, mass: 1, inertia: 0.5, com: [0.5, 0, 0] } }
)";
const std::string kBlade = R"("sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0")";
const std::string kStart = R"(initial: { "sled.tx'": 1, "sled.rz'": 0.5 })";

std::string blade(const std::string& more, const std::string& rest = kStart) {
  return kSledge + "velocity_constraints: { blade: { equation: " + kBlade + more + " } }\n" + rest + "\n";
}

// The lateral row of a drive twice: W1e.
const std::string kFourRows = R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  base: { joint: planar, mass: 8, inertia: 0.5, com: [0.12, 0, 0] }
  right: { joint: revolute, mass: 0, inertia: 0.01 }
  left: { joint: revolute, mass: 0, inertia: 0.01 }
velocity_constraints:
  lateral: { equation: "base.ty'*cos(base.rz) - base.tx'*sin(base.rz) = 0", bound: 1 }
  r: { equation: "base.tx'*cos(base.rz) + base.ty'*sin(base.rz) + 0.25*base.rz' = 0.08*right'", bound: 1 }
  l: { equation: "base.tx'*cos(base.rz) + base.ty'*sin(base.rz) - 0.25*base.rz' = 0.08*left'", bound: 1 }
  again: { equation: "base.ty'*cos(base.rz) - base.tx'*sin(base.rz) = 0", bound: 1 }
initial: { base.rz: 0.4 }
)";

// a and b are one at t = pi/2.
const std::string kRankLost = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: planar, mass: 1, inertia: 0.5 } }
velocity_constraints:
  a: { equation: "cos(t)*sled.tx' + sin(t)*sled.ty' = 0", bound: BOUND }
  b: { equation: "sled.ty' = 0", bound: BOUND }
forces: { push: { joint: sled.tx, law: PUSH }, aside: { joint: sled.ty, law: "0.2*cos(t)"
}
}
initial: { "sled.rz'": 1 }
)yaml";

std::string rank_lost(const std::string& bound, const std::string& push) {
  std::string text = kRankLost;
  for (const auto& [word, value] : {std::pair<std::string, std::string>{"BOUND", bound}, {"PUSH", push}}) {
    for (size_t at; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), value);
  }
  return text;
}

const std::string kFoot = R"(
vinculum: 1
bodies: { block: { joint: { axes: [tx, tz] }, mass: 2, inertia: 0.5 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.5 } }
forces: { lift: { joint: block.tz, law: "10*t" } }
)";

const std::string kRod = R"yaml(
vinculum: 1
bodies: { rod: { joint: {axes: [tx, tz, ry]}, mass: 1, inertia: "1/12" } }
contacts: { tip: { body: rod, with: world, point: [0, 0, -0.5], forbid: [normal, forward], friction: 1.5 } }
initial: { rod.ry: 0.6, rod.tz: "0.5*cos(0.6)"
}
)yaml";

struct Limit {
  const char* line;  // of the section
  std::string model;
  std::string command;  // MODEL stands for the file
  int exit_code;
  std::vector<std::string> words;  // on standard output or error, in any order
};

std::vector<Limit> all_limits() {
  const std::string twice =
      kSledge +
      R"(velocity_constraints: { a: { equation: "sled.tx' = 0", bound: 1 }, b: { equation: "2*sled.tx' = 0", bound: 1 } })";
  const std::string jointly =
      kSledge +
      R"(velocity_constraints: { a: { equation: "sled.tx' = 0", permanent: true }, b: { equation: "2*sled.tx' = 0", bound: 1 } })";
  const std::string against = kSledge + R"(velocity_constraints: { a: "sled.tx' = 0", b: "2*sled.tx' = 1" })";
  const std::string slips = blade(", bound: 2", R"(initial: { "sled.tx'": 1, "sled.ty'": 0.6, "sled.rz'": 0.5 })");
  const std::string massless = R"(
vinculum: 1
bodies:
  sled: { joint: planar, mass: 1, inertia: 0.5 }
  wheel: { parent: sled, joint: { type: revolute, axis: y }, mass: 0, inertia: 0 }
velocity_constraints: { across: { equation: "sled.ty' = 0", bound: 2 } }
)";
  const std::string far_above =
      kSledge +
      R"(velocity_constraints: { a: { equation: "sled.tx' = 0", bound: 1e9 }, b: { equation: "sled.ty' = 0", bound: 1e9 } }
forces: { aside: { joint: sled.ty, law: 0.2 } })";
  std::string nothing_presses = kFoot;
  nothing_presses.replace(nothing_presses.find("[normal, forward]"), 17, "[forward]");
  const std::string drag =
      blade(", bound: 2", R"yaml(forces: { drag: { joint: sled.tx, law: "-abs(sled.tx')^1.5*sign(sled.tx')" } }
initial: { "sled.tx'": 1, "sled.rz'": 0.5 })yaml");
  const std::string mixed =
      kSledge +
      R"(velocity_constraints: { blade: { equation: "sled.ty' = 0", bound: 2 }, turn: { equation: "sled.rz' = 0", bound: 1 } })";
  return {
      {"rank below g", twice, "realize MODEL", 0, {"a, b depend on each other", "smallest are given", "--rows", "not unique"}},
      {"rank below g", twice, "simulate MODEL --until 1", 0, {"not unique"}},
      {"rank below g, W1e", kFourRows, "realize MODEL", 0, {"rank 3", "lateral, again depend on each other"}},
      {"rank below g, W1e", kFourRows, "realize MODEL --rows lateral,r,l", 0, {"rank 2"}},  // the kept row is permanent now
      {"rank below g jointly with permanent rows",
       jointly,
       "realize MODEL",
       0,
       {"b depends on permanent constraints", "not unique"}},
      {"rank lost at some time",
       rank_lost("1e9", "0"),
       "realize MODEL --until 3",
       0,
       {"at t = 1.5708 s a, b depend on each other", "not unique at t = 1.571 s"}},
      {"rank lost at some time",
       rank_lost("1", "0.1"),
       "realize MODEL --until 3",
       0,
       {"slips at t = 1.471 s", "at t = 1.5708 s the constraints a, b depend on each other"}},
      {"rank lost at some time",
       rank_lost("1", "0.1"),
       "simulate MODEL --until 3",
       0,
       {"singular", "t = 1.57079633 s", "violated from t = 1.471 s", "constraint Jacobian loses rank"}},
      {"rank lost at some time",
       rank_lost("1", "0.1"),
       "simulate MODEL --until 3 --contacts frictional",
       0,
       {"slip:a", "t = 1.47062891 s", "stick:a"}},
      {"inconsistent rows", against, "realize MODEL", 1, {"VN-CONTACT-010", "a, b", "right sides", "correct one"}},
      {"inconsistent rows", against, "simulate MODEL --until 1", 1, {"VN-CONTACT-010"}},
      {"slip at the start",
       slips,
       "realize MODEL",
       0,
       {"0.6 m/s", "nearest velocity without slip", "0.12 J less", "starts with slip (0.6 m/s)"}},
      {"slip at the start", slips, "simulate MODEL --until 1", 1, {"VN-RUN-004", "blade by 0.6", "--project"}},
      {"slip at the start", slips, "simulate MODEL --until 1 --contacts frictional", 0, {"stick:blade"}},
      {"no inertia", massless, "realize MODEL", 1, {"VN-RUN-002", "singular", "wheel'", "give the last body"}},
      {"bound not positive", blade(", bound: 0"), "realize MODEL", 3, {"'blade'", "bound", "positive"}},
      {"bound not positive", blade(", bound: -1"), "simulate MODEL --until 1 --contacts frictional", 3, {"'blade'", "positive"}},
      {"bound not positive", blade(""), "realize MODEL --bound blade=-2", 3, {"VN-REALIZE-003", "'blade'", "positive"}},
      {"bound is not a number", blade(", bound: .nan"), "realize MODEL", 3, {"'blade'", "not a number"}},
      {"bound is not a number", blade(""), "realize MODEL --bound blade=nan", 2, {"blade=nan"}},
      {"viscosity not positive", blade(", law: { viscous: 0 }"), "realize MODEL", 3, {"'blade'", "viscous", "positive"}},
      {"scale of a law not positive",
       blade(", bound: 1, law: { tanh: -0.1 }"),
       "realize MODEL",
       3,
       {"'blade'", "tanh", "positive"}},
      {"scale of a law not positive", blade(", bound: 1"), "realize MODEL --law tanh=0", 3, {"VN-REALIZE-003", "positive"}},
      {"sweep not positive", blade(""), "realize MODEL --until 1 --sweep viscous=10,-1", 3, {"VN-REALIZE-003", "positive"}},
      {"sweep is not a number", blade(""), "realize MODEL --until 1 --sweep viscous=nan", 2, {"'nan' is not a number"}},
      {"bound below the reaction",
       blade(", bound: 0.3"),
       "realize MODEL",
       0,
       {"slips at t = 0 s", "needs 0.3333 N", "available 0.3"}},
      {"bound below the reaction", blade(", bound: 0.3"), "simulate MODEL --until 1 --contacts frictional", 0, {"slip:blade"}},
      {"bound far above the reaction", far_above, "simulate MODEL --until 1 --contacts frictional", 0, {"holds (margin 5e+09)"}},
      {"normal changes sign", kFoot, "realize MODEL --until 4", 0, {"loses contact at t = 1.962 s", "would have to pull"}},
      {"normal changes sign", kFoot, "simulate MODEL --until 4 --contacts frictional", 0, {"lift-off:foot", "t = 1.962 s"}},
      {"nothing presses",
       nothing_presses,
       "simulate MODEL --until 1 --contacts frictional",
       3,
       {"VN-MODEL-110", "nothing presses"}},
      {"Painleve", kRod, "realize MODEL", 0, {"Painlevé", "1 + mu C.e reaches -0.0719"}},
      {"row integrable",
       kSledge + R"(velocity_constraints: { along: "sled.ty' = 2*sled.tx'" })",
       "realize MODEL",
       0,
       {"VN-REALIZE-008", "'along'", "the position drifts", "would keep the position itself"}},
      {"forces no polynomial", drag, "realize MODEL --until 1 --certificate --json", 0, {"\"sampled_growth\": true"}},
      {"mixed units", mixed, "realize MODEL", 0, {"rad/s", "N*m", "m/s"}},
  };
}

class RealizeLimits : public InScratchFolder {};

TEST_F(RealizeLimits, EveryLineOfSection10) {
  for (Limit limit : all_limits()) {
    SCOPED_TRACE(std::string(limit.line) + ": " + limit.command + "\n" + limit.model);
    write("model.yaml", limit.model);
    limit.command.replace(limit.command.find("MODEL"), 5, "model.yaml");
    const ProgramRun result = run(limit.command);
    const std::string told = result.output + result.errors;
    EXPECT_EQ(result.exit_code, limit.exit_code) << told;
    for (const std::string& word : limit.words) EXPECT_NE(told.find(word), std::string::npos) << "'" << word << "' in\n" << told;
    // Where there is no answer there are no numbers.
    if (limit.exit_code != 0) EXPECT_EQ(result.output, "");
  }
}

// The square of a force of 1e155 N overflows, and the force does not: m g = 9.81e155 N on a body that is held up.
TEST_F(RealizeLimits, ForcesWhoseSquaresOverflow) {
  write("heavy.yaml", R"(vinculum: 1
bodies: { weight: { joint: { type: prismatic, axis: z }, mass: 1e155 kg, inertia: [0, 0, 0] } }
velocity_constraints: { hold: { equation: "weight' = 0", bound: 1e300 N } }
)");
  const ProgramRun told = run("realize heavy.yaml --json");
  ASSERT_EQ(told.exit_code, 0) << told.errors;
  EXPECT_NEAR(told.json()["verdicts"][0]["margin"].get<double>() / (1e300 / 9.81e155), 1, 1e-12);
  EXPECT_EQ(told.json()["verdict"], "holds");
}

}  // namespace
}  // namespace vinculum::testing
