// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace vinculum {

namespace {

constexpr double kNormal95 = 1.959963984540054;  // the standard normal distribution has 95 % of itself within ± this
constexpr std::size_t kParts = 20;               // of the jackknife
constexpr std::size_t kFewestPoints = 100;       // of bins, and of a jackknife
constexpr std::size_t kFewestBlocks = 40;
constexpr std::size_t kMostBins = 64;

// The part of the jackknife a point or a block is in. Not every 20th: the points of a Sobol sequence with such numbers lie in a
// slab of the box. (The mixing function of splitmix64.)
std::size_t part_of(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) % kParts;
}

// Of estimates without one part each:  σ² = (g - 1) / g Σ (θ_j - mean θ)².
double jackknife_error(const std::array<double, kParts>& without) {
  const double mean = std::accumulate(without.begin(), without.end(), 0.0) / kParts;
  double sum = 0;
  for (const double estimate : without) sum += (estimate - mean) * (estimate - mean);
  return std::sqrt(sum * (kParts - 1) / kParts);
}

// Sums over points, about a shift near their mean, so that nothing is lost to cancellation.
struct Moments {
  double count = 0, sum = 0, squares = 0;

  void add(double y) {
    count += 1;
    sum += y;
    squares += y * y;
  }
  Moments& operator+=(const Moments& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
  Moments operator-(const Moments& other) const { return {count - other.count, sum - other.sum, squares - other.squares}; }
  double deviation() const { return count > 0 ? std::max(0.0, squares - sum * sum / count) : 0; }  // Σ (y - mean)²
};

double mean_of_finite(std::span<const double> values) {
  double sum = 0, count = 0;
  for (const double y : values) {
    if (!std::isfinite(y)) continue;
    sum += y;
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

// What differs by less is round-off of a constant: one part in 10^12 of the size of the values.
bool is_constant(const Moments& all, double shift) {
  const double size = std::abs(shift) + std::sqrt(all.squares / std::max(all.count, 1.0));
  return all.deviation() <= all.count * (1e-12 * size) * (1e-12 * size);
}

// S_i by bins, with the mean square within bins taken off that their means have by chance:
//
//     S = (B - (m - 1) W / (n - m)) / T ,   B + W = T ,   B = Σ_bins n_b (mean_b - mean)²
double binned_index(std::span<const Moments> bins) {
  Moments all;
  double within = 0, used = 0;
  for (const Moments& bin : bins) {
    if (bin.count == 0) continue;
    all += bin;
    within += bin.deviation();
    used += 1;
  }
  const double total = all.deviation();
  if (total <= 0 || all.count <= used) return 0;
  return (total - within - (used - 1) * within / (all.count - used)) / total;
}

Estimate estimate_by_bins(std::span<const std::uint32_t> bin_of_point, std::size_t bins, std::span<const std::uint32_t> draw,
                          std::span<const double> values, double shift) {
  std::vector<std::array<Moments, kParts>> parts(bins);
  std::vector<Moments> all(bins), rest(bins);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    parts[bin_of_point[k]][part_of(draw.empty() ? k : draw[k])].add(values[k] - shift);
  }
  for (std::size_t b = 0; b < bins; ++b) {
    for (const Moments& part : parts[b]) all[b] += part;
  }
  std::array<double, kParts> without;
  for (std::size_t j = 0; j < kParts; ++j) {
    for (std::size_t b = 0; b < bins; ++b) rest[b] = all[b] - parts[b][j];
    without[j] = binned_index(rest);
  }
  const double index = binned_index(all);
  return {index, jackknife_error(without)};
}

// Sums over blocks of a Saltelli design, for one parameter.
struct BlockSums {
  Moments base;                 // y of a and of b
  double first = 0, total = 0;  // Σ y_b (y_i - y_a),  Σ (y_a - y_i)²
  double blocks = 0;

  BlockSums operator-(const BlockSums& other) const {
    return {base - other.base, first - other.first, total - other.total, blocks - other.blocks};
  }
  BlockSums& operator+=(const BlockSums& other) {
    base += other.base;
    first += other.first;
    total += other.total;
    blocks += other.blocks;
    return *this;
  }
  double variance() const { return base.deviation() / std::max(base.count - 1, 1.0); }
  double first_index() const { return variance() > 0 ? first / blocks / variance() : 0; }        // Saltelli 2010
  double total_index() const { return variance() > 0 ? total / (2 * blocks) / variance() : 0; }  // Jansen 1999
};

void estimate_by_blocks(std::size_t parameter, std::size_t width, std::span<const double> values, double shift,
                        Influence& influence) {
  std::array<BlockSums, kParts> parts{};
  BlockSums all;
  for (std::size_t block = 0; block < values.size() / width; ++block) {
    const double a = values[block * width] - shift, b = values[block * width + 1] - shift;
    const double changed = values[block * width + 2 + parameter] - shift;
    if (!std::isfinite(a + b + changed)) continue;
    BlockSums& part = parts[part_of(block)];
    part.base.add(a);
    part.base.add(b);
    part.first += b * (changed - a);
    part.total += (a - changed) * (a - changed);
    part.blocks += 1;
  }
  for (const BlockSums& part : parts) all += part;
  if (all.blocks < kFewestBlocks) return;
  std::array<double, kParts> first, total;
  for (std::size_t j = 0; j < kParts; ++j) {
    const BlockSums rest = all - parts[j];
    first[j] = rest.first_index();
    total[j] = rest.total_index();
  }
  influence.first = Estimate{all.first_index(), jackknife_error(first)};
  influence.total = Estimate{all.total_index(), jackknife_error(total)};
}

std::vector<std::uint32_t> ascending(std::span<const double> values) {
  std::vector<std::uint32_t> order;
  order.reserve(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) order.push_back(static_cast<std::uint32_t>(k));
  }
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  return order;
}

// Ranks of the points in `order` whose y was found, from 0; equal values share the mean of theirs.
std::vector<double> shared_ranks(std::span<const std::uint32_t> order, std::span<const double> keys,
                                 std::span<const double> values) {
  std::vector<double> rank(keys.size(), 0);
  std::vector<std::uint32_t> present;
  present.reserve(order.size());
  for (const std::uint32_t k : order) {
    if (std::isfinite(values[k])) present.push_back(k);
  }
  for (std::size_t from = 0, to; from < present.size(); from = to) {
    for (to = from; to < present.size() && keys[present[to]] == keys[present[from]];) ++to;
    const double shared = (static_cast<double>(from) + static_cast<double>(to) - 1) / 2;
    for (std::size_t k = from; k < to; ++k) rank[present[k]] = shared;
  }
  return rank;
}

// Spearman's ρ: the correlation of the ranks. Its error is that of Bonett and Wright for atanh ρ, √((1 + ρ²/2) / (n - 3)),
// carried back by dρ = (1 - ρ²) d(atanh ρ).
std::optional<Estimate> rank_correlation(std::span<const double> x, std::span<const double> y, std::span<const double> values,
                                         double count) {
  if (count < 4) return std::nullopt;
  const double mean = (count - 1) / 2;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    const double a = x[k] - mean, b = y[k] - mean;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  if (xx <= 0 || yy <= 0) return std::nullopt;
  const double rho = std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
  return Estimate{rho, (1 - rho * rho) * std::sqrt((1 + rho * rho / 2) / (count - 3))};
}

}  // namespace

