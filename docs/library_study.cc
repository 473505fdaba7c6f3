// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A study from C++: a sleigh whose blade keeps it from slipping sideways, over the grip of the blade.
#include <cstdio>
#include <filesystem>
#include <string>

#include "vinculum/files/fingerprint.h"
#include "vinculum/questions/question_words.h"
#include "vinculum/questions/study_question.h"
#include "vinculum/study/run_study.h"

using namespace vinculum;

namespace {

const char* const kSleigh = R"(
vinculum: 1
gravity: [0, 0, 0]
parameters: { grip: 1 N }
bodies:
  sled: { joint: { axes: [tx, ty, rz] }, mass: 1 kg, com: [0.5, 0, 0], inertia: 0.5 }
velocity_constraints:
  blade: { equation: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0", bound: grip }
initial: { "sled.tx'": -1.5, "sled.rz'": 0.3 }
)";

int refuse(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) std::fprintf(stderr, "%s\n", to_text(diagnostic).c_str());
  return 1;
}

int refuse(const Failure& failure) {
  std::fprintf(stderr, "%s\n", failure.message.c_str());
  return 1;
}

}  // namespace

int main() {
  Diagnostics diagnostics("sleigh");
  const auto source = ModelSource::parse(kSleigh, diagnostics);
  const auto model = source ? source->build(diagnostics) : std::nullopt;
  if (!model) return refuse(diagnostics);

  // What is asked at every point: 3 s of the motion, in which the blade may slip.
  SimulateOptions simulate;
  simulate.until = 3;
  simulate.run.follow = Follow::frictional;

  // Where, and what is kept. A path leads to a value as in the document of `vinculum simulate --json`.
  Study study;
  StudyAxis grip;
  grip.name = "grip";
  grip.first = 0.4;
  grip.second = 1.6;
  grip.count = 5;
  grip.unit = "N";
  study.over = {grip};
  study.collect = {{"verdict", "verdicts.blade.verdict"}, {"margin", "verdicts.blade.margin"}, {"slip", "events.slip:blade.t"}};
  set_question(study, simulate);
  if (const auto failure = check_study(study)) return refuse(*failure);

  // Names and paths are checked at a few points before anything is computed.
  const StudySubject subject{study, *source, always(simulate)};
  if (!check_question(subject, {}, diagnostics)) return refuse(diagnostics);

  const std::filesystem::path file = std::filesystem::temp_directory_path() / "vinculum_library_study.sqlite";
  std::filesystem::remove(file);
  auto store = StudyStore::create(file.string(), study, fingerprint(*model));
  if (!store) return refuse(store.failure());
  StudyRunOptions options;
  options.threads = 2;
  const StudySummary summary = run_study(
      *store, [&] { return make_question(subject); }, options);
  if (summary.failure) return refuse(*summary.failure);

  std::printf("%s %s\n", study.command.c_str(), study.options.c_str());
  const auto failure = store->for_each_row([&](const StudyRow& row) {
    const double* const margin = std::get_if<double>(&row.values[1]);
    const double* const slip = std::get_if<double>(&row.values[2]);
    std::printf("grip %.1f N  blade %-9s", row.parameters[0], std::get<std::string>(row.values[0]).c_str());
    if (margin != nullptr) std::printf("  margin %.3f", *margin);
    if (slip != nullptr) std::printf("  slips at %.4f s", *slip);
    std::printf("\n");
    return true;
  });
  return failure ? refuse(*failure) : 0;
}
