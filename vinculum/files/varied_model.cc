// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/varied_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "vinculum/model/change_start.h"

namespace vinculum {

namespace {

// A bare number, as the reader takes one.
std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = problem == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

}  // namespace

// True, and done, if the model differs from the last one in initial values alone. Whatever is told of a start (a quaternion that
// is none) is left to the whole way.
bool VariedModel::change_start_only(const ReadOptions& options) {
  if (!told_.empty() || options.written != options_.written || options.folder != options_.folder ||
      options.overrides.size() != options_.overrides.size())
    return false;
  std::vector<InitialValue> initial = model_->description().initial;
  for (size_t i = 0; i < options.overrides.size(); ++i) {
    const Override &before = options_.overrides[i], &now = options.overrides[i];
    if (now.name != before.name) return false;
    if (now.value == before.value) continue;
    // What the command line says of a start comes last, without a place.
    const auto entry = std::find_if(initial.begin(), initial.end(),
                                    [&](const InitialValue& value) { return value.name == now.name && value.place.line == 0; });
    const auto number = number_in(now.value);
    if (entry == initial.end() || !number) return false;
    entry->value = *number;
  }
  // In place, unless somebody keeps the last one.
  if (model_.use_count() > 1) model_ = std::make_shared<Model>(*model_);
  Diagnostics diagnostics;
  change_start(*model_, std::move(initial), diagnostics);
  return diagnostics.list().empty();
}

std::shared_ptr<const Model> VariedModel::build(Diagnostics& diagnostics, const ReadOptions& options) {
  const auto same = [](const Override& a, const Override& b) { return a.name == b.name && a.value == b.value; };
  const bool unchanged = model_ && options.written == options_.written && options.folder == options_.folder &&
                         std::ranges::equal(options.overrides, options_.overrides, same);
  if (!unchanged && !(model_ && change_start_only(options))) {
    Diagnostics found(diagnostics.file());
    auto model = source_.build(found, options);
    model_ = model ? std::make_shared<Model>(std::move(*model)) : nullptr;
    told_ = found.list();
  }
  options_ = options;
  for (const Diagnostic& d : told_) {
    const auto tell = d.severity == Severity::error ? &Diagnostics::error : &Diagnostics::warning;
    (diagnostics.*tell)(d.code, d.place, d.element, d.message, d.hint);
  }
  return model_;
}

}  // namespace vinculum
