// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum {

enum class Holds { holds, violated, not_unique, impossible, not_checked };

// Does an idealisation behind the model hold: by which margin, since when not, where, why, and what to do.
struct Verdict {
  std::string subject;
  Holds verdict = Holds::not_checked;
  std::optional<double> margin;           // has / needs; above 1 it holds
  std::optional<double> first_violation;  // [s]
  std::string why;
  std::string hint{};                 // what to do where it does not hold; empty: nothing to be done
  std::string term{};                 // what textbooks call it: "energy balance"
  std::string element{};              // of the model that it is about; empty: the run as a whole
  std::optional<double> nearest_t{};  // [s] when it was nearest to failing, or failed most
};

// The most severe first: impossible, violated, not unique, not checked, holds. Among equal ones, elements of
// the model come before the run as a whole, and smaller printed margins before larger ones. Margins of the
// run as a whole count only if it does not hold, because they are round-off. Otherwise the order is kept.
void sort_by_gravity(std::vector<Verdict>& verdicts);

// The gravest of them; `holds` if there is none.
Holds gravest(const std::vector<Verdict>& verdicts);

// Does a reason contain something that is not a number, such as "departs by nan J"? Names are quoted there, or have a point or a
// prime.
bool tells_no_number(std::string_view why);

}  // namespace vinculum
