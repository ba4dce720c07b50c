#include "runtime/system/files/own_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>

#include "runtime/system/files/descriptor.h"

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

constexpr mode_t own_mode = S_IRWXU;

std::error_code last_error() { return {errno, std::generic_category()}; }

constexpr std::string_view draft_suffix = ".tmp";

/// Writes and syncs a new file.
std::error_code write_whole(const fs::path& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.number < 0) return last_error();
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.number, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return last_error();
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return sync_file(file.number);
}

/// Cuts the digits at the end off; whether there were any.
bool drop_digits(std::string_view& text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const std::size_t rest = last == std::string_view::npos ? 0 : last + 1;
  const bool had_some = rest < text.size();
  text = text.substr(0, rest);
  return had_some;
}

bool drop_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

}  // namespace

std::error_code make_folders(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return {};
  if (folder.has_parent_path() && folder.parent_path() != folder) {
    if (const std::error_code above = make_folders(folder.parent_path())) return above;
  }
  if (!folder.has_filename()) return {};  // "out/": made as "out"
  if (::mkdir(folder.c_str(), own_mode) == 0) return {};
  error = last_error();  // another process may have made it meanwhile
  std::error_code unknown;
  return fs::is_directory(folder, unknown) ? std::error_code() : error;
}

std::error_code make_own_folder(const fs::path& folder) {
  if (const std::error_code error = make_folders(folder)) return error;
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) return last_error();
  const bool is_writable = (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (!is_writable || facts.st_uid != geteuid() || (facts.st_mode & S_ISVTX) != 0) return {};
  return ::chmod(folder.c_str(), own_mode) == 0 ? std::error_code() : last_error();
}

void mark_folder(const fs::path& folder) { std::ofstream{folder / folder_mark}; }

bool remove_marked(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(folder / folder_mark, error))) return false;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().filename() != folder_mark) fs::remove_all(at->path(), error);
  return !error && fs::remove(folder / folder_mark, error) && fs::remove(folder, error);
}

std::error_code sync_file(int descriptor) {
  if (fsync(descriptor) == 0 || errno == EINVAL || errno == EPERM || errno == ENOSYS) return {};
  return last_error();
}

std::error_code publish_own_file(const fs::path& file, std::string_view bytes) {
  static std::atomic<int> made = 0;  // no other writer takes the name
  const fs::path draft = file.string() + fmt::format(".{}-{}{}", getpid(), made++, draft_suffix);
  std::error_code error = write_whole(draft, bytes);
  if (!error && ::rename(draft.c_str(), file.c_str()) != 0) error = last_error();
  if (error) ::unlink(draft.c_str());
  return error;
}

std::string_view name_behind_draft(std::string_view name) {
  const bool is_draft = drop_end(name, draft_suffix) && drop_digits(name) && drop_end(name, "-") &&
                        drop_digits(name) && drop_end(name, ".");
  return is_draft ? name : std::string_view();
}

}  // namespace alphasparse
