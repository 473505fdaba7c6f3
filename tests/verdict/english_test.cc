// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// All texts that a user can see, in the language of engineers: no words of our own where a standard one exists, no sentence of
// more than 30 words, no message whose first sentence is longer than 100 characters. So are the pages, and the comments of the
// headers that a program includes. The figures of each kind of text are printed.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "vinculum/verdict/catalogue.h"
#include "vinculum/verdict/glossary.h"
#include "vinculum/verdict/verdict.h"
#include "vinculum/verdict/words.h"

namespace vinculum {
namespace {

// Words and phrases for which the guide has a better one.
constexpr const char* kAvoided[] = {
    "row",           "rows",
    "freedoms",      "told",
    "tell",          "tells",
    "hang on",       "hangs on",
    "cure",          "cures",
    "does with",     "will do",
    "is enough",     "are enough",
    "to be had",     "go on",
    "goes on",       "gone on",
    "going on",      "felt",
    "let go",        "lets go",
    "letting go",    "give way",
    "gives way",     "grip",
    "grips",         "taken over",
    "take over",     "meets inertia",
    "polite kill",   "what is around",
    "mend",          "anew",
    "says so",       "say so",
    "looked at",     "the motion beyond",
    "what there is", "pole",
    "poles",         "SI",
};

// Where such a word is the right one: rows of a matrix, and texts whose words are those of a contract or of another program.
constexpr const char* kAllowed[] = {
    "one row and one column",  // matrices of a bare problem
    "has not {} rows, one for each entry of d",
    "row {} of {} has {} entries, not {}",
    "row {} of W is not {} numbers",
    "A, {2} x {2}, row by row",  // of generated C
    "a row of states for each coordinate",
    "touches the surface at two points",  // six figures
    "touches the surface at two points",  // six figures
    "touches the surface at two points",  // six figures  // an argument of a C++ function
};

struct Text {
  std::string where, text;
  bool is_message = false;  // the sentence of a message, behind its code
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The string literals of a source, those side by side as one.
std::vector<Text> list_literals(const std::filesystem::path& path) {
  const std::string source = read_file(path);
  std::vector<Text> list;
  std::string text;
  bool is_open = false, after_code = false;
  int line = 1, begin = 1;
  const auto close = [&] {
    if (!is_open) return;
    is_open = false;
    list.push_back({path.string() + ":" + std::to_string(begin), text, after_code});
    after_code = text.starts_with("VN-");
    text.clear();
  };
  const auto open = [&] {
    if (!is_open) begin = line;
    is_open = true;
  };
  for (size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (c == '\n') ++line;
    if (source.compare(i, 2, "//") == 0 || source.compare(i, 8, "#include") == 0) {
      close();
      i = source.find('\n', i);
      if (i == std::string::npos) break;
      ++line;
    } else if (source.compare(i, 3, "R\"(") == 0) {
      const size_t end = source.find(")\"", i);
      open();
      text += source.substr(i + 3, end - i - 3);
      line += static_cast<int>(std::count(source.begin() + static_cast<long>(i), source.begin() + static_cast<long>(end), '\n'));
      i = end + 1;
    } else if (c == '"') {
      open();
      for (++i; i < source.size() && source[i] != '"'; ++i) {
        if (source[i] == '\\') ++i;
        text += source[i] == 'n' && source[i - 1] == '\\' ? '\n' : source[i];
      }
    } else if (c == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(source[i - 1])) == 0) {
      close();
      for (++i; i < source.size() && source[i] != '\''; ++i) i += source[i] == '\\';
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      close();
    }
  }
  close();
  return list;
}

// The words of a sentence, small, each between blanks; what is code (in backticks, options, names with points) left out.
std::string words_of(const std::string& text) {
  std::string bare;
  bool is_code = false;
  for (const char c : text) {
    if (c == '`') is_code = !is_code;
    bare += is_code ? 'X' : c;
  }
  std::istringstream stream(bare);
  std::string all = " ";
  for (std::string word; stream >> word;) {
    const auto is_edge = [](char c) { return std::string(".,;:()[]'\"!?").find(c) != std::string::npos; };
    while (!word.empty() && is_edge(word.back())) word.pop_back();
    while (!word.empty() && is_edge(word.front())) word.erase(0, 1);
    const bool is_word = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c); });
    if (is_word && word != "SI")
      std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    all += (is_word ? word : "#") + " ";
  }
  return all;
}

int count_words(const std::string& sentence) {
  std::istringstream stream(sentence);
  int count = 0;
  for (std::string word; stream >> word;)
    count += std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c); });
  return count;
}

