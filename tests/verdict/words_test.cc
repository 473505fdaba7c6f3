// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/words.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace vinculum {
namespace {

constexpr Holds kVerdicts[] = {Holds::holds, Holds::violated, Holds::not_unique, Holds::impossible, Holds::not_checked};

template <class Words>
std::string list_of(const Words& words) {
  std::string text;
  for (const auto word : words) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", to_text(word));
  return text;
}

std::vector<EventKind> all_events() {
  std::vector<EventKind> all;
  for (int i = 0; i < kEventKinds; ++i) all.push_back(static_cast<EventKind>(i));
  return all;
}

std::string read_file(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Each kind has a word of its own, which leads back to it.
TEST(Words, LeadBackToTheirKinds) {
  std::set<std::string_view> seen;
  for (const EventKind kind : all_events()) {
    EXPECT_TRUE(seen.insert(to_text(kind)).second) << to_text(kind);
    EXPECT_EQ(find_event_kind(to_text(kind)), kind);
  }
  EXPECT_FALSE(find_event_kind("landing"));
  for (int i = 0; i < kElementKinds; ++i)
    EXPECT_EQ(find_element_kind(to_text(static_cast<ElementKind>(i))), static_cast<ElementKind>(i));
  for (const Holds verdict : kVerdicts) EXPECT_EQ(find_verdict_word(to_text(verdict)), verdict);
  EXPECT_EQ(find_verdict_word("not-unique"), Holds::not_unique);
  EXPECT_FALSE(find_verdict_word("fine"));
}

// The names that --stop-at and studies take: kind:subject, but for events of the model file and those named by their kind.
TEST(Words, NameOccurrences) {
  EXPECT_EQ((Occurrence{EventKind::slip, {ElementKind::grip, 0}, "foot"}.name()), "slip:foot");
  EXPECT_EQ((Occurrence{EventKind::model_event, {ElementKind::event, 0}, "bottom"}.name()), "bottom");
  EXPECT_EQ((Occurrence{EventKind::face, {ElementKind::guide_pair, 0}, "rail.1"}.name()), "face");
  EXPECT_EQ((Occurrence{EventKind::rest, {}, "guides"}.name()), "rest");
  EXPECT_EQ(Occurrence{EventKind::singular}.name(), "singular");
}

// The page has the same words: VINCULUM_REWRITE_EXPECTED=1 writes its file anew.
TEST(Words, OfThePageAreThese) {
  const std::string text = fmt::format(
      "// SPDX-FileCopyrightText: 2026 The Vinculum authors\n"
      "// SPDX-License-Identifier: Apache-2.0\n"
      "//\n"
      "// Written by tests/verdict/words_test.cc from vinculum/verdict/words.cc.\n"
      "export const kVerdictWords = [{}] as const;\n"
      "export type Holds = (typeof kVerdictWords)[number];\n"
      "// The gravest first.\n"
      "export const kByGravity: readonly Holds[] = [{}];\n"
      "export const kEventKinds = [{}] as const;\n",
      list_of(kVerdicts), list_of(verdicts_by_gravity()), list_of(all_events()));
  const std::string path = VINCULUM_SOURCE_DIR "/studio/src/words.ts";
  if (std::getenv("VINCULUM_REWRITE_EXPECTED") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(read_file(path), text);
}

}  // namespace
}  // namespace vinculum
