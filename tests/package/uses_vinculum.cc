// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A program outside the tree: the accelerations of a model, with the headers and the library that were installed.
#include <cstdio>

#include "vinculum/version.h"
#include "vinculum/vinculum.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  vinculum::Diagnostics diagnostics;
  const auto model = vinculum::read_model_file(argv[1], diagnostics);
  if (!model) return 1;
  vinculum::Workspace workspace(*model);
  const auto forward = vinculum::compute_forward_dynamics(*model, model->initial_state(), workspace);
  if (!forward) return 1;
  std::printf("headers %s, library %s\n", VINCULUM_VERSION, vinculum::version().c_str());
  for (size_t i = 0; i < forward->accelerations.size(); ++i)
    std::printf("%s %.17g\n", model->velocity_names()[i].c_str(), forward->accelerations[i]);
  return 0;
}
