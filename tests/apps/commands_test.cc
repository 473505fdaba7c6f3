// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands as other programs call them: words, exit codes, one JSON document.
#include <cmath>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Commands : public InScratchFolder {};

constexpr const char* kCart = R"yaml(
vinculum: 1
name: cart
gravity: [0, 0, -10]
parameters: { length: 0.5 m }
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 0.1 }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -length], inertia: [0, 0, 0] }
motions: { cart: "0.2*sin(3*t)" }
events: { bottom: "bob" }
initial: { bob: 0.3 }
)yaml";

TEST_F(Commands, CheckTellsWhatTheModelIs) {
  write("cart.yaml", kCart);
  const auto run = this->run("check cart.yaml --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["bodies"], (nlohmann::json{"cart", "bob"}));
  EXPECT_EQ(json["coordinates"], (nlohmann::json{"cart", "bob"}));
  EXPECT_EQ(json["velocities"], (nlohmann::json{"cart'", "bob'"}));
  EXPECT_EQ(json["constraints"], (nlohmann::json{"motion:cart"}));
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["degrees_of_freedom"], 1);
  EXPECT_TRUE(json["redundant"].empty());
  EXPECT_EQ(json["determinate"]["motion:cart"], true);
}

TEST_F(Commands, EvaluateGivesEverythingAtAState) {
  write("cart.yaml", kCart);
  write("state.json", R"({"t": 0.5, "q": {"cart": 0.19949899732081, "bob": 0.3}, "v": {"cart'": 0.04244232100062, "bob'": 0}})");
  const auto run = this->run("evaluate cart.yaml --state state.json --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  // Cart driven: a = -1.8 sin(1.5). The bob, a point mass at l: l φ'' = -a cos φ·(-1).. : φ'' = (a cos φ - g sin φ)/l for φ about
  // +y
  const double a = -1.8 * std::sin(1.5), angle = 0.3;
  EXPECT_NEAR(json["accelerations"]["cart'"], a, 1e-13);
  EXPECT_NEAR(json["accelerations"]["bob'"], (a * std::cos(angle) - 10 * std::sin(angle)) / 0.5, 1e-12);
  EXPECT_NEAR(json["mass_matrix"][0][0], 5, 1e-14);
  EXPECT_NEAR(json["mass_matrix"][0][1], -2 * 0.5 * std::cos(angle), 1e-14);
  EXPECT_NEAR(json["mass_matrix"][1][1], 2 * 0.25, 1e-14);
  EXPECT_NEAR(json["energy"]["potential"], -2 * 10 * 0.5 * std::cos(angle), 1e-13);
  EXPECT_EQ(json["constraint_jacobian"]["motion:cart"]["cart'"], 1);
  EXPECT_NEAR(json["constraint_rhs"]["motion:cart"], 0.6 * std::cos(1.5), 1e-14);
  EXPECT_NEAR(json["constraint_gamma"]["motion:cart"], a, 1e-14);
  // A a + h = tau + Dᵀ λ with tau = 0
  const double row =
      5 * a + double(json["mass_matrix"][0][1]) * double(json["accelerations"]["bob'"]) + double(json["bias"]["cart'"]);
  EXPECT_NEAR(json["multipliers"]["motion:cart"], row, 1e-12);
  EXPECT_NEAR(json["reactions"]["bob"]["force"][0], 2 * (a - 0.5 * std::cos(angle) * double(json["accelerations"]["bob'"])),
              1e-12);
  EXPECT_NEAR(json["poses"]["bob"]["position"][0], 0.19949899732081, 1e-14);
  EXPECT_EQ(json["velocities"], (nlohmann::json{"cart'", "bob'"}));
}

// A rope that hangs still.
std::string write_rope(int links) {
  std::string text = "vinculum: 1\ngravity: [0, 0, -10]\nbodies:\n";
  for (int i = 0; i < links; ++i) {
    const std::string parent = i > 0 ? "parent: b" + std::to_string(i - 1) + ", " : "";
    text += "  b" + std::to_string(i) + ": { " + parent + "joint: {type: revolute, axis: y, origin: [0, 0, " +
            (i > 0 ? "-1" : "0") + "]}, mass: 2, com: [0, 0, -0.5], inertia: 1 }\n";
  }
  return text;
}

// The first joint carries thirty thousand links. Names are many; none is looked for twice.
TEST_F(Commands, EvaluateTakesLongChains) {
  constexpr int kLinks = 30'000;
  std::string state = "{\"q\": {";
  for (int i = 0; i < kLinks; ++i) state += (i > 0 ? ", \"b" : "\"b") + std::to_string(i) + "\": 0";
  write("rope.yaml", write_rope(kLinks));
  write("state.json", state + "}}");
  const auto run = this->run("evaluate rope.yaml --state state.json --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["reactions"].size(), size_t{kLinks});
  EXPECT_NEAR(json["reactions"]["b0"]["force"][2], 20.0 * kLinks, 1e-15 * kLinks * 20 * kLinks);
  EXPECT_EQ(json["poses"]["b29999"]["position"][2], 1.0 - kLinks);
  EXPECT_EQ(json["accelerations"]["b29999'"], 0);

  // What would need 30 000 by 30 000 numbers says so.
  for (const char* command : {"linearise", "equilibrium", "evaluate --form vector", "evaluate --form aggregate"}) {
    const auto refused = this->run(command + std::string(" rope.yaml"));
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_NE(refused.errors.find("the model has 30000 velocities"), std::string::npos) << refused.errors;
  }
}

TEST_F(Commands, IntegralsOfALongChainLeaveMomentaOut) {
  write("rope.yaml", write_rope(1001));
  const auto run = this->run("integrals rope.yaml --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.json()["not_considered"],
            (nlohmann::json{"generalized momenta: more than 1000 velocities",
                            "bodies on other bodies with all they carry: the model is too large for them"}));
  EXPECT_EQ(run.json()["integrals"][0]["name"], "E");
}

TEST_F(Commands, IntegralsTellsWhatIsConservedAndWhy) {
  write("thrown.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies:
  hull: { joint: {type: free}, mass: 2, inertia: [.1, .12, .08] }
  arm: { parent: hull, joint: {type: revolute, axis: y, origin: [.3, 0, .1]}, mass: 1, com: [.4, 0, 0], inertia: [.01, .05, .05] }
)yaml");
  const auto run = this->run("integrals thrown.yaml --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["count"], 8);
  EXPECT_EQ(json["independent_functions"], 8);
  EXPECT_EQ(json["integrals"].size(), 8u);
  EXPECT_EQ(json["integrals"][0]["name"], "E");
  EXPECT_EQ(json["integrals"][3]["name"], "Pz + 30 t");
  EXPECT_EQ(json["integrals"][3]["terms"], (nlohmann::json{{"Pz", 1.0}, {"t", 30.0}}));
  EXPECT_NE(json["integrals"][3]["why"].get<std::string>().find("gravity"), std::string::npos);
  EXPECT_GE(json["gap"]["ratio"], 1e4);
  EXPECT_GE(json["samples"], json["candidates"].size() + 8);

  // The cart is driven: neither momentum nor energy stays.
  write("cart.yaml", kCart);
  const auto driven = this->run("integrals cart.yaml --json");
  ASSERT_EQ(driven.exit_code, 0) << driven.errors;
  EXPECT_EQ(driven.json()["count"], 0);
  EXPECT_EQ(this->run("integrals nothing.yaml").exit_code, 3);
}

TEST_F(Commands, AStateOffTheGivenMotionIsRefused) {
  write("cart.yaml", kCart);
  write("state.json", R"({"q": {"cart": 0.25}})");
  const auto run = this->run("evaluate cart.yaml --state state.json --json");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.errors.find("motion:cart"), std::string::npos) << run.errors;
  EXPECT_NEAR(run.json()["constraint_residual"]["motion:cart"]["position"], 0.25, 1e-15);
  EXPECT_FALSE(run.json().contains("accelerations"));
  EXPECT_EQ(this->run("evaluate cart.yaml --state state.json --residual 0.3").exit_code, 0);
}

TEST_F(Commands, SetOverridesParametersAndStart) {
  write("cart.yaml", kCart);
  const auto json = run("evaluate cart.yaml --set length=2 --set bob=0.1 --json").json();
  EXPECT_NEAR(json["energy"]["potential"], -2 * 10 * 2 * std::cos(0.1), 1e-13);
  const auto wrong = run("evaluate cart.yaml --set lenght=2");
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_NE(wrong.errors.find("length"), std::string::npos) << wrong.errors;
}

TEST_F(Commands, InverseAtAState) {
  write("cart.yaml", kCart);
  write("state.json", R"({"q": {"bob": 0.3}, "a": {"bob'": 2, "cart'": 1}})");
  const auto json = run("inverse cart.yaml --state state.json --json").json();
  EXPECT_NEAR(json["forces"]["cart'"], 5 * 1 - 2 * 0.5 * std::cos(0.3) * 2, 1e-12);
  EXPECT_NEAR(json["forces"]["bob'"], 2 * 0.25 * 2 - 2 * 0.5 * std::cos(0.3) * 1 + 2 * 10 * 0.5 * std::sin(0.3), 1e-12);
  EXPECT_NEAR(json["reactions"]["cart"]["force"][2], 50 + 2 * 0.5 * std::sin(0.3) * 2, 1e-12);
}

// The motion of a run, handed back: the drives must supply what they supplied. Accelerations come from a spline of 1 ms steps.
TEST_F(Commands, InverseAlongAMotion) {
  write("cart.yaml", kCart);
  ASSERT_EQ(run("simulate cart.yaml --until 2 --every 0.001 --output out --no-report").exit_code, 0);
  const auto result = run("inverse cart.yaml --motion out/states.csv --output forces.csv --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto json = result.json();
  const auto reactions = read_file(folder_ / "out/reactions.csv");
  const size_t last = reactions.rfind(',');
  const double driving = std::stod(reactions.substr(last + 1));
  EXPECT_GT(std::abs(driving), 0.1);
  EXPECT_NEAR(json["forces"]["cart'"].back(), driving, 1e-4);
  EXPECT_NEAR(json["forces"]["bob'"].back(), 0, 1e-4);
  EXPECT_EQ(json["t"].size(), 2001u);
  EXPECT_TRUE(read_file(folder_ / "forces.csv").starts_with("t [s],force(cart') [N],force(bob') [N*m],"));
}

TEST_F(Commands, ExitCodes) {
  write("cart.yaml", kCart);
  write("bad.yaml", "vinculum: 1\nbodies: { a: { joint: {type: revolut}, mass: 1 } }\n");
  write("guide.yaml",
        std::string(kCart) +
            "guides: { rail: { body: bob, pairs: [{ face1: {point: [0, 0, 0], normal: [0, 1, 0]}, face2: {point: [0, 0, "
            "0], normal: [0, -1, 0]} }] } }\n");
  EXPECT_EQ(run("check cart.yaml").exit_code, 0);
  EXPECT_EQ(run("check").exit_code, 2);
  EXPECT_EQ(run("chek cart.yaml").exit_code, 2);
  EXPECT_EQ(run("check cart.yaml --jsn").exit_code, 2);
  EXPECT_EQ(run("check missing.yaml").exit_code, 3);
  EXPECT_EQ(run("check bad.yaml").exit_code, 3);
  EXPECT_EQ(run("simulate cart.yaml").exit_code, 2);
  EXPECT_EQ(run("simulate cart.yaml --until 1 --integrator rk5").exit_code, 2);
  EXPECT_EQ(run("--help").exit_code, 0);
  EXPECT_EQ(run("simulate --help").exit_code, 0);
  const auto refused = run("derive guide.yaml --json");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.errors.find("guide 'rail'"), std::string::npos);
  EXPECT_EQ(refused.json()["diagnostics"][0]["code"], "VN-DERIVE-001");
}

TEST_F(Commands, DiagnosticsNameFileLineAndHint) {
  write("bad.yaml",
        "vinculum: 1\nbodies:\n  a: { joint: {type: revolut}, mass: 1 kg, inertia: 1 }\n  b: { parent: c, joint: {type: fixed}, "
        "mass: -2 }\n");
  const auto run = this->run("check bad.yaml --json");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.errors.find("bad.yaml:3:22: error:"), std::string::npos) << run.errors;
  EXPECT_NE(run.errors.find("did you mean 'revolute'?"), std::string::npos) << run.errors;
  const auto json = run.json();
  ASSERT_GE(json["diagnostics"].size(), 1u);
  for (const auto& diagnostic : json["diagnostics"]) {
    for (const char* key : {"severity", "code", "message", "file", "line", "column", "element", "hint"})
      EXPECT_TRUE(diagnostic.contains(key)) << key;
  }
}

TEST_F(Commands, NewWritesAModelThatRuns) {
  const auto made = run("new mine.yaml");
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  EXPECT_EQ(run("new mine.yaml").exit_code, 2) << "an existing file must not be overwritten";
  const auto simulated = run("simulate mine.yaml --until 1 --json");
  EXPECT_EQ(simulated.exit_code, 0) << simulated.errors;
  EXPECT_GT(simulated.json()["steps"], 3);
}

TEST_F(Commands, ConvertListsWhatIsLost) {
  write("arm.urdf", R"(<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0 0 0.2"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
<calibration rising="0.1"/></joint></robot>)");
  const auto run = this->run("convert arm.urdf -o arm.yaml");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NE(run.errors.find("calibration"), std::string::npos) << run.errors;
  EXPECT_EQ(this->run("check arm.yaml").exit_code, 0);
  EXPECT_EQ(this->run("convert arm.urdf -o arm.yaml --strict").exit_code, 1);
}

TEST_F(Commands, ExplainKnowsEveryCode) {
  const auto run = this->run("explain VN-MODEL-021");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.output.find("triangle"), std::string::npos);
  EXPECT_NE(run.output.find("after     inertia: [0.1, 0.1, 0.15]"), std::string::npos) << run.output;
  EXPECT_EQ(this->run("explain vn-model-021").output, run.output);
  EXPECT_EQ(this->run("explain VN-NONE-000").exit_code, 2);
}

