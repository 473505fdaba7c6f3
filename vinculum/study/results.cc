// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/results.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "vinculum/study/command_line.h"
#include "vinculum/study/sample.h"
#include "vinculum/verdict/verdict.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

constexpr std::size_t kMostWords = 1000;  // different ones of a column; the rest is one word
constexpr const char* kOtherWords = "(other)";
constexpr const char* kNoWord = "(empty)";  // of an answer without letters: the `reason` of a motion that is feasible

std::string tell_axis(const Study& study, const StudyAxis& axis) {
  const auto text = [](double value) { return fmt::format("{:.6g}", value); };
  switch (axis.kind) {
    case StudyAxis::Kind::grid:
      return fmt::format("{} values from {} to {}{}", refined_count(study, axis), text(axis.first), text(axis.second),
                         axis.logarithmic ? ", equal ratios" : "");
    case StudyAxis::Kind::list: {
      if (axis.values.size() > 8) return fmt::format("{} values", axis.values.size());
      std::string list;
      for (const double value : axis.values) list += (list.empty() ? "" : ", ") + text(value);
      return list;
    }
    case StudyAxis::Kind::uniform: return fmt::format("uniform from {} to {}", text(axis.first), text(axis.second));
    case StudyAxis::Kind::normal: return fmt::format("normal, mean {}, deviation {}", text(axis.first), text(axis.second));
    case StudyAxis::Kind::sobol: break;
  }
  return fmt::format("Sobol sequence from {} to {}", text(axis.first), text(axis.second));
}

// "sleigh" of examples/sleigh/model.yaml, also from within that folder; "car" of car.yaml.
std::string tell_model(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::absolute(file, ignored).lexically_normal();
  const std::string stem = path.stem().string(), folder = path.parent_path().filename().string();
  return stem == "model" && !folder.empty() ? folder : stem;
}

// A column as it comes: numbers, words, nothing.
class ColumnReader {
 public:
  void add(const StudyValue& value) {
    const double* number = std::get_if<double>(&value);
    numbers_.push_back(number != nullptr ? *number : std::numeric_limits<double>::quiet_NaN());
    const std::string* word = std::get_if<std::string>(&value);
    word_.push_back(word == nullptr ? 0 : number_of(word->empty() ? kNoWord : *word));
  }

  // Numbers among words are words, too. Words in an order that does not depend on the points: verdicts as they are told, others
  // by the alphabet.
  void finish(StudyQuantity& quantity) {
    if (words_.empty()) {
      quantity.numbers = std::move(numbers_);
      return;
    }
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      if (word_[k] == 0 && std::isfinite(numbers_[k])) word_[k] = number_of(shortest_text(numbers_[k]));
    }
    const auto gravity = [](const std::string& word) {
      const std::optional<Holds> verdict = find_verdict_word(word);  // what is no verdict stands behind
      return verdict ? static_cast<int>(*verdict) : static_cast<int>(verdicts_by_gravity().size());
    };
    for (const auto& [word, number] : words_) quantity.words.push_back(word);
    std::stable_sort(quantity.words.begin(), quantity.words.end(),
                     [&](const std::string& a, const std::string& b) { return gravity(a) < gravity(b); });
    std::vector<std::uint16_t> place(words_.size() + 1, 0);
    for (std::size_t w = 0; w < quantity.words.size(); ++w)
      place[words_.at(quantity.words[w])] = static_cast<std::uint16_t>(w + 1);
    for (const std::uint16_t word : word_) quantity.word.push_back(place[word]);
  }

 private:
  std::uint16_t number_of(const std::string& word) {
    const bool room = words_.size() < kMostWords || words_.contains(word);
    return words_.try_emplace(room ? word : kOtherWords, static_cast<std::uint16_t>(words_.size() + 1)).first->second;
  }

  std::vector<double> numbers_;
  std::vector<std::uint16_t> word_;  // 0: none
  std::map<std::string, std::uint16_t> words_;
};

}  // namespace

Outcome<StudyResults> read_study_results(const StudyStore& store) {
  const Study& study = store.study();
  const auto counts = store.count();
  if (!counts) return counts.failure();
  if (counts->rows() > kMostStudyResults) {
    return Failure{"VN-STUDY-051",
                   fmt::format("{} has {} points: statistics and a page are made of {} at most", store.path(), counts->rows(),
                               kMostStudyResults),
                   "read the store itself, or the table that --csv writes"};
  }
  StudyResults results;
  results.title = tell_model(study.model) + " over ";
  for (std::size_t i = 0; i < study.over.size(); ++i) {
    const StudyAxis& axis = study.over[i];
    results.title += (i == 0 ? "" : i + 1 == study.over.size() ? " and " : ", ") + axis.name;
    results.parameters.push_back({axis.name, axis.unit, tell_axis(study, axis), axis.is_random(), {}});
  }
  results.command = study.command;
  results.model = study.model;
  results.options = study.options;
  results.planned = static_cast<std::size_t>(count_points(study));
  results.points_of_node = static_cast<std::size_t>(points_of_node(study));
  if (study.design == StudyDesign::saltelli) results.block = static_cast<std::size_t>(count_random(study)) + 2;
  if (count_random(study) > 0) {
    results.facts = {{"samples", fmt::format("{}", study.samples)}, {"seed", fmt::format("{}", study.seed)}};
    if (results.block > 1) results.facts.emplace_back("points a sample", fmt::format("{}", results.block));
  }
  if (study.refine)
    results.facts.emplace_back("refined", fmt::format("{} times, where {} changes", study.refine->levels, study.refine->on));

  std::vector<ColumnReader> columns(study.collect.size());
  const auto failure = store.for_each_row([&](const StudyRow& row) {
    const auto place = static_cast<std::uint32_t>(results.status.size());
    results.numbers.push_back(static_cast<std::uint32_t>(row.point));
    results.status.push_back(row.status);
    for (std::size_t i = 0; i < row.parameters.size(); ++i) results.parameters[i].values.push_back(row.parameters[i]);
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(i < row.values.size() ? row.values[i] : StudyValue());
    if (row.status == PointStatus::failed) results.failures.push_back({place, row.code, row.message});
    return true;
  });
  if (failure) return *failure;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    results.quantities.push_back({study.collect[i].name, study.collect[i].path, "", {}});
    columns[i].finish(results.quantities.back());
  }
  if (results.numbers.empty() || results.numbers.back() + 1 == results.size()) results.numbers.clear();  // 0, 1, 2 ..
  return results;
}

}  // namespace vinculum
