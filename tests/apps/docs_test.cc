// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the documents say is what the program does.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
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

TEST_F(Docs, GlossaryIsPrintedFromTheProgram) {
  const auto run = this->run("explain --glossary");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_GT(run.output.size(), 5000u);
  EXPECT_TRUE(run.output == read_file(kSource / "docs/glossary.md"))
      << "print it again: vinculum explain --glossary > docs/glossary.md";
}

// A printed line: its words, and its figures in their order.
struct PrintedLine {
  std::string words;
  std::vector<double> figures;
};

PrintedLine read_line(const std::string& text) {
  // Of equal extrema rounding chooses one: its moment is no figure.
  static const std::regex kMomentOfLeast(R"((min .*) at t = [^ ]+)");
  const std::string line = std::regex_replace(text, kMomentOfLeast, "$1 at t =");
  static const std::regex kFigure(R"([-+]?\d[\d.]*(e[-+]?\d+)?)"), kBlanks(" +");
  PrintedLine printed;
  for (std::sregex_iterator found(line.begin(), line.end(), kFigure), end; found != end; ++found)
    printed.figures.push_back(std::strtod(found->str().c_str(), nullptr));
  const std::string words = std::regex_replace(std::regex_replace(line, kFigure, "#"), kBlanks, " ");
  const std::size_t first = words.find_first_not_of(' ');
  printed.words = first == std::string::npos ? "" : words.substr(first, words.find_last_not_of(' ') + 1 - first);
  return printed;
}

// Figures shown are those printed, to a part in a thousand. What rounding alone makes (residuals and drifts below 1e-6, margins
// above 1000) may be another number of that kind; counts of steps may change with the integrator.
bool agree(double shown, double printed) {
  const double size = std::max(std::abs(shown), std::abs(printed));
  if (size < 1e-6 || std::min(std::abs(shown), std::abs(printed)) > 1e3) return true;
  return std::abs(shown - printed) <= 1e-3 * size;
}

bool shows(const PrintedLine& shown, const PrintedLine& printed) {
  if (shown.words != printed.words || shown.figures.size() != printed.figures.size()) return false;
  if (shown.words.find(" steps of ") != std::string::npos) return true;
  return std::equal(shown.figures.begin(), shown.figures.end(), printed.figures.begin(), agree);
}

std::vector<PrintedLine> read_lines(const std::string& text) {
  std::vector<PrintedLine> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(read_line(line));
  return lines;
}

