// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// No option is ignored. The options of every command are read from its help. To each question that a command can be asked, each
// further option is added: it changes the answer, or it is refused.
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

constexpr const char* kPole = R"yaml(
vinculum: 1
name: cart-pole
parameters: { length: 0.5 m }
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 0.1 }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -length], inertia: 0.1 }
inputs: { torque: { unit: N*m } }
forces: { motor: { joint: bob, law: "0.1*sin(3*t) + torque" } }
events: { bottom: "bob" }
outputs: { reach: { value: cart, require: "< -1 m" } }
initial: { bob: 0.3, "bob'": 0.2 }
)yaml";

// A block that lands on a rough floor and slides.
constexpr const char* kBlock = R"yaml(
vinculum: 1
parameters: { mu: 0.3 }
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: mu } }
forces: { push: { body: block, force: [20, 0, 0] } }
)yaml";

constexpr const char* kStateText = R"({"t": 0.1, "q": {"cart": 0.2, "bob": 0.7}, "v": {"bob'": 1}})";

// What is added to the questions of a command. {option, its text}; a file it writes is `made`.
struct Added {
  std::string option, text;
};
struct Command {
  std::string name;
  std::vector<std::string> questions;
  std::vector<Added> added;
  // Pairs of a word of the question and an option that changes nothing beside it, and need not: why.
  std::map<std::pair<std::string, std::string>, std::string> exceptions;
};

