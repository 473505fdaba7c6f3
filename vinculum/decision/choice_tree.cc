// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/choice_tree.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/LU>

#include "vinculum/math/linear_program.h"

namespace vinculum {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kDependentColumn = 1e-12;  // of what the column was
constexpr double kDeadConstant = 1e-6;      // of the right side: beyond round-off
constexpr double kLooseBound = 1e-7, kBound = 1e-10;
constexpr std::size_t kMostFamilies = 16;

class ChoiceTree {
 public:
  explicit ChoiceTree(const ChoiceProblem& problem) : problem_(problem), n_(problem.right.size()) {
    // Columns in the order of the decisions: item by item, alternative by alternative; behind each alternative its constant, an
    // unknown that is 1 if it is chosen. The right side is the last column.
    for (const auto& item : problem.items) {
      first_column_.push_back(static_cast<Eigen::Index>(least_.size()));
      for (const Alternative& alternative : item) {
        for (Eigen::Index k = 0; k < alternative.columns.cols(); ++k) {
          least_.push_back(alternative.least[k]);
          most_.push_back(alternative.most[k]);
        }
        least_.push_back(0), most_.push_back(1);
      }
    }
    const auto columns = static_cast<Eigen::Index>(least_.size());
    first_column_.push_back(columns);
    Eigen::MatrixXd table = Eigen::MatrixXd::Zero(n_, columns + 1);
    Eigen::Index at = 0;
    for (const auto& item : problem.items) {
      for (const Alternative& alternative : item) {
        table.middleCols(at, alternative.columns.cols()) = alternative.columns;
        at += alternative.columns.cols();
        if (alternative.constant.size() > 0) table.col(at) = alternative.constant;
        ++at;
      }
    }
    table.col(columns) = problem.right;
    for (Eigen::Index j = 0; j <= columns; ++j) sizes_.push_back(j < columns ? table.col(j).cwiseAbs().maxCoeff() : 0.0);
    scale_ = n_ > 0 ? problem.right.cwiseAbs().maxCoeff() : 0;
    for (const auto& item : problem.items) {
      for (const Alternative& alternative : item) {
        if (alternative.constant.size() > 0) scale_ = std::max(scale_, alternative.constant.cwiseAbs().maxCoeff());
      }
    }
    tables_.assign(problem.items.size() + 1, table);
    chosen_.assign(problem.items.size(), 0);
    basic_.assign(n_, -1);
  }

  Choices run() {
    visit(0);
    return std::move(result_);
  }

 private:
  Eigen::Index right_column() const { return first_column_.back(); }
  Eigen::Index column_of(std::size_t item, int alternative) const {
    Eigen::Index at = first_column_[item];
    for (int a = 0; a < alternative; ++a) at += problem_.items[item][a].columns.cols() + 1;
    return at;
  }

  // Row i:  x + Σ a_j x_j = c  with x its basic unknown, if it has one. The least and the most of Σ a_j x_j over the bounds of
  // the undecided columns tells whether it can be met.
  bool is_dead(const Eigen::MatrixXd& table, std::size_t item) const {
    const double nothing = kDeadConstant * scale_;
    for (Eigen::Index i = 0; i < n_; ++i) {
      double low = 0, high = 0;
      for (Eigen::Index j = first_column_[item]; j < right_column(); ++j) {
        const double a = table(i, j);
        if (a == 0) continue;
        low += a > 0 ? a * least_[j] : a * most_[j];
        high += a > 0 ? a * most_[j] : a * least_[j];
      }
      const double c = table(i, right_column());
      const int basic = basic_[i];
      const double least = basic < 0 ? 0 : least_[basic], most = basic < 0 ? 0 : most_[basic];
      if (c - low < least - nothing || c - high > most + nothing) return true;
    }
    return false;
  }

