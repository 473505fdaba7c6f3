// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/study/question.h"
#include "vinculum/study/store.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

class Ranks;  // study/ranks.h

struct StudyProgress {
  long points = 0;  // to be asked, as far as known
  long asked = 0;   // of them, those of earlier runs included
  long failed = 0;
  double rate = 0;     // [1/s]
  double seconds = 0;  // since the start of this run
  double seconds_left = 0;
};

struct StudyRunOptions {
  int threads = 1;
  int together = 1;             // points that a thread asks at once: Question::together
  std::optional<double> limit;  // [s] a point
  StudyShard shard;
  AskStop stop;
  std::function<void(const StudyProgress&)> progress;
  Ranks* ranks = nullptr;  // others that help; this is rank 0
};

struct StudySummary {
  bool interrupted = false;
  std::optional<Failure> failure;  // of the store; what was written is good
  StudyProgress progress;
};

// Computes every point that is not in the store, and writes the results as they come. With refinement
// it computes the coarse grid first, then points of the halved cells. At the end it adds the inferred
// points; a shard leaves them to the whole study that continues with the merged results.
StudySummary run_study(StudyStore& store, const MakeQuestion& make_question, const StudyRunOptions& options);

// What the other ranks do meanwhile: ask the points that rank 0 sends, until it says that this is the end (RankOrder).
void help_study(const Study& study, const MakeQuestion& make_question, const StudyRunOptions& options);

}  // namespace vinculum
