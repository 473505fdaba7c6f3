// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Every element of every section of a model file, in every command: it changes the answer, or is named in a refusal. Where a
// question has nothing to do with an element, the table says so.
#include <set>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Elements : public InScratchFolder {};

// A sled with an arm on it; everything is added to it.
std::string model_with(const std::string& joint, const std::string& sections) {
  return R"(
vinculum: 1
bodies:
  sled: { joint: { axes: [tx, ty, tz, rz] }, mass: 2, inertia: 0.3, com: [0.2, 0.1, 0] }
  arm: { parent: sled, joint: { type: revolute, axis: y, origin: [0.3, 0, 0])" +
         joint + R"( }, mass: 1, inertia: 0.1, com: [0.1, 0, -0.4] }
initial: { arm: 0.2, "arm'": 0.3 }
)" + sections +
         "\n";
}

struct Element {
  std::string what;
  std::string name;  // that a refusal has to say
  std::string joint, sections;
  std::string without;               // sections to compare with; else none
  std::set<std::string> no_meaning;  // commands whose question it has nothing to do with
};

const std::string kContact = "contacts: { foot: { body: arm, with: world, point: [0, 0, 0], forbid: [normal";

TEST_F(Elements, AreHonouredNamedOrRefused) {
  const std::set<std::string> commands_of_motion = {"evaluate", "inverse", "series",    "integrals",
                                                    "derive",   "balance", "linearise", "equilibrium"};
  std::set<std::string> commands_of_all = commands_of_motion, but_verdicts = commands_of_motion;
  commands_of_all.insert("simulate");
  but_verdicts.erase("evaluate");
  but_verdicts.erase("inverse");
  auto but_evaluate = commands_of_motion;
  but_evaluate.erase("evaluate");
  auto but_verdicts_and_check = but_verdicts;
  but_verdicts_and_check.insert("check");
  const Element elements[] = {
      {"environment body", "", "", "environment: { deck: { surface: plane, position: [0, 0, 0.1] } }", "", commands_of_all},
      {"contact", "foot", "", kContact + "] } }", "", {}},
      {"friction of a contact", "foot", "", kContact + ", lateral], friction: 0.3 } }", kContact + ", lateral] } }",
       but_verdicts_and_check},
      {"bound of a contact", "foot", "", kContact + ", lateral], bound: 3 } }", kContact + ", lateral] } }",
       but_verdicts_and_check},
      {"laws of a contact", "foot", "", kContact + "], laws: { forward: { viscous: 2 } } } }", kContact + "] } }", {"check"}},
      {"sliding friction",
       "foot",
       "",
       kContact + "], sliding_friction: { coefficient: 0.2, smoothing: 0.01 } } }",
       kContact + "] } }",
       {"check"}},
      {"motion", "arm", "", "motions: { arm: \"0.2 + 0.3*t\" }", "", {}},
      {"velocity constraint", "gear", "", "velocity_constraints: { gear: \"arm' - 0.3 = 2*sled.rz'\" }", "", {}},
      {"bound of a velocity constraint", "gear", "",
       "velocity_constraints: { gear: { equation: \"arm' - 0.3 = 2*sled.rz'\", bound: 1 } }",
       "velocity_constraints: { gear: \"arm' - 0.3 = 2*sled.rz'\" }", but_verdicts_and_check},
      {"law of a velocity constraint", "gear", "",
       "velocity_constraints: { gear: { equation: \"arm' - 0.3 = 2*sled.rz'\", law: {viscous: 2} } }",
       "velocity_constraints: { gear: \"arm' - 0.3 = 2*sled.rz'\" }", but_verdicts_and_check},
      {"string", "rope", "", "strings: { rope: { from: world, to: arm, at: [0, 0, 1], length: sqrt(1.09) } }", "", {"balance"}},
      {"guide",
       "rail",
       "",
       "guides: { rail: { body: sled, pairs: [{ face1: {point: [0, 0, 0], normal: [0, 1, 0]}, face2: {point: [0, 0, 0], normal: "
       "[0, -1, 0]} }] } }",
       "",
       {}},
      {"joint force", "motor", "", "forces: { motor: { joint: arm, law: \"1 - 0.2*arm'\" } }", "", {"balance"}},
      {"body force", "wind", "", "forces: { wind: { body: arm, force: [1, 0, 0.5] } }", "", {"balance"}},
      {"spring",
       "coil",
       "",
       "forces: { coil: { between: [world, [0, 0, 1]], and: [arm, [0, 0, 0]], stiffness: 10, length: 0.5 } }",
       "",
       {"balance"}},
      {"event", "down", "", "events: { down: \"arm - 0.21\" }", "", commands_of_motion},
      {"output", "load", "", "outputs: { load: \"2*arm''\" }", "", but_evaluate},
      {"requirement", "load", "", "outputs: { load: { value: \"arm''\", require: \"< 0.001\" } }", "outputs: { load: \"arm''\" }",
       but_verdicts_and_check},
      {"state",
       "memory",
       "",
       "states: { memory: \"arm - memory\" }\nforces: { motor: { joint: arm, law: \"1 - memory\" } }",
       "forces: { motor: { joint: arm, law: 1 } }",
       {"balance", "evaluate", "inverse"}},  // it starts at 0
      {"input",
       "torque",
       "",
       "inputs: { torque: 2 N*m }\nforces: { motor: { joint: arm, law: \"torque\" } }",
       "forces: { motor: { joint: arm, law: 0 } }",
       {"balance"}},
      {"sampled value",
       "u",
       "",
       "samples: { loop: { every: 1 ms, offset: 10, hold: { u: 0 }, initial: { u: 2 } } }\nforces: { motor: { joint: arm, law: "
       "\"u\" } }",
       "forces: { motor: { joint: arm, law: 0 } }",
       {"balance"}},
      {"table",
       "motor",
       "",
       "tables: { motor: { file: push.csv, x: x, y: f } }\nforces: { motor: { joint: arm, law: \"table(motor, arm)\" } }",
       "",
       {"balance"}},
      {"limits", "arm", ", limits: { position: [-1, 0.21], velocity: 1, effort: 2 }", "", "", but_verdicts},
  };
  const std::vector<std::pair<std::string, std::string>> commands = {
      {"check", "check {}"},
      {"evaluate", "evaluate {} --project"},
      {"inverse", "inverse {} --state accelerations.json --project"},
      {"simulate", "simulate {} --until 0.3 --project"},
      {"simulate", "simulate {} --until 0.3 --project --contacts frictional"},
      {"series", "series {} --order 3"},
      {"integrals", "integrals {}"},
      {"derive", "derive {}"},
      {"balance", "balance {} --property force"},
      {"linearise", "linearise {}"},
      {"equilibrium", "equilibrium {}"},
      {"realize", "realize {}"}};
  write("accelerations.json", R"({"q": {"arm": 0.2}, "v": {"arm'": 0.3}, "a": {"arm'": 0.7}})");
  write("push.csv", "x,f\n-10,5\n0,1\n10,-7\n");
  for (const Element& element : elements) {
    write("with.yaml", model_with(element.joint, element.sections));
    write("without.yaml", model_with("", element.without));
    for (const auto& [name, line] : commands) {
      if (element.no_meaning.count(name)) continue;
      const auto answer = [&, &line = line](const std::string& file) {
        std::string command = line;
        return run(command.replace(command.find("{}"), 2, file));
      };
      const auto with = answer("with.yaml"), without = answer("without.yaml");
      ASSERT_NE(with.exit_code, 3) << with.errors;
      ASSERT_NE(without.exit_code, 3) << without.errors;
      if (with.exit_code != 0 && without.exit_code != 0) continue;  // this start has no answer anyway
      const bool changes = with.output != without.output;
      const bool refused = with.exit_code == 1 && with.errors.find("'" + element.name) != std::string::npos;
      EXPECT_TRUE(changes || refused) << element.what << " in " << name << ":\n" << with.output << with.errors;
      // At rest, or steady: with the element this start may be neither, and that is the reason.
      if (with.exit_code == 1 && name != "linearise" && name != "equilibrium") {
        EXPECT_TRUE(refused) << element.what << " in " << name << ": " << with.errors;
      }
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
