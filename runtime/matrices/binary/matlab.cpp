#include "runtime/matrices/binary/matlab.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <optional>
#include <vector>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/binary/byte_reader.h"
#include "runtime/matrices/binary/matlab_elements.h"

namespace alphasparse {

namespace {

constexpr std::size_t header_bytes = 128, version_offset = 124;
constexpr std::size_t variables_most = 100'000;
constexpr std::size_t head_bytes_most = 256;  ///< class, extents and name take less
constexpr const char* suitesparse_name = "Problem.A";

enum class MatlabClass { cell = 1, structure, object, character, sparse };

const char* class_name(int number) {
  static constexpr const char* names[] = {
      "of an unknown class", "a cell", "a struct", "an object", "a text", "sparse", "dense"};
  constexpr int dense_first = 6, dense_last = 15;
  if (number >= dense_first && number <= dense_last) return names[dense_first];
  return number >= 1 && number < dense_first ? names[number] : names[0];
}

/// The beginning of a variable.
struct Head {
  int kind = 0;
  int parts = 1;  ///< of a value: 2 of a complex one
  std::vector<std::int64_t> extents;
  std::string name;
  std::int64_t entries_most = 0;

  bool is(MatlabClass wanted) const { return kind == static_cast<int>(wanted); }
  bool is_single() const {
    return std::all_of(extents.begin(), extents.end(), [](std::int64_t n) { return n == 1; });
  }
};

/// A variable, or a field of a struct, that is there.
struct Found {
  std::string path;
  Head head;
  std::string_view body;  ///< behind the head
};

std::endian detect(std::string_view bytes) {
  return bytes[version_offset + 2] == 'I' ? std::endian::little : std::endian::big;
}

class MatlabReader {
 public:
  MatlabReader(std::string_view bytes, const std::string& name, const std::string& variable,
               const ReadLimits& limits)
      : bytes_(bytes), name_(name), variable_(variable), limits_(limits), order_(detect(bytes)) {}

  Entries read() {
    MatlabElements elements(bytes_.substr(header_bytes), order_);
    while (const auto element = elements.next()) {
      require_time(limits_.deadline, name_);
      if (element->is(MatlabType::compressed)) {
        add_packed(element->bytes);
      } else if (element->is(MatlabType::matrix)) {
        add(element->bytes, "");
      }
    }
    if (elements.is_truncated()) fail("ends within a variable: fetch or write the file again");
    return read_entries(chosen());
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(fmt::format("{}: MATLAB file: {}", name_, reason));
  }

  /// Unpacks a variable whole only where it is sparse, and of a struct no dense fields.
  void add_packed(std::string_view packed) {
    PackedStream stream(packed);
    std::string text;
    const bool is_longer = stream.read(text, head_bytes_most);
    if (text.size() < matlab_tag_bytes) fail("a variable cannot be unpacked: fetch the file again");
    if (type_at(text, 0) != MatlabType::matrix) return;
    const std::size_t count = number_at<std::uint32_t>(text.data() + 4, order_);
    std::string_view body;
    const Head head = read_head(std::string_view(text).substr(matlab_tag_bytes, count), body);
    if (!wants_body(head)) return note({head.name, head, {}});
    if (head.is(MatlabClass::sparse)) check_claims(head, count);
    if (head.is(MatlabClass::structure) && is_longer) {
      text = struct_of_sparse(packed, count, head.name);
    } else if (text.size() < matlab_tag_bytes + count &&
               !stream.read(text, matlab_tag_bytes + count - text.size())) {
      fail_truncated(head.name);
    }
    unpacked_.push_back(std::move(text));
    add(std::string_view(unpacked_.back()).substr(matlab_tag_bytes).substr(0, count), "");
  }

  MatlabType type_at(const std::string& text, std::size_t offset) const {
    return static_cast<MatlabType>(number_at<std::uint32_t>(text.data() + offset, order_));
  }

  [[noreturn]] void fail_truncated(const std::string& name) const {
    fail(fmt::format("the variable {} is cut short or damaged: fetch the file again",
                     printable(name.substr(0, 60))));
  }

