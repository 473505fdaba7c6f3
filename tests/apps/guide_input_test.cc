// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Theory 5, section 11: what is wrong with guides, line by line, and what the program says about it.
#include <array>
#include <vector>

#include "tests/support/guide_texts.h"
#include "tests/support/program.h"

namespace vinculum::testing::guide_input {
namespace {

class GuideInput : public InScratchFolder {};

const std::string kFirstPair = prism_pair(-0.4, -0.45, 0.2, -0.25, 0.3, 0.2),
                  kSecondPair = prism_pair(0.5, 0.42, 0.22, -0.3, 0.25, 0.35);

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("no '" + what + "' in the text");
  return text.replace(at, what.size(), by);
}

// The prism of W2 with other pairs; pulled less, at rest.
std::string sliding(const std::string& pairs) {
  return prism_text(pairs, 2, "10, -19.62", 3, "initial: { \"slider.tx'\": 0.7 }");
}
std::string resting(const std::string& pairs) { return prism_text(pairs, 2, "1, -19.62", 3, ""); }

// A plate between two planes on pads at these places.
std::string plate_at(const std::vector<std::array<double, 2>>& places, const std::string& more) {
  std::string pairs;
  for (const auto& [x, y] : places) {
    pairs += fmt::format(
        "\n      - face1: {{ point: [{0}, {1}, 0.4], normal: [0, 0, -1], friction: 0.2, pad: {{ radius: 0.05, pressure: uniform "
        "}} }}"
        "\n        face2: {{ point: [{0}, {1}, -0.4], normal: [0, 0, 1], friction: 0.3, pad: {{ radius: 0.05, pressure: uniform "
        "}} }}",
        x, y);
  }
  return "vinculum: 1\nbodies: { plate: { joint: { type: free }, mass: 3, inertia: [0.9, 0.9, 0.9, 0, -0.12, 0.08] } }\n"
         "guides:\n  planes:\n    body: plate\n    pairs:" +
         pairs + "\n" + more + "\n";
}

TEST_F(GuideInput, EveryWrongLineIsNamed) {
  const std::string pushed = "forces: { push: { body: plate, force: [100, 0, 0] } }",
                    thrown = pushed + "\ninitial: { \"plate.tx'\": 1.2, plate.wz: 2.5 }";
  const std::vector<std::array<double, 2>> line = {{0.5, 0.1}, {0, 0.1}, {-0.5, 0.1}},
                                           four = {{0.5, 0.4}, {-0.5, 0.4}, {-0.5, -0.4}, {0.5, -0.4}};
  const std::string coincident = prism_pair(0.3, 0.3, 0.2, -0.25, 0.3, 0.2) + ", " + prism_pair(0.3, 0.3, 0.22, -0.3, 0.25, 0.35),
                    three = kFirstPair + ", " + kSecondPair + ", " + prism_pair(0.1, 0.1, 0.2, -0.2, 0.3, 0.3),
                    crossed = prism_pair(0.6, -0.45, 0.2, -0.25, 0.3, 0.2) + ", " + kSecondPair,
                    oblique = replaced(kFirstPair, "[0, -1, 0]", "[0.1, -1, 0]") + ", " + kSecondPair,
                    both = kFirstPair + ", " + kSecondPair, w2 = sliding(both);
  const auto rod = [](double f) { return prism_pair(-0.1, -0.1, 0.5, 0.5, f, f) + ", " + prism_pair(0.1, 0.1, 0.5, 0.5, f, f); };
  const struct {
    const char* name;
    std::string model;
    std::vector<const char*> commands;
    int exit_code;
    std::vector<const char*> words;  // all of them on standard error
  } lines[] = {
      // pairs coincident on the prism, collinear on the three-pad body: B0 is singular
      {"coincident",
       sliding(coincident),
       {"variants"},
       1,
       {"VN-VARIANT-004", "rail.2", "statically indeterminate", "move the pair"}},
      {"coincident in motion",
       sliding(coincident),
       {"evaluate", "simulate"},
       1,
       {"VN-CONTACT-100", "rail.1, rail.2", "Move a pair"}},
      {"coincident at rest",
       resting(coincident),
       {"variants", "limit"},
       1,
       {"VN-VARIANT-004", "rail.2", "statically indeterminate"}},
      {"collinear", plate_at(line, thrown), {"variants"}, 1, {"VN-VARIANT-004", "planes.2", "statically indeterminate"}},
      {"collinear in motion", plate_at(line, thrown), {"evaluate", "simulate"}, 1, {"VN-CONTACT-100", "three on one line"}},
      {"collinear at rest", plate_at(line, pushed), {"variants", "limit"}, 1, {"VN-VARIANT-004", "planes.2"}},
      // more faces than constraint rank: remove, or use compliance
      {"redundant", sliding(three), {"variants", "evaluate", "simulate"}, 1, {"VN-VARIANT-004", "or remove it", "compliance"}},
      {"redundant at rest", resting(three), {"variants", "evaluate", "simulate", "limit"}, 1, {"VN-VARIANT-004", "compliance"}},
      {"four pads", plate_at(four, thrown), {"variants", "evaluate", "simulate"}, 1, {"VN-VARIANT-004", "planes.4"}},
      {"four pads at rest", plate_at(four, pushed), {"variants", "evaluate", "simulate", "limit"}, 1, {"VN-VARIANT-004"}},
      // non-unit normals: normalise, warn
      {"not of length 1",
       replaced(w2, "[0, -1, 0]", "[0, -2, 0]"),
       {"check", "variants", "evaluate", "simulate", "limit"},
       0,
       {"warning", "the normal has length 2; it is brought to length 1", "VN-MODEL-121"}},
      {"of no length", replaced(w2, "[0, -1, 0]", "[0, 0, 0]"), {"check", "variants"}, 3, {"a direction cannot be zero"}},
      // normals not opposed: reject
      {"not opposed",
       replaced(w2, "[0, -1, 0]", "[0, 1, 0]"),
       {"check", "variants", "limit"},
       3,
       {"VN-MODEL-120", "not opposed"}},
      {"oblique", sliding(oblique), {"variants", "evaluate", "simulate"}, 1, {"VN-GUIDE-001", "rail.1", "same line of action"}},
      {"oblique at rest", resting(oblique), {"variants", "evaluate", "simulate", "limit"}, 1, {"VN-GUIDE-001", "rail.1"}},
      // overlapping pairs (4.3): report the two variants, do not compute
      {"crossed", sliding(crossed), {"variants", "evaluate", "simulate"}, 1, {"VN-VARIANT-003", "(2, 2) and (1, 2)", "overlap"}},
      {"crossed at rest", resting(crossed), {"variants", "evaluate", "simulate", "limit"}, 1, {"VN-VARIANT-003", "overlap"}},
      // mass and inertia
      {"negative mass",
       replaced(w2, "mass: 2", "mass: -2"),
       {"variants", "limit"},
       3,
       {"mass -2 kg is negative", "VN-MODEL-011"}},
      {"negative inertia",
       replaced(w2, "inertia: 0.1", "inertia: -0.1"),
       {"variants"},
       3,
       {"negative principal moment", "VN-MODEL-020"}},
      {"products of inertia",
       replaced(plate_at(line, thrown), "0, -0.12, 0.08", "0, -0.8, 0.7"),
       {"variants"},
       3,
       {"negative principal moment", "signs of the products", "VN-MODEL-020"}},
      // NaN
      {"no number", replaced(w2, "force: [10,", "force: [.nan,"), {"variants", "limit"}, 3, {"not a number", "VN-FILE-017"}},
      {"no number as point", replaced(w2, "[-0.4, 0.2, 0]", "[.nan, 0.2, 0]"), {"check", "variants"}, 3, {"not a number"}},
      {"no number as friction", replaced(w2, "friction: 0.3", "friction: .nan"), {"check", "variants"}, 3, {"not a number"}},
      {"an infinite one", replaced(w2, "friction: 0.3", "friction: .inf"), {"check", "variants"}, 3, {"infinite"}},
      // friction, radius, pressure (contract)
      {"negative friction", replaced(w2, "friction: 0.3", "friction: -0.3"), {"variants", "limit"}, 3, {"must not be negative"}},
      {"negative radius", replaced(disc_text(), "radius: 0.1", "radius: -0.1"), {"variants"}, 3, {"must be positive"}},
      {"power", replaced(disc_text(), "pressure: uniform", "pressure: { power: -1.5 }"), {"variants"}, 3, {"VN-MODEL-107"}},
      {"cosine", replaced(disc_text(), "pressure: uniform", "pressure: { cosine: -1 }"), {"variants"}, 3, {"VN-MODEL-107"}},
      {"pressure", replaced(disc_text(), "pressure: uniform", "pressure: soft"), {"variants"}, 3, {"'soft' is not known"}},
      // none realised: the message names the jam
      {"jam",
       prism_text(rod(0.25), 1, "0, -1", 1, "initial: { \"slider.tx'\": 1 }"),
       {"evaluate", "simulate"},
       1,
       {"VN-GUIDE-003", "jam", "friction times 0.8"}},
      // a model without guides
      {"no guides",
       replaced(w2, w2.substr(w2.find("guides:"), w2.find("forces:") - w2.find("guides:")), ""),
       {"variants", "limit"},
       1,
       {"VN-VARIANT-026", "no guides"}},
  };
  for (const auto& line_of : lines) {
    write("model.yaml", line_of.model);
    for (const std::string command : line_of.commands) {
      const auto run = this->run(command + " model.yaml" +
                                 (command == "limit"      ? " --load push"
                                  : command == "simulate" ? " --until 0.01"
                                                          : "") +
                                 " --json");
      EXPECT_EQ(run.exit_code, line_of.exit_code) << line_of.name << ", " << command << ": " << run.errors;
      for (const char* words : line_of.words)
        EXPECT_NE(run.errors.find(words), std::string::npos)
            << line_of.name << ", " << command << " does not say '" << words << "': " << run.errors;
      const auto json = run.json();
      ASSERT_TRUE(json.contains("diagnostics")) << line_of.name << ", " << command;
      EXPECT_FALSE(json["diagnostics"].empty()) << line_of.name << ", " << command;
      // Nothing that looks like an answer stands beside a refusal.
      if (line_of.exit_code != 0)
        for (const char* key : {"solutions", "alpha", "accelerations", "final"})
          EXPECT_FALSE(json.contains(key)) << line_of.name << ", " << command << ", " << key;
    }
  }
}

// Not wrong: a model at rest, a dead centre, no friction.
TEST_F(GuideInput, WhatLooksWrongAndIsNot) {
  write("rest.yaml", resting(kFirstPair + ", " + kSecondPair));
  auto json = run("variants rest.yaml --json").json();
  EXPECT_EQ(json["verdict"], "rest");
  EXPECT_EQ(json["solutions"][0]["accelerations"]["slider.tx'"], 0);
  EXPECT_EQ(run("evaluate rest.yaml --json").json()["guides"], "rest");

  write("away.yaml", prism_text(kFirstPair + ", " + kSecondPair, 2, "10, -19.62", 3, ""));
  json = run("variants away.yaml --json").json();
  EXPECT_EQ(json["verdict"].get<std::string>().rfind("breakaway", 0), 0u) << json["verdict"];
  EXPECT_NEAR(json["solutions"][0]["accelerations"]["slider.tx'"].get<double>(), 2.411312883435583, 1e-12);
  EXPECT_NEAR(run("evaluate away.yaml --json").json()["accelerations"]["slider.tx'"].get<double>(), 2.411312883435583, 1e-12);

  write("smooth.yaml", sliding(prism_pair(-0.4, -0.45, 0.2, -0.25, 0, 0) + ", " + prism_pair(0.5, 0.42, 0.22, -0.3, 0, 0)));
  json = run("variants smooth.yaml --json").json();
  EXPECT_EQ(json["critical_friction_scale"], nullptr);
  EXPECT_EQ(json["unique_for_all_loads"], true);
  EXPECT_NEAR(json["solutions"][0]["accelerations"]["slider.tx'"].get<double>(), 5, 1e-13);

  // Section 8: at the dead centre the sliding velocity is zero while the mechanism moves; beyond it the loads are others.
  write("crank.yaml", slider_crank_text(3.191613510396));
  json = run("variants crank.yaml --json").json();
  ASSERT_EQ(json["verdict"], "unique") << json;
  EXPECT_NEAR(json["solutions"][0]["signed_N"]["bore.1"].get<double>(), 4.210758, 1e-6);
  EXPECT_NEAR(json["solutions"][0]["signed_N"]["bore.2"].get<double>(), 1.992166, 1e-6);
  EXPECT_NEAR(json["solutions"][0]["accelerations"]["crank'"].get<double>(), 573.286050, 1e-6);
}

// Whatever the size of a model, its loads count: that of a slider of a few milligrams as that of W2.
TEST_F(GuideInput, SmallModelsHaveLoads) {
  for (const double size : {1e-6, 1e-12, 1e6}) {
    const std::string scale = fmt::format("*{}", size);
    std::string text = replaced(sliding(kFirstPair + ", " + kSecondPair), "mass: 2, inertia: 0.1",
                                "mass: \"2" + scale + "\", inertia: \"0.1" + scale + "\"");
    text = replaced(text, "force: [10, -19.62, 0], torque: [0, 0, 3]",
                    "force: [\"10" + scale + "\", \"-19.62" + scale + "\", 0], torque: [0, 0, \"3" + scale + "\"]");
    write("slider.yaml", text);
    const auto json = run("variants slider.yaml --json").json();
    ASSERT_EQ(json["verdict"], "unique") << size;
    EXPECT_NEAR(json["solutions"][0]["signed_N"]["rail.1"].get<double>() / size, 11.264171779141105, 1e-12);
    EXPECT_NEAR(json["solutions"][0]["accelerations"]["slider.tx'"].get<double>(), 2.411312883435583, 1e-13);
    const auto motion = run("simulate slider.yaml --until 0.1 --json").json();
    EXPECT_NEAR(motion["final"]["q"]["slider.tx"].get<double>(), 0.07 + 0.005 * 2.411312883435583, 1e-12) << size;
  }
}

TEST_F(GuideInput, WrongBareProblems) {
  const auto square = [](const char* d, const char* B1) {
    return fmt::format(R"({{"B1": {}, "B2": [[1]], "F1": [[0]], "F2": [[0]], "d": {}}})", B1, d);
  };
  const struct {
    std::string text;
    int exit_code;
    const char* words;
  } lines[] = {{square("[1]", "[[NaN]]"), 3, "is not valid JSON from character 10 on"},
               {square("[1]", "[[-1e999]]"), 3, "beyond 1.8e308"},
               {square("[1]", "[[\"a\"]]"), 3, "entry 1 of row 1 of B1 is not a finite number"},
               {square("[1]", "[[-1, 0]]"), 3, "row 1 of B1 has 2 entries, not 1"},
               {square("[1]", "[[-1], [0]]"), 3, "B1 has not 1 rows"},
               {square("1", "[[-1]]"), 3, "d is not a list of numbers"},
               {R"({"B1": [], "B2": [], "F1": [], "F2": [], "d": []})", 3, "d is empty"},
               {R"({"B1": [[-1]], "B2": [[1]], "F1": [[0]], "F2": [[0]], "d": [1], "x": 1})", 3, "the key 'x' is unknown"},
               {square("[1]", "[[1]]"), 1, "determinants of opposite sign"},
               {square("[1]", "[[0]]"), 1, "statically indeterminate"}};
  for (const auto& [text, exit_code, words] : lines) {
    write("problem.json", text);
    const auto run = this->run("variants --problem problem.json --json");
    EXPECT_EQ(run.exit_code, exit_code) << text << run.errors;
    EXPECT_NE(run.errors.find(words), std::string::npos) << text << run.errors;
    EXPECT_FALSE(run.json()["diagnostics"].empty());
  }
}

// More than 20 pairs that are strongly coupled: branches end by linear programs, and it is said.
TEST_F(GuideInput, ManyPairsAreBranchedAndBounded) {
  const int m = 22;
  std::string matrices[4], d;
  for (int i = 0; i < m; ++i) {
    std::string rows[4];
    for (int j = 0; j < m; ++j) {
      const double first = 0.6 * std::sin(7.0 * i + 3.3 * j + 1), second = 0.6 * std::sin(5.0 * i - 2.1 * j + 2);
      const double values[] = {i == j ? -2 : first, i == j ? 2 : second, i == j ? 0 : first, i == j ? 0 : second};
      for (int k = 0; k < 4; ++k) rows[k] += fmt::format("{}{}", j > 0 ? ", " : "", values[k]);
    }
    for (int k = 0; k < 4; ++k) matrices[k] += fmt::format("{}[{}]", i > 0 ? ", " : "", rows[k]);
    d += fmt::format("{}{}", i > 0 ? ", " : "", std::cos(3.7 * i));
  }
  write("many.json", fmt::format(R"({{"B1": [{}], "B2": [{}], "F1": [{}], "F2": [{}], "d": [{}]}})", matrices[0], matrices[1],
                                 matrices[2], matrices[3], d));
  const auto run = this->run("variants --problem many.json");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NE(run.output.find("more than 20 strongly coupled pairs: branches were also ended by linear programs"),
            std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("the critical friction of 22 connected pairs needs 2^22 eigenvalue problems"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::testing::guide_input
