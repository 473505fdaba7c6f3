// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/study/store.h"

namespace vinculum {

// To rank 0: completed points, and whether more points are wanted.
struct RankReport {
  bool wants_points = false;
  std::vector<TimedRow> rows;
};
// From rank 0: points to ask; the end, after which no more come.
struct RankOrder {
  bool is_end = false;
  std::vector<long> points;
};

// As bytes, for processes of one kind of machine. Nothing if the bytes are not such a message.
std::string to_bytes(const RankReport& report);
std::string to_bytes(const RankOrder& order);
std::optional<RankReport> read_report(std::string_view bytes);
std::optional<RankOrder> read_order(std::string_view bytes);

}  // namespace vinculum
