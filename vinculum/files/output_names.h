// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vinculum/files/reader_context.h"

namespace vinculum {

// The constraints of a description, with the dimension of their multipliers if it is known before the model is built.
struct RowName {
  std::string name;
  std::optional<Dimension> dimension;
};
std::vector<RowName> list_row_names(const ReaderContext& context, const ModelDescription& model);

// What outputs and events may name beside t, coordinates and velocities. A name that is used gets a number: its place in
// ModelDescription::quantities.
class OutputNames {
 public:
  OutputNames(ReaderContext& context, ModelDescription& model);

  std::optional<NameTable::Quantity> find(std::string_view name);
  void add_output(const std::string& name, std::optional<Dimension> dimension) { dimensions_[name] = dimension; }
  void add_point(const std::string& name);
  std::vector<std::string> list_forces();  // damper.force, spring.force, push.fx ..

 private:
  void fill();

  ReaderContext& context_;
  ModelDescription& model_;
  bool filled_ = false;
  std::unordered_map<std::string, std::optional<Dimension>> dimensions_;
  std::unordered_map<std::string, int> numbers_;
};

}  // namespace vinculum
