// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

int main(int argc, char** argv) { return vinculum::app::run_program(argc, argv); }
