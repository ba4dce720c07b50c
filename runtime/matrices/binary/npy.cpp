#include "runtime/matrices/binary/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/binary/byte_reader.h"

namespace alphasparse {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// The text behind a key of the header, up to its end; empty: the key is not there.
std::string_view behind(std::string_view header, std::string_view key) {
  const std::size_t found = header.find(key);
  if (found == std::string_view::npos) return {};
  header.remove_prefix(found + key.size());
  const std::size_t value = header.find_first_not_of(" :");
  return value == std::string_view::npos ? std::string_view() : header.substr(value);
}

}  // namespace

NpyArray::NpyArray(std::string bytes, std::string location)
    : bytes_(std::move(bytes)), location_(std::move(location)) {
  read(bytes_);
  if (static_cast<std::uint64_t>(count_) > (bytes_.size() - first_) / width_) {
    fail(fmt::format("ends after {} bytes of {} elements", bytes_.size() - first_, count_));
  }
}

std::int64_t NpyArray::bytes_said(std::string_view beginning, const std::string& location) {
  NpyArray array;
  array.location_ = location;
  array.read(beginning);
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(array.count_, static_cast<std::int64_t>(array.width_), &bytes) ||
      __builtin_add_overflow(bytes, static_cast<std::int64_t>(array.first_), &bytes))
    array.fail("has no such shape");
  return bytes;
}

void NpyArray::read(std::string_view beginning) {
  if (!beginning.starts_with(magic) || beginning.size() < 12)
    fail("is no array of NumPy's .npy format");
  const bool is_long = beginning[6] >= 2;
  const std::size_t length =
      is_long ? number_at<std::uint32_t>(beginning.data() + 8, std::endian::little)
              : number_at<std::uint16_t>(beginning.data() + 8, std::endian::little);
  const std::size_t header = is_long ? 12 : 10;
  if (length > beginning.size() - header) fail("ends within its header");
  first_ = header + length;
  read_header(std::string(beginning.substr(header, length)));
  for (const std::int64_t extent : shape_) {
    if (extent < 0 || (extent > 0 && count_ > std::numeric_limits<std::int64_t>::max() / extent))
      fail("has no such shape");
    count_ *= extent;
  }
}

void NpyArray::read_header(const std::string& header) {
  const std::string_view type = behind(header, "'descr'");
  if (type.size() < 4 || type[0] != '\'') fail("has elements of no simple type");
  order_ = type[1] == '>' ? std::endian::big : std::endian::little;
  kind_ = type[2];
  width_ =
      static_cast<std::size_t>(std::strtoul(std::string(type.substr(3, 9)).c_str(), nullptr, 10));
  const bool is_complex = kind_ == 'c';
  parts_ = is_complex ? 2 : 1;
  const std::size_t single = sizeof(float) * static_cast<std::size_t>(parts_);
  const bool is_text = kind_ == 'S' || kind_ == 'U';
  const bool is_number = kind_ == 'f' || is_complex
                             ? width_ == single || width_ == 2 * single
                             : (kind_ == 'b' && width_ == 1) ||
                                   ((kind_ == 'i' || kind_ == 'u') &&
                                    (width_ == 1 || width_ == 2 || width_ == 4 || width_ == 8));
  if (!is_number && !(is_text && width_ > 0 && width_ < 64))
    fail(fmt::format(
             "has elements of the type {}, neither integers of 8 to 64 bits nor floats of 32 "
             "or 64, nor two such floats",
             printable(type.substr(1, std::min<std::size_t>(type.find('\'', 1), 9) - 1))),
         is_complex ? "save A.astype('complex128')" : "save A.astype('float64')");
  if (kind_ == 'U') width_ *= 4;
  std::string_view shape = behind(header, "'shape'");
  if (shape.empty() || shape[0] != '(') fail("tells no shape");
  shape = shape.substr(1, shape.find(')') - 1);
  const std::string extents(shape);
  for (const char* next = extents.c_str(); *next;) {
    char* end = nullptr;
    const long long extent = std::strtoll(next, &end, 10);
    if (end == next) fail("tells no shape");
    shape_.push_back(extent);
    while (*end == ',' || *end == ' ' || *end == 'L') ++end;
    next = end;
  }
  if (shape_.size() > 1 && behind(header, "'fortran_order'").starts_with("True"))
    fail("is in Fortran's order: save it in C's");
}

const char* NpyArray::element(std::int64_t index) const {
  CHECK(index >= 0 && index < count_);
  return bytes_.data() + first_ + static_cast<std::size_t>(index) * width_;
}

std::int64_t NpyArray::integer(std::int64_t index) const {
  const char* const at = element(index);
  if (kind_ == 'b') return *at != 0;
  if (kind_ == 'i') {
    switch (width_) {
      case 1:
        return number_at<std::int8_t>(at, order_);
      case 2:
        return number_at<std::int16_t>(at, order_);
      case 4:
        return number_at<std::int32_t>(at, order_);
      default:
        return number_at<std::int64_t>(at, order_);
    }
  }
  if (kind_ == 'u') {
    switch (width_) {
      case 1:
        return number_at<std::uint8_t>(at, order_);
      case 2:
        return number_at<std::uint16_t>(at, order_);
      case 4:
        return number_at<std::uint32_t>(at, order_);
      default: {
        const auto number = number_at<std::uint64_t>(at, order_);
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
          fail(fmt::format("element {} is {}", index + 1, number));
        return static_cast<std::int64_t>(number);
      }
    }
  }
  fail("holds no integers");
}

Number NpyArray::number(std::int64_t index) const {
  if (kind_ == 'f') return part(index, 0);
  if (kind_ == 'c') return {part(index, 0), part(index, 1)};
  return static_cast<double>(integer(index));
}

double NpyArray::part(std::int64_t index, int part) const {
  const std::size_t bytes = parts_ == 2 ? width_ / 2 : width_;
  const char* const at = element(index) + static_cast<std::size_t>(part) * bytes;
  const double value =
      bytes == sizeof(double) ? number_at<double>(at, order_) : number_at<float>(at, order_);
  if (!std::isfinite(value)) fail(fmt::format("element {} is {}", index + 1, value));
  return value;
}

std::string NpyArray::text() const {
  std::string text;
  if (count_ != 1 || (kind_ != 'S' && kind_ != 'U')) fail("holds no word");
  const std::size_t step = kind_ == 'U' ? 4 : 1;
  const std::size_t low = kind_ == 'U' && order_ == std::endian::big ? 3 : 0;
  for (std::size_t i = 0; i < width_; i += step) {
    if (element(0)[i + low] != 0) text += element(0)[i + low];
  }
  return text;
}

void NpyArray::fail(const std::string& reason, const char* hint) const {
  throw Error(
      fmt::format("{} {}; {} with scipy.sparse.save_npz", location_, printable(reason), hint));
}

}  // namespace alphasparse
