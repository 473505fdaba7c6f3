// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/dynamics/kinematics_kernel.h"
#include "vinculum/math/pack.h"
#include "vinculum/math/rigid_inertia.h"

// Derivatives of the laws of trees. Everything in world axes about one fixed point O, the pole of the first link, so that twists,
// wrenches and inertias of different links are added as they stand.
//
// Columns: V_i = Σ_{k≤i} S_k v_k. "By q" is along a velocity: q' = N(q) e_j. Let column j stand on a base with twist V_b and
// acceleration A_b (gravity taken off), and be fixed in something with twist U: the base, or for a ball what it carries. Then for
// everything that column j carries
//
//   P_j = V_b × S_j ,   R_j = A_b × S_j + V_b × P_j ,   T_j = (U + V_b) × S_j
//   δ_j V = S_j × V + P_j ,   δ_j A = S_j × A + P_j × V + R_j
//   δ_j f = S_j ×* f + I R_j + B P_j ,   ∂f/∂v_j = I T_j + B S_j                 of f = I A + V ×* I V - load, the load following
//
// B: the Coriolis force of a slow additional turn ω of a body that moves already, B ω = (2 ω × h ; 2 N ω), with h the linear
// momentum, N = tr K - K and K = ∫ (velocity)(position)ᵀ dm. Like I and f it is additive: I, h, N and F below are those of all
// that column k carries. With G_k = I_k S_k and H_k = Bᵀ_k S_k
//
//   ∂tau_k/∂q_j = G_k·R_j + H_k·P_j ,                          ∂tau_k/∂v_j = G_k·T_j + H_k·S_j          k carried by j
//   ∂tau_k/∂q_j = S_k·(S_j ×* F_j + I_j R_j + B_j P_j) ,       ∂tau_k/∂v_j = S_k·(I_j T_j + B_j S_j)    j carried by k
//   A_kj = G_k·S_j
//
// Cost O(n depth).
namespace vinculum {

inline constexpr int kLanes = 4;

// Four numbers of a row that are worked on together: columns 4 b .. 4 b + 3 of block b.
struct alignas(8 * kLanes) Four {
  double lanes[kLanes];
};

// What moves at once: a free joint is a translation and a ball on it, every other link one stage.
struct Stage {
  enum class Kind : std::uint8_t { fixed, axis, translation, ball } kind = Kind::fixed;
  bool has_mass = false;
  int base = -1;  // stage
  int link = 0;
  int v = 0;
  double turn = 0, slide = 0;  // along its axis z, S = (slide z + turn p × z ; turn z)
};
inline constexpr int velocity_count(Stage::Kind kind) {
  constexpr int kCount[] = {0, 1, 3, 3};
  return kCount[static_cast<int>(kind)];
}

// A block of a row's pattern: bit i stands for column 4 block + i.
struct PatternBlock {
  int block = 0;
  std::uint8_t carriers = 0;  // columns that carry the row's, those of its own stage included
  std::uint8_t above = 0;     // those of other stages
};

// A stage about O. Inward, I, F, h and N become those of all it carries.
struct StageMotion {
  Twist V, A, increment;  // increment: of A, by the v' that is solved for
  RigidInertia own_I, I;
  Wrench own_F, F;
  Vector3 h;
  Matrix3 N;
};

struct Six {
  double values[6];
};
VINCULUM_INLINE Six to_six(const Twist& a) { return __builtin_bit_cast(Six, a); }
VINCULUM_INLINE Six to_six(const Wrench& a) { return __builtin_bit_cast(Six, a); }

// Columns in blocks of four.
struct ColumnBlock {
  Four S[6], P[3], R[6], T[6];
};
// What one column asks of all others.
struct ColumnFactors {
  Six G;
  Vector3 H;
  Six by_q, by_v;  // S_j ×* F_j + I_j R_j + B_j P_j, I_j T_j + B_j S_j
};

// Scratch of the derivatives: O(n²), sized once. Rows of matrices are padded to whole blocks.
struct DerivativesMemory {
  int velocities = 0, blocks = 0;
  Vector3 origin_W;  // O
  std::vector<Stage> stages;
  std::vector<int> driven;  // velocities whose acceleration is given

