// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace vinculum {

// The solution over a step, tried or accepted, in Bernstein form: with s = (t - t0)/(t1 - t0) in [0, 1] and degree K
//
//   y_i(s) = Σ_j C(K,j) s^j (1-s)^(K-j) b_ij ,  give or take radius_i                                     theory 8, section 1.3
//
// so that y_i lies between the least and the largest b_ij, widened by the radius. Only the components that the system asks for.
struct StepPolynomial {
  // What the integrator knows of a law of the equations within the step: its power series about t0; its values at a dozen
  // places; or those at the two ends alone.
  enum class Sees { series, stages, ends };

  double t0 = 0, t1 = 0;
  Sees sees = Sees::ends;
  std::span<const int> components;
  std::span<const double> series{};  // of all of y about t0, order after order, where it sees the series,
  int dimension = 0;                 // of y, there

  int degree() const { return degree_; }
  double length() const { return t1 - t0; }
  std::span<double> bernstein(std::size_t k) { return std::span(b_).subspan(k * (degree_ + 1), degree_ + 1); }
  std::span<const double> bernstein(std::size_t k) const { return std::span(b_).subspan(k * (degree_ + 1), degree_ + 1); }
  double& radius(std::size_t k) { return radius_[k]; }
  double radius(std::size_t k) const { return radius_[k]; }

  // Room for these components, with radius 0.
  void reserve(std::span<const int> of, int degree) {
    components = of;
    degree_ = degree;
    b_.resize(of.size() * (degree + 1));
    radius_.assign(of.size(), 0);
  }

 private:
  int degree_ = 0;
  std::vector<double> b_;  // component after component
  std::vector<double> radius_;
};

// How much of a step to keep where only the part s of it is safe: nearly nothing is asked for again with a step of one sixteenth.
inline double part_to_keep(double s) { return s < 1.0 / 64 ? 1.0 / 16 : s; }

}  // namespace vinculum
