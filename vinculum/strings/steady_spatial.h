// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "vinculum/strings/steady_families.h"

namespace vinculum {

// Steady motions that lie in more than one vertical plane (theory 4, section 7).

// A chain some of whose bodies carry no horizontal force along their rod: above and below such a body the chain is plane, and the
// angle between the two planes is free. Strings with an azimuth begin a new plane. The string of the body above a new plane has
// no angle of its own: it follows from
//   w tan α = m (1 - c/s) ψ'² X_P        the body as point masses m (1 - c/s) at P and m c/s at Q, its lower string's end
// which has one or several solutions, or none. Each is listed with every side.
Outcome<std::vector<SteadyMotion>> find_bent_chains(const StringTree& tree, double rate,
                                                    const std::vector<std::optional<double>>& angles,
                                                    const std::vector<std::optional<double>>& azimuths,
                                                    const std::vector<int>& sides, const SteadyOptions& options = {});

// A carousel: one body vertical on the axis, and those above it; each of its strings with what hangs on it in a plane of its own,
// and the horizontal pulls closing a polygon. The first string has azimuth 0, those between are given, the last two follow, the
// earlier of them in (0, π) if it is the second.
Outcome<std::vector<SteadyMotion>> find_carousels(const StringTree& tree, double rate, int centre,
                                                  const std::vector<std::optional<double>>& angles,
                                                  const std::vector<std::optional<double>>& azimuths,
                                                  const std::vector<int>& sides, const SteadyOptions& options = {});

}  // namespace vinculum
