// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/workspace.h"

#include "vinculum/dynamics/memory.h"

namespace vinculum {

Workspace::Workspace(const Model& model) : memory_(std::make_unique<Memory>()) {
  const size_t links = model.tree().links.size();
  const size_t velocities = static_cast<size_t>(model.tree().velocities);
  memory_->links.resize(links);
  memory_->world.resize(links);
  memory_->composite.resize(links);
  memory_->loads.resize(links);
  memory_->accelerations_W.resize(links);
  memory_->subsystems.resize(links);
  memory_->tau.resize(velocities);
  memory_->vdot.resize(velocities);
  memory_->pivots.resize(velocities);
  memory_->environment.resize(model.environment().size());
}

Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

}  // namespace vinculum
