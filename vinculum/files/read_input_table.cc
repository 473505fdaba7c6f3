// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_input_table.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/expression/units.h"
#include "vinculum/formats/table.h"
#include "vinculum/model/inputs.h"

namespace vinculum {

namespace {

// The column in the unit of the input, which is one of SI; false after reporting that it measures something else.
bool convert(NumberTable::Column& column, const Model& model, const Input& input, Diagnostics& diagnostics) {
  if (column.unit.empty() || column.unit == input.unit) return true;
  const auto own = std::ranges::find(model.extra_states(), input.q, &ExtraState::q);
  const auto unit = find_unit(column.unit);
  if (unit && own->dimension == unit->dimension) {
    for (double& value : column.values) value = value * unit->factor / unit->divisor;
    return true;
  }
  diagnostics.error(
      "VN-FILE-128", {1, 1}, fmt::format("column '{}'", column.name),
      fmt::format("has the unit [{}], and the input {}", column.unit, input.unit.empty() ? "has none" : "is in " + input.unit),
      input.unit.empty() ? "leave the unit out, or declare that of the input" : fmt::format("write [{}]", input.unit));
  return false;
}

}  // namespace

std::shared_ptr<const InputTable> read_input_table(const std::string& path, const Model& model, Diagnostics& diagnostics) {
  auto table = read_table(path, diagnostics);
  if (!table) return nullptr;
  if (table->columns[0].name != "t") {
    diagnostics.error("VN-FILE-128", {1, 1}, "", "the first column must be t", "a header such as: t [s],torque [N*m]");
    return nullptr;
  }
  if (table->columns.size() < 2 || table->rows == 0)
    diagnostics.error("VN-FILE-128", {1, 1}, "", "no value of an input is in the table",
                      "a column t, one column for each input, and a line for each time");
  std::vector<std::string> names;
  for (const Input& input : model.inputs()) names.push_back(input.name);
  auto result = std::make_shared<InputTable>();
  for (size_t i = 1; i < table->columns.size(); ++i) {
    NumberTable::Column& column = table->columns[i];
    const auto input = model.find_input(column.name);
    if (!input) {
      const std::string nearest = nearest_name(column.name, names);
      diagnostics.error("VN-FILE-128", {1, 1}, fmt::format("column '{}'", column.name), "is not an input of the model",
                        !nearest.empty() ? fmt::format("did you mean '{}'?", nearest)
                        : names.empty()  ? "the model has none; declare it under `inputs:`"
                                         : "`vinculum check` lists the inputs");
      continue;
    }
    result->inputs.push_back(*input);
    convert(column, model, model.inputs()[*input], diagnostics);
  }
  if (diagnostics.has_errors()) return nullptr;
  result->times = table->columns[0].values;
  for (size_t row = 0; row < table->rows; ++row) {
    const int line = static_cast<int>(row) + 2;
    if (row > 0 && !(result->times[row] > result->times[row - 1])) {
      const bool same = result->times[row] == result->times[row - 1];
      diagnostics.error("VN-FILE-128", {line, 1}, "column 't'",
                        same ? fmt::format("the time {} s is given twice", result->times[row]) : "times must ascend",
                        same ? "keep one of the two lines" : "sort the lines by time");
      return nullptr;
    }
    for (size_t i = 0; i < result->inputs.size(); ++i) {
      result->values.push_back(table->columns[i + 1].values[row]);
      check_input_value(model.inputs()[result->inputs[i]], result->values.back(), {line, 1}, diagnostics);
    }
  }
  return diagnostics.has_errors() ? nullptr : result;
}

}  // namespace vinculum
