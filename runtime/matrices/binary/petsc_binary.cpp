#include "runtime/matrices/binary/petsc_binary.h"

#include <fmt/format.h>

#include <cmath>

#include "base/result.h"
#include "runtime/matrices/binary/byte_reader.h"

namespace alphasparse {

namespace {

constexpr std::int64_t matrix_class = 1211216;
constexpr std::int64_t class_least = 1211211, class_most = 1211240;  // of any object

class PetscReader {
 public:
  PetscReader(std::string_view bytes, const std::string& name, const ReadLimits& limits)
      : bytes_(bytes), name_(name), limits_(limits) {
    index_bytes_ = bytes.size() >= 8 && at<std::int64_t>(0) == matrix_class ? 8 : 4;
  }

  Entries read() {
    place_ = index_bytes_;  // the class
    const std::int64_t rows = size("rows"), cols = size("columns");
    check_sizes(rows, cols, name_);
    const std::int64_t count = integer();
    if (count == -1) fail("holds a dense matrix; write it as a sparse one (MATAIJ)");
    if (count < 0) fail(fmt::format("says that it has {} non-zeros", count));
    check_memory({rows, cols, count}, name_, limits_);
    const std::size_t value_bytes = bytes_of_a_value(rows, count);
    Entries entries = entries_without_lines(name_, rows, cols, count);
    for (std::int32_t row = 0; row < entries.rows; ++row) {
      const std::int64_t length = integer();
      if (length < 0 || length > count - static_cast<std::int64_t>(entries.row.size())) {
        fail(fmt::format("row {} has {} entries, of {} in all", row + 1, length, count));
      }
      entries.row.insert(entries.row.end(), static_cast<std::size_t>(length), row);
    }
    if (entries.count() != count)
      fail(fmt::format("its rows have {} entries, not {}", entries.count(), count));
    for (std::int64_t i = 0; i < count; ++i) {
      limits_.check(i, name_);
      const std::int64_t col = integer();
      if (col < 0 || col >= entries.cols)
        fail(fmt::format("entry {} is in column {} of {}", i + 1, col + 1, entries.cols));
      entries.col.push_back(static_cast<std::int32_t>(col));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const double value = value_bytes == 8 ? at<double>(place_) : at<float>(place_);
      place_ += value_bytes;
      if (!std::isfinite(value)) fail(fmt::format("the value of entry {} is {}", i + 1, value));
      entries.value.push_back(value);
    }
    return entries;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(fmt::format("{}: PETSc binary: {}", name_, reason));
  }

  template <class T>
  T at(std::size_t place) const {
    if (place + sizeof(T) > bytes_.size())
      fail(fmt::format("ends after {} bytes: write the file again", bytes_.size()));
    return number_at<T>(bytes_.data() + place, std::endian::big);
  }

  std::int64_t integer() {
    const std::int64_t number =
        index_bytes_ == 8 ? at<std::int64_t>(place_) : at<std::int32_t>(place_);
    place_ += index_bytes_;
    return number;
  }

  std::int64_t size(const char* what) {
    const std::int64_t number = integer();
    if (number < 0 || number > index_limit)
      fail(fmt::format("has {} {}, not 1 to {}", number, what, index_limit));
    return number;
  }

  /// By the bytes behind the indices: nothing but other objects may follow the values.
  std::size_t bytes_of_a_value(std::int64_t rows, std::int64_t count) const {
    const std::size_t first = place_ + index_bytes_ * static_cast<std::size_t>(rows + count);
    for (const std::size_t each : {std::size_t{8}, std::size_t{4}}) {
      const std::size_t end = first + each * static_cast<std::size_t>(count);
      if (end == bytes_.size() || (end + 4 <= bytes_.size() && begins_object(end))) return each;
    }
    const std::size_t complex_end = first + 16 * static_cast<std::size_t>(count);
    if (count > 0 && complex_end <= bytes_.size()) {
      fail("its values are complex, or no values of 64 or 32 bits: only real matrices are read");
    }
    fail(fmt::format("ends after {} bytes, {} entries take {}: write the file again", bytes_.size(),
                     count, first + 8 * static_cast<std::size_t>(count)));
  }

  bool begins_object(std::size_t place) const {
    const auto number = index_bytes_ == 8 && place + 8 <= bytes_.size()
                            ? at<std::int64_t>(place)
                            : std::int64_t{at<std::int32_t>(place)};
    return number >= class_least && number <= class_most;
  }

  const std::string_view bytes_;
  const std::string& name_;
  const ReadLimits& limits_;
  std::size_t index_bytes_ = 4;
  std::size_t place_ = 0;
};

}  // namespace

bool is_petsc_binary(std::string_view bytes) {
  if (bytes.size() < 8) return false;
  return number_at<std::int32_t>(bytes.data(), std::endian::big) == matrix_class ||
         number_at<std::int64_t>(bytes.data(), std::endian::big) == matrix_class;
}

Entries parse_petsc_binary(std::string_view bytes, const std::string& name,
                           const ReadLimits& limits) {
  return PetscReader(bytes, name, limits).read();
}

}  // namespace alphasparse
