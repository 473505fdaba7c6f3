// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/refine.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

#include "vinculum/math/visit.h"
#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

constexpr std::int32_t kUnknown = -1, kFailed = 0, kNothing = 1, kBelow = 2, kAbove = 3;
constexpr std::int32_t kFirstFree = 4;

bool is_refined(const StudyAxis& axis) { return axis.kind == StudyAxis::Kind::grid && axis.count > 1; }

}  // namespace

Refinement::Refinement(const Study& study, StudyShard shard)
    : study_(study), column_(study.find_column(study.refine->on)), finest_(1L << study.refine->levels) {
  assert(column_ >= 0);
  const long points = count_points(study);
  classes_.assign(static_cast<size_t>(points), kUnknown);
  long stride = points_of_node(study);
  for (size_t i = study.over.size(); i-- > 0;) {
    const StudyAxis& axis = study.over[i];
    if (axis.is_random()) continue;
    if (is_refined(axis)) strides_.push_back(stride);
    stride *= refined_count(study, axis);
  }
  // Coarse cells: every coarse point that is not at the upper end of a refined parameter is the origin of one.
  for (long point = 0; point < points; ++point) {
    const std::vector<long> node = node_of(study, point);
    bool has_cell = is_coarse(node);
    for (size_t i = 0; i < node.size() && has_cell; ++i) {
      if (is_refined(study.over[i])) has_cell = node[i] + finest_ < refined_count(study, study.over[i]);
    }
    if (has_cell) cells_.push_back({point, finest_});
  }
  // Neighbours stay together, so that shards share few corners.
  const long count = static_cast<long>(cells_.size());
  const auto place = [&](long k) { return cells_.begin() + count * k / shard.count; };
  cells_ = std::vector<Cell>(place(shard.index), place(shard.index + 1));
}

bool Refinement::is_coarse(const std::vector<long>& node) const {
  for (size_t i = 0; i < node.size(); ++i) {
    if (is_refined(study_.over[i]) && node[i] % finest_ != 0) return false;
  }
  return true;
}

std::vector<long> Refinement::coarse_points() const {
  std::vector<long> points;
  for (const Cell& cell : cells_) std::ranges::copy(corners(cell), std::back_inserter(points));
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

int Refinement::class_of(const StudyValue& value) {
  const auto number_of = [&](auto& known, const auto& key) {
    const int next = kFirstFree + static_cast<int>(words_.size() + numbers_.size());
    return known.emplace(key, next).first->second;
  };
  return std::visit(Overloaded{[](std::monostate) { return kNothing; },
                               [&](double number) {
                                 if (study_.refine->at) return number < *study_.refine->at ? kBelow : kAbove;
                                 return number_of(numbers_, std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number));
                               },
                               [&](const std::string& word) { return number_of(words_, word); }},
                    value);
}

void Refinement::learn(const StudyRow& row) {
  if (row.status == PointStatus::inferred) return;
  classes_[static_cast<size_t>(row.point)] =
      row.status == PointStatus::failed ? kFailed : class_of(row.values[static_cast<size_t>(column_)]);
  rows_[row.point] = row;
}

template <class Visit>
void Refinement::visit_box(const Cell& cell, long step, Visit&& visit) const {
  const long along = cell.size / step + 1;
  long count = 1;
  for (size_t i = 0; i < strides_.size(); ++i) count *= along;
  for (long k = 0; k < count; ++k) {
    long point = cell.origin, rest = k;
    for (const long stride : strides_) {
      point += rest % along * step * stride;
      rest /= along;
    }
    if (!visit(point)) return;
  }
}

std::vector<long> Refinement::corners(const Cell& cell) const {
  std::vector<long> points;
  visit_box(cell, cell.size, [&](long point) {
    points.push_back(point);
    return true;
  });
  return points;
}

