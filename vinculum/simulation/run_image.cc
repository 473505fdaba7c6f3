// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include <fmt/core.h>

#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/math/checksum.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/stepping/motion_system.h"
#include "vinculum/version.h"

namespace vinculum {

namespace {

constexpr std::string_view kMark = "vinculum run\n";

// Both walk the same lists of parts: visit(value, archive) of a struct calls archive(name, part) for each.
template <class Archive>
void visit(RunOptions& options, Archive& archive) {
  archive("until", options.until);
  archive("integrator", options.integrator);
  archive("tolerance", options.tolerance);
  archive("order", options.order);
  archive("largest_step", options.largest_step);
  archive("every", options.every);
  archive("stop_at", options.stop_at);
  archive("follow", options.follow);
  archive("step", options.step);
  archive("baumgarte", options.baumgarte);
  archive("watch_integrals", options.watch_integrals);
  archive("watch_accuracy", options.watch_accuracy);
  archive("inputs", options.inputs);
}

template <class Archive>
void visit(InputTable& table, Archive& archive) {
  archive("inputs", table.inputs);
  archive("times", table.times);
  archive("values", table.values);
}

template <class Archive>
void visit(State& state, Archive& archive) {
  archive("t", state.t);
  archive("q", state.q);
  archive("v", state.v);
  archive("modes", state.modes);
  archive("memory", state.memory);
}

template <class Archive>
void visit(Checkpoint& point, Archive& archive) {
  visit_checkpoint(point, archive);
}

template <class Archive>
void visit(Occurrence& event, Archive& archive) {
  archive("t", event.t);
  archive("kind", event.kind);
  archive("element_kind", event.element.kind);
  archive("element_index", event.element.index);
  archive("subject", event.subject);
  archive("direction", event.direction);
  archive("face", event.face);
  archive("rest_direction", event.rest_direction);
  archive("impulses", event.impulses);
  archive("energy_lost", event.energy_lost);
}

template <class Archive>
void visit(Occurrence::Impulse& impulse, Archive& archive) {
  archive("row", impulse.row);
  archive("impulse", impulse.impulse);
}

template <class Archive>
void visit(IntegralDrift& drift, Archive& archive) {
  archive("name", drift.name);
  archive("unit", drift.unit);
  archive("start", drift.start);
  archive("drift", drift.drift);
}

template <class Archive>
void visit(Stretch& stretch, Archive& archive) {
  archive("begin", stretch.begin);
  archive("end", stretch.end);
  archive("step", stretch.step);
}

template <class Archive>
void visit(RunImage& image, Archive& archive) {
  archive("options", image.options);
  archive("first_horizon", image.first_horizon);
  archive("start", image.start);
  archive("checkpoint", image.checkpoint);
  archive("t", image.t);
}

template <class T>
constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <class T>
  void operator()(const char*, const T& value) {
    put(value);
  }
  template <class T>
  void put(const T& value) {
    if constexpr (kIsNumber<T>) {
      const char* bytes = reinterpret_cast<const char*>(&value);
      text_.append(bytes, sizeof(T));
    } else {
      visit(const_cast<T&>(value), *this);  // only read
    }
  }
  void put(const std::string& value) {
    put(value.size());
    text_ += value;
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  void put(const std::shared_ptr<const T>& value) {
    put(value != nullptr);
    if (value) put(*value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Bytes that are not there read as zeros, and nothing has more parts than there are bytes left.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  template <class T>
  void operator()(const char*, T& value) {
    get(value);
  }
  template <class T>
  void get(T& value) {
    if constexpr (kIsNumber<T>) {
      if (text_.size() < sizeof(T)) return fail();
      std::memcpy(&value, text_.data(), sizeof(T));
      text_.remove_prefix(sizeof(T));
    } else {
      visit(value, *this);
    }
  }
  void get(bool& value) {
    char byte = 0;
    get(byte);
    value = byte != 0;
  }
  void get(std::string& value) {
    const size_t size = get_size();
    value = text_.substr(0, size);
    text_.remove_prefix(size);
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(get_size());
    for (auto&& place : values) {
      T value{};
      get(value);
      place = std::move(value);
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool is_there = false;
    get(is_there);
    if (is_there) get(value.emplace());
  }
  template <class T>
  void get(std::shared_ptr<const T>& value) {
    bool is_there = false;
    get(is_there);
    if (!is_there) return;
    T read;
    get(read);
    value = std::make_shared<const T>(std::move(read));
  }
  bool is_good() const { return is_good_ && text_.empty(); }

 private:
  void fail() {
    is_good_ = false;
    text_ = {};
  }
  size_t get_size() {
    size_t size = 0;
    get(size);
    if (size <= text_.size()) return size;
    fail();
    return 0;
  }
  std::string_view text_;
  bool is_good_ = true;
};

// What the model is, by its names, and what it does: the accelerations of its tree at three states off the path, where every law
// of force has a part, and the derivative at the place the image is of, with its constraints.
std::string fingerprint(const Model& given, const RunImage& image) {
  constexpr int kStates = 3;
  const auto rescaled = in_own_scales(given, image.start, image.first_horizon);
  const Model& model = rescaled ? *rescaled : given;
  Writer writer;
  writer.put(model.coordinate_names());
  writer.put(model.velocity_names());
  for (const Row& row : model.rows()) writer.put(row.name);
  for (const ElementMode& mode : model.modes()) writer.put(mode.name);
  for (const Grip& grip : model.grips()) {
    writer.put(grip.bound);
    writer.put(grip.friction);
    writer.put(grip.law.kind);
    writer.put(grip.law.value);
    if (grip.joint < 0) continue;
    writer.put(grip.bound_at_rest);
    const auto [friction, at_rest, radius, collar] = grip.bearing.value_or(Grip::Bearing{});
    for (const double number : {friction, at_rest, radius, collar}) writer.put(number);
  }
  Workspace workspace(model);
  State state = model.initial_state();
  std::vector<double> rates(state.q.size()), accelerations(state.v.size()), scratch;
  for (int k = 1; k <= kStates; ++k) {
    state.t += 0.37 * k * model.scales().time();
    for (size_t i = 0; i < state.v.size(); ++i) state.v[i] += 0.3 * std::sin(k + 1.7 * static_cast<double>(i));
    std::ranges::fill(rates, 0.0);
    compute_coordinate_rates(model, state.q, state.v, rates);
    for (size_t i = 0; i < state.q.size(); ++i) state.q[i] += 0.5 * rates[i];
    if (compute_accelerations(model, state.t, state.q, state.v, accelerations, workspace)) writer.put(accelerations);
    compute_extra_rates(model, state.t, state.q, state.v, rates, scratch);
    writer.put(rates);
  }
  const Checkpoint& point = image.checkpoint;
  MotionSystem system(model, {}, image.options.follow);
  const bool fits = point.integrator.y.size() == static_cast<size_t>(system.dimension()) &&
                    point.modes.size() == model.modes().size() && point.left_out.size() == model.rows().size();
  std::vector<double> derivative(point.integrator.y.size());
  if (fits) {
    system.set_modes(point.modes);
    system.leave_out(point.left_out);
    if (system.compute_derivative(point.integrator.t, point.integrator.y, derivative)) writer.put(derivative);
  }
  return checksum_of(writer.text());
}

Failure damaged(const std::string& why) {
  return {"VN-RUN-142", "cannot resume from the image of a run: " + why, "start the run again"};
}

}  // namespace

std::vector<std::byte> write_image(const Model& model, const RunImage& image) {
  Writer writer;
  writer.put(std::string(VINCULUM_VERSION));
  writer.put(fingerprint(model, image));
  writer.put(image);
  const std::string text = std::string(kMark) + checksum_of(writer.text()) + writer.text();
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

Outcome<RunImage> read_image(const Model& model, std::span<const std::byte> bytes) {
  constexpr size_t kSumDigits = 16;
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMark)) return damaged("it does not begin like one");
  text.remove_prefix(kMark.size());
  const std::string_view sum = text.substr(0, kSumDigits);
  text.remove_prefix(sum.size());
  if (checksum_of(text) != sum) return damaged("checksum mismatch");
  Reader reader(text);
  std::string version, of_model;
  reader.get(version);
  if (version != VINCULUM_VERSION)
    return damaged(fmt::format("it was made by version {}, and this is {}", version, VINCULUM_VERSION));
  reader.get(of_model);
  RunImage image;
  reader.get(image);
  if (!reader.is_good()) return damaged("it ends too early");
  if (of_model != fingerprint(model, image))
    return Failure{"VN-RUN-140", "the image is that of a run of another model, or of other values of its parameters",
                   "resume with the model it was taken of"};
  return image;
}

}  // namespace vinculum
