// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/core.h>

#include "vinculum/analysis/laws_of_time.h"

namespace vinculum {

namespace {

Json to_json(const std::complex<double>& value) { return {value.real(), value.imag()}; }

// "1 arm, 0.62 hand", components that hardly take part left out; a phase where there is one.
std::string shape_text(const Linearisation& linear, const Mode& mode) {
  constexpr double kHardly = 1e-6;
  std::string text;
  for (size_t i = 0; i < mode.shape.size(); ++i) {
    const std::complex<double>& part = mode.shape[i];
    if (std::abs(part) < kHardly) continue;
    const double phase = std::arg(part) * 180 / std::numbers::pi;
    const bool in_line = std::abs(part.imag()) < kHardly * std::abs(part);
    text += fmt::format("{}{:.5g} {}", text.empty() ? "" : ", ", in_line ? part.real() : std::abs(part),
                        linear.states[mode.first_state + i]);
    if (!in_line) text += fmt::format(" at {:.4g} deg", phase);
  }
  return text;
}

std::string mode_text(const Mode& mode, double zero) {
  if (mode.frequency() <= zero) return fmt::format("{:<46}", "drifts: eigenvalue 0");
  const double real = std::abs(mode.eigenvalue.real()) <= zero ? 0 : mode.eigenvalue.real();
  if (mode.eigenvalue.imag() <= zero)
    return fmt::format("{:<46}", fmt::format("{}: eigenvalue {:.6g} 1/s", real > 0 ? "grows" : "decays", real));
  return fmt::format("{:>10.6g} Hz {:>10.6g} rad/s  damping {:>9.4g}", mode.eigenvalue.imag() / (2 * std::numbers::pi),
                     mode.eigenvalue.imag(), real == 0 ? 0 : mode.damping_ratio());
}

// What takes no part in the verdict, and how good A is.
void tell_steady_motion(const Linearisation& linear, Reply& reply) {
  const auto list = [&](const char* key, const Eigen::MatrixXd& directions, const char* words) {
    const std::vector<std::string> names = name_directions(linear.states, directions);
    reply.json()[key] = names;
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    if (!text.empty()) reply.say(fmt::format("{}: {}", words, text));
  };
  list("ignorable", linear.apart.ignorable, "ignorable (not counted in the stability)");
  list("free", linear.apart.free, "arbitrary (neighbouring steady motions have other values)");
  reply.json()["turn_rate"] = linear.turn_rate;
  reply.json()["error"] = linear.error;
  if (linear.turn_rate != 0)
    reply.say(fmt::format("in axes that turn with the motion, at {:.6g} rad/s about the vertical", linear.turn_rate));
  if (linear.error > 0)
    reply.say(fmt::format("derivatives from finite differences: error {:.2g} of the largest entry of A", linear.error));
}

}  // namespace

Json rows_to_json(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise()) rows.push_back(std::vector<double>(row.begin(), row.end()));
  return rows;
}

Json eigenvalues_to_json(const std::vector<Mode>& modes) {
  Json list = Json::array();
  for (const Mode& mode : modes) {
    list.push_back(to_json(mode.eigenvalue));
    if (mode.eigenvalue.imag() > 0) list.push_back(to_json(std::conj(mode.eigenvalue)));
  }
  return list;
}

double largest_growth(const std::vector<Mode>& modes) {
  std::optional<double> growth;
  for (const Mode& mode : modes) {
    if (!mode.is_ignorable) growth = std::max(growth.value_or(mode.eigenvalue.real()), mode.eigenvalue.real());
  }
  return growth.value_or(0);
}

void tell_laws_of_time(const Model& model, double t, const char* what, Reply& reply) {
  const std::vector<std::string> laws = list_laws_of_time(model);
  reply.json()["laws_of_time"] = laws;
  if (laws.empty()) return;
  Diagnostics diagnostics;
  diagnostics.warning("VN-LINEAR-131", {}, "",
                      fmt::format("{} is that of t = {:g} s: {}{} on time", what, t, laws.front(),
                                  laws.size() > 1 ? fmt::format(" and {} more depend", laws.size() - 1) : " depends"),
                      "time-dependent laws are frozen at this instant; set `t` in the file of --state for another one");
  reply.tell(diagnostics);
}

