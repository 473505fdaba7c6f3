// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/catalogue.h"

#include <algorithm>
#include <iterator>

namespace vinculum {

namespace {

constexpr CatalogueEntry kCatalogue[] = {
    // VN-EXPR: expressions and units

    // VN-FILE: files and their syntax

    // VN-MODEL: what a model says

    // VN-RUN: computations
    {"VN-RUN-001", "an element of the model is not supported yet by the equations of motion",
     "Contacts, velocity constraints, strings and guides are read and checked, but a computation with them is refused until the "
     "equations know them."},

    // VN-URDF: conversion of URDF
};

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kCatalogue; }

const CatalogueEntry* find_in_catalogue(std::string_view code) {
  const auto entry = std::lower_bound(std::begin(kCatalogue), std::end(kCatalogue), code,
                                      [](const CatalogueEntry& e, std::string_view c) { return e.code < c; });
  return entry != std::end(kCatalogue) && entry->code == code ? entry : nullptr;
}

}  // namespace vinculum
