// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/files/telling.h"
#include "vinculum/strings/permanent_rotation.h"
#include "vinculum/strings/steady_atlas.h"
#include "vinculum/strings/steady_families.h"
#include "vinculum/strings/steady_search.h"
#include "vinculum/verdict/stop.h"

// What `steady` has found.
namespace vinculum {

struct ToldStability {
  bool wanted = false, driven = false;
};

// One family; its lines, where they are wanted, begin with the title.
Telling tell_family(const StringTree& tree, const SteadyMotion& motion, const std::string& title, const ToldStability& stability,
                    bool with_lines = true);
// M, mu, b, d, J1, N, f, S, T.
Telling tell_constants(const StringTree& tree);
// A branch that left the vertical state at a critical rate and was followed to another, or as far as it goes; asked to stop it
// tells a part of it.
Telling tell_branch(const StringTree& tree, const SteadyBranch& branch, double critical_rate, double to_rate,
                    const ToldStability& stability, const AskStop& stop);
// All motions of a scan; with each of them as a row.
Telling tell_atlas(const StringTree& tree, double rate, const SteadyAtlas& atlas, bool with_stability, bool with_rows);
// The same rows as a table, with a header.
std::string write_atlas(const StringTree& tree, const SteadyAtlas& atlas, bool with_stability);
// Points, segments and circles of the geometric construction of a coplanar motion.
Telling tell_construction(const StringTree& tree, const SteadyMotion& motion);
Telling tell_permanent(const HungBody& hung, double rate, const std::vector<PermanentRotation>& rotations);
Telling tell_imbalance(const BodyOnString& body, const HungBody& hung, const Imbalance& found, std::size_t measurements);

}  // namespace vinculum
