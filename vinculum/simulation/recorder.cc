// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/recorder.h"

#include <algorithm>
#include <cassert>

namespace vinculum {

Recorder::Recorder(const Model& model, std::vector<Quantity> wanted, size_t enough)
    : model_(&model),
      columns_(describe(wanted.empty() ? list_table_quantities(model) : wanted, model)),
      enough_(enough),
      row_(columns_.size()) {}

void Recorder::add(const Sample& sample) {
  std::ranges::transform(columns_, row_.begin(),
                         [&](const Column& column) { return value_of(column.quantity, *model_, sample); });
  add(sample.state.t, row_);
}

void Recorder::add(double t, std::span<const double> values) {
  assert(values.size() == columns_.size());
  if (last_is_extra_) {
    times_.pop_back();
    values_.resize(values_.size() - columns_.size());
  }
  last_is_extra_ = seen_++ % stride_ != 0;
  times_.push_back(t);
  values_.insert(values_.end(), values.begin(), values.end());
  if (enough_ > 0 && seen_ / enough_ >= 2 * stride_) thin();
}

// Of the rows 0, s, 2s, .. those of 0, 2s, 4s, .. stay, and the last.
void Recorder::thin() {
  const size_t width = columns_.size(), last = rows() - 1;
  size_t kept = 0;
  for (size_t row = 0; row <= last; ++row) {
    if (row != last && row % 2 != 0) continue;
    times_[kept] = times_[row];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                values_.begin() + static_cast<std::ptrdiff_t>(kept * width));
    ++kept;
  }
  stride_ *= 2;
  last_is_extra_ = (seen_ - 1) % stride_ != 0;
  times_.resize(kept);
  values_.resize(kept * width);
}

std::optional<size_t> Recorder::find(const Quantity& quantity) const {
  const auto found = std::ranges::find(columns_, quantity, &Column::quantity);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<size_t>(found - columns_.begin());
}

std::optional<size_t> Recorder::find(ResultTable table, std::string_view name) const {
  const auto found =
      std::ranges::find_if(columns_, [&](const Column& column) { return column.name == name && column.table() == table; });
  if (found == columns_.end()) return std::nullopt;
  return static_cast<size_t>(found - columns_.begin());
}

std::vector<double> Recorder::values_of(size_t column) const {
  std::vector<double> values;
  values.reserve(rows());
  for (size_t row = 0; row < rows(); ++row) values.push_back(value(row, column));
  return values;
}

State Recorder::state(size_t row) const {
  State state = model_->initial_state();
  state.t = times_[row];
  for (size_t i = 0; i < columns_.size(); ++i) {
    const auto index = static_cast<size_t>(columns_[i].quantity.index);
    const double value = this->value(row, i);
    switch (columns_[i].quantity.of) {
      case Quantity::Of::coordinate: state.q[index] = value; break;
      case Quantity::Of::velocity: state.v[index] = value; break;
      case Quantity::Of::mode: state.modes[index] = static_cast<int>(value); break;
      case Quantity::Of::memory:
        state.memory.resize(static_cast<size_t>(model_->memory_size()));
        state.memory[index] = value;
        break;
      default: break;
    }
  }
  return state;
}

}  // namespace vinculum
