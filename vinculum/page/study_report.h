// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "vinculum/study/study_statistics.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// The page of a study never grows beyond this.
inline constexpr std::size_t kLargestStudyPage = 64'000'000;  // bytes

// What the page of a study is told, as JSON that may stand inside a <script> element, in at most `largest` bytes. What does not
// fit in is given up in this order, and the page says so: the last digits of collected numbers; points, evenly, of a random
// study; the last quantities of a grid. Statistics are those of all points. Failure VN-STUDY-050 if nothing helps.
Outcome<std::string> study_document(const StudyResults& results, const StudyStatistics& statistics,
                                    std::size_t largest = kLargestStudyPage);

// The page of a study, as one file. Failures VN-FILE-060 and -061 of write_report_page, VN-STUDY-050.
Outcome<bool> write_study_page(const std::string& path, const StudyResults& results, const StudyStatistics& statistics);

// The page of the study in FOLDER/study.sqlite: FOLDER/report.html. Also the failures of reading it.
Outcome<bool> write_study_report(const std::string& folder);

}  // namespace vinculum
