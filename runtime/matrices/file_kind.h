// file_kind: the kind of a file, by its first bytes and never by its name. For a file that is no
// matrix: its kind, and the next step.
#pragma once
#include <cstddef>
#include <string_view>

namespace alphasparse {

enum class FileKind {
  // a matrix
  matrix_market,
  harwell_boeing,  ///< and Rutherford-Boeing
  smtx,
  petsc,
  matlab,
  // files that may hold one
  gzip,
  bzip2,
  xz,
  zstd,
  zip,
  tar,
  // neither
  other_text,  ///< perhaps a Matrix Market file without its header
  other
};

/// The number of bytes that tell the kind.
constexpr std::size_t kind_bytes = 1 << 16;

FileKind detect_kind(std::string_view beginning);

/// Whether it is a container: a compressed file or an archive.
bool is_container(FileKind kind);

/// "a Matrix Market file", "a zip archive".
const char* kind_name(FileKind kind);

/// The text for FileKind::other: "is an HTML page, probably a failed download: fetch the file
/// again".
const char* other_kind_text(std::string_view beginning);

/// The text without a byte order mark.
std::string_view without_mark(std::string_view text);

}  // namespace alphasparse
