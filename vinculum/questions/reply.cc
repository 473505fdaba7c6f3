// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/reply.h"

#include "vinculum/dynamics/failures.h"
#include "vinculum/formats/safe_file.h"

namespace vinculum {

namespace {

// Values in a sentence that are no numbers, as words.
std::string without_non_numbers(std::string text) {
  for (const char* token : {"-nan", "nan", "-inf", "inf"}) {
    const std::string word = token;
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += 1) {
      const size_t end = at + word.size();
      const bool begins = at > 0 && (text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '[');
      const bool ends = end == text.size() || std::string(" ,;:)]").find(text[end]) != std::string::npos;
      if (begins && ends) text.replace(at, word.size(), "(no finite number)");
    }
  }
  return text;
}

}  // namespace

int exit_code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::usage: return kWrongUsage;
    case FailureKind::model: return kInvalidModel;
    default: return kFailed;
  }
}

void Reply::say(const std::string& text) {
  if (!as_json_) text_ += text + "\n";
}

void Reply::tell(const Diagnostics& diagnostics) {
  for (Diagnostic diagnostic : diagnostics.list()) {
    diagnostic.message = without_non_numbers(diagnostic.message);
    hear(diagnostic);
    told_.push_back(std::move(diagnostic));
  }
}

int Reply::fail(const Failure& failure) {
  Diagnostics diagnostics;
  diagnostics.error(failure.code, {}, "", failure.message, failure.hint);
  tell(diagnostics);
  return finish(exit_code_of(failure.kind()));
}

int Reply::refuse_usage(const std::string& message, const std::string& hint) {
  return refuse_usage(Failure{"VN-USAGE-001", message, hint});
}

int Reply::refuse_usage(const Failure& failure) {
  Diagnostics diagnostics;
  diagnostics.error(failure.code, {}, "", failure.message, failure.hint);
  tell(diagnostics);
  return finish(kWrongUsage);
}

int Reply::finish(int ending) {
  end_computing();
  if (const auto quantity = find_non_finite(json_)) {
    json_ = Json::object();
    text_.clear();
    const Failure refusal = beyond_all_numbers(*quantity);
    Diagnostics diagnostics;
    diagnostics.error(refusal.code, {}, "", refusal.message, refusal.hint);
    tell(diagnostics);
    if (ending == kDone) ending = kFailed;
  }
  close(text_);
  text_.clear();
  return ending;
}

std::optional<std::string> Reply::read_text(const std::string& path) { return read_whole_file(path); }

}  // namespace vinculum
