#include "runtime/system/files/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>

#include "runtime/system/files/home.h"
#include "runtime/system/files/own_files.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/processes/reaper.h"

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view run_prefix = "alphasparse-run-", pattern_end = "XXXXXX";

/// TMPDIR. Absolute: programs are given paths in it, and "-x" as a path would be an option of
/// theirs.
fs::path parent_folder() {
  const std::optional<fs::path> named = path_in_variable("TMPDIR");
  if (!named)
    throw environment_error(
        "TMPDIR begins with ~, but HOME is not set; set TMPDIR to a whole path");
  return fs::absolute(named->empty() ? "/tmp" : *named);
}

fs::path make_folder(const fs::path& pattern) {
  std::string name = pattern.string();
  if (mkdtemp(name.data())) return name;
  throw temporary_error("cannot make a folder", pattern, errno);
}

int open_folder(const fs::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Removes the folders of this user's runs that nobody holds any more.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(run_prefix) || name.size() != run_prefix.size() + pattern_end.size())
      continue;
    const int folder = open_folder(at->path());
    struct stat facts {};
    if (folder >= 0 && fstat(folder, &facts) == 0 && facts.st_uid == geteuid() &&
        flock(folder, LOCK_EX | LOCK_NB) == 0)
      remove_marked(at->path());
    if (folder >= 0) close(folder);
  }
}

/// The folder of a process and its forks.
class RunFolder {
 public:
  explicit RunFolder(fs::path parent) : parent_(std::move(parent)), maker_(getpid()) {
    remove_abandoned(parent_);
    do {
      path_ = make_folder(parent_ / fmt::format("{}{}", run_prefix, pattern_end));
      lock_ = open_folder(path_);
      if (lock_ >= 0) flock(lock_, LOCK_SH);
      // Another run may have had the lock first, and have taken the folder for an abandoned one.
    } while (!fs::exists(path_));
    mark_folder(path_);
    start_reaper(path_);
  }
  ~RunFolder() {
    if (getpid() != maker_) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const fs::path& parent() const { return parent_; }
  const fs::path& path() const { return path_; }

 private:
  fs::path parent_, path_;
  pid_t maker_;
  int lock_ = -1;
};

/// The folder in TMPDIR as it is now.
const fs::path& run_folder() {
  static std::mutex mutex;
  static std::list<RunFolder> folders;
  const std::lock_guard<std::mutex> lock(mutex);
  const fs::path parent = parent_folder();
  for (const RunFolder& folder : folders) {
    std::error_code unknown;
    if (folder.parent() == parent && fs::is_directory(folder.path(), unknown)) return folder.path();
  }
  return folders.emplace_back(parent).path();
}

}  // namespace

void prepare_temporary_folders() {
  try {
    run_folder();
  } catch (const std::exception&) {  // reported when a folder is needed
  }
}

TemporaryFolder::TemporaryFolder() : path_(make_folder(run_folder() / pattern_end)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(std::string_view name, std::string_view text) const {
  fs::path file = path_ / name;
  write_made_file(file, text);
  return file;
}

}  // namespace alphasparse
