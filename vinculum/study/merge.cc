// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/merge.h"

#include <unordered_map>

#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

// 0: no row; then inferred, failed, done.
std::uint8_t weight(PointStatus status) { return status == PointStatus::done ? 3 : status == PointStatus::failed ? 2 : 1; }

}  // namespace

std::optional<Failure> merge_store(const StudyStore& from, StudyStore& into) {
  if (auto failure = into.check_same(from.study(), from.fingerprint())) return failure;
  std::vector<std::uint8_t> known(static_cast<size_t>(count_points(into.study())), 0);
  if (auto failure = into.for_each_row([&](const StudyRow& row) {
        known[static_cast<size_t>(row.point)] = weight(row.status);
        return true;
      }))
    return failure;
  std::unordered_map<long, double> seconds;
  if (auto failure = from.for_each_time([&](long point, double time) { seconds[point] = time; })) return failure;

  constexpr size_t kAtOnce = 10'000;
  std::vector<TimedRow> rows;
  std::optional<Failure> trouble;
  const auto failure = from.for_each_row([&](const StudyRow& row) {
    if (weight(row.status) <= known[static_cast<size_t>(row.point)]) return true;
    rows.push_back({row, seconds[row.point]});
    if (rows.size() < kAtOnce) return true;
    trouble = into.write(rows);
    rows.clear();
    return !trouble;
  });
  if (failure) return failure;
  if (trouble) return trouble;
  return into.write(rows);
}

}  // namespace vinculum
