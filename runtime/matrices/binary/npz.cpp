#include "runtime/matrices/binary/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/binary/npy.h"
#include "runtime/matrices/containers/archive.h"

namespace alphasparse {

namespace {

class Archive {
 public:
  Archive(std::string_view bytes, std::string name, const ReadLimits& limits)
      : bytes_(bytes), name_(std::move(name)), limits_(limits), memory_left_(limits.memory_bytes) {}

  /// No more is unpacked than its header says.
  NpyArray array(const std::string& name) {
    ArchiveReader archive(bytes_, name_, Unpack::files, limits_.deadline);
    while (archive.next()) {
      if (archive.member() == name + ".npy")
        return unpacked(archive, fmt::format("{}: array {}", name_, name));
    }
    throw Error(fmt::format("{}: has no array {}: not a matrix that scipy.sparse.save_npz wrote",
                            name_, name));
  }

 private:
  NpyArray unpacked(ArchiveReader& archive, const std::string& location) {
    constexpr std::size_t beginning_bytes = 1 << 16;
    std::string bytes;
    archive.read(bytes, beginning_bytes);
    const std::int64_t claimed = NpyArray::bytes_said(bytes, location);
    // One byte more: the end tells whether the checksum is right.
    const std::int64_t most = std::min(claimed, memory_left_ - 1) + 1;
    if (archive.read(bytes, static_cast<std::size_t>(most))) {
      throw Error(location + (claimed < most ? " goes on behind its elements; fetch the file again"
                                             : " takes more memory than there is"));
    }
    memory_left_ -= static_cast<std::int64_t>(bytes.size());
    return {std::move(bytes), location};
  }

  std::string_view bytes_;
  std::string name_;
  const ReadLimits& limits_;
  std::int64_t memory_left_;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadLimits& limits)
      : name_(name), limits_(limits), archive_(bytes, name, limits) {}

  Entries read() {
    const NpyArray format = archive_.array("format"), shape = archive_.array("shape");
    if (shape.count() != 2) shape.fail("is no shape of rows and columns");
    const std::int64_t rows = size(shape, 0), cols = size(shape, 1);
    check_sizes(rows, cols, name_);
    entries_ = entries_without_lines(name_, rows, cols, 0);  // arrays say how many
    const std::string kind = format.text();
    if (kind == "csr" || kind == "csc") {
      read_compressed(kind == "csc", 1, 1);
    } else if (kind == "bsr") {
      read_blocks();
    } else if (kind == "coo") {
      read_coordinates();
    } else if (kind == "dia") {
      read_diagonals();
    } else {
      format.fail(fmt::format("says '{}': csr, csc, coo, bsr and dia are read", kind));
    }
    return std::move(entries_);
  }

 private:
  static std::int64_t size(const NpyArray& shape, std::int64_t index) {
    const std::int64_t number = shape.integer(index);
    if (number < 0 || number > index_limit)
      shape.fail(fmt::format("says {}, not 1 to {}", number, index_limit));
    return number;
  }

  void check_count(const NpyArray& data) const {
    check_memory({entries_.rows, entries_.cols, data.count(), data.parts() == 2}, entries_.name,
                 limits_);
  }

  /// How many elements blocks have together; more than any array has where that is no number.
  static std::int64_t count_elements(std::int64_t blocks, std::int64_t height, std::int64_t width) {
    std::int64_t elements = 0;
    const bool overflows = __builtin_mul_overflow(blocks, height, &elements) ||
                           __builtin_mul_overflow(elements, width, &elements);
    return overflows ? std::numeric_limits<std::int64_t>::max() : elements;
  }

  static void check_length(const NpyArray& array, std::int64_t length) {
    if (array.count() != length)
      array.fail(fmt::format("has {} elements, not {}", array.count(), length));
  }

  /// `element` of the data is in this place, by the indices.
  void add(const NpyArray& indices, std::int64_t row, std::int64_t col, const NpyArray& data,
           std::int64_t element) {
    limits_.check(entries_.count(), entries_.name);
    if (row < 0 || row >= entries_.rows || col < 0 || col >= entries_.cols) {
      indices.fail(fmt::format("has an entry in row {}, column {} of {} x {}", row + 1, col + 1,
                               entries_.rows, entries_.cols));
    }
    entries_.row.push_back(static_cast<std::int32_t>(row));
    entries_.col.push_back(static_cast<std::int32_t>(col));
    entries_.add_value(data.number(element), data.parts());
  }