double quantile_of_sorted(std::span<const double> sorted, double p) {
  assert(!sorted.empty() && p >= 0 && p <= 1);
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], place - static_cast<double>(below));
}

Spread compute_spread(std::span<const double> values) {
  std::vector<double> sorted;
  for (const double y : values) {
    if (std::isfinite(y)) sorted.push_back(y);
  }
  Spread spread;
  spread.count = sorted.size();
  if (sorted.empty()) return spread;
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  const double shift = sorted[sorted.size() / 2];
  Moments moments;
  for (const double y : sorted) moments.add(y - shift);
  spread.mean = shift + moments.sum / n;
  spread.deviation = sorted.size() > 1 ? std::sqrt(moments.deviation() / (n - 1)) : 0;
  spread.least = sorted.front();
  spread.largest = sorted.back();
  for (const double p : kQuantiles) {
    const double half = kNormal95 * std::sqrt(n * p * (1 - p));
    const auto ranked = [&](double rank) { return sorted[static_cast<std::size_t>(std::clamp(rank, 0.0, n - 1))]; };
    spread.quantiles.push_back(
        {p, quantile_of_sorted(sorted, p), {ranked(std::floor(n * p - half)), ranked(std::ceil(n * p + half))}});
  }
  return spread;
}

// Wilson:  (p + z²/2n ± z √(p (1 - p)/n + z²/4n²)) / (1 + z²/n).
Fraction compute_fraction(std::size_t count, std::size_t of) {
  assert(count <= of);
  Fraction fraction{count, of, 0, {0, 1}};
  if (of == 0) return fraction;
  const auto n = static_cast<double>(of);
  const double p = static_cast<double>(count) / n, z = kNormal95;
  const double center = p + z * z / (2 * n), half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  fraction.value = p;
  fraction.interval = {count == 0 ? 0 : (center - half) / (1 + z * z / n), count == of ? 1 : (center + half) / (1 + z * z / n)};
  return fraction;
}

