// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The schemas for editors say what the readers say: every key and every word, no more and no less.
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/json_schema.h"
#include "vinculum/files/read_model.h"
#include "vinculum/files/read_study.h"
#include "vinculum/files/starter_model.h"
#include "vinculum/formats/yaml_document.h"

namespace vinculum {
namespace {

using SchemaJson = nlohmann::json;
const std::filesystem::path kSchemaSource = VINCULUM_SOURCE_DIR;

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// What an editor makes of a YAML file: numbers, true and false are told by their looks.
SchemaJson as_json(YamlNode node) {
  if (node.is_null()) return nullptr;
  if (node.is_list()) {
    SchemaJson list = SchemaJson::array();
    for (int i = 0; i < node.size(); ++i) list.push_back(as_json(node.entry(i)));
    return list;
  }
  if (node.is_mapping()) {
    SchemaJson map = SchemaJson::object();
    for (int i = 0; i < node.size(); ++i) map[std::string(node.key(i).text())] = as_json(node.entry(i));
    return map;
  }
  const std::string text(node.text());
  if (text == "true" || text == "false") return text == "true";
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size() && std::isfinite(number)) return number;
  return text;
}

std::optional<SchemaJson> yaml_as_json(const std::string& text) {
  Diagnostics diagnostics;
  const auto document = load_yaml(text, diagnostics);
  if (!document || diagnostics.has_errors()) return std::nullopt;
  return as_json(document->root());
}

struct GoodFile {
  std::string path;
  SchemaJson value;
};

// Every file of a kind that the tests or the examples hold to be good: models, or studies.
std::vector<GoodFile> list_good_files(bool studies) {
  std::vector<GoodFile> files;
  const auto add = [&](const std::string& path, const std::string& text) {
    auto value = yaml_as_json(text);
    if (value && value->is_object() && value->contains(studies ? "vinculum_study" : "vinculum"))
      files.push_back({path, std::move(*value)});
  };
  std::set<std::filesystem::path> paths;
  for (const char* folder : {"examples", "tests/files/good_models", "tests/files/good_studies", "tests/published"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSchemaSource / folder))
      if (entry.path().extension() == ".yaml") paths.insert(entry.path());
  }
  for (const auto& path : paths) add(path.string(), text_of_file(path));
  if (!studies)
    for (const std::string& name : starter_model_names()) add(name, std::string(starter_model(name)));
  return files;
}

// What the reader tells of a file in the folder of another one. JSON is YAML.
std::vector<Diagnostic> read_again(const SchemaJson& value, const std::string& path, bool study) {
  Diagnostics diagnostics;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (study)
    read_study(value.dump(), folder, diagnostics);
  else
    read_model(value.dump(), diagnostics, ReadOptions{{}, {}, folder});
  return diagnostics.list();
}

// The words in "known keys here: a, b" and "known: x, y, or with ..".
std::set<std::string> words_in_hint(const std::string& hint) {
  std::set<std::string> words;
  static const std::regex kWord("^-?[a-z][a-z0-9_-]*$");
  std::istringstream rest(hint.substr(hint.find(": ") + 2));
  for (std::string word; std::getline(rest, word, ',');) {
    word.erase(0, word.find_first_not_of(' '));
    if (std::regex_match(word, kWord)) words.insert(word);
  }
  return words;
}

constexpr const char* kNoWord = "zzzzzzzzzz";

std::set<std::string> known_to_reader(const SchemaJson& changed, const std::string& path, bool study, std::string_view code) {
  for (const Diagnostic& told : read_again(changed, path, study)) {
    if (told.code == code && told.message.find(kNoWord) != std::string::npos) return words_in_hint(told.hint);
  }
  return {};
}

void list_parts(const SchemaJson& schema, const std::string& at, std::map<const SchemaJson*, std::string>& parts) {
  if (schema.is_object()) parts[&schema] = at;
  for (const auto& [key, below] : schema.items())
    if (below.is_structured() && key != "enum") list_parts(below, at + "/" + key, parts);
}

class Schemas : public ::testing::TestWithParam<bool> {
 protected:
  bool study() const { return GetParam(); }
  testing::JsonSchema load() const {
    return testing::JsonSchema(SchemaJson::parse(
        text_of_file(kSchemaSource / "docs" / (study() ? "vinculum-study.schema.json" : "vinculum.schema.json"))));
  }
};

TEST_P(Schemas, KnowWhatTheReaderKnows) {
  testing::JsonSchema schema = load();
  const std::vector<GoodFile> files = list_good_files(study());
  ASSERT_GE(files.size(), study() ? 4u : 60u);
  std::map<const SchemaJson*, std::set<std::string>> used;  // keys of the mappings that were met
  for (const GoodFile& file : files) {
    ASSERT_EQ(schema.check(file.value), "") << file.path;
    const auto met_parts = schema.met();
    for (const auto& met : met_parts) {
      const SchemaJson& value = file.value[met.at];
      const bool is_new = !used.contains(met.schema);
      if (met.schema->contains("properties")) {
        for (const auto& entry : value.items()) used[met.schema].insert(entry.key());
        if (!is_new) continue;
        SchemaJson changed = file.value;
        changed[met.at][kNoWord] = 0;
        EXPECT_NE(schema.check(changed), "") << file.path << met.at;
        std::set<std::string> known;
        for (const auto& entry : (*met.schema)["properties"].items()) known.insert(entry.key());
        EXPECT_EQ(known_to_reader(changed, file.path, study(), "VN-FILE-011"), known) << file.path << met.at;
      } else if (met.schema->contains("enum") && value.is_string() && is_new) {
        SchemaJson changed = file.value;
        changed[met.at] = kNoWord;
        EXPECT_EQ(known_to_reader(changed, file.path, study(), "VN-FILE-016"), (*met.schema)["enum"].get<std::set<std::string>>())
            << file.path << met.at;
        used[met.schema];
      }
    }
  }
  // Nothing in the schema that no good file has used.
  std::map<const SchemaJson*, std::string> parts;
  list_parts(schema.root(), "#", parts);
  for (const auto& [part, at] : parts) {
    if (part->contains("enum") && (*part)["enum"][0].is_string()) EXPECT_TRUE(used.contains(part)) << at;
    if (!part->contains("properties") || !(*part)["properties"].is_object() || !part->contains("additionalProperties")) continue;
    for (const auto& entry : (*part)["properties"].items())
      EXPECT_TRUE(used[part].contains(entry.key())) << at << ": " << entry.key();
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Schemas, ::testing::Bool(), [](const auto& tested) { return tested.param ? "Studies" : "Models"; });

// A model whose words are wrong (not its numbers or its formulas) is marked by an editor, too.
TEST(SchemaOfModels, RefusesWrongWords) {
  testing::JsonSchema schema(SchemaJson::parse(text_of_file(kSchemaSource / "docs/vinculum.schema.json")));
  static const std::regex kWrongWord(R"(error: .*\[VN-FILE-(010|011|013|015|016|023|025|029)\])");
  int refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSchemaSource / "tests/files/bad_models")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string expected = text_of_file(std::filesystem::path(entry.path()).replace_extension(".expected"));
    const auto value = yaml_as_json(text_of_file(entry.path()));
    if (!value || !std::regex_search(expected, kWrongWord)) continue;
    EXPECT_NE(schema.check(*value), "") << entry.path();
    ++refused;
  }
  EXPECT_GE(refused, 25);
}

}  // namespace
}  // namespace vinculum