  // Of column k: the blocks of its row; all columns that carry it or share its stage, in order up to itself; the last that it
  // carries.
  std::vector<PatternBlock> pattern;
  std::vector<int> first_block, carriers, first_carrier, last_carried;
  std::vector<int> stage_of_column, stage_of_link, last_column;  // last_column: of a stage, its own or the nearest below; or -1
  bool dense = false;  // given forces couple different branches: the pattern does not hold for the derivatives of tau

  std::vector<StageMotion> motions;
  std::vector<Twist> S;  // columns
  std::vector<ColumnBlock> columns;
  std::vector<ColumnFactors> factors;
  std::vector<double> vdot, rest, inverse_pivots;

  std::vector<Four> mass;      // A, lower triangle, then L of A = Lᵀ D L
  std::vector<Four> tau;       // ∂tau/∂q and, beside it, ∂tau/∂v: outside the pattern zero unless dense
  std::vector<Four> solution;  // of A x = -that
  std::vector<Four> inverse;   // A⁻¹, upper triangle

  std::span<const PatternBlock> blocks_of(int k) const {
    return {pattern.data() + first_block[k], pattern.data() + first_block[k + 1]};
  }
  std::span<const int> carriers_of(int k) const {
    return {carriers.data() + first_carrier[k], carriers.data() + first_carrier[k + 1]};
  }
  std::span<const int> ancestors_of(int k) const {
    return {carriers.data() + first_carrier[k], carriers.data() + first_carrier[k + 1] - 1};
  }
  double* mass_row(int k) { return mass[k * blocks].lanes; }
  const double* mass_row(int k) const { return mass[k * blocks].lanes; }
  double* by_q_row(int k) { return tau[2 * k * blocks].lanes; }
  double* by_v_row(int k) { return tau[(2 * k + 1) * blocks].lanes; }
};

// Columns, motion and own forces of all stages for given v'; loads as for run_inverse.
VINCULUM_INLINE void move_stages(const Tree& tree, const LinkInWorld<double>* world, const double* v, const double* vdot,
                                 const Wrench* loads, DerivativesMemory& memory) {
  const Twist still{}, rising{-tree.gravity, {}};
  memory.origin_W = tree.links.empty() ? Vector3{} : world[0].p;
  for (size_t i = 0; i < memory.stages.size(); ++i) {
    const Stage& stage = memory.stages[i];
    const Link& link = tree.links[stage.link];
    const LinkInWorld<double>& seen = world[stage.link];
    const Vector3 p = seen.p - memory.origin_W;
    StageMotion& own = memory.motions[i];
    const Twist& V_b = stage.base < 0 ? still : memory.motions[stage.base].V;
    const Twist& A_b = stage.base < 0 ? rising : memory.motions[stage.base].A;
    Twist* S = memory.S.data() + stage.v;
    Twist V = V_b, relative{};
    const auto add = [&](int m, const Twist& column) {
      S[m] = column;
      V = multiply_add(v[stage.v + m], column, V);
      relative = multiply_add(vdot[stage.v + m], column, relative);
    };
    if (stage.kind == Stage::Kind::axis) {
      const Vector3 z = seen.R.z, turn = stage.turn * z;
      add(0, {multiply_add(stage.slide, z, cross(p, turn)), turn});
    } else if (stage.kind == Stage::Kind::translation) {
      const Matrix3 axes = link.parent == kGround ? link.C : world[link.parent].R * link.C;
      for (int m = 0; m < 3; ++m) add(m, {axes.column(m), {}});
    } else if (stage.kind == Stage::Kind::ball) {
      for (int m = 0; m < 3; ++m) add(m, {cross(p, seen.R.column(m)), seen.R.column(m)});
    }
    own.V = V;
    own.A = A_b + cross(V_b, V) + relative;  // Σ U × S_k v_k = V_b × V, whatever U
    if (stage.has_mass) {
      const RigidInertia I = to_base(seen.R, p, RigidInertia{link.mass, link.s, link.J});
      const Wrench momentum = I * V;
      // K = v sᵀ + [w] (½ tr J - J): the second factor holds the second moments of mass. [w] of a symmetric matrix has no trace.
      const double half = 0.5 * (I.J.xx + I.J.yy + I.J.zz), trace = dot(V.linear, I.s);
      const Vector3 x = cross(V.angular, Vector3{half - I.J.xx, -I.J.xy, -I.J.xz}),
                    y = cross(V.angular, Vector3{-I.J.xy, half - I.J.yy, -I.J.yz}),
                    z = cross(V.angular, Vector3{-I.J.xz, -I.J.yz, half - I.J.zz});
      own.own_I = I;
      own.own_F = I * own.A + cross(V, momentum);
      own.h = momentum.force;
      own.N = {Vector3{trace, 0, 0} - multiply_add(I.s.x, V.linear, x), Vector3{0, trace, 0} - multiply_add(I.s.y, V.linear, y),
               Vector3{0, 0, trace} - multiply_add(I.s.z, V.linear, z)};
    } else {
      own.own_I = {};
      own.own_F = {};
      own.h = {};
      own.N = {};
    }
    if (loads != nullptr && stage.kind != Stage::Kind::translation) own.own_F = own.own_F - to_base(seen.R, p, loads[stage.link]);
    own.I = own.own_I;
    own.F = own.own_F;
  }
}

// Inward: each stage hands what it carries to its base.
VINCULUM_INLINE void sum_stages(DerivativesMemory& memory) {
  for (size_t i = memory.stages.size(); i-- > 0;) {
    if (memory.stages[i].base < 0) continue;
    const StageMotion& own = memory.motions[i];
    StageMotion& base = memory.motions[memory.stages[i].base];
    base.I += own.I;
    base.F += own.F;
    base.h += own.h;
    base.N += own.N;
  }
}

using Lanes = Pack<kLanes>;

VINCULUM_INLINE Lanes load(const Four& block) { return Lanes::load(block.lanes); }

// x where a bit is set, 0 elsewhere.
VINCULUM_INLINE Lanes keep(unsigned bits, const Lanes& x) {
  const Lanes::Bits lane{1, 2, 4, 8};
  return select(Mask<kLanes>{(lane & static_cast<std::int64_t>(bits)) != 0}, x, Lanes(0));
}

VINCULUM_INLINE Lanes sum_products(const Vector3& a, const Four* b) {
  return multiply_add(Lanes(a.x), load(b[0]), multiply_add(Lanes(a.y), load(b[1]), Lanes(a.z) * load(b[2])));
}
VINCULUM_INLINE Lanes sum_products(const Six& a, const Four* b, Lanes sum) {
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) sum = multiply_add(Lanes(a.values[i]), load(b[i]), sum);
  return sum;
}

