// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/derivatives.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/load_derivatives.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/memory.h"

namespace vinculum {

namespace {

void find_stages(const Tree& tree, DerivativesMemory& memory) {
  using enum Stage::Kind;
  for (int i = 0; i < static_cast<int>(tree.links.size()); ++i) {
    const Link& link = tree.links[i];
    Stage stage;
    stage.base = link.parent == kGround ? -1 : memory.stage_of_link[link.parent];
    stage.link = i;
    stage.v = link.v;
    const auto add = [&](Stage::Kind kind, double turn, double slide) {
      stage.kind = kind;
      stage.turn = turn;
      stage.slide = slide;
      memory.stages.push_back(stage);
      stage.base = static_cast<int>(memory.stages.size()) - 1;
      stage.v += velocity_count(kind);
    };
    switch (link.kind) {
      case LinkKind::fixed: add(fixed, 0, 0); break;
      case LinkKind::revolute: add(axis, 1, 0); break;
      case LinkKind::prismatic: add(axis, 0, 1); break;
      case LinkKind::screw: add(axis, 1, link.pitch); break;
      case LinkKind::free: add(translation, 0, 1); [[fallthrough]];
      case LinkKind::spherical: add(ball, 1, 0); break;
    }
    const Vector3 diagonal{link.J.xx, link.J.yy, link.J.zz};
    memory.stages.back().has_mass = link.mass > 0 || !(diagonal == Vector3{});
    memory.stage_of_link.push_back(static_cast<int>(memory.stages.size()) - 1);
  }
}

// Carriers of every column and the blocks of its row.
void find_pattern(DerivativesMemory& memory) {
  memory.first_block = memory.first_carrier = {0};
  for (const Stage& stage : memory.stages) {
    const int base = stage.base < 0 ? -1 : memory.last_column[stage.base];
    const int count = velocity_count(stage.kind), index = static_cast<int>(memory.last_column.size());
    memory.last_column.push_back(count > 0 ? stage.v + count - 1 : base);
    for (int k = stage.v; k < stage.v + count; ++k) {
      memory.stage_of_column.push_back(index);
      const auto first_pattern = memory.pattern.size();
      const auto put = [&](int column) {
        if (memory.pattern.size() == first_pattern || memory.pattern.back().block != column / kLanes)
          memory.pattern.push_back({column / kLanes});
        memory.pattern.back().carriers |= static_cast<std::uint8_t>(1u << column % kLanes);
      };
      // By index: the list grows while it is read.
      for (int at = base < 0 ? 0 : memory.first_carrier[base]; base >= 0 && at < memory.first_carrier[base + 1]; ++at) {
        const int column = memory.carriers[at];
        memory.carriers.push_back(column);
        put(column);
      }
      for (int column = stage.v; column < stage.v + count; ++column) {
        put(column);
        if (column <= k) memory.carriers.push_back(column);
      }
      memory.first_carrier.push_back(static_cast<int>(memory.carriers.size()));
      memory.first_block.push_back(static_cast<int>(memory.pattern.size()));
    }
  }
}

void find_carried(DerivativesMemory& memory) {
  std::vector<std::vector<int>> carried(memory.velocities);
  for (int k = 0; k < memory.velocities; ++k) {
    for (int j : memory.ancestors_of(k)) carried[j].push_back(k);
  }
  memory.first_carried = {0};
  for (const std::vector<int>& columns : carried) {
    memory.carried.insert(memory.carried.end(), columns.begin(), columns.end());
    memory.first_carried.push_back(static_cast<int>(memory.carried.size()));
  }
}

// In threes, as the solution wants them.
int blocks_for(int columns) { return 3 * ((columns + 3 * kLanes - 1) / (3 * kLanes)); }

DerivativesMemory make_memory(const Model& model) {
  const Tree& tree = model.tree();
  DerivativesMemory memory;
  const size_t n = memory.velocities = tree.velocities;
  const size_t blocks = memory.blocks = blocks_for(tree.velocities);
  for (const DrivenCoordinate& driven : model.driven()) memory.driven.push_back(driven.v);
  find_stages(tree, memory);
  find_pattern(memory);
  find_carried(memory);
  memory.motions.resize(memory.stages.size());
  memory.S.resize(n);
  memory.columns.resize(blocks);
  memory.factors.resize(n);
  memory.vdot.resize(n);
  memory.rest.resize(n);
  memory.pivots.resize(n);
  memory.mass.resize(n * blocks);
  memory.above.resize(2 * blocks);
  memory.tau.resize(kMatrices * n * blocks);
  memory.solution.resize(kMatrices * n * blocks);
  return memory;
}

// Padded rows of one matrix, or of one of several that take turns, block by block.
void copy_rows(const Four* rows, int count, int width, int step, int columns, RowMatrix& result) {
  result.resize(count, columns);
  double* target = result.data();
  for (int i = 0; i < count; ++i) {
    const Four* from = rows + i * width;
    int rest = columns;
    for (; rest >= kLanes; rest -= kLanes, target += kLanes, from += step) std::memcpy(target, from->lanes, sizeof from->lanes);
    if (rest > 0) target = std::copy_n(from->lanes, rest, target);
  }
}

void copy_derivatives(const DerivativesMemory& memory, const std::vector<Four>& rows, By by, RowMatrix& result) {
  copy_rows(rows.data() + static_cast<int>(by), memory.velocities, kMatrices * memory.blocks, kMatrices, memory.velocities,
            result);
}

}  // namespace

struct DerivativesWorkspace::Memory {
  explicit Memory(const Model& model) : links(model), tree(make_memory(model)), loads(model, tree) {
    tree.couples_branches = loads.couples_branches();
  }

