// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by tests/verdict/words_test.cc from vinculum/verdict/words.cc.
export const kVerdictWords = ["holds", "violated", "not unique", "impossible", "not checked"] as const;
export type Holds = (typeof kVerdictWords)[number];
// The gravest first.
export const kByGravity: readonly Holds[] = ["impossible", "violated", "not unique", "not checked", "holds"];
export const kEventKinds = ["event", "lift-off", "touch-down", "slip", "stick", "reverse", "engage", "slack", "taut", "stop", "release", "limit", "speed-limit", "effort-limit", "face", "rest", "breakaway", "pull", "jam", "requirement", "singular", "accumulation"] as const;
