# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0

# The recursions: each file for one instruction set, chosen at run time. Making packs of small matrices (SLP) slows g++'s code on
# single numbers down, and clang's inverse dynamics (1.2); it speeds clang's mass matrix up (0.85). All give the same bits. Other
# processors than x86-64 have the plain set, compiled as their compiler does by default.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(x86_64 ON)
else()
  set(x86_64 OFF)
endif()
include(CMakeDependentOption)
cmake_dependent_option(VINCULUM_WIDE_KERNELS "Compile the recursions for the wider registers of x86-64 too" ON x86_64 OFF)

# add_kernel(FILE plain|fused|wide OPTIONS..)
function(add_kernel file registers)
  set(options -O3 ${ARGN} $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
  if(x86_64)
    set(plain -march=x86-64)
    set(fused -march=x86-64-v3)
    set(wide -march=x86-64-v4)
    list(APPEND options ${${registers}})
  endif()
  if(VINCULUM_SANITIZE)
    list(APPEND options -fno-sanitize=all)
  endif()
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
  target_sources(vinculum_library PRIVATE ${file})
  set_property(GLOBAL APPEND PROPERTY VINCULUM_KERNELS ${PROJECT_BINARY_DIR}/CMakeFiles/vinculum_library.dir/${file}.o)
endfunction()

add_kernel(vinculum/kernels/kernels_baseline.cc plain)
add_kernel(vinculum/kernels/inverse_kernels_baseline.cc plain -fno-tree-slp-vectorize)
add_kernel(vinculum/kernels/batch_of_two.cc plain)
add_kernel(vinculum/kernels/series_baseline.cc plain)
if(VINCULUM_WIDE_KERNELS)
  target_compile_definitions(vinculum_library PRIVATE VINCULUM_WIDE_KERNELS)
  add_kernel(vinculum/kernels/kernels_fused.cc fused)
  add_kernel(vinculum/kernels/inverse_kernels_fused.cc fused -fno-tree-slp-vectorize)
  add_kernel(vinculum/kernels/batch_of_four.cc fused)
  add_kernel(vinculum/kernels/series_fused.cc fused)
  add_kernel(vinculum/kernels/batch_of_eight.cc wide -mtune=icelake-server)
  add_kernel(vinculum/kernels/series_wide.cc wide)
endif()