  /// Rows, or columns, of `height` x `width` blocks, one behind the other.
  void read_compressed(bool by_columns, std::int64_t height, std::int64_t width) {
    const NpyArray first = archive_.array("indptr"), index = archive_.array("indices");
    const NpyArray data = archive_.array("data");
    check_count(data);
    const std::int64_t lines = (by_columns ? entries_.cols : entries_.rows) / height;
    check_length(first, lines + 1);
    const std::int64_t blocks = first.integer(lines);
    if (blocks < 0 || blocks > index_limit) first.fail(fmt::format("ends with {}", blocks));
    check_length(index, blocks);
    check_length(data, count_elements(blocks, height, width));
    if (first.integer(0) != 0) first.fail(fmt::format("begins with {}, not 0", first.integer(0)));
    for (std::int64_t line = 0; line < lines; ++line) {
      const std::int64_t end = first.integer(line + 1);
      if (end < first.integer(line) || end > blocks)
        first.fail(
            fmt::format("element {} is {}: it never decreases, up to {}", line + 2, end, blocks));
      for (std::int64_t block = first.integer(line); block < end; ++block) {
        const std::int64_t other = index.integer(block);
        if (by_columns) {
          add(index, other, line, data, block);
          continue;
        }
        for (std::int64_t i = 0; i < height; ++i) {
          for (std::int64_t j = 0; j < width; ++j)
            add(index, line * height + i, other * width + j, data,
                (block * height + i) * width + j);
        }
      }
    }
  }

  void read_blocks() {
    const NpyArray data = archive_.array("data");
    if (data.shape().size() != 3) data.fail("is no array of blocks");
    const std::int64_t height = data.shape()[1], width = data.shape()[2];
    if (height < 1 || width < 1 || entries_.rows % height != 0 || entries_.cols % width != 0)
      data.fail(fmt::format("has blocks of {} x {}, which do not fill {} x {}", height, width,
                            entries_.rows, entries_.cols));
    read_compressed(false, height, width);
  }

  void read_coordinates() {
    const NpyArray row = archive_.array("row"), col = archive_.array("col");
    const NpyArray data = archive_.array("data");
    check_count(data);
    check_length(row, data.count());
    check_length(col, data.count());
    for (std::int64_t i = 0; i < data.count(); ++i)
      add(row, row.integer(i), col.integer(i), data, i);
  }

  /// data[k][j] is in column j of the diagonal offsets[k]; values outside the matrix and zeros are
  /// no entries, as in scipy.sparse.
  void read_diagonals() {
    const NpyArray offsets = archive_.array("offsets"), data = archive_.array("data");
    check_count(data);
    if (data.shape().size() != 2 || data.shape()[0] != offsets.count())
      data.fail(fmt::format("is no array of {} diagonals", offsets.count()));
    const std::int64_t length = data.shape()[1];
    for (std::int64_t k = 0; k < offsets.count(); ++k) {
      const std::int64_t offset =
          std::clamp<std::int64_t>(offsets.integer(k), -index_limit, index_limit);
      const std::int64_t first = std::max<std::int64_t>(0, offset);
      const std::int64_t end =
          std::min<std::int64_t>({length, entries_.cols, entries_.rows + offset});
      for (std::int64_t col = first; col < end; ++col) {
        const std::int64_t element = k * length + col;
        if (data.number(element) != Number()) add(offsets, col - offset, col, data, element);
      }
    }
  }

  const std::string& name_;
  const ReadLimits& limits_;
  Archive archive_;
  Entries entries_;
};

}  // namespace

bool is_npz(std::string_view bytes, const std::string& name) {
  ArchiveReader archive(bytes, name, Unpack::files);
  return archive.next() && archive.member().ends_with(".npy");
}

Entries parse_npz(std::string_view bytes, const std::string& name, const ReadLimits& limits) {
  return Reader(bytes, name, limits).read();
}

}  // namespace alphasparse
