// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/support/find_non_finite.h"
#include "vinculum/files/read_model.h"

// Whatever the bytes: no crash, no refusal without a reason, no number that is none in what is accepted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  using namespace vinculum;
  Diagnostics diagnostics;
  const auto model = read_model({reinterpret_cast<const char*>(data), size}, diagnostics);
  const auto fail = [](const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::abort();
  };
  if (model) {
    const std::string culprit = find_non_finite(*model);
    if (!culprit.empty()) fail("not finite: " + culprit);
  } else if (!diagnostics.has_errors()) {
    fail("refused without a reason");
  }
  for (const Diagnostic& d : diagnostics.list()) {
    if (to_text(d).size() > 4000) fail("a message of " + std::to_string(to_text(d).size()) + " bytes: " + std::string(d.code));
  }
  return 0;
}
