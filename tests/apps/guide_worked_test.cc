// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Theory 5, section 13: the worked problems from a model file to the number, by the commands a user types; and the words of the
// contract about `guides`, `variants`, `limit` and `pad`.
#include <map>

#include "tests/support/guide_texts.h"
#include "tests/support/program.h"

namespace vinculum::testing::guide_worked {
namespace {

struct Expected {
  std::string pointer;
  double value;
  double tolerance;
};

class GuideWorked : public InScratchFolder {
 protected:
  nlohmann::json answer(const std::string& command) {
    const auto run = this->run(command + " --json");
    EXPECT_EQ(run.exit_code, 0) << command << run.errors;
    return run.exit_code == 0 ? run.json() : nlohmann::json::object();
  }
  nlohmann::json answer(const std::string& model, const std::string& command) {
    write("model.yaml", model);
    return answer(command);
  }

  static void expect(const nlohmann::json& json, const std::vector<Expected>& figures) {
    for (const auto& [pointer, value, tolerance] : figures) {
      const nlohmann::json* found = find_named(json, nlohmann::json::json_pointer(pointer));
      ASSERT_NE(found, nullptr) << pointer << " in " << json;
      ASSERT_TRUE(found->is_number()) << pointer << ": " << *found;
      EXPECT_NEAR(found->get<double>(), value, tolerance) << pointer;
    }
  }
};

std::string with(std::string text, const std::string& what, const std::string& by) {
  size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("no '" + what + "' in the text");
  for (; at != std::string::npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
  return text;
}

TEST_F(GuideWorked, W1Pads) {
  const struct {
    const char* pressure;
    double values[6];  // S, T at 0.5, 1, 2
    double tolerance;
  } pads[] = {{"uniform",
               {0.483843755630126, 0.547748354772201, 0.848826363156775, 0.282942121052258, 0.967687511260252, 0.127809198284151},
               1e-14},
              {"punch",
               {0.392699081698724, 0.687223392972767, 0.785398163397448, 0.392699081698724, 0.956611477490518, 0.171213314093070},
               1e-14},
              {"hertz",
               {0.552233083638831, 0.455592294002035, 0.883572933822129, 0.220893233455532, 0.974278579257494, 0.101909332919340},
               1e-14},
              {"power:-0.5",
               {0.392699081698724, 0.687223392972767, 0.785398163397448, 0.392699081698724, 0.956611477490518, 0.171213314093070},
               1e-10},
              {"cosine:1",
               {0.618877674646333, 0.375070159198182, 0.909474923505288, 0.173537939451301, 0.979496851586545, 0.081352277227089},
               1e-10},
              {"cosine:-0.5",
               {0.386386346579158, 0.696445678167309, 0.781460833938299, 0.399582428155015, 0.955904852384811, 0.173984940057028},
               1e-10},
              {"cosine:3",
               {0.765905743706337, 0.218711713425253, 0.951176048535221, 0.095349972573492, 0.988444784384841, 0.045987324697503},
               1e-10}};
  for (const auto& [pressure, values, tolerance] : pads) {
    const auto json = answer(std::string("pad --beta 0.5,1,2 --pressure ") + pressure);
    for (int i = 0; i < 3; ++i) {
      const double beta = std::vector{0.5, 1.0, 2.0}[i], S = values[2 * i], T = values[2 * i + 1];
      expect(json, {{fmt::format("/S/{}", i), S, tolerance},
                    {fmt::format("/T/{}", i), T, tolerance},
                    {fmt::format("/D/{}", i), T + beta * S, 2 * tolerance}});
    }
  }
}

TEST_F(GuideWorked, W2Prism) {
  const auto down = answer(prism_w2_text(3), "variants model.yaml"), lifted = answer(prism_w2_text(15), "variants model.yaml");
  EXPECT_EQ(down["verdict"], "unique");
  EXPECT_EQ(down["count"], 1);
  EXPECT_EQ(down["solutions"][0]["faces"], (nlohmann::json{{"rail.1", 2}, {"rail.2", 2}}));
  expect(down, {{"/solutions/0/signed_N/rail.1", 11.264171779141105, 1e-13},
                {"/solutions/0/signed_N/rail.2", 8.355828220858896, 1e-13},
                {"/solutions/0/accelerations/slider.tx'", 2.411312883435583, 1e-14},
                {"/critical_friction_scale", 15.818181818181815, 1e-12}});
  EXPECT_EQ(down["unique_for_all_loads"], true);
  EXPECT_EQ(down["solutions"][0]["jacobian_sign"], 1);
  EXPECT_EQ(down["solutions"][0]["chosen"], true);
  EXPECT_EQ(lifted["solutions"][0]["faces"], (nlohmann::json{{"rail.1", 2}, {"rail.2", 1}}));
  expect(lifted, {{"/solutions/0/signed_N/rail.1", 25.112063492063490, 1e-13},
                  {"/solutions/0/signed_N/rail.2", -5.492063492063491, 1e-13},
                  {"/solutions/0/accelerations/slider.tx'", 1.802285714285714, 1e-14}});
  // What `evaluate` says is the chosen variant; pairs count in the rank.
  const auto state = answer("evaluate model.yaml");
  expect(state, {{"/multipliers/rail.1", 25.112063492063490, 1e-12},
                 {"/multipliers/rail.2", -5.492063492063491, 1e-12},
                 {"/accelerations/slider.tx'", 1.802285714285714, 1e-13}});
  EXPECT_EQ(answer("check model.yaml")["rank"], 2);
}

TEST_F(GuideWorked, W3BarClamp) {
  const auto slides = answer(bar_clamp_text(0.1, 1), "variants model.yaml");
  expect(slides, {{"/solutions/0/signed_N/rail.1", 10.5, 1e-13},
                  {"/solutions/0/signed_N/rail.2", -9.5, 1e-13},
                  {"/solutions/0/accelerations/slider.tx'", -2, 1e-13},
                  {"/critical_friction_scale", 2, 1e-13}});
  const auto jams = answer(bar_clamp_text(0.25, 1), "variants model.yaml --compare");
  EXPECT_EQ(jams["verdict"], "none (self-locking)");
  EXPECT_EQ(jams["count"], 0);
  EXPECT_TRUE(jams["solutions"].empty());
  EXPECT_EQ(jams["continuation"]["connected"], false);
  EXPECT_EQ(jams["continuation"]["reason"], "jam");
  EXPECT_EQ(jams["forms"]["linear_program"]["feasible"], false);
  expect(jams, {{"/continuation/end", 0.8, 1e-13}});
  const auto two = answer(bar_clamp_text(0.25, -1), "variants model.yaml");
  EXPECT_EQ(two["verdict"], "several (chosen by continuation)");
  ASSERT_EQ(two["count"], 2);
  int chosen = 0;
  for (const auto& solution : two["solutions"]) {
    const bool is_chosen = solution["chosen"];
    chosen += is_chosen;
    EXPECT_EQ(solution["jacobian_sign"], is_chosen ? 1 : -1);
    EXPECT_NEAR(solution["signed_N"]["rail.1"].get<double>(), is_chosen ? -1.722222222222222 : 20.5, 1e-12);
    EXPECT_NEAR(solution["signed_N"]["rail.2"].get<double>(), is_chosen ? 2.722222222222222 : -19.5, 1e-12);
    EXPECT_NEAR(solution["accelerations"]["slider.tx'"].get<double>(), is_chosen ? -1.111111111111111 : -10, 1e-12);
  }
  EXPECT_EQ(chosen, 1);
}

TEST_F(GuideWorked, W4RodInASlot) {
  const double sine = 2 / std::sqrt(5), turning = 65.807480577818765;
  const auto one = answer(rod_in_slot_text(1, 0), "variants model.yaml");
  expect(one, {{"/solutions/0/signed_N/slot.1", 24.525, 1e-12},
               {"/solutions/0/accelerations/rod.rz'", turning, 1e-11},
               {"/solutions/0/accelerations/rod.tx'", 24.525 + 0.5 * sine * turning, 1e-11},
               {"/critical_friction_scale", 4.0 / 3, 1e-13}});
  const auto two = answer(rod_in_slot_text(2, 6), "variants model.yaml");
  ASSERT_EQ(two["count"], 2);
  for (const auto& solution : two["solutions"])
    EXPECT_NEAR(solution["signed_N"]["slot.1"].get<double>(), solution["chosen"] ? -1.572422359499621 : 7.862111797498105, 1e-12);
  const auto none = answer(rod_in_slot_text(2, 0), "variants model.yaml");
  EXPECT_EQ(none["verdict"], "none (self-locking)");
  expect(none, {{"/continuation/end", 2.0 / 3, 1e-13}});
}

TEST_F(GuideWorked, W6AndW7RunToRest) {
  const auto plate = answer(plate_on_pads_text("initial: { \"plate.tx'\": 3, \"plate.ty'\": -1, plate.wz: -4 }"),
                            "simulate model.yaml --until rest --tolerance 1e-12");
  std::vector<nlohmann::json> faces;
  for (const auto& event : plate["events"]) {
    if (event["name"] == "face") faces.push_back(event);
  }
  ASSERT_EQ(faces.size(), 2u);
  EXPECT_EQ(faces[0]["subject"], "planes.3");
  EXPECT_EQ(faces[0]["face"], 1);
  EXPECT_NEAR(faces[0]["t"].get<double>(), 0.365009961126, 1e-8);
  EXPECT_EQ(faces[1]["face"], 2);
  EXPECT_NEAR(faces[1]["t"].get<double>(), 0.432718228473, 1e-8);
  expect(plate, {{"/events/rest/t", 1.4256046596, 1e-8},
                 {"/events/rest/direction/plate.tx'", 0.401978910686, 1e-6},
                 {"/events/rest/direction/plate.ty'", 0.200703480279, 1e-6},
                 {"/events/rest/direction/plate.wz", -0.893381815557, 1e-6},
                 {"/final/t", 1.4256046596, 1e-8},
                 {"/final/q/plate.tx", 1.8890535731, 1e-8},
                 {"/final/q/plate.ty", -0.2435230745, 1e-8}});
  const auto stopped = answer(disc_text(), "simulate model.yaml --until 1 --tolerance 1e-12");
  expect(stopped, {{"/events/rest/t", 0.455419056105, 1e-8},
                   {"/final/q/disc.tx", 0.216580776124, 1e-8},
                   {"/final/q/disc.rz", 2.460358524518, 1e-8},
                   {"/final/t", 1, 0},
                   {"/final/v/disc.tx'", 0, 0}});
  const double ratio = stopped["events"].back()["direction"]["disc.tx'"].get<double>() /
                       (0.1 * stopped["events"].back()["direction"]["disc.rz'"].get<double>());
  EXPECT_NEAR(ratio, 0.653001789205598, 1e-6);
  expect(answer("pad --gyration 0.5"), {{"/final_ratio", 0.653001789205598, 1e-13}});
}

TEST_F(GuideWorked, W8LimitAndBreakaway) {
  const std::string turned = "initial: { plate.qw: cos(0.15), plate.qz: sin(0.15) }",
                    body = plate_on_pads_text("forces: { push: { body: plate, force: [4, 2.5, 0], torque: [0, 0, 0.8] } }\n" +
                                              turned);
  const auto limit = answer(body, "limit model.yaml --load push");
  expect(limit, {{"/alpha", 1.972875174971, 1e-10},
                 {"/first_loss", 1.972875174971, 1e-10},
                 {"/kinematic_alpha", 1.972875174971, 1e-10},
                 {"/signed_N/planes.1", 18.828879696404, 1e-8},
                 {"/signed_N/planes.2", 7.956766166590, 1e-8},
                 {"/signed_N/planes.3", 2.644354137006, 1e-8},
                 {"/slip_direction/plate.tx'", 0.555922580128, 1e-9},
                 {"/slip_direction/plate.ty'", 0.279272604611, 1e-9},
                 {"/slip_direction/plate.wz", 0.782915638634, 1e-9},
                 {"/paper_test", 0.920165143672, 5e-8}});
  std::string points = body;
  for (const char* radius : {"0.06", "0.08", "0.05", "0.07", "0.09"})
    points = with(points, std::string(", pad: { radius: ") + radius + ", pressure: uniform }", "");
  expect(answer(points, "limit model.yaml --load push"), {{"/alpha", 1.970549827519, 1e-10}});
  expect(answer(with(with(body, ", 0.45]", ", 0]"), ", -0.6]", ", 0]"), "limit model.yaml --load push"),
         {{"/alpha", 1.842202807119, 1e-10}});
  const auto wedged = answer(with(with(body, ", 0.45]", ", 1]"), ", -0.6]", ", -1.5]"), "limit model.yaml --load push");
  EXPECT_EQ(wedged["verdict"], "limited");  // without a wedge; wedged it rests under every load (theory 5, section 7.5)
  EXPECT_NEAR(wedged["alpha"].get<double>(), 4.198837906, 1e-6);
  EXPECT_EQ(wedged["wedged"].back()[1], nullptr);
  EXPECT_EQ(wedged["intervals"].back()[1], nullptr);

  const auto away = answer(with(body, "force: [4, 2.5, 0], torque: [0, 0, 0.8]", "force: [12, 7.5, 0], torque: [0, 0, 2.4]"),
                           "variants model.yaml");
  EXPECT_EQ(away["verdict"], "breakaway, unique");
  expect(away, {{"/solutions/0/accelerations/plate.tx'", 1.265595917660, 1e-7},
                {"/solutions/0/accelerations/plate.ty'", 0.669194751794, 1e-7},
                {"/solutions/0/accelerations/plate.wz", 1.437095098736, 1e-7},
                {"/solutions/0/signed_N/planes.1", 19.077334297502, 1e-6},
                {"/solutions/0/signed_N/planes.2", 7.943885059594, 1e-6},
                {"/solutions/0/signed_N/planes.3", 2.408780642904, 1e-6}});
  expect(answer("evaluate model.yaml"), {{"/accelerations/plate.wz", 1.437095098736, 1e-7}});
}

TEST_F(GuideWorked, W9SliderCrank) {
  const struct {
    double theta, first, second, turning;
  } cases[] = {{0.5, 12.585966037951, 4.432373229108, 395.970509600059},
               {2, 10.832829617697, 2.456859620954, 546.792284661560},
               {3.5, 1.698135912673, -2.396710348348, 341.244393316797},
               {5.5, 5.336252346806, -1.674622597819, -26.647230848931}};
  for (const auto& [theta, first, second, turning] : cases) {
    const std::vector<Expected> loads = {{"/bore.1", first, 1e-9}, {"/bore.2", second, 1e-9}};
    const auto found = answer(slider_crank_text(theta), "variants model.yaml");
    expect(found["solutions"][0]["signed_N"], loads);
    expect(found["solutions"][0], {{"/accelerations/crank'", turning, 1e-8}});
    const auto state = answer("evaluate model.yaml");
    expect(state["multipliers"], loads);
    expect(state, {{"/accelerations/crank'", turning, 1e-8}});
  }
}

// W10, and section 8: jams from e = L/(2f) on.
TEST_F(GuideWorked, W10Drawer) {
  const auto drawer = [](double e) {
    return fmt::format(R"(
vinculum: 1
gravity: [0, -1, 0]
bodies: {{ drawer: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 1, inertia: 0.1 }} }}
guides: {{ rail: {{ body: drawer, pairs: [{}, {}] }} }}
forces: {{ pull: {{ body: drawer, force: [1, 0, 0], torque: [0, 0, {}] }} }}
)",
                       prism_pair(-0.25, -0.25, 0.3, -0.3, 0.25, 0.25), prism_pair(0.25, 0.25, 0.3, -0.3, 0.25, 0.25), -e);
  };
  const auto near = answer(drawer(0.5), "limit model.yaml --load pull"),
             middle = answer(drawer(0.9), "limit model.yaml --load pull");
  expect(near, {{"/alpha", 0.25, 1e-12},
                {"/first_loss", 0.25, 1e-12},
                {"/slip_direction/drawer.tx'", 1, 1e-9},
                {"/slip_direction/drawer.ty'", 0, 1e-9}});
  EXPECT_EQ(near["verdict"], "limited");
  EXPECT_EQ(near["faces"], (nlohmann::json{{"rail.1", 2}, {"rail.2", 2}}));
  expect(middle, {{"/alpha", 0.75, 1e-12}});
  EXPECT_EQ(middle["faces"], (nlohmann::json{{"rail.1", 1}, {"rail.2", 2}}));
  const auto far = answer(drawer(1.1), "limit model.yaml --load pull");
  EXPECT_EQ(far["verdict"], "self-locking");
  EXPECT_EQ(far["alpha"], nullptr);
  EXPECT_EQ(far["first_loss"], nullptr);
  EXPECT_EQ(answer(drawer(0.999), "limit model.yaml --load pull")["verdict"], "limited");
  EXPECT_EQ(answer(drawer(1.001), "limit model.yaml --load pull")["verdict"], "self-locking");
  // The slip of a slider with nothing but the load on it is a motion of the slider, too.
  const auto bare = answer(with(drawer(0.5), "gravity: [0, -1, 0]", "gravity: [0, 0, 0]"), "limit model.yaml --load pull");
  expect(bare, {{"/alpha", 0, 1e-12}, {"/slip_direction/drawer.tx'", 1, 1e-12}, {"/slip_direction/drawer.ty'", 0, 1e-12}});
}

