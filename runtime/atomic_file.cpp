#include "runtime/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "generator/result.h"

namespace alphasparse {

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(target) {
  static std::atomic<int> made = 0;  // by this process
  temporary_ = target;
  temporary_.replace_filename(
      fmt::format(".{}.{}.{}", target.filename().string(), ::getpid(), made++));
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  constexpr std::size_t bytes_most = std::size_t{1} << 30;  // Linux writes less than 2 GiB at once
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, next, std::min(bytes, bytes_most));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::publish() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);  // EINVAL: nothing to sync there
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  ::close(descriptor_);
  descriptor_ = -1;
}

void AtomicFile::fail(int reason) const {
  const char* advice = "choose another folder";
  if (reason == ENOSPC || reason == EDQUOT) advice = "free some space or choose another folder";
  if (reason == ENOENT || reason == ENOTDIR) advice = "make the folder first";
  throw Error(ExitCode::bad_input, fmt::format("cannot write {}: {}; {}", target_.string(),
                                               std::strerror(reason), advice));
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text.data(), text.size());
  file.publish();
}

}  // namespace alphasparse
