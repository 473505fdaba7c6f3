// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "vinculum/files/read_model.h"
#include "vinculum/verdict/catalogue.h"

namespace vinculum {
namespace {

const std::filesystem::path kBadModels = VINCULUM_SOURCE_DIR "/tests/files/bad_models";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string told(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.list()) text += to_text(d) + "\n";
  return text;
}

std::vector<std::string> bad_model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kBadModels)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// NAME.yaml is told as NAME.expected says, to the letter. With VINCULUM_REWRITE_EXPECTED=1 in the environment the expected texts
// are written anew: read the difference before it is committed.
class BadModels : public testing::TestWithParam<std::string> {};

TEST_P(BadModels, AreToldToTheLetter) {
  const auto expected_path = kBadModels / (GetParam() + ".expected");
  Diagnostics diagnostics(GetParam() + ".yaml");
  const auto model = read_model(read_file(kBadModels / (GetParam() + ".yaml")), diagnostics);
  if (std::getenv("VINCULUM_REWRITE_EXPECTED") != nullptr) std::ofstream(expected_path, std::ios::binary) << told(diagnostics);
  EXPECT_EQ(told(diagnostics), read_file(expected_path));
  EXPECT_EQ(model.has_value(), !diagnostics.has_errors());
  EXPECT_FALSE(diagnostics.list().empty());
  for (const Diagnostic& d : diagnostics.list()) {
    EXPECT_NE(find_in_catalogue(d.code), nullptr) << d.code;
    EXPECT_GT(d.place.line, 0) << to_text(d);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, BadModels, testing::ValuesIn(bad_model_names()),
                         [](const auto& parameter) { return parameter.param; });

// Every code of the reader is reached by the corpus, by the cases below, or by the files of the file system.
TEST(BadModelsCorpus, ReachesEveryCode) {
  std::string all;
  for (const std::string& name : bad_model_names()) all += read_file(kBadModels / (name + ".expected"));
  for (const char* code :
       {"VN-FILE-001", "VN-FILE-002", "VN-FILE-004", "VN-FILE-005", "VN-FILE-018", "VN-FILE-027", "VN-FILE-030", "VN-MODEL-153"})
    all += code;
  for (const CatalogueEntry& entry : catalogue()) {
    const bool is_of_reader =
        (entry.code.starts_with("VN-FILE-0") && entry.code < "VN-FILE-05") || entry.code.starts_with("VN-MODEL-1");
    EXPECT_TRUE(!is_of_reader || all.find(entry.code) != all.npos) << entry.code;
  }
}

// The code of the first error, and how long it took to find it.
struct Refusal {
  std::string code, text;
  double seconds = 0;
};

Refusal refuse(const std::string& text) {
  Diagnostics diagnostics;
  const auto begin = std::chrono::steady_clock::now();
  const auto model = read_model(text, diagnostics);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (model) return {"accepted", "", elapsed.count()};
  return {diagnostics.list().empty() ? "nothing told" : std::string(diagnostics.list().front().code), told(diagnostics),
          elapsed.count()};
}

std::string repeated(std::string_view piece, size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(HostileFiles, EmptyBinaryAndForeign) {
  EXPECT_EQ(refuse("").code, "VN-FILE-003");
  EXPECT_EQ(refuse(" \n\n").code, "VN-FILE-003");
  EXPECT_EQ(refuse("---\n...\n").code, "VN-FILE-003");
  EXPECT_EQ(refuse(std::string("vinculum: 1\0", 12)).text,
            "1:12: error: this is not a text: byte 0x00 is not part of any character in UTF-8 [VN-FILE-004]\n"
            "  hint: is this a model file? A text in another encoding must be saved as UTF-8\n");
  EXPECT_EQ(refuse("vinculum: 1\nname: k\xF6nig\n").text.substr(0, 5), "2:8: ");  // ö in Latin 1
  for (const char* bytes : {"\x7F", "\x1B[31m", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xFF\xFEv"}) {
    EXPECT_EQ(refuse(bytes).code, "VN-FILE-004") << testing::PrintToString(bytes);
  }
  // A PDF, a PNG, an ELF program: whatever else they are, no text.
  EXPECT_EQ(refuse("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n").code, "VN-FILE-004");
  EXPECT_EQ(refuse("\x89PNG\r\n\x1A\n").code, "VN-FILE-004");
}

TEST(HostileFiles, TooLarge) {
  std::string text = "vinculum: 1\n";
  text.resize(size_t{300} << 20, ' ');
  const Refusal refusal = refuse(text);
  EXPECT_EQ(refusal.text, "error: this file has 300 MB; at most 256 MB are read [VN-FILE-002]\n  hint: is it a model file?\n");
}

// The deepest nesting a parser may be led into is bounded, whatever it is made of, and no text makes it slow.
TEST(HostileFiles, TooDeep) {
  constexpr size_t kMillion = 1'000'000;
  std::string indented;
  for (size_t i = 0; i < 2000; ++i) indented += std::string(i, ' ') + "a:\n";
  for (const std::string& text : {repeated("[", kMillion), repeated("{a: ", kMillion), repeated("- ", kMillion),
                                  repeated("[{a: ", kMillion), "bodies: " + repeated("[", 65), indented}) {
    const Refusal refusal = refuse(text);
    EXPECT_EQ(refusal.code, "VN-FILE-005") << text.substr(0, 20);
    EXPECT_LT(refusal.seconds, 20) << text.substr(0, 20);
  }
}

TEST(HostileFiles, AliasesThatMultiply) {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 1; k < 10; ++k) laughs += ", " + before;
    laughs += "]\n";
  }
  EXPECT_EQ(refuse(laughs).code, "VN-FILE-008");
  EXPECT_EQ(refuse("bodies: &a\n  b: [1, {c: *a}]\n").code, "VN-FILE-008");
}

TEST(HostileFiles, LongWordsAreShortened) {
  const std::string text = "vinculum: 1\n" + repeated("ö", 5000) + ": 1\n";
  EXPECT_LT(refuse(text).text.size(), 500u);
  const Refusal long_formula =
      refuse("vinculum: 1\nbodies: { a: { joint: free, mass: " + repeated("(1 + ", 3000) + ", inertia: 1 } }\n");
  EXPECT_EQ(long_formula.code, "VN-EXPR-002");
}

TEST(HostileFiles, VeryManyErrors) {
  std::string text = "vinculum: 1\nbodies:\n";
  for (int i = 0; i < 2000; ++i) text += "  b" + std::to_string(i) + ": { joint: free, mass: 1, inertia: 1 }\n";
  text += "events:\n";
  for (int i = 0; i < 2000; ++i) text += "  e" + std::to_string(i) + ": x" + std::to_string(i) + "\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(read_model(text, diagnostics));
  EXPECT_EQ(diagnostics.list().front().code, "VN-FILE-030");
  EXPECT_EQ(diagnostics.error_count(), 101);
}

TEST(HostileFiles, ControlCharactersStayOutOfMessages) {
  const std::string text = refuse("vinculum: 1\n\"a\\e[31m\\n\": 1\n").text;
  EXPECT_NE(text.find("'a\\x1B[31m\\n'"), text.npos) << text;
}

TEST(ModelFiles, ThatCannotBeRead) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_model_file("no/such/model.yaml", diagnostics));
  EXPECT_EQ(told(diagnostics), "no/such/model.yaml: error: the file cannot be read: No such file or directory [VN-FILE-001]\n");
  Diagnostics of_folder;
  EXPECT_FALSE(read_model_file(kBadModels.string(), of_folder));
  EXPECT_EQ(of_folder.list().at(0).message, "the file cannot be read: it is a directory");
}

TEST(ModelFiles, ThatAreTooLargeAreNotReadAtAll) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("vinculum_large_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + ".yaml");
  std::ofstream(path) << "vinculum: 1\n";
  std::filesystem::resize_file(path, std::uintmax_t{5} << 30);  // sparse: takes no space
  Diagnostics diagnostics;
  EXPECT_FALSE(read_model_file(path.string(), diagnostics));
  EXPECT_EQ(diagnostics.list().at(0).message, "this file has 5120 MB; at most 256 MB are read");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace vinculum
