// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include <Eigen/Dense>

#include "vinculum/friction/variant_problem.h"
#include "vinculum/math/linear_program.h"

// Problems of theory 5, and its plain enumerations, written as they stand there.
namespace vinculum::test {

// The planar slider of theory 5, 3.2: columns (e_k, e_k a_k + s f_k b_k), d = (-P_y, -M); [pair][face].
struct Prism {
  double a[2][2], b[2][2], f[2][2];
  double P_y, M;
  int s = 1;

  VariantProblem problem() const {
    VariantProblem out;
    out.d = Eigen::Vector2d(-P_y, -M);
    for (int face = 0; face < 2; ++face) {
      Eigen::MatrixXd B(2, 2), F = Eigen::MatrixXd::Zero(2, 2);
      const double e = face == 0 ? -1 : 1;
      for (int k = 0; k < 2; ++k) {
        F(1, k) = s * f[k][face] * b[k][face];
        B.col(k) = Eigen::Vector2d(e, e * a[k][face] + F(1, k));
      }
      (face == 0 ? out.B1 : out.B2) = B;
      (face == 0 ? out.F1 : out.F2) = F;
    }
    return out;
  }
  // xdd = (P_x - s Σ f N)/m
  double acceleration(const Faces& faces, const Eigen::VectorXd& n, double mass, double P_x) const {
    double force = P_x;
    for (int k = 0; k < 2; ++k) {
      if (faces[k] != 0) force -= s * f[k][faces[k] - 1] * std::abs(n[k]);
    }
    return force / mass;
  }
};

inline Prism w2_prism(double M) {
  return {{{-0.4, -0.45}, {0.5, 0.42}}, {{0.2, -0.25}, {0.22, -0.3}}, {{0.3, 0.2}, {0.25, 0.35}}, -19.62, M, 1};
}

inline Prism bar_clamp(double f, double M) {
  return {{{-0.1, -0.1}, {0.1, 0.1}}, {{0.5, 0.5}, {0.5, 0.5}}, {{f, f}, {f, f}}, -1, M, 1};
}

inline VariantProblem three_variants() {
  VariantProblem p;
  p.B1.resize(4, 4), p.B2.resize(4, 4), p.F1.resize(4, 4), p.F2.resize(4, 4), p.d.resize(4);
  p.B1 << -4.691, -2.008, 1.76, 0.35, 0.193, -2.015, 1.281, 0.77, 0.808, 0.957, -1.894, 0.625, -0.529, -0.066, 0.489, -1.173;
  p.B2 << 4.177, 0.179, -0.825, 0.229, 1.367, 2.124, -0.792, 0.778, -1.6, -0.292, 0.715, 0.776, -0.342, 0.629, 0.447, 0.855;
  p.F1 << -0.257, -1.265, 1.175, -0.157, 0.936, 0.292, 1.361, 1.076, 0.223, 1.037, -0.665, 0.881, -1.036, 0.24, 0.745, 0.157;
  p.F2 << -0.257, -0.564, -0.24, 0.736, 0.624, -0.183, -0.872, 0.472, -1.015, -0.372, -0.514, 0.52, 0.165, 0.323, 0.191, -0.475;
  p.d << 0.535, 1.412, -0.037, 0.634;
  return p;
}

// What a plain enumeration finds: signed reactions of all realised variants, merged, and whether a singular variant is
// consistent.
struct PlainVariants {
  std::vector<Eigen::VectorXd> solutions;
  bool family = false;
};

inline void add_plain(PlainVariants& found, const Faces& faces, const Eigen::VectorXd& N) {
  const double size = std::max(1.0, N.cwiseAbs().maxCoeff());
  if (!(N.minCoeff() >= -1e-10 * size)) return;
  const Eigen::VectorXd n = sign_reactions(faces, N);
  for (const Eigen::VectorXd& other : found.solutions) {
    if ((other - n).cwiseAbs().maxCoeff() <= 1e-8 * size) return;
  }
  found.solutions.push_back(n);
}

// Some N ≥ 0 with B(p) N = d, to 1e-9.
inline bool is_consistent(const Eigen::MatrixXd& B, const Eigen::VectorXd& d) {
  LinearProgram program{B, d, Eigen::VectorXd::Constant(B.cols(), std::numeric_limits<double>::infinity()),
                        Eigen::VectorXd::Ones(B.cols())};
  const auto solution = solve_linear_program(program);
  return solution && solution->feasible;
}

// cond(B) > 1e13; the singular values are asked only where an estimate is near.
inline bool is_singular(const Eigen::MatrixXd& B) {
  if (B.partialPivLu().rcond() > 1e-9) return false;
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(B).singularValues();
  return values[0] > 1e13 * values[values.size() - 1];
}

// One decomposition a variant.
inline PlainVariants enumerate_directly(const VariantProblem& problem) {
  PlainVariants found;
  const Eigen::Index m = problem.pairs();
  for (unsigned set = 0; set < 1u << m; ++set) {
    Faces faces(m);
    for (Eigen::Index k = 0; k < m; ++k) faces[k] = (set >> k & 1u) != 0 ? 1 : 2;
    const Eigen::MatrixXd B = columns_of(problem, faces);
    if (is_singular(B))
      found.family = found.family || is_consistent(B, problem.d);
    else
      add_plain(found, faces, B.partialPivLu().solve(problem.d));
  }
  return found;
}

// One face flipped at a time: u = B⁻¹ b_new, pivot on u_k; refactored when |u_k| < 1e-9 max|u| and every 50 flips.
inline PlainVariants enumerate_by_gray_code(const VariantProblem& problem) {
  PlainVariants found;
  const Eigen::Index m = problem.pairs();
  Faces faces(m, 2);
  std::optional<Eigen::MatrixXd> inverse;
  int flips = 50;
  for (unsigned step = 0; step < 1u << m; ++step) {
    if (step > 0) {
      const int k = __builtin_ctz(step);
      faces[k] = 3 - faces[k];
      if (inverse) {
        const Eigen::VectorXd u = *inverse * columns_of(problem, faces).col(k);
        if (std::abs(u[k]) < 1e-9 * u.cwiseAbs().maxCoeff()) {
          inverse.reset();
        } else {
          const Eigen::RowVectorXd row = inverse->row(k) / u[k];
          *inverse -= u * row;
          inverse->row(k) = row;
        }
      }
    }
    if (++flips >= 50 || !inverse) {
      const Eigen::MatrixXd B = columns_of(problem, faces);
      if (is_singular(B)) {
        inverse.reset();
        found.family = found.family || is_consistent(B, problem.d);
        continue;
      }
      inverse = B.inverse();
      flips = 0;
    }
    add_plain(found, faces, *inverse * problem.d);
  }
  return found;
}

// Columns of a random mechanism: opposed normals, strength of friction as given; `kind` 1: some loads vanish so that pairs are
// unloaded, 2: hyperstatic, fewer independent directions than pairs, 3: a variant made singular.
inline VariantProblem random_problem(std::mt19937& random, Eigen::Index m, double friction, int kind) {
  std::normal_distribution<double> normal;
  const auto matrix = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }).eval();
  };
  const Eigen::Index rank = kind == 2 ? std::max<Eigen::Index>(1, m / 2) : m;
  const Eigen::MatrixXd J = matrix(rank, m + 2), spread = matrix(m, rank);
  const Eigen::MatrixXd rows = kind == 2 ? (spread * J).eval() : J;
  VariantProblem p;
  p.d = Eigen::VectorXd::Zero(m);
  p.F1 = friction * rows * matrix(m + 2, m), p.F2 = friction * rows * matrix(m + 2, m);
  p.B2 = rows * rows.transpose();
  p.B1 = -p.B2 + p.F1;
  p.B2 += p.F2;
  if (kind == 2) {
    p.d = rows * matrix(m + 2, 1);
  } else if (kind == 1) {
    // A load that the first pairs of some variant carry alone.
    Eigen::VectorXd N = matrix(m, 1).cwiseAbs();
    N.tail(m - m / 2).setZero();
    p.d = columns_of(p, Faces(m, 1 + static_cast<int>(random() % 2))) * N;
  } else {
    p.d = matrix(m, 1);
  }
  if (kind == 3 && m > 1) {
    // The first column of face 1 depends on other columns of one variant, which carries the load in part of these problems.
    p.B1.col(0) = p.B2.rightCols(m - 1) * matrix(m - 1, 1);
    if (random() % 2 == 0) {
      Faces faces(m, 2);
      faces[0] = 1;
      p.d = columns_of(p, faces) * matrix(m, 1).cwiseAbs();
    }
  }
  return p;
}

}  // namespace vinculum::test