std::ostream& operator<<(std::ostream& out, const Command& command) { return out << command.name; }

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"check",
       {"pole.yaml --json", "loop.yaml --assemble --json"},
       {{"--set", "--set {P}"},
        {"--state", "--state {S}"},
        {"--assemble", "--assemble"},
        {"--hold", "--hold rocker"},
        {"--page", "--page made"}},
       {{{"pole.yaml", "--assemble"}, "a tree is assembled as it is"}}},
      {"evaluate",
       {"pole.yaml --json", "loop.yaml --project --json"},
       {{"--set", "--set {P}"},
        {"--state", "--state {S}"},
        {"--form", "--form vector"},
        {"--project", "--project"},
        {"--hold", "--hold rocker"},
        {"--residual", "--residual 1e-20"}},
       {{{"pole.yaml", "--residual"}, "a tree has no constraints to violate"},
        {{"pole.yaml", "--project"}, "a tree is projected onto itself"}}},
      {"inverse",
       {"pole.yaml --json", "loop.yaml --project --json", "pole.yaml --motion motion.csv --json",
        "pole.yaml --motion motion.csv --output forces.csv --json"},
       {{"--set", "--set {P}"},
        {"--state", "--state {S}"},
        {"--motion", "--motion motion.csv"},
        {"--drives", "--drives {D}"},
        {"--project", "--project"},
        {"--hold", "--hold rocker"},
        {"--residual", "--residual 1e-20"},
        {"--output", "--output made"},
        {"--force", "--force"}},
       {{{"pole.yaml", "--residual"}, "a tree has no constraints to violate"},
        {{"--output", "--force"}, "the file does not exist yet"}}},
      {"simulate",
       {"pole.yaml --until 0.5 --json", "pole.yaml --until 0.5 --output out --no-report --json",
        "block.yaml --until 0.2 --step 0.01 --json", "pole.yaml --until 0.5 --integrator dop853 --json",
        "loop.yaml --until 0.2 --project --json"},
       {{"--set", "--set {P}"},
        {"--state", "--state {S}"},
        {"--until", "--until 0.4"},
        {"--integrator", "--integrator cvode"},
        {"--tolerance", "--tolerance 1e-6"},
        {"--order", "--order 8"},
        {"--max-step", "--max-step 1e-3"},
        {"--step", "--step 1e-3"},
        {"--every", "--every 0.07"},
        {"--write", "--write accelerations"},
        {"--stop-at", "--stop-at bottom"},
        {"--output", "--output made"},
        {"--contacts", "--contacts frictional"},
        {"--fail-on", "--fail-on violated"},
        {"--project", "--project"},
        {"--hold", "--hold rocker"},
        {"--baumgarte", "--baumgarte 10"},
        {"--inputs", "--inputs torques.csv"},
        {"--no-integrals", "--no-integrals"},
        {"--resume", "--resume"},
        {"--force", "--force"},
        {"--no-report", "--no-report"},
        {"--checkpoint", "--checkpoint 0"}},
       {{{"block.yaml", "--set"}, "a contact that holds whatever happens needs no friction"},
        {{"loop.yaml", "--order"}, "`auto` takes no power series there"},
        {{"--output", "--resume"}, "there is no interrupted run; see simulate_test.cc"},
        {{"pole.yaml", "--contacts"}, "the model has no contacts"},
        {{"loop.yaml", "--contacts"}, "the pin of a loop holds both ways"},
        {{"pole.yaml", "--baumgarte"}, "a tree has no constraints to stabilise"},
        {{"pole.yaml", "--project"}, "a tree is projected onto itself"},
        {{"block.yaml", "--project"}, "the block starts on the floor"},
        {{"loop.yaml", "--fail-on"}, "nothing is violated"},
        {{"block.yaml", "--fail-on"}, "nothing is violated"},
        {{"--output", "--force"}, "there is no interrupted run to replace"},
        {{"pole.yaml", "--allow-large"}, "more than 1e8 samples take too long for a test"},
        {{"--output", "--checkpoint"}, "the run is too short for a checkpoint; see InterruptedRun in simulate_test.cc"}}},
      {"series", {"pole.yaml --json"}, {{"--set", "--set {P}"}, {"--state", "--state {S}"}, {"--order", "--order 5"}}, {}},
      {"balance",
       {"arm.yaml --property force --json",
        "arm.yaml --property static --counterweight upper=-0.25,0,0 --counterweight forearm=-0.15,0,0 --json",
        "arm.yaml --property force --counterweight upper=-0.25,0,0 --counterweight forearm=-0.15,0,0 --json"},
       {{"--set", "--set {P}"},
        {"--property", "--property static"},
        {"--counterweight", "--counterweight load=0,0.1,0"},
        {"--disc", "--disc base_disc"},
        {"--spring", "--spring coil"},
        {"--drive", "--drive \"base_disc'\""},
        {"--write", "--write made"},
        {"--force", "--force"}},
       {{{"arm.yaml", "--set"}, "the start has no part in balance: refused"}}},
      {"linearise",
       {"pole.yaml --json", "pole.yaml --over length=0.1:1:5 --json", "pole.yaml --over length=0.1:1:5 --table table --json",
        "pole.yaml --motion motion.csv --json"},
       {{"--set", "--set {P}"},
        {"--state", "--state {S}"},
        {"--motion", "--motion motion.csv"},
        {"--over", "--over length=0.2:1:4"},
        {"--svg", "--svg made"},
        {"--table", "--table made"},
        {"--force", "--force"}},
       {{{"--table", "--force"}, "the table does not exist yet"}}},
      {"equilibrium",
       {"pole.yaml --set bob=0.1 --json", "pole.yaml --set bob=0.1 --write-state state.json --json"},
       {{"--set", "--set length=0.7"},
        {"--state", "--state start.json"},
        {"--steady", "--steady bob=0"},
        {"--write-state", "--write-state made"},
        {"--force", "--force"}},
       {{{"--write-state", "--force"}, "the file does not exist yet"}}},
      {"derive",
       {"pole.yaml --json", "pole.yaml --to c --json"},
       {{"--set", "--set length=0.7"}, {"--to", "--to latex"}, {"--form", "--form closed"}, {"--terms", "--terms 3"}},
       {}},
      {"integrals",
       {"pole.yaml --json", "hung.yaml --json"},
       {{"--set", "--set length=0"}, {"--state", "--state start.json"}, {"--taut", "--taut front"}},
       {}},
      {"variants",
       {"drawer.yaml --set pull=200 --json", "--problem clamp.json --json"},
       {{"--set", "--set offset=0.1"},
        {"--state", "--state sliding.json"},
        {"--problem", "--problem clamp.json"},
        {"--compare", "--compare"},
        {"--plot", "--plot made"},
        {"--force", "--force"}},
       {}},
      {"limit",
       {"drawer.yaml --load hand --json", "drawer.yaml --load hand --polar polar.svg --json"},
       {{"--set", "--set offset=1.1"},
        {"--state", "--state placed.json"},
        {"--load", "--load slides"},
        {"--polar", "--polar made"},
        {"--rays", "--rays 16"},
        {"--force", "--force"}},
       {{{"--polar", "--force"}, "the picture does not exist yet"},
        {{"drawer.yaml", "--state"}, "the drawer is the same at every place"}}},
      {"pad",
       {"--beta 0.5 --json", "--gyration 0.4 --json"},
       {{"--pressure", "--pressure hertz"}, {"--beta", "--beta 2"}, {"--gyration", "--gyration 0.5"}},
       {}},
      {"realize",
       {"sled.yaml --json", "sled.yaml --until 0.2 --json", "sled.yaml --bound blade=2 --until 0.2 --certificate --json",
        "--problem slip.json --json"},
       {{"--set", "--set grip=0.5"},
        {"--state", "--state sled.json"},
        {"--rows", "--rows blade"},
        {"--bound", "--bound blade=3"},
        {"--law", "--law viscous=20"},
        {"--until", "--until 0.1"},
        {"--certificate", "--certificate"},
        {"--samples", "--samples 7"},
        {"--region", "--region 0.1"},
        {"--within", "--within 0.3"},
        {"--sweep", "--sweep viscous=10,100"},
        {"--completion", "--completion orthogonal"},
        {"--inputs", "--inputs sled.ty"},
        {"--spectrum", "--spectrum"},
        {"--critical", "--critical 1:10"},
        {"--tolerance", "--tolerance 1e-5"},
        {"--output", "--output made"},
        {"--force", "--force"},
        {"--problem", "--problem slip.json"}},
       {{{"sled.yaml", "--rows"}, "the model has no other row"},
        {{"--bound", "--set"}, "the bound of the command line replaces the one of the model"}}},
      {"steady",
       {"top.yaml --rate 5 --angle s1=0.4 --json", "top.yaml --critical --json", "top.yaml --branch 2 --amplitude 0.3 --json",
        "top.yaml --branch 2 --amplitude 0.3 --to-rate 15 --json", "top.yaml --rate 5 --interval s1 --json",
        "top.yaml --rate 5 --scan 5 --json", "top.yaml --rate 5 --spin top=3 --json", "rotor.yaml --permanent --rate 40 --json",
        "rotor.yaml --measured tilts.csv --json", "top.yaml --constants --json",
        "two.yaml --rate 7 --angle s2=0.5 --azimuth s2=2 --json",
        "ride.yaml --rate 4 --carousel hub --angle s2=0.7 --angle s3=0.6 --angle s4=0.72 --json"},
       {{"--set", "--set top.tz=-2"},
        {"--rate", "--rate 5.5"},
        {"--angle", "--angle s1=0.2"},
        {"--side", "--side {B}=above"},
        {"--spin", "--spin {B}=4"},
        {"--momentum", "--momentum {B}=0.1"},
        {"--spin-limit", "--spin-limit 1"},
        {"--stability", "--stability"},
        {"--driven", "--driven"},
        {"--interval", "--interval s1"},
        {"--critical", "--critical"},
        {"--branch", "--branch 1"},
        {"--amplitude", "--amplitude 0.2"},
        {"--to-rate", "--to-rate 14"},
        {"--azimuth", "--azimuth s1=1"},
        {"--carousel", "--carousel {B}"},
        {"--scan", "--scan 4"},
        {"--table", "--table made"},
        {"--permanent", "--permanent"},
        {"--measured", "--measured tilts.csv"},
        {"--fit-inertia", "--fit-inertia"},
        {"--constants", "--constants"},
        {"--write-state", "--write-state made"},
        {"--draw", "--draw made"},
        {"--force", "--force"}},
       {}},
      {"convert",
       {"one.urdf --json", "one.urdf --output one.yaml --json"},
       {{"--output", "--output made"},
        {"--floating-base", "--floating-base"},
        {"--accept-inertia", "--accept-inertia"},
        {"--force", "--force"},
        {"--strict", "--strict"}},
       {{{"one.urdf", "--accept-inertia"}, "its inertia is possible; see Options.OfFiles"},
        {{"one.urdf", "--strict"}, "everything is converted; see Options.OfFiles"},
        {{"--output", "--force"}, "the file does not exist yet"}}},
      {"schema",
       {"", "--output schema.json"},
       {{"--study", "--study"}, {"--output", "--output made"}, {"--force", "--force"}},
       {{{"--output", "--force"}, "the file does not exist yet"}}},
  };
  return list;
}