void tell_matrices(const Linearisation& linear, Reply& reply) {
  reply.json()["states"] = linear.states;
  reply.json()["inputs"] = linear.inputs;
  reply.json()["A"] = rows_to_json(linear.A);
  reply.json()["B"] = rows_to_json(linear.B);
  reply.json()["input_names"] = linear.input_names;
  reply.json()["B_inputs"] = rows_to_json(linear.B_inputs);
  constexpr Eigen::Index kMost = 12;
  if (linear.A.rows() > kMost) return;
  std::string head = fmt::format("  {:<14}", linear.input_names.empty() ? "A | B" : "A | B | B_u");
  for (const std::string& name : linear.states) head += fmt::format(" {:>12}", name);
  for (const std::string& name : linear.inputs) head += fmt::format(" {:>12}", "tau " + name);
  for (const std::string& name : linear.input_names) head += fmt::format(" {:>12}", name);
  reply.say(head);
  for (Eigen::Index i = 0; i < linear.A.rows(); ++i) {
    std::string line = fmt::format("  {:<14}", linear.states[i]);
    for (const double value : linear.A.row(i)) line += fmt::format(" {:>12.5g}", value + 0.0);  // no -0
    for (const double value : linear.B.row(i)) line += fmt::format(" {:>12.5g}", value + 0.0);
    for (const double value : linear.B_inputs.row(i)) line += fmt::format(" {:>12.5g}", value + 0.0);
    reply.say(line);
  }
}

void tell_modes(const Linearisation& linear, Reply& reply) {
  const std::vector<Mode> modes = find_modes(linear);
  const Stability stability = judge_stability(modes);
  double size = 0;
  for (const Mode& mode : modes) size = std::max(size, mode.frequency());
  const double zero = kZeroEigenvalue * size;
  Json list = Json::array();
  reply.say("modes");
  for (const Mode& mode : modes) {
    Json shape = Json::object();
    for (size_t i = 0; i < mode.shape.size(); ++i) shape[linear.states[mode.first_state + i]] = to_json(mode.shape[i]);
    list.push_back({{"eigenvalue", to_json(mode.eigenvalue)},
                    {"frequency", mode.eigenvalue.imag()},
                    {"frequency_hz", mode.eigenvalue.imag() / (2 * std::numbers::pi)},
                    {"natural_frequency", mode.frequency()},
                    {"damping_ratio", mode.damping_ratio()},
                    {"shape", shape}});
    if (mode.is_ignorable) list.back()["ignorable"] = true;
    reply.say(fmt::format("  {}  {}", mode_text(mode, zero), shape_text(linear, mode)));
  }
  const double steady = linear.accelerations.size() > 0 ? linear.accelerations.lpNorm<Eigen::Infinity>() : 0;
  const double growth = largest_growth(modes);
  tell_steady_motion(linear, reply);
  reply.json()["eigenvalues"] = eigenvalues_to_json(modes);
  reply.json()["modes"] = list;
  reply.json()["largest_acceleration"] = steady;
  reply.json()["stability"] = {{"verdict", to_text(stability)}, {"growth", growth}};
  if (modes.empty()) return reply.say("the model has no degrees of freedom");
  switch (stability) {
    case Stability::unstable: reply.say(fmt::format("unstable: a deviation grows as exp({:.6g} t)", growth)); break;
    case Stability::asymptotically_stable: reply.say("asymptotically stable: every deviation decays"); break;
    case Stability::marginal: reply.say("marginal: no deviation grows exponentially, but not all decay"); break;
  }
  if (steady > zero * zero)
    reply.say(fmt::format("the state is not steady (accelerations up to {:.4g}): A holds for this instant only", steady));
}

void tell_sides(const KinksAtState& kinks, bool with_matrices, Reply& reply) {
  Diagnostics diagnostics;
  diagnostics.warning("VN-LINEAR-225", {}, "",
                      fmt::format("the state lies on a kink of {}{}: its linearisation differs on each side", kinks.kinks[0],
                                  kinks.kinks.size() > 1 ? fmt::format(" and {} more", kinks.kinks.size() - 1) : ""),
                      "both sides are given; small deviations that cross the kink follow neither alone");
  reply.tell(diagnostics);
  Json& json = reply.json();
  Json list = Json::array();
  std::optional<Json> first;
  double growth = 0;
  for (const auto& [where, linear] : kinks.sides) {
    Json side = {{"where", where}};
    std::string title;
    for (const std::string& text : where) title += (title.empty() ? "" : "; ") + text;
    reply.say(title);
    if (!linear) {
      side["failure"] = linear.failure().message;
      reply.say("  " + linear.failure().message);
    } else {
      if (with_matrices) tell_matrices(*linear, reply);
      tell_modes(*linear, reply);
      for (const char* key : {"states", "inputs", "A", "B", "input_names", "B_inputs", "eigenvalues", "modes",
                              "largest_acceleration", "stability"}) {
        if (json.contains(key)) side[key] = json[key];
      }
      growth = first ? std::max(growth, side["stability"]["growth"].get<double>()) : side["stability"]["growth"].get<double>();
      if (!first) first = side;
    }
    list.push_back(std::move(side));
  }
  json["kinks"] = kinks.kinks;
  json["sides"] = std::move(list);
  if (first) {
    for (const auto& [key, value] : first->items()) json[key == "where" ? "side" : key] = value;
  }
  json["stability"] = {{"verdict", "undecided"}, {"growth", growth}};
  reply.say("stability is not decided: the state lies on a kink");
}

}  // namespace vinculum
