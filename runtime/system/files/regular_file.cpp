#include "runtime/system/files/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/nearest.h"

namespace alphasparse {

namespace {

Failure unreadable(int reason) {
  return {Status::pruned, fmt::format("cannot be read: {}", std::strerror(reason))};
}

/// A file of a name like that of one that is not there.
std::string near_file_text(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::string> names;
  std::error_code unknown;
  for (std::filesystem::directory_iterator entry(folder, unknown), end; !unknown && entry != end;
       entry.increment(unknown))
    names.push_back(entry->path().filename());
  return did_you_mean(path.filename().string(), names);
}

const char* kind_name(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    case S_IFLNK:
      return "a link";
    default:
      return "a device";
  }
}

Failure not_regular(mode_t mode) {
  return {Status::pruned, fmt::format("is {}, not a file", kind_name(mode))};
}

}  // namespace

Result<RegularFile> RegularFile::open_with(const std::string& path, int flags, mode_t kind) {
  struct stat facts {};
  const bool follow = (flags & O_NOFOLLOW) == 0;
  // Before it is opened, for opening a device may do something, and after, for it may be another.
  if (fstatat(AT_FDCWD, path.c_str(), &facts, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0) {
    const int reason = errno;
    Failure failure = unreadable(reason);
    if (reason == ENOENT && follow) failure.reason += near_file_text(path);
    return failure;
  }
  if ((facts.st_mode & S_IFMT) != kind) return not_regular(facts.st_mode);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
  if (descriptor < 0) return unreadable(errno);
  RegularFile file(descriptor, facts);
  if (fstat(descriptor, &file.facts_) != 0) return unreadable(errno);
  if ((file.facts_.st_mode & S_IFMT) != kind) return not_regular(file.facts_.st_mode);
  return file;
}

Result<RegularFile> RegularFile::open(const std::string& path) { return open_with(path, 0); }

Result<RegularFile> RegularFile::open_pipe(const std::string& path) {
  return open_with(path, 0, S_IFIFO);
}

Result<RegularFile> RegularFile::piped_input() {
  RegularFile file(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0), {});
  if (fstat(file.descriptor_, &file.facts_) != 0) return unreadable(errno);
  const mode_t mode = file.facts_.st_mode;
  return S_ISFIFO(mode) || S_ISSOCK(mode) ? Result(std::move(file)) : not_regular(mode);
}

Result<RegularFile> RegularFile::open_own(const std::string& path) {
  Result<RegularFile> file = open_with(path, O_NOFOLLOW);
  if (!file) return file;
  if (file->facts_.st_uid != geteuid()) return Failure{Status::pruned, "belongs to another user"};
  if ((file->facts_.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return Failure{Status::pruned, "can be written by other users"};
  return file;
}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<std::string> RegularFile::read(std::size_t bytes) const {
  std::string text(bytes, '\0');
  const Result<std::size_t> count = read(text.data(), bytes);
  if (!count) return count.failure();
  text.resize(*count);
  return text;
}

Result<std::size_t> RegularFile::read(char* to, std::size_t bytes) const {
  std::size_t filled = 0;
  while (filled < bytes) {
    const ssize_t count = ::read(descriptor_, to + filled, bytes - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

}  // namespace alphasparse
