// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/row_source.h"

#include <array>

#include <fmt/core.h>

namespace vinculum {

// In the order of RowOrigin's alternatives.
std::span<const RowSource* const> row_sources() {
  static const std::array<const RowSource*, std::variant_size_v<RowOrigin>> kSources{
      &contact_source(), &equation_source(), &stop_source(),  &string_source(),
      &guide_source(),   &stick_source(),    &motion_source()};
  return kSources;
}

std::string RowSource::describe_gap(const Model&, const Row& row, double gap) const {
  return fmt::format(" by {:.4g} {}", gap, row.unit == "N*m" ? "rad" : "m");
}

const RowSource& source_of(const Row& row) { return *row_sources()[row.origin.index()]; }

}  // namespace vinculum
