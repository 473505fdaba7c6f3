// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "vinculum/files/read_sections.h"
#include "vinculum/formats/table.h"

namespace vinculum {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = 64'000'000;
constexpr size_t kMostPoints = 1'000'000;

// The file inside the model's folder; none, and told, if it lies elsewhere, is too large or is no file.
std::optional<std::string> find_inside(ReaderContext& context, const ReadOptions& options, YamlNode node,
                                       const std::string& file) {
  if (options.folder.empty()) {
    context.error("VN-FILE-160", node, "tables are read from the folder of the model, and this model has none",
                  "read it from a file");
    return std::nullopt;
  }
  const fs::path named(file);
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(options.folder, error), path = fs::weakly_canonical(folder / named, error);
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  if (named.is_absolute() || end != folder.end()) {
    context.error("VN-FILE-161", node, fmt::format("{} lies outside the folder of the model", in_quotes(file)),
                  "a table is read from inside that folder only: no absolute path, no .., no link that leads out");
    return std::nullopt;
  }
  if (!fs::is_regular_file(path, error)) {
    context.error("VN-FILE-162", node, fmt::format("there is no file {} in the folder of the model", in_quotes(file)),
                  "paths are from the folder of the model");
    return std::nullopt;
  }
  if (fs::file_size(path, error) > kLargestFile) {
    context.error("VN-FILE-163", node,
                  fmt::format("{} has {} bytes, more than {}", in_quotes(file), fs::file_size(path, error), kLargestFile),
                  "give fewer points");
    return std::nullopt;
  }
  return path.string();
}

// A column in SI units, and the dimension its header gives; none where it gives no unit.
struct Points {
  std::vector<double> values;
  std::optional<Dimension> dimension;
};
std::optional<Points> read_column(ReaderContext& context, YamlNode node, const NumberTable& table, const std::string& name) {
  const NumberTable::Column* column = table.find(name);
  if (column == nullptr || column->is_mode()) {
    std::vector<std::string> known;
    for (const auto& other : table.columns) known.push_back(other.name);
    const std::string nearest = nearest_name(name, known);
    context.error(
        "VN-FILE-164", node, fmt::format("the file has no column {} of numbers", in_quotes(name)),
        nearest.empty() ? fmt::format("its columns are {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", nearest));
    return std::nullopt;
  }
  Points points{column->values, std::nullopt};
  if (column->unit.empty()) return points;
  const auto parsed = parse_expression("1 " + column->unit, {});
  const auto* unit = std::get_if<ParsedExpression>(&parsed);
  if (unit == nullptr || !unit->expression.is_constant()) {
    context.error("VN-FILE-165", node,
                  fmt::format("the unit {} of column {} is not known", in_quotes(column->unit), in_quotes(name)),
                  "a header is `NAME [UNIT]` with a unit of model files: `s [m]`");
    return std::nullopt;
  }
  const double factor = unit->expression.constant_value();
  for (double& value : points.values) value *= factor;
  points.dimension = unit->dimension;
  return points;
}

bool check_points(ReaderContext& context, YamlNode node, const Points& x, const TableDescription& table) {
  const size_t least = table.is_spline ? 4 : 2;
  if (x.values.size() < least || x.values.size() > kMostPoints) {
    context.error("VN-FILE-166", node,
                  fmt::format("{} points, where a {} needs {} to {}", x.values.size(), table.is_spline ? "spline" : "line", least,
                              kMostPoints));
    return false;
  }
  for (size_t i = 1; i < x.values.size(); ++i) {
    if (x.values[i] > x.values[i - 1]) continue;
    context.error("VN-FILE-167", node,
                  fmt::format("the values of {} do not increase: {} in line {} follows {}", in_quotes(table.x), x.values[i],
                              i + 1, x.values[i - 1]),
                  "sort the lines, and keep one of each value");
    return false;
  }
  return true;
}

}  // namespace

void read_tables(ReaderContext& context, YamlNode section, const ReadOptions& options, ModelDescription& model) {
  static constexpr Choice<bool> kKinds[] = {{"linear", false}, {"spline", true}};
  static constexpr Choice<Outside> kOutside[] = {
      {"refuse", Outside::refuse}, {"hold", Outside::hold}, {"extend", Outside::extend}};
  read_entries(context, section, "table", Naming::own, [&](std::string name, Place place, YamlNode node) {
    TableDescription table;
    table.name = std::move(name);
    table.place = place;
    const Fields fields(context, node, {"file", "x", "y", "kind", "outside"});
    if (!fields) return;
    bool good = read_text(context, fields.require("file", "a CSV file in the folder of the model: `file: road.csv`"), table.file);
    good = read_text(context, fields.require("x", "the column of the argument: `x: s`"), table.x) && good;
    good = read_text(context, fields.require("y", "the column of the value: `y: height`"), table.y) && good;
    choose<bool>(context, fields["kind"], kKinds, table.is_spline);
    choose<Outside>(context, fields["outside"], kOutside, table.outside);
    const auto path = good ? find_inside(context, options, fields["file"], table.file) : std::nullopt;
    if (!path) return;
    Diagnostics of_file(table.file);
    const auto numbers = read_table(*path, of_file);
    if (!numbers) {
      const Diagnostic& first = of_file.list().front();
      context.error(first.code, fields["file"],
                    fmt::format("line {} of {}: {}", first.place.line, in_quotes(table.file), first.message), first.hint);
      return context.add_broken_name(table.name);
    }
    const auto x = read_column(context, fields["x"], *numbers, table.x), y = read_column(context, fields["y"], *numbers, table.y);
    if (!x || !y || !check_points(context, fields["file"], *x, table)) return context.add_broken_name(table.name);
    TableFunction function{table.name, {}, x->values.front(), x->values.back(), x->dimension, y->dimension};
    function.values = table.is_spline ? interpolate_by_spline(x->values, y->values, table.outside)
                                      : interpolate_linearly(x->values, y->values, table.outside);
    table.function = std::make_shared<const TableFunction>(std::move(function));
    context.add_table(table.name, table.function);
    model.tables.push_back(std::move(table));
  });
}

}  // namespace vinculum
