// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/catalogue.h"

#include <algorithm>
#include <vector>

#include "vinculum/verdict/catalogue_sections.h"

namespace vinculum {

namespace {

std::vector<CatalogueEntry> join_sections() {
  std::vector<CatalogueEntry> all;
  for (const std::span<const CatalogueEntry> section :
       {analysis_messages(), contacts_messages(), files_messages(), models_messages(), runs_messages()})
    all.insert(all.end(), section.begin(), section.end());
  std::sort(all.begin(), all.end(), [](const CatalogueEntry& a, const CatalogueEntry& b) { return a.code < b.code; });
  return all;
}

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> all = join_sections();
  return all;
}

const CatalogueEntry* find_in_catalogue(std::string_view code) {
  const std::span<const CatalogueEntry> all = catalogue();
  const auto entry =
      std::lower_bound(all.begin(), all.end(), code, [](const CatalogueEntry& e, std::string_view c) { return e.code < c; });
  return entry != all.end() && entry->code == code ? &*entry : nullptr;
}

std::string_view to_text(FailureKind kind) {
  switch (kind) {
    case FailureKind::usage: return "usage";
    case FailureKind::model: return "model";
    case FailureKind::unsupported: return "unsupported";
    case FailureKind::no_solution: return "no_solution";
    case FailureKind::not_unique: return "not_unique";
    case FailureKind::singular: return "singular";
    case FailureKind::off_constraints: return "off_constraints";
    case FailureKind::step_limit: return "step_limit";
    case FailureKind::not_finite: return "not_finite";
    case FailureKind::interrupted: return "interrupted";
    case FailureKind::file: return "file";
    case FailureKind::internal: return "internal";
  }
  return "internal";
}

FailureKind Failure::kind() const {
  const CatalogueEntry* entry = find_in_catalogue(code);
  return entry != nullptr ? entry->kind : FailureKind::internal;
}

FailureCause Failure::cause() const {
  const CatalogueEntry* entry = find_in_catalogue(code);
  return entry != nullptr ? entry->cause : FailureCause::other;
}

}  // namespace vinculum
