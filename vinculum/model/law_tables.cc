// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/law_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

void visit_tabled_laws(const Model& model, const auto& visit) {
  const auto see_own = [&](const Expression& law, const OwnVariables* own) {
    if (!law.tables().empty()) visit(law, own);
  };
  model.forces().for_each([&](const auto& law) { law.visit_formulas(law, see_own); });
  const auto see = [&](const Expression& law) { see_own(law, nullptr); };
  for (const DrivenCoordinate& driven : model.driven()) see(driven.law);
  for (const ExtraState& state : model.extra_states()) see(state.rate);
  for (const EnvironmentBody& body : model.environment()) {
    std::ranges::for_each(body.position, see);
    for (const EnvironmentBody::TurnLaw& turn : body.turns) see(turn.angle);
  }
}

}  // namespace

bool has_law_tables(const Model& model) {
  bool found = false;
  visit_tabled_laws(model, [&](const Expression&, const OwnVariables*) { found = true; });
  return found;
}

std::optional<Failure> find_outside_table(const Model& model, const Bindings& at) {
  std::optional<Failure> failure;
  std::vector<double> values;
  visit_tabled_laws(model, [&](const Expression& law, const OwnVariables* own) {
    if (failure) return;
    evaluate(law, with_own(at, own), values);
    for (const Step& step : law.steps()) {
      if (step.operation != Operation::table || failure) continue;
      const double x = values[step.left];
      const auto& pieces = step.table->values.pieces;
      const int piece = step.table->values.find(x);
      if (!std::isfinite(x) || !std::isnan(pieces[piece].c[0])) continue;
      failure =
          Failure{"VN-RUN-171",
                  fmt::format("the table '{}' has no value {} {:.6g}: it goes from {:.6g} to {:.6g}", step.table->name,
                              x > step.table->last ? "beyond" : "below",
                              x > step.table->last ? step.table->last : step.table->first, step.table->first, step.table->last),
                  "end the run before, give more points, or say `outside: hold` or `outside: extend` in the table"};
    }
  });
  return failure;
}

}  // namespace vinculum