// Rows of A, lower triangle.
VINCULUM_INLINE void fill_mass_rows(DerivativesMemory& memory) {
  for (size_t i = 0; i < memory.stages.size(); ++i) {
    const Stage& stage = memory.stages[i];
    for (int k = stage.v; k < stage.v + velocity_count(stage.kind); ++k) {
      const Six S = to_six(memory.S[k]);
      memory.factors[k].G = to_six(memory.motions[i].I * memory.S[k]);
      ColumnBlock& block = memory.columns[k / kLanes];
      for (int m = 0; m < 6; ++m) block.S[m].lanes[k % kLanes] = S.values[m];
    }
  }
  for (int k = 0; k < memory.velocities; ++k) {
    double* row = memory.mass_row(k);
    for (const PatternBlock& at : memory.blocks_of(k))
      keep(at.carriers, sum_products(memory.factors[k].G, memory.columns[at.block].S, Lanes(0))).store(row + kLanes * at.block);
  }
}

// P, R, T of all columns and what they ask of the others.
VINCULUM_INLINE void fill_columns(const Tree& tree, DerivativesMemory& memory) {
  const Twist still{}, rising{-tree.gravity, {}};
  for (size_t i = 0; i < memory.stages.size(); ++i) {
    const Stage& stage = memory.stages[i];
    const StageMotion& own = memory.motions[i];
    const Twist& V_b = stage.base < 0 ? still : memory.motions[stage.base].V;
    const Twist& A_b = stage.base < 0 ? rising : memory.motions[stage.base].A;
    const Twist sum = V_b + (stage.kind == Stage::Kind::ball ? own.V : V_b);
    for (int j = stage.v; j < stage.v + velocity_count(stage.kind); ++j) {
      const Twist S = memory.S[j], P = cross(V_b, S), R = cross(A_b, S) + cross(V_b, P), T = cross(sum, S);
      const auto coriolis = [&](const Vector3& turn) {
        const Vector3 twice = 2 * turn;
        return Wrench{cross(twice, own.h), own.N * twice};
      };
      const Wrench by_q = cross(S, own.F) + own.I * R + coriolis(P.angular), by_v = own.I * T + coriolis(S.angular);
      const Vector3 H = 2 * (cross(own.h, S.linear) + transpose_times(own.N, S.angular));
      ColumnBlock& block = memory.columns[j / kLanes];
      ColumnFactors& factors = memory.factors[j];
      factors.H = H;
      factors.by_q = to_six(by_q);
      factors.by_v = to_six(by_v);
      const Six six_R = to_six(R), six_T = to_six(T);
      const int lane = j % kLanes;
      for (int m = 0; m < 6; ++m) {
        block.R[m].lanes[lane] = six_R.values[m];
        block.T[m].lanes[lane] = six_T.values[m];
      }
      for (int m = 0; m < 3; ++m) block.P[m].lanes[lane] = P.angular[m];
    }
  }
}

