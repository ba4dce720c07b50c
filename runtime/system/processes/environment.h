// environment: faults of the machine that a kernel meets: a full disk, no process, a broken
// library.
//
// Such a fault says nothing about a design, so it is never a Failure. It is thrown as an Error with
// exit 4 that names the cause and the remedy. Code that tries designs finds out by a known kernel
// (runtime/device/known_kernel.h) whether the fault has passed.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace alphasparse {

/// The remedy for EFBIG. The limit also holds for files in memory, so space would not help.
inline constexpr const char* file_size_hint = "raise the limit of a file's size (ulimit -f)";

/// "TEXT": the whole of the line.
Error environment_error(const std::string& text);

/// "DOING: REASON; REMEDY" by an errno.
Error environment_error(std::string_view doing, int code);

/// The fault as above, for a file or a folder below TMPDIR.
Error temporary_error(std::string_view doing, const std::filesystem::path& path, int code);

/// A memory that this machine did not give: "the host is out of memory: DOING; REMEDY". A design
/// that needs more than its device has is Status::out_of_memory.
class HostMemoryError : public Error {
 public:
  using Error::Error;
};
HostMemoryError host_memory_error(std::string_view doing);

/// Whether a process that this signal ended may have been ended by its own code. Others - SIGKILL,
/// SIGTERM, SIGXFSZ, SIGBUS for pages that no disk or memory backs - come from outside.
bool is_own_signal(int signal);

/// The whole of a file below TMPDIR that was just made. Throws temporary_error where it cannot be
/// read, or is empty.
std::string read_made_file(const std::filesystem::path& path);

/// Writes one. Throws temporary_error where the disk does not take it.
void write_made_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace alphasparse
