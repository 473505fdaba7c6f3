// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// One entry of the catalogue of messages. `title` names the error, not the rule it breaks; `why` says what it means for the
// result; `fix` what a user can do. Codes of model files and options have an example of one or two lines, before and after.
struct CatalogueEntry {
  std::string_view code;
  FailureKind kind;
  std::string_view title;
  std::string_view why;
  std::string_view fix;
  std::string_view before{};
  std::string_view after{};
  FailureCause cause = FailureCause::other;
};

// Every code that a Diagnostic or a Failure may carry, sorted; docs/messages.md is printed from it.
std::span<const CatalogueEntry> catalogue();

// The entry of a code, or nullptr.
const CatalogueEntry* find_in_catalogue(std::string_view code);

// usage, model, .. , off_constraints, ..
std::string_view to_text(FailureKind kind);

}  // namespace vinculum
