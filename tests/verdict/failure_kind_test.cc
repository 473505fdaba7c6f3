// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "vinculum/verdict/catalogue.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {
namespace {

TEST(FailureKind, IsLookedUpByCode) {
  EXPECT_EQ((Failure{"VN-RUN-004", "", ""}).kind(), FailureKind::off_constraints);
  EXPECT_EQ((Failure{"VN-USAGE-001", "", ""}).kind(), FailureKind::usage);
  EXPECT_EQ((Failure{"VN-CONTACT-012", "", ""}).kind(), FailureKind::no_solution);
  EXPECT_EQ((Failure{"VN-CONTACT-012", "", ""}).cause(), FailureCause::contact_friction);
  EXPECT_EQ((Failure{"VN-CONTACT-120", "", ""}).kind(), FailureKind::not_unique);
  EXPECT_EQ((Failure{"VN-CONTACT-010", "", ""}).cause(), FailureCause::other);
  EXPECT_EQ((Failure{"VN-RUN-111", "", ""}).kind(), FailureKind::interrupted);
  EXPECT_EQ((Failure{"VN-NOWHERE-1", "", ""}).kind(), FailureKind::internal);
}

TEST(FailureKind, EveryKindAndCauseIsInTheCatalogue) {
  std::set<FailureKind> kinds;
  std::set<FailureCause> causes;
  for (const CatalogueEntry& entry : catalogue()) {
    kinds.insert(entry.kind);
    causes.insert(entry.cause);
  }
  EXPECT_EQ(kinds.size(), static_cast<size_t>(FailureKind::internal) + 1);
  EXPECT_EQ(causes.size(), static_cast<size_t>(FailureCause::undecided_rank) + 1);
}

// What the program does about a failure depends on its kind and cause; a code is for people. A literal is "VN-.."; a name that
// stands for one would be compared as `code == kName`, and so is looked for as well.
TEST(FailureKind, NoFileComparesACode) {
  const std::regex compared(
      R"re((\bcode\b\s*[!=]=\s*("|k[A-Z]\w*Code))|(code\s*\.\s*(starts_with|compare|find)\b)|([!=]=\s*"VN-))re");
  const std::regex of_named(R"re(failure\(\)\.code\s*[!=]=|failure(->|\.)code\s*[!=]=)re");
  int files = 0;
  for (const char* const folder : {"vinculum", "apps"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(VINCULUM_SOURCE_DIR) + "/" + folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      ++files;
      std::ifstream file(entry.path());
      std::string line;
      for (int number = 1; std::getline(file, line); ++number) {
        EXPECT_FALSE(std::regex_search(line, compared) || std::regex_search(line, of_named))
            << entry.path().string() << ":" << number << ": " << line;
      }
    }
  }
  EXPECT_GT(files, 300);
}

}  // namespace
}  // namespace vinculum
