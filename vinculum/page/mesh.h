// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/description.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Where the mesh of a model in `folder` lies: `file://PATH`, a path from that folder, or `package://NAME/PATH` as robots write
// it, where the package is looked for in the folder and in those above it. None if there is no such file.
std::optional<std::string> find_mesh(const std::string& folder, const std::string& file);

// Triangles of a mesh, nine numbers each: STL, or OBJ if the name ends so. Failure VN-FILE-063 if it cannot be read or has more
// triangles than `most`.
Outcome<std::vector<float>> read_mesh(const std::string& path, std::size_t most);

// Triangles of an OBJ file: corners `v x y z`, faces `f a b c ..` with corners counted from 1, or backwards from the last by
// negative numbers; a face with more corners is a fan of triangles. All else (materials, normals) has no meaning for a drawing.
Outcome<std::vector<float>> parse_obj(std::string_view content, std::size_t most);

// Meshes that a model in `folder` names and that are not there, each with its body.
std::vector<std::string> list_missing_meshes(const ModelDescription& model, const std::string& folder);

}  // namespace vinculum
