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
  if (found || !chosen->sums || found.failure().cause() != FailureCause::undecided_rank) return found;
  // Which sums are conserved cannot be told; a candidate by itself may still stand out.
  chosen->sums = false;
  return find_integrals(model, start, *chosen);
}

}  // namespace

Outcome<std::vector<Integral>> find_watched(const Model& model, const State& start, const RunOptions& options,
                                            RunListener& listener, const std::vector<IntegralDrift>* before) {
  if (!options.watch_integrals) return Failure{"VN-INTEGRAL-151", "not looked for, as asked by --no-integrals", ""};
  const std::vector<OneSided>& one_sided = model.one_sided();
  const bool slips = may_slip(options.follow, model);
  const auto may_part = [&](const OneSided& element) { return options.parts() && !element.always_followed; };
  if (slips || std::any_of(one_sided.begin(), one_sided.end(), may_part)) return std::vector<Integral>{};
  if (refuse_guide_friction(model)) return std::vector<Integral>{};  // dry friction conserves nothing
  auto found = search(model, start, listener);
  if (!found) return found.failure();
  const auto keep_named_in = [&](const auto& list) {
    std::erase_if(found->integrals, [&](const Integral& integral) {
      return std::none_of(list.begin(), list.end(), [&](const auto& other) { return other.name == integral.name; });
    });
  };
  if (model.has_followed_rows(false)) {
    // Strings come and go: what is kept with all of them and with none.
    for (const bool taut : {true, false}) {
      State other = start;
      other.modes = model.usual_modes();
      for (const OneSided& element : one_sided) {
        if (element.always_followed) other.modes[element.mode] = taut ? model.rows()[element.row].when : element.without;
      }
      if (other.modes == start.modes) continue;
      const auto kept = search(model, other, listener);
      if (!kept) return std::vector<Integral>{};
      keep_named_in(kept->integrals);
    }
  }
  if (before != nullptr) keep_named_in(*before);
  std::erase_if(found->integrals, [](const Integral& integral) { return integral.name == "E"; });
  return std::move(found->integrals);
}

}  // namespace vinculum