  Workspace links;
  DerivativesMemory tree;
  LoadDerivatives loads;
  std::vector<Four> regressor, regressor_solution;
};

DerivativesWorkspace::DerivativesWorkspace(const Model& model) : memory_(std::make_unique<Memory>(model)) {}
DerivativesWorkspace::~DerivativesWorkspace() = default;
Workspace& DerivativesWorkspace::links() { return memory_->links; }
DerivativesWorkspace::DerivativesWorkspace(DerivativesWorkspace&&) noexcept = default;
DerivativesWorkspace& DerivativesWorkspace::operator=(DerivativesWorkspace&&) noexcept = default;

namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

// Places, velocities and given forces; the loads, or null if there are none.
const Wrench* prepare(const Model& model, const State& state, Workspace::Memory& links) {
  see_bodies(model, state.q, state.v, links);
  compute_joint_laws(model, state.t, state.q, state.v, links);
  return compute_loads_on_links(model, state.t, state.q, state.v, links);
}

// v' and the factors of A; the reason if there are none.
std::optional<Failure> accelerate(const Model& model, const State& state, DerivativesWorkspace::Memory& memory) {
  Workspace::Memory& links = memory.links.memory();
  const Wrench* loads = prepare(model, state, links);
  std::fill(memory.tree.vdot.begin(), memory.tree.vdot.end(), 0.0);
  compute_driven_accelerations(model, state.t, links);
  for (const DrivenCoordinate& driven : model.driven()) memory.tree.vdot[driven.v] = links.vdot[driven.v];
  const int singular = kernels().derivatives.accelerate(model.tree(), links.world.data(), state.v.data(), links.tau.data(), loads,
                                                        kNoInertia, memory.tree);
  if (singular >= 0) {
    const auto forward = compute_forward_dynamics(model, state, memory.links);
    return forward ? singular_mass_matrix(model.velocity_names()[singular]) : forward.failure();
  }
  if (!all_finite(memory.tree.vdot)) return explain_no_value(model, state);
  return std::nullopt;
}

void clear_coupled_rows(DerivativesMemory& memory) {
  if (memory.couples_branches) std::fill(memory.tau.begin(), memory.tau.end(), Four{});
}

}  // namespace

std::optional<Failure> compute_inverse_derivatives(const Model& model, const State& state, std::span<const double> accelerations,
                                                   DerivativesWorkspace& workspace, InverseDerivatives& result) {
  DerivativesWorkspace::Memory& memory = workspace.memory();
  DerivativesMemory& tree = memory.tree;
  Workspace::Memory& links = memory.links.memory();
  const Wrench* loads = prepare(model, state, links);
  clear_coupled_rows(tree);
  kernels().derivatives.inverse(model.tree(), links.world.data(), state.v.data(), accelerations.data(), loads, tree);
  if (!memory.loads.subtract_loads(model, state, links, tree)) return explain_no_value(model, state);
  copy_derivatives(tree, tree.tau, By::q, result.by_q);
  copy_derivatives(tree, tree.tau, By::v, result.by_v);
  if (loads != nullptr && !(result.by_q.allFinite() && result.by_v.allFinite())) return explain_no_value(model, state);

  const int n = tree.velocities;
  result.by_acceleration.setZero(n, n);
  for (int k = 0; k < n; ++k) {
    for (int j : tree.carriers_of(k)) result.by_acceleration(k, j) = result.by_acceleration(j, k) = tree.mass_row(k)[j];
  }
  return std::nullopt;
}

