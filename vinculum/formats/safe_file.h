// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// All of a file, or of a pipe; none if it cannot be read, or is a folder.
std::optional<std::string> read_whole_file(const std::string& path);

// Hands what was written to the disk itself, so that it survives a power cut. False if it could not be written.
bool flush_to_disk(std::FILE* file);

// Names that have appeared, changed or gone in a folder are on the disk as well.
bool flush_folder(const std::string& folder);

// Written beside, flushed to disk and then renamed: a reader sees the old file or the new one, never a part, also after a power
// cut. False, with errno, if it cannot be written; then the old file is as it was.
bool write_whole_file(const std::string& path, std::string_view text);

// The same where a user names the file: one that exists is not replaced unless told so. Failure VN-FILE-140 or -141.
Outcome<bool> write_user_file(const std::string& path, std::string_view text, bool replace);

// One process at a time writes into a folder. The system lets go of the lock when the process ends, however it ends.
class FolderLock {
 public:
  // Failure VN-FILE-142 if another process holds it.
  static Outcome<FolderLock> take(const std::string& folder);

  FolderLock(FolderLock&& other) noexcept : path_(std::move(other.path_)), file_(other.file_) { other.file_ = -1; }
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  FolderLock(std::string path, int file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  int file_;
};

}  // namespace vinculum
