// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Triangles of an STL file, nine numbers each: three corners. The stored normals are not used; the order of the corners tells the
// outside. Failure VN-FILE-063 if the text is neither binary nor ASCII STL, or has more triangles than `most`.
Outcome<std::vector<float>> parse_stl(std::string_view content, std::size_t most);

// The same from a file. Failure VN-FILE-063 also if it cannot be read.
Outcome<std::vector<float>> read_stl(const std::string& path, std::size_t most);

}  // namespace vinculum