  void visit(std::size_t item) {
    ++result_.nodes;
    const Eigen::MatrixXd& table = tables_[item];
    if (item == problem_.items.size()) return keep(table);
    if (is_dead(table, item)) return;
    for (int a = 0; a < static_cast<int>(problem_.items[item].size()); ++a) {
      chosen_[item] = a;
      Eigen::MatrixXd& next = tables_[item + 1];
      next.rightCols(next.cols() - first_column_[item]) = table.rightCols(next.cols() - first_column_[item]);
      const std::vector<int> basic = basic_;
      if (choose(next, item, a)) {
        visit(item + 1);
      } else {
        std::uint64_t below = 1;
        for (std::size_t k = item + 1; k < problem_.items.size(); ++k) below *= problem_.items[k].size();
        result_.singular += below;
        find_families(item + 1);
      }
      basic_ = basic;
    }
  }

  bool choose(Eigen::MatrixXd& table, std::size_t item, int a) {
    const Alternative& alternative = problem_.items[item][a];
    const Eigen::Index first = column_of(item, a), count = alternative.columns.cols(), last = right_column();
    if (alternative.constant.size() > 0) table.col(last) -= table.col(first + count);
    const Eigen::Index from = first_column_[item + 1];
    for (Eigen::Index k = first; k < first + count; ++k) {
      Eigen::Index row = -1;
      double pivot = kDependentColumn * sizes_[k];
      for (Eigen::Index i = 0; i < n_; ++i) {
        if (basic_[i] < 0 && std::abs(table(i, k)) > pivot) pivot = std::abs(table(i, k)), row = i;
      }
      if (row < 0) return false;
      basic_[row] = static_cast<int>(k);
      // Of the columns of this item, only the unknowns of this alternative that follow are needed.
      const auto eliminate = [&](Eigen::Index j) {
        const double factor = table(row, j) / table(row, k);
        if (factor == 0) return;
        table.col(j) -= factor * table.col(k);
        table(row, j) = factor;
      };
      for (Eigen::Index j = k + 1; j < first + count; ++j) eliminate(j);
      for (Eigen::Index j = from; j <= last; ++j) eliminate(j);
    }
    return true;
  }

  // Confirms a leaf by solving its equations anew.
  void keep(const Eigen::MatrixXd& table) {
    const double most = n_ > 0 ? std::max(1.0, table.col(right_column()).cwiseAbs().maxCoeff()) : 1;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double x = table(i, right_column());
      if (x < least_[basic_[i]] - kLooseBound * most || x > most_[basic_[i]] + kLooseBound * most) return;
    }
    Eigen::MatrixXd columns(n_, n_);
    Eigen::VectorXd right = problem_.right;
    gather(columns, right);
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(columns);
    const Eigen::VectorXd x = lu.solve(right);
    ModeChoice choice{chosen_, {}, static_cast<int>(lu.permutationP().determinant())};
    for (Eigen::Index i = 0; i < n_; ++i) choice.sign *= lu.matrixLU()(i, i) > 0 ? 1 : -1;
    for (std::size_t item = 0; item < problem_.items.size(); ++item)
      choice.sign *= problem_.items[item][chosen_[item]].orientation;
    Eigen::Index at = 0;
    const double size = n_ > 0 ? std::max(1.0, x.cwiseAbs().maxCoeff()) : 1;
    for (std::size_t item = 0; item < problem_.items.size(); ++item) {
      const Alternative& alternative = problem_.items[item][chosen_[item]];
      const Eigen::Index count = alternative.columns.cols();
      for (Eigen::Index k = 0; k < count; ++k) {
        if (!(x[at + k] >= alternative.least[k] - kBound * size && x[at + k] <= alternative.most[k] + kBound * size)) return;
      }
      choice.unknowns.push_back(x.segment(at, count));
      at += count;
    }
    result_.found.push_back(std::move(choice));
  }

  void gather(Eigen::MatrixXd& columns, Eigen::VectorXd& right) const {
    Eigen::Index at = 0;
    for (std::size_t item = 0; item < problem_.items.size(); ++item) {
      const Alternative& alternative = problem_.items[item][chosen_[item]];
      columns.middleCols(at, alternative.columns.cols()) = alternative.columns;
      if (alternative.constant.size() > 0) right -= alternative.constant;
      at += alternative.columns.cols();
    }
  }

