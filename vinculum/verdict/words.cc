// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/words.h"

#include <algorithm>
#include <string>

namespace vinculum {

namespace {

constexpr Holds kByGravity[] = {Holds::impossible, Holds::violated, Holds::not_unique, Holds::not_checked, Holds::holds};

template <class Kind>
std::optional<Kind> find_word(std::string_view word, int count) {
  for (int i = 0; i < count; ++i) {
    if (word == to_text(static_cast<Kind>(i))) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_text(EventKind kind) {
  switch (kind) {
    case EventKind::model_event: return "event";
    case EventKind::lift_off: return "lift-off";
    case EventKind::touch_down: return "touch-down";
    case EventKind::slip: return "slip";
    case EventKind::stick: return "stick";
    case EventKind::reverse: return "reverse";
    case EventKind::engage: return "engage";
    case EventKind::slack: return "slack";
    case EventKind::taut: return "taut";
    case EventKind::stop: return "stop";
    case EventKind::release: return "release";
    case EventKind::limit: return "limit";
    case EventKind::speed_limit: return "speed-limit";
    case EventKind::effort_limit: return "effort-limit";
    case EventKind::face: return "face";
    case EventKind::rest: return "rest";
    case EventKind::breakaway: return "breakaway";
    case EventKind::pull: return "pull";
    case EventKind::jam: return "jam";
    case EventKind::requirement: return "requirement";
    case EventKind::singular: return "singular";
    case EventKind::accumulation: break;
  }
  return "accumulation";
}

std::optional<EventKind> find_event_kind(std::string_view word) { return find_word<EventKind>(word, kEventKinds); }

std::string_view to_text(ElementKind kind) {
  switch (kind) {
    case ElementKind::model: return "model";
    case ElementKind::event: return "event";
    case ElementKind::contact: return "contact";
    case ElementKind::joint_limit: return "joint-limit";
    case ElementKind::string: return "string";
    case ElementKind::grip: return "grip";
    case ElementKind::guide_pair: return "guide-pair";
    case ElementKind::requirement: break;
  }
  return "requirement";
}

std::optional<ElementKind> find_element_kind(std::string_view word) { return find_word<ElementKind>(word, kElementKinds); }

bool is_named_by_kind(EventKind kind) {
  switch (kind) {
    case EventKind::face:
    case EventKind::rest:
    case EventKind::breakaway:
    case EventKind::singular: return true;
    default: return false;
  }
}

std::string Occurrence::name() const {
  if (kind == EventKind::model_event) return subject;
  std::string text(to_text(kind));
  return is_named_by_kind(kind) ? text : text + ":" + subject;
}

std::string_view to_text(Holds verdict) {
  switch (verdict) {
    case Holds::holds: return "holds";
    case Holds::violated: return "violated";
    case Holds::not_unique: return "not unique";
    case Holds::impossible: return "impossible";
    case Holds::not_checked: break;
  }
  return "not checked";
}

std::optional<Holds> find_verdict_word(std::string_view word) {
  std::string text(word);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  for (const Holds verdict : kByGravity) {
    if (text == to_text(verdict)) return verdict;
  }
  return std::nullopt;
}

std::span<const Holds> verdicts_by_gravity() { return kByGravity; }

}  // namespace vinculum
