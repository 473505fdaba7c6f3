// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// NAME=VALUE of the command line: a parameter, or an initial value. The value is an expression.
struct Override {
  std::string name;
  std::string value;
};

// What is written out beside the outputs of a model, without being declared there.
enum class Written { accelerations, forces };

struct ReadOptions {
  std::vector<Override> overrides;
  std::vector<Written> written{};
  std::string folder{};  // of the model: tables are read from inside it; empty: there are none
};

// Reads a model file (contract, section 2), in two steps: its words, with all that is wrong with them; then the model.
// None if there was an error. Overrides that name nothing are errors without a place.
std::optional<ModelDescription> read_description(std::string_view text, Diagnostics& diagnostics,
                                                 const ReadOptions& options = {});
std::optional<Model> read_model(std::string_view text, Diagnostics& diagnostics, const ReadOptions& options = {});

// The same from a file; the diagnostics carry its path. Files above 256 MB are refused.
std::optional<Model> read_model_file(const std::string& path, Diagnostics& diagnostics, const ReadOptions& options = {});

// The text of a model that is read once and built often, with other overrides each time: a study. It may be shared between
// threads.
class ModelSource {
 public:
  // None, with the reason reported, if the file cannot be read or is not YAML.
  static std::optional<ModelSource> open(const std::string& path, Diagnostics& diagnostics);
  static std::optional<ModelSource> parse(std::string text, Diagnostics& diagnostics);
  ModelSource(ModelSource&&) noexcept;
  ModelSource& operator=(ModelSource&&) noexcept;
  ~ModelSource();

  std::optional<Model> build(Diagnostics& diagnostics, const ReadOptions& options = {}) const;

 private:
  struct Content;
  explicit ModelSource(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// For tests and small programs: throws std::runtime_error with all diagnostics if the text is not a model.
Model read_model_text(std::string_view text);

}  // namespace vinculum
