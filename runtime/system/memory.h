// memory: how much this process may still allocate, asked before a size from outside is believed.
#pragma once
#include <cstdint>
#include <string>

namespace alphasparse {

/// Bytes: the least of what the system has available, what the address-space limit (ulimit -v)
/// leaves and what the control group leaves; the largest int64 where nothing says. A snapshot:
/// others allocate too.
std::int64_t available_memory_bytes();

/// Bytes: the most that this process has held so far, or any one that it has started and waited
/// for, whichever is more.
std::int64_t peak_memory_bytes();

/// "4.5 GB", "12.0 MB", "80 B".
std::string byte_count_text(std::int64_t bytes);

}  // namespace alphasparse
