#include "tools/console/line_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <tuple>

#include "runtime/system/files/atomic_file.h"

namespace alphasparse {

namespace {

/// Lines that do not begin as an object are not read: they may be as long as the file.
bool are_all(const std::string& path, bool (*is_ours)(std::string_view)) {
  std::ifstream lines(path, std::ios::binary);
  std::string line;
  while (lines.peek() == '{')
    if (!is_ours((std::getline(lines, line), line))) return false;
  return lines.eof();
}

}  // namespace

LineFile::LineFile(const std::string& path, bool (*is_ours)(std::string_view))
    : path_(path),
      file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                   0664)) {
  struct stat file {};
  if (file_.number < 0 || fstat(file_.number, &file) != 0) fail();
  check_target(path);
  if (!S_ISREG(file.st_mode)) throw Error(path + " is no regular file; name another");
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat of {};
    if (fstat(stream, &of) == 0 && of.st_dev == file.st_dev && of.st_ino == file.st_ino)
      throw Error(path + " has other output of this call too; name another file");
  }
  if (!are_all(path, is_ours))
    throw Error(path + " has other lines than those that are added to it; name another file");
}

void LineFile::add(std::string_view line) {
  const bool is_locked = flock(file_.number, LOCK_EX) == 0;  // else no lock is there
  const off_t before = lseek(file_.number, 0, SEEK_END);
  char last = '\n';
  if (before > 0 && pread(file_.number, &last, 1, before - 1) < 0) fail();
  std::string text(last == '\n' ? "" : "\n");
  text.append(line) += '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file_.number, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && is_locked) std::ignore = ftruncate(file_.number, before);
    if (written < 0) fail();
    done += static_cast<std::size_t>(written);
  }
  flock(file_.number, LOCK_UN);
}

void LineFile::fail() const {
  const int reason = errno;
  throw output_error(
      reason, fmt::format("cannot write {}: {}; name another file", path_, std::strerror(reason)));
}

}  // namespace alphasparse