// Commands whose options are all tried by hand, in Options.OfFiles and elsewhere.
const std::set<std::string> kByHand = {"report", "studio", "sweep", "new", "explain"};

class Options : public InScratchFolder {
 protected:
  void SetUp() override {
    InScratchFolder::SetUp();
    const std::string examples = VINCULUM_SOURCE_DIR "/examples/", cases = VINCULUM_SOURCE_DIR "/tests/cases/";
    write("pole.yaml", kPole);
    write("block.yaml", kBlock);
    // Both strings are slack where it starts: taken as taut or not they break other momenta.
    write("hung.yaml",
          "vinculum: 1\nbodies: { load: { joint: free, mass: 1, inertia: [0.1, 0.2, 0.3] } }\nstrings:\n"
          "  front: { from: world, at: [0, 0, 1], to: load, on: [0.1, 0, 0], length: 2 m }\n"
          "  back: { from: world, at: [1, 0, 1], to: load, on: [-0.1, 0.2, 0], length: 2 m }\n");
    write("start.json", kStateText);
    write("placed.json", R"({"q": {"drawer.tx": 0.3}})");
    write("sliding.json", R"({"v": {"drawer.tx'": 0.4}})");
    write("sled.json", R"({"v": {"sled.rz'": 0.5}})");
    write("loop.json", R"({"q": {"crank": -0.9, "coupler": 0.5, "rocker": -1.5}})");
    write("motion.csv", "t,cart,bob\n0,0,0\n0.1,0.01,0.1\n0.2,0.04,0.2\n0.3,0.09,0.2\n0.4,0.16,0.1\n");
    write("torques.csv", "t,torque\n0.05,0.3\n0.15,-0.2\n");
    write("clamp.json", R"({"B1": [[-1]], "B2": [[1]], "F1": [[0]], "F2": [[0]], "d": [1]})");
    write("slip.json", R"({"A": 1, "B": 0, "eta": 2, "rho2": 1, "s0": 0.1})");
    const auto copy = [&](const std::string& from, const char* to) { write(to, read_file(from)); };
    copy(examples + "four-bar-loop/model.yaml", "loop.yaml");
    copy(examples + "drawer/model.yaml", "drawer.yaml");
    copy(examples + "sleigh-grip/model.yaml", "sled.yaml");
    copy(examples + "top-on-a-string/model.yaml", "top.yaml");
    copy(examples + "two-tops-on-strings/model.yaml", "two.yaml");
    copy(examples + "carousel/model.yaml", "ride.yaml");
    copy(examples + "rotor-balancing/model.yaml", "rotor.yaml");
    copy(examples + "rotor-balancing/tilts.csv", "tilts.csv");
    copy(cases + "verdicts/one.urdf", "one.urdf");
    write("arm.yaml",
          read_file(examples + "balanced-arm/model.yaml") +
              "forces: { coil: { between: [world, [0, 1, 0]], and: [upper, [0.3, 0, 0]], stiffness: 10, length: 0 } }\n");
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) inputs_.insert(entry.path().filename().string());
  }

  // All that a command leaves: its exit code, its words, its files.
  struct Answer {
    int exit_code = 0;
    std::string words, errors;
    std::map<std::string, std::string> files;
    bool operator==(const Answer& other) const {
      return exit_code == other.exit_code && words == other.words && files == other.files;
    }
  };
  Answer ask(const std::string& arguments) {
    const ProgramRun run = this->run(arguments);
    Answer answer{run.exit_code, run.output, run.errors, {}};
    std::vector<std::filesystem::path> made;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (!inputs_.contains(name) && name != ".errors") made.push_back(entry.path());
    }
    for (const auto& path : made) {
      if (std::filesystem::is_directory(path)) {
        for (const auto& inside : std::filesystem::directory_iterator(path)) {
          const std::string file = inside.path().filename().string();
          if (file != "run.json" && file != "report.html") answer.files[file] = read_file(inside.path());
          if (file == "report.html") answer.files[file] = "a page";
        }
      } else {
        answer.files[path.filename().string()] = read_file(path);
      }
      std::filesystem::remove_all(path);
    }
    return answer;
  }

