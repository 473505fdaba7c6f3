// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#define VINCULUM_KERNEL_TABLE kFusedKernels
#include "vinculum/kernels/kernels_text.h"
