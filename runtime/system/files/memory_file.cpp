#include "runtime/system/files/memory_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {

namespace {

[[noreturn]] void give_up(const char* what) {
  throw environment_error(fmt::format("emulator: cannot {} a memory file", what), errno);
}

}  // namespace

int open_memory_file() {
  const int made = memfd_create("alphasparse", MFD_CLOEXEC);
  if (made >= 0) return made;
  const int code = errno;
  const TemporaryFolder folder;  // which takes the name with it
  const std::filesystem::path file = folder.path() / "memory";
  const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (opened >= 0) return opened;
  throw temporary_error(
      fmt::format("the system refuses memfd_create ({}), and cannot write", std::strerror(code)),
      file, errno);
}

MemoryFile::MemoryFile() : descriptor_(open_memory_file()) {}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::int64_t MemoryFile::append(std::span<const std::byte> bytes, std::int64_t alignment) {
  const std::int64_t offset = size_;
  put(bytes);
  align(alignment);
  return offset;
}

void MemoryFile::put(std::span<const std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                 size_ + static_cast<std::int64_t>(done));
    if (wrote < 0 && errno != EINTR) give_up("write");
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  size_ += static_cast<std::int64_t>(bytes.size());
}

void MemoryFile::align(std::int64_t alignment) {
  size_ = (size_ + alignment - 1) / alignment * alignment;
  if (ftruncate(descriptor_, size_) != 0) give_up("grow");
}

void MemoryFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got = pread(descriptor_, bytes.data() + done, bytes.size() - done,
                              offset + static_cast<std::int64_t>(done));
    if (got == 0 || (got < 0 && errno != EINTR)) give_up("read");
    if (got > 0) done += static_cast<std::size_t>(got);
  }
}

}  // namespace alphasparse
