// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "vinculum/files/varied_model.h"
#include "vinculum/strings/string_tree.h"

namespace vinculum {

// What the question of a study keeps from one point to the next. For one thread.
struct Kept {
  explicit Kept(const ModelSource& source) : model(source) {}

  VariedModel model;

  // Bodies on strings of the last model that was asked about.
  struct Trees {
    std::shared_ptr<const Model> model;
    Symmetry symmetry = Symmetry::required;
    std::vector<StringTree> trees;
  };
  Trees trees;
};

}  // namespace vinculum