TEST_F(GuideWorked, W11ThreeAreRealised) {
  write("three.json", R"({
"B1": [[-4.691,-2.008,1.76,0.35],[0.193,-2.015,1.281,0.77],[0.808,0.957,-1.894,0.625],[-0.529,-0.066,0.489,-1.173]],
"B2": [[4.177,0.179,-0.825,0.229],[1.367,2.124,-0.792,0.778],[-1.6,-0.292,0.715,0.776],[-0.342,0.629,0.447,0.855]],
"F1": [[-0.257,-1.265,1.175,-0.157],[0.936,0.292,1.361,1.076],[0.223,1.037,-0.665,0.881],[-1.036,0.24,0.745,0.157]],
"F2": [[-0.257,-0.564,-0.24,0.736],[0.624,-0.183,-0.872,0.472],[-1.015,-0.372,-0.514,0.52],[0.165,0.323,0.191,-0.475]],
"d": [0.535,1.412,-0.037,0.634]})");
  const auto json = answer("variants --problem three.json --plot three.svg");
  EXPECT_EQ(json["verdict"], "several (chosen by continuation)");
  ASSERT_EQ(json["count"], 3);
  const std::map<std::vector<int>, std::pair<int, std::vector<double>>> expected = {
      {{2, 2, 1, 2}, {1, {0.058563432475868, 0.438281738874947, -0.067888580064834, 0.403686508190294}}},
      {{2, 2, 2, 1}, {1, {0.230514241513923, 0.756819040686844, 0.712342422895536, -0.069582582292044}}},
      {{2, 2, 2, 2}, {-1, {0.143990982319442, 0.591550102584576, 0.270637802998954, 0.222438366651483}}}};
  for (const auto& solution : json["solutions"]) {
    std::vector<int> faces;
    for (const char* pair : {"1", "2", "3", "4"}) faces.push_back(solution["faces"][pair]);
    ASSERT_TRUE(expected.contains(faces)) << solution;
    const auto& [sign, loads] = expected.at(faces);
    EXPECT_EQ(solution["jacobian_sign"], sign);
    EXPECT_EQ(solution["chosen"], (faces == std::vector{2, 2, 1, 2}));
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(solution["signed_N"][std::to_string(k + 1)].get<double>(), loads[k], 1e-13);
  }
  expect(json, {{"/critical_friction_scale", 0.817536539648498, 1e-12}});
  EXPECT_NE(read_file(folder_ / "three.svg").find("<svg"), std::string::npos);
}