TEST_F(Commands, ExplainKnowsEveryWordOfTheGlossary) {
  const auto run = this->run("explain friction demand --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  ASSERT_EQ(run.json()["terms"].size(), 1u);
  EXPECT_EQ(run.json()["terms"][0]["word"], "friction demand");
  EXPECT_EQ(run.json()["messages"].size(), 0u);
  // By a usual name, with other letters.
  EXPECT_EQ(this->run("explain Lagrange-Multiplier").output, this->run("explain multiplier").output);
  const auto unknown = this->run("explain gripp");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.errors.find("did you mean 'grip'?"), std::string::npos) << unknown.errors;
  // All of them, and every one by itself.
  const auto all = this->run("explain --json").json();
  EXPECT_GT(all["messages"].size(), 300u);
  ASSERT_GT(all["terms"].size(), 40u);
  EXPECT_EQ(this->run("explain " + all["terms"].back()["word"].get<std::string>()).exit_code, 0);
}

// A driven cart with a bob: x = 0.2 sin 3t, so x_1 = 0.6, x_3 = -0.2 27/6; the bob's acceleration as in `evaluate`.
TEST_F(Commands, SeriesGivesCoefficients) {
  write("cart.yaml", kCart);
  const auto run = this->run("series cart.yaml --order 8 --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  ASSERT_EQ(json["q"]["cart"].size(), 9u);
  EXPECT_NEAR(json["q"]["cart"][1], 0.6, 1e-15);
  EXPECT_NEAR(json["q"]["cart"][3], -0.9, 1e-15);
  EXPECT_NEAR(json["v"]["cart'"][2], -2.7, 1e-14);
  EXPECT_NEAR(json["v"]["bob'"][1], -10 * std::sin(0.3) / 0.5, 1e-12);
  EXPECT_NEAR(json["q"]["bob"][2], -10 * std::sin(0.3) / 0.5 / 2, 1e-12);
  EXPECT_NEAR(json["poles"]["bob"][3][0], -0.9, 1e-15);
  ASSERT_EQ(json["reactions"]["bob"]["force"].size(), 8u);
  // At rest but for the cart: the rod carries m g cos φ along itself, so vertically m g cos² φ.
  EXPECT_NEAR(json["reactions"]["bob"]["force"][0][2], 2 * 10 * std::cos(0.3) * std::cos(0.3), 1e-12);
  EXPECT_GT(json["radius"], 0.1);
  EXPECT_EQ(this->run("series cart.yaml --order 1").exit_code, 2);
  EXPECT_NE(this->run("series cart.yaml").output.find("radius of convergence"), std::string::npos);
}

TEST_F(Commands, SeriesOfALawWithAKink) {
  write("drag.yaml", R"yaml(
vinculum: 1
bodies: { a: { joint: {type: revolute, axis: y}, mass: 1, com: [.5, 0, 0], inertia: .08 } }
forces: { drag: { joint: a, law: "-a'*abs(a')" } }
)yaml");
  const auto series = run("series drag.yaml --order 5");
  EXPECT_EQ(series.exit_code, 0) << series.errors;
  EXPECT_NE(series.output.find("on the branch of force 'drag': abs(a') where a' > 0"), std::string::npos) << series.output;
  EXPECT_EQ(run("series drag.yaml --json").json()["branches"].size(), 1u);
  const auto asked = run("simulate drag.yaml --until 1 --integrator taylor --json");
  EXPECT_EQ(asked.exit_code, 0);
  EXPECT_EQ(asked.json()["integrator"], "taylor") << asked.errors;
  const auto chosen = run("simulate drag.yaml --until 1 --json");
  EXPECT_EQ(chosen.json()["integrator"], "dop853");
  EXPECT_TRUE(chosen.errors.empty()) << chosen.errors;
  write("cart.yaml", kCart);
  EXPECT_EQ(run("simulate cart.yaml --until 1 --json").json()["integrator"], "taylor");
  EXPECT_EQ(run("simulate cart.yaml --until 1 --order 3").exit_code, 2);
}

// The cart is driven, so its equation tells the force; x'' of a point mass m on a rod l: m l² φ'' - m l cos φ x'' + m g l sin φ =
// 0.
TEST_F(Commands, DerivePrintsTheEquationsOfMotion) {
  write("cart.yaml", kCart);
  const auto run = this->run("derive cart.yaml --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["form"], "joint");
  EXPECT_EQ(json["rows"]["cart'"], "5*cart'' - 2*length*cos(bob)*bob'' + 2*length*sin(bob)*bob'^2 = lambda_cart");
  EXPECT_EQ(json["rows"]["bob'"], "-2*length*cos(bob)*cart'' + 2*length^2*bob'' + 2*length*g*sin(bob) = 0");
  EXPECT_EQ(json["motions"][0]["formula"], "0.2*sin(3*t)");
  EXPECT_EQ(json["definitions"][0]["value"], 10);
  EXPECT_EQ(json["equations"], this->run("derive cart.yaml").output);

  EXPECT_NE(this->run("derive cart.yaml --to latex").output.find("\\ddot{\\mathrm{bob}}"), std::string::npos);
  EXPECT_NE(this->run("derive cart.yaml --to c").output.find("void cart_accelerations(double t, "), std::string::npos);
  EXPECT_EQ(this->run("derive cart.yaml --form closed").exit_code, 1);
  EXPECT_EQ(this->run("derive cart.yaml --to pascal").exit_code, 2);
  EXPECT_EQ(this->run("derive cart.yaml --terms 0").exit_code, 2);
}

}  // namespace
}  // namespace vinculum::testing