// ∂tau/∂q and ∂tau/∂v. Row k first where it is carried; what stands above the diagonal comes with later columns.
VINCULUM_INLINE void fill_tau_rows(DerivativesMemory& memory) {
  const int stride = kLanes * memory.blocks;
  for (int k = 0; k < memory.velocities; ++k) {
    const ColumnFactors& own = memory.factors[k];
    double *by_q = memory.by_q_row(k), *by_v = memory.by_v_row(k);
    for (const PatternBlock at : memory.blocks_of(k)) {
      const ColumnBlock& columns = memory.columns[at.block];
      const int first = kLanes * at.block;
      keep(at.carriers, sum_products(own.G, columns.R, sum_products(own.H, columns.P))).store(by_q + first);
      keep(at.carriers, sum_products(own.G, columns.T, sum_products(own.H, columns.S + 3))).store(by_v + first);
      const Lanes above_q = sum_products(own.by_q, columns.S, Lanes(0)), above_v = sum_products(own.by_v, columns.S, Lanes(0));
      double* column = memory.by_q_row(first) + k;
      for (int lane = 0; lane < kLanes; ++lane) {
        if ((at.above >> lane & 1) == 0) continue;
        column[2 * stride * lane] = above_q[lane];
        column[2 * stride * lane + stride] = above_v[lane];
      }
    }
  }
}

// A = Lᵀ D L from the last row up: rows of L have the pattern of A                             Featherstone 2008, section 6.5
// Driven velocities are taken out. The first velocity whose pivot is nothing beside the inertia it comes from, or -1; then L is
// not complete.
VINCULUM_INLINE int factor_mass(double smallest_ratio, DerivativesMemory& memory) {
  for (int driven : memory.driven) {
    for (const PatternBlock& at : memory.blocks_of(driven)) memory.mass[driven * memory.blocks + at.block] = {};
    for (int k = driven; k < memory.velocities; ++k) memory.mass_row(k)[driven] = 0;
    memory.mass_row(driven)[driven] = 1;
  }
  for (int k = memory.velocities - 1; k >= 0; --k) {
    double* row = memory.mass_row(k);
    const Stage& stage = memory.stages[memory.stage_of_column[k]];
    const RigidInertia& I = memory.motions[memory.stage_of_column[k]].I;
    const double scale = stage.turn * stage.turn * (I.J.xx + I.J.yy + I.J.zz) + stage.slide * stage.slide * 3 * I.mass;
    if (!(row[k] > smallest_ratio * scale)) return k;
    const double inverse = memory.inverse_pivots[k] = 1 / row[k];
    for (int i : memory.ancestors_of(k)) {
      const Lanes factor(-row[i] * inverse);
      double* target = memory.mass_row(i);
      for (const PatternBlock& at : memory.blocks_of(i)) {
        const int first = kLanes * at.block;
        multiply_add(factor, Lanes::load(row + first), Lanes::load(target + first)).store(target + first);
      }
    }
    for (int i : memory.ancestors_of(k)) row[i] *= inverse;
  }
  return -1;
}

