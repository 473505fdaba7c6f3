// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vinculum/simulation/columns.h"

namespace vinculum {

// Keeps values of the samples of a run, sample after sample, so that an evaluation of the run need not read its tables back:
//
//   Recorder recorder(model, {*find_quantity(model, "boom"), *find_quantity(model, "foot.normal")});
//   run_simulation(model, model.initial_state(), {.until = 10}, recorder);
//   recorder.values()[2 * k], recorder.values()[2 * k + 1]: at recorder.times()[k]
//
// Motions just before and just after a change of modes are samples as well, as in the tables.
class Recorder : public RunListener {
 public:
  // Nothing wanted: all columns of the tables. Where `enough` rows are given, a long run is thinned evenly, whatever its length
  // becomes: of n rows every s-th is kept, s the largest power of two not above max(1, n/enough), and the last one. These are
  // fewer than 2 enough + 1.
  explicit Recorder(const Model& model, std::vector<Quantity> wanted = {}, size_t enough = 0);

  void on_sample(const Sample& sample) override { add(sample); }
  bool wants_changes() override { return true; }
  void on_change(const Sample& sample) override { add(sample); }

  void add(const Sample& sample);
  // The same from elsewhere, a table for example: one value a column.
  void add(double t, std::span<const double> values);

  const Model& model() const { return *model_; }
  const std::vector<Column>& columns() const { return columns_; }
  std::span<const double> times() const { return times_; }
  std::span<const double> values() const { return values_; }  // row after row, a value each column
  size_t rows() const { return times_.size(); }
  size_t rows_of_run() const { return seen_; }  // thinned or not

  std::optional<size_t> find(const Quantity& quantity) const;
  std::optional<size_t> find(ResultTable table, std::string_view name) const;  // as the column is named there
  double value(size_t row, size_t column) const { return values_[row * columns_.size() + column]; }
  std::vector<double> values_of(size_t column) const;
  // What is not recorded of a state is as in the initial one.
  State state(size_t row) const;

 private:
  void thin();

  const Model* model_;
  std::vector<Column> columns_;
  size_t enough_;
  size_t stride_ = 1, seen_ = 0;
  bool last_is_extra_ = false;  // the last sample is kept only as long as it is the last
  std::vector<double> times_, values_;
  std::vector<double> row_;  // scratch
};

}  // namespace vinculum
