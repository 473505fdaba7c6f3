// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/study/study.h"

namespace vinculum {

// The result of a computed point, with its computing time, which is stored separately.
struct TimedRow {
  StudyRow row;
  double seconds = 0;
};

// The results of a study in one SQLite file:
//
//   study   (key, value)   format, program, fingerprint of the model, the study itself as JSON (describe_study)
//   points  (point, one column a parameter, one a collected value, status, code, message)
//   timing  (point, seconds)
//   checksums (point, checksum)   of the row in `points`; a damaged row is found by whoever reads it
//
// Results are added in transactions: a killed process loses only the results that were not written yet. A file can be
// read while another process writes it.
class StudyStore {
 public:
  // A new file; Failure if there is one.
  static Outcome<StudyStore> create(const std::string& path, const Study& study, const std::string& fingerprint);
  enum class Access { read, write };
  // Failure if it is no store, or damaged.
  static Outcome<StudyStore> open(const std::string& path, Access access = Access::read);
  StudyStore(StudyStore&&) noexcept;
  StudyStore& operator=(StudyStore&&) noexcept;
  ~StudyStore();

  const Study& study() const;
  const std::string& fingerprint() const;  // of the model
  const std::string& path() const;

  // Why results of another study do not belong here; none if they do. The path of the model does not count.
  std::optional<Failure> check_same(const Study& study, const std::string& fingerprint) const;

  // All results, or none and a Failure: a full disk. A new result of a point replaces the old one.
  std::optional<Failure> write(std::span<const TimedRow> rows);
  std::optional<Failure> remove_failed();

  // In the order of the points. The callback returns whether to continue.
  std::optional<Failure> for_each_row(const std::function<bool(const StudyRow&)>& visit) const;
  std::optional<Failure> for_each_time(const std::function<void(long point, double seconds)>& visit) const;
  Outcome<std::vector<StudyRow>> rows() const;
  // Which points have a result; inferred ones were not computed.
  Outcome<std::vector<bool>> asked_points() const;
  struct Counts {
    long done = 0, failed = 0, inferred = 0;
    long rows() const { return done + failed + inferred; }
  };
  Outcome<Counts> count() const;

  // Everything is in the one file, which needs nothing beside it any more.
  std::optional<Failure> close();

 private:
  struct Content;
  explicit StudyStore(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

}  // namespace vinculum
