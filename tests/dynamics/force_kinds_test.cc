// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands behind dynamics/force_source.h: no other file names a kind of force.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace vinculum {
namespace {

TEST(ForceKinds, NoFileOutsideNamesOne) {
  // Words and laws of each kind, the list of kinds, sources, and what reads and writes files; makers of models write words.
  const std::set<std::string> own{"model/description.h",
                                  "model/force_law.h",
                                  "model/compile_forces.h",
                                  "model/compile_forces.cc",
                                  "kernels/loads_kernel.h",
                                  "dynamics/force_source.h",
                                  "dynamics/force_source.cc",
                                  "kernels/joint_force_kernel.h",
                                  "dynamics/joint_force.cc",
                                  "kernels/body_force_kernel.h",
                                  "dynamics/body_force.cc",
                                  "kernels/spring_force_kernel.h",
                                  "dynamics/spring_force.cc",
                                  "kernels/point_to_point_force_kernel.h",
                                  "dynamics/point_to_point_force.cc",
                                  "files/read_forces.cc",
                                  "files/write_model.cc",
                                  "import/convert_urdf.cc",
                                  "realization/describe_realized.cc"};
  const std::regex kinds(R"(\b(JointForce(Law|Source)?|BodyForce(Law|Source)?|Spring(Force|Law|Source|Of)|PointToPoint\w*|)"
                         R"((joint|body|spring|point_to_point)_force_source)\b)");
  int looked_at = 0, named = 0;
  for (const char* part : {"vinculum", "apps/vinculum"}) {
    const std::filesystem::path root = std::filesystem::path(VINCULUM_SOURCE_DIR) / part;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      ++looked_at;
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      const std::string content = text.str(), name = std::filesystem::relative(entry.path(), root).string();
      std::smatch found;
      if (!std::regex_search(content, found, kinds)) continue;
      ++named;
      EXPECT_TRUE(own.contains(name)) << name << " names " << found.str();
    }
  }
  EXPECT_GT(looked_at, 500);
  EXPECT_EQ(named, static_cast<int>(own.size()));
}

}  // namespace
}  // namespace vinculum
