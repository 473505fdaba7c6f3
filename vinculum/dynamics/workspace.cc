// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/workspace.h"

#include "vinculum/dynamics/memory.h"

namespace vinculum {

Workspace::Workspace(const Model& model) : memory_(std::make_unique<Memory>()) {
  const size_t links = model.tree().links.size();
  const size_t velocities = static_cast<size_t>(model.tree().velocities);
  memory_->turns.resize(2 * static_cast<size_t>(model.tree().coordinates));
  memory_->motions.resize(links);
  memory_->wrenches.resize(links);
  memory_->responses.resize(links);
  memory_->slots.resize(static_cast<size_t>(model.tree().slots));
  memory_->pivots.resize(velocities);
  memory_->world.resize(links);
  memory_->loads.resize(links);
  memory_->tau.resize(velocities);
  memory_->vdot.resize(velocities);
  memory_->environment.resize(model.environment().size());
  memory_->expression.resize(static_cast<size_t>(model.longest_expression()));
}

Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

}  // namespace vinculum
