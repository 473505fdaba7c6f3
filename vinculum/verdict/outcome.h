// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace vinculum {

// Why a computation has no answer, or none to be trusted.
struct Failure {
  std::string_view code;  // from the catalogue: "VN-RUN-002"
  std::string message;    // one sentence: what, where, with which values
  std::string hint;       // what a user can do; may be empty
};

// The result of a computation that may have no answer: the value, or the reason there is none.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : content_(std::move(value)) {}            // NOLINT: `return value;` is the point
  Outcome(Failure failure) : content_(std::move(failure)) {}  // NOLINT

  explicit operator bool() const { return std::holds_alternative<T>(content_); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Failure& failure() const {
    assert(!*this);
    return std::get<Failure>(content_);
  }

 private:
  T& value() {
    assert(*this);
    return std::get<T>(content_);
  }
  const T& value() const {
    assert(*this);
    return std::get<T>(content_);
  }

  std::variant<T, Failure> content_;
};

}  // namespace vinculum