  /// A struct with its sparse fields and those structs in it that are small, and of all others the
  /// beginning.
  std::string struct_of_sparse(std::string_view packed, std::size_t count,
                               const std::string& name) const {
    constexpr int elements_before = 5;  // class, extents, name, length of names, names
    constexpr std::size_t names_most = 1 << 20;
    PackedStream stream(packed);
    std::string text;
    if (!stream.read(text, matlab_tag_bytes)) fail_truncated(name);
    std::size_t taken = 0;
    for (int i = 0; i < elements_before; ++i) {
      const std::size_t bytes = read_tag(stream, text, name);
      if (bytes > names_most || !stream.read(text, bytes)) fail_truncated(name);
      taken += matlab_tag_bytes + bytes;
    }
    while (taken + matlab_tag_bytes <= count) {
      require_time(limits_.deadline, name_);
      std::string field;
      const std::size_t bytes = read_tag(stream, field, name);
      taken += matlab_tag_bytes + bytes;
      if (type_at(field, 0) != MatlabType::matrix) fail_truncated(name);
      read_field(stream, bytes, field, name);
      text += field;
      if (static_cast<std::int64_t>(text.size()) > limits_.memory_bytes)
        fail("a struct takes more memory than there is");
    }
    return text;
  }

  /// Appends a tag; returns how many bytes follow it.
  std::size_t read_tag(PackedStream& stream, std::string& text, const std::string& name) const {
    const std::size_t at = text.size();
    if (!stream.read(text, matlab_tag_bytes)) fail_truncated(name);
    const auto word = number_at<std::uint32_t>(text.data() + at, order_);
    if (word >> 16 != 0) return 0;
    return (std::size_t{number_at<std::uint32_t>(text.data() + at + 4, order_)} + 7) / 8 * 8;
  }

  /// Appends the content of a field to its tag, or the beginning of the content.
  void read_field(PackedStream& stream, std::size_t bytes, std::string& field,
                  const std::string& name) const {
    constexpr std::size_t struct_most = std::size_t{64} << 20;
    const std::size_t beginning = std::min(bytes, head_bytes_most);
    if (!stream.read(field, beginning)) fail_truncated(name);
    if (bytes == beginning) return;
    std::string_view body;
    const Head head = read_head(std::string_view(field).substr(matlab_tag_bytes), body);
    const bool is_struct = head.is(MatlabClass::structure);
    if (head.is(MatlabClass::sparse)) check_claims(head, bytes);
    if (is_struct && bytes > struct_most)
      fail(fmt::format("a struct in a struct takes {} bytes; save the matrix by itself", bytes));
    if (is_struct || head.is(MatlabClass::sparse)) {
      if (!stream.read(field, bytes - beginning)) fail_truncated(head.name);
      return;
    }
    if (!stream.skip(bytes - beginning)) fail_truncated(head.name);
    const auto kept = static_cast<std::uint32_t>(beginning);
    const std::uint32_t ordered = order_ == std::endian::native ? kept : __builtin_bswap32(kept);
    std::memcpy(field.data() + 4, &ordered, sizeof ordered);
  }

  void note(Found found) {
    if (found_.size() >= variables_most) fail("has too many variables");
    found_.push_back(std::move(found));
  }

  bool wants_body(const Head& head) const {
    const bool may_hold = head.is(MatlabClass::sparse) || head.is(MatlabClass::structure);
    return may_hold &&
           (variable_.empty() || variable_ == head.name || variable_.starts_with(head.name + "."));
  }

  /// A sparse variable takes no more bytes than its sizes say.
  void check_claims(const Head& head, std::size_t bytes) const {
    if (head.extents.size() != 2) return;
    check_memory({head.extents[0], head.extents[1], head.entries_most, head.parts == 2}, name_,
                 limits_);
    constexpr std::int64_t slack = 4096;
    const std::int64_t entry_bytes = 16 + 8 * head.parts;
    // No entry is there twice.
    const std::int64_t entries = std::min(head.entries_most, head.extents[0] * head.extents[1]);
    const std::int64_t most = 8 * head.extents[1] + entry_bytes * (entries + 1) + slack;
    if (static_cast<std::int64_t>(bytes) > most)
      fail(fmt::format("the variable {} takes {} bytes, more than {} entries do",
                       printable(head.name), bytes, entries));
  }

