// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The models with guides of theory 5, section 13.
#pragma once

#include "tests/support/guide_texts.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing {

inline Model prism(const std::string& pairs, double mass, const std::string& force, double moment, const std::string& more) {
  return read_model_text(prism_text(pairs, mass, force, moment, more));
}
inline Model prism_w2(double moment) { return read_model_text(prism_w2_text(moment)); }
inline Model bar_clamp(double f, double moment) { return read_model_text(bar_clamp_text(f, moment)); }
inline Model rod_in_slot(double f, double turn) { return read_model_text(rod_in_slot_text(f, turn)); }
inline Model plate_on_pads(const std::string& more) { return read_model_text(plate_on_pads_text(more)); }
inline Model disc() { return read_model_text(disc_text()); }
inline Model slider_crank(double theta, double omega = 12) { return read_model_text(slider_crank_text(theta, omega)); }

}  // namespace vinculum::testing
