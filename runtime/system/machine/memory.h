// memory: how much this process may still allocate, asked before a size from outside is believed.
#pragma once
#include <cstdint>
#include <string>

namespace alphasparse {

struct AvailableMemory {
  std::int64_t bytes = 0;
  std::string limit;  ///< that leaves no more, such as "ulimit -v"; empty: the system has no more
};

/// The least of three: the system's available memory, the rest of this process' limits (ulimit -v
/// and -d), and the rest of its control groups' limits (control_groups.h). The largest int64 where
/// nothing is known. A snapshot: others allocate too.
AvailableMemory available_memory();

/// Its bytes.
std::int64_t available_memory_bytes();

/// Gives memory that was freed back to the system. The allocator keeps blocks that lie between
/// others for later ones, and many small arrays leave more of them than a large matrix takes.
void release_freed_memory();

/// Bytes: the most that this process has held so far, or any one that it has started and waited
/// for, whichever is more.
std::int64_t peak_memory_bytes();

/// "4.5 GB", "12.0 MB", "80 B".
std::string byte_count_text(std::int64_t bytes);

}  // namespace alphasparse