// A⁻¹ y for one column of numbers.
VINCULUM_INLINE void solve_vector(const DerivativesMemory& memory, double* y) {
  for (int i = memory.velocities - 1; i >= 0; --i) {
    const double* L = memory.mass_row(i);
    for (int j : memory.ancestors_of(i)) y[j] = multiply_add(-L[j], y[i], y[j]);
  }
  for (int i = 0; i < memory.velocities; ++i) {
    const double* L = memory.mass_row(i);
    double x = y[i] * memory.inverse_pivots[i];
    for (int j : memory.ancestors_of(i)) x = multiply_add(-L[j], y[j], x);
    y[i] = x;
  }
}

// The first half of a solution, B := L⁻ᵀ B, block c of row i handed to the rows of its ancestors. Rows have `width` blocks.
VINCULUM_INLINE void eliminate_block(const DerivativesMemory& memory, int i, Four* rows, int width, int c) {
  const double* L = memory.mass_row(i);
  const Lanes own = load(rows[i * width + c]);
  for (int j : memory.ancestors_of(i)) {
    Four& target = rows[j * width + c];
    multiply_add(Lanes(-L[j]), own, load(target)).store(target.lanes);
  }
}

// The second half, X_i = ±(D⁻¹ B)_i - Σ L_ij X_j, blocks c .. c + count - 1 of row i.
template <int count>
VINCULUM_INLINE void substitute_blocks(const DerivativesMemory& memory, int i, double sign, const Four* rows, Four* solution,
                                       int width, int c) {
  const double* L = memory.mass_row(i);
  const Lanes inverse(sign * memory.inverse_pivots[i]);
  Lanes x[count];
#pragma GCC unroll 8
  for (int m = 0; m < count; ++m) x[m] = inverse * load(rows[i * width + c + m]);
  for (int j : memory.ancestors_of(i)) {
    const Lanes factor(-L[j]);
    const Four* from = solution + j * width + c;
#pragma GCC unroll 8
    for (int m = 0; m < count; ++m) x[m] = multiply_add(factor, load(from[m]), x[m]);
  }
#pragma GCC unroll 8
  for (int m = 0; m < count; ++m) x[m].store(solution[i * width + c + m].lanes);
}
VINCULUM_INLINE void substitute(const DerivativesMemory& memory, int i, double sign, const Four* rows, Four* solution, int width,
                                int c) {
  for (; c + 6 <= width; c += 6) substitute_blocks<6>(memory, i, sign, rows, solution, width, c);
  for (; c + 2 <= width; c += 2) substitute_blocks<2>(memory, i, sign, rows, solution, width, c);
  if (c < width) substitute_blocks<1>(memory, i, sign, rows, solution, width, c);
}

// X = -A⁻¹ B for any rows.
VINCULUM_INLINE void solve_dense_rows(const DerivativesMemory& memory, Four* rows, Four* solution, int width) {
  for (int i = memory.velocities - 1; i >= 0; --i) {
    for (int c = 0; c < width; ++c) eliminate_block(memory, i, rows, width, c);
  }
  for (int i = 0; i < memory.velocities; ++i) substitute(memory, i, -1, rows, solution, width, 0);
}

// The same for ∂tau/∂q and ∂tau/∂v: L⁻ᵀ keeps their pattern, a row's ancestors and all it carries.
VINCULUM_INLINE void solve_tau_rows(DerivativesMemory& memory) {
  const int width = 2 * memory.blocks;
  if (memory.dense) return solve_dense_rows(memory, memory.tau.data(), memory.solution.data(), width);
  Four* rows = memory.tau.data();
  const auto both = [&](int i, int c) __attribute__((always_inline)) {
    eliminate_block(memory, i, rows, width, c);
    eliminate_block(memory, i, rows, width, c + memory.blocks);
  };
  for (int i = memory.velocities - 1; i >= 0; --i) {
    int c = 0;
    for (const PatternBlock& at : memory.blocks_of(i)) {
      c = at.block;
      both(i, c);
    }
    for (++c; c <= memory.last_carried[i] / kLanes; ++c) both(i, c);
  }
  for (int i = 0; i < memory.velocities; ++i) substitute(memory, i, -1, rows, memory.solution.data(), width, 0);
}

