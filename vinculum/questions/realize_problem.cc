// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>

#include "vinculum/files/tell_slip.h"
#include "vinculum/questions/realize_problem.h"
#include "vinculum/realization/box_problem.h"

namespace vinculum {

namespace {

const char* const kKinds =
    "either {\"A\", \"B\", \"eta\", \"rho2\", \"s0\", \"delta\", \"k\", \"t\"} or {\"W\", \"b\", \"bounds\"}, all numbers";

std::optional<double> number_of(const nlohmann::json& document, const char* key) {
  if (!document.contains(key)) return 0.0;
  if (!document[key].is_number()) return std::nullopt;
  const double value = document[key].get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<Eigen::VectorXd> vector_of(const nlohmann::json& list) {
  if (!list.is_array()) return std::nullopt;
  Eigen::VectorXd values(static_cast<Eigen::Index>(list.size()));
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number()) return std::nullopt;
    values[static_cast<Eigen::Index>(i)] = list[i].get<double>();
  }
  return values.allFinite() ? std::optional(values) : std::nullopt;
}

int answer_inequality(const nlohmann::json& document, Reply& reply) {
  const auto A = number_of(document, "A"), B = number_of(document, "B"), eta = number_of(document, "eta"),
             rho2 = number_of(document, "rho2"), s0 = number_of(document, "s0"), delta = number_of(document, "delta"),
             k = number_of(document, "k"), t = number_of(document, "t");
  if (!A || !B || !eta || !rho2 || !s0 || !delta || !k || !t || !document.contains("eta") || !document.contains("rho2"))
    return reply.refuse_usage("the problem is not complete", kKinds);
  if (!(*rho2 > 0) || *B < 0 || *s0 < 0 || *delta < 0 || *k < 0 || *t < 0) {
    reply.refuse_usage("rho2 must be positive, and B, s0, delta, k, t not negative", kKinds);
    return kInvalidModel;
  }
  const double c = *eta / *rho2;
  const ReachingBound reaching = bound_reaching(*A, *B, c, *s0);
  const SlipBand band = bound_band(*A, *B, c, *delta);
  const ViscousBound viscous = bound_viscous(*A, *B, *k / (*rho2 * *rho2), *s0, *t);
  Json& json = reply.json()["certificate"];
  json["t1"] = number_or_null(reaching.t1);
  json["s_star"] = number_or_null(reaching.s_star);
  json["band_inner"] = number_or_null(band.inner);
  json["band_outer"] = number_or_null(band.outer);
  json["s_linear"] = number_or_null(viscous.s);
  json["basin_linear"] = number_or_null(viscous.basin);
  const auto text = [](const std::optional<double>& value) { return value ? fmt::format("{:.9g}", *value) : "no bound"; };
  reply.say(fmt::format("sign forces: the slip ends after t1 = {} s, from any slip below s = {}", text(reaching.t1),
                        reaching.s_star ? fmt::format("{:.9g}", *reaching.s_star) : "anything"));
  reply.say(fmt::format("imperfect forces: it ends below s = {}, from below {}", text(band.inner),
                        band.outer ? fmt::format("{:.9g}", *band.outer) : "anything"));
  reply.say(fmt::format("viscous forces: s(t) <= {}, from below {}", text(viscous.s),
                        viscous.basin ? fmt::format("{:.9g}", *viscous.basin) : "anything"));
  return reply.finish(kDone);
}

int answer_box(const nlohmann::json& document, Reply& reply) {
  const auto b = vector_of(document["b"]);
  const auto bounds = document.contains("bounds") ? vector_of(document["bounds"]) : std::nullopt;
  if (!b || !bounds || bounds->size() != b->size() || b->size() == 0 || !document["W"].is_array() ||
      static_cast<Eigen::Index>(document["W"].size()) != b->size())
    return reply.refuse_usage("the problem is not complete: W is square, b and bounds are as long", kKinds);
  Eigen::MatrixXd W(b->size(), b->size());
  for (Eigen::Index i = 0; i < b->size(); ++i) {
    const auto row = vector_of(document["W"][static_cast<size_t>(i)]);
    if (!row || row->size() != b->size())
      return reply.refuse_usage(fmt::format("row {} of W is not {} numbers", i + 1, b->size()), kKinds);
    W.row(i) = *row;
  }
  const auto solution = solve_box_problem(W, *b, *bounds);
  if (!solution) return reply.fail(solution.failure());
  reply.json()["forces"] = std::vector<double>(solution->forces.begin(), solution->forces.end());
  reply.json()["slip_accelerations"] =
      std::vector<double>(solution->slip_accelerations.begin(), solution->slip_accelerations.end());
  reply.json()["modes"] = solution->modes;
  for (Eigen::Index i = 0; i < b->size(); ++i) {
    reply.say(fmt::format("  constraint {:<4} {:<16} force {:>14.9g}  slip acceleration {:>14.9g}", i + 1,
                          solution->modes[i] == 0  ? "sticks"
                          : solution->modes[i] > 0 ? "slips forward"
                                                   : "slips backward",
                          solution->forces[i], solution->slip_accelerations[i]));
  }
  return reply.finish(kDone);
}

}  // namespace

int answer_problem(const RealizeOptions& options, Reply& reply) {
  const auto text = reply.read_text(options.problem);
  if (!text) return reply.refuse_usage(fmt::format("cannot read the problem file {}", options.problem), "check the path");
  const auto document = nlohmann::json::parse(*text, nullptr, false);
  if (!document.is_object()) return reply.refuse_usage(fmt::format("{} is not a JSON object", options.problem), kKinds);
  if (document.contains("W") && document.contains("b")) return answer_box(document, reply);
  return answer_inequality(document, reply);
}

}  // namespace vinculum
