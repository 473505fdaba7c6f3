// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include "tests/support/read_case.h"
#include "vinculum/files/read_model.h"
#include "vinculum/symbolic/print.h"

namespace vinculum {
namespace {

// The first place where brackets, \left and \right, or environments do not match; empty if all do. An index, a sign that TeX
// takes as a command, or a name of several letters outside its braces would be seen as well.
std::string find_unbalanced(const std::string& text) {
  std::vector<std::string> open;
  const auto close = [&](const std::string& what) {
    const bool matches = !open.empty() && open.back() == what;
    if (matches) open.pop_back();
    return matches;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string rest = text.substr(i, 40);
    bool good = true;
    if (text[i] == '%') {
      i = text.find('\n', i);
    } else if (rest.starts_with("\\_") || rest.starts_with("\\,") || rest.starts_with("\\\\") || rest.starts_with("\\ ")) {
      ++i;
    } else if (rest.starts_with("\\begin{align*}")) {
      open.emplace_back("align");
      i += 13;
    } else if (rest.starts_with("\\end{align*}")) {
      good = close("align");
      i += 11;
    } else if (rest.starts_with("\\left(") || rest.starts_with("\\left|")) {
      open.emplace_back("left");
      i += 5;
    } else if (rest.starts_with("\\right)") || rest.starts_with("\\right|")) {
      good = close("left");
      i += 6;
    } else if (text[i] == '{') {
      open.emplace_back("brace");
    } else if (text[i] == '}') {
      good = close("brace");
    } else if (text[i] == '_' || text[i] == '^') {
      good = i + 1 < text.size() && text[i + 1] == '{';
    } else if (text[i] == '(' || text[i] == ')' || text[i] == '#' || text[i] == '$' || text[i] == '\'' || text[i] == '*') {
      good = false;
    }
    if (!good) return text.substr(i > 30 ? i - 30 : 0, 60);
  }
  return open.empty() ? "" : "open at the end: " + open.back();
}

TEST(Latex, NamesAndFormulas) {
  EXPECT_EQ(name_to_latex("m"), "m");
  EXPECT_EQ(name_to_latex("phi1''"), "\\ddot{\\phi}_{1}");
  EXPECT_EQ(name_to_latex("J_r12"), "J_{r12}");
  EXPECT_EQ(name_to_latex("upper_arm'"), "\\dot{\\mathrm{upper}}_{arm}");
  EXPECT_EQ(name_to_latex("hull.qw"), "\\mathrm{hull}_{qw}");
  EXPECT_EQ(name_to_latex("a_long_name"), "a_{\\mathrm{long\\_name}}");

  Expression::Builder builder;
  const int x = builder.parameter("x", 3), two = builder.constant(2);
  const int sum = builder.binary(Operation::add, x, two);
  const auto latex = [&](int handle) { return to_latex(builder.build(handle)); };
  EXPECT_EQ(latex(builder.binary(Operation::multiply, sum, x)), "\\left(x + 2\\right) \\, x");
  EXPECT_EQ(latex(builder.binary(Operation::divide, sum, x)), "\\frac{x + 2}{x}");
  EXPECT_EQ(latex(builder.binary(Operation::power, builder.unary(Operation::sin, x), two)), "\\sin^{2}\\left(x\\right)");
  EXPECT_EQ(latex(builder.binary(Operation::power, sum, two)), "\\left(x + 2\\right)^{2}");
  EXPECT_EQ(latex(builder.binary(Operation::subtract, x, builder.binary(Operation::subtract, x, sum))),
            "x - \\left(x - \\left(x + 2\\right)\\right)");
  EXPECT_EQ(latex(builder.binary(Operation::max, sum, two)), "\\max\\left(x + 2, 2\\right)");
  EXPECT_EQ(latex(builder.unary(Operation::tanh, x)), "\\tanh\\left(x\\right)");
  EXPECT_EQ(latex(builder.binary(Operation::atan2, sum, x)), "\\operatorname{atan2}\\left(x + 2, x\\right)");
  EXPECT_EQ(latex(builder.binary(Operation::atan2, sum, builder.constant(1))), "\\arctan\\left(x + 2\\right)");
  EXPECT_EQ(latex(builder.unary(Operation::floor, sum)), "\\left\\lfloor x + 2\\right\\rfloor");
  EXPECT_EQ(latex(builder.choose(builder.binary(Operation::subtract, two, x), x, sum)),
            "\\begin{cases}x & x < 2 \\\\ x + 2 & \\text{otherwise}\\end{cases}");
  EXPECT_EQ(to_latex(Expression(2.5e-7)), "2.5 \\cdot 10^{-7}");
}

TEST(Latex, IsBalanced) {
  for (const char* text : {R"yaml(
vinculum: 1
name: chain
parameters: { m: 1.2, link_length: 0.5, k: 3 }
bodies:
  upper_arm: { joint: {type: revolute, axis: y}, mass: m, com: [0, 0, -link_length/2], inertia: 0.1 }
  b2: { parent: upper_arm, joint: {type: revolute, axis: y, origin: [0, 0, -link_length]}, mass: m, com: [0.1, 0, -0.2], inertia: 0.1 }
forces: { spring: { joint: b2, law: "-k*b2^3 - abs(b2')*b2'/(1 + sqrt(1 + t^2))" } }
)yaml",
                           R"yaml(
vinculum: 1
parameters: { k: 20, rest: 0.3 }
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 0.1 }
  top: { parent: cart, joint: spherical, mass: 0.123456789, com: [0, 0, 0.3], inertia: [1e-7, 1e-7, 1e-8] }
motions: { cart: "0.2*sin(3*t)" }
forces: { rope: { between: [world, [0, 0, 1]], and: [top, [0, 0, 0.3]], stiffness: k, length: rest } }
)yaml"}) {
    const Model model = read_model_text(text);
    const auto equations = derive_equations(model);
    ASSERT_TRUE(equations) << equations.failure().message;
    const std::string latex = to_latex(model, *equations);
    EXPECT_EQ(find_unbalanced(latex), "") << latex;
    EXPECT_NE(latex.find("\\ddot{"), std::string::npos);
  }
  EXPECT_NE(find_unbalanced("\\left(x"), "");
  EXPECT_NE(find_unbalanced("a_bc"), "");
}

