#include "runtime/matrices/matrix_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/binary/matlab.h"
#include "runtime/matrices/binary/npz.h"
#include "runtime/matrices/binary/petsc_binary.h"
#include "runtime/matrices/containers/archive_member.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/containers/unpack_limits.h"
#include "runtime/matrices/file_kind.h"
#include "runtime/matrices/text/harwell_boeing.h"
#include "runtime/matrices/text/smtx.h"

namespace alphasparse {

namespace {

constexpr int containers_most = 4;  ///< one in the other

/// The content that is read, from the file down through its packings.
struct Content {
  std::string bytes;
  std::string name;       ///< for messages
  std::string member;     ///< that is still to be found in it
  std::string path = {};  ///< of the file, where it is this content, packed or not
};

class ContentReader {
 public:
  ContentReader(const ReadLimits& limits, const ReadNote& note) : limits_(limits), note_(note) {}

  Entries read(Content content) {
    FileKind kind = detect_kind(beginning_of_bytes(content));
    for (int depth = 0; is_container(kind) && !is_matrix_archive(content, kind); ++depth) {
      if (depth == containers_most)
        throw Error(fmt::format("{}: is packed more than {} times", content.name, containers_most));
      content = unpacked(std::move(content), kind);
      kind = detect_kind(beginning_of_bytes(content));
    }
    if (!content.member.empty() && kind != FileKind::matlab) {
      throw Error(fmt::format("{} is {} and has no parts; leave out :{}", content.name,
                              kind_name(kind), printable(content.member)));
    }
    return parsed(content, kind);
  }

 private:
  static std::string_view beginning_of_bytes(const Content& content) {
    return std::string_view(content.bytes).substr(0, kind_bytes);
  }

  static bool is_matrix_archive(const Content& content, FileKind kind) {
    return kind == FileKind::zip && is_npz(content.bytes, content.name);
  }

  Content unpacked(Content content, FileKind kind) {
    if (kind == FileKind::tar || kind == FileKind::zip || holds_tar(content, kind)) {
      ArchiveMember member =
          archive_member(content.bytes, content.name, content.member, limits_, note_);
      return {std::move(member.bytes), std::move(member.location), std::move(member.rest)};
    }
    const UnpackWatch watch = unpack_watch(content.name, limits_);
    if (kind == FileKind::gzip) {  // zlib checks its checksum and unpacks it in place
      content.bytes =
          gunzip(content.bytes, content.name, limits_.memory_bytes, limits_.deadline, watch);
      return content;
    }
    ArchiveReader reader(content.bytes, content.name, Unpack::stream, limits_.deadline);
    std::string bytes;
    if (reader.next()) bytes = reader.read_all(limits_.memory_bytes, watch);
    content.bytes = std::move(bytes);
    return content;
  }

  /// Which is unpacked file by file, and never as a whole.
  bool holds_tar(const Content& content, FileKind kind) const {
    if (kind == FileKind::gzip)
      return detect_kind(gunzip_beginning(content.bytes, kind_bytes)) == FileKind::tar;
    ArchiveReader reader(content.bytes, content.name, Unpack::stream, limits_.deadline);
    std::string beginning;
    if (reader.next()) reader.read(beginning, kind_bytes);
    return detect_kind(beginning) == FileKind::tar;
  }

  Entries parsed(const Content& content, FileKind kind) const {
    switch (kind) {
      case FileKind::zip:
        return parse_npz(content.bytes, content.name, limits_);
      case FileKind::petsc:
        return parse_petsc_binary(content.bytes, content.name, limits_, petsc_options(content));
      case FileKind::matlab:
        return parse_matlab(content.bytes, content.name, content.member, limits_);
      case FileKind::harwell_boeing:
        return parse_harwell_boeing(without_mark(content.bytes), content.name, limits_);
      case FileKind::smtx:
        return parse_smtx(without_mark(content.bytes), content.name, limits_);
      case FileKind::other:
        throw Error(
            fmt::format("{}: {}", content.name, other_kind_text(beginning_of_bytes(content))));
      default:
        return parse_matrix_market(content.bytes, content.name, limits_);
    }
  }

  /// The text of the companion; empty where there is none.
  static std::string petsc_options(const Content& content) {
    constexpr std::size_t most = 1 << 16;
    const std::string companion = petsc_companion(content.path);
    std::error_code none;  // also for a name too long
    const bool is_there =
        !content.path.empty() && std::filesystem::is_regular_file(companion, none);
    return is_there ? read_beginning(companion, most) : "";
  }

  const ReadLimits& limits_;
  const ReadNote& note_;
};

/// Rejects a file by its beginning, before it is read.
void check_beginning(const std::string& path, const ReadLimits& limits) {
  const std::string beginning = read_beginning(path, kind_bytes);
  if (detect_kind(beginning) == FileKind::other)
    throw Error(fmt::format("{}: {}", path, other_kind_text(beginning)));
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  const auto most = text_bytes_most(beginning, path, limits);
  if (unknown || !most || bytes <= static_cast<std::uintmax_t>(*most)) return;
  throw Error(
      fmt::format("{}: has {} bytes, which its size line does not account for", path, bytes));
}

}  // namespace

Matrix parse_matrix(std::string bytes, const std::string& name, const std::string& member,
                    const ReadLimits& limits, const ReadNote& note) {
  return canonical(ContentReader(limits, note).read({std::move(bytes), name, member}));
}

Matrix read_matrix(const std::string& path, const Deadline& deadline, const ReadNote& note) {
  const auto [file, member] = locate_matrix(path);
  try {
    ReadLimits limits;
    limits.deadline = deadline;
    check_beginning(file, limits);
    if (member.empty()) {
      if (std::optional<Entries> entries = read_long_matrix_market(file, limits))
        return canonical(std::move(*entries));
    }
    return canonical(
        ContentReader(limits, note).read({read_bytes(file, deadline), file, member, file}));
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: memory ran out while reading", path));
  }
}

}  // namespace alphasparse
