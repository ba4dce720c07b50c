// matlab_elements: the elements of MATLAB's files of version 5 - a type, a number of bytes, the
// bytes - and the numbers in them.
#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct z_stream_s;

namespace alphasparse {

enum class MatlabType : std::uint32_t {
  int8 = 1,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  float32,
  float64 = 9,
  int64 = 12,
  uint64,
  matrix,
  compressed
};

constexpr std::size_t matlab_tag_bytes = 8;  ///< type and number of bytes, before the bytes

struct MatlabElement {
  std::uint32_t type = 0;
  std::string_view bytes;

  bool is(MatlabType wanted) const { return type == static_cast<std::uint32_t>(wanted); }
};

/// Numbers of an element, of any simple type.
class MatlabNumbers {
 public:
  /// Of an element of another type there are none.
  MatlabNumbers(const MatlabElement& element, std::endian order);

  std::int64_t count() const { return count_; }
  double value(std::int64_t index) const;
  std::int64_t integer(std::int64_t index) const;  ///< of floats: -1 where it is none

 private:
  MatlabType type_;
  std::string_view bytes_;
  std::endian order_;
  std::int64_t count_ = 0;
  std::size_t width_ = 0;
};

/// Elements one behind the other.
class MatlabElements {
 public:
  MatlabElements(std::string_view bytes, std::endian order) : rest_(bytes), order_(order) {}

  /// Nothing at the end, and where the next one is cut short (is_truncated).
  std::optional<MatlabElement> next();

  bool is_truncated() const { return truncated_; }
  std::string_view rest() const { return rest_; }  ///< behind those that were read

 private:
  std::string_view rest_;
  std::endian order_;
  bool truncated_ = false;
};

/// Bytes that zlib has packed, from their beginning on.
class PackedStream {
 public:
  explicit PackedStream(std::string_view packed);
  ~PackedStream();
  PackedStream(const PackedStream&) = delete;
  PackedStream& operator=(const PackedStream&) = delete;

  /// Appends the next `count` bytes; fewer where it ends, or is damaged, before. Whether it did
  /// not.
  bool read(std::string& bytes, std::size_t count);

  /// Passes over them, likewise.
  bool skip(std::size_t count);

 private:
  std::string_view rest_;
  std::unique_ptr<z_stream_s> stream_;
};

}  // namespace alphasparse
