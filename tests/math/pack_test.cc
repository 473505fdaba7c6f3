// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "scalar_operations.h"
#include "tests/support/random_tree.h"
#include "vinculum/kernels/instruction_set.h"

namespace vinculum::testing {
namespace {

// One way to compute in packs: how many lanes, and by which file.
struct Width {
  const char* name;
  int lanes;
  void (*operations)(const double* a, const double* b, const double* c, double* results);
  bool (*available)();

  friend void PrintTo(const Width& width, std::ostream* out) { *out << width.name; }
};

class Packs : public ::testing::TestWithParam<Width> {
 protected:
  void SetUp() override {
    if (!GetParam().available()) GTEST_SKIP() << "not on this machine";
  }
};

std::vector<Width> widths() {
  const auto always = [] { return true; };
  std::vector<Width> list{{"Two", 2, apply_operations_in_packs<2>, always},
                          {"Four", 4, apply_operations_in_packs<4>, always},
                          {"Eight", 8, apply_operations_in_packs<8>, always}};
#ifdef __x86_64__
  list.push_back({"FourWithAvx2", 4, apply_operations_with_avx2, [] { return find_instruction_set() >= InstructionSet::avx2; }});
  list.push_back(
      {"EightWithAvx512", 8, apply_operations_with_avx512, [] { return find_instruction_set() >= InstructionSet::avx512; }});
#endif
  return list;
}

INSTANTIATE_TEST_SUITE_P(Widths, Packs, ::testing::ValuesIn(widths()), [](const auto& test) { return test.param.name; });

// The sign and payload of a NaN are the machine's own affair.
bool same_bits(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

void expect_operations(const Width& width, const double* a, const double* b, const double* c) {
  std::vector<double> results(kOperations * width.lanes);
  width.operations(a, b, c, results.data());
  for (int lane = 0; lane < width.lanes; ++lane) {
    double expected[kOperations];
    apply_operations(a[lane], b[lane], c[lane], expected);
    for (int i = 0; i < kOperations; ++i) {
      const double result = results[i * width.lanes + lane];
      ASSERT_TRUE(same_bits(result, expected[i])) << "operation " << i << " of " << a[lane] << ", " << b[lane] << ", " << c[lane]
                                                  << " in lane " << lane << ": " << result << " is not " << expected[i];
    }
  }
}

TEST_P(Packs, EveryLaneIsADouble) {
  Random random(11);
  for (int round = 0; round < 2000; ++round) {
    double numbers[3][8];
    for (auto& row : numbers) {
      for (double& x : row) x = random.symmetric() * std::ldexp(1.0, random.below(40) - 20);
    }
    expect_operations(GetParam(), numbers[0], numbers[1], numbers[2]);
  }
}

// All triples of these, neighbours in the lanes being different cases: one lane's trouble is not another's.
TEST_P(Packs, SpecialValues) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double special[] = {0.0,    -0.0,   1.0,     -1.0,   0.5,    -2.5,      3e8,        -4e9,        1e300,
                            -1e300, 5e-324, -1e-310, 1e-160, M_PI_2, kInfinity, -kInfinity, std::nan("")};
  std::vector<double> a, b, c;
  for (double x : special) {
    for (double y : special) {
      for (double z : special) a.push_back(z), b.push_back(y), c.push_back(x);
    }
  }
  for (size_t i = 0; i + GetParam().lanes <= a.size(); i += GetParam().lanes) expect_operations(GetParam(), &a[i], &b[i], &c[i]);
}

TEST(Mask, AllAnyAndTheirCombinations) {
  const double numbers[] = {1, 2, 3, 4};
  const Pack<4> x = Pack<4>::load(numbers);
  EXPECT_TRUE(all(x > Pack<4>(0.5)));
  EXPECT_FALSE(all(x > Pack<4>(1)));
  EXPECT_TRUE(any(x >= Pack<4>(4)));
  EXPECT_FALSE(any(x > Pack<4>(4)));
  EXPECT_TRUE(all((x < Pack<4>(2)) | !(x < Pack<4>(2))));
  EXPECT_FALSE(any((x < Pack<4>(2)) & (x == Pack<4>(2))));
}

}  // namespace
}  // namespace vinculum::testing
