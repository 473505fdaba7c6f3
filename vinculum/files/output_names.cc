// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/output_names.h"

#include <fmt/core.h>

#include "vinculum/model/compile_forces.h"
#include "vinculum/model/output.h"

namespace vinculum {

namespace {

constexpr Dimension kPower = kForce * kVelocity;

}  // namespace

std::vector<RowName> list_row_names(const ReaderContext& context, const ModelDescription& model) {
  constexpr std::string_view kAxes[] = {"normal", "lateral", "forward", "yaw", "pitch", "roll"};
  std::vector<RowName> rows;
  for (const auto& contact : model.contacts) {
    for (const ContactAxis axis : contact.forbid)
      rows.push_back(
          {fmt::format("{}.{}", contact.name, kAxes[static_cast<int>(axis)]), axis < ContactAxis::yaw ? kForce : kMoment});
  }
  for (const auto& constraint : model.velocity_constraints) {
    for (size_t i = 0; i < constraint.slips.size(); ++i) {
      const auto slip = i < constraint.dimensions.size() ? constraint.dimensions[i] : std::nullopt;
      rows.push_back({constraint.numbered ? fmt::format("{}.{}", constraint.name, i + 1) : constraint.name,
                      slip ? std::optional(kPower / *slip) : std::nullopt});
    }
  }
  for (const auto& body : model.bodies) {
    for (const LimitDescription& limit : body.joint.limits) {
      if (!limit.position) continue;
      const auto force = context.find_force_dimension(limit.coordinate);
      rows.push_back({limit.coordinate + ".lower", force});
      rows.push_back({limit.coordinate + ".upper", force});
    }
  }
  for (const auto& body : model.bodies) {
    if (body.joint.friction)
      rows.push_back({body.name + ".friction", *body.joint.type == JointType::prismatic ? kForce : kMoment});
  }
  for (const auto& motion : model.motions)
    rows.push_back({"motion:" + motion.coordinate, context.find_force_dimension(motion.coordinate)});
  for (const auto& string : model.strings) rows.push_back({string.name, kForce});
  for (const auto& guide : model.guides) {
    for (size_t i = 1; i <= guide.pairs.size(); ++i) rows.push_back({fmt::format("{}.{}", guide.name, i), kForce});
  }
  return rows;
}

OutputNames::OutputNames(ReaderContext& context, ModelDescription& model) : context_(context), model_(model) {
  context.set_quantities([this](std::string_view name) { return find(name); },
                         [this] {
                           fill();
                           std::vector<std::string> names;
                           for (const auto& [name, dimension] : dimensions_) names.push_back(name);
                           return names;
                         });
}

// Once it is asked for: most models have no such formula.
void OutputNames::fill() {
  if (filled_) return;
  filled_ = true;
  for (const std::string& velocity : context_.velocity_names())
    dimensions_.emplace(velocity + "'", *context_.find_dimension(velocity) / kTime);
  for (const RowName& row : list_row_names(context_, model_)) {
    dimensions_.emplace(row.name, row.dimension);
    if (row.name.starts_with("motion:")) dimensions_.emplace(row.name + std::string(kPowerWord), kPower);
  }
  for (const ForceDescription& force : model_.forces) {
    for (const ForceOutput& output : list_outputs(force)) {
      const auto dimension = output.dimension ? output.dimension : context_.find_force_dimension(output.joint);
      dimensions_.emplace(fmt::format("{}.{}", force.name, output.word), dimension);
    }
  }
}

void OutputNames::add_point(const std::string& name) {
  constexpr Dimension kDimensions[] = {kLength, kVelocity, kAcceleration};
  for (size_t k = 0; k < std::size(kPointWords); ++k)
    dimensions_[fmt::format("{}.{}", name, kPointWords[k])] = kDimensions[k / 3];
}

std::optional<NameTable::Quantity> OutputNames::find(std::string_view name) {
  fill();
  const auto known = dimensions_.find(std::string(name));
  if (known == dimensions_.end()) return std::nullopt;
  const auto [number, is_new] = numbers_.try_emplace(known->first, static_cast<int>(model_.quantities.size()));
  if (is_new) model_.quantities.push_back(known->first);
  return NameTable::Quantity{{VariableKind::quantity, number->second}, known->second};
}

std::vector<std::string> OutputNames::list_forces() {
  std::vector<std::string> names;
  for (const ForceDescription& force : model_.forces) {
    for (const ForceOutput& output : list_outputs(force)) {
      if (output.is_force) names.push_back(fmt::format("{}.{}", force.name, output.word));
    }
  }
  return names;
}

}  // namespace vinculum
