// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#define VINCULUM_BATCH_TABLE kBatchesOfFour
#include "vinculum/kernels/batch_kernels_text.h"