  static std::string filled(std::string text, const std::string& question) {
    const bool has_loop = question.starts_with("loop"), has_block = question.starts_with("block");
    const std::map<std::string, std::string> words = {{"{P}", has_loop                      ? "crank_length=0.31"
                                                              : has_block                   ? "mu=0.5"
                                                              : question.starts_with("arm") ? "upper=0.1"
                                                                                            : "length=0.7"},
                                                      {"{S}", has_loop ? "loop.json" : "start.json"},
                                                      {"{D}", has_loop ? "rocker" : "cart,bob"},
                                                      {"{B}", question.starts_with("rotor") ? "rotor" : "top"}};
    for (const auto& [place, word] : words) {
      if (const size_t at = text.find(place); at != std::string::npos) text.replace(at, place.size(), word);
    }
    return text;
  }

  std::set<std::string> options_of(const std::string& command) {
    std::set<std::string> options;
    std::istringstream help(run(command + " --help").output);
    const std::regex option(R"(^\s+(-[a-z],)?(--[a-z-]+))");
    for (std::string line; std::getline(help, line);) {
      std::smatch found;
      if (std::regex_search(line, found, option) && found[2] != "--help") options.insert(found[2]);
    }
    return options;
  }

  std::set<std::string> inputs_;
};

class OptionsOf : public Options, public ::testing::WithParamInterface<Command> {};

