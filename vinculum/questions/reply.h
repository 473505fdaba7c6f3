// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/files/json_text.h"
#include "vinculum/verdict/diagnostic.h"
#include "vinculum/verdict/outcome.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// How a question ended (contract, section 3): the exit codes of the program.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kInvalidModel = 3;
int exit_code_of(FailureKind kind);

// The answer to one question as it grows: a document for programs or lines for people, and warnings.
// Derived classes decide what happens meanwhile: the program prints, a study only takes the document.
class Reply {
 public:
  virtual ~Reply() = default;
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;

  bool as_json() const { return as_json_; }
  Json& json() { return json_; }
  const std::vector<Diagnostic>& told() const { return told_; }

  // A line for people; dropped where the answer is a document.
  void say(const std::string& text);

  void tell(const Diagnostics& diagnostics);
  int fail(const Failure& failure);  // reported; the exit code of its kind
  int refuse_usage(const std::string& message, const std::string& hint = {});
  int refuse_usage(const Failure& failure);  // exit code 2, whatever its kind
  // Closes the answer, if all its numbers are numbers. Else it is refused as a whole, and the first quantity that is none is
  // named.
  int finish(int ending);

  // Asked by long computations; true: leave without an answer.
  virtual bool wants_to_stop() const { return false; }
  AskStop stop() const {
    return [this] { return wants_to_stop(); };
  }
  // From here on a computation may take long; from there on only its results are left to be written.
  virtual void begin_computing() {}
  virtual void end_computing() {}
  // How far a run from `start` to `end` is [s], and that it is over.
  virtual void show_progress(double /*start*/, double /*end*/, double /*t*/) {}
  virtual void hide_progress() {}
  // The text of a file; none if it cannot be read.
  virtual std::optional<std::string> read_text(const std::string& path);

 protected:
  explicit Reply(bool as_json) : as_json_(as_json) {}

  virtual void hear(const Diagnostic&) {}    // as soon as it is reported
  virtual void close(const std::string&) {}  // with all lines

 private:
  bool as_json_;
  std::string text_;
  Json json_ = Json::object();
  std::vector<Diagnostic> told_;
};

}  // namespace vinculum
