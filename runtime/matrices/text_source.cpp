#include "runtime/matrices/text_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "generator/result.h"
#include "runtime/system/memory.h"

namespace alphasparse {

namespace {

constexpr std::size_t first_chunk_bytes = 1 << 16;

/// An open file, closed when it goes.
struct OpenFile {
  explicit OpenFile(const std::string& path)
      : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor;
};

[[noreturn]] void fail_system(const std::string& path) {
  throw Error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
}

void refuse_size(const std::string& name, std::int64_t bytes, std::int64_t memory_bytes) {
  if (bytes <= memory_bytes) return;
  throw Error(fmt::format("{}: its text takes {} or more of memory, {} are available", name,
                          byte_count_text(bytes), byte_count_text(memory_bytes)));
}

/// An inflate stream for gzip, ended when it goes.
struct Inflater {
  Inflater() { CHECK(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK); }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream stream{};
};

[[noreturn]] void fail_gzip(const std::string& name, std::string_view text, const char* reason) {
  const auto line = 1 + std::count(text.begin(), text.end(), '\n');
  throw Error(fmt::format("{}:{}: {}; fetch or write the file again", name, line, reason));
}

/// Gives zlib the next piece of input and of room; its counters have 32 bits.
void feed(z_stream& stream, std::string_view bytes, std::size_t consumed, std::string& text,
          std::size_t produced) {
  constexpr std::size_t piece_max = std::numeric_limits<uInt>::max();
  // zlib reads through next_in, but its type is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + consumed));
  stream.avail_in = static_cast<uInt>(std::min(piece_max, bytes.size() - consumed));
  stream.next_out = reinterpret_cast<Bytef*>(text.data() + produced);
  stream.avail_out = static_cast<uInt>(std::min(piece_max, text.size() - produced));
}

}  // namespace

std::string read_bytes(const std::string& path) {
  const OpenFile file(path);
  struct stat status {};
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0) fail_system(path);
  if (S_ISDIR(status.st_mode)) throw Error(fmt::format("{}: is a directory, not a file", path));
  const std::int64_t memory_bytes = available_memory_bytes();
  refuse_size(path, status.st_size, memory_bytes);

  // The size may be 0 for what is not a regular file, and may change while we read: go on to the
  // end. One byte more than the size, so that the end is seen without growing.
  std::string bytes(std::max<std::size_t>(first_chunk_bytes, status.st_size + 1), '\0');
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) {
      refuse_size(path, 2 * static_cast<std::int64_t>(bytes.size()), memory_bytes);
      bytes.resize(2 * bytes.size());
    }
    const ssize_t count = read(file.descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_system(path);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

std::string beginning_of(const std::string& path, std::size_t bytes) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  const gzFile file = gzopen(path.c_str(), "rbe");  // takes plain text as it is
  if (!file) return "";
  std::string text(bytes, '\0');
  const int read = gzread(file, text.data(), static_cast<unsigned>(bytes));
  gzclose(file);
  text.resize(static_cast<std::size_t>(std::max(read, 0)));
  return text;
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, const std::string& name, std::int64_t memory_bytes) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::string text(first_chunk_bytes, '\0');
  std::size_t consumed = 0;
  std::size_t produced = 0;
  while (true) {
    if (produced == text.size()) {
      refuse_size(name, 2 * static_cast<std::int64_t>(text.size()), memory_bytes);
      text.resize(2 * text.size());
    }
    feed(stream, bytes, consumed, text, produced);
    const uInt given = stream.avail_in;
    const uInt room = stream.avail_out;
    const int outcome = inflate(&stream, Z_NO_FLUSH);
    consumed += given - stream.avail_in;
    produced += room - stream.avail_out;
    const std::string_view so_far(text.data(), produced);
    if (outcome == Z_STREAM_END) {
      if (consumed == bytes.size()) break;
      if (!is_gzip(bytes.substr(consumed))) {
        fail_gzip(name, so_far, "bytes that are not gzip stand behind the gzip stream");
      }
      inflateReset(&stream);
    } else if (outcome == Z_MEM_ERROR) {
      throw Error(fmt::format("{}: memory ran out in decompression", name));
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      fail_gzip(name, so_far, "the gzip stream is damaged");
    } else if (consumed == bytes.size() && produced < text.size()) {
      fail_gzip(name, so_far, "the gzip stream is truncated");
    }
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
