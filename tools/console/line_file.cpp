#include "tools/console/line_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/system/files/atomic_file.h"

namespace alphasparse {

LineFile::LineFile(const std::string& path) : path_(path) {
  refuse_target(path);
  constexpr mode_t not_by_others = 0664;
  descriptor_ =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
             not_by_others);
  if (descriptor_ < 0) fail();
  struct stat facts {};
  if (fstat(descriptor_, &facts) != 0) fail();
  if (!S_ISREG(facts.st_mode)) throw Error(path + " is no regular file; name another");
  if (ftruncate(descriptor_, 0) != 0) fail();
}

LineFile::~LineFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LineFile::add(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(descriptor_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail();
    done += static_cast<std::size_t>(written);
  }
}

void LineFile::fail() const {
  const int reason = errno;
  throw output_error(reason, fmt::format("cannot write {}: {}", path_, std::strerror(reason)));
}

}  // namespace alphasparse
