// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Elements of the equations of motion that change with time by themselves: "force 'shaker'", "force 'strut' on environment body
// 'deck'", "motion of 'cart'", "contact 'foot' on environment body 'deck'". What is found at a moment then holds at that moment.
std::vector<std::string> list_laws_of_time(const Model& model);

// Ground in motion, if a spring of the model stands on it: there is no rest then. VN-LINEAR-130 with its velocity and
// acceleration.
std::optional<Failure> refuse_moving_ground(const Model& model, double t);

}  // namespace vinculum
