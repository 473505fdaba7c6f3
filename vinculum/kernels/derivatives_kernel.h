// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/kernels/kinematics_kernel.h"
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
VINCULUM_INLINE Six to_six(const Vector3& a, const Vector3& b) { return {{a.x, a.y, a.z, b.x, b.y, b.z}}; }
VINCULUM_INLINE Six to_six(const Twist& a) { return to_six(a.linear, a.angular); }
VINCULUM_INLINE Six to_six(const Wrench& a) { return to_six(a.force, a.moment); }

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

enum class By { q, v, tau };
inline constexpr int kMatrices = 3;

// Scratch of the derivatives: O(n²), sized once. Rows of matrices are padded to whole blocks.
struct DerivativesMemory {
  int velocities = 0, blocks = 0;
  Vector3 origin_W;  // O
  std::vector<Stage> stages;
  std::vector<int> driven;  // velocities whose acceleration is given

  // Of column k: the blocks of its row; all columns that carry it or share its stage, in order up to itself.
  std::vector<PatternBlock> pattern;
  std::vector<int> first_block, carriers, first_carrier;
  std::vector<int> carried, first_carried;                       // the other way round: all columns that it carries
  std::vector<int> stage_of_column, stage_of_link, last_column;  // last_column: of a stage, its own or the nearest below; or -1
  bool couples_branches = false;  // given forces do: then the pattern does not hold for the derivatives of tau

  std::vector<StageMotion> motions;
  std::vector<Twist> S;  // columns
  std::vector<ColumnBlock> columns;
  std::vector<ColumnFactors> factors;
  std::vector<double> vdot, rest, pivots;
  std::vector<Four> above;  // of one column, the rows above the diagonal

  std::vector<Four> mass;      // A, lower triangle, then L of A = Lᵀ D L; above the diagonal there is nothing of use
  std::vector<Four> tau;       // ∂tau/∂q, ∂tau/∂v and -1: a block of each in turn
  std::vector<Four> solution;  // of A x = -that

  std::span<const PatternBlock> blocks_of(int k) const {
    return {pattern.data() + first_block[k], pattern.data() + first_block[k + 1]};
  }
  std::span<const int> carriers_of(int k) const {
    return {carriers.data() + first_carrier[k], carriers.data() + first_carrier[k + 1]};
  }
  std::span<const int> ancestors_of(int k) const {
    return {carriers.data() + first_carrier[k], carriers.data() + first_carrier[k + 1] - 1};
  }
  std::span<const int> carried_by(int k) const {
    return {carried.data() + first_carried[k], carried.data() + first_carried[k + 1]};
  }
  double* mass_row(int k) { return mass[k * blocks].lanes; }
  const double* mass_row(int k) const { return mass[k * blocks].lanes; }
  double& tau_entry(int k, int j, By by) {
    return tau[kMatrices * (k * blocks + j / kLanes) + static_cast<int>(by)].lanes[j % kLanes];
  }
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
    const Twist A = A_b + cross(V_b, V) + relative;  // Σ U × S_k v_k = V_b × V, whatever U
    RigidInertia I;
    Wrench F;
    Vector3 h;
    Matrix3 N;
    if (stage.has_mass) {
      I = to_base(seen.R, p, RigidInertia{link.mass, link.s, link.J});
      const Wrench momentum = I * V;
      // K = v sᵀ + [w] (½ tr J - J): the second factor holds the second moments of mass. [w] of a symmetric matrix has no trace.
      const double half = 0.5 * (I.J.xx + I.J.yy + I.J.zz), trace = dot(V.linear, I.s);
      const Vector3 x = cross(V.angular, Vector3{half - I.J.xx, -I.J.xy, -I.J.xz}),
                    y = cross(V.angular, Vector3{-I.J.xy, half - I.J.yy, -I.J.yz}),
                    z = cross(V.angular, Vector3{-I.J.xz, -I.J.yz, half - I.J.zz});
      F = I * A + cross(V, momentum);
      h = momentum.force;
      N = {Vector3{trace, 0, 0} - multiply_add(I.s.x, V.linear, x), Vector3{0, trace, 0} - multiply_add(I.s.y, V.linear, y),
           Vector3{0, 0, trace} - multiply_add(I.s.z, V.linear, z)};
    }
    if (loads != nullptr && stage.kind != Stage::Kind::translation) F = F - to_base(seen.R, p, loads[stage.link]);
    own = {V, A, {}, I, I, F, F, h, N};
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
    for (int b = 0; b < memory.blocks; ++b) memory.mass[k * memory.blocks + b] = {};
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
  const int width = kMatrices * memory.blocks;
  Four *tau = memory.tau.data(), *above = memory.above.data();
  for (int k = 0; k < memory.velocities; ++k) {
    const ColumnFactors& own = memory.factors[k];
    for (const PatternBlock& at : memory.blocks_of(k)) {
      const ColumnBlock& columns = memory.columns[at.block];
      Four* target = tau + k * width + kMatrices * at.block;
      keep(at.carriers, sum_products(own.G, columns.R, sum_products(own.H, columns.P))).store(target[0].lanes);
      keep(at.carriers, sum_products(own.G, columns.T, sum_products(own.H, columns.S + 3))).store(target[1].lanes);
      sum_products(own.by_q, columns.S, Lanes(0)).store(above[2 * at.block].lanes);
      sum_products(own.by_v, columns.S, Lanes(0)).store(above[2 * at.block + 1].lanes);
    }
    const int base = memory.stages[memory.stage_of_column[k]].base, last = base < 0 ? -1 : memory.last_column[base];
    if (last < 0) continue;
    double* column = tau[kMatrices * (k / kLanes)].lanes + k % kLanes;
    for (int j : memory.carriers_of(last)) {
      const double* value = above[2 * (j / kLanes)].lanes + j % kLanes;
      double* target = column + j * width * kLanes;
      target[0] = value[0];
      target[kLanes] = value[kLanes];
    }
  }
}

