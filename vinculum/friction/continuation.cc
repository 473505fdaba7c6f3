// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/continuation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include <Eigen/LU>

#include "vinculum/friction/enumerate_variants.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr double kReal = 1e-7;  // |imaginary part| of a root, relative
constexpr double kSameScale = 1e-11;
constexpr int kMostSwitches = 4096;

constexpr double kBeyondPencil = 1e13;  // larger roots are infinite

// The finite s with  det(A + s B) = 0 , B singular or not, by a shift c at which C = A + c B is regular: C + (s - c) B is
// singular where mu = -1/(s - c) is an eigenvalue of C^-1 B. (The QZ algorithm does not converge on some pencils of many equal
// blocks.) A pencil that is singular at all three shifts is singular for every s: no s is a root rather than its neighbours.
Outcome<std::vector<std::complex<double>>> find_pencil_roots(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  std::vector<std::complex<double>> roots;
  const double a = A.cwiseAbs().maxCoeff(), b = B.cwiseAbs().maxCoeff();
  if (!(a > 0) || !(b > 0)) return roots;
  const double scale = a / b;
  bool is_regular = false;
  for (const double shift : {0.3719 * scale, -0.6143 * scale, 1.8721 * scale}) {
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A + shift * B);
    if (!lu.isInvertible()) continue;
    is_regular = true;
    const Eigen::VectorXcd values = find_eigenvalues_alone(lu.solve(B));
    if (!values.allFinite()) continue;
    for (const std::complex<double>& mu : values) {
      if (std::abs(mu) * scale * kBeyondPencil > 1) roots.push_back(shift - 1.0 / mu);
    }
    return roots;
  }
  if (!is_regular) return roots;
  return Failure{"VN-VARIANT-007", "the scales of friction at which the loads change their faces are not found",
                 "the iterations for these eigenvalues do not converge; change a coefficient of friction slightly"};
}

// N and its rate with s at one s, in one variant.
struct Reactions {
  Eigen::VectorXd N, rate;
};

Reactions reactions_at(const VariantProblem& problem, const Faces& faces, double s) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(columns_of(problem, faces, s));
  const Eigen::MatrixXd F = columns_of(problem, faces, 1) - columns_of(problem, faces, 0);
  Eigen::VectorXd N = lu.solve(problem.d);
  Eigen::VectorXd rate = -lu.solve(F * N);
  return {std::move(N), std::move(rate)};
}

int signed_determinant(const VariantProblem& problem, const Faces& faces, double s) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(columns_of(problem, faces, s));
  double sign = static_cast<double>(lu.permutationP().determinant());
  for (Eigen::Index i = 0; i < problem.pairs(); ++i) {
    sign *= lu.matrixLU()(i, i) > 0 ? 1 : -1;
    if (faces[i] == 1) sign = -sign;
  }
  return static_cast<int>(sign);
}

// The faces at s = 0; an unloaded pair takes the face on which it will press.
std::optional<Faces> find_start(const VariantProblem& problem) {
  const VariantProblem ideal = scale_friction(problem, 0);
  const auto quick = find_quick_variant(ideal);
  Faces faces;
  Eigen::VectorXd N;
  if (quick) {
    faces = quick->faces, N = quick->N;
  } else {
    const auto all = enumerate_variants(ideal);
    if (!all || all->solutions.empty()) return std::nullopt;
    faces = all->solutions.front().faces;
    N = all->solutions.front().signed_reactions.cwiseAbs();
    for (int& face : faces) face = face == 0 ? 2 : face;
  }
  std::vector<Eigen::Index> unloaded;
  for (Eigen::Index k = 0; k < N.size(); ++k) {
    if (N[k] <= kUnloaded * largest_reaction(N, problem.unit)) unloaded.push_back(k);
  }
  constexpr std::size_t kMostUnloaded = 16;
  if (unloaded.empty() || unloaded.size() > kMostUnloaded) return faces;
  Faces best = faces;
  double best_rate = -std::numeric_limits<double>::infinity();
  for (unsigned choice = 0; choice < 1u << unloaded.size(); ++choice) {
    for (std::size_t i = 0; i < unloaded.size(); ++i) faces[unloaded[i]] = (choice >> i & 1u) != 0 ? 1 : 2;
    const Eigen::VectorXd rate = reactions_at(problem, faces, 0).rate;
    double least = std::numeric_limits<double>::infinity();
    for (const Eigen::Index k : unloaded) least = std::min(least, rate[k]);
    if (least > best_rate) best_rate = least, best = faces;
  }
  return best;
}

