// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// One entry of the catalogue of messages: a stable code, the rule in one line, and what a user can do about it.
struct CatalogueEntry {
  std::string_view code;
  FailureKind kind;
  std::string_view rule;
  std::string_view explanation;
  FailureCause cause = FailureCause::other;
};

// Every code that a Diagnostic or a Failure may carry, sorted; docs/messages.md is printed from it.
std::span<const CatalogueEntry> catalogue();

// The entry of a code, or nullptr.
const CatalogueEntry* find_in_catalogue(std::string_view code);

}  // namespace vinculum
