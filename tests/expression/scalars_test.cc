// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "formula.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate_kernel.h"
#include "vinculum/math/dual.h"
#include "vinculum/math/traced.h"

namespace vinculum {
namespace {

using formula::expression, formula::kX, formula::kY;

template <class S>
S on(const Expression& law, const S& x, const S& y) {
  const S q[] = {x, y};
  std::vector<S> scratch(law.steps().size());
  return evaluate_steps<S>(law, {.q = q}, scratch);
}

class OnEveryScalar : public ::testing::TestWithParam<const char*> {};

TEST_P(OnEveryScalar, ValuesAreThoseOfDouble) {
  const Expression law = expression(GetParam()), by_x = differentiate(law, kX), by_y = differentiate(law, kY);
  const double x = 0.7, y = 1.9, value = on(law, x, y);

  const double ys[] = {0.3, 0.8, y, 40};
  EXPECT_EQ(on(law, Pack<4>(x), Pack<4>::load(ys))[2], value);
  EXPECT_EQ(on(law, Pack<4>(x), Pack<4>::load(ys))[3], on(law, x, 40.0));

  using Dual2 = Dual<double, Pack<2>>;
  Dual2 dual_x(x), dual_y(y);
  dual_x.derivatives.lanes[0] = dual_y.derivatives.lanes[1] = 1;
  const Dual2 dual = on(law, dual_x, dual_y);
  EXPECT_EQ(dual.value, value);
  EXPECT_NEAR(dual.derivatives[0], on(by_x, x, y), 1e-14 * std::max(1.0, std::abs(dual.derivatives[0])));
  EXPECT_NEAR(dual.derivatives[1], on(by_y, x, y), 1e-14 * std::max(1.0, std::abs(dual.derivatives[1])));

  TraceScope scope;
  const Traced in_x = scope.input(), in_y = scope.input(), traced = on(law, in_x, in_y);
  const Tape tape = scope.tape_of({&traced, 1});
  const double in[] = {x, y};
  double out;
  std::vector<double> values(tape.steps.size());
  evaluate(tape, in, &out, values.data());
  EXPECT_EQ(out, value);
}

INSTANTIATE_TEST_SUITE_P(Laws, OnEveryScalar,
                         ::testing::Values("x + 2*y - 3", "x*y/(x - y)", "-x^3 + y^-2", "sin(x)*cos(y) + tan(x*y)", "sqrt(x + y)",
                                           "exp(-x)*log(y)", "abs(x - y)*x", "y^0.5 + x^y", "tanh(x*y - 1)",
                                           "min(x, y)*max(x*x, y)", "floor(3*y)*x + y", "if(x < y, x*y, log(y))",
                                           "if(x >= y, x, y^2)/(1 + x)", "asin(x/90)*acos(-y/90)",
                                           "atan(x*y)/x + atan2(x - y, -y)"));

}  // namespace
}  // namespace vinculum
