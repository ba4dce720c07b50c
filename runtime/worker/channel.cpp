#include "runtime/worker/channel.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>

#include "runtime/system/files/memory_file.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

SharedMemory::SharedMemory() : file_(open_memory_file()) {}

SharedMemory::~SharedMemory() { close(file_); }

bool SharedMemory::clear() {
  size_ = 0;
  return ftruncate(file_, 0) == 0;
}

bool SharedMemory::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (done <= 0 && errno != EINTR) return false;
    if (done <= 0) continue;
    size_ += static_cast<std::size_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

SharedView::SharedView(const SharedMemory& memory, std::size_t count) {
  struct stat status {};
  if (count == 0 || fstat(memory.file_, &status) != 0) return;
  count = std::min(count, static_cast<std::size_t>(status.st_size));
  void* const first = mmap(nullptr, count, PROT_READ, MAP_SHARED, memory.file_, 0);
  if (first == MAP_FAILED) throw environment_error("a message cannot be mapped", errno);
  bytes_ = {static_cast<const std::byte*>(first), count};
}

SharedView::~SharedView() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::vector<std::byte> SharedMemory::read(std::size_t count) const {
  std::vector<std::byte> bytes(count);
  std::size_t at = 0;
  while (at < count) {
    const ssize_t done = pread(file_, bytes.data() + at, count - at, static_cast<off_t>(at));
    if (done == 0 || (done < 0 && errno != EINTR)) break;
    if (done > 0) at += static_cast<std::size_t>(done);
  }
  bytes.resize(at);  // the reader will miss the rest
  return bytes;
}

bool notify(int socket, std::size_t bytes) {
  const std::uint64_t length = bytes;
  ssize_t sent = -1;
  do {
    sent = send(socket, &length, sizeof length, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == sizeof length;
}

Heard listen_for(int socket, std::size_t& bytes, const Deadline& deadline, double seconds_max) {
  constexpr double stop_seconds = 0.1;  // until a stop that did not wake us is seen
  WaitWatch waited;
  for (;;) {
    const double left = std::min(deadline.seconds_left(), seconds_max - waited.seconds());
    pollfd end{socket, POLLIN, 0};
    const double pause = std::clamp(left, 0.0, stop_seconds);
    const int ready = poll(&end, 1, static_cast<int>(std::ceil(pause * 1000)));
    if (ready <= 0 && left <= 0) return Heard::nothing;
    if (ready <= 0) continue;
    std::uint64_t length = 0;
    const ssize_t got = recv(socket, &length, sizeof length, MSG_WAITALL);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof length) return Heard::end;
    bytes = length;
    return Heard::message;
  }
}

}  // namespace alphasparse
