// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vinculum/verdict/occurrence.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

// The words that other programs read, each of them written once. The page takes them from studio/src/words.ts, which a test
// compares with these.

// lift-off | touch-down | slip | ..; an event of the model file is an "event"
std::string_view to_text(EventKind kind);
std::optional<EventKind> find_event_kind(std::string_view word);

// contact | joint-limit | ..
std::string_view to_text(ElementKind kind);
std::optional<ElementKind> find_element_kind(std::string_view word);

// Events of this kind are named by the kind alone, without their subject.
bool is_named_by_kind(EventKind kind);

// holds | violated | not unique | impossible | not checked
std::string_view to_text(Holds verdict);
// The same read, also with `-` or `_` for the blank; none: no such word.
std::optional<Holds> find_verdict_word(std::string_view word);

// The gravest first: impossible, violated, not unique, not checked, holds.
std::span<const Holds> verdicts_by_gravity();

}  // namespace vinculum
