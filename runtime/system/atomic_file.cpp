#include "runtime/system/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "generator/result.h"
#include "runtime/system/sqlite.h"

namespace alphasparse {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& target, int reason) {
  const char* advice = "choose another folder";
  if (reason == ENOSPC || reason == EDQUOT) advice = "free some space or choose another folder";
  if (reason == ENOENT || reason == ENOTDIR) advice = "make the folder first";
  if (reason == EISDIR || reason == ELOOP || reason == ENXIO || reason == EPIPE)
    advice = "name another file";
  throw Error(ExitCode::bad_input, fmt::format("cannot write {}: {}; {}", target.string(),
                                               std::strerror(reason), advice));
}

/// What stands there, behind links; nothing where there is nothing.
std::optional<mode_t> kind_of(const fs::path& target) {
  struct stat facts {};
  if (::stat(target.c_str(), &facts) == 0) return facts.st_mode & S_IFMT;
  if (errno != ENOENT) fail(target, errno);
  return std::nullopt;
}

/// The file that a chain of links names, be it there or not.
fs::path behind_links(const fs::path& target) {
  constexpr int links_max = 40;  // as many as the kernel follows
  fs::path file = target;
  std::error_code error;
  for (int links = 0; links < links_max && fs::is_symlink(file, error); ++links) {
    const fs::path next = fs::read_symlink(file, error);
    if (error) fail(target, error.value());
    file = file.parent_path() / next;
  }
  return file;
}

void refuse_database(const fs::path& target) {
  const int descriptor = ::open(target.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0 && errno == ENOENT) return;
  if (descriptor < 0) fail(target, errno);  // it may be one
  std::array<char, sqlite_magic.size()> start{};
  const ssize_t count = ::read(descriptor, start.data(), start.size());
  ::close(descriptor);
  const std::string_view begin(start.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (begin != sqlite_magic) return;
  throw Error(
      ExitCode::bad_input,
      fmt::format("{} is a database and is not overwritten; name another file", target.string()));
}

/// What stands there; throws where it must not be written.
std::optional<mode_t> writable_kind(const fs::path& target) {
  const std::optional<mode_t> kind = kind_of(target);
  if (kind == S_IFDIR) fail(target, EISDIR);
  if (kind == S_IFREG) refuse_database(target);
  return kind;
}

}  // namespace

void require_writable(const fs::path& target) {
  if (writable_kind(target).value_or(S_IFREG) == S_IFREG) AtomicFile written_nowhere(target);
}

void refuse_target(const fs::path& target) { writable_kind(target); }

AtomicFile::AtomicFile(const fs::path& target) : target_(target), file_(behind_links(target)) {
  if (writable_kind(target_).value_or(S_IFREG) != S_IFREG) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  } else {
    static std::atomic<int> made = 0;  // by this process
    temporary_ = file_;
    temporary_.replace_filename(
        fmt::format(".{}.{}.{}", file_.filename().string(), ::getpid(), made++));
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (descriptor_ < 0) fail(target_, errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  constexpr std::size_t bytes_most = std::size_t{1} << 30;  // Linux writes less than 2 GiB at once
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, next, std::min(bytes, bytes_most));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(target_, errno);
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::publish() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(target_, errno);  // EINVAL: no disk there
  if (!temporary_.empty()) {
    refuse_target(file_);  // a database may have been made there meanwhile
    if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail(target_, errno);
  }
  ::close(descriptor_);
  descriptor_ = -1;
}

void write_file(const fs::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text.data(), text.size());
  file.publish();
}

}  // namespace alphasparse