// Names with one symbol are told apart: the first keeps it, the others are written out.
TEST(Latex, NamesThatCollideAreToldApart) {
  LatexNames names;
  for (const char* name : {"l1", "l_1", "l.1", "g", "g_", "phi1", "phi_1", "m_d2"}) names.add(name);
  EXPECT_EQ(names.write("l1"), "l_{1}");
  EXPECT_EQ(names.write("l_1"), "\\mathrm{l\\_1}");
  EXPECT_EQ(names.write("l.1"), "\\mathrm{l.1}");
  EXPECT_EQ(names.write("g"), "g");
  EXPECT_EQ(names.write("g_"), "\\mathrm{g\\_}");
  EXPECT_EQ(names.write("phi1''"), "\\ddot{\\phi}_{1}");
  EXPECT_EQ(names.write("phi_1''"), "\\ddot{\\mathrm{phi\\_1}}");
  EXPECT_EQ(names.write("m_d2"), "m_{d2}");
}

// In the equations of whole models no two names have one symbol.
TEST(Latex, ModelsWithNamesThatCollide) {
  for (const char* file : {"gg2", "tauc", "lc"}) {
    const Model model = testing::read_case("paper/" + std::string(file) + ".yaml");
    const auto equations = derive_equations(model);
    ASSERT_TRUE(equations) << equations.failure().message;
    const std::string text = to_latex(model, *equations);
    EXPECT_EQ(find_unbalanced(text), "") << text;
    // Every definition has another left side.
    std::set<std::string> defined;
    for (size_t at = text.find("&= "); at != std::string::npos; at = text.find("&= ", at + 1)) {
      const size_t begin = text.rfind("\n  ", at);
      EXPECT_TRUE(defined.insert(text.substr(begin + 3, at - begin - 3)).second) << text;
    }
    EXPECT_GE(defined.size(), 3u) << text;
    EXPECT_NE(text.find("\\mathrm{"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace vinculum
