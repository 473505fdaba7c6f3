// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of a run made again from its folder, of two overlaid, and that of a pose.
#include <cmath>
#include <cstring>
#include <sstream>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class MadePages : public InScratchFolder {
 protected:
  void SetUp() override {
    InScratchFolder::SetUp();
    write("cart.yaml", R"yaml(
vinculum: 1
name: cart
gravity: [0, 0, -10]
parameters: { length: 0.5 m }
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 0.1 }
  bob: { parent: cart, joint: {type: revolute, axis: y, limits: {position: [-60 deg, 1]}}, mass: 2, com: [0, 0, -length], inertia: [0, 0, 0] }
motions: { cart: "0.2*sin(3*t)" }
forces:
  damper: { joint: bob, law: "-0.3*bob'" }
  push: { body: cart, point: [0, 0.1, 0], force: [4, 0, 0] }
  band: { between: [world, [-1, 0, 0]], and: [cart, [0, 0, 0]], stiffness: 100, damping: 2, length: 0.5 }
events: { bottom: "bob" }
initial: { bob: 0.3 }
)yaml");
  }

  bool has_page(const std::string& path) const { return std::filesystem::exists(folder_ / path); }

  nlohmann::json document(const std::string& path) const {
    const std::string page = read_file(folder_ / path), mark = "id=\"vinculum-data\">";
    const size_t begin = page.find(mark) + mark.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  template <class Number>
  static std::vector<Number> numbers(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0, count = 0;
    for (const char c : text.substr(0, text.find('='))) {
      bits = bits << 6 | static_cast<unsigned>(digits.find(c));
      if ((count += 6) < 8) continue;
      bytes += static_cast<char>(bits >> (count -= 8) & 255);
    }
    std::vector<Number> values(bytes.size() / sizeof(Number));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
    return values;
  }
};

TEST_F(MadePages, MadeAgainIsTheSame) {
  ASSERT_EQ(run("simulate cart.yaml --until 2 --set length=0.4 --output out").exit_code, 0);
  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const std::string first = read_file(folder_ / "out/report.html");
  std::filesystem::remove(folder_ / "out/report.html");
  const auto again = run("report out --json");
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(again.json()["page"], "out/report.html");
  EXPECT_TRUE(read_file(folder_ / "out/report.html") == first);
}

// A run that is thinned on its page, with modes that change, outputs, an element that rubs and a row twice at each change. What
// the page shows are the rows 0, s, 2s, .. of the tables and their last one; s = 4 for 16 000 to 32 000 rows.
TEST_F(MadePages, MadeAgainOfALongRun) {
  write("hops.yaml", R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz, ry]}, mass: 2, inertia: 0.1 } }
environment: { table: { surface: plane, position: [0, 0, "0.02*(1 - cos(30*t))"] } }
contacts:
  left: { body: block, with: table, point: [-0.2, 0, 0], forward: x, forbid: [normal, forward], friction: 0.2 }
  right: { body: block, with: table, point: [0.25, 0, 0], forward: x, forbid: [normal, forward], friction: 0.3 }
