// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "join_ranks.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/core.h>

namespace vinculum::app {

// MPI takes a moment to load and to start, so it is left alone unless something started this process for it.
Outcome<std::unique_ptr<Ranks>> join_ranks() {
  bool is_started = false;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    is_started = is_started || std::getenv(name) != nullptr;
  if (!is_started) return std::unique_ptr<Ranks>();

  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::string reason = "there is no libvinculum_ranks.so beside the program";
  for (const std::filesystem::path& place : {folder, folder / VINCULUM_MODULES}) {
    const std::string path = (place / "libvinculum_ranks.so").string();
    if (!std::filesystem::exists(path, error)) continue;
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* const join = module == nullptr ? nullptr : dlsym(module, "vinculum_join_ranks");
    if (join != nullptr) return std::unique_ptr<Ranks>(reinterpret_cast<Ranks* (*)()>(join)());
    reason = dlerror();
  }
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size != nullptr && std::string(size) == "1") return std::unique_ptr<Ranks>();
  return Failure{"VN-STUDY-030", fmt::format("started under mpirun, but MPI support is not installed: {}", reason),
                 "build where MPI is installed, or split the study: --shard I/N, then --merge"};
}

}  // namespace vinculum::app
