#include "runtime/system/processes/environment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "runtime/system/files/descriptor.h"

namespace alphasparse {

namespace {

const char* find_hint(int code) {
  switch (code) {
    case ENOMEM:
    case EAGAIN:
      return "end other programs, or raise the limits (ulimit -a)";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    case ENOSPC:
    case EDQUOT:
      return "free some space";
    case EFBIG:
      return file_size_hint;
    case EPERM:
    case ENOSYS:
      return "let the system allow it, which a container's seccomp profile may forbid";
    default:
      return "mend that and try again";
  }
}

}  // namespace

Error environment_error(const std::string& text) { return Error(ExitCode::no_device, text); }

Error environment_error(std::string_view doing, int code) {
  return environment_error(fmt::format("{}: {}; {}", doing, std::strerror(code), find_hint(code)));
}

Error temporary_error(std::string_view doing, const std::filesystem::path& path, int code) {
  const char* const hint =
      code == EFBIG ? file_size_hint
                    : "set TMPDIR to a folder that takes files and runs programs, with some room";
  return environment_error(
      fmt::format("{} {}: {}; {}", doing, path.string(), std::strerror(code), hint));
}

HostMemoryError host_memory_error(std::string_view doing) {
  return {ExitCode::no_device,
          fmt::format(
              "the host is out of memory: {}; end other programs, or raise the limits (ulimit -a)",
              doing)};
}

bool is_own_signal(int signal) {
  return signal == SIGSEGV || signal == SIGILL || signal == SIGFPE || signal == SIGABRT ||
         signal == SIGTRAP;
}

std::string read_made_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts {};
  if (file.number < 0 || ::fstat(file.number, &facts) != 0)
    throw temporary_error("cannot read", path, errno);
  std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::read(file.number, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw temporary_error("cannot read", path, got < 0 ? errno : EIO);
    done += static_cast<std::size_t>(got);
  }
  if (bytes.empty()) throw temporary_error("nothing was written to", path, EIO);
  return bytes;
}

void write_made_file(const std::filesystem::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.number < 0) throw temporary_error("cannot write", path, errno);
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.number, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) throw temporary_error("cannot write", path, put < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  const int number = file.number;
  file.number = -1;
  if (::close(number) != 0) throw temporary_error("cannot write", path, errno);
}

}  // namespace alphasparse
