#include "runtime/matrices/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "generator/result.h"
#include "runtime/matrices/npy.h"

namespace alphasparse {

namespace {

constexpr std::size_t inflated_bytes = 1 << 20;

class Archive {
 public:
  Archive(std::string_view bytes, std::string name, std::int64_t memory_bytes)
      : name_(std::move(name)), memory_bytes_(memory_bytes) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (source) zip_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (source && !zip_) zip_source_free(source);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!zip_) throw Error(fmt::format("{}: is no whole zip archive: {}", name_, reason));
  }

  NpyArray array(const std::string& name) {
    const zip_int64_t index = zip_name_locate(zip_.get(), (name + ".npy").c_str(), 0);
    if (index < 0) {
      throw Error(fmt::format("{}: has no array {}: not a matrix that scipy.sparse.save_npz wrote",
                              name_, name));
    }
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
        zip_fopen_index(zip_.get(), static_cast<zip_uint64_t>(index), 0), zip_fclose);
    if (!file) fail_array(name, zip_strerror(zip_.get()));
    std::string bytes;  // grows with what is there, whatever the archive says of its size
    for (;;) {
      const std::size_t before = bytes.size();
      bytes.resize(before + inflated_bytes);
      const zip_int64_t read = zip_fread(file.get(), bytes.data() + before, inflated_bytes);
      if (read < 0) fail_array(name, zip_file_strerror(file.get()));
      bytes.resize(before + static_cast<std::size_t>(read));
      memory_bytes_ -= read;
      if (memory_bytes_ < 0) fail_array(name, "takes more memory than there is");
      if (read == 0) break;
    }
    return {std::move(bytes), fmt::format("{}: array {}", name_, name)};
  }

 private:
  [[noreturn]] void fail_array(const std::string& name, const char* reason) const {
    throw Error(
        fmt::format("{}: array {}: {}; fetch or write the file again", name_, name, reason));
  }

  struct Discard {
    void operator()(zip_t* zip) const { zip_discard(zip); }
  };

  std::string name_;
  std::int64_t memory_bytes_;
  std::unique_ptr<zip_t, Discard> zip_;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadLimits& limits)
      : limits_(limits), archive_(bytes, name, limits.memory_bytes) {
    entries_.name = name;
    entries_.line_jumps = {{0, 1}};
  }

  Entries read() {
    const NpyArray format = archive_.array("format"), shape = archive_.array("shape");
    if (shape.count() != 2) shape.fail("is no shape of rows and columns");
    entries_.rows = size(shape, 0);
    entries_.cols = size(shape, 1);
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
  static std::int32_t size(const NpyArray& shape, std::int64_t index) {
    const std::int64_t number = shape.integer(index);
    if (number < 1 || number > index_limit)
      shape.fail(fmt::format("says {}, not 1 to {}", number, index_limit));
    return static_cast<std::int32_t>(number);
  }

  void check_count(const NpyArray& data) const {
    check_memory({entries_.rows, entries_.cols, data.count()}, entries_.name, limits_);
  }

  /// How many elements blocks have together; more than any array has where that is no number.
  static std::int64_t elements_of(std::int64_t blocks, std::int64_t height, std::int64_t width) {
    std::int64_t elements = 0;
    const bool overflows = __builtin_mul_overflow(blocks, height, &elements) ||
                           __builtin_mul_overflow(elements, width, &elements);
    return overflows ? std::numeric_limits<std::int64_t>::max() : elements;
  }

  static void check_length(const NpyArray& array, std::int64_t length) {
    if (array.count() != length)
      array.fail(fmt::format("has {} elements, not {}", array.count(), length));
  }

  void add(const NpyArray& indices, std::int64_t row, std::int64_t col, double value) {
    limits_.check(entries_.count(), entries_.name);
    if (row < 0 || row >= entries_.rows || col < 0 || col >= entries_.cols) {
      indices.fail(fmt::format("has an entry in row {}, column {} of {} x {}", row + 1, col + 1,
                               entries_.rows, entries_.cols));
    }
    entries_.row.push_back(static_cast<std::int32_t>(row));
    entries_.col.push_back(static_cast<std::int32_t>(col));
    entries_.value.push_back(value);
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
    check_length(data, elements_of(blocks, height, width));
    if (first.integer(0) != 0) first.fail(fmt::format("begins with {}, not 0", first.integer(0)));
    for (std::int64_t line = 0; line < lines; ++line) {
      const std::int64_t end = first.integer(line + 1);
      if (end < first.integer(line) || end > blocks)
        first.fail(
            fmt::format("element {} is {}: it never decreases, up to {}", line + 2, end, blocks));
      for (std::int64_t block = first.integer(line); block < end; ++block) {
        const std::int64_t other = index.integer(block);
        if (by_columns) {
          add(index, other, line, data.value(block));
          continue;
        }
        for (std::int64_t i = 0; i < height; ++i) {
          for (std::int64_t j = 0; j < width; ++j)
            add(index, line * height + i, other * width + j,
                data.value((block * height + i) * width + j));
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
      add(row, row.integer(i), col.integer(i), data.value(i));
  }

  /// data[k][j] is in column j of the diagonal offsets[k]; what lies outside is no entry, nor is
  /// what is zero, as scipy.sparse has it.
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
        const double value = data.value(k * length + col);
        if (value != 0) add(offsets, col - offset, col, value);
      }
    }
  }

  const ReadLimits& limits_;
  Archive archive_;
  Entries entries_;
};

}  // namespace

bool is_zip(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

Entries parse_npz(std::string_view bytes, const std::string& name, const ReadLimits& limits) {
  return Reader(bytes, name, limits).read();
}

}  // namespace alphasparse
