// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot from C++: a torque of a motor and a load on the hand, what accelerates, and the torque back from inverse dynamics.
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "vinculum/vinculum.h"

using namespace vinculum;

int main(int argc, char** argv) {
  Diagnostics diagnostics;
  const auto file = read_model_file(argc > 1 ? argv[1] : "examples/six-axis-arm/model.yaml", diagnostics);
  std::optional<Model> robot;
  if (file) {
    ModelDescription words = file->description();
    words.motions.clear();  // the file gives the motion of every joint; here the joints are free
    robot = build_model(std::move(words), diagnostics);
  }
  for (const Diagnostic& diagnostic : diagnostics.list()) std::fprintf(stderr, "%s\n", to_text(diagnostic).c_str());
  if (!robot) return 1;
  const auto shoulder = robot->find_velocity("upper_arm'"), hand = robot->find_body("flange");
  if (!shoulder || !hand) return 1;

  // 40 N*m at the shoulder, and 2 kg that hang from the hand: a force along -z, without a moment about the origin of its frame.
  const State state = robot->initial_state();
  std::vector<double> torques(state.v.size());
  torques[*shoulder] = 40;
  std::vector<Wrench> wrenches(robot->bodies().size());
  wrenches[*hand].force = {0, 0, -2 * 9.81};
  const Applied applied{.tau = torques, .wrenches_W = wrenches};

  Workspace workspace(*robot);
  const auto forward = compute_forward_dynamics(*robot, state, workspace, applied);
  if (!forward) {
    std::fprintf(stderr, "%s\n", forward.failure().message.c_str());
    return 1;
  }

  // The way back: which torques give these accelerations under the same load.
  const InverseDynamics inverse =
      compute_inverse_dynamics(*robot, state, forward->accelerations, workspace, {.tau = {}, .wrenches_W = wrenches});
  for (size_t i = 0; i < torques.size(); ++i)
    std::printf("%-12s accelerates by %10.4f rad/s^2, torque %9.4f N*m\n", robot->velocity_names()[i].c_str(),
                forward->accelerations[i], inverse.forces[i]);
  return 0;
}
