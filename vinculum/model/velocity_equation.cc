// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/velocity_equation.h"

#include "vinculum/expression/differentiate.h"

namespace vinculum {

namespace {

// The formula with all velocities zero.
Expression without_velocities(const Expression& formula) {
  Expression::Builder builder;
  std::vector<int> handles;
  for (const Step& step : formula.steps()) {
    const bool is_velocity = step.operation == Operation::variable && step.variable.kind == VariableKind::velocity;
    int handle = -1;
    if (step.operation == Operation::constant || is_velocity) {
      handle = builder.constant(is_velocity ? 0 : step.value);
    } else if (step.operation == Operation::parameter) {
      handle = builder.parameter(formula.name(step.name), step.value);
    } else if (step.operation == Operation::variable) {
      handle = builder.variable(step.variable, formula.name(step.name));
    } else if (step.right < 0) {
      handle = builder.unary(step.operation, handles[step.left]);
    } else if (step.third >= 0) {
      handle = builder.choose(handles[step.left], handles[step.right], handles[step.third]);
    } else {
      handle = builder.binary(step.operation, handles[step.left], handles[step.right]);
    }
    handles.push_back(handle);
  }
  return builder.build(handles.back());
}

}  // namespace

VelocityEquation compile_equation(int constraint, const Expression& slip) {
  VelocityEquation equation;
  equation.constraint = constraint;
  equation.slip = slip;
  equation.given = -without_velocities(slip);
  equation.by_time = differentiate_by_time(slip);
  for (const Variable variable : slip.variables()) {
    if (variable.kind == VariableKind::velocity) equation.by_velocity.push_back({variable.index, differentiate(slip, variable)});
    if (variable.kind == VariableKind::coordinate)
      equation.by_coordinate.push_back({variable.index, differentiate(slip, variable)});
  }
  return equation;
}

VelocityEquation hold_joint(int body, int velocity, const std::string& name) {
  Expression::Builder builder;
  const int v = builder.variable({VariableKind::velocity, velocity}, name);
  VelocityEquation equation = compile_equation(-1, builder.build(v));
  equation.joint = body;
  return equation;
}

}  // namespace vinculum
