#include "runtime/system/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/system/files/own_files.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/sqlite.h"

namespace alphasparse {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& target, int reason) {
  const char* advice = "choose another folder";
  if (reason == ENOSPC || reason == EDQUOT) advice = "free some space or choose another folder";
  if (reason == EFBIG) advice = file_size_hint;
  if (reason == EMFILE || reason == ENFILE) advice = "raise the limit of open files (ulimit -n)";
  if (is_wrong_name(reason)) advice = "name another file";
  if (reason == ENOENT || reason == ENOTDIR) advice = "make the folder first";
  throw output_error(reason, fmt::format("cannot write {}: {}; {}", target.string(),
                                         std::strerror(reason), advice));
}

/// The kind of file there, behind links; nothing where there is nothing.
std::optional<mode_t> read_kind(const fs::path& target) {
  struct stat facts {};
  if (::stat(target.c_str(), &facts) == 0) return facts.st_mode & S_IFMT;
  if (errno != ENOENT) fail(target, errno);
  return std::nullopt;
}

/// The file that a chain of links names, be it there or not.
fs::path follow_links(const fs::path& target) {
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

/// A regular file that stands where another is to be written.
struct Standing {
  mode_t mode = 0;
  uid_t owner = 0;
  std::string beginning;
};

/// Nothing where nothing stands there.
std::optional<Standing> standing_file(const fs::path& target) {
  const int descriptor = ::open(target.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  if (descriptor < 0) fail(target, errno);  // it may be a database
  constexpr std::size_t bytes_looked_at = 1 << 16;
  std::string beginning(bytes_looked_at, '\0');
  struct stat facts {};
  const ssize_t count =
      ::fstat(descriptor, &facts) == 0 ? ::read(descriptor, beginning.data(), beginning.size()) : 0;
  ::close(descriptor);
  beginning.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return Standing{facts.st_mode, facts.st_uid, std::move(beginning)};
}

void reject_database(const fs::path& target) {
  const std::optional<Standing> file = standing_file(target);
  if (!file || !file->beginning.starts_with(sqlite_magic)) return;
  throw Error(
      ExitCode::bad_input,
      fmt::format("{} is a database and is not overwritten; name another file", target.string()));
}

/// Why a person may not have meant to replace the file; empty: there is no reason. Every file that
/// we write has our name near its beginning, or is an object of a schema.
std::string find_surprise(const Standing& file) {
  if (file.owner != ::geteuid()) return "belonged to another user";
  if (file.beginning.empty() || file.beginning.find("alphasparse") != std::string::npos ||
      file.beginning.starts_with("{\n  \"schema\":"))
    return "";
  return "was not written by alphasparse";
}

/// Opens a file that is not regular to write. A pipe's reader may be a moment late.
int open_special(const fs::path& target) {
  constexpr std::chrono::milliseconds wait_most{5000}, pause{10};
  const auto end = std::chrono::steady_clock::now() + wait_most;
  while (true) {
    const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, O_WRONLY);  // its reader may be slow
    if (descriptor >= 0 || errno != ENXIO || std::chrono::steady_clock::now() > end)
      return descriptor;
    std::this_thread::sleep_for(pause);
  }
}

/// The kind of file there; throws where it must not be written.
std::optional<mode_t> writable_kind(const fs::path& target) {
  const std::optional<mode_t> kind = read_kind(target);
  if (kind == S_IFDIR) fail(target, EISDIR);
  if (kind == S_IFREG) reject_database(target);
  return kind;
}

}  // namespace

bool is_wrong_name(int reason) {
  constexpr std::array<int, 10> reasons = {ENOENT, ENOTDIR, EISDIR,       EEXIST, ELOOP,
                                           ENXIO,  EPIPE,   ENAMETOOLONG, EINVAL, EILSEQ};
  return std::find(reasons.begin(), reasons.end(), reason) != reasons.end();
}

Error output_error(int reason, const std::string& text) {
  return Error(is_wrong_name(reason) ? ExitCode::bad_input : ExitCode::no_device, text);
}

void require_writable(const fs::path& target) {
  if (writable_kind(target).value_or(S_IFREG) == S_IFREG) AtomicFile written_nowhere(target);
}

void check_target(const fs::path& target) { writable_kind(target); }

void reject_foreign(const fs::path& target) {
  if (writable_kind(target) != S_IFREG) return;
  const std::string text = standing_file(target).value_or(Standing{}).beginning;
  const bool is_format = target.extension() == ".safetensors";
  const bool is_comment = text.starts_with("// ") || text.starts_with("/* ");
  const bool is_opened = is_comment && text.find(printable(target.stem().string())) == 3;
  if (text.empty() || ((is_format || is_opened) && text.find("alphasparse") != std::string::npos))
    return;
  throw Error(printable(target.string()) +
              " was not written by alphasparse and is not replaced; name another folder with -o");
}

AtomicFile::AtomicFile(const fs::path& target) : target_(target), file_(follow_links(target)) {
  if (writable_kind(target_).value_or(S_IFREG) != S_IFREG) {
    descriptor_ = open_special(target_);
  } else {
    constexpr mode_t new_mode = 0664, unfinished_mode = 0600;  // others never write
    constexpr mode_t kept_bits = 0777;
    static std::atomic<int> made = 0;  // by this process
    if (const std::optional<Standing> file = standing_file(file_)) {
      mode_ = file->mode & kept_bits;
      surprise_ = find_surprise(*file);
    }
    temporary_ = file_;
    temporary_.replace_filename(
        fmt::format(".{}.{}.{}", file_.filename().string(), ::getpid(), made++));
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                         mode_ ? unfinished_mode : new_mode);
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
  if (const std::error_code error = sync_file(descriptor_)) fail(target_, error.value());
  if (!temporary_.empty()) {
    check_target(file_);  // a database may have been made there meanwhile
    if (mode_ && ::fchmod(descriptor_, *mode_) != 0) fail(target_, errno);
    if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail(target_, errno);
    if (!surprise_.empty())
      spdlog::warn("{} {} and is replaced", printable(file_.string()), surprise_);
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
