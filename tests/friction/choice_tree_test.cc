// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/choice_tree.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace vinculum {
namespace {

std::vector<std::string> words_of(const ChoiceProblem& problem, const ModeChoice& choice) {
  std::vector<std::string> words;
  for (size_t i = 0; i < choice.chosen.size(); ++i) words.push_back(problem.items[i][choice.chosen[i]].word);
  return words;
}

// A uniform rod, m = L = 1, whose tip slides backward on the ground, tan θ = 2 (theory 5, section 8): rows normal, forward of the
// tip; G = 1 + 3cos², -3 sin cos, 1 + 3sin²; without contact the tip accelerates with -g + ω²/2 sin θ upward.
LocalRates painleve_rod(double omega) {
  const double c = 1 / std::sqrt(5.0), s = 2 / std::sqrt(5.0);
  LocalRates rates{Eigen::MatrixXd(2, 2), Eigen::VectorXd(2)};
  rates.G << 1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s;
  rates.r << -9.81 + omega * omega * s / 2, omega * omega * c / 2;
  return rates;
}

TEST(Choices, PainleveRodOnTheGround) {
  const auto solve = [](double friction, double omega) {
    const LocalRates rates = painleve_rod(omega);
    const ChoiceProblem problem{rates.r, {slides_or_parts(rates, 0, 1, friction, -1)}};
    std::vector<std::vector<std::string>> words;
    for (const ModeChoice& choice : enumerate_choices(problem).found) words.push_back(words_of(problem, choice));
    return words;
  };
  using Words = std::vector<std::vector<std::string>>;
  EXPECT_EQ(solve(1, 0), (Words{{"slides"}}));             // 1.6 N - 1.2 N = 9.81
  EXPECT_EQ(solve(1, 6), (Words{{"parts"}}));              // the swing lifts it
  EXPECT_EQ(solve(2, 6), (Words{{"slides"}, {"parts"}}));  // 1.6 - 2.4 < 0: the paradox, two
  EXPECT_EQ(solve(2, 0), Words{});                         // and none

  const LocalRates rates = painleve_rod(6);
  const auto slides = enumerate_choices({rates.r, {slides_or_parts(rates, 0, 1, 2, -1)}}).found.front();
  EXPECT_NEAR(slides.unknowns[0][0], 7.862111797498105, 1e-13);  // as in the slot, W4
}

// The same tip at rest: it sticks where it can, f ≥ |G_tn|/G_nn and loads allow it.
TEST(Choices, ContactAtRest) {
  const LocalRates rates = painleve_rod(0);
  const ChoiceProblem rough{rates.r, {sticks_slips_or_parts(rates, 0, 1, 1.0)}},
      slippery{rates.r, {sticks_slips_or_parts(rates, 0, 1, 0.3)}};
  const auto sticks = enumerate_choices(rough).found, slips = enumerate_choices(slippery).found;
  ASSERT_EQ(sticks.size(), 1u);
  EXPECT_EQ(words_of(rough, sticks[0])[0], "sticks");
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_EQ(words_of(slippery, slips[0])[0], "slips backward");
  // N (G_nn - f G_tn ..): friction forward, λ_t = f N: (1.6 - 1.2 f) N = 9.81.
  EXPECT_NEAR(slips[0].unknowns[0][0], 9.81 / (1.6 - 0.3 * 1.2), 1e-12);
}

// All kinds together against every choice solved by itself.
TEST(Choices, AgreeWithEveryChoiceSolvedByItself) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  int found = 0, several = 0, none = 0;
  for (int count = 0; count < 300; ++count) {
    const Eigen::Index n = 7;
    const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(n, n + 1, [&] { return normal(random); });
    const LocalRates rates{J * J.transpose(), Eigen::VectorXd::NullaryExpr(n, [&] { return 3 * normal(random); })};
    const double friction = std::vector{0.0, 0.3, 2.0}[count % 3];
    const ChoiceProblem problem{rates.r,
                                {two_sided(rates, 0), pushes_or_parts(rates, 1), sticks_slips_or_parts(rates, 2, 3, friction),
                                 sticks_or_slips(rates, 4, 0.5), slides_or_parts(rates, 5, 6, friction, 1)}};
    const Choices tree = enumerate_choices(problem);
    int plain = 0;
    std::vector<int> chosen(problem.items.size(), 0);
    for (;;) {
      Eigen::MatrixXd columns(n, n);
      Eigen::VectorXd right = problem.right, least(n), most(n);
      Eigen::Index at = 0;
      for (size_t i = 0; i < chosen.size(); ++i) {
        const Alternative& alternative = problem.items[i][chosen[i]];
        for (Eigen::Index k = 0; k < alternative.columns.cols(); ++k, ++at) {
          columns.col(at) = alternative.columns.col(k);
          least[at] = alternative.least[k], most[at] = alternative.most[k];
        }
        if (alternative.constant.size() > 0) right -= alternative.constant;
      }
      const Eigen::VectorXd x = columns.fullPivLu().solve(right);
      plain += (x.array() >= least.array() - 1e-10).all() && (x.array() <= most.array() + 1e-10).all() ? 1 : 0;
      size_t i = 0;
      while (i < chosen.size() && ++chosen[i] == static_cast<int>(problem.items[i].size())) chosen[i++] = 0;
      if (i == chosen.size()) break;
    }
    ASSERT_EQ(static_cast<int>(tree.found.size()), plain) << "problem " << count;
    // Every one of them meets its equations: rates - G multipliers = r.
    for (const ModeChoice& choice : tree.found) {
      Eigen::VectorXd rest = -problem.right;
      for (size_t i = 0; i < choice.chosen.size(); ++i) {
        const Alternative& alternative = problem.items[i][choice.chosen[i]];
        rest += alternative.columns * choice.unknowns[i];
        if (alternative.constant.size() > 0) rest += alternative.constant;
      }
      EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-9);
    }
    found += plain;
    several += plain > 1 ? 1 : 0;
    none += plain == 0 ? 1 : 0;
  }
  EXPECT_GT(found, 250);
  EXPECT_GT(several, 3);
  EXPECT_GT(none, 3);
}

// Two rows that say the same: any share of the load.
TEST(Choices, DependentRowsAreAFamily) {
  const LocalRates rates{Eigen::MatrixXd::Ones(2, 2), Eigen::VectorXd::Constant(2, -3)};
  const Choices choices = enumerate_choices({rates.r, {pushes_or_parts(rates, 0), pushes_or_parts(rates, 1)}});
  ASSERT_EQ(choices.families.size(), 1u);
  EXPECT_EQ(choices.singular, 1u);
  EXPECT_NEAR(choices.families[0].unknowns[0][0] + choices.families[0].unknowns[1][0], 3, 1e-9);
}

}  // namespace
}  // namespace vinculum
