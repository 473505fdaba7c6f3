// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "vinculum/integration/dop853.h"
#include "vinculum/integration/integrator.h"
#include "vinculum/integration/sundials.h"
#include "vinculum/integration/taylor.h"

namespace vinculum {

std::unique_ptr<Integrator> make_integrator(std::string_view name) {
  if (name == "dop853") return std::make_unique<Dop853>();
  if (name == "taylor") return std::make_unique<Taylor>();
  if (name == "cvode") return make_cvode();
  if (name == "arkode") return make_arkode();
  return nullptr;
}

Failure stopped_at(double t) { return {"VN-RUN-111", fmt::format("stopped on request at t = {:g} s", t), "start the run again"}; }

std::vector<std::string> integrator_names() { return {"dop853", "taylor", "cvode", "arkode"}; }

}  // namespace vinculum