  // With the items before `decided` chosen and all columns of the others allowed together: can the equations be met within the
  // bounds? Decides item by item until all are chosen.
  void find_families(std::size_t decided) {
    if (result_.families.size() >= kMostFamilies) return;
    const bool all = decided == problem_.items.size();
    const auto x = solve_relaxed(decided);
    if (x.size() == 0 && n_ > 0) return;
    if (all) {
      ModeChoice choice{chosen_, {}, 0};
      Eigen::Index at = 0;
      for (std::size_t item = 0; item < decided; ++item) {
        const Eigen::Index count = problem_.items[item][chosen_[item]].columns.cols();
        choice.unknowns.push_back(x.segment(at, count));
        at += count;
      }
      result_.families.push_back(std::move(choice));
      return;
    }
    for (int a = 0; a < static_cast<int>(problem_.items[decided].size()); ++a) {
      chosen_[decided] = a;
      find_families(decided + 1);
    }
  }

  // Unknowns in the order of their items, those with two signs as a difference; scaled so that numbers are of the order of 1.
  Eigen::VectorXd solve_relaxed(std::size_t decided) {
    std::vector<Eigen::VectorXd> columns;
    std::vector<double> upper;
    std::vector<int> negative;  // -1: none, else the column of the part with the other sign
    Eigen::VectorXd right = problem_.right;
    const double unit = scale_ > 0 ? scale_ : 1;
    const auto add = [&](const Eigen::VectorXd& column, double least, double most) {
      const double size = std::max(column.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
      columns.push_back(column / size);
      upper.push_back(most * size / unit);
      negative.push_back(-1);
      if (least == 0) return;
      negative.back() = static_cast<int>(columns.size());
      columns.push_back(-column / size);
      upper.push_back(kInfinite);
      negative.push_back(-2);
    };
    for (std::size_t item = 0; item < problem_.items.size(); ++item) {
      const auto& alternatives = problem_.items[item];
      for (int a = 0; a < static_cast<int>(alternatives.size()); ++a) {
        if (item < decided && a != chosen_[item]) continue;
        const Alternative& alternative = alternatives[a];
        for (Eigen::Index k = 0; k < alternative.columns.cols(); ++k)
          add(alternative.columns.col(k), alternative.least[k], alternative.most[k]);
        if (alternative.constant.size() == 0) continue;
        if (item < decided)
          right -= alternative.constant;
        else
          add(alternative.constant, 0, 1);
      }
    }
    LinearProgram program;
    program.equations.resize(n_, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j) program.equations.col(static_cast<Eigen::Index>(j)) = columns[j];
    program.right = right / unit;
    program.upper = Eigen::Map<const Eigen::VectorXd>(upper.data(), static_cast<Eigen::Index>(upper.size()));
    program.cost = Eigen::VectorXd::Ones(program.equations.cols());
    const auto solution = solve_linear_program(program);
    if (!solution || !solution->feasible) return {};
    std::vector<double> x;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (negative[j] == -2) continue;
      const auto at = static_cast<Eigen::Index>(j);
      const double value = solution->x[at] - (negative[j] < 0 ? 0 : solution->x[negative[j]]);
      x.push_back(value * unit);
    }
    Eigen::VectorXd result = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    // Back to the units of the columns.
    Eigen::Index at = 0;
    for (std::size_t item = 0; item < problem_.items.size() && decided == problem_.items.size(); ++item) {
      const Alternative& alternative = problem_.items[item][chosen_[item]];
      for (Eigen::Index k = 0; k < alternative.columns.cols(); ++k, ++at)
        result[at] /= std::max(alternative.columns.col(k).cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    }
    return result;
  }

  const ChoiceProblem& problem_;
  Eigen::Index n_;
  double scale_ = 0;
  std::vector<Eigen::Index> first_column_;  // of each item; the last entry is the right side
  std::vector<double> least_, most_, sizes_;
  std::vector<Eigen::MatrixXd> tables_;  // one a depth
  std::vector<int> chosen_, basic_;      // of each item; of each equation, the column of its unknown or -1
  Choices result_;
};

Alternative one_sided(std::string word, Eigen::MatrixXd columns, int orientation) {
  const auto count = static_cast<std::size_t>(columns.cols());
  return {std::move(word), std::move(columns), {}, std::vector<double>(count, 0.0), std::vector<double>(count, kInfinite),
          orientation};
}

Eigen::VectorXd rate_column(const LocalRates& rates, Eigen::Index row) { return Eigen::VectorXd::Unit(rates.r.size(), row); }

Eigen::MatrixXd side_by_side(const Eigen::VectorXd& first, const Eigen::VectorXd& second) {
  Eigen::MatrixXd both(first.size(), 2);
  both << first, second;
  return both;
}

}  // namespace

