// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vinculum/verdict/catalogue.h"

namespace vinculum {

// The parts of the catalogue, a file each; within a file the entries of one prefix are sorted by code.
std::span<const CatalogueEntry> analysis_messages();
std::span<const CatalogueEntry> contacts_messages();
std::span<const CatalogueEntry> files_messages();
std::span<const CatalogueEntry> models_messages();
std::span<const CatalogueEntry> runs_messages();

}  // namespace vinculum
