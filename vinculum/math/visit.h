// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <variant>

#include "vinculum/math/scalar.h"

namespace vinculum {

// An overload for each kind of a variant: std::visit(Overloaded{[](const Point&) {..}, [](const Wheel&) {..}}, shape). With a
// new kind this does not compile, so the compiler names every place that distinguishes kinds.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// std::visit as code in place instead of by a table of functions: for kernels, which are compiled for other registers as a whole.
template <std::size_t first = 0, class Variant, class Function>
VINCULUM_INLINE decltype(auto) visit_in_place(Function&& function, Variant& variant) {
  if constexpr (first + 1 == std::variant_size_v<std::remove_const_t<Variant>>) {
    return function(*std::get_if<first>(&variant));
  } else {
    if (auto* const kind = std::get_if<first>(&variant)) return function(*kind);
    return visit_in_place<first + 1>(std::forward<Function>(function), variant);
  }
}

}  // namespace vinculum