// The first so many blocks of a row, a multiple of 3, in pieces that registers hold: f.operator()<count>(first).
template <class F>
VINCULUM_INLINE void in_pieces(int blocks, const F& f) {
  int first = 0;
  for (; first + 9 <= blocks; first += 9) f.template operator()<9>(first);
  if (first + 6 == blocks) f.template operator()<6>(first);
  if (first + 3 == blocks) f.template operator()<3>(first);
}

// row_j - Σ L_ij weight_i row_i over all i that j carries, of blocks first .. first + count - 1: kept in registers all along.
template <int count, class Weight>
VINCULUM_INLINE void eliminate(const DerivativesMemory& memory, int j, const Weight& weight, Four* rows, int width, int first) {
  Lanes x[count];
#pragma GCC unroll 9
  for (int m = 0; m < count; ++m) x[m] = load(rows[j * width + first + m]);
  for (int i : memory.carried_by(j)) {
    const Lanes factor(-memory.mass_row(i)[j] * weight(i));
    const Four* from = rows + i * width + first;
#pragma GCC unroll 9
    for (int m = 0; m < count; ++m) x[m] = multiply_add(factor, load(from[m]), x[m]);
  }
#pragma GCC unroll 9
  for (int m = 0; m < count; ++m) x[m].store(rows[j * width + first + m].lanes);
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
    in_pieces(
        3 * (k / (3 * kLanes) + 1), [&]<int count>(int first) __attribute__((always_inline)) {
          const auto pivot_of = [&](int i) __attribute__((always_inline)) { return memory.pivots[i]; };
          eliminate<count>(memory, k, pivot_of, memory.mass.data(), memory.blocks, first);
        });
    memory.pivots[k] = row[k];
    if (!(row[k] > smallest_ratio * scale)) return k;
    const Lanes inverse(1 / row[k]);
    for (const PatternBlock& at : memory.blocks_of(k))
      (inverse * Lanes::load(row + kLanes * at.block)).store(row + kLanes * at.block);
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
    double x = y[i] / memory.pivots[i];
    for (int j : memory.ancestors_of(i)) x = multiply_add(-L[j], y[j], x);
    y[i] = x;
  }
}

// X = -A⁻¹ B for many columns: B := L⁻ᵀ B, then X_i = -(D⁻¹ B)_i - Σ L_ij X_j. Rows have `width` blocks, a multiple of 3.
VINCULUM_INLINE void solve_for_rows(const DerivativesMemory& memory, Four* rows, Four* solution, int width) {
  in_pieces(
      width, [&]<int count>(int first) __attribute__((always_inline)) {
        const auto one = [](int) __attribute__((always_inline)) { return 1.0; };
        for (int j = memory.velocities - 1; j >= 0; --j) eliminate<count>(memory, j, one, rows, width, first);
        for (int i = 0; i < memory.velocities; ++i) {
          const double* L = memory.mass_row(i);
          const Lanes inverse(-1 / memory.pivots[i]);
          Lanes x[count];
#pragma GCC unroll 9
          for (int m = 0; m < count; ++m) x[m] = inverse * load(rows[i * width + first + m]);
          for (int j : memory.ancestors_of(i)) {
            const Lanes factor(-L[j]);
            const Four* from = solution + j * width + first;
#pragma GCC unroll 9
            for (int m = 0; m < count; ++m) x[m] = multiply_add(factor, load(from[m]), x[m]);
          }
#pragma GCC unroll 9
          for (int m = 0; m < count; ++m) x[m].store(solution[i * width + first + m].lanes);
        }
      });
}

// -A⁻¹ ∂tau/∂q, -A⁻¹ ∂tau/∂v, A⁻¹; rows and columns of driven velocities are zero in what forces do.
VINCULUM_INLINE void solve_for_derivatives(DerivativesMemory& memory) {
  const int width = kMatrices * memory.blocks;
  for (int k = 0; k < memory.velocities; ++k) {
    for (int c = 2; c < width; c += kMatrices) memory.tau[k * width + c] = {};
    memory.tau_entry(k, k, By::tau) = -1;
  }
  for (int driven : memory.driven) {
    for (int c = 0; c < width; ++c) memory.tau[driven * width + c] = {};
  }
  solve_for_rows(memory, memory.tau.data(), memory.solution.data(), width);
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
    Twist increment = stage.base < 0 ? Twist{} : memory.motions[stage.base].increment;
    for (int k = stage.v; k < stage.v + velocity_count(stage.kind); ++k) {
      increment = multiply_add(rest[k], memory.S[k], increment);
      vdot[k] += rest[k];
    }
    own.increment = increment;
    own.A = own.A + increment;
    own.F = own.own_F + own.own_I * increment;
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
  void (*solve)(DerivativesMemory& memory);
  void (*solve_rows)(const DerivativesMemory& memory, Four* rows, Four* solution, int width);
};

}  // namespace vinculum
