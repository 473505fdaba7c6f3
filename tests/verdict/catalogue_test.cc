// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/catalogue.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "vinculum/verdict/glossary.h"

namespace vinculum {
namespace {

TEST(Catalogue, IsSortedAndWhole) {
  const auto all = catalogue();
  ASSERT_GT(all.size(), 300u);
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0) EXPECT_LT(all[i - 1].code, all[i].code);
    EXPECT_EQ(find_in_catalogue(all[i].code), &all[i]);
    EXPECT_FALSE(all[i].title.empty() || all[i].title.ends_with('.')) << all[i].code;
    EXPECT_TRUE(all[i].why.ends_with('.')) << all[i].code;
    EXPECT_TRUE(all[i].fix.ends_with('.')) << all[i].code;
    EXPECT_EQ(all[i].before.empty(), all[i].after.empty()) << all[i].code << ": an example has both";
    EXPECT_LE(std::count(all[i].after.begin(), all[i].after.end(), '\n'), 1) << all[i].code;
  }
}

TEST(Glossary, FindsWordsAndUsualTerms) {
  std::set<std::string_view> words;
  for (const GlossaryEntry& entry : glossary()) {
    EXPECT_TRUE(words.insert(entry.word).second) << entry.word;
    EXPECT_EQ(find_in_glossary(entry.word), &entry) << entry.word;
    EXPECT_TRUE(entry.meaning.ends_with('.')) << entry.word;
    EXPECT_FALSE(entry.russian.empty() || entry.german.empty()) << entry.word;
  }
  ASSERT_NE(find_in_glossary("safety factor"), nullptr);
  EXPECT_EQ(find_in_glossary("safety factor")->word, "margin");
  EXPECT_EQ(find_in_glossary("Lagrange-Multiplier")->word, "multiplier");
  EXPECT_EQ(find_in_glossary(""), nullptr);
  EXPECT_EQ(find_in_glossary("nothing of the kind"), nullptr);
}

}  // namespace
}  // namespace vinculum