std::string_view to_text(SensitivityMethod method) {
  switch (method) {
    case SensitivityMethod::grid: return "grid";
    case SensitivityMethod::saltelli: return "saltelli";
    case SensitivityMethod::binned: return "binned";
    case SensitivityMethod::ranks: break;
  }
  return "ranks";
}

bool find_saltelli_blocks(std::span<const std::vector<double>> parameters) {
  const std::size_t count = parameters.size(), width = count + 2;
  if (count == 0 || parameters[0].size() < width || parameters[0].size() % width != 0) return false;
  for (std::size_t start = 0; start < parameters[0].size(); start += width) {
    for (std::size_t i = 0; i < count; ++i) {
      const double a = parameters[i][start], b = parameters[i][start + 1];
      for (std::size_t j = 0; j < count; ++j) {
        if (parameters[i][start + 2 + j] != (i == j ? b : a)) return false;
      }
    }
  }
  return true;
}

StudySample::StudySample(std::vector<std::vector<double>> parameters, std::vector<std::uint32_t> draw)
    : parameters_(std::move(parameters)),
      draw_(std::move(draw)),
      size_(parameters_.empty() ? 0 : parameters_[0].size()),
      order_(parameters_.size()),
      level_(parameters_.size()),
      levels_(parameters_.size()) {
  assert(draw_.empty() || draw_.size() == size_);
  for (std::size_t i = 0; i < parameters_.size(); ++i) look_at(i);
  is_saltelli_ = find_saltelli_blocks(parameters_);
  look_for_grid();
}

void StudySample::look_at(std::size_t parameter) {
  const std::vector<double>& x = parameters_[parameter];
  assert(x.size() == size_ && std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); }));
  const std::vector<std::uint32_t>& order = order_[parameter] = ascending(x);
  std::vector<std::uint32_t>& level = level_[parameter];
  level.resize(size_);
  std::uint32_t current = 0;
  for (std::size_t k = 0; k < size_; ++k) {
    if (k > 0 && x[order[k]] != x[order[k - 1]]) ++current;
    level[order[k]] = current;
  }
  levels_[parameter] = size_ > 0 ? current + 1 : 0;
}

// A grid: as many points as combinations of levels, none twice.
void StudySample::look_for_grid() {
  std::size_t combinations = parameters_.empty() ? 0 : 1;
  for (const std::size_t count : levels_) {
    if (count == 0 || combinations > size_ / count) return;
    combinations *= count;
  }
  if (combinations != size_) return;
  std::vector<bool> seen(size_);
  for (std::size_t k = 0; k < size_; ++k) {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) cell = cell * levels_[i] + level_[i][k];
    if (seen[cell]) return;
    seen[cell] = true;
  }
  is_grid_ = true;
}

