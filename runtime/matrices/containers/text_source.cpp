#include "runtime/matrices/containers/text_source.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/containers/gunzip_stream.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/system/files/regular_file.h"
#include "runtime/system/machine/memory.h"

namespace alphasparse {

namespace {

constexpr std::size_t first_chunk_bytes = 1 << 16;
constexpr std::size_t bytes_at_once = 1 << 24;  // that is read without a look at the time

void check_size(const std::string& name, std::int64_t bytes, std::int64_t memory_bytes) {
  if (bytes <= memory_bytes) return;
  throw Error(fmt::format("{}: its text takes {} or more of memory, {} are available", name,
                          byte_count_text(bytes), byte_count_text(memory_bytes)));
}

/// Reads a first chunk at most of a pipe's bytes, and waits for it while somebody may write; 0 at
/// its end.
std::size_t read_pipe(const RegularFile& pipe, char* to, const std::string& path,
                      const Deadline& deadline, const Deadline& writer) {
  constexpr int ms_between_looks = 100;
  for (pollfd end{pipe.descriptor(), POLLIN, 0};;) {
    const bool is_ready = poll(&end, 1, ms_between_looks) > 0;
    require_time(deadline, path);
    if (!is_ready && path == standard_input) continue;  // reading would wait
    const ssize_t count = ::read(pipe.descriptor(), to, first_chunk_bytes);
    if (count > 0 || (count == 0 && is_ready)) return static_cast<std::size_t>(count);
    if (count < 0 && errno != EAGAIN && errno != EINTR)
      throw Error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    // A pipe that has a writer would not be at its end.
    if (count == 0 && writer.over()) {
      throw Error(fmt::format(
          "{}: is a pipe that no program writes into; start the writer, or name a file", path));
    }
  }
}

GunzipStream::Packed all_of(std::string_view bytes) {
  return [bytes]() mutable { return std::exchange(bytes, {}); };
}

}  // namespace

void require_time(const Deadline& deadline, const std::string& name) {
  if (!deadline.over()) return;
  const bool stopped = deadline.stop && *deadline.stop;
  throw Error(ExitCode::nothing_verified,
              stopped
                  ? fmt::format("{}: interrupted while it was read", name)
                  : fmt::format("{}: its time was over before it was read; give it more", name));
}

std::string read_bytes(const std::string& path, const Deadline& deadline, double writer_seconds) {
  std::error_code unknown;
  const bool is_pipe = std::filesystem::is_other(path, unknown);
  const Result<RegularFile> file = !is_pipe                 ? RegularFile::open(path)
                                   : path == standard_input ? RegularFile::piped_input()
                                                            : RegularFile::open_pipe(path);
  if (!file) throw Error(fmt::format("{}: {}", path, file.reason()));
  const Deadline writer{Deadline::after(writer_seconds), nullptr};
  const std::int64_t memory_bytes = available_memory_bytes();
  check_size(path, file->size(), memory_bytes);
  std::string bytes;
  // With room for the read that finds the end: else that one would move and double the text.
  bytes.reserve(static_cast<std::size_t>(file->size()) + first_chunk_bytes);
  while (true) {  // to the end, wherever that is: the size may change while we read
    require_time(deadline, path);
    check_size(path, static_cast<std::int64_t>(bytes.size()), memory_bytes);
    const std::size_t before = bytes.size();
    const std::size_t most = is_pipe ? first_chunk_bytes : bytes_at_once;
    bytes.resize(before + std::clamp(bytes.capacity() - before, first_chunk_bytes, most));
    const Result<std::size_t> count =
        is_pipe ? read_pipe(*file, bytes.data() + before, path, deadline, writer)
                : file->read(bytes.data() + before, bytes.size() - before);
    if (!count) throw Error(fmt::format("{}: {}", path, count.reason()));
    bytes.resize(before + *count);
    if (*count == 0) return bytes;
  }
}

std::string read_beginning(const std::string& path, std::size_t bytes) {
  const Result<RegularFile> opened = RegularFile::open(path);
  if (!opened) return "";
  const gzFile file = gzdopen(dup(opened->descriptor()), "rbe");  // takes plain text as it is
  if (!file) return "";
  std::string text(bytes, '\0');
  const int read = gzread(file, text.data(), static_cast<unsigned>(bytes));
  gzclose(file);
  text.resize(static_cast<std::size_t>(std::max(read, 0)));
  return text;
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip_beginning(std::string_view bytes, std::size_t most) {
  GunzipStream stream("", all_of(bytes));
  std::string text;
  try {
    // One by one: a fault leaves those before it.
    for (char next = 0; text.size() < most && stream.read(&next, 1) == 1;) text += next;
  } catch (const Error&) {  // the rest cannot be unpacked
  }
  return text;
}

std::string gunzip(std::string_view bytes, const std::string& name, std::int64_t memory_bytes,
                   const Deadline& deadline, const UnpackWatch& watch) {
  GunzipStream stream(name, all_of(bytes));
  std::string text(first_chunk_bytes, '\0');
  std::size_t produced = stream.read(text.data(), text.size());
  while (produced == text.size()) {
    require_time(deadline, name);
    if (watch) watch(text);
    check_size(name, 2 * static_cast<std::int64_t>(text.size()), memory_bytes);
    text.resize(2 * text.size());
    produced += stream.read(text.data() + produced, text.size() - produced);
  }
  text.resize(produced);
  return text;
}

std::string read_text(const std::string& path) {
  std::string bytes = read_bytes(path);
  if (is_gzip(bytes)) return gunzip(bytes, path, available_memory_bytes());
  return bytes;
}

}  // namespace alphasparse
