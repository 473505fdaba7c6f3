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
    {"VN-URDF-001", "a URDF is well-formed XML",
     "The place is where the XML breaks off: a tag that is not closed, an attribute without quotes, or no XML at all."},
    {"VN-URDF-002", "the outermost element of a URDF is <robot>",
     "SDF files begin with <sdf> and MuJoCo's with <mujoco>: convert them to URDF first."},
    {"VN-URDF-003", "a robot has at least one link", "Bodies are written as <link name=\"..\"> directly inside <robot>."},
    {"VN-URDF-004", "links and joints have names, each its own",
     "Joints refer to links by name, so a link without a name or two links of one name cannot be told apart."},
    {"VN-URDF-005", "a joint has a type, a parent and a child; an inertial has a mass and an inertia; a shape has its sizes",
     "Nothing is assumed for them. Write the element or attribute named in the message."},
    {"VN-URDF-006", "a joint is revolute, continuous, prismatic, fixed, floating or planar",
     "These are the types of URDF. Other joints are written in the model file, which knows more."},
    {"VN-URDF-007", "a joint connects links that exist", "The parent or child link of the joint is not in the file; check the spelling."},
    {"VN-URDF-008", "a link is the child of one joint",
     "URDF describes trees. Leave the second joint out and close the loop in the model by a contact `with: BODY`."},
    {"VN-URDF-009", "a robot has one root", "Every link but one is the child of a joint. Connect the others, by a floating joint if they are free."},
    {"VN-URDF-010", "a link does not carry itself", "Following parents from this link leads back to it; one of these joints has its ends swapped."},
    {"VN-URDF-011", "values are finite numbers, as many as the attribute has; an axis is not zero",
     "Numbers are written plainly, separated by blanks: xyz=\"0 0 0.5\". URDF has no units and no arithmetic."},
    {"VN-URDF-012", "macros are expanded before the conversion", "The file is a xacro source: `xacro FILE.xacro > FILE.urdf` makes the URDF."},
};

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kCatalogue; }

const CatalogueEntry* find_in_catalogue(std::string_view code) {
  const auto entry = std::lower_bound(std::begin(kCatalogue), std::end(kCatalogue), code,
                                      [](const CatalogueEntry& e, std::string_view c) { return e.code < c; });
  return entry != std::end(kCatalogue) && entry->code == code ? entry : nullptr;
}

}  // namespace vinculum
