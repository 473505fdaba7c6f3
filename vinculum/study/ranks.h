// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace vinculum {

// Processes that share a study: rank 0 hands out points and writes the store, the others ask. The program fills it with MPI.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Both return at once. Messages between two ranks arrive in order.
  virtual void send(int to, std::string bytes) = 0;
  struct Message {
    int from = 0;
    std::string bytes;
  };
  virtual std::optional<Message> receive() = 0;

  // Ends all ranks without waiting for them: for one that a signal has ended, as it may have ended the others.
  virtual void abandon(int exit_code) = 0;
};

}  // namespace vinculum
