// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace vinculum {

// Memory in which every pack may stand, zero at first.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t size) : bytes_(static_cast<std::byte*>(::operator new(size, kAlignment))) {
    std::fill_n(bytes_.get(), size, std::byte{0});
  }
  std::byte* data() { return bytes_.get(); }
  double* numbers() { return reinterpret_cast<double*>(bytes_.get()); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Delete {
    void operator()(std::byte* bytes) const { ::operator delete(bytes, kAlignment); }
  };
  std::unique_ptr<std::byte, Delete> bytes_;
};

}  // namespace vinculum
