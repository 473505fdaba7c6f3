// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace vinculum {

using MatrixMap = Eigen::Map<Eigen::MatrixXd>;
using VectorMap = Eigen::Map<Eigen::VectorXd>;

// Memory for intermediate results: what is taken while a `Frame` lives is given back at its end, in the order of a stack. It
// grows while a computation is new; the same computation asks the heap for nothing from the second time on. Numbers are not
// initialised. One for each thread; a copy starts empty.
//
// Every piece is aligned to a cache line, so that vectorised sums have the same order, and the same bits, wherever it lies.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) {}
  Scratch& operator=(const Scratch&) { return *this; }

  class Frame {
   public:
    explicit Frame(Scratch& scratch) : scratch_(scratch), block_(scratch.block_), used_(scratch.used_) {}
    ~Frame() { scratch_.block_ = block_, scratch_.used_ = used_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    Scratch& scratch_;
    std::size_t block_, used_;
  };

  MatrixMap matrix(Eigen::Index rows, Eigen::Index columns) {
    return {take<double>(static_cast<std::size_t>(rows * columns)), rows, columns};
  }
  VectorMap vector(Eigen::Index size) { return {take<double>(static_cast<std::size_t>(size)), size}; }
  std::span<int> integers(std::size_t count) { return {take<int>(count), count}; }
  std::span<double> numbers(std::size_t count) { return {take<double>(count), count}; }

 private:
  static constexpr std::size_t kAlignment = 64, kSmallest = 16384;  // bytes
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kAlignment}); }
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size = 0;
  };

  template <class Number>
  Number* take(std::size_t count) {
    const std::size_t size = (count * sizeof(Number) + kAlignment - 1) / kAlignment * kAlignment;
    while (block_ < blocks_.size() && used_ + size > blocks_[block_].size) ++block_, used_ = 0;
    if (block_ == blocks_.size()) {
      // Each block is twice the one before, so that a large computation soon has all of it in a few.
      const std::size_t wanted = std::max({size, kSmallest, blocks_.empty() ? 0 : 2 * blocks_.back().size});
      blocks_.push_back(
          {std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(::operator new (wanted, std::align_val_t{kAlignment}))),
           wanted});
    }
    std::byte* const place = blocks_[block_].memory.get() + used_;
    used_ += size;
    return reinterpret_cast<Number*>(place);
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0, used_ = 0;  // the next free byte
};

}  // namespace vinculum
