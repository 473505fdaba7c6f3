// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/fingerprint.h"

#include <cstdint>

#include <fmt/core.h>

#include "vinculum/files/write_model.h"

namespace vinculum {

std::string fingerprint(const Model& model) {
  ModelDescription words = model.description();
  for (BodyDescription& body : words.bodies) body.shapes.clear();
  // FNV-1a over the canonical text of the model.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : write_model(words)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

}  // namespace vinculum
