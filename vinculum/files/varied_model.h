// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "vinculum/files/read_model.h"

namespace vinculum {

// A model that is asked for again and again, with other overrides each time: the points of a study. What they leave as it was is
// kept: the whole model where nothing has changed, all but the start where only initial values have. For one thread.
class VariedModel {
 public:
  explicit VariedModel(const ModelSource& source) : source_(source) {}

  // The model and the diagnostics that ModelSource::build gives; none if there was an error.
  std::shared_ptr<const Model> build(Diagnostics& diagnostics, const ReadOptions& options);

 private:
  bool change_start_only(const ReadOptions& options);

  const ModelSource& source_;
  ReadOptions options_;  // of the model below,
  std::vector<Diagnostic> told_;
  std::shared_ptr<Model> model_;  // with its messages; null: none was built yet, or it could not be
};

}  // namespace vinculum