// A cart under a pendulum sticks, then slides: what `evaluate` and `variants` say of a state of the run is what the run does
// there.
TEST_F(GuideWorked, StatesOfARunAreAnsweredAsItGoesOn) {
  write("cart.yaml", fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  cart: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 2, inertia: 0.1 }}
  bob: {{ parent: cart, joint: {{ type: revolute, axis: z }}, mass: 1, inertia: [0, 0, 0], com: [0, -0.5, 0] }}
guides: {{ rail: {{ body: cart, pairs: [{}, {}] }} }}
initial: {{ bob: 1 }}
)",
                                 prism_pair(-0.5, -0.5, 0, 0, 0.25, 0.25), prism_pair(0.5, 0.5, 0, 0, 0.25, 0.25)));
  const auto accelerations_at = [&](double t, const std::string& verdict, bool sticks) {
    const auto at = answer(fmt::format("simulate cart.yaml --until {} --tolerance 1e-12 --output at --force", t));
    const auto later = answer(fmt::format("simulate cart.yaml --until {} --tolerance 1e-12", t + 1e-4));
    const auto state = answer("evaluate cart.yaml --state at/run.json"), found = answer("variants cart.yaml --state at/run.json");
    EXPECT_EQ(state["stuck"].size(), sticks ? 2u : 0u);
    EXPECT_EQ(found["verdict"], verdict);
    for (const char* velocity : {"cart.tx'", "bob'"}) {
      const double a = state["accelerations"][velocity];
      EXPECT_NEAR(found["solutions"][0]["accelerations"][velocity].get<double>(), a, 1e-10) << velocity;
      EXPECT_NEAR((later["final"]["v"][velocity].get<double>() - at["final"]["v"][velocity].get<double>()) / 1e-4, a, 0.02)
          << velocity;
    }
    for (const char* pair : {"rail.1", "rail.2"}) EXPECT_EQ(found["solutions"][0]["faces"][pair], state["faces"][pair]) << t;
    return std::pair(state, at["final"]["q"]["bob"].get<double>());
  };
  const auto [stuck, angle] = accelerations_at(0.02, "unique, all pairs stick", true);
  expect(stuck, {{"/accelerations/cart.tx'", 0, 1e-12}, {"/accelerations/bob'", -9.81 / 0.5 * std::sin(angle), 1e-9}});
  const auto [slides, later_angle] = accelerations_at(0.2, "unique", false);
  EXPECT_GT(std::abs(slides["accelerations"]["cart.tx'"].get<double>()), 0.1);
  EXPECT_LT(later_angle, angle);
}

