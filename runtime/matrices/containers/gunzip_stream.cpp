#include "runtime/matrices/containers/gunzip_stream.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/result.h"

namespace alphasparse {

namespace {

constexpr uLong magic_bytes = 2;  // that open a member
constexpr const char* junk_behind = "bytes that are not gzip stand behind the gzip stream";

}  // namespace

/// An inflate stream for gzip, ended when it goes.
struct GunzipStream::Inflater {
  Inflater() { CHECK(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK); }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream stream{};
};

GunzipStream::GunzipStream(std::string name, Packed packed)
    : name_(std::move(name)), packed_(std::move(packed)), inflater_(std::make_unique<Inflater>()) {}

GunzipStream::~GunzipStream() = default;

std::size_t GunzipStream::read(char* to, std::size_t bytes) {
  std::size_t filled = 0;
  while (filled < bytes && !ended_) filled += inflate_some(to + filled, bytes - filled);
  return filled;
}

std::size_t GunzipStream::inflate_some(char* to, std::size_t bytes) {
  constexpr std::size_t piece_max = std::numeric_limits<uInt>::max();  // zlib counts in 32 bits
  const bool has_more = !bytes_.empty() || refill();
  z_stream& stream = inflater_->stream;
  // zlib reads through next_in, but its type is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data()));
  stream.avail_in = static_cast<uInt>(std::min(piece_max, bytes_.size()));
  stream.next_out = reinterpret_cast<Bytef*>(to);
  stream.avail_out = static_cast<uInt>(std::min(piece_max, bytes));
  const uInt given = stream.avail_in, room = stream.avail_out;
  const int outcome = inflate(&stream, Z_NO_FLUSH);
  bytes_.remove_prefix(given - stream.avail_in);
  const std::size_t count = room - stream.avail_out;
  line_ += std::count(to, to + count, '\n');
  if (outcome == Z_STREAM_END) {
    end_member();
  } else if (outcome == Z_MEM_ERROR) {
    throw Error(fmt::format("{}: memory ran out in decompression", name_));
  } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
    const bool no_member = follows_member_ && stream.total_in <= magic_bytes;
    fail(no_member ? junk_behind : "the gzip stream is damaged");
  } else if (!has_more && count == 0) {
    fail("the gzip stream is truncated");
  }
  return count;
}

/// Another member may follow. The second byte that opens it may be in the next packed bytes:
/// inflate looks at it.
void GunzipStream::end_member() {
  ended_ = bytes_.empty() && !refill();
  if (ended_) return;
  if (bytes_.front() != '\x1f') fail(junk_behind);
  follows_member_ = true;
  inflateReset(&inflater_->stream);
}

bool GunzipStream::refill() {
  bytes_ = packed_();
  return !bytes_.empty();
}

void GunzipStream::fail(const char* reason) const {
  throw Error(fmt::format("{}:{}: {}; fetch or write the file again", name_, line_, reason));
}

}  // namespace alphasparse