TEST_P(OptionsOf, ChangeTheAnswerOrAreRefused) {
  const Command& command = GetParam();
  std::set<std::string> effective{"--json", "--force"};  // --force: ForceReplacesFiles
  for (const std::string& question : command.questions) {
    const Answer plain = ask(command.name + " " + question);
    ASSERT_EQ(plain.exit_code, 0) << command.name << " " << question << "\n" << plain.errors;
    for (const Added& added : command.added) {
      const std::string arguments = command.name + " " + question + " " + filled(added.text, question);
      const bool is_there = question.find(added.option + " ") != std::string::npos && added.option != "--set";
      if (is_there) continue;
      const Answer answer = ask(arguments);
      EXPECT_TRUE(answer.exit_code >= 0 && answer.exit_code <= 3) << arguments;
      if (answer.exit_code == 2) {
        EXPECT_NE(answer.errors.find("error:"), std::string::npos) << arguments;
        continue;
      }
      if (!(answer == plain)) {
        effective.insert(added.option);
        continue;
      }
      bool is_excepted = false;
      for (const auto& [where, why] : command.exceptions)
        is_excepted = is_excepted || (question.find(where.first) != std::string::npos && where.second == added.option);
      EXPECT_TRUE(is_excepted) << "no effect: " << arguments;
    }
  }
  // Where a question has it already, it must have had an effect there.
  for (const std::string& question : command.questions) {
    for (const Added& added : command.added) {
      const size_t at = question.find(added.option + " ");
      if (at == std::string::npos) continue;
      effective.insert(added.option);
    }
  }
  for (const std::string& option : options_of(command.name)) {
    bool is_excepted = false;
    for (const auto& [where, why] : command.exceptions) is_excepted = is_excepted || where.second == option;
    EXPECT_TRUE(effective.contains(option) || is_excepted) << command.name << " " << option << " changes no answer here";
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, OptionsOf, ::testing::ValuesIn(commands()),
                         [](const ::testing::TestParamInfo<Command>& info) { return info.param.name; });

// Every command of the program is in the list above, or is tried by hand.
TEST_F(Options, OfEveryCommandAreTried) {
  std::set<std::string> known = kByHand;
  for (const Command& command : commands()) known.insert(command.name);
  std::istringstream help(run("--help").output);
  bool begun = false;
  int count = 0;
  for (std::string line; std::getline(help, line);) {
    std::smatch found;
    if (begun && std::regex_search(line, found, std::regex(R"(^  ([a-z]+)[,\s])"))) {
      EXPECT_TRUE(known.contains(found[1])) << found[1];
      ++count;
    }
    begun = begun || line.starts_with("Subcommands");
  }
  EXPECT_EQ(count, static_cast<int>(known.size()));
}

// The cases of the issue, and further ones: refused with the reason, and without an answer.
TEST_F(Options, CombinationsWithoutMeaningAreRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"steady rotor.yaml --permanent --rate 40 --stability", "--stability has no effect with --permanent"},
      {"steady top.yaml --critical --stability", "--stability has no effect"},
      {"steady top.yaml --rate 5 --to-rate 9 --angle s1=0.4", "--to-rate has no effect without --branch"},
      {"steady top.yaml --rate 5 --carousel top --momentum top=1", "--momentum has no effect with --carousel"},
      {"steady top.yaml --rate 5 --angle s1=0.4 --set top.tz=-2", "--set top.tz has no effect"},
      {"derive pole.yaml --to c --terms 3", "--terms has no effect"},
      {"derive pole.yaml --set bob=0.1", "--set bob has no effect"},
      {"simulate block.yaml --until 1 --step 0.01 --tolerance 1e-4", "--tolerance has no effect with --step"},
      {"simulate pole.yaml --until 1 --integrator cvode --order 8", "--order has no effect"},
      {"simulate pole.yaml --until 1 --no-report", "--no-report has no effect without --output"},
      {"inverse pole.yaml --output f.csv", "--output has no effect without --motion"},
      {"inverse pole.yaml --motion motion.csv --set bob=0.2", "--set bob has no effect"},
      {"linearise pole.yaml --over length=0.1:1:5 --set length=2", "--set length has no effect"},
      {"limit drawer.yaml --load hand --rays 9", "--rays has no effect without --polar"},
      {"limit drawer.yaml --load hand --set \"drawer.tx'=1\"", "--set drawer.tx' has no effect"},
      {"variants --problem clamp.json --set f=1", "--set has no effect with --problem"},
      {"realize sled.yaml --within 0.2", "--within has no effect without --certificate"},
      {"realize sled.yaml --tolerance 1e-6", "--tolerance has no effect without --until"},
      {"equilibrium pole.yaml --force", "--force has no effect without --write-state"},
      {"sweep --merge a --threads 2", "--threads has no effect with --merge"},
      {"sweep --output a --csv b --resume", "--resume has no effect"},
      {"convert one.urdf --force", "--force has no effect without --output"},
  };
  for (const auto& [arguments, words] : cases) {
    const auto run = this->run(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments << "\n" << run.errors;
    EXPECT_NE(run.errors.find(words), std::string::npos) << arguments << "\n" << run.errors;
    EXPECT_NE(run.errors.find("VN-USAGE-014"), std::string::npos) << arguments << "\n" << run.errors;
    EXPECT_TRUE(run.output.empty()) << arguments;
  }
}

