# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0

# cmake --build build --target tidy: clang-tidy over the library and the program, with the checks of .clang-tidy. Files compiled together are
# looked at together.
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy run-clang-tidy-14)
if(RUN_CLANG_TIDY)
  add_custom_target(tidy
    COMMAND ${RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR} "-header-filter=${PROJECT_SOURCE_DIR}/(vinculum|apps)/.*"
            "(${PROJECT_SOURCE_DIR}|vinculum_(library|commands)\\.dir/Unity)/(vinculum|apps|unity_).*"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DEPENDS vinculum
    VERBATIM)
endif()
