// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/rank_messages.h"

#include <cstring>

#include "vinculum/math/visit.h"

namespace vinculum {

namespace {

class ByteWriter {
 public:
  template <class Number>
  void number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void text(std::string_view text) {
    number(static_cast<long>(text.size()));
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  Number number() {
    Number value{};
    if (bytes_.size() < sizeof(value)) {
      good_ = false;
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof(value));
    bytes_.remove_prefix(sizeof(value));
    return value;
  }
  std::string text() {
    const long size = number<long>();
    if (!good_ || size < 0 || static_cast<size_t>(size) > bytes_.size()) {
      good_ = false;
      return {};
    }
    const std::string result(bytes_.substr(0, static_cast<size_t>(size)));
    bytes_.remove_prefix(static_cast<size_t>(size));
    return result;
  }
  bool good() const { return good_; }
  bool is_at_end() const { return good_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

constexpr char kAbsent = 0, kNumber = 1, kWord = 2;

}  // namespace

std::string to_bytes(const RankReport& report) {
  ByteWriter writer;
  writer.number(report.wants_points);
  writer.number(static_cast<long>(report.rows.size()));
  for (const auto& [row, seconds] : report.rows) {
    writer.number(row.point);
    writer.number(seconds);
    writer.number(static_cast<int>(row.status));
    writer.text(row.code);
    writer.text(row.message);
    writer.number(static_cast<long>(row.parameters.size()));
    for (const double parameter : row.parameters) writer.number(parameter);
    writer.number(static_cast<long>(row.values.size()));
    for (const StudyValue& value : row.values) {
      std::visit(Overloaded{[&](std::monostate) { writer.number(kAbsent); },
                            [&](double number) {
                              writer.number(kNumber);
                              writer.number(number);
                            },
                            [&](const std::string& word) {
                              writer.number(kWord);
                              writer.text(word);
                            }},
                 value);
    }
  }
  return writer.take();
}

std::optional<RankReport> read_report(std::string_view bytes) {
  ByteReader reader(bytes);
  RankReport report;
  report.wants_points = reader.number<bool>();
  const long rows = reader.number<long>();
  for (long i = 0; i < rows && reader.good(); ++i) {
    TimedRow timed;
    StudyRow& row = timed.row;
    row.point = reader.number<long>();
    timed.seconds = reader.number<double>();
    row.status = static_cast<PointStatus>(reader.number<int>());
    row.code = reader.text();
    row.message = reader.text();
    const long parameters = reader.number<long>();
    for (long k = 0; k < parameters && reader.good(); ++k) row.parameters.push_back(reader.number<double>());
    const long values = reader.number<long>();
    for (long k = 0; k < values && reader.good(); ++k) {
      const char kind = reader.number<char>();
      if (kind == kNumber)
        row.values.emplace_back(reader.number<double>());
      else if (kind == kWord)
        row.values.emplace_back(reader.text());
      else
        row.values.emplace_back();
    }
    report.rows.push_back(std::move(timed));
  }
  if (!reader.is_at_end()) return std::nullopt;
  return report;
}

std::string to_bytes(const RankOrder& order) {
  ByteWriter writer;
  writer.number(order.is_end);
  writer.number(static_cast<long>(order.points.size()));
  for (const long point : order.points) writer.number(point);
  return writer.take();
}

std::optional<RankOrder> read_order(std::string_view bytes) {
  ByteReader reader(bytes);
  RankOrder order;
  order.is_end = reader.number<bool>();
  const long points = reader.number<long>();
  for (long i = 0; i < points && reader.good(); ++i) order.points.push_back(reader.number<long>());
  if (!reader.is_at_end()) return std::nullopt;
  return order;
}

}  // namespace vinculum
