// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/integral_reasons.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/loads.h"

namespace vinculum {

namespace {

using Kind = IntegralCandidate::Kind;

// A part of a rate, over all samples.
struct Part {
  enum class Course { zero, constant, varies } course = Course::zero;
  double mean = 0;
};

Part judge_part(const Eigen::VectorXd& samples, double size) {
  // Of the size of the rates: samples are differences of forces that cancel, and what differs more is a part of its own.
  constexpr double kNoPart = 1e-8;
  Part part{Part::Course::varies, samples.mean()};
  if (samples.cwiseAbs().maxCoeff() <= kNoPart * size) {
    part.course = Part::Course::zero;
  } else if ((samples.array() - part.mean).abs().maxCoeff() <= kNoPart * size) {
    part.course = Part::Course::constant;
  }
  return part;
}

std::string vector_text(const Vector3& a) {
  const auto rounded = [](double x) { return std::abs(x) < 1e-9 ? 0 : x; };
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", rounded(a.x), rounded(a.y), rounded(a.z));
}

std::string axis_text(const Vector3& direction) {
  const Vector3 unit = (1 / norm(direction)) * direction;
  constexpr double kAligned = 1 - 1e-9;
  if (std::abs(unit.x) > kAligned) return "x";
  if (std::abs(unit.y) > kAligned) return "y";
  if (std::abs(unit.z) > kAligned) return "z";
  return vector_text(unit);
}

// What a combination a·P + b·L + c·K of one root measures, or of several roots alike.
struct Screw {
  Vector3 linear, angular, central;
  bool alike = true;  // the same for all roots that take part
  std::vector<int> roots;
};

double& component(Vector3& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

Screw collect_screw(const IntegralCandidates& candidates, const Integral& integral) {
  std::map<int, Screw> of_root;
  for (const auto& [index, coefficient] : integral.terms) {
    const IntegralCandidate& candidate = candidates.list()[index];
    Screw& own = of_root[candidate.root];
    Vector3& vector = candidate.kind == Kind::linear ? own.linear : candidate.kind == Kind::angular ? own.angular : own.central;
    component(vector, candidate.index) = coefficient;
  }
  Screw screw;
  for (const auto& [root, own] : of_root) {
    if (norm(own.linear) + norm(own.angular) + norm(own.central) == 0) continue;
    if (screw.roots.empty()) screw.linear = own.linear, screw.angular = own.angular, screw.central = own.central;
    screw.alike = screw.alike && norm(screw.linear - own.linear) == 0 && norm(screw.angular - own.angular) == 0 &&
                  norm(screw.central - own.central) == 0;
    screw.roots.push_back(root);
  }
  return screw;
}

// The force or moment that would change it; empty if it has no short name.
std::string name_of_cause(const Screw& screw) {
  if (!screw.alike) return "";
  const double linear = norm(screw.linear), angular = norm(screw.angular), central = norm(screw.central);
  if (angular == 0 && central == 0) return "force along " + axis_text(screw.linear);
  if (central > 0) return angular == 0 && linear == 0 ? "moment about the mass centre along " + axis_text(screw.central) : "";
  // d·L + b·P with b = A × d is the moment about the axis along d through A.
  const Vector3 &d = screw.angular, &b = screw.linear;
  if (std::abs(dot(d, b)) > 1e-9 * linear * angular) return "";
  if (linear == 0) return fmt::format("moment about the {} axis through the origin", axis_text(d));
  return fmt::format("moment about the axis along {} through {}", axis_text(d), vector_text((1 / dot(d, d)) * cross(d, b)));
}

// N of N*s.
std::string unit_of_rate(const std::string& unit) { return unit.substr(0, unit.rfind("*s")); }

std::string list_names(const Model& model, const IntegralCandidates& candidates, const std::vector<int>& roots) {
  std::string names;
  for (const int root : roots)
    names += fmt::format("{}'{}'", names.empty() ? "" : " and ", model.bodies()[candidates.roots()[root].body].name);
  return names;
}

std::string explain_energy(const Model& model, const Integral& integral) {
  std::vector<std::string> working = non_conservative_elements(model);
  for (std::string& element : list_working_rows(model)) working.push_back(std::move(element));
  if (working.empty()) return "every force has a potential: no damper, no drive, no law of time, no follower force";
  if (integral.by_time != 0) return fmt::format("the power of {} is constant", working.front());
  return fmt::format("what has no potential does no work: {}", working.front());
}

// The balance of forces or moments, source by source.
std::string explain_balance(const Model& model, const IntegralCandidates& candidates, const IntegralSamples& samples,
                            const Integral& integral) {
  const Screw screw = collect_screw(candidates, integral);
  if (screw.alike && norm(screw.linear) == 0 && norm(screw.angular + screw.central) == 0 && norm(screw.angular) > 0)
    return fmt::format("the mass centre moves straight on across {0}: L - K = r × P along {0}", axis_text(screw.angular));

  Eigen::VectorXd joint = Eigen::VectorXd::Zero(samples.rates.rows()), gravity = joint, rest = joint;
  double size = 0;
  for (const auto& [index, coefficient] : integral.terms) {
    joint += coefficient * samples.by_joint.col(index);
    gravity += coefficient * samples.by_gravity.col(index);
    rest += coefficient * samples.rates.col(index);
    size += std::abs(coefficient) * samples.size[index] * samples.pace;
  }
  rest -= joint + gravity;
  const Part by_joint = judge_part(joint, size), by_gravity = judge_part(gravity, size), by_rest = judge_part(rest, size);
  const std::string cause = name_of_cause(screw), unit = unit_of_rate(integral.unit);
  const std::string who = list_names(model, candidates, screw.roots);

  std::vector<std::string> reasons, varying;
  const auto tell = [&](const Part& part, const std::string& zero, const std::string& source) {
    if (part.course == Part::Course::zero && !zero.empty()) reasons.push_back(zero);
    if (part.course == Part::Course::constant) reasons.push_back(fmt::format("{:.6g} {} by {}", part.mean, unit, source));
    if (part.course == Part::Course::varies) varying.push_back(source);
  };
  const bool several = screw.roots.size() > 1;
  const bool free = std::all_of(screw.roots.begin(), screw.roots.end(), [&](int root) {
    return model.tree().links[model.bodies()[candidates.roots()[root].body].link].kind == LinkKind::free;
  });
  const std::string joints = fmt::format("the {} of {}", several ? "joints" : "joint", who);
  tell(by_joint, free ? who + (several ? " are free" : " is free") : joints + (several ? " pass none" : " passes none"), joints);
  const bool about_centre = norm(screw.central) > 0 && norm(screw.angular) == 0 && norm(screw.linear) == 0;
  tell(by_gravity,
       norm(model.gravity()) == 0 ? "there is no gravity"
       : about_centre             ? "gravity acts at the mass centre"
                                  : "gravity has none",
       "gravity");
  const bool forces = model.forces().act_on_links(), contacts = !model.is_plain_tree();
  const char* others = forces && contacts ? (model.contacts().empty() ? "forces and constraints" : "forces and contacts")
                       : forces           ? "the given forces"
                       : contacts         ? (model.contacts().empty() ? "the constraints" : "the contacts")
                                          : "";
  tell(by_rest, others[0] == 0 ? "" : fmt::format("{} {}", others, several ? "cancel in pairs" : "have none"), others);

  std::string text = cause.empty() ? "the balance of these momenta" : (integral.by_time == 0 ? "no " : "constant ") + cause;
  std::string separator = ": ";
  for (const std::string& reason : reasons) text += separator + reason, separator = ", ";
  for (size_t i = 0; i < varying.size(); ++i) text += (i == 0 ? separator : " and ") + varying[i];
  if (!varying.empty()) text += " cancel each other";
  return text;
}

std::string explain_generalized(const Model& model, const IntegralSamples& samples, const IntegralCandidate& candidate, int index,
                                const Integral& integral) {
  const Part law = judge_part(samples.by_joint.col(index), samples.size[index] * samples.pace);
  const std::string force = law.course == Part::Course::zero ? "no force of a joint acts on it"
                            : law.course == Part::Course::constant
                                ? fmt::format("the force on it is constant, {:.6g} {}", law.mean, unit_of_rate(integral.unit))
                                : "the force of its joint makes good what the energy brings";
  const std::string& velocity = model.velocity_names()[candidate.index];
  if (velocity.ends_with('\''))
    return fmt::format("'{}' is cyclic: neither kinetic nor potential energy depends on it, and {}",
                       velocity.substr(0, velocity.size() - 1), force);
  const auto body = std::find_if(model.bodies().begin(), model.bodies().end(),
                                 [&](const Body& b) { return candidate.index >= b.v && candidate.index < b.v + b.v_count; });
  return fmt::format("'{}' with all it carries is symmetric about its {} axis through the joint, and {}", body->name,
                     velocity.substr(velocity.size() - 1), force);
}

// The momentum of one inner subsystem.
std::string explain_inner(const Model& model, const IntegralCandidates& candidates, const IntegralSamples& samples,
                          const Integral& integral) {
  const IntegralCandidate& first = candidates.list()[integral.terms[0].candidate];
  const std::string& body = model.bodies()[candidates.subsystem(first).body].name;
  Eigen::VectorXd joint = Eigen::VectorXd::Zero(samples.rates.rows()), gravity = joint;
  double size = 0;
  Vector3 direction;
  bool alike = true;
  for (const auto& [index, coefficient] : integral.terms) {
    const IntegralCandidate& candidate = candidates.list()[index];
    joint += coefficient * samples.by_joint.col(index);
    gravity += coefficient * samples.by_gravity.col(index);
    size += std::abs(coefficient) * samples.size[index] * samples.pace;
    alike = alike && candidate.kind == first.kind;
    component(direction, candidate.index) = coefficient;
  }
  std::string cause = "change of these momenta of what";
  if (alike) {
    const std::string axis = axis_text(direction);
    switch (first.kind) {
      case Kind::linear: cause = fmt::format("force along {} on what", axis); break;
      case Kind::angular: cause = fmt::format("moment about the {} axis through the origin on what", axis); break;
      case Kind::pole: cause = fmt::format("moment along {} about the body origin on what", axis); break;
      default: cause = fmt::format("moment along {} about the mass centre on what", axis); break;
    }
  }
  std::string text = fmt::format("{} {} '{}' carries, itself included", integral.by_time == 0 ? "no" : "constant", cause, body);
  std::string separator = ": ";
  const auto add = [&](const std::string& reason) { text += separator + reason, separator = ", "; };
  if (judge_part(joint, size).course == Part::Course::zero) add("its joint passes none");
  const Part by_gravity = judge_part(gravity, size);
  if (by_gravity.course == Part::Course::constant) {
    add(fmt::format("{:.6g} {} by gravity", by_gravity.mean, unit_of_rate(integral.unit)));
  } else if (by_gravity.course == Part::Course::zero) {
    add(norm(model.gravity()) == 0 ? "there is no gravity" : "gravity has none");
  }
  if (alike && first.kind == Kind::pole) add("the motion of the body origin has none");
  return text;
}

}  // namespace

std::string explain_doubt(const IntegralCandidates& candidates, const Integral& integral, int states) {
  const bool balance = std::ranges::all_of(
      integral.terms, [&](const Integral::Term& term) { return candidates.list()[term.candidate].root >= 0; });
  const std::string cause = balance ? name_of_cause(collect_screw(candidates, integral)) : "";
  return fmt::format("{}: not found at {} states; {} may act elsewhere", cause.empty() ? "a change" : cause, states,
                     integral.doubt);
}

std::string explain_integral(const Model& model, const IntegralCandidates& candidates, const IntegralSamples& samples,
                             const Integral& integral) {
  const IntegralCandidate& first = candidates.list()[integral.terms[0].candidate];
  if (integral.terms.size() == 1 && first.kind == Kind::energy) return explain_energy(model, integral);
  if (integral.terms.size() == 1 && first.kind == Kind::generalized)
    return explain_generalized(model, samples, first, integral.terms[0].candidate, integral);
  if (first.inner >= 0) return explain_inner(model, candidates, samples, integral);
  const bool balance = std::all_of(integral.terms.begin(), integral.terms.end(),
                                   [&](const Integral::Term& term) { return candidates.list()[term.candidate].root >= 0; });
  if (balance) return explain_balance(model, candidates, samples, integral);
  return "what changes one of these is made good by the others";
}

}  // namespace vinculum
