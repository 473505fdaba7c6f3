// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/formats/yaml_tree_builder.h"

namespace vinculum {

// Reads the part of YAML 1.2 that people write: block and flow collections, plain, quoted and block scalars, comments, anchors
// and aliases, one document. Keys are single words: there are no complex keys (`? ..`) and no merges; tags are told and passed
// over.
//
// Written by hand for its messages: what does not fit is refused where it stands, in the words of somebody who wants to mend it,
// and nothing is guessed. Linear in the text; nesting is bounded by the builder. Throws YamlRefusal.
void parse_yaml(std::string_view text, YamlTreeBuilder& builder);

}  // namespace vinculum
