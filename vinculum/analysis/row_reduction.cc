// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/row_reduction.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr double kSingular = 1e-9, kNothing = 1e-11;

// A basis of the row space, one row each.
Eigen::MatrixXd compress(const Eigen::MatrixXd& equations, double size, ReducedRows& result) {
  Eigen::MatrixXd rows = equations;
  const double largest = std::max(size, rows.rowwise().norm().maxCoeff());
  for (auto row : rows.rowwise()) {
    if (row.norm() > kSingular * largest)
      row.normalize();
    else
      row.setZero();
  }
  const PivotedQr qr = factorize_columns(rows, kSingular);
  const auto ratio = [&](Eigen::Index i) {
    return i < qr.lengths.size() && qr.lengths[0] > 0 ? qr.lengths[i] / qr.lengths[0] : 0.0;
  };
  if (qr.rank > 0) result.kept = ratio(qr.rank - 1);
  result.dropped = ratio(qr.rank);
  Eigen::MatrixXd basis(qr.rank, rows.cols());
  basis(Eigen::all, qr.order) = qr.R;
  return basis;
}

}  // namespace

std::vector<int> reduce_in_place(Eigen::MatrixXd& rows, const std::vector<int>& order, double singular, double nothing) {
  std::vector<int> pivots;
  for (const int column : order) {
    const Eigen::Index done = static_cast<Eigen::Index>(pivots.size()), left = rows.rows() - done;
    if (left == 0) break;
    Eigen::Index best = 0;
    const double pivot = rows.col(column).tail(left).cwiseAbs().maxCoeff(&best);
    if (pivot <= singular) continue;
    rows.row(done).swap(rows.row(done + best));
    rows.row(done) /= rows(done, column);
    const Eigen::RowVectorXd solved = rows.row(done);
    Eigen::VectorXd factors = rows.col(column);
    factors[done] = 0;
    rows.noalias() -= factors * solved;
    pivots.push_back(column);
  }
  rows = rows.unaryExpr([nothing](double value) { return std::abs(value) > nothing ? value : 0.0; }).eval();
  return pivots;
}

ReducedRows reduce_rows(const Eigen::MatrixXd& equations, const std::vector<int>& order, double size) {
  ReducedRows result;
  if (equations.size() == 0) {
    result.rows.resize(0, equations.cols());
    return result;
  }
  result.rows = compress(equations, size, result);
  result.pivots = reduce_in_place(result.rows, order, kSingular, kNothing);
  return result;
}

NullSpace find_null_space(const Eigen::MatrixXd& equations, const std::vector<int>& order) {
  const ReducedRows reduced = reduce_rows(equations, order);
  NullSpace space;
  for (int k = 0; k < equations.cols(); ++k) {
    if (std::find(reduced.pivots.begin(), reduced.pivots.end(), k) == reduced.pivots.end()) space.independent.push_back(k);
  }
  space.basis.setZero(equations.cols(), static_cast<Eigen::Index>(space.independent.size()));
  for (Eigen::Index y = 0; y < space.basis.cols(); ++y) space.basis(space.independent[y], y) = 1;
  if (!reduced.pivots.empty()) space.basis(reduced.pivots, Eigen::all) = -reduced.rows(Eigen::all, space.independent);
  return space;
}

std::string write_combination(const std::vector<std::string>& names, const Eigen::VectorXd& coefficients, int first) {
  std::string text;
  const auto add = [&](int i) {
    const double factor = coefficients[i];
    if (factor == 0) return;
    const std::string size = fmt::format("{:.10g}", std::abs(factor));
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    text += size == "1" ? names[i] : size + "*" + names[i];
  };
  add(first);
  for (int i = 0; i < coefficients.size(); ++i) {
    if (i != first) add(i);
  }
  return text.empty() ? "0" : text;
}

}  // namespace vinculum