// What the command line says comes after the state file: position, velocity, and a coordinate by the name of its joint.
TEST_F(Options, SetTakesEffectOverAState) {
  const auto plain = run("evaluate pole.yaml --state start.json --json").json();
  const auto set = run("evaluate pole.yaml --state start.json --set \"bob'=2\" --set cart=0.9 --json").json();
  EXPECT_NEAR(plain["twists"]["bob"][4].get<double>(), 1, 1e-15);
  EXPECT_NEAR(set["twists"]["bob"][4].get<double>(), 2, 1e-15);
  EXPECT_NEAR(plain["poses"]["bob"]["position"][0].get<double>(), 0.2, 1e-15);
  EXPECT_NEAR(set["poses"]["bob"]["position"][0].get<double>(), 0.9, 1e-15);
  // The string model of the issue: 0.5 m/s for 0.1 s, but for the string.
  const std::string cases = VINCULUM_SOURCE_DIR "/tests/cases/strings/";
  write("ONE.yaml", read_file(cases + "ONE.yaml"));
  write("st.json", read_file(cases + "st.json"));
  const auto still = run("simulate ONE.yaml --state st.json --until 0.001 --json").json();
  const auto moved = run("simulate ONE.yaml --state st.json --set \"g1.tx'=0.5\" --until 0.001 --json").json();
  EXPECT_NEAR(moved["final"]["q"]["g1.tx"].get<double>() - still["final"]["q"]["g1.tx"].get<double>(), 0.5 * 0.001, 1e-5);
  EXPECT_EQ(run("linearise pole.yaml --state start.json --over cart=0:1:3 --set bob=0.1 --json").exit_code, 0);
}