std::optional<Failure> compute_forward_derivatives(const Model& model, const State& state, DerivativesWorkspace& workspace,
                                                   ForwardDerivatives& result) {
  DerivativesWorkspace::Memory& memory = workspace.memory();
  DerivativesMemory& tree = memory.tree;
  Workspace::Memory& links = memory.links.memory();
  if (auto failure = accelerate(model, state, memory)) return failure;
  clear_coupled_rows(tree);
  kernels().derivatives.differentiate(model.tree(), tree);
  const bool finite =
      memory.loads.subtract_loads(model, state, links, tree) && memory.loads.subtract_joint_laws(model, state, links, tree);
  if (!finite) return explain_no_value(model, state);
  kernels().derivatives.solve(tree);

  result.accelerations = tree.vdot;
  copy_derivatives(tree, tree.solution, By::q, result.by_q);
  copy_derivatives(tree, tree.solution, By::v, result.by_v);
  copy_derivatives(tree, tree.solution, By::tau, result.by_tau);
  return std::nullopt;
}

std::vector<double> inertial_parameters(const Model& model) {
  std::vector<double> parameters;
  for (const Body& body : model.bodies()) {
    const Vector3 c = body.mass * body.p_BoBcm_B;
    const Symmetric3 J = body.I_Bcm_B + body.mass * star(body.p_BoBcm_B);
    parameters.insert(parameters.end(), {body.mass, c.x, c.y, c.z, J.xx, J.yy, J.zz, J.xy, J.xz, J.yz});
  }
  return parameters;
}

namespace {

// The inertia of a unit of each parameter.
constexpr RigidInertia kUnitInertia[kInertialParameters] = {
    {1, {}, {}},
    {0, {1, 0, 0}, {}},
    {0, {0, 1, 0}, {}},
    {0, {0, 0, 1}, {}},
    {0, {}, {1, 0, 0, 0, 0, 0}},
    {0, {}, {0, 1, 0, 0, 0, 0}},
    {0, {}, {0, 0, 1, 0, 0, 0}},
    {0, {}, {0, 0, 0, 1, 0, 0}},
    {0, {}, {0, 0, 0, 0, 1, 0}},
    {0, {}, {0, 0, 0, 0, 0, 1}},
};

int parameter_count(const Model& model) { return kInertialParameters * static_cast<int>(model.bodies().size()); }

// Y for the motion that is there: each unit asks for f = I A + V ×* I V, and every column that carries it takes its part.
void fill_regressor(const Model& model, DerivativesWorkspace::Memory& memory) {
  const DerivativesMemory& tree = memory.tree;
  const size_t width = blocks_for(parameter_count(model));
  memory.regressor.assign(width * tree.velocities, Four{});
  for (size_t b = 0; b < model.bodies().size(); ++b) {
    const Body& body = model.bodies()[b];
    const LinkInWorld<double>& link = memory.links.memory().world[body.link];
    const int stage = tree.stage_of_link[body.link], last = tree.last_column[stage];
    if (last < 0) continue;
    const StageMotion& motion = tree.motions[stage];
    for (int m = 0; m < kInertialParameters; ++m) {
      const RigidInertia I = to_base(link.R * body.R_LB, link.p - tree.origin_W, kUnitInertia[m]);
      const Wrench f = I * motion.A + cross(motion.V, I * motion.V);
      constexpr int lanes = sizeof(Four::lanes) / sizeof(double);
      const int column = kInertialParameters * b + m;
      for (int k : tree.carriers_of(last)) memory.regressor[k * width + column / lanes].lanes[column % lanes] = dot(tree.S[k], f);
    }
  }
}

}  // namespace

void compute_inertia_regressor(const Model& model, const State& state, std::span<const double> accelerations,
                               DerivativesWorkspace& workspace, RowMatrix& regressor) {
  DerivativesWorkspace::Memory& memory = workspace.memory();
  Workspace::Memory& links = memory.links.memory();
  prepare(model, state, links);
  kernels().derivatives.inverse(model.tree(), links.world.data(), state.v.data(), accelerations.data(), nullptr, memory.tree);
  fill_regressor(model, memory);
  copy_rows(memory.regressor.data(), memory.tree.velocities, blocks_for(parameter_count(model)), 1, parameter_count(model),
            regressor);
}

std::optional<Failure> compute_inertia_derivatives(const Model& model, const State& state, DerivativesWorkspace& workspace,
                                                   RowMatrix& by_parameters) {
  DerivativesWorkspace::Memory& memory = workspace.memory();
  if (auto failure = accelerate(model, state, memory)) return failure;
  fill_regressor(model, memory);
  const int width = blocks_for(parameter_count(model));
  for (int driven : memory.tree.driven) std::fill_n(memory.regressor.begin() + driven * width, width, Four{});
  memory.regressor_solution.resize(memory.regressor.size());
  kernels().derivatives.solve_rows(memory.tree, memory.regressor.data(), memory.regressor_solution.data(), width);
  copy_rows(memory.regressor_solution.data(), memory.tree.velocities, width, 1, parameter_count(model), by_parameters);
  return std::nullopt;
}

}  // namespace vinculum
