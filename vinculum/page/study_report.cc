// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/study_report.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/files/study_json.h"
#include "vinculum/formats/base64.h"
#include "vinculum/page/report_page.h"

namespace vinculum {

namespace {

constexpr std::size_t kMostLevels = 65'536;
constexpr std::size_t kMostMessages = 2'000;

// What of a table is told.
struct Choice {
  std::vector<std::uint32_t> points;
  std::size_t quantities = 0;  // the first so many
  bool short_numbers = false;  // seven digits of collected numbers
};

template <class T>
std::vector<T> chosen(const std::vector<T>& values, const std::vector<std::uint32_t>& points) {
  std::vector<T> result;
  result.reserve(points.size());
  for (const std::uint32_t k : points) result.push_back(values[k]);
  return result;
}

// Levels of a grid once, and which of them at each point; values of a random parameter, or of too many levels, as they are.
Json parameter_document(const StudyParameter& parameter, const std::vector<std::uint32_t>& points) {
  Json document{{"name", parameter.name}, {"unit", parameter.unit}, {"how", parameter.how}, {"random", parameter.random}};
  const std::vector<double> values = chosen(parameter.values, points);
  if (!parameter.random) {
    std::vector<double> levels = values;
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    if (levels.size() <= kMostLevels) {
      std::vector<std::uint16_t> index;
      index.reserve(values.size());
      for (const double value : values)
        index.push_back(static_cast<std::uint16_t>(std::lower_bound(levels.begin(), levels.end(), value) - levels.begin()));
      document["levels"] = to_base64(levels);
      document["index"] = to_base64(index);
      return document;
    }
  }
  document["values"] = to_base64(values);
  return document;
}

Json quantity_document(const StudyQuantity& quantity, const Choice& choice) {
  Json document{{"name", quantity.name}, {"path", quantity.path}, {"unit", quantity.unit}};
  if (!quantity.words.empty()) {
    document["words"] = quantity.words;
    document["index"] = to_base64(chosen(quantity.word, choice.points));
  } else if (choice.short_numbers) {
    std::vector<float> numbers;
    numbers.reserve(choice.points.size());
    for (const std::uint32_t k : choice.points) numbers.push_back(static_cast<float>(quantity.numbers[k]));
    document["short"] = to_base64(numbers);
  } else {
    document["values"] = to_base64(chosen(quantity.numbers, choice.points));
  }
  return document;
}

// Each text once; of very many different ones only the code.
Json failures_document(const StudyResults& results, const std::vector<std::uint32_t>& points) {
  std::unordered_map<std::uint32_t, std::uint32_t> place;  // in the page, of a point of the table
  if (points.size() < results.size()) {
    for (std::size_t k = 0; k < points.size(); ++k) place[points[k]] = static_cast<std::uint32_t>(k);
  }
  std::unordered_map<std::string, std::uint32_t> known;
  Json texts = Json::array();
  std::vector<std::uint32_t> at, which;
  for (const StudyFailure& failure : results.failures) {
    std::uint32_t point = failure.point;
    if (points.size() < results.size()) {
      const auto found = place.find(point);
      if (found == place.end()) continue;
      point = found->second;
    }
    const bool whole = known.size() < kMostMessages || known.contains(failure.code + '\n' + failure.message);
    const std::string message = whole ? failure.message : "";
    const auto [entry, is_new] = known.try_emplace(failure.code + '\n' + message, static_cast<std::uint32_t>(texts.size()));
    if (is_new) texts.push_back({{"code", failure.code}, {"message", message}});
    at.push_back(point);
    which.push_back(entry->second);
  }
  return {{"texts", std::move(texts)}, {"points", to_base64(at)}, {"text", to_base64(which)}};
}

Json document_of(const StudyResults& results, const Json& statistics, const Choice& choice,
                 const std::vector<std::string>& warnings) {
  Json document{{"format", 1},
                {"kind", "study"},
                {"title", results.title},
                {"run", {{"command", results.command}, {"model", results.model}, {"options", results.options}}},
                {"points", {{"shown", choice.points.size()}, {"total", results.size()}, {"planned", results.planned}}},
                {"facts", Json::array()},
                {"warnings", warnings},
                {"parameters", Json::array()},
                {"quantities", Json::array()},
                {"failures", failures_document(results, choice.points)},
                {"statistics", statistics}};
  if (!results.numbers.empty()) {
    document["points"]["numbers"] = to_base64(chosen(results.numbers, choice.points));
  } else if (choice.points.size() < results.size()) {
    document["points"]["numbers"] = to_base64(choice.points);
  }
  for (const auto& [name, value] : results.facts) document["facts"].push_back({{"name", name}, {"value", value}});
  for (const StudyParameter& parameter : results.parameters)
    document["parameters"].push_back(parameter_document(parameter, choice.points));
  for (std::size_t i = 0; i < choice.quantities; ++i)
    document["quantities"].push_back(quantity_document(results.quantities[i], choice));
  if (std::any_of(results.status.begin(), results.status.end(), [](PointStatus s) { return s != PointStatus::done; })) {
    std::vector<std::uint8_t> status;
    status.reserve(choice.points.size());
    for (const std::uint32_t k : choice.points) status.push_back(static_cast<std::uint8_t>(results.status[k]));
    document["status"] = to_base64(status);
  }
  return document;
}

// Bytes of the columns of a point, before they are written as text.
std::size_t bytes_of_point(const StudyResults& results, const Choice& choice) {
  std::size_t bytes = sizeof(std::uint8_t) + sizeof(std::uint32_t);
  for (const StudyParameter& parameter : results.parameters) bytes += parameter.random ? sizeof(double) : sizeof(std::uint16_t);
  for (std::size_t i = 0; i < choice.quantities; ++i)
    bytes += !results.quantities[i].words.empty() ? sizeof(std::uint16_t) : choice.short_numbers ? sizeof(float) : sizeof(double);
  return bytes;
}

}  // namespace

Outcome<std::string> study_document(const StudyResults& results, const StudyStatistics& statistics, std::size_t largest) {
  const Json told = to_json(statistics);
  std::vector<std::string> warnings = results.warnings;
  Choice choice;
  choice.quantities = results.quantities.size();
  const std::size_t fixed = safe_in_script(document_of(results, told, choice, warnings)).size() + 200'000;  // and messages
  const std::size_t room = largest > fixed ? (largest - fixed) / 4 * 3 : 0;
  const auto fits = [&](std::size_t points) { return points * bytes_of_point(results, choice) <= room; };
  std::size_t count = results.size();
  if (!fits(count)) choice.short_numbers = true;
  if (!fits(count) && results.is_random()) {
    count = room / bytes_of_point(results, choice);
    warnings.push_back(fmt::format("{} of {} points are shown, evenly chosen: a page has at most {} MB; statistics are of all",
                                   count, results.size(), largest / 1'000'000));
  }
  while (!fits(count) && choice.quantities > 1) {
    --choice.quantities;
    warnings.push_back(fmt::format("'{}' is left out: a page has at most {} MB", results.quantities[choice.quantities].name,
                                   largest / 1'000'000));
  }
  if (!fits(count) || (count == 0 && results.size() > 0)) {
    return Failure{"VN-STUDY-050",
                   fmt::format("the {} points of a study do not fit into a page of {} MB", results.size(), largest / 1'000'000),
                   "read the store, or the table that --csv writes"};
  }
  choice.points.resize(count);
  for (std::size_t k = 0; k < count; ++k) choice.points[k] = static_cast<std::uint32_t>(k * results.size() / count);
  return safe_in_script(document_of(results, told, choice, warnings));
}

Outcome<bool> write_study_page(const std::string& path, const StudyResults& results, const StudyStatistics& statistics) {
  if (!report_page_available()) return write_report_page(path, "");
  const auto document = study_document(results, statistics, kLargestStudyPage - report_page_size());
  if (!document) return document.failure();
  return write_report_page(path, *document);
}

Outcome<bool> write_study_report(const std::string& folder) {
  const auto store = StudyStore::open((std::filesystem::path(folder) / "study.sqlite").string());
  if (!store) return store.failure();
  const auto results = read_study_results(*store);
  if (!results) return results.failure();
  return write_study_page((std::filesystem::path(folder) / "report.html").string(), *results, compute_study_statistics(*results));
}

}  // namespace vinculum