// A file that exists is replaced with --force alone.
TEST_F(Options, ForceReplacesFiles) {
  for (const char* command :
       {"inverse pole.yaml --motion motion.csv --output made", "linearise pole.yaml --over length=0.1:1:3 --table made",
        "equilibrium pole.yaml --set bob=0.1 --write-state made", "limit drawer.yaml --load hand --polar made --rays 8",
        "steady top.yaml --rate 5 --angle s1=0.4 --side top=below --draw made", "convert one.urdf --output made",
        "schema --output made",
        "balance arm.yaml --property force --counterweight upper=-0.25,0,0 --counterweight forearm=-0.15,0,0 --write made",
        "variants drawer.yaml --set pull=200 --plot made", "realize sled.yaml --until 0.1 --output made"}) {
    EXPECT_EQ(run(command).exit_code, 0) << command;
    const auto refused = run(command);
    EXPECT_EQ(refused.exit_code, 2) << command << refused.errors;
    EXPECT_EQ(run(std::string(command) + " --force").exit_code, 0) << command;
    std::filesystem::remove_all(folder_ / "made");
  }
}

// Options of commands about files, one by one.
TEST_F(Options, OfFiles) {
  // new
  EXPECT_EQ(run("new a.yaml").exit_code, 0);
  EXPECT_EQ(run("new a.yaml").exit_code, 2);
  EXPECT_EQ(run("new a.yaml --force --template satellite").exit_code, 0);
  EXPECT_NE(read_file(folder_ / "a.yaml").find("satellite"), std::string::npos);
  // explain
  EXPECT_NE(run("explain --markdown").output, run("explain").output);
  EXPECT_NE(run("explain --glossary").output.find("| verdict |"), std::string::npos);
  EXPECT_EQ(run("explain VN-MODEL-021 --json").json()["messages"][0]["code"], "VN-MODEL-021");
  // convert
  write("bad.urdf",
        "<robot name='r'><link name='base'/><link name='l'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' "
        "iyy='1' iyz='0' izz='9'/></inertial></link><joint name='j' type='continuous'><parent link='base'/><child "
        "link='l'/><axis xyz='0 0 1'/><dynamics damping='0' friction='2'/></joint></robot>");
  EXPECT_EQ(run("convert bad.urdf").exit_code, 3);
  EXPECT_EQ(run("convert bad.urdf --accept-inertia").exit_code, 0);
  EXPECT_EQ(run("convert bad.urdf --accept-inertia --strict").exit_code, 1);
  // report
  ASSERT_EQ(run("simulate pole.yaml --until 0.1 --output out").exit_code, 0);
  EXPECT_EQ(run("report out --output page.html").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "page.html"));
  std::filesystem::rename(folder_ / "pole.yaml", folder_ / "elsewhere.yaml");
  EXPECT_NE(run("report out").exit_code, 0);
  EXPECT_EQ(run("report out --model elsewhere.yaml --json").exit_code, 0);
  EXPECT_EQ(options_of("report"), (std::set<std::string>{"--output", "--model", "--json"}));
  EXPECT_EQ(options_of("new"), (std::set<std::string>{"--template", "--force"}));
  EXPECT_EQ(options_of("explain"), (std::set<std::string>{"--markdown", "--glossary", "--json"}));
  EXPECT_EQ(options_of("studio"), (std::set<std::string>{"--run", "--port", "--limit"})) << "tried in studio_test.cc";
  EXPECT_EQ(options_of("sweep"),
            (std::set<std::string>{"--over", "--run", "--collect", "--output", "--threads", "--limit", "--resume", "--retry",
                                   "--shard", "--merge", "--csv", "--force", "--no-report", "--json"}))
      << "tried in sweep_test.cc and sweep_contract_test.cc";
}

}  // namespace
}  // namespace vinculum::testing
