#include "runtime/system/memory_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/system/environment.h"

namespace alphasparse {

namespace {

[[noreturn]] void give_up(const char* what) {
  throw environment_fault(fmt::format("emulator: cannot {} a memory file", what), errno);
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(memfd_create("alphasparse", MFD_CLOEXEC)) {
  if (descriptor_ < 0) give_up("make");
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::int64_t MemoryFile::append(std::span<const std::byte> bytes, std::int64_t alignment) {
  const std::int64_t offset = size_;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                 offset + static_cast<std::int64_t>(done));
    if (wrote < 0 && errno != EINTR) give_up("write");
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  const auto end = offset + static_cast<std::int64_t>(bytes.size());
  size_ = (end + alignment - 1) / alignment * alignment;
  if (ftruncate(descriptor_, size_) != 0) give_up("grow");
  return offset;
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
