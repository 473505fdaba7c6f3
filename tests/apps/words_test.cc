// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the command line: times with units, names nearly right, states of a run, standard input, verdicts that fail.
#include <sstream>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

namespace fs = std::filesystem;

class Words : public InScratchFolder {
 protected:
  void copy_example(const std::string& name) {
    fs::copy(fs::path(VINCULUM_SOURCE_DIR) / "examples" / name, folder_,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
};

TEST_F(Words, SameInputSameBytes) {
  copy_example("car-with-trailer");
  for (const char* folder : {"first", "second"})
    ASSERT_EQ(run(std::string("simulate model.yaml --until 2 --contacts frictional --no-report --output ") + folder).exit_code,
              0);
  for (const char* file : {"run.json", "states.csv", "reactions.csv"}) {
    EXPECT_GT(read_file(folder_ / "first" / file).size(), 1000u) << file;
    EXPECT_TRUE(read_file(folder_ / "first" / file) == read_file(folder_ / "second" / file)) << file;
  }
}

TEST_F(Words, VerdictsAreOneListAndMayFail) {
  copy_example("car-with-trailer");
  const auto run = this->run("simulate model.yaml --until 2 --output out --no-report --json --fail-on violated,impossible");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.errors.find("VN-RUN-180"), std::string::npos) << run.errors;
  const auto verdicts = run.json()["verdicts"];
  EXPECT_EQ(verdicts[0]["verdict"], "violated");
  EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "out/run.json"))["verdicts"], verdicts);
  EXPECT_EQ(this->run("simulate model.yaml --until 2 --fail-on impossible").exit_code, 0);
  const auto wrong = this->run("simulate model.yaml --until 2 --fail-on violatd");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.errors.find("did you mean 'violated'?"), std::string::npos) << wrong.errors;
}

// One list in one order: what the terminal says, what run.json keeps, what the page shows.
TEST_F(Words, TerminalFileAndPageTellTheSameVerdicts) {
  copy_example("car-with-trailer");
  const auto run = this->run("simulate model.yaml --until 2 --contacts frictional --output out");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto kept = nlohmann::json::parse(read_file(folder_ / "out/run.json"))["verdicts"];
  ASSERT_GE(kept.size(), 6u);
  size_t at = run.output.find("\nverdicts\n");
  for (const auto& verdict : kept) {
    at = run.output.find("\n  " + verdict["subject"].get<std::string>() + " ", at);
    ASSERT_NE(at, std::string::npos) << verdict;
    const std::string line = run.output.substr(at + 1, run.output.find('\n', at + 1) - at - 1);
    EXPECT_NE(line.find(" " + verdict["verdict"].get<std::string>()), std::string::npos) << line;
    EXPECT_NE(line.find(verdict["why"].get<std::string>()), std::string::npos) << line;
  }
  if (!fs::exists(folder_ / "out/report.html")) GTEST_SKIP() << "there is no page in this program";
  const std::string page = read_file(folder_ / "out/report.html"), mark = "id=\"vinculum-data\">";
  const size_t begin = page.find(mark) + mark.size();
  const auto shown = nlohmann::json::parse(page.substr(begin, page.find('<', begin) - begin))["verdicts"];
  ASSERT_EQ(shown.size(), kept.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    for (const char* key : {"subject", "verdict", "why"}) EXPECT_EQ(shown[i][key], kept[i][key]) << i;
  }
}

// The help of a command teaches: it ends with an example of that command.
TEST_F(Words, EveryHelpHasAnExample) {
  const std::string all = run("--help").output;
  std::istringstream lines(all.substr(all.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  int commands = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    if (!line.starts_with("  ") || line.starts_with("   ") || !(words >> name)) continue;
    if (name.ends_with(',')) name.pop_back();  // of two spellings the first
    const auto help = run(name + " --help");
    EXPECT_EQ(help.exit_code, 0) << name;
    const size_t example = help.output.find("\nexample");
    ASSERT_NE(example, std::string::npos) << name;
    EXPECT_NE(help.output.find("vinculum " + name, example), std::string::npos) << name;
    ++commands;
  }
  EXPECT_GE(commands, 20);
}

TEST_F(Words, TimesHaveUnitsAndStatesComeFromRuns) {
  copy_example("double-pendulum");
  const auto seconds = run("simulate model.yaml --until 0.5 --json"),
             units = run("simulate model.yaml --until \"500 ms\" --json");
  ASSERT_EQ(units.exit_code, 0) << units.errors;
  EXPECT_EQ(seconds.json()["final"], units.json()["final"]);
  EXPECT_EQ(run("simulate model.yaml --until \"2 kg\"").exit_code, 2);
  ASSERT_EQ(run("simulate model.yaml --until 0.5 --output out --no-report").exit_code, 0);
  const auto state = run("evaluate model.yaml --state out/run.json --json");
  ASSERT_EQ(state.exit_code, 0) << state.errors;
  EXPECT_EQ(state.json()["t"], 0.5);
  EXPECT_EQ(run("check - < model.yaml").exit_code, 0);
}

TEST_F(Words, NearestNamesAreTold) {
  copy_example("double-pendulum");
  EXPECT_NE(run("simulte model.yaml").errors.find("did you mean 'simulate'?"), std::string::npos);
  EXPECT_NE(run("simulate model.yaml --untl 1").errors.find("did you mean '--until'?"), std::string::npos);
  EXPECT_EQ(run("linearize model.yaml").exit_code, 0);
}

}  // namespace
}  // namespace vinculum::testing
