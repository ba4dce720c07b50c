// channel: messages between a worker and its owner. A message lies in memory that both share
// and that outlives a worker; through a socket goes only how long it is, so that waiting can be
// given up, and an end of the other side is noticed at once.
#pragma once
#include <cstddef>
#include <vector>

#include "runtime/system/patience.h"

namespace alphasparse {

/// A file in memory, without a name.
class SharedMemory {
 public:
  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// False where there is no memory for it.
  bool write(const std::vector<std::byte>& bytes);
  std::vector<std::byte> read(std::size_t count) const;

 private:
  int file_ = -1;
};

enum class Heard { message, nothing, end };  ///< nothing: until patience or the time was over

/// Tells the other side that `bytes` bytes wait for it; false where it has gone.
bool notify(int socket, std::size_t bytes);

/// Waits for its message's length.
Heard listen_for(int socket, const Patience& patience, std::size_t& bytes);

}  // namespace alphasparse
