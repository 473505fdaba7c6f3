// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "vinculum/study/store.h"

namespace vinculum {

// Threads that compute points. Each takes from its own end of its own queue. A thread without points takes
// half of the longest other queue (work stealing), so that slow points in one region leave no thread idle.
class Crew {
 public:
  // Makes what one thread works with, in that thread.
  using Worker = std::function<std::vector<TimedRow>(std::span<const long> points)>;
  using MakeWorker = std::function<Worker()>;

  // Each thread takes up to `together` points at once.
  Crew(int threads, int together, const MakeWorker& make_worker);
  ~Crew() { end(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }
  int together() const { return together_; }
  // No further points are begun; those in work are finished and can be taken.
  void end();
  void add(const std::vector<long>& points);
  // Completed points, after waiting for some; empty if none came in that time.
  std::vector<TimedRow> take(std::chrono::milliseconds patience);
  // Points that are not completed yet, or not collected.
  long pending() const;
  // Points that nobody has begun.
  long waiting() const;

 private:
  struct Queue {
    std::mutex mutex;
    std::deque<long> points;
  };
  void work(int own, const MakeWorker& make_worker);
  std::vector<long> next(int own);

  static constexpr size_t kMostReady = 20'000;  // then the threads wait until somebody takes them
  const int together_;
  std::vector<std::unique_ptr<Queue>> queues_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable added_, ready_came_, taken_;
  std::vector<TimedRow> ready_;
  long pending_ = 0;
  long unbegun_ = 0;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace vinculum