struct Event {
  double scale = 0;
  int pair = -1;  // -1: jam
};

// The nearest event beyond s in the direction of the path.
Outcome<std::optional<Event>> find_event(const VariantProblem& problem, const Faces& faces, double s, int direction,
                                         int last_pair) {
  const Eigen::MatrixXd B0 = columns_of(problem, faces, 0), F = columns_of(problem, faces, 1) - B0;
  std::optional<Event> nearest;
  const auto offer = [&](double root, int pair) {
    if (!nearest || direction * (root - nearest->scale) < 0) nearest = Event{root, pair};
  };
  const auto is_real = [](const std::complex<double>& root) { return std::abs(root.imag()) <= kReal * std::abs(root); };
  const auto jams = find_pencil_roots(B0, F);
  if (!jams) return jams.failure();
  for (const auto& root : *jams) {
    if (is_real(root) && direction * (root.real() - s) > kSameScale) offer(root.real(), -1);
  }
  for (int k = 0; k < static_cast<int>(faces.size()); ++k) {
    Eigen::MatrixXd A = B0, G = F;
    A.col(k) = problem.d;
    G.col(k).setZero();
    const auto zeros = find_pencil_roots(A, G);
    if (!zeros) return zeros.failure();
    for (const auto& found : *zeros) {
      if (!is_real(found)) continue;
      double root = found.real();
      Reactions at = reactions_at(problem, faces, root);
      for (int polish = 0; polish < 2 && at.N.allFinite() && at.rate[k] != 0; ++polish) {
        const double better = root - at.N[k] / at.rate[k];
        if (!(std::abs(better - root) <= 1e-6 * (1 + std::abs(root)))) break;
        root = better;
        at = reactions_at(problem, faces, root);
      }
      const bool here = std::abs(root - s) <= kSameScale;
      if (direction * (root - s) <= kSameScale && !(here && k != last_pair)) continue;
      // A zero that is one, and through which the reaction falls.
      if (!at.N.allFinite() || std::abs(at.N[k]) > 1e-6 * largest_reaction(at.N, problem.unit)) continue;
      if (direction * at.rate[k] < -1e-12 * largest_reaction(at.N, problem.unit)) offer(root, k);
    }
  }
  return nearest;
}

}  // namespace

Outcome<FrictionPath> follow_friction(const VariantProblem& problem) {
  const auto start = find_start(problem);
  if (!start)
    return Failure{"VN-VARIANT-005", "without friction no variant of the faces carries these loads",
                   "check the normals: every pair must be able to push both ways"};
  FrictionPath path;
  Faces faces = *start;
  double s = 0;
  int direction = 1, last_pair = -1;
  bool first = true;
  const auto tell = [&](FrictionPath::Reason reason, double end) {
    if (first) path.reason = reason, path.end = end;
    first = false;
  };
  for (int count = 0; count < kMostSwitches; ++count) {
    const auto found = find_event(problem, faces, s, direction, last_pair);
    if (!found) return found.failure();
    const std::optional<Event>& event = *found;
    const double target = direction > 0 ? 1 : 0;
    if (!event || direction * (event->scale - target) > 0) {
      path.pieces.push_back({faces, s, target});
      if (direction < 0) return path;  // back where there is no friction
      path.full_path_reaches = true;
      path.signed_reactions = sign_reactions(faces, reactions_at(problem, faces, 1).N);
      tell(FrictionPath::Reason::reached, 1);
      return path;
    }
    path.pieces.push_back({faces, s, event->scale});
    s = event->scale;
    if (event->pair < 0) {
      tell(FrictionPath::Reason::jam, s);
      return path;
    }
    const int before = signed_determinant(problem, faces, s);
    faces[event->pair] = 3 - faces[event->pair];
    last_pair = event->pair;
    path.switches.push_back({s, event->pair, faces[event->pair]});
    if (signed_determinant(problem, faces, s) == before) continue;
    path.folds.push_back(s);
    tell(FrictionPath::Reason::fold, s);
    direction = -direction;
  }
  return path;
}

}  // namespace vinculum
