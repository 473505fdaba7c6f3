// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/model/model.h"

namespace vinculum {

// The one place where constraints, modes and their names are made, from elements that are compiled already.
struct RowList {
  std::vector<Row> rows;
  std::vector<ElementMode> modes;
  std::vector<OneSided> one_sided;
  std::vector<Grip> grips;
  std::vector<Memory> memories;
  std::vector<int> modes_of_contacts;  // -1: none
  std::vector<int> modes_of_pairs, modes_of_slides;
};
RowList list_rows(const Model& model, const ModelDescription& words);

}  // namespace vinculum