// A sentence ends at . ! ? before a blank, at an empty line, and before an indented one (an example).
std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> sentences(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool ends = (text[i] == '.' || text[i] == '!' || text[i] == '?') && i + 1 < text.size() && std::isspace(text[i + 1]);
    const bool breaks = text[i] == '\n' && i + 1 < text.size() && (text[i + 1] == '\n' || text.compare(i + 1, 2, "  ") == 0);
    sentences.back() += text[i];
    if (ends || breaks) sentences.emplace_back();
  }
  return sentences;
}

bool is_prose(const std::string& text) {
  int words = 0, letters = 0;
  for (const char c : text + " ") {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      ++letters;
    } else {
      words += letters >= 2;
      letters = 0;
    }
  }
  return words >= 3 && text.find(' ') != std::string::npos;
}

// What is wrong with a text; empty: nothing.
std::string find_fault(const Text& each) {
  for (const char* allowed : kAllowed) {
    if (each.text.find(allowed) != std::string::npos) return "";
  }
  const std::string words = words_of(each.text);
  for (const char* avoided : kAvoided) {
    if (words.find(" " + std::string(avoided) + " ") != std::string::npos) return "avoid '" + std::string(avoided) + "'";
  }
  const std::vector<std::string> sentences = sentences_of(each.text);
  for (const std::string& sentence : sentences) {
    if (count_words(sentence) > 30) return "a sentence of " + std::to_string(count_words(sentence)) + " words";
  }
  if (each.is_message && sentences.front().size() > 100) return "a first sentence of more than 100 characters";
  return "";
}

struct Figures {
  int texts = 0, faults = 0;
};

void report(const std::string& room, const Figures& figures) {
  const std::string text = std::to_string(figures.texts) + " texts, " + std::to_string(figures.faults) + " faults";
  ::testing::Test::RecordProperty(room, text);
  std::cout << room << ": " << text << "\n";
}

// Prints what is wrong, and counts.
Figures check(const std::vector<Text>& texts, const std::string& room) {
  Figures figures;
  for (const Text& each : texts) {
    ++figures.texts;
    const std::string fault = find_fault(each);
    if (fault.empty()) continue;
    ++figures.faults;
    ADD_FAILURE() << each.where << ": " << fault << ": \"" << each.text << "\"";
  }
  report(room, figures);
  return figures;
}

const std::filesystem::path kSource = VINCULUM_SOURCE_DIR;

std::vector<Text> list_prose(const std::filesystem::path& folder) {
  std::vector<Text> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    const std::string name = entry.path().filename().string();
    if (extension != ".cc" && extension != ".h") continue;
    if (name.starts_with("catalogue_") || name.starts_with("glossary")) continue;  // entry by entry, below
    for (Text& each : list_literals(entry.path())) {
      if (is_prose(each.text)) texts.push_back(std::move(each));
    }
  }
  return texts;
}

TEST(English, OfTheCatalogue) {
  std::vector<Text> texts;
  for (const CatalogueEntry& entry : catalogue()) {
    const std::string code(entry.code);
    texts.push_back({code, std::string(entry.title), true});
    texts.push_back({code, std::string(entry.why)});
    texts.push_back({code, std::string(entry.fix)});
  }
  EXPECT_GT(check(texts, "catalogue").texts, 1000);
}

TEST(English, OfTheGlossaryAndTheVerdictWords) {
  std::vector<Text> texts;
  for (const GlossaryEntry& entry : glossary()) {
    // An entry may use its own word.
    if (entry.word != "row") texts.push_back({std::string(entry.word), std::string(entry.meaning)});
  }
  for (const Holds word : {Holds::holds, Holds::violated, Holds::not_unique, Holds::impossible, Holds::not_checked})
    texts.push_back({"verdict", std::string(to_text(word))});
  EXPECT_GT(check(texts, "glossary").texts, 50);
}

// Help, prompts, verdicts, hints, messages: every literal that is prose.
TEST(English, OfTheProgram) { EXPECT_GT(check(list_prose(kSource / "apps"), "program").texts, 300); }

TEST(English, OfTheLibrary) { EXPECT_GT(check(list_prose(kSource / "vinculum"), "library").texts, 1500); }

void list_descriptions(const nlohmann::json& node, const std::string& file, std::vector<Text>& texts) {
  if (node.is_object() && node.contains("description") && node["description"].is_string())
    texts.push_back({file, node["description"].get<std::string>()});
  if (node.is_structured()) {
    for (const auto& child : node) list_descriptions(child, file, texts);
  }
}