outputs: { height: "block.tz", pressed: "left.normal + right.normal" }
initial: { "block.tx'": 0.4 }
)yaml");
  const auto whole = run("simulate hops.yaml --until 2 --every 0.0001 --contacts frictional --output out --json");
  ASSERT_EQ(whole.exit_code, 0) << whole.errors;
  ASSERT_FALSE(whole.json()["events"].empty());
  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const std::string first = read_file(folder_ / "out/report.html");
  const auto page = document("out/report.html");
  ASSERT_EQ(run("report out").exit_code, 0);
  EXPECT_TRUE(read_file(folder_ / "out/report.html") == first);

  struct Curve {
    const char *file, *name;
    int column;
  };
  for (const Curve& drawn : {Curve{"states.csv", "block.tz", 2}, Curve{"outputs.csv", "pressed", 2}}) {
    std::vector<double> rows;
    std::istringstream table(read_file(folder_ / "out" / drawn.file));
    std::string line;
    for (std::getline(table, line); std::getline(table, line);) {
      std::istringstream cells(line);
      std::string cell;
      for (int i = 0; i <= drawn.column; ++i) std::getline(cells, cell, ',');
      rows.push_back(std::stod(cell));
    }
    ASSERT_GT(rows.size(), 20'001u) << "changes of modes are rows as well";
    ASSERT_LT(rows.size(), 32'000u);
    EXPECT_EQ(page["samples"]["total"], rows.size());
    std::vector<double> expected;
    for (size_t row = 0; row < rows.size(); row += 4) expected.push_back(rows[row]);
    if ((rows.size() - 1) % 4 != 0) expected.push_back(rows.back());
    const auto curve =
        std::find_if(page["series"].begin(), page["series"].end(), [&](const auto& each) { return each["name"] == drawn.name; });
    ASSERT_NE(curve, page["series"].end()) << drawn.name;
    EXPECT_EQ(numbers<double>((*curve)["values"]), expected) << drawn.name;
  }
}

// The direction in which guides come to rest is a list of names in run.json, where other events have a number.
TEST_F(MadePages, MadeAgainOfARunThatComesToRest) {
  write("disc.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies: { disc: { joint: { axes: [tx, tz, rz] }, mass: 1, inertia: 0.005 } }
guides:
  floor:
    body: disc
    pairs: [{ face1: { point: [0, 0, 0], normal: [0, 0, -1], friction: 0.3 }, face2: { point: [0, 0, 0], normal: [0, 0, 1], friction: 0.3 } }]
initial: { "disc.tx'": 3 }
)yaml");
  const auto whole = run("simulate disc.yaml --until 2 --output out --json");
  ASSERT_EQ(whole.exit_code, 0) << whole.errors;
  const auto rest = whole.json()["events"].at(0);
  EXPECT_EQ(rest["kind"], "rest");
  EXPECT_NEAR(rest["t"].get<double>(), 1, 1e-9);
  ASSERT_TRUE(rest["direction"].is_object());
  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const std::string first = read_file(folder_ / "out/report.html");
  const auto again = run("report out");
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_TRUE(read_file(folder_ / "out/report.html") == first);
}

// A ball falls from 0.45 m under g = 10 m/s^2: it touches down after 0.3 s with 3 m/s and rebounds with 1.5 m/s. Until 0.5 s:
//
//   impulse 2 (1 + 0.5) 3 = 9 N*s ,  lost 2 (3^2 - 1.5^2)/2 = 6.75 J
//   mean of z'  (0.1 - 0.45)/0.5 = -0.7 m/s ,  of its square  (0.9 + 3.5/30)/0.5 = 6.1/3 m^2/s^2
//
// The numbers are those of run.json, of a study and of the page, whatever samples are written; the page made again has them too.
TEST_F(MadePages, ShowsNumbersOfTheRun) {
  write("ball.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies: { ball: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
environment: { floor: { surface: plane } }
contacts: { foot: { body: ball, with: floor, point: [0, 0, 0], forbid: [normal], restitution: 0.5 } }
outputs: { speed: "ball.tz'", pressed: { value: foot.normal, require: "< 100 N" } }
initial: { ball.tz: 0.45 }
)yaml");
  ASSERT_EQ(run("simulate ball.yaml --until 0.5 --every 0.25 --contacts unilateral --output out").exit_code, 0);
  const auto json = nlohmann::json::parse(read_file(folder_ / "out/run.json"));
  const auto speed = json["outputs"]["speed"];
  const std::pair<const char*, double> expected[] = {
      {"final", -0.5}, {"min", -3}, {"t_min", 0.3}, {"max", 1.5}, {"t_max", 0.3}, {"mean", -0.7}, {"rms", std::sqrt(6.1 / 3)}};
  for (const auto& [key, value] : expected) EXPECT_NEAR(speed[key].get<double>(), value, 1e-9) << key;
  EXPECT_EQ(json["events"][0]["name"], "touch-down:foot");
  EXPECT_NEAR(json["events"][0]["impulse"]["foot.normal"].get<double>(), 9, 1e-9);
  EXPECT_NEAR(json["events"][0]["energy_lost"].get<double>(), 6.75, 1e-9);
  const auto verdicts = json["verdicts"];
  const auto pressed =
      std::find_if(verdicts.begin(), verdicts.end(), [](const auto& each) { return each["subject"] == "pressed"; });
  ASSERT_NE(pressed, verdicts.end());
  EXPECT_EQ((*pressed)["verdict"], "violated");
  EXPECT_NEAR((*pressed)["first_violation"].get<double>(), 0.3, 1e-9);
  EXPECT_NEAR((*pressed)["nearest_t"].get<double>(), 0.3, 1e-9);

  write("study.yaml", R"yaml(
vinculum_study: 1
model: ball.yaml
over: { ball.tz: [0.45 m] }
run: { command: simulate, options: "--until 0.5 --every 0.25 --contacts unilateral" }
collect: { last: outputs.speed, final: outputs.speed.final, min: outputs.speed.min, t_min: outputs.speed.t_min, max: outputs.speed.max, t_max: outputs.speed.t_max, mean: outputs.speed.mean, rms: outputs.speed.rms, impulse: "events.touch-down:foot.impulse.foot.normal", lost: "events.touch-down:foot.energy_lost" }
)yaml");
  const auto study = run("sweep study.yaml --output study --json");
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  const auto point = study.json()["rows"].at(0);
  for (const auto& [key, value] : expected) EXPECT_NEAR(point[key].get<double>(), value, 1e-9) << key;
  EXPECT_EQ(point["last"], point["final"]);
  EXPECT_NEAR(point["impulse"].get<double>(), 9, 1e-9);
  EXPECT_NEAR(point["lost"].get<double>(), 6.75, 1e-9);

  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const std::string first = read_file(folder_ / "out/report.html");
  ASSERT_EQ(run("report out").exit_code, 0);
  EXPECT_TRUE(read_file(folder_ / "out/report.html") == first);
  std::map<std::string, std::string> facts;
  const auto page = document("out/report.html");
  for (const auto& fact : page["facts"]) facts[fact["name"]] = fact["value"];
  EXPECT_EQ(facts["speed"], "-0.5 m/s at the end; from -3 at t = 0.3 s to 1.5 at t = 0.3 s; mean -0.7, rms 1.42595");
  EXPECT_EQ(facts["energy lost in impacts"], "6.75 J");
  EXPECT_EQ(facts["largest impulse"], "9 N*s of foot.normal at t = 0.3 s");
}

// What is missing or does not belong to the run is named, with its place.
TEST_F(MadePages, DamagedTablesAreRefused) {
  ASSERT_EQ(run("simulate cart.yaml --until 1 --every 0.25 --output out").exit_code, 0);
  const std::string states = read_file(folder_ / "out/states.csv");
  const auto message_of = [&](const std::string& text) {
    write("out/states.csv", text);
    const auto answer = run("report out");
    EXPECT_EQ(answer.exit_code, 1);
    return answer.errors;
  };
  const std::string short_one = message_of(states.substr(0, states.rfind('\n', states.size() - 2) + 1));
  EXPECT_NE(short_one.find("VN-FILE-121"), std::string::npos) << short_one;
  std::string text = states;
  const std::string no_bob = message_of(text.replace(text.find(",bob [rad]"), 10, ",bib [rad]"));
  EXPECT_NE(no_bob.find("no column 'bob'"), std::string::npos) << no_bob;
  text = states;
  const std::string no_number = message_of(text.replace(text.rfind(",0.") + 1, 2, "x."));
  EXPECT_NE(no_number.find("states.csv:6"), std::string::npos) << no_number;
}

// Columns of --write belong to the run, not to the model file.
TEST_F(MadePages, MadeAgainWithWrittenColumns) {
  ASSERT_EQ(run("simulate cart.yaml --until 1 --write accelerations,forces --output out").exit_code, 0);
  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const std::string first = read_file(folder_ / "out/report.html");
  const auto again = run("report out");
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_TRUE(read_file(folder_ / "out/report.html") == first);
  const auto page = document("out/report.html");
  const bool has_acceleration = std::any_of(page["series"].begin(), page["series"].end(), [](const auto& each) {
    return each["group"] == "outputs" && each["name"] == "bob''";
  });
  EXPECT_TRUE(has_acceleration);
}

// Of a run that failed, too, with the reason on top.
TEST_F(MadePages, MadeAgainOfAFailedRun) {
  write("cliff.yaml", R"yaml(
vinculum: 1
bodies: { ball: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 } }
forces: { pull: { joint: ball, law: "ball^2" } }
initial: { ball: 1, "ball'": 1 }
)yaml");
  ASSERT_EQ(run("simulate cliff.yaml --until 20 --output out").exit_code, 1);
  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const std::string first = read_file(folder_ / "out/report.html");
  ASSERT_EQ(run("report out").exit_code, 0);
  EXPECT_TRUE(read_file(folder_ / "out/report.html") == first);
  EXPECT_EQ(document("out/report.html")["end"]["state"], "failed");
}