Sensitivity StudySample::compute_sensitivity(std::span<const double> values) const {
  assert(values.size() == size_);
  Sensitivity result;
  result.parameters.resize(parameters_.size());
  const double shift = mean_of_finite(values);
  Moments all;
  for (const double y : values) {
    if (std::isfinite(y)) all.add(y - shift);
  }
  result.points = static_cast<std::size_t>(all.count);
  if (is_constant(all, shift)) return result;

  // Of a block of Saltelli only the first two points were drawn for themselves; the others repeat their numbers.
  std::vector<double> drawn;
  if (is_saltelli_) {
    drawn.assign(values.begin(), values.end());
    for (std::size_t k = 0; k < size_; ++k) {
      if (k % (parameters_.size() + 2) >= 2) drawn[k] = std::numeric_limits<double>::quiet_NaN();
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      estimate_by_blocks(i, parameters_.size() + 2, values, shift, result.parameters[i]);
    values = drawn;
    all = {};
    for (const double y : values) {
      if (std::isfinite(y)) all.add(y - shift);
    }
  }

  const std::vector<double> y_rank = shared_ranks(ascending(values), values, values);
  std::vector<std::vector<double>> ranks(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    ranks[i] = shared_ranks(order_[i], parameters_[i], values);
    result.parameters[i].rank_correlation = rank_correlation(ranks[i], y_rank, values, all.count);
  }

  // Exactly, over the levels: with D = Σ (y - mean)², the part of the means over all else than x_i, and of the means over x_i.
  if (is_grid_ && result.points == size_) {
    result.method = SensitivityMethod::grid;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      std::vector<double> by_level(levels_[i], 0), by_others(size_ / levels_[i], 0);
      for (std::size_t k = 0; k < size_; ++k) {
        std::size_t others = 0;
        for (std::size_t j = 0; j < levels_.size(); ++j) {
          if (j != i) others = others * levels_[j] + level_[j][k];
        }
        by_level[level_[i][k]] += values[k] - shift;
        by_others[others] += values[k] - shift;
      }
      const double mean_sum = all.sum * all.sum / all.count;  // of round-off in the shift
      const auto explained = [&](const std::vector<double>& sums) {
        double squares = 0;
        for (const double sum : sums) squares += sum * sum;
        return (squares * static_cast<double>(sums.size()) / all.count - mean_sum) / all.deviation();
      };
      result.parameters[i].first = Estimate{explained(by_level), 0};
      result.parameters[i].total = Estimate{1 - explained(by_others), 0};
    }
    return result;
  }

  if (is_saltelli_) {
    if (std::all_of(result.parameters.begin(), result.parameters.end(), [](const Influence& x) { return x.first.has_value(); })) {
      result.method = SensitivityMethod::saltelli;
      return result;
    }
    for (Influence& influence : result.parameters) influence.first = influence.total = std::nullopt;
  }

  if (all.count < kFewestPoints) return result;
  result.method = SensitivityMethod::binned;
  const auto wished = static_cast<std::size_t>(std::sqrt(all.count) / 2);
  const std::size_t most = std::clamp<std::size_t>(wished, 4, kMostBins);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    // Few levels are bins of their own; else bins of equally many points, equal values together.
    const bool by_level = levels_[i] <= most;
    std::vector<std::uint32_t> bins = by_level ? level_[i] : std::vector<std::uint32_t>(size_);
    for (std::size_t k = 0; !by_level && k < size_; ++k)
      bins[k] = static_cast<std::uint32_t>((ranks[i][k] + 0.5) * static_cast<double>(most) / all.count);
    const std::size_t count = by_level ? levels_[i] : most;
    Estimate estimate = estimate_by_bins(bins, count, draw_, values, shift);
    if (!by_level) estimate.error = std::hypot(estimate.error, estimate.value / static_cast<double>(count * count));
    result.parameters[i].first = estimate;
  }
  return result;
}

}  // namespace vinculum
