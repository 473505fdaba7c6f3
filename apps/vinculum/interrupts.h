// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>

namespace vinculum::app {

// From here on Ctrl-C and SIGTERM are a wish that is_interrupted() reports, for the computation to end in order; a second one
// kills. Whoever asks too rarely (a linear program, a search that takes long) or not at all (it waits for standard input) is
// ended after about 0.8 s of computing or waiting (0.9 s by the clock on the wall where others compute too), with a message and
// exit code 1: what was written before is good, as after a power cut.
void catch_interrupts();
bool is_interrupted();

// The computation is over, and only its results are left to be written: that may take longer.
void end_computing();

// Whether the message of an interrupted computation is a JSON document on standard output as well.
void answer_interrupts_as(bool json);

// While it lives, computations of this thread are interrupted at that time as well.
class Deadline {
 public:
  explicit Deadline(std::optional<std::chrono::steady_clock::time_point> end);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
};
bool has_passed_deadline();

// While it lives, computations of this thread belong to another program: it has the signals, and is asked whether to stop.
class AskedElsewhere {
 public:
  explicit AskedElsewhere(std::function<bool()> wants_to_stop);
  ~AskedElsewhere();
  AskedElsewhere(const AskedElsewhere&) = delete;
  AskedElsewhere& operator=(const AskedElsewhere&) = delete;
};

}  // namespace vinculum::app