// x = 0.2 sin 3t. The band pulls with 100 (1 + x - 0.5) + 2 x', to the left; the bob's damper acts about y.
TEST_F(MadePages, ShowsWhatIsGivenToBodies) {
  ASSERT_EQ(run("simulate cart.yaml --until 1 --every 0.25 --output out").exit_code, 0);
  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const auto page = document("out/report.html");
  std::map<std::string, nlohmann::json> arrows, series;
  for (const auto& arrow : page["arrows"]) arrows[arrow["name"]] = arrow;
  for (const auto& curve : page["series"]) series[curve["name"]] = curve;
  ASSERT_EQ(arrows.size(), 3u);
  EXPECT_EQ(arrows["cart"]["group"], "drives");
  EXPECT_EQ(arrows["cart"]["moment"], false);
  EXPECT_EQ(arrows["bob"]["moment"], true);
  EXPECT_EQ(arrows["push"]["group"], "loads");
  EXPECT_EQ(arrows["push"]["point"], (nlohmann::json{0, 0.1, 0}));

  const auto drive = numbers<float>(arrows["cart"]["vectors"]), damper = numbers<float>(arrows["bob"]["vectors"]);
  const auto push = numbers<float>(arrows["push"]["vectors"]);
  const auto force = numbers<double>(series["motion:cart"]["values"]), rate = numbers<double>(series["bob'"]["values"]);
  const auto tension = numbers<double>(page["lines"][0]["tension"]);
  ASSERT_EQ(tension.size(), 5u);
  for (size_t k = 0; k < 5; ++k) {
    const double t = 0.25 * static_cast<double>(k);
    EXPECT_NEAR(tension[k], 100 * (0.5 + 0.2 * std::sin(3 * t)) + 2 * 0.6 * std::cos(3 * t), 1e-9);
    EXPECT_FLOAT_EQ(drive[3 * k], static_cast<float>(force[k]));
    EXPECT_EQ(drive[3 * k + 1], 0);
    EXPECT_NEAR(damper[3 * k + 1], -0.3 * rate[k], 1e-6);
    EXPECT_EQ(push[3 * k], 4);
  }
  EXPECT_GT(std::abs(rate[2]), 0.1);
}

