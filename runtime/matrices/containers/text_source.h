// text_source: the bytes of a text file, plain or gzip, in memory.
//
// The first two bytes of a file say its kind (1f 8b is gzip), never its name. A gzip file may have
// several members, one after the other, as `cat a.gz b.gz` makes them; their texts are joined.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/matrices/containers/archive.h"
#include "runtime/system/deadline.h"

namespace alphasparse {

/// Throws Error (exit 3), naming the file, where no time is left for reading it.
void require_time(const Deadline& deadline, const std::string& name);

/// All bytes of a file as they are, or of a pipe: a user may name one, and it is read until its
/// writer closes it. Throws Error (exit 2), naming the file: missing, not readable, a directory, a
/// device, a pipe that nobody opens to write for so long, larger than the memory available; and
/// require_time.
std::string read_bytes(const std::string& path, const Deadline& deadline = {},
                       double writer_seconds = 2);

/// The first `bytes` bytes of a regular file's text, plain or gzip, as far as they can be read;
/// empty where there is no regular file.
std::string read_beginning(const std::string& path, std::size_t bytes);

bool is_gzip(std::string_view bytes);

/// The first `most` bytes of that text: fewer where the text ends, or the rest cannot be unpacked.
std::string gunzip_beginning(std::string_view bytes, std::size_t most);

/// The text of a gzip file; `watch` looks at it as it grows. `name` is the file's, for messages.
/// Throws Error (exit 2), naming the line that the text ends in: truncated, damaged, bytes behind
/// the last member, more text than `memory_bytes`; and require_time.
std::string gunzip(std::string_view bytes, const std::string& name, std::int64_t memory_bytes,
                   const Deadline& deadline = {}, const UnpackWatch& watch = {});

/// read_bytes, then gunzip where the bytes are gzip.
std::string read_text(const std::string& path);

}  // namespace alphasparse
