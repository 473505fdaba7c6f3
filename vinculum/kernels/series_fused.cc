// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#define VINCULUM_KERNEL_TABLE kFusedSeriesKernels
#include "vinculum/kernels/series_kernels_text.h"
