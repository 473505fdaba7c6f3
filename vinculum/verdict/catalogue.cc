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
    {"VN-RUN-010", "the step of the integrator must not become round-off of t",
     "The solution is singular at the time named (a force or velocity grows without bound), or changes faster than an explicit method "
     "can follow. Look at the motion just before; for a stiff model choose the integrator cvode or arkode."},
    {"VN-RUN-011", "the equations must have a finite derivative along the motion",
     "At the time named an expression has no value (a root of a negative number, a division by zero), or the accelerations are not "
     "determined. The motion is right up to that time."},
    {"VN-RUN-012", "the tolerance must leave the integrator some digits",
     "A tolerance near the precision of double numbers cannot be met. Relax it."},
    {"VN-RUN-013", "the implicit equations of a step must have a solution that Newton's method finds",
     "The implicit integrator named did not converge, even with a very short step. Change the tolerance, or choose another integrator; "
     "a force with a jump is better split by an event."},

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
