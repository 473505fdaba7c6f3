// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/sampled_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/dynamics/kinematics.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

// Newton's form on nodes that count twice: divided differences, the first of a pair being the slope.
double interpolate(std::span<const double> nodes, std::span<const double> values, std::span<const double> slopes, double t) {
  constexpr size_t kMost = 6;
  std::array<double, kMost> x{}, d{};
  const size_t m = 2 * nodes.size();
  for (size_t i = 0; i < m; ++i) {
    x[i] = nodes[i / 2];
    d[i] = values[i / 2];
  }
  for (size_t level = 1; level < m; ++level) {
    for (size_t i = m - 1; i >= level; --i) {
      const bool same = level == 1 && i % 2 == 1;
      d[i] = same ? slopes[i / 2] : (d[i] - d[i - 1]) / (x[i] - x[i - level]);
    }
  }
  double value = d[m - 1];
  for (size_t i = m - 1; i-- > 0;) value = value * (t - x[i]) + d[i];
  return value;
}

}  // namespace

void SampledMotion::add(const State& state, const std::vector<double>& accelerations) {
  if (!samples_.empty() && state.t == samples_.back().t) return;
  std::vector<double> slopes(state.q.size());
  compute_coordinate_rates(model_, state.q, state.v, slopes);
  slopes.insert(slopes.end(), accelerations.begin(), accelerations.end());
  samples_.push_back(state);
  accelerations_.push_back(accelerations);
  slopes_.push_back(std::move(slopes));
}

State SampledMotion::at(double t) const {
  const bool forward = samples_.back().t >= samples_.front().t;
  const auto after = std::lower_bound(samples_.begin(), samples_.end(), t, [&](const State& sample, double time) {
    return forward ? sample.t < time : sample.t > time;
  });
  const size_t place = static_cast<size_t>(after - samples_.begin());
  if (place < samples_.size() && samples_[place].t == t) return samples_[place];
  const size_t count = std::min<size_t>(3, samples_.size());
  size_t first = place == 0 ? 0 : place - 1;
  // The third node on the nearer side.
  if (count == 3 && first > 0 && std::abs(t - samples_[first].t) < std::abs(t - samples_[std::min(place, samples_.size() - 1)].t))
    --first;
  first = std::min(first, samples_.size() - count);

  State state = samples_[first];
  state.t = t;
  std::array<double, 3> nodes{}, values{}, slopes{};
  for (size_t i = 0; i < count; ++i) nodes[i] = samples_[first + i].t;
  const auto number = [&](auto&& value_of, size_t slope) {
    for (size_t i = 0; i < count; ++i) {
      values[i] = value_of(samples_[first + i]);
      slopes[i] = slopes_[first + i][slope];
    }
    return interpolate({nodes.data(), count}, {values.data(), count}, {slopes.data(), count}, t);
  };
  const size_t nq = state.q.size();
  for (size_t k = 0; k < nq; ++k) state.q[k] = number([&](const State& sample) { return sample.q[k]; }, k);
  for (size_t k = 0; k < state.v.size(); ++k) state.v[k] = number([&](const State& sample) { return sample.v[k]; }, nq + k);
  for (const Link& link : model_.tree().links) {
    const int index = quaternion_index(link);
    if (index < 0) continue;
    double squares = 0;
    for (int i = 0; i < 4; ++i) squares += state.q[index + i] * state.q[index + i];
    for (int i = 0; i < 4; ++i) state.q[index + i] /= std::sqrt(squares);
  }
  return state;
}

std::vector<Peak> find_peaks(const std::vector<double>& times, const std::vector<double>& values,
                             const std::function<double(double)>& function, double from) {
  std::vector<Peak> peaks;
  for (size_t i = 0; i < times.size(); ++i) {
    const bool has_left = i > 0, has_right = i + 1 < times.size();
    if ((has_left && values[i - 1] > values[i]) || (has_right && values[i + 1] > values[i])) continue;
    Peak peak{times[i], values[i]};
    if (has_left && has_right) {
      // value = v + s x + c x²
      const double a = times[i - 1] - times[i], b = times[i + 1] - times[i];
      const double left = (values[i - 1] - values[i]) / a, right = (values[i + 1] - values[i]) / b;
      const double curvature = (right - left) / (b - a), slope = right - curvature * b;
      const double gain = curvature < 0 ? -slope * slope / (4 * curvature) : 0;
      if (values[i] + 10 * gain < from) continue;
      constexpr double kNothing = 1e-14;
      if (gain > kNothing * std::abs(values[i])) {
        double middle = times[i] - slope / (2 * curvature), width = 0.25 * std::min(std::abs(a), std::abs(b));
        const double low = std::min(times[i - 1], times[i + 1]), high = std::max(times[i - 1], times[i + 1]);
        for (int round = 0; round < 6; ++round, width *= 0.4) {
          middle = std::clamp(middle, low + width, high - width);
          const double l = function(middle - width), h = function(middle), r = function(middle + width), bend = l - 2 * h + r;
          if (!(bend < 0)) break;
          middle += std::clamp(-0.5 * (r - l) / bend, -1.0, 1.0) * width;
        }
        const double value = function(middle);
        if (value >= peak.value) peak = {middle, value};
      }
    }
    if (peak.value >= from) peaks.push_back(peak);
  }
  return peaks;
}

Peak find_largest(const std::vector<double>& times, const std::vector<double>& values,
                  const std::function<double(double)>& function) {
  const double highest = *std::max_element(values.begin(), values.end());
  constexpr double kNear = 0.02, kEqual = 1e-9;
  std::vector<Peak> peaks = find_peaks(times, values, function, highest - kNear * std::abs(highest));
  double largest = highest;
  for (const Peak& peak : peaks) largest = std::max(largest, peak.value);
  for (const Peak& peak : peaks) {
    if (peak.value >= largest - kEqual * std::abs(largest)) return peak;
  }
  return {times.front(), values.front()};
}

}  // namespace vinculum