// Corners that are not known yet: not yet. The inside of a leaf is not known, so that all that is known lies on its faces.
bool Refinement::is_split(const Cell& cell) const {
  if (cell.size == 1) return false;
  const std::vector<long> points = corners(cell);
  const auto class_at = [&](long point) { return classes_[static_cast<size_t>(point)]; };
  if (std::any_of(points.begin(), points.end(), [&](long point) { return class_at(point) == kUnknown; })) return false;
  const std::int32_t first = class_at(points.front());
  bool differs = false;
  visit_box(cell, 1, [&](long point) {
    differs = class_at(point) != kUnknown && class_at(point) != first;
    return !differs;
  });
  return differs;
}

std::vector<long> Refinement::next_points() {
  std::vector<long> wanted;
  bool changed = true;
  while (changed) {
    changed = false;
    std::vector<Cell> leaves;
    for (const Cell& cell : cells_) {
      if (!is_split(cell)) {
        leaves.push_back(cell);
        continue;
      }
      changed = true;
      const long half = cell.size / 2;
      visit_box(cell, half, [&](long point) {
        if (classes_[static_cast<size_t>(point)] == kUnknown) wanted.push_back(point);
        return true;
      });
      visit_box({cell.origin, half}, half, [&](long origin) {
        leaves.push_back({origin, half});
        return true;
      });
    }
    cells_ = std::move(leaves);
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

std::vector<StudyRow> Refinement::infer() const {
  // On a face between cells of different size the smaller one knows more.
  std::vector<Cell> cells = cells_;
  std::sort(cells.begin(), cells.end(),
            [](const Cell& a, const Cell& b) { return a.size != b.size ? a.size < b.size : a.origin < b.origin; });
  std::vector<bool> told(classes_.size(), false);
  std::vector<StudyRow> inferred;
  for (const Cell& cell : cells) {
    if (cell.size == 1) continue;
    std::vector<const StudyRow*> ends;
    for (const long corner : corners(cell)) {
      const auto row = rows_.find(corner);
      if (row != rows_.end()) ends.push_back(&row->second);
    }
    if (ends.size() != size_t{1} << strides_.size()) continue;  // an interrupted study
    const bool answered =
        std::all_of(ends.begin(), ends.end(), [](const StudyRow* row) { return row->status == PointStatus::done; });
    visit_box(cell, 1, [&](long point) {
      if (classes_[static_cast<size_t>(point)] != kUnknown || told[static_cast<size_t>(point)]) return true;
      told[static_cast<size_t>(point)] = true;
      StudyRow row;
      row.point = point;
      row.parameters = parameters_of(study_, point);
      row.status = PointStatus::inferred;
      row.values.resize(study_.collect.size());
      // Where the point stands in the cell, 0 to 1 along each refined parameter: x = (point - origin), digit by digit.
      std::vector<double> weights(ends.size(), 1.0);
      long rest = point - cell.origin;
      for (size_t k = strides_.size(); k-- > 0;) {
        const double s = static_cast<double>(rest / strides_[k]) / static_cast<double>(cell.size);
        rest %= strides_[k];
        for (size_t c = 0; c < ends.size(); ++c) weights[c] *= (c >> k & 1u) ? s : 1 - s;
      }
      for (size_t i = 0; answered && i < row.values.size(); ++i) {
        const StudyValue& first = ends.front()->values[i];
        if (std::all_of(ends.begin(), ends.end(), [&](const StudyRow* end) { return end->values[i] == first; })) {
          row.values[i] = first;
          continue;
        }
        double sum = 0;
        bool all_numbers = true;
        for (size_t c = 0; c < ends.size(); ++c) {
          const double* number = std::get_if<double>(&ends[c]->values[i]);
          all_numbers = all_numbers && number != nullptr;
          if (number != nullptr) sum += weights[c] * *number;
        }
        if (all_numbers) row.values[i] = sum;
      }
      inferred.push_back(std::move(row));
      return true;
    });
  }
  std::sort(inferred.begin(), inferred.end(), [](const StudyRow& a, const StudyRow& b) { return a.point < b.point; });
  return inferred;
}

}  // namespace vinculum
