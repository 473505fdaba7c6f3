// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/safe_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/core.h>

namespace vinculum {

namespace fs = std::filesystem;

std::optional<std::string> read_whole_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char chunk[1 << 16];
  for (size_t count; (count = std::fread(chunk, 1, sizeof chunk, file)) > 0;) text.append(chunk, count);
  const bool is_read = std::ferror(file) == 0;  // a folder can be opened, not read
  std::fclose(file);
  return is_read ? std::optional(std::move(text)) : std::nullopt;
}

bool flush_to_disk(std::FILE* file) { return std::fflush(file) == 0 && (fsync(fileno(file)) == 0 || errno == EINVAL); }

bool flush_folder(const std::string& folder) {
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool flushed = fsync(file) == 0 || errno == EINVAL;  // some file systems cannot, and need not
  close(file);
  return flushed;
}

bool write_whole_file(const std::string& path, std::string_view text) {
  const std::string part = path + ".part";
  std::FILE* const file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) return false;
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  good = flush_to_disk(file) && good;
  good = std::fclose(file) == 0 && good;
  good = good && std::rename(part.c_str(), path.c_str()) == 0;
  if (!good) {
    const int reason = errno;
    unlink(part.c_str());
    errno = reason;
    return false;
  }
  return flush_folder(fs::path(path).parent_path().string());
}

Outcome<bool> write_user_file(const std::string& path, std::string_view text, bool replace) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status) && !replace)
    return Failure{"VN-FILE-140", fmt::format("{} exists already", path), "--force replaces it; or choose another name"};
  const auto failure = [&](const char* reason) {
    return Failure{"VN-FILE-141", fmt::format("cannot write {}: {}", path, reason), "is the folder there and writable?"};
  };
  if (fs::is_directory(status)) return failure("it is a folder");
  if (!fs::exists(status) || fs::is_regular_file(status)) {
    if (!write_whole_file(path, text)) return failure(std::strerror(errno));
    return true;
  }
  // A pipe or a device is written as it is.
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return failure(std::strerror(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !written) return failure(std::strerror(errno));
  return true;
}

Outcome<FolderLock> FolderLock::take(const std::string& folder) {
  const std::string path = (fs::path(folder) / ".lock").string();
  for (;;) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
      return Failure{"VN-FILE-110", fmt::format("cannot write into the folder {}: {}", folder, std::strerror(errno)),
                     "is the disk full, or the folder read-only?"};
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      close(file);
      if (reason == EWOULDBLOCK)
        return Failure{"VN-FILE-142", fmt::format("another process is writing into {}", folder),
                       "wait until it has ended, or choose another folder with --output"};
      return Failure{"VN-FILE-142", fmt::format("the folder {} cannot be locked: {}", folder, std::strerror(reason)),
                     "choose a folder on another disk with --output"};
    }
    // Its last owner may have removed the file between the two calls: then the lock is on a file that nobody else will find.
    struct stat mine {
    }, named{};
    if (fstat(file, &mine) == 0 && stat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev)
      return FolderLock(path, file);
    close(file);
  }
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(file_);
}

}  // namespace vinculum
