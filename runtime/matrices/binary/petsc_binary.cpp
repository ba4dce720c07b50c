#include "runtime/matrices/binary/petsc_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/result.h"
#include "runtime/matrices/binary/byte_reader.h"

namespace alphasparse {

namespace {

constexpr std::int64_t matrix_class = 1211216;
constexpr std::int64_t class_least = 1211211, class_most = 1211240;  // of any object

/// How a value is stored.
struct ValueLayout {
  int parts;
  std::size_t part_bytes;

  std::size_t bytes() const { return static_cast<std::size_t>(parts) * part_bytes; }
};

// Without a word of the options the last is never meant: the first is as long.
constexpr ValueLayout layouts[] = {{1, 8}, {1, 4}, {2, 8}, {2, 4}};

constexpr const char* option_of_parts[] = {"", "-mat_double", "-mat_complex"};

/// The parts of values, where the options tell them.
std::optional<int> parts_said(const std::string& options) {
  std::istringstream tokens(options);
  for (std::string token; tokens >> token;) {
    for (const int parts : {1, 2})
      if (token == option_of_parts[parts]) return parts;
  }
  return std::nullopt;
}

class PetscReader {
 public:
  PetscReader(std::string_view bytes, const std::string& name, const ReadLimits& limits,
              const std::string& options)
      : bytes_(bytes), name_(name), limits_(limits), parts_(parts_said(options)) {
    index_bytes_ = bytes.size() >= 8 && at<std::int64_t>(0) == matrix_class ? 8 : 4;
  }

  Entries read() {
    offset_ = index_bytes_;  // the class
    const std::int64_t rows = size("rows"), cols = size("columns");
    check_sizes(rows, cols, name_);
    const std::int64_t count = integer();
    if (count == -1) fail("holds a dense matrix; write it as a sparse one (MATAIJ)");
    if (count < 0) fail(fmt::format("says that it has {} non-zeros", count));
    check_memory({rows, cols, count}, name_, limits_);
    const ValueLayout layout = layout_of_values(rows, count);
    check_memory({rows, cols, count, layout.parts == 2}, name_, limits_);
    Entries entries = entries_without_lines(name_, rows, cols, count, layout.parts);
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
      Number value;
      for (double* const part : {&value.re, &value.im}) {
        if (part == &value.im && layout.parts == 1) break;
        *part = layout.part_bytes == 8 ? at<double>(offset_) : at<float>(offset_);
        offset_ += layout.part_bytes;
        if (!std::isfinite(*part)) fail(fmt::format("the value of entry {} is {}", i + 1, *part));
      }
      entries.add_value(value, layout.parts);
    }
    return entries;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(fmt::format("{}: PETSc binary: {}", name_, reason));
  }

  template <class T>
  T at(std::size_t offset) const {
    if (offset + sizeof(T) > bytes_.size())
      fail(fmt::format("ends after {} bytes: write the file again", bytes_.size()));
    return number_at<T>(bytes_.data() + offset, std::endian::big);
  }

  std::int64_t integer() {
    const std::int64_t number =
        index_bytes_ == 8 ? at<std::int64_t>(offset_) : at<std::int32_t>(offset_);
    offset_ += index_bytes_;
    return number;
  }

  std::int64_t size(const char* what) {
    const std::int64_t number = integer();
    if (number < 0 || number > index_limit)
      fail(fmt::format("has {} {}, not 1 to {}", number, what, index_limit));
    return number;
  }

  /// By the bytes behind the indices: the class of another object, which is hardly a number, or
  /// else the end.
  ValueLayout layout_of_values(std::int64_t rows, std::int64_t count) const {
    const std::size_t first = offset_ + index_bytes_ * static_cast<std::size_t>(rows + count);
    for (const bool is_last : {false, true}) {
      for (const ValueLayout& layout : layouts) {
        const bool is_meant = parts_ ? layout.parts == *parts_ : &layout != std::end(layouts) - 1;
        const std::size_t end = first + layout.bytes() * static_cast<std::size_t>(count);
        if (is_meant && (is_last ? end == bytes_.size() : begins_object(end))) return layout;
      }
    }
    std::string wanted;
    for (const int parts : {1, 2}) {
      if (parts_.value_or(parts) != parts) continue;
      wanted += fmt::format("{}{} or {} bytes ({})", wanted.empty() ? "" : ", ", 8 * parts * count,
                            4 * parts * count, option_of_parts[parts]);
    }
    fail(
        fmt::format("ends after {} bytes, {} behind its indices; values of {} entries take {}: "
                    "write the file again{}",
                    bytes_.size(), bytes_.size() - std::min(first, bytes_.size()), count, wanted,
                    parts_ ? ", or correct its .info file" : ""));
  }

  bool begins_object(std::size_t offset) const {
    if (offset + 4 > bytes_.size()) return false;
    const auto number = index_bytes_ == 8 && offset + 8 <= bytes_.size()
                            ? at<std::int64_t>(offset)
                            : std::int64_t{at<std::int32_t>(offset)};
    return number >= class_least && number <= class_most;
  }

  const std::string_view bytes_;
  const std::string& name_;
  const ReadLimits& limits_;
  std::optional<int> parts_;  ///< of values, as the options say
  std::size_t index_bytes_ = 4;
  std::size_t offset_ = 0;
};

}  // namespace

bool is_petsc_binary(std::string_view bytes) {
  if (bytes.size() < 8) return false;
  return number_at<std::int32_t>(bytes.data(), std::endian::big) == matrix_class ||
         number_at<std::int64_t>(bytes.data(), std::endian::big) == matrix_class;
}

std::string petsc_companion(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return std::string(path) + ".info";
}

Entries parse_petsc_binary(std::string_view bytes, const std::string& name,
                           const ReadLimits& limits, const std::string& options) {
  return PetscReader(bytes, name, limits, options).read();
}

}  // namespace alphasparse