// The words of the contract, key by key.
TEST_F(GuideWorked, EveryPromisedKeyIsThere) {
  const auto has = [](const nlohmann::json& json, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) EXPECT_TRUE(json.contains(key)) << key << " in " << json;
  };
  const std::vector<std::string> promised = {"verdict", "count", "solutions", "critical_friction_scale", "unique_for_all_loads"},
                                 of_solution = {"faces", "signed_N", "accelerations", "jacobian_sign", "chosen"};
  write("rest.yaml",
        prism_text(prism_pair(-0.4, -0.45, 0.2, -0.25, 0.3, 0.2) + ", " + prism_pair(0.5, 0.42, 0.22, -0.3, 0.25, 0.35), 2,
                   "1, -19.62", 3, ""));
  write("model.yaml", prism_w2_text(15));
  for (const char* command : {"variants rest.yaml", "variants model.yaml"}) {
    const auto json = answer(command);
    has(json, promised);
    for (const auto& solution : json["solutions"]) has(solution, of_solution);
  }
  const auto path = answer("variants model.yaml")["continuation"];
  has(path, {"connected", "end", "reason", "switches", "folds"});
  ASSERT_EQ(path["switches"].size(), 0u);
  EXPECT_EQ(path["reason"], "reached");
  EXPECT_EQ(path["end"], 1);

  const auto limit = answer("limit rest.yaml --load push --polar foot.svg --rays 8");
  has(limit, {"alpha", "verdict", "faces", "signed_N", "intervals", "first_loss", "polar"});
  EXPECT_EQ(limit["polar"].size(), 8u);
  EXPECT_NE(read_file(folder_ / "foot.svg").find("<svg"), std::string::npos);
  EXPECT_EQ(run("limit rest.yaml --load push --polar foot.svg").exit_code, 2);  // the file is there
  EXPECT_EQ(run("limit rest.yaml --load push --polar foot.svg --force").exit_code, 0);

  const auto pad = answer("pad --beta 0,1 --gyration 0.7");
  has(pad, {"S", "T", "D", "final_ratio"});
  EXPECT_EQ(pad["final_ratio"], 0);                                 // it turns only
  EXPECT_EQ(answer("pad --gyration 0.2")["final_ratio"], nullptr);  // it slides only
  EXPECT_NEAR(answer("pad --gyration 0.5 --pressure punch")["final_ratio"].get<double>(), 1, 1e-12);

  // --set and --state are heard: the slider moves the other way.
  const auto back = answer("variants model.yaml --set \"slider.tx'=-0.7\"");
  write(
      "state.json",
      R"({"t": 0, "q": {"slider.tx": 0, "slider.ty": 0, "slider.rz": 0}, "v": {"slider.tx'": -0.7, "slider.ty'": 0, "slider.rz'": 0}})");
  const auto same = answer("variants model.yaml --state state.json");
  EXPECT_EQ(back["solutions"], same["solutions"]);
  EXPECT_GT(back["solutions"][0]["accelerations"]["slider.tx'"].get<double>(), 5);

  // `limit` takes velocities as zero: one that is given would have no effect, and is refused.
  EXPECT_EQ(run("limit model.yaml --load push --set \"slider.tx'=0\"").exit_code, 2);
}

}  // namespace
}  // namespace vinculum::testing::guide_worked