Choices enumerate_choices(const ChoiceProblem& problem) { return ChoiceTree(problem).run(); }

std::vector<Alternative> two_sided(const LocalRates& rates, Eigen::Index row) {
  Alternative holds = one_sided("holds", -rates.G.col(row), -1);
  holds.least[0] = -kInfinite;
  return {holds};
}

std::vector<Alternative> pushes_or_parts(const LocalRates& rates, Eigen::Index row) {
  return {one_sided("pushes", -rates.G.col(row), -1), one_sided("parts", rate_column(rates, row), 1)};
}

std::vector<Alternative> slides_or_parts(const LocalRates& rates, Eigen::Index normal, Eigen::Index tangent, double friction,
                                         int forward) {
  const Eigen::VectorXd along = rate_column(rates, tangent);
  Alternative slides =
      one_sided("slides", side_by_side(forward * friction * rates.G.col(tangent) - rates.G.col(normal), along), -1);
  Alternative parts = one_sided("parts", side_by_side(rate_column(rates, normal), along), 1);
  slides.least[1] = parts.least[1] = -kInfinite;
  return {slides, parts};
}

namespace {

// Sticking, |λ_t| ≤ f λ_n, is the cone of the two edges  λ_n = 1, λ_t = ± f ; without friction it is sliding without a force.
// `apart`: what else the contact may do, its tangent free.
std::vector<Alternative> rub_or(const LocalRates& rates, Eigen::Index normal, Eigen::Index tangent, double friction,
                                Alternative apart) {
  const Eigen::VectorXd up = -rates.G.col(normal), along = -friction * rates.G.col(tangent), rate = rate_column(rates, tangent);
  apart.least[1] = -kInfinite;
  if (friction == 0) {
    Alternative slides = one_sided("slides", side_by_side(up, rate), -1);
    slides.least[1] = -kInfinite;
    return {slides, apart};
  }
  return {one_sided("sticks", side_by_side(up + along, up - along), -1),
          one_sided("slips forward", side_by_side(up - along, rate), -1),
          one_sided("slips backward", side_by_side(up + along, -rate), 1), apart};
}

}  // namespace

std::vector<Alternative> sticks_slips_or_parts(const LocalRates& rates, Eigen::Index normal, Eigen::Index tangent,
                                               double friction) {
  const Eigen::MatrixXd columns = side_by_side(rate_column(rates, normal), rate_column(rates, tangent));
  return rub_or(rates, normal, tangent, friction, one_sided("parts", columns, 1));
}

std::vector<Alternative> sticks_slips_or_pulls(const LocalRates& rates, Eigen::Index normal, Eigen::Index tangent,
                                               double friction) {
  const Eigen::MatrixXd columns = side_by_side(rates.G.col(normal), rate_column(rates, tangent));
  return rub_or(rates, normal, tangent, friction, one_sided("pulls", columns, 1));
}

std::vector<Alternative> sticks_or_slips(const LocalRates& rates, Eigen::Index row, double bound) {
  const Eigen::VectorXd force = -rates.G.col(row), rate = rate_column(rates, row);
  Alternative sticks = one_sided("sticks", force, -1);
  sticks.constant = -bound * force;
  sticks.most[0] = 2 * bound;
  Alternative forward = one_sided("slips forward", rate, 1), backward = one_sided("slips backward", -rate, -1);
  forward.constant = -bound * force;
  backward.constant = bound * force;
  return {sticks, forward, backward};
}

std::vector<Alternative> loaded_face(const Eigen::VectorXd& rates1, const Eigen::VectorXd& rates2) {
  return {one_sided("face1", -rates1, 1), one_sided("face2", -rates2, -1)};
}

}  // namespace vinculum