  Head read_head(std::string_view bytes, std::string_view& body) const {
    MatlabElements elements(bytes, order_);
    const auto next = [&] {
      const auto element = elements.next();
      if (!element) fail("a variable ends before its name");
      return *element;
    };
    const MatlabNumbers flags(next(), order_);
    if (flags.count() < 2) fail("a variable has no class");
    Head head;
    constexpr int class_mask = 0xff, complex_flag = 0x800;
    head.kind = static_cast<int>(flags.integer(0) & class_mask);
    head.parts = (flags.integer(0) & complex_flag) != 0 ? 2 : 1;
    head.entries_most = std::max<std::int64_t>(0, flags.integer(1));
    const MatlabNumbers extents(next(), order_);
    constexpr std::int64_t extents_most = 16;
    if (extents.count() > extents_most) fail("a variable has too many extents");
    for (std::int64_t i = 0; i < extents.count(); ++i)
      head.extents.push_back(std::clamp<std::int64_t>(extents.integer(i), 0, index_limit + 1));
    head.name = std::string(next().bytes);
    body = elements.rest();
    return head;
  }

  /// Notes a variable, and the fields of a struct.
  void add(std::string_view bytes, const std::string& parent) {
    if (bytes.empty()) return;  // an empty field
    Found found;
    found.head = read_head(bytes, found.body);
    found.path = parent.empty() ? found.head.name : parent;
    const bool is_struct = found.head.is(MatlabClass::structure) && found.head.is_single();
    const std::string_view body = found.body;
    const std::string path = found.path;
    note(std::move(found));
    constexpr std::ptrdiff_t depth_most = 4;
    if (is_struct && std::count(path.begin(), path.end(), '.') < depth_most) add_fields(body, path);
  }

  void add_fields(std::string_view body, const std::string& path) {
    MatlabElements elements(body, order_);
    const auto length = elements.next(), names = elements.next();
    if (!length || !names) fail(fmt::format("the struct {} is cut short", printable(path)));
    const MatlabNumbers bytes(*length, order_);
    constexpr std::int64_t name_most = 1024;
    const std::int64_t width = bytes.count() > 0 ? bytes.integer(0) : 0;
    if (width < 1 || width > name_most) fail("a struct has no names of fields");
    for (std::size_t first = 0; first < names->bytes.size();
         first += static_cast<std::size_t>(width)) {
      const std::string_view padded = names->bytes.substr(first, static_cast<std::size_t>(width));
      const std::string field(padded.substr(0, padded.find('\0')));
      const auto element = elements.next();
      if (!element) fail(fmt::format("the struct {} is cut short", printable(path)));
      if (element->is(MatlabType::matrix)) add(element->bytes, path + "." + field);
    }
  }

  std::string sparse_names() const {
    constexpr std::size_t shown_most = 6;
    std::string names;
    std::size_t count = 0;
    for (const Found& found : found_) {
      if (!found.head.is(MatlabClass::sparse)) continue;
      if (++count > shown_most) return names + ", ...";
      names += (names.empty() ? "" : ", ") + printable(found.path.substr(0, 60));
    }
    return names;
  }

  const Found& chosen() const {
    const std::string wanted = variable_.empty() ? suitesparse_name : variable_;
    const Found* only = nullptr;
    std::int64_t sparse = 0;
    for (const Found& found : found_) {
      const bool is_sparse = found.head.is(MatlabClass::sparse);
      if (found.path == wanted && is_sparse) return found;
      if (found.path == variable_ && !variable_.empty()) {
        fail(fmt::format("the variable {} is {}: save it as sparse({})", printable(variable_),
                         class_name(found.head.kind), printable(variable_)));
      }
      if (!is_sparse) continue;
      ++sparse;
      only = &found;
    }
    if (sparse == 0) fail("has no sparse variable: save the matrix as sparse(A)");
    if (!variable_.empty()) {
      fail(fmt::format("has no variable {}; sparse are: {}", printable(variable_.substr(0, 60)),
                       sparse_names()));
    }
    if (sparse > 1) {
      fail(fmt::format("has {} sparse variables; name one, as {}:{}: {}", sparse, name_,
                       printable(only->path.substr(0, 60)), sparse_names()));
    }
    return *only;
  }

