// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

// The value on any scalar, with scratch of its own.
template <class S>
S evaluate_at(const Expression& law, const BindingsOf<S>& bindings) {
  if (law.is_constant()) return lift<S>(law.constant_value());
  constexpr size_t kUsual = 64;  // longer laws take their scratch from the heap
  if (law.steps().size() <= kUsual) {
    std::array<S, kUsual> scratch;
    return evaluate_steps<S>(law, bindings, scratch);
  }
  std::vector<S> scratch(law.steps().size());
  return evaluate_steps<S>(law, bindings, scratch);
}

}  // namespace vinculum
