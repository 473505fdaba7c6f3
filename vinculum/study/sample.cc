// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/sample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/study/sobol.h"

namespace vinculum {

int count_random(const Study& study) {
  return static_cast<int>(
      std::count_if(study.over.begin(), study.over.end(), [](const StudyAxis& axis) { return axis.is_random(); }));
}

long refined_count(const Study& study, const StudyAxis& axis) {
  if (!study.refine || axis.kind != StudyAxis::Kind::grid) return axis.count;
  return ((axis.count - 1) << study.refine->levels) + 1;
}

long points_of_node(const Study& study) {
  if (study.samples == 0) return 1;
  return study.samples * (study.design == StudyDesign::saltelli ? count_random(study) + 2 : 1);
}

long count_points(const Study& study) {
  long count = points_of_node(study);
  for (const StudyAxis& axis : study.over) {
    if (!axis.is_random()) count *= refined_count(study, axis);
  }
  return count;
}

std::vector<long> node_of(const Study& study, long point) {
  std::vector<long> node(study.over.size(), 0);
  long rest = point / points_of_node(study);
  for (size_t i = study.over.size(); i-- > 0;) {
    if (study.over[i].is_random()) continue;
    const long count = refined_count(study, study.over[i]);
    node[i] = rest % count;
    rest /= count;
  }
  return node;
}

namespace {

// i / (count - 1) is the same number whatever power of two both were multiplied by: nodes of a refined grid are those of the
// coarse one to the last bit.
double grid_value(const StudyAxis& axis, long i, long count) {
  if (i == 0) return axis.first;
  if (i == count - 1) return axis.second;
  const double s = static_cast<double>(i) / static_cast<double>(count - 1);
  return axis.logarithmic ? axis.first * std::pow(axis.second / axis.first, s) : axis.first + (axis.second - axis.first) * s;
}

}  // namespace

std::vector<double> parameters_of(const Study& study, long point) {
  const std::vector<long> node = node_of(study, point);
  const int random = count_random(study);
  const long at_node = point % points_of_node(study);
  const bool pairs = study.design == StudyDesign::saltelli;
  const std::uint64_t sample = static_cast<std::uint64_t>(pairs ? at_node / (random + 2) : at_node);
  const int block = pairs ? static_cast<int>(at_node % (random + 2)) : 0;

  std::vector<double> values;
  int drawn = 0, sobol = 0;  // random parameters before this one; those of them from the Sobol sequence
  int all_sobol = 0;
  for (const StudyAxis& axis : study.over) all_sobol += axis.kind == StudyAxis::Kind::sobol ? 1 : 0;
  for (size_t i = 0; i < study.over.size(); ++i) {
    const StudyAxis& axis = study.over[i];
    if (!axis.is_random()) {
      values.push_back(axis.kind == StudyAxis::Kind::list ? axis.values[static_cast<size_t>(node[i])]
                                                          : grid_value(axis, node[i], refined_count(study, axis)));
      continue;
    }
    const bool from_B = pairs && (block == 1 || block == 2 + drawn);
    double u = 0;
    if (axis.kind == StudyAxis::Kind::sobol) {
      u = sobol_number(from_B ? all_sobol + sobol : sobol, sample, study.seed);
      ++sobol;
    } else {
      u = random_uniform(study.seed, static_cast<std::uint32_t>(2 * drawn + (from_B ? 1 : 0)), sample);
    }
    ++drawn;
    values.push_back(axis.kind == StudyAxis::Kind::normal ? axis.first + axis.second * inverse_normal(u)
                                                          : axis.first + (axis.second - axis.first) * u);
  }
  return values;
}

double random_uniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t n) {
  std::array<std::uint32_t, 4> x{static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32), stream, 0};
  std::uint32_t key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * x[0], b = std::uint64_t{0xCD9E8D57u} * x[2];
    x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  const std::uint64_t bits = (std::uint64_t{x[0]} << 32 | x[1]) >> 12;  // so that one half more is exact
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

double inverse_normal(double u) {
  const auto ratio = [](const std::array<double, 8>& over, const std::array<double, 8>& under, double r) {
    double a = 0, b = 0;
    for (size_t i = over.size(); i-- > 0;) {
      a = a * r + over[i];
      b = b * r + under[i];
    }
    return a / b;
  };
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    constexpr std::array<double, 8> kOver{3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427,
                                          13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                                          33430.575583588128105, 2509.0809287301226727};
    constexpr std::array<double, 8> kUnder{1,
                                           42.313330701600911252,
                                           687.18700749205790830,
                                           5394.1960214247511077,
                                           21213.794301586595867,
                                           39307.895800092710610,
                                           28729.085735721942674,
                                           5226.4952788528545610};
    return q * ratio(kOver, kUnder, 0.180625 - q * q);
  }
  const double r = std::sqrt(-std::log(q < 0 ? u : 1 - u));
  double z = 0;
  if (r <= 5) {
    constexpr std::array<double, 8> kOver{1.42343711074968357734,   4.63033784615654529590,   5.76949722146069140550,
                                          3.64784832476320460504,   1.27045825245236838258,   0.241780725177450611770,
                                          0.0227238449892691845833, 7.74545014278341407640e-4};
    constexpr std::array<double, 8> kUnder{1,
                                           2.05319162663775882187,
                                           1.67638483018380384940,
                                           0.689767334985100004550,
                                           0.148103976427480074590,
                                           0.0151986665636164571966,
                                           5.47593808499534494600e-4,
                                           1.05075007164441684324e-9};
    z = ratio(kOver, kUnder, r - 1.6);
  } else {
    constexpr std::array<double, 8> kOver{6.65790464350110377720,    5.46378491116411436990,   1.78482653991729133580,
                                          0.296560571828504891230,   0.0265321895265761230930, 1.24266094738807843860e-3,
                                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr std::array<double, 8> kUnder{1,
                                           0.599832206555887937690,
                                           0.136929880922735805310,
                                           0.0148753612908506148525,
                                           7.86869131145613259100e-4,
                                           1.84631831751005468180e-5,
                                           1.42151175831644588870e-7,
                                           2.04426310338993978564e-15};
    z = ratio(kOver, kUnder, r - 5);
  }
  return q < 0 ? -z : z;
}

}  // namespace vinculum
