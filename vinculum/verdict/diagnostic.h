// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vinculum {

// Where something stands in a model file: counted from 1, 0 = not from a file.
struct Place {
  int line = 0;
  int column = 0;
};

// A value together with the place it was written at, so that a rule broken much later can still point at it.
template <class T>
struct Located {
  T value{};
  Place place{};

  Located() = default;
  Located(T v) : value(std::move(v)) {}  // NOLINT: a value built in C++ has no place
  Located(T v, Place p) : value(std::move(v)), place(p) {}

  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
};

enum class Severity { error, warning };

// What is the matter with an input: where, which rule, which values, and what to do about it.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string_view code;  // from the catalogue: "VN-MODEL-021"
  std::string message;    // one sentence with the values, without a full stop
  std::string file;
  Place place;
  std::string element;  // the name of what is wrong: "body 'boom'"; empty if the file as a whole
  std::string hint;     // empty if there is none
};

// All diagnostics of one input, collected so that they can be reported together.
class Diagnostics {
 public:
  explicit Diagnostics(std::string file = {}) : file_(std::move(file)) {}

  void error(std::string_view code, Place place, std::string element, std::string message, std::string hint = {});
  void warning(std::string_view code, Place place, std::string element, std::string message, std::string hint = {});

  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }
  const std::string& file() const { return file_; }
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  void add(Severity severity, std::string_view code, Place place, std::string element, std::string message, std::string hint);

  std::string file_;
  std::vector<Diagnostic> list_;
  int errors_ = 0;
};

// file:line:column: error: element: message [CODE], then a line `  hint: ..` where there is one.
std::string to_text(const Diagnostic& diagnostic);

// The name most like `unknown` among `known`, or empty if none is near enough to be meant.
std::string nearest_name(std::string_view unknown, const std::vector<std::string>& known);

}  // namespace vinculum
