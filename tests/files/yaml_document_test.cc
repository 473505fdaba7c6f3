// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/yaml_document.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#ifdef VINCULUM_HAS_YAML_CPP
#include <yaml-cpp/yaml.h>
#endif

#include "vinculum/files/starter_model.h"

namespace vinculum {
namespace {

// A tree in one line: 'scalar', ~, [..], {'key': ..}.
std::string to_line(YamlNode node) {
  if (node.is_null()) return "~";
  if (node.is_scalar()) return "'" + std::string(node.text()) + "'";
  std::string line;
  for (int i = 0; i < node.size(); ++i) {
    if (i > 0) line += ", ";
    if (node.is_mapping()) line += "'" + std::string(node.key(i).text()) + "': ";
    line += to_line(node.entry(i));
  }
  return node.is_list() ? "[" + line + "]" : "{" + line + "}";
}

std::string load(std::string_view text) {
  Diagnostics diagnostics;
  const auto document = load_yaml(text, diagnostics);
  if (!document || diagnostics.has_errors()) return "refused: " + to_text(diagnostics.list().at(0));
  return to_line(document->root());
}

struct Case {
  const char* text;
  const char* tree;
};

// The trees follow from YAML 1.2, chapters 7 and 8.
const Case kCases[] = {
    {"a: 1", "{'a': '1'}"},
    {"a: 1\nb: 2\n", "{'a': '1', 'b': '2'}"},
    {"a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", "{'a': {'b': {'c': '1'}, 'd': '2'}, 'e': '3'}"},
    {"a:\nb: ~\nc: null\nd:   # nothing\n", "{'a': ~, 'b': ~, 'c': ~, 'd': ~}"},
    {"- 1\n- 2\n", "['1', '2']"},
    {"a:\n- 1\n- 2\nb: 3\n", "{'a': ['1', '2'], 'b': '3'}"},
    {"a:\n  - 1\n  -\n  - b: 2\n    c: 3\n  - - 4\n    - 5\n", "{'a': ['1', ~, {'b': '2', 'c': '3'}, ['4', '5']]}"},
    {"a: [1, two words, {b: c}, [], {}, ]\n", "{'a': ['1', 'two words', {'b': 'c'}, [], {}]}"},
    {"a: {b: 1, \"c\":2, 'd': [3],\n    e: ,\n  f: 4}\n", "{'a': {'b': '1', 'c': '2', 'd': ['3'], 'e': ~, 'f': '4'}}"},
    {"a: {\n}\nb: [\n]\n", "{'a': {}, 'b': []}"},
    {"a: b c # comment\n# comment\nb: c#d\n", "{'a': 'b c', 'b': 'c#d'}"},
    {"a: one\n  two\n\n  three\nb: [four\n five]\n", "{'a': 'one two\nthree', 'b': ['four five']}"},
    {"a: -0.2*boom'\nb: -x\nc: a:b\nd: ?x\ne: x?-:y\n", "{'a': '-0.2*boom'', 'b': '-x', 'c': 'a:b', 'd': '?x', 'e': 'x?-:y'}"},
    {"a: 'it''s'\nb: \"x\\ty\\x41\\u00f6\\U0001F600\\\\\"\n", "{'a': 'it's', 'b': 'x\tyA\xC3\xB6\xF0\x9F\x98\x80\\'}"},
    {"a: \"one  \n   two\n\n  three\\\n  four\\n  \n five\"\nb: 'six\n\n seven'\n",
     "{'a': 'one two\nthreefour\n five', 'b': 'six\nseven'}"},
    {"a: |\n  one\n   two\n\n  three\nb: >\n  four\n  five\n\n  six\n   seven\n  eight\nc: 1\n",
     "{'a': 'one\n two\n\nthree\n', 'b': 'four five\nsix\n seven\neight\n', 'c': '1'}"},
    {"a: |-\n  one\n\nb: |+\n  two\n\nc: |2\n    three\nd: >-\n\n  four\n",
     "{'a': 'one', 'b': 'two\n\n', 'c': '  three\n', 'd': '\nfour'}"},
    {"a: |\nb: 1\n", "{'a': '', 'b': '1'}"},
    {"a: &x {b: 1}\nc: *x\nd: [*x, &y 2, *y]\n", "{'a': {'b': '1'}, 'c': {'b': '1'}, 'd': [{'b': '1'}, '2', '2']}"},
    {"a: &x\n  b: 1\nc: &y\nd: *x\ne: *y\n", "{'a': {'b': '1'}, 'c': ~, 'd': {'b': '1'}, 'e': ~}"},
    {"%YAML 1.2\n---\na: 1\n...\n# end\n", "{'a': '1'}"},
    {"--- {a: 1}\n", "{'a': '1'}"},
    {"a: 1\r\nb:\r\n  - 2\r\n  - \"3\r\n    4\"\r\n", "{'a': '1', 'b': ['2', '3 4']}"},
    {"  a: 1\n  b: 2\n", "{'a': '1', 'b': '2'}"},
    {"a: [1,\t2]\t# tabs between words are spaces\nb:\t3\n\t\nc: 4", "{'a': ['1', '2'], 'b': '3', 'c': '4'}"},
    {"\"a b\": 1\n'c: d': 2\n? x: 3\n",
     "refused: 3:1: error: a `?` cannot stand here [VN-FILE-006]\n  hint: a key is a single word: write `key: value`"},
    {"a: [1, , 2]\n",
     "refused: 1:8: error: there is nothing before this comma [VN-FILE-006]\n  hint: take one comma away, or add what is "
     "missing"},
    {"a: [b: 1]\n",
     "refused: 1:6: error: the list that opened with `[` in line 1 should continue or end here [VN-FILE-006]\n"
     "  hint: a `]` or a comma is missing"},
    {"a: {b, c}\n",
     "refused: 1:5: error: expected `key: value`, found 'b' [VN-FILE-006]\n  hint: is a colon missing, or a bracket [ ] round a "
     "list?"},
    {"a: 'b'*2\n",
     "refused: 1:7: error: nothing can follow the text in quotes that began in line 1 [VN-FILE-006]\n  hint: put the whole value "
     "in quotes"},
    {"a: [1] 2\n",
     "refused: 1:8: error: '2' cannot stand here: the value ends before it [VN-FILE-006]\n  hint: is a quote or a comma "
     "missing?"},
    {"a: \"\\ud800\"\n",
     "refused: 1:5: error: there is no character of this number [VN-FILE-006]\n  hint: use the character itself"},
    {"a: &x b: 1\n",
     "refused: 1:8: error: a `:` cannot stand here [VN-FILE-006]\n"
     "  hint: keys that belong together begin in the same column; put a text that contains `: ` in quotes"},
    {"- 1\na: 2\n",
     "refused: 2:1: error: this does not fit to what stands above it [VN-FILE-006]\n  hint: keys that belong together begin in "
     "the same column"},
    {"a: 1\n- 2\n",
     "refused: 2:1: error: a `-` of a list cannot stand here [VN-FILE-006]\n  hint: expected `key: value`, as in the lines "
     "above"},
    {": 1\n", "refused: 1:1: error: there is no key before this `:` [VN-FILE-006]\n  hint: write `key: value`"},
};

class YamlCases : public ::testing::TestWithParam<Case> {};

TEST_P(YamlCases, AreReadAsTheStandardSays) { EXPECT_EQ(load(GetParam().text), GetParam().tree) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(All, YamlCases, ::testing::ValuesIn(kCases));

TEST(TextPlaces, CountsCharacters) {
  std::string text = "ab\n";
  for (int i = 0; i < 200; ++i) text += "\xC3\xB6";  // ö
  text += "x\r\n\n";
  const TextPlaces places(text);
  const auto expect = [&](size_t offset, int line, int column) {
    EXPECT_EQ(places.at(offset).line, line) << offset;
    EXPECT_EQ(places.at(offset).column, column) << offset;
  };
  expect(0, 1, 1);
  expect(2, 1, 3);
  expect(3, 2, 1);
  expect(3 + 2 * 200, 2, 201);  // the x
  expect(text.size() - 1, 3, 1);
  expect(text.size(), 4, 1);
  expect(text.size() + 10, 4, 1);
}

// Every byte of a value is found where it was written.
TEST(YamlNode, PlacesInsideScalars) {
  const std::string text = "a: \"x\\ty \\u00f6 z\n    w\"\nb: 'it''s z'\nc: &k z\nd: |\n   y\n   z\n";
  Diagnostics diagnostics;
  const auto document = load_yaml(text, diagnostics);
  ASSERT_TRUE(document);
  const auto place_of = [&](const char* key, char letter) {
    const YamlNode node = document->root().find(key);
    const Place place = node.place(node.text().find(letter));
    return std::pair(place.line, place.column);
  };
  EXPECT_EQ(place_of("a", 'y'), std::pair(1, 8));
  EXPECT_EQ(place_of("a", 'z'), std::pair(1, 17));
  EXPECT_EQ(place_of("a", 'w'), std::pair(2, 5));
  EXPECT_EQ(place_of("b", 'z'), std::pair(3, 11));
  EXPECT_EQ(place_of("c", 'z'), std::pair(4, 7));
  EXPECT_EQ(place_of("d", 'z'), std::pair(7, 4));
}

#ifdef VINCULUM_HAS_YAML_CPP

std::string to_line(const YAML::Node& node) {
  if (node.IsNull() || !node.IsDefined()) return "~";
  if (node.IsScalar()) return "'" + node.Scalar() + "'";
  std::string line;
  if (node.IsSequence()) {
    for (const auto& entry : node) line += (line.empty() ? "" : ", ") + to_line(entry);
    return "[" + line + "]";
  }
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) return "a key that is no scalar";
    line += (line.empty() ? "'" : ", '") + entry.first.Scalar() + "': " + to_line(entry.second);
  }
  return "{" + line + "}";
}

std::string load_with_oracle(const std::string& text) {
  try {
    const auto documents = YAML::LoadAll(text);
    return documents.size() == 1 ? to_line(documents[0]) : "not one document";
  } catch (const YAML::Exception& error) {
    return std::string("refused: ") + error.what();
  }
}

std::vector<std::string> seed_texts() {
  std::vector<std::string> texts;
  for (const Case& c : kCases) texts.emplace_back(c.text);
  for (const std::string& name : starter_model_names()) texts.emplace_back(starter_model(name));
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_SOURCE_DIR "/tests/files/bad_models")) {
    if (entry.path().extension() != ".yaml") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    texts.push_back(text.str());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

bool has_lone_return(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) return true;
  }
  return false;
}

