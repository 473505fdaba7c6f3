// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "vinculum/formats/safe_file.h"
#include "vinculum/formats/stl.h"

namespace vinculum {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPackage = "package://", kFile = "file://";
constexpr std::uintmax_t kLargestObj = 256u << 20;

Failure obj_refusal(std::string message) { return {"VN-FILE-063", std::move(message), "meshes are read from STL and OBJ files"}; }

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The words of a line.
std::vector<std::string_view> split_words(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  std::vector<std::string_view> words;
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlank));
    if (!word.empty()) words.push_back(word);
    line.remove_prefix(word.size());
  }
  return words;
}

template <class Number>
std::optional<Number> read_whole_number(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::string> find_mesh(const std::string& folder, const std::string& file) {
  if (!file.starts_with(kPackage)) {
    const fs::path path = file.starts_with(kFile) ? fs::path(file.substr(kFile.size())) : fs::path(folder) / file;
    return is_file(path) ? std::optional(path.string()) : std::nullopt;
  }
  const fs::path within = file.substr(kPackage.size());
  if (within.empty() || within.is_absolute()) return std::nullopt;
  const fs::path package = *within.begin(), rest = within.lexically_relative(package);
  std::error_code error;
  fs::path above = fs::absolute(folder.empty() ? "." : folder, error);
  if (error) return std::nullopt;
  for (above = above.lexically_normal();; above = above.parent_path()) {
    if (is_file(above / within)) return (above / within).string();
    if (above.filename() == package && is_file(above / rest)) return (above / rest).string();
    if (!above.has_relative_path()) return std::nullopt;
  }
}

Outcome<std::vector<float>> parse_obj(std::string_view content, std::size_t most) {
  std::vector<float> corners, triangles;
  while (!content.empty()) {
    const std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(line.size() + 1, content.size()));
    const std::vector<std::string_view> words = split_words(line);
    if (words.empty()) continue;
    if (words[0] == "v") {
      if (words.size() < 4) return obj_refusal("a corner has less than three numbers");
      for (int k = 1; k <= 3; ++k) {
        const auto number = read_whole_number<float>(words[k]);
        if (!number || !std::isfinite(*number)) return obj_refusal("a corner is not a finite number");
        corners.push_back(*number);
      }
    }
    if (words[0] != "f") continue;
    const auto count = static_cast<long>(corners.size() / 3);
    std::vector<long> face;
    for (size_t k = 1; k < words.size(); ++k) {
      const auto index = read_whole_number<long>(words[k].substr(0, words[k].find('/')));
      const long corner = !index ? -1 : *index > 0 ? *index - 1 : *index < 0 && -*index <= count ? count + *index : -1;
      if (corner < 0 || corner >= count) return obj_refusal("a face names a corner that is not there");
      face.push_back(corner);
    }
    if (face.size() < 3) return obj_refusal("a face has less than three corners");
    for (size_t k = 1; k + 1 < face.size(); ++k) {
      if (triangles.size() / 9 >= most) return obj_refusal(fmt::format("it has more than the {} triangles that are drawn", most));
      for (const long corner : {face[0], face[k], face[k + 1]})
        triangles.insert(triangles.end(), corners.begin() + 3 * corner, corners.begin() + 3 * corner + 3);
    }
  }
  if (triangles.empty()) return obj_refusal("it has no triangles");
  return triangles;
}

Outcome<std::vector<float>> read_mesh(const std::string& path, std::size_t most) {
  std::string end = fs::path(path).extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (end != ".obj") return read_stl(path, most);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return obj_refusal("it cannot be read: " + error.message());
  if (size > kLargestObj) return obj_refusal(fmt::format("it has {} MB, more than {}", size >> 20, kLargestObj >> 20));
  const auto content = read_whole_file(path);
  return content ? parse_obj(*content, most) : Outcome<std::vector<float>>(obj_refusal("it cannot be read"));
}

std::vector<std::string> list_missing_meshes(const ModelDescription& model, const std::string& folder) {
  std::vector<std::string> missing;
  for (const BodyDescription& body : model.bodies) {
    for (const ShapeDescription& shape : body.shapes) {
      const auto* mesh = std::get_if<Mesh>(&shape.form);
      if (mesh != nullptr && !find_mesh(folder, mesh->file))
        missing.push_back(fmt::format("body '{}': the mesh '{}' is not there, so it is not drawn", body.name, mesh->file));
    }
  }
  return missing;
}

}  // namespace vinculum
