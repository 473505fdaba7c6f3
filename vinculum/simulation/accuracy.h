// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/run.h"

namespace vinculum {

// How far a finished run can be trusted: errors of its steps may grow along the motion.               theory 8, section 9.2
//
// The same motion is computed once more with a much looser tolerance, which costs a fraction of
// the run. The difference is the error of the loose one. That of the run is smaller in proportion
// to the tolerances, unless the loose one has lost the motion altogether. In that case the run is
// repeated with a tenth of its own tolerance, and the difference is the error of the run itself.
//
//   error(t) = max_i |y_i - ŷ_i| / (scale_i + |y_i|)                            of coordinates and velocities, by Model::scales
//
// The verdict `accuracy`: violated where the error passes 1e-3; none where the run can be trusted. `model` in the scales of the
// run. Also none for implicit steps, and for runs that have not come to their end.
std::optional<Verdict> judge_accuracy(const Model& model, const State& start, const RunOptions& options, const RunResult& result,
                                      RunListener& listener);

}  // namespace vinculum