// What this parser accepts and yaml-cpp accepts, both read as the same tree.
TEST(YamlOracle, AgreesOnSeedsAndOnMutationsOfThem) {
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  constexpr std::string_view kSigns = " \n\t:-[]{},'\"#&*|>a1";
  const char* given = std::getenv("VINCULUM_ROUNDS");  // more of them for a long run
  const int rounds = given != nullptr ? std::atoi(given) : 60;
  int compared = 0;
  for (const std::string& seed : seed_texts()) {
    for (int round = 0; round < rounds; ++round) {
      std::string text = seed;
      for (size_t edits = round == 0 ? 0 : 1 + below(3); edits > 0 && !text.empty(); --edits) {
        const size_t at = below(text.size());
        switch (below(4)) {
          case 0: text.erase(at, 1); break;
          case 1: text.insert(at, 1, kSigns[below(kSigns.size())]); break;
          case 2: text[at] = kSigns[below(kSigns.size())]; break;
          default: text.insert(at, text.substr(below(text.size()), below(12))); break;
        }
      }
      if (has_lone_return(text)) continue;  // no line end of ours
      const std::string ours = load(text);
      if (ours.starts_with("refused")) continue;
      const std::string theirs = load_with_oracle(text);
      if (theirs.starts_with("refused") || theirs == "not one document") continue;
      ++compared;
      ASSERT_EQ(ours, theirs) << "---\n" << text << "\n---";
    }
  }
  EXPECT_GT(compared, 1000);
}

#endif

}  // namespace
}  // namespace vinculum
