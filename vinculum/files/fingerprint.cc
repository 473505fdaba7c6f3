// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/fingerprint.h"

#include "vinculum/files/write_model.h"
#include "vinculum/math/checksum.h"

namespace vinculum {

std::string fingerprint(const Model& model) {
  ModelDescription words = model.description();
  for (BodyDescription& body : words.bodies) body.shapes.clear();
  return checksum_of(write_model(words));  // the canonical text of the model
}

}  // namespace vinculum
