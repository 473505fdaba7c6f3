// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/checksum.h"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

// The test vectors of FNV-1a, 64 bits, in draft-eastlake-fnv.
TEST(Checksum, KnownValues) {
  EXPECT_EQ(checksum_of(""), "cbf29ce484222325");
  EXPECT_EQ(checksum_of("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(checksum_of("foobar"), "85944171f73967e8");
}

TEST(Checksum, PieceByPiece) {
  Checksum sum;
  for (const char* piece : {"fo", "", "oba", "r"}) sum.add(piece);
  EXPECT_EQ(sum.text(), checksum_of("foobar"));
}

}  // namespace
}  // namespace vinculum
