// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "vinculum/math/matrix3.h"

// Componentwise within an absolute tolerance.
#define EXPECT_NEAR_VECTOR(actual, expected, tolerance) \
  do {                                                  \
    const ::vinculum::Vector3 a_ = (actual);            \
    const ::vinculum::Vector3 e_ = (expected);          \
    EXPECT_NEAR(a_.x, e_.x, tolerance) << #actual ".x"; \
    EXPECT_NEAR(a_.y, e_.y, tolerance) << #actual ".y"; \
    EXPECT_NEAR(a_.z, e_.z, tolerance) << #actual ".z"; \
  } while (false)