TEST(English, OfTheSchemas) {
  std::vector<Text> texts;
  for (const char* file : {"vinculum.schema.json", "vinculum-study.schema.json"})
    list_descriptions(nlohmann::json::parse(read_file(kSource / "docs" / file)), file, texts);
  EXPECT_GT(check(texts, "schemas").texts, 150);
}

// The page, in TypeScript: strings in quotes or backticks.
TEST(English, OfThePage) {
  std::vector<Text> texts;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "studio/src")) {
    if (entry.path().extension() != ".ts") continue;
    std::istringstream lines(read_file(entry.path()));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      line = line.substr(0, line.find("//"));
      for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '"' && line[i] != '`') continue;
        const size_t end = line.find(line[i], i + 1);
        if (end == std::string::npos) break;
        const std::string text = line.substr(i + 1, end - i - 1);
        if (is_prose(text)) texts.push_back({entry.path().string() + ":" + std::to_string(number), text});
        i = end;
      }
    }
  }
  EXPECT_GT(check(texts, "page").texts, 50);
}

// Where an avoided word is the right one in pages and comments: `row` of a matrix, and things that hang on strings.
struct Context {
  const char *word, *context;
};
constexpr Context kContexts[] = {{"row", "matri"},
                                 {"rows", "matri"},
                                 {"row", "column"},
                                 {"rows", "column"},
                                 {"row", "row by row"},
                                 {"rows", "rows by"},
                                 {"row", "in a row"},
                                 {"row", "row exchange"},
                                 {"row", "(4.1), row"},
                                 {"hangs on", "on a string"},
                                 {"hangs on", "on the hoist"},
                                 {"hang on", "on strings"},
                                 {"pole", "pole vaulter"}};

bool is_allowed(const std::string& word, const std::string& text) {
  std::string small = text;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  return word == "SI" || std::any_of(std::begin(kContexts), std::end(kContexts), [&](const Context& each) {
           return word == each.word && small.find(each.context) != std::string::npos;
         });
}

// Words alone: neither formulas nor names.
int count_plain_words(const std::string& sentence) {
  const std::string words = words_of(sentence);
  std::istringstream stream(words);
  int count = 0;
  for (std::string word; stream >> word;) count += word != "#" && word.size() > 1;
  return count;
}

std::vector<std::string> find_prose_faults(const std::string& text) {
  std::vector<std::string> faults;
  const std::string words = words_of(text);
  for (const char* avoided : kAvoided) {
    if (words.find(" " + std::string(avoided) + " ") != std::string::npos && !is_allowed(avoided, text))
      faults.push_back("avoid '" + std::string(avoided) + "'");
  }
  for (const std::string& sentence : sentences_of(text)) {
    const int count = count_plain_words(sentence);
    if (count > 30) faults.push_back("a sentence of " + std::to_string(count) + " words");
  }
  return faults;
}

Figures check_prose(const std::vector<Text>& texts, const std::string& kind) {
  Figures figures;
  for (const Text& each : texts) {
    ++figures.texts;
    for (const std::string& fault : find_prose_faults(each.text)) {
      ++figures.faults;
      ADD_FAILURE() << each.where << ": " << fault << ": \"" << each.text << "\"";
    }
  }
  report(kind, figures);
  return figures;
}

// A text without its marks: `code` is one X, of a link the words remain.
std::string strip_marks(const std::string& text) {
  std::string bare;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') {
      const size_t end = text.find('`', i + 1);
      bare += 'X';
      i = end == std::string::npos ? text.size() : end;
    } else if (text.compare(i, 2, "](") == 0) {
      const size_t end = text.find(')', i);
      i = end == std::string::npos ? text.size() : end;
    } else if (text[i] == '<' && i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0) {
      const size_t end = text.find('>', i);
      i = end == std::string::npos ? i : end;
    } else if (text[i] != '*' && text[i] != '[') {
      bare += text[i];
    }
  }
  return bare;
}

// Collects lines that follow one another into one text.
class Paragraphs {
 public:
  explicit Paragraphs(std::string file) : file_(std::move(file)) {}
  void add(int number, const std::string& line) {
    if (text_.empty()) begin_ = number;
    text_ += (text_.empty() ? "" : " ") + line;
  }
  void close() {
    if (!text_.empty()) texts_.push_back({file_ + ":" + std::to_string(begin_), strip_marks(text_)});
    text_.clear();
  }
  std::vector<Text> take() {
    close();
    return std::move(texts_);
  }

 private:
  std::string file_, text_;
  int begin_ = 0;
  std::vector<Text> texts_;
};

