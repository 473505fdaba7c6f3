// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/crew.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vinculum {

Crew::Crew(int threads, int together, const MakeWorker& make_worker) : together_(together) {
  for (int i = 0; i < threads; ++i) queues_.push_back(std::make_unique<Queue>());
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this, i, make_worker] { work(i, make_worker); });
}

void Crew::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  added_.notify_all();
  taken_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

// Neighbours stay together: points near each other tend to cost the same.
void Crew::add(const std::vector<long>& points) {
  const size_t count = queues_.size();
  for (size_t i = 0; i < count; ++i) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(points.size() * i / count);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>(points.size() * (i + 1) / count);
    const std::lock_guard lock(queues_[i]->mutex);
    queues_[i]->points.insert(queues_[i]->points.end(), begin, end);
  }
  {
    const std::lock_guard lock(mutex_);
    pending_ += static_cast<long>(points.size());
    unbegun_ += static_cast<long>(points.size());
  }
  added_.notify_all();
}

std::vector<long> Crew::next(int own) {
  const auto pop = [&](Queue& queue) {
    const std::lock_guard lock(queue.mutex);
    const auto count = std::min(static_cast<std::ptrdiff_t>(queue.points.size()), static_cast<std::ptrdiff_t>(together_));
    std::vector<long> points(queue.points.begin(), queue.points.begin() + count);
    queue.points.erase(queue.points.begin(), queue.points.begin() + count);
    return points;
  };
  Queue& mine = *queues_[static_cast<size_t>(own)];
  if (auto points = pop(mine); !points.empty()) return points;
  Queue* richest = nullptr;
  size_t most = 0;
  for (const auto& queue : queues_) {
    const std::lock_guard lock(queue->mutex);
    if (queue->points.size() > most) {
      most = queue->points.size();
      richest = queue.get();
    }
  }
  if (richest == nullptr) return {};
  std::vector<long> stolen;
  {
    const std::lock_guard lock(richest->mutex);
    const auto half = static_cast<std::ptrdiff_t>((richest->points.size() + 1) / 2);
    stolen.assign(richest->points.end() - half, richest->points.end());
    richest->points.erase(richest->points.end() - half, richest->points.end());
  }
  {
    const std::lock_guard lock(mine.mutex);
    mine.points.insert(mine.points.end(), stolen.begin(), stolen.end());
  }
  return pop(mine);
}

void Crew::work(int own, const MakeWorker& make_worker) {
  const Worker worker = make_worker();
  while (true) {
    {
      std::unique_lock lock(mutex_);
      added_.wait(lock, [&] { return ended_ || unbegun_ > 0; });
      if (ended_) return;
    }
    const std::vector<long> points = next(own);
    if (points.empty()) {  // somebody else was faster
      std::this_thread::yield();
      continue;
    }
    {
      const std::lock_guard lock(mutex_);
      unbegun_ -= static_cast<long>(points.size());
    }
    std::vector<TimedRow> rows = worker(points);
    std::unique_lock lock(mutex_);
    taken_.wait(lock, [&] { return ended_ || ready_.size() < kMostReady; });
    const bool was_empty = ready_.empty();
    std::ranges::move(rows, std::back_inserter(ready_));
    if (was_empty) ready_came_.notify_one();
  }
}

std::vector<TimedRow> Crew::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  ready_came_.wait_for(lock, patience, [&] { return !ready_.empty(); });
  std::vector<TimedRow> rows = std::exchange(ready_, {});
  pending_ -= static_cast<long>(rows.size());
  lock.unlock();
  taken_.notify_all();
  return rows;
}

long Crew::pending() const {
  const std::lock_guard lock(mutex_);
  return pending_;
}

long Crew::waiting() const {
  const std::lock_guard lock(mutex_);
  return unbegun_;
}

}  // namespace vinculum