  Entries read_entries(const Found& found) const {
    const std::string name = printable(found.path.substr(0, 60));
    const auto reject = [&](const std::string& reason) {
      fail(fmt::format("the variable {} {}", name, reason));
    };
    if (found.head.extents.size() != 2) reject("has no rows and columns");
    const std::int64_t rows = found.head.extents[0], cols = found.head.extents[1];
    check_sizes(rows, cols, name_);
    MatlabElements elements(found.body, order_);
    const auto rows_element = elements.next(), first_element = elements.next();
    const auto values_element = elements.next();
    if (!rows_element || !first_element || !values_element) reject("is cut short");
    const int parts = found.head.parts;
    const std::string_view imag_bytes = elements.rest();
    const auto imag_element = parts == 2 ? elements.next() : values_element;
    const MatlabNumbers row(*rows_element, order_), first(*first_element, order_),
        values(*values_element, order_), imag(imag_element.value_or(MatlabElement()), order_);
    if (first.count() != cols + 1)
      reject(fmt::format("has the beginnings of {} columns, not {}", first.count() - 1, cols));
    const std::int64_t count = first.integer(cols);
    if (first.integer(0) != 0 || count < 0 || count > row.count() || count > values.count())
      reject(fmt::format("has {} rows and {} values for {} entries", row.count(), values.count(),
                         count));
    if (count > imag.count()) {
      reject(
          fmt::format("has {} imaginary parts in {} bytes, from byte {} of its {} on, for {} "
                      "entries: fetch or write the file again",
                      imag.count(), imag_bytes.size(), found.body.size() - imag_bytes.size(),
                      found.body.size(), count));
    }
    check_memory({rows, cols, count, parts == 2}, name_, limits_);
    Entries entries = entries_without_lines(name_, rows, cols, count, parts);
    for (std::int32_t col = 0; col < entries.cols; ++col) {
      const std::int64_t end = first.integer(col + 1);
      if (end < first.integer(col) || end > count)
        reject(fmt::format("has columns that overlap at column {}", col + 1));
      for (std::int64_t entry = first.integer(col); entry < end; ++entry) {
        limits_.check(entry, name_);
        const std::int64_t at = row.integer(entry);
        if (at < 0 || at >= rows) reject(fmt::format("has an entry in row {} of {}", at + 1, rows));
        const Number value{values.value(entry), parts == 2 ? imag.value(entry) : 0};
        if (!std::isfinite(value.re) || !std::isfinite(value.im)) {
          reject(fmt::format("has the value {} in row {}, column {}",
                             std::isfinite(value.re) ? value.im : value.re, at + 1, col + 1));
        }
        entries.row.push_back(static_cast<std::int32_t>(at));
        entries.col.push_back(col);
        entries.add_value(value, parts);
      }
    }
    return entries;
  }

  std::string_view bytes_;
  const std::string& name_;
  const std::string& variable_;
  const ReadLimits& limits_;
  std::endian order_;
  std::vector<Found> found_;
  std::deque<std::string> unpacked_;  ///< `found_` refers to them
};

}  // namespace

bool is_matlab(std::string_view bytes) {
  if (bytes.size() < header_bytes) return false;
  const std::string_view mark = bytes.substr(version_offset, 4);
  return mark == std::string_view("\x00\x01IM", 4) || mark == std::string_view("\x01\x00MI", 4);
}

bool is_old_matlab(std::string_view bytes) {
  constexpr std::size_t header = 20;
  constexpr std::int32_t type_most = 4052, name_most = 64;
  if (bytes.size() < header + 2) return false;
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const auto field = [&](std::size_t offset) {
      return number_at<std::int32_t>(bytes.data() + 4 * offset, order);
    };
    const std::int32_t type = field(0), name_bytes = field(4);
    const bool is_type = type >= 0 && type <= type_most && type / 1000 <= 4 &&
                         type / 100 % 10 == 0 && type / 10 % 10 <= 5 && type % 10 <= 2;
    if (!is_type || field(1) < 0 || field(2) < 0 || field(3) < 0 || field(3) > 1) continue;
    if (name_bytes < 2 || name_bytes > name_most) continue;
    const std::string_view name = bytes.substr(header, static_cast<std::size_t>(name_bytes));
    if (name.size() < static_cast<std::size_t>(name_bytes) || name.back() != 0) continue;
    const auto is_letter = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (std::all_of(name.begin(), name.end() - 1, is_letter)) return true;
  }
  return false;
}

Entries parse_matlab(std::string_view bytes, const std::string& name, const std::string& variable,
                     const ReadLimits& limits) {
  if (!is_matlab(bytes)) throw Error(fmt::format("{}: is no MATLAB 5 file", name));
  return MatlabReader(bytes, name, variable, limits).read();
}

}  // namespace alphasparse
