#include "runtime/matrices/binary/matlab_elements.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/result.h"
#include "runtime/matrices/binary/byte_reader.h"

namespace alphasparse {

namespace {

constexpr std::size_t short_bytes = 4;

std::size_t type_width(MatlabType type) {
  switch (type) {
    case MatlabType::int8:
    case MatlabType::uint8:
      return 1;
    case MatlabType::int16:
    case MatlabType::uint16:
      return 2;
    case MatlabType::int32:
    case MatlabType::uint32:
    case MatlabType::float32:
      return 4;
    case MatlabType::float64:
    case MatlabType::int64:
    case MatlabType::uint64:
      return 8;
    case MatlabType::matrix:
    case MatlabType::compressed:
      break;
  }
  return 0;
}

}  // namespace

MatlabNumbers::MatlabNumbers(const MatlabElement& element, std::endian order)
    : type_(static_cast<MatlabType>(element.type)),
      bytes_(element.bytes),
      order_(order),
      width_(type_width(type_)) {
  if (width_ > 0) count_ = static_cast<std::int64_t>(bytes_.size() / width_);
}

double MatlabNumbers::value(std::int64_t index) const {
  const char* const at = bytes_.data() + static_cast<std::size_t>(index) * width_;
  if (type_ == MatlabType::float64) return number_at<double>(at, order_);
  if (type_ == MatlabType::float32) return number_at<float>(at, order_);
  if (type_ == MatlabType::uint64) return static_cast<double>(number_at<std::uint64_t>(at, order_));
  return static_cast<double>(integer(index));
}

std::int64_t MatlabNumbers::integer(std::int64_t index) const {
  const char* const at = bytes_.data() + static_cast<std::size_t>(index) * width_;
  switch (type_) {
    case MatlabType::int8:
      return number_at<std::int8_t>(at, order_);
    case MatlabType::uint8:
      return number_at<std::uint8_t>(at, order_);
    case MatlabType::int16:
      return number_at<std::int16_t>(at, order_);
    case MatlabType::uint16:
      return number_at<std::uint16_t>(at, order_);
    case MatlabType::int32:
      return number_at<std::int32_t>(at, order_);
    case MatlabType::uint32:
      return number_at<std::uint32_t>(at, order_);
    case MatlabType::int64:
      return number_at<std::int64_t>(at, order_);
    case MatlabType::uint64: {
      const auto number = number_at<std::uint64_t>(at, order_);
      return static_cast<std::int64_t>(
          std::min<std::uint64_t>(number, std::numeric_limits<std::int64_t>::max()));
    }
    default:
      return -1;
  }
}

std::optional<MatlabElement> MatlabElements::next() {
  if (rest_.empty()) return std::nullopt;
  truncated_ = true;
  if (rest_.size() < matlab_tag_bytes) return std::nullopt;
  const auto word = number_at<std::uint32_t>(rest_.data(), order_);
  MatlabElement element;
  if (word >> 16 != 0) {  // up to four bytes, beside their type and number
    const std::size_t count = word >> 16;
    if (count > short_bytes) return std::nullopt;
    element = {word & 0xffff, rest_.substr(short_bytes, count)};
    rest_.remove_prefix(matlab_tag_bytes);
  } else {
    const std::size_t count = number_at<std::uint32_t>(rest_.data() + short_bytes, order_);
    element.type = word;
    if (count > rest_.size() - matlab_tag_bytes) return std::nullopt;
    element.bytes = rest_.substr(matlab_tag_bytes, count);
    const bool fills_up = !element.is(MatlabType::compressed);
    const std::size_t stored = fills_up ? (count + 7) / 8 * 8 : count;
    rest_.remove_prefix(std::min(rest_.size(), matlab_tag_bytes + stored));
  }
  truncated_ = false;
  return element;
}

PackedStream::PackedStream(std::string_view packed)
    : rest_(packed), stream_(std::make_unique<z_stream_s>()) {
  CHECK(inflateInit(stream_.get()) == Z_OK);
}

PackedStream::~PackedStream() { inflateEnd(stream_.get()); }

bool PackedStream::read(std::string& bytes, std::size_t count) {
  constexpr std::size_t piece = std::size_t{1} << 24;  // grows with the bytes that are there
  while (count > 0) {
    const std::size_t before = bytes.size(), given = std::min(piece, rest_.size());
    bytes.resize(before + std::min(piece, count));
    stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    stream_->avail_in = static_cast<uInt>(given);
    stream_->next_out = reinterpret_cast<Bytef*>(bytes.data() + before);
    stream_->avail_out = static_cast<uInt>(bytes.size() - before);
    const int outcome = inflate(stream_.get(), Z_NO_FLUSH);
    bytes.resize(bytes.size() - stream_->avail_out);
    const std::size_t produced = bytes.size() - before, consumed = given - stream_->avail_in;
    rest_.remove_prefix(consumed);
    count -= produced;
    if (outcome != Z_OK || (produced == 0 && consumed == 0)) break;
  }
  return count == 0;
}

bool PackedStream::skip(std::size_t count) {
  constexpr std::size_t piece = 1 << 16;
  std::string passed;
  for (; count > 0; count -= std::min(count, piece)) {
    passed.clear();
    if (!read(passed, std::min(count, piece))) return false;
  }
  return true;
}

}  // namespace alphasparse
