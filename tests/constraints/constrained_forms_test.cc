// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Three forms, one answer, with rows: accelerations, multipliers, and the joint reactions each finds by itself.
#include <filesystem>

#include <gtest/gtest.h>

#include "vinculum/constrained/constrained_forms.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing {
namespace {

TEST(ConstrainedForms, AgreeOnAllExamples) {
  int compared = 0, moving = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(VINCULUM_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    Diagnostics diagnostics;
    const auto model = read_model_file(entry.path().string(), diagnostics);
    if (!model || model->is_plain_tree()) continue;
    const ConstraintSet set(*model);
    Workspace workspace(*model);
    const auto start = project_state(set, model->initial_state(), workspace);
    if (!start) continue;
    const auto recursive = compute_constrained_dynamics(set, start->state, workspace);
    if (!recursive) continue;
    SCOPED_TRACE(entry.path().string());
    for (const auto compute : {compute_constrained_vector_dynamics, compute_constrained_aggregate_dynamics}) {
      const auto rows = compute_constraint_rows(set, start->state);
      const auto by_form = compute(set, start->state, *rows, workspace);
      ASSERT_TRUE(by_form) << by_form.failure().message;
      const auto& a = recursive->solution;
      EXPECT_LE((by_form->solution.accelerations - a.accelerations).norm(), 1e-9 * (1 + a.accelerations.norm()));
      EXPECT_LE((by_form->solution.multipliers - a.multipliers).norm(), 1e-8 * (1 + a.multipliers.norm()));
      double size = 1;
      for (const Wrench& w : recursive->dynamics.reactions_W) size = std::max({size, norm(w.force), norm(w.moment)});
      for (size_t i = 0; i < model->bodies().size(); ++i) {
        const Wrench &x = by_form->dynamics.reactions_W[i], &y = recursive->dynamics.reactions_W[i];
        EXPECT_LE(norm(x.force - y.force) + norm(x.moment - y.moment), 1e-9 * size) << model->bodies()[i].name;
        moving += norm(y.force) > 0.1 ? 1 : 0;
      }
    }
    ++compared;
  }
  EXPECT_GE(compared, 12);
  EXPECT_GE(moving, 20);
}

}  // namespace
}  // namespace vinculum::testing
