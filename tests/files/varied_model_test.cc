// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/varied_model.h"

#include <filesystem>
#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/files/write_model.h"

namespace vinculum {
namespace {

std::string text_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.list()) text += to_text(diagnostic) + "\n";
  return text;
}

// Whatever was asked before, the model and what is told are those of a first reading: parameters, starts and both at once, of all
// examples, with values that are refused among them.
TEST(VariedModel, IsWhatTheFileGives) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> factor(0.5, 1.5), any(-1, 1);
  int models = 0, failures = 0, starts = 0, same = 0;
  for (const auto& folder : std::filesystem::directory_iterator(VINCULUM_SOURCE_DIR "/examples")) {
    const std::string path = (folder.path() / "model.yaml").string();
    if (!std::filesystem::exists(path)) continue;
    Diagnostics ignored;
    const auto source = ModelSource::open(path, ignored);
    ASSERT_TRUE(source) << path;
    const auto base = source->build(ignored);
    ASSERT_TRUE(base) << path;
    ++models;
    std::vector<std::pair<std::string, double>> names;
    for (const ParameterValue& parameter : base->description().parameters) names.emplace_back(parameter.name, parameter.value);
    for (size_t i = 0; i < base->coordinate_names().size(); ++i)
      names.emplace_back(base->coordinate_names()[i], base->initial_state().q[i]);
    for (size_t i = 0; i < base->velocity_names().size(); ++i)
      names.emplace_back(base->velocity_names()[i], base->initial_state().v[i]);

    VariedModel varied(*source);
    for (int study = 0; study < 4; ++study) {
      std::shuffle(names.begin(), names.end(), random);
      const size_t count = std::min<size_t>(names.size(), 1 + study);
      ReadOptions options;
      for (size_t i = 0; i < count; ++i) options.overrides.push_back({names[i].first, ""});
      for (int point = 0; point < 6; ++point) {
        // One or all of them change, or none.
        for (size_t i = 0; i < count; ++i) {
          if (point > 0 && (point % 3 == 2 || (point % 3 == 1 && i > 0))) continue;
          const double value = names[i].second == 0 ? any(random) : names[i].second * factor(random);
          options.overrides[i].value = point == 4 ? "12 lightyears" : fmt::format("{}", point == 5 ? -value : value);
        }
        Diagnostics told("x"), expected_told("x");
        const auto model = varied.build(told, options);
        const auto expected = source->build(expected_told, options);
        EXPECT_EQ(text_of(told), text_of(expected_told)) << path;
        ASSERT_EQ(model != nullptr, expected.has_value()) << path;
        failures += model ? 0 : 1;
        if (!model) continue;
        EXPECT_EQ(write_model(model->description()), write_model(expected->description())) << path;
        EXPECT_EQ(model->initial_state().q, expected->initial_state().q) << path;
        EXPECT_EQ(model->initial_state().v, expected->initial_state().v) << path;
        EXPECT_EQ(model->initial_state().modes, expected->initial_state().modes) << path;
        starts += model->initial_state().q != base->initial_state().q ? 1 : 0;
        same += varied.build(told, options) == model ? 1 : 0;
      }
    }
  }
  EXPECT_GT(models, 40);
  EXPECT_GT(failures, 40);
  EXPECT_GT(starts, 40);
  EXPECT_GT(same, 100);
}

// Who keeps a model has it for good.
TEST(VariedModel, KeptModelsDoNotChange) {
  Diagnostics diagnostics;
  const auto source = ModelSource::parse(
      "vinculum: 1\nbodies: { bob: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: 0.1 } }\n",
      diagnostics);
  ASSERT_TRUE(source);
  VariedModel varied(*source);
  const auto first = varied.build(diagnostics, {.overrides = {{"bob", "0.1"}}});
  const auto second = varied.build(diagnostics, {.overrides = {{"bob", "0.2"}}});
  EXPECT_EQ(first->initial_state().q[0], 0.1);
  EXPECT_EQ(second->initial_state().q[0], 0.2);
}

}  // namespace
}  // namespace vinculum
