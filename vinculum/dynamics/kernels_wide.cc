// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#define VINCULUM_KERNEL_TABLE kWideKernels
#include "vinculum/dynamics/kernels_text.h"
