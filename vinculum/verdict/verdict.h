// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vinculum {

enum class Holds { holds, violated, not_unique, impossible, not_checked };

// Does an idealisation behind the model hold: by which margin, since when not, and why.
struct Verdict {
  std::string subject;
  Holds verdict = Holds::not_checked;
  std::optional<double> margin;           // has / needs; above 1 it holds
  std::optional<double> first_violation;  // [s]
  std::string why;
};

// Does a reason tell something that is not a number, such as "departs by nan J"? Names are quoted there, or have a point or a
// prime.
bool tells_no_number(std::string_view why);

// holds | violated | not unique | impossible | not checked
std::string_view to_text(Holds verdict);

}  // namespace vinculum