std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages{"docs/benchmarks.md", "docs/hello.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "examples")) {
    if (entry.is_directory()) pages.push_back("examples/" + entry.path().filename().string() + "/README.md");
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

// Every example has its row in the gallery: | picture | [question](NAME/README.md) | `command` | `line that it prints` |
void expect_in_gallery(const std::string& name, const std::map<std::string, std::vector<PrintedLine>>& by_command) {
  const std::string gallery = read_file(kSource / "examples/README.md");
  const std::regex row(R"(\]\()" + name + R"(/README\.md\) \| `([^`]+)` \| `([^`]+)` \|)");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(gallery, found, row)) << "examples/README.md has no row of " << name;
  const auto command = by_command.find(found[1]);
  ASSERT_NE(command, by_command.end()) << "examples/" << name << "/README.md has no command " << found[1];
  const PrintedLine shown = read_line(found[2]);
  EXPECT_TRUE(std::any_of(command->second.begin(), command->second.end(), [&](const PrintedLine& p) { return shows(shown, p); }))
      << found[1] << "\ndoes not print what the gallery says:\n"
      << found[2];
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
  std::vector<PrintedLine> printed;
  std::map<std::string, std::vector<PrintedLine>> by_command;
  std::string block;
  int commands = 0, shown = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      block = line.substr(3);
      if (block == "sh") printed.clear();
    } else if (block == "sh" && line.starts_with("vinculum ")) {
      const auto run = this->run(line.substr(std::string("vinculum ").size()));
      EXPECT_EQ(run.exit_code, 0) << line << "\n" << run.errors;
      by_command[line] = read_lines(run.output + run.errors);
      printed.insert(printed.end(), by_command[line].begin(), by_command[line].end());
      ++commands;
    } else if (block == "text" && line != "..") {
      const PrintedLine line_shown = read_line(line);
      EXPECT_TRUE(std::any_of(printed.begin(), printed.end(), [&](const PrintedLine& p) { return shows(line_shown, p); }))
          << line;
      ++shown;
    }
  }
  EXPECT_GE(commands, 1);
  if (GetParam().starts_with("examples/")) expect_in_gallery(path.parent_path().filename().string(), by_command);
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
  for (const char* folder : {"apps/vinculum", "studio/src", "vinculum/questions"}) {
    for (const auto& entry : fs::directory_iterator(kSource / folder)) files.push_back(entry.path());
  }
  // Of what is realised and what is not `realize` must speak by kind.
  std::erase_if(files, [](const fs::path& file) { return file.filename().string().starts_with("realize"); });
  for (const char* file : {"page/report", "page/run_report", "files/results_folder", "simulation/run", "simulation/run_verdicts",
                           "simulation/run_gate", "stepping/steps", "stepping/motion_system", "simulation/choose_integrator",
                           "stepping/laws_of_time"}) {
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
  std::vector<fs::path> pages{kSource / "README.md", kSource / "CONTRIBUTING.md", kSource / "CHANGELOG.md",
                              kSource / "examples/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
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

// Every path and name that CONTRIBUTING.md mentions is there: names in backticks, and the folders of its tree.
TEST_F(Docs, ContributingNamesWhatIsThere) {
  std::set<std::string> paths;  // of files and folders, from the root
  for (const char* folder :
       {".ci", "vinculum", "apps", "python", "studio", "tests", "examples", "cmake", "docs", "bench", "scripts"}) {
    paths.insert(folder);
    for (fs::recursive_directory_iterator entry(kSource / folder), end; entry != end; ++entry) {
      if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
      paths.insert(fs::relative(entry->path(), kSource).generic_string());
    }
  }
  for (const auto& entry : fs::directory_iterator(kSource)) paths.insert(entry.path().filename().string());
  const auto exists = [&](std::string name) {
    if (name.ends_with('/')) name.pop_back();
    return paths.contains(name) ||
           std::any_of(paths.begin(), paths.end(), [&](const std::string& path) { return path.ends_with("/" + name); });
  };
  const std::string text = read_file(kSource / "CONTRIBUTING.md");
  int names = 0;
  // A name in backticks is one of a file where it has a slash or ends as files do. Patterns and what a build makes are none.
  const std::regex quoted(R"(`([^`\n]+)`)");
  const std::regex file(
      R"(\.?[\w-]+(/[\w.-]+)*(/|\.(cc|h|md|json|yaml|txt|cmake|pyi|py|png))|[\w-]+(/[\w.-]+)+|\.(clang-format|clang-tidy))");
  const std::regex placeholder(R"([A-Z]{3,}|^build[\w-]*/)");
  for (std::sregex_iterator found(text.begin(), text.end(), quoted), end; found != end; ++found) {
    const std::string name = (*found)[1];
    if (!std::regex_match(name, file)) continue;
    if (std::regex_search(name, placeholder) && !paths.contains(name) && name != "README.md") continue;
    EXPECT_TRUE(exists(name)) << "CONTRIBUTING.md names " << name;
    ++names;
  }
  // The tree: folders of vinculum/ are set in.
  const std::string tree = text.substr(text.find("```\n") + 4, text.find("\n```") - text.find("```\n") - 4);
  const std::regex entry(R"((^|\n)(  )?([a-z_/]+)/ )");
  for (std::sregex_iterator found(tree.begin(), tree.end(), entry), end; found != end; ++found) {
    const std::string name = ((*found)[2].matched ? "vinculum/" : "") + (*found)[3].str();
    EXPECT_TRUE(paths.contains(name)) << "the tree of CONTRIBUTING.md names " << name;
    ++names;
  }
  EXPECT_GT(names, 80);
}

}  // namespace
}  // namespace vinculum::testing