// The friction circle of a run: what the block on a slope needs of N is tan of the slope.
TEST_F(MadePages, ShowsGrips) {
  write("block.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies: { block: { joint: free, mass: 2, inertia: 1, shape: {sphere: 0.1} } }
environment: { slope: { surface: "0.25*y" } }
contacts: { foot: { body: block, with: slope, point: [0, 0, 0], forbid: [normal, lateral, forward, yaw, pitch, roll], friction: 0.5 } }
)yaml");
  ASSERT_EQ(run("simulate block.yaml --until 0.1 --every 0.05 --output out").exit_code, 0);
  if (!has_page("out/report.html")) GTEST_SKIP() << "built without the page";
  const auto grip = document("out/report.html")["grips"].at(0);
  EXPECT_EQ(grip["bound"], 0.5);
  const auto lateral = numbers<double>(grip["lateral"]), forward = numbers<double>(grip["forward"]);
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(std::hypot(lateral[k], forward[k]), 0.25, 1e-9);
}

TEST_F(MadePages, TwoRunsInOne) {
  ASSERT_EQ(run("simulate cart.yaml --until 1 --output short").exit_code, 0);
  ASSERT_EQ(run("simulate cart.yaml --until 2 --set length=0.3 --output long").exit_code, 0);
  if (!has_page("short/report.html")) GTEST_SKIP() << "built without the page";
  const auto both = run("report short long --output both.html");
  ASSERT_EQ(both.exit_code, 0) << both.errors;
  const auto page = document("both.html");
  EXPECT_EQ(page["title"], "cart (short)");
  EXPECT_EQ(page["beside"]["title"], "cart (long)");
  EXPECT_EQ(numbers<double>(page["times"]).back(), 1);
  EXPECT_EQ(numbers<double>(page["beside"]["times"]).back(), 2);
}

TEST_F(MadePages, RefusesWhatIsNoRunOrAnother) {
  std::filesystem::create_directory(folder_ / "empty");
  const auto none = run("report empty");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.errors.find("VN-FILE-180"), std::string::npos) << none.errors;

  ASSERT_EQ(run("simulate cart.yaml --until 1 --output out").exit_code, 0);
  write("heavy.yaml", read_file(folder_ / "cart.yaml").replace(read_file(folder_ / "cart.yaml").find("mass: 3"), 7, "mass: 4"));
  const auto other = run("report out --model heavy.yaml");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.errors.find("VN-FILE-182"), std::string::npos) << other.errors;

  write("out/run.json", "{");
  const auto broken = run("report out --json");
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_EQ(broken.json()["diagnostics"][0]["code"], "VN-FILE-180");
}

TEST_F(MadePages, PoseHasLinksAndLimits) {
  const auto check = run("check cart.yaml --page pose.html --json");
  ASSERT_TRUE(check.exit_code == 0 || check.errors.find("VN-FILE-061") != std::string::npos) << check.errors;
  if (!has_page("pose.html")) GTEST_SKIP() << "built without the page";
  EXPECT_EQ(check.json()["page"], "pose.html");
  const auto kinematics = document("pose.html")["kinematics"];
  EXPECT_EQ(kinematics["links"][0]["kind"], "prismatic");
  EXPECT_EQ(kinematics["coordinates"][0]["given"], true);
  EXPECT_EQ(kinematics["coordinates"][1]["upper"], 1);
  EXPECT_NEAR(kinematics["coordinates"][1]["lower"], -std::acos(0.5), 1e-15);
  EXPECT_EQ(kinematics["coordinates"][1]["value"], 0.3);
}

}  // namespace
}  // namespace vinculum::testing