// Paragraphs, entries of lists, headings and cells of tables of a page; without its blocks of code.
std::vector<Text> list_markdown(const std::filesystem::path& path) {
  Paragraphs paragraphs(path.string());
  std::istringstream lines(read_file(path));
  bool is_code = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.erase(0, line.find_first_not_of(' '));
    const bool is_fence = line.starts_with("```");
    if (is_fence) is_code = !is_code;
    const size_t dot = line.find(". ");
    const bool is_entry = line.starts_with("- ") || (dot != std::string::npos && dot > 0 && dot < 3 && std::isdigit(line[0]));
    if (is_fence || is_code || line.empty() || line[0] == '#' || line[0] == '|' || is_entry) paragraphs.close();
    if (is_fence || is_code || line.empty()) continue;
    if (line[0] != '|') {
      paragraphs.add(number, line);
      if (line[0] == '#') paragraphs.close();
      continue;
    }
    std::istringstream cells(strip_marks(line));
    for (std::string cell; std::getline(cells, cell, '|'); paragraphs.close()) paragraphs.add(number, cell);
  }
  return paragraphs.take();
}

// Comments of a header: on lines of their own, and behind code. Equations, which are set in, end a paragraph.
std::vector<Text> list_comments(const std::filesystem::path& path) {
  Paragraphs paragraphs(path.string());
  std::istringstream lines(read_file(path));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t mark = line.find("//");
    const bool is_own = mark != std::string::npos && mark == line.find_first_not_of(' ');
    const std::string comment = mark == std::string::npos ? "" : line.substr(mark + 2);
    const bool is_text =
        comment.starts_with(" ") && !comment.starts_with("   ") && !comment.starts_with(" SPDX") && comment.size() > 1;
    if (!is_own || !is_text) paragraphs.close();
    if (!is_text) continue;
    paragraphs.add(number, comment.substr(1));
    if (!is_own) paragraphs.close();
  }
  return paragraphs.take();
}

void add_texts(std::vector<Text>& texts, std::vector<Text> more) {
  texts.insert(texts.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

TEST(English, OfTheReadme) {
  std::vector<Text> texts = list_markdown(kSource / "README.md");
  add_texts(texts, list_markdown(kSource / "CONTRIBUTING.md"));
  add_texts(texts, list_markdown(kSource / "bench/README.md"));
  EXPECT_GT(check_prose(texts, "README, CONTRIBUTING, bench").texts, 500);
}

// messages.md and glossary.md are printed from the catalogue and the glossary, read above.
TEST(English, OfTheDocuments) {
  std::vector<Text> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "docs")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".md" && name != "messages.md" && name != "glossary.md")
      add_texts(texts, list_markdown(entry.path()));
  }
  EXPECT_GT(check_prose(texts, "docs").texts, 1000);
}

TEST(English, OfTheExamples) {
  std::vector<Text> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "examples")) {
    if (entry.path().filename() == "README.md") add_texts(texts, list_markdown(entry.path()));
  }
  EXPECT_GT(check_prose(texts, "examples").texts, 500);
}

// Of the rooms whose headers docs/library.md names, and of what these include.
TEST(English, OfTheHeaders) {
  for (const char* room :
       {"model", "verdict", "math", "dynamics", "constraints", "simulation", "analysis", "study", "files", "questions"}) {
    std::vector<Text> texts;
    for (const auto& entry : std::filesystem::directory_iterator(kSource / "vinculum" / room)) {
      if (entry.path().extension() == ".h") add_texts(texts, list_comments(entry.path()));
    }
    EXPECT_GT(check_prose(texts, "comments of " + std::string(room)).texts, 50);
  }
}

// The test itself: what it must find, and must not.
TEST(English, IsFlagged) {
  EXPECT_NE(find_fault({"", "the motion hangs on the load"}), "");
  EXPECT_NE(find_fault({"", "the row was lost."}), "");
  EXPECT_EQ(find_fault({"", "leave it out with --rows"}), "");
  EXPECT_EQ(find_fault({"", "a joint of `row` is a word"}), "");
  std::string long_sentence;
  for (int i = 0; i < 31; ++i) long_sentence += "word ";
  EXPECT_NE(find_fault({"", long_sentence}), "");
  EXPECT_NE(find_fault({"", std::string(101, 'a'), true}), "");
  EXPECT_EQ(find_fault({"", std::string(60, 'a') + ". " + std::string(60, 'a'), true}), "");
  EXPECT_EQ(find_prose_faults("the row was lost").size(), 1u);
  EXPECT_EQ(find_prose_faults("the rows of the matrix, and a top that hangs on a string").size(), 0u);
  EXPECT_EQ(find_prose_faults(long_sentence).size(), 1u);
  EXPECT_EQ(strip_marks("**see** [this page](a.md), `a row`"), "see this page, X");
}

}  // namespace
}  // namespace vinculum
