// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the documents say is what the program does.
#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

namespace fs = std::filesystem;
const fs::path kSource = VINCULUM_SOURCE_DIR;

class Docs : public InScratchFolder {};

TEST_F(Docs, MessagesArePrintedFromTheCatalogue) {
  const auto run = this->run("explain --markdown");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_GT(run.output.size(), 10000u);
  EXPECT_TRUE(run.output == read_file(kSource / "docs/messages.md"))
      << "print it again: vinculum explain --markdown > docs/messages.md";
  EXPECT_EQ(this->run("explain VN-MODEL-021 --markdown").exit_code, 2);
}

// The words of a printed line; figures and the width of columns may change with rounding.
std::string words_of(const std::string& line) {
  static const std::regex kFigure(R"([-+]?\d[\d.]*(e[-+]?\d+)?)"), kBlanks(" +");
  const std::string words = std::regex_replace(std::regex_replace(line, kFigure, "#"), kBlanks, " ");
  return words.substr(0, words.find_last_not_of(' ') + 1);
}

std::set<std::string> words_of_lines(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.insert(words_of(line));
  return lines;
}

std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages{"docs/benchmarks.md", "docs/hello.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "examples"))
    pages.push_back("examples/" + entry.path().filename().string() + "/README.md");
  std::sort(pages.begin(), pages.end());
  return pages;
}

class Pages : public InScratchFolder, public ::testing::WithParamInterface<std::string> {};

// Commands `vinculum ..` in blocks marked sh run one after the other in one folder, for an example in a copy of its own, for
// published problems in a copy of theirs. A block marked text shows lines of what the commands before it printed; `..` stands for
// those left out.
TEST_P(Pages, ShowWhatTheProgramPrints) {
  const fs::path path = kSource / GetParam();
  if (GetParam().starts_with("examples/"))
    fs::copy(path.parent_path(), folder_, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  if (GetParam() == "docs/benchmarks.md") fs::copy(kSource / "tests/published", folder_);
  std::istringstream page(read_file(path));
  std::set<std::string> printed;
  std::string block;
  int commands = 0, shown = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      block = line.substr(3);
      if (block == "sh") printed.clear();
    } else if (block == "sh" && line.starts_with("vinculum ")) {
      const auto run = this->run(line.substr(std::string("vinculum ").size()));
      EXPECT_EQ(run.exit_code, 0) << line << "\n" << run.errors;
      printed.merge(words_of_lines(run.output + run.errors));
      ++commands;
    } else if (block == "text" && line != "..") {
      EXPECT_TRUE(printed.contains(words_of(line))) << line;
      ++shown;
    }
  }
  EXPECT_GE(commands, 1);
  EXPECT_GE(shown, 3);
}

INSTANTIATE_TEST_SUITE_P(All, Pages, ::testing::ValuesIn(pages_with_commands()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

// The run, its results, the page and the commands take rows as they come: kinds of rows are told apart in model/list_rows.cc, by
// their sources in constraints/ and in the list of idealisations. (`--contacts` is an option.)
TEST(Architecture, KindsOfRowsAreNamedInTheirListsOnly) {
  std::vector<fs::path> files;
  for (const char* folder : {"apps/vinculum", "studio/src"}) {
    for (const auto& entry : fs::directory_iterator(kSource / folder)) files.push_back(entry.path());
  }
  // Of what is realised and what is not `realize` must speak by kind.
  std::erase_if(files, [](const fs::path& file) { return file.filename().string().starts_with("realize"); });
  for (const char* file : {"files/report", "files/run_report", "files/results_folder", "simulation/run",
                           "simulation/run_verdicts", "simulation/run_gate", "simulation/steps", "simulation/motion_system",
                           "simulation/choose_integrator", "simulation/laws_of_time"}) {
    for (const char* end : {".h", ".cc"}) files.push_back(kSource / "vinculum" / (file + std::string(end)));
  }
  const std::regex kind(
      R"(\b(Contact|Equation|Stop|Motion|String|Guide)(Row|State|Axis|Source)\b|\b(contacts|joint_limits|velocity_equations|strings|guides)\(\))"
      R"(|(model|rows|words|data|report|recording)\.contacts\b)");
  for (const fs::path& file : files) {
    const std::string text = read_file(file);
    ASSERT_FALSE(text.empty()) << file;
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, kind)) << file << ": " << found.str();
  }
  EXPECT_GT(files.size(), 40u);
}

TEST_F(Docs, LinksLeadSomewhere) {
  std::vector<fs::path> pages{kSource / "README.md", kSource / "CONTRIBUTING.md", kSource / "CHANGELOG.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "docs")) pages.push_back(entry.path());
  for (const std::string& page : pages_with_commands()) pages.push_back(kSource / page);
  const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  int links = 0;
  for (const fs::path& page : pages) {
    const std::string text = read_file(page);
    EXPECT_FALSE(text.empty()) << page;
    for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
      const std::string target = (*found)[1];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page << " links to " << target;
      ++links;
    }
  }
  EXPECT_GT(links, 20);
}

}  // namespace
}  // namespace vinculum::testing
