// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/support/find_non_finite.h"
#include "vinculum/files/read_model.h"
#include "vinculum/files/starter_model.h"

namespace vinculum {
namespace {

// Models that are accepted: the starter models, and the good examples beside the bad ones.
std::vector<std::string> good_models() {
  std::vector<std::string> texts;
  for (const std::string& name : starter_model_names()) texts.emplace_back(starter_model(name));
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_SOURCE_DIR "/tests/files/good_models")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    texts.push_back(text.str());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

// One change a tired person, or a broken disk, could make.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (size_t edits = 1 + below(3); edits > 0 && text.size() > 1; --edits) {
      const size_t at = below(text.size());
      switch (below(7)) {
        case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
        case 1: text.erase(at, 1 + below(4)); break;
        case 2: erase_line(text, at); break;
        case 3: swap_words(text); break;
        case 4: text.insert(at, pick(kPieces)); break;
        case 5: replace_word(text, at, pick(kPieces)); break;
        default: text.insert(at, text.substr(below(text.size()), below(40))); break;
      }
    }
    return text;
  }

 private:
  static constexpr const char* kPieces[] = {
      "0",     "-1", "1e308", "1e-320", "nan", ".inf", "true", "[1, 2, 3]", "[]",    "{}",       "x", "world", "t",
      "boom'", "\n", "  ",    "\t",     ": ",  "- ",   "#",    "'",         "\"",    "[",        "}", ",",     "3 m",
      "2 kg",  "*a", "&a ",   "~",      "^2",  "/0",   "(",    ")",         "1e999", "sqrt(-1)", "ö"};

  size_t below(size_t n) { return random_() % n; }
  template <size_t N>
  const char* pick(const char* const (&pieces)[N]) {
    return pieces[below(N)];
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '\''; }
  std::pair<size_t, size_t> word_at(const std::string& text, size_t at) const {
    size_t begin = at, end = at;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    while (end < text.size() && is_word(text[end])) ++end;
    return {begin, end - begin};
  }
  void replace_word(std::string& text, size_t at, const std::string& by) {
    const auto [begin, length] = word_at(text, at);
    text.replace(begin, length, by);
  }
  void swap_words(std::string& text) {
    auto first = word_at(text, below(text.size())), second = word_at(text, below(text.size()));
    if (first.first > second.first) std::swap(first, second);
    if (first.first + first.second > second.first) return;
    const std::string a = text.substr(first.first, first.second), b = text.substr(second.first, second.second);
    text.replace(second.first, second.second, a);
    text.replace(first.first, first.second, b);
  }
  void erase_line(std::string& text, size_t at) {
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    text.erase(begin, text.find('\n', at) - begin);
  }

  std::mt19937 random_;
};

// VINCULUM_ROUNDS mutations of every model: none crashes the reader, none is refused without a reason that has a place, and none
// is accepted with a value that is not a number.
TEST(Mutations, AreReadOrRefusedWithAReason) {
  const char* given = std::getenv("VINCULUM_ROUNDS");
  const int rounds = given != nullptr ? std::atoi(given) : 1000;
  Mutator mutator(11);
  int accepted = 0, refused = 0;
  for (const std::string& seed : good_models()) {
    Diagnostics of_seed;
    ASSERT_TRUE(read_model(seed, of_seed)) << seed;
    for (int round = 0; round < rounds; ++round) {
      const std::string text = mutator.mutate(seed);
      Diagnostics diagnostics;
      if (const auto model = read_model(text, diagnostics)) {
        ++accepted;
        ASSERT_EQ(find_non_finite(*model), "") << text;
      } else {
        ++refused;
        const auto& list = diagnostics.list();
        ASSERT_TRUE(std::any_of(list.begin(), list.end(), [](const Diagnostic& d) {
          return d.severity == Severity::error && d.place.line > 0;
        })) << text;
      }
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace vinculum
