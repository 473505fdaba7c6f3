// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "vinculum/analysis/integrals.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

namespace {

// All strings count as taut unless --taut names some: then these, and those that the state has taut. None after telling which
// name is no string.
std::optional<State> choose_taut(const IntegralsOptions& options, const Model& model, State state, Reply& reply, int& exit_code) {
  const TautStrings strings = make_taut(model, options.taut, state);
  if (strings.unknown) {
    exit_code = reply.refuse_usage(fmt::format("--taut: there is no string '{}'", *strings.unknown),
                                   strings.nearest.empty() ? "" : fmt::format("did you mean '{}'?", strings.nearest));
    return std::nullopt;
  }
  if (strings.taut.empty() && strings.slack.empty()) return state;
  reply.json()["taut"] = strings.taut;
  reply.json()["slack"] = strings.slack;
  std::string left_out;
  for (const std::string& name : strings.slack) left_out += (left_out.empty() ? "" : ", ") + name;
  if (!left_out.empty())
    reply.say(fmt::format("left out, slack: {}; where they pull, less is conserved (--taut names strings that do)", left_out));
  return state;
}

Json to_json(const IntegralSearch& search, const Integral& integral) {
  Json terms = Json::object();
  for (const auto& [candidate, coefficient] : integral.terms) terms[search.candidates[candidate].name] = coefficient;
  if (integral.by_time != 0) terms["t"] = integral.by_time;
  return terms;
}

Json to_json(const DecisionGap& gap) {
  const auto number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  return {{"zero", number(gap.zero)}, {"nonzero", number(gap.nonzero)}, {"ratio", number(gap.ratio())}};
}

std::string gap_text(const DecisionGap& gap) {
  if (!gap.nonzero) return "all rates are zero to round-off";
  if (!gap.zero) return fmt::format("smallest rate {:.0e} of its scale", *gap.nonzero);
  return fmt::format("nonzero rates exceed round-off by a factor of {:.0e}", *gap.ratio());
}

// The widest search that ends in about ten seconds, with what it leaves out.
Outcome<IntegralSearch> search_integrals(const Model& model, const State& state, std::vector<std::string>& left_out,
                                         const AskStop& stop) {
  constexpr int kMostMomenta = 1000;
  constexpr double kMostOperations = 3e10;
  const int velocities = model.tree().velocities;
  auto options = choose_search(model, kMostOperations, velocities <= kMostMomenta, true);
  if (!options) return options.failure();
  options->stop = stop;
  if (velocities > kMostMomenta) {
    left_out.push_back(fmt::format("generalized momenta: more than {} velocities", kMostMomenta));
  } else if (!options->generalized_momenta) {
    left_out.push_back("generalized momenta: the model is too large for them");
  }
  const bool has_inner = std::ranges::any_of(model.bodies(), [](const Body& body) { return body.parent != kWorld; });
  if (has_inner && !options->inner)
    left_out.push_back("bodies on other bodies with all they carry: the model is too large for them");
  if (!options->sums) left_out.push_back("sums of candidates: the model is too large for them");
  auto found = find_integrals(model, state, *options);
  if (found || !options->sums || found.failure().cause() != FailureCause::undecided_rank) return found;
  // Which sums are conserved cannot be told; a candidate by itself may still stand out.
  options->sums = false;
  auto alone = find_integrals(model, state, *options);
  if (alone) left_out.push_back("sums of candidates: " + found.failure().message);
  return alone;
}

}  // namespace

int answer_integrals(const IntegralsOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = refuse_joint_friction(*model, "the search for integrals")) return reply.fail(*refusal);
  if (const auto refusal = refuse_guide_friction(*model)) return reply.fail(*refusal);
  const auto around = choose_taut(options, *model, *state, reply, exit_code);
  if (!around) return exit_code;
  reply.begin_computing();
  std::vector<std::string> left_out;
  const auto search = search_integrals(*model, *around, left_out, reply.stop());
  if (!search) return reply.fail(search.failure());
  for (const std::string& body : search->undecided)
    left_out.push_back(
        fmt::format("'{}' with the bodies it carries: zero and nonzero values are too close to distinguish", body));

  Json& json = reply.json();
  json["integrals"] = json["candidates"] = json["identities"] = Json::array();
  for (const IntegralCandidate& candidate : search->candidates) json["candidates"].push_back(candidate.name);
  for (const Integral& identity : search->identities)
    json["identities"].push_back({{"name", identity.name}, {"terms", to_json(*search, identity)}});
  for (const Integral& integral : search->integrals) {
    json["integrals"].push_back({{"name", integral.name},
                                 {"terms", to_json(*search, integral)},
                                 {"unit", integral.unit},
                                 {"why", integral.why},
                                 {"proven", integral.doubt.empty()}});
  }
  json["count"] = search->integrals.size();
  json["independent_functions"] = search->independent_functions ? Json(*search->independent_functions) : Json();
  json["samples"] = search->samples;
  json["gap"] = to_json(search->rates);

  reply.say(
      fmt::format("{} first integral{} among {} candidates (E, momenta P, L about the origin, K about the mass centre, p = A v)",
                  search->integrals.size(), search->integrals.size() == 1 ? "" : "s", search->candidates.size()));
  for (const Integral& integral : search->integrals) reply.say(fmt::format("  {:<16} {}", integral.name, integral.why));
  if (!search->one_sided.empty()) json["one_sided"] = Json::array();
  for (const auto& [name, broken] : search->one_sided) {
    json["one_sided"].push_back({{"name", name}, {"broken_by", broken}});
    reply.say(fmt::format("  {:<16} only on this side of a kink: not constant for {}", name, broken));
  }
  if (!search->unseen_sides.empty()) json["not_tried"] = search->unseen_sides;
  for (const std::string& side : search->unseen_sides)
    reply.say(fmt::format("not tested: no state was found for {}; the results may not hold there", side));
  reply.say(search->independent_functions
                ? fmt::format("independent functions: {} of {}", *search->independent_functions, search->integrals.size())
                : "independent functions: not computed with contacts, or if sums were left out");
  if (!left_out.empty()) json["not_considered"] = left_out;
  for (const std::string& what : left_out) reply.say("not considered: " + what);
  reply.say(fmt::format("tested at {} random states; {}", search->samples, gap_text(search->rates)));
  return reply.finish(kDone);
}

}  // namespace vinculum
