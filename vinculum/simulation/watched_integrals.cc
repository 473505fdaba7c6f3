// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/watched_integrals.h"

#include <algorithm>

#include "vinculum/constraints/guide_friction.h"

namespace vinculum {

namespace {

constexpr double kMostOperations = 5e8;
constexpr int kManyVelocities = 50;  // generalized momenta of more are not watched

Outcome<IntegralSearch> search(const Model& model, const State& start, RunListener& listener) {
  const bool momenta = model.is_plain_tree() && model.tree().velocities <= kManyVelocities;
  auto chosen = choose_search(model, kMostOperations, momenta);
  if (!chosen) return chosen.failure();
  chosen->stop = [&] { return listener.wants_to_stop(); };
  auto found = find_integrals(model, start, *chosen);
  if (found || !chosen->sums || found.failure().code != "VN-INTEGRAL-001") return found;
  // Which sums are conserved cannot be told; a candidate by itself may still stand out.
  chosen->sums = false;
  return find_integrals(model, start, *chosen);
}

}  // namespace

Outcome<std::vector<Integral>> find_watched(const Model& model, const State& start, const RunOptions& options,
                                            RunListener& listener, const std::vector<IntegralDrift>* before) {
  if (!options.watch_integrals) return Failure{"VN-INTEGRAL-151", "not looked for, as asked by --no-integrals", ""};
  const bool slips = options.follow == Follow::frictional && !model.grips().empty();
  if (slips || model.has_followed_rows(options.parts())) return std::vector<Integral>{};
  if (refuse_guide_friction(model)) return std::vector<Integral>{};  // dry friction conserves nothing
  auto found = search(model, start, listener);
  if (!found) return found.failure();
  std::erase_if(found->integrals, [&](const Integral& integral) {
    const auto is_this = [&](const IntegralDrift& drift) { return drift.name == integral.name; };
    return integral.name == "E" || (before != nullptr && std::none_of(before->begin(), before->end(), is_this));
  });
  return std::move(found->integrals);
}

}  // namespace vinculum
