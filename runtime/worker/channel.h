// channel: messages between a worker and its owner. A message lies in memory that both share and
// that outlives a worker. Only its length goes through a socket, so that waiting can be given up,
// and an end of the other side is noticed at once.
#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "runtime/system/deadline.h"

namespace alphasparse {

/// A file in memory, without a name.
class SharedMemory {
 public:
  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Gives its memory back; false where the system refuses that.
  bool clear();

  /// Appends bytes to the message. False where there is no memory for them.
  bool append(std::span<const std::byte> bytes);

  std::vector<std::byte> read(std::size_t count) const;

 private:
  friend class SharedView;
  int file_ = -1;
  std::size_t size_ = 0;  ///< of the message that this process writes
};

/// The contents of a shared memory, without a copy, for as long as this lives and nobody writes
/// there.
class SharedView {
 public:
  /// Throws environment_error where this process may map no more.
  SharedView(const SharedMemory& memory, std::size_t count);
  ~SharedView();
  SharedView(const SharedView&) = delete;
  SharedView& operator=(const SharedView&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

enum class Heard { message, nothing, end };  ///< nothing: until the deadline, or the time was over

/// Tells the other side that `bytes` bytes wait for it; false where it has gone.
bool notify(int socket, std::size_t bytes);

/// Waits for its message's length, up to the deadline and so many seconds. A message that is there
/// is heard even after them.
Heard listen_for(int socket, std::size_t& bytes, const Deadline& deadline = {},
                 double seconds_max = std::numeric_limits<double>::infinity());

}  // namespace alphasparse
