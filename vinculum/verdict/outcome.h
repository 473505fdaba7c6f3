// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace vinculum {

// What sort of trouble a failure is: what a caller, a script or an exit code decides by. A column of the catalogue.
enum class FailureKind {
  usage,            // the call or the command line is wrong
  model,            // the model is wrong
  unsupported,      // the question or the model is beyond this computation
  no_solution,      // the equations have no solution, or none was found
  not_unique,       // they have several
  singular,         // they are singular, or so near to it that round-off decides
  off_constraints,  // a state or a motion violates the constraints
  step_limit,       // steps became too small or too many
  not_finite,       // a value is undefined, infinite or beyond double precision
  interrupted,      // stopped by the user or by a time limit
  file,             // a file cannot be read or written, or is damaged
  internal,         // a defect of the program
};

// The few causes to which a computation reacts: it takes another path, or gives a verdict in place of a failure.
enum class FailureCause {
  other,
  contact_friction,  // friction and the normal reactions it depends on have no solution together, or several
  load_sharing,      // friction depends on reactions that redundant supports leave undetermined
  jammed_guides,     // no choice of loaded faces carries the load
  dependent_rows,    // constraint equations depend on each other
  undecided_rank,    // zero and nonzero cannot be distinguished
};

// Why a computation has no answer, or none to be trusted.
struct Failure {
  std::string_view code;  // from the catalogue: "VN-RUN-002"
  std::string message;    // one sentence: what, where, with which values
  std::string hint;       // what a user can do; may be empty

  // Looked up by code. Code that decides by a failure asks these, never the code.
  FailureKind kind() const;
  FailureCause cause() const;
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