// A⁻¹, upper triangle; nothing where a velocity is driven.
VINCULUM_INLINE void invert_mass(DerivativesMemory& memory) {
  const int width = memory.blocks;
  Four* rows = memory.inverse.data();
  for (int i = 0; i < memory.velocities; ++i) {
    for (int c = i / kLanes; c < width; ++c) rows[i * width + c] = {};
    rows[i * width + i / kLanes].lanes[i % kLanes] = 1;
  }
  for (int driven : memory.driven) rows[driven * width + driven / kLanes] = {};
  for (int i = memory.velocities - 1; i >= 0; --i) {
    for (int c = i / kLanes; c <= memory.last_carried[i] / kLanes; ++c) eliminate_block(memory, i, rows, width, c);
  }
  for (int i = 0; i < memory.velocities; ++i) substitute(memory, i, 1, rows, rows, width, i / kLanes);
}

// v' under the forces tau, in memory.vdot, which holds that of driven velocities and else zeros. Leaves L, and the motion for
// that v'. The velocity without inertia, or -1.
VINCULUM_INLINE int accelerate_stages(const Tree& tree, const LinkInWorld<double>* world, const double* v, const double* tau,
                                      const Wrench* loads, double smallest_ratio, DerivativesMemory& memory) {
  double *vdot = memory.vdot.data(), *rest = memory.rest.data();
  move_stages(tree, world, v, vdot, loads, memory);
  sum_stages(memory);
  fill_mass_rows(memory);
  if (const int velocity = factor_mass(smallest_ratio, memory); velocity >= 0) return velocity;

  for (size_t i = 0; i < memory.stages.size(); ++i) {
    const Stage& stage = memory.stages[i];
    for (int k = stage.v; k < stage.v + velocity_count(stage.kind); ++k) rest[k] = tau[k] - dot(memory.S[k], memory.motions[i].F);
  }
  for (int driven : memory.driven) rest[driven] = 0;
  solve_vector(memory, rest);

  // A grows by what v' brings, and the forces with it.
  for (size_t i = 0; i < memory.stages.size(); ++i) {
    const Stage& stage = memory.stages[i];
    StageMotion& own = memory.motions[i];
    own.increment = stage.base < 0 ? Twist{} : memory.motions[stage.base].increment;
    for (int k = stage.v; k < stage.v + velocity_count(stage.kind); ++k) {
      own.increment = multiply_add(rest[k], memory.S[k], own.increment);
      vdot[k] += rest[k];
    }
    own.A = own.A + own.increment;
    own.own_F += own.own_I * own.increment;
    own.F = own.own_F;
  }
  for (size_t i = memory.stages.size(); i-- > 0;) {
    if (memory.stages[i].base >= 0) memory.motions[memory.stages[i].base].F += memory.motions[i].F;
  }
  return -1;
}

// The entries of the kernel table (kernels.h).
struct DerivativeKernels {
  // A and ∂tau for given v'.
  void (*inverse)(const Tree& tree, const LinkInWorld<double>* world, const double* v, const double* vdot, const Wrench* loads,
                  DerivativesMemory& memory);
  int (*accelerate)(const Tree& tree, const LinkInWorld<double>* world, const double* v, const double* tau, const Wrench* loads,
                    double smallest_ratio, DerivativesMemory& memory);
  void (*differentiate)(const Tree& tree, DerivativesMemory& memory);  // ∂tau for the motion that is there
  void (*solve)(DerivativesMemory& memory);                            // -A⁻¹ ∂tau and A⁻¹
  void (*solve_rows)(const DerivativesMemory& memory, Four* rows, Four* solution, int width);
};

}  // namespace vinculum
