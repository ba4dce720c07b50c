#include "runtime/matrices/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "runtime/matrices/binary/matlab.h"
#include "runtime/matrices/binary/petsc_binary.h"
#include "runtime/matrices/text/harwell_boeing.h"
#include "runtime/matrices/text/smtx.h"

namespace alphasparse {

namespace {

using std::literals::operator""sv;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  FileKind kind;
};

constexpr Magic containers[] = {{0, "\x1f\x8b"sv, FileKind::gzip},
                                {0, "BZh"sv, FileKind::bzip2},
                                {0,
                                 "\xfd"
                                 "7zXZ\0"sv,
                                 FileKind::xz},
                                {0, "\x28\xb5\x2f\xfd"sv, FileKind::zstd},
                                {0, "PK\x03\x04"sv, FileKind::zip},
                                {0, "PK\x05\x06"sv, FileKind::zip}};

/// A file that is no matrix in spite of its name, and a remedy.
struct Stranger {
  std::size_t offset;
  std::string_view bytes;
  const char* text;
};

constexpr const char* matlab_73 =
    "is an HDF5 file, as MATLAB 7.3 writes it: save the matrix with save('FILE.mat', 'A', '-v7')";
constexpr const char* unpack_it = "is packed in a way that is not read: unpack it first";
constexpr std::size_t hdf5_after_matlab = 512;

constexpr Stranger strangers[] = {
    {0, "\x89HDF\r\n\x1a\n"sv,
     "is an HDF5 file, whose layout is anybody's: write the matrix as Matrix Market, or from "
     "MATLAB "
     "with -v7"},
    {hdf5_after_matlab, "\x89HDF\r\n\x1a\n"sv, matlab_73},
    {0, "MATLAB 7.3 "sv, matlab_73},
    {0, "\x93NUMPY"sv, "is a single NumPy array: save a sparse matrix with scipy.sparse.save_npz"},
    {0, "version https://git-lfs"sv, "is a pointer of Git LFS: fetch the file with git lfs pull"},
    {0, "7z\xbc\xaf\x27\x1c"sv, unpack_it},
    {0, "Rar!"sv, unpack_it},
    {0, "\x04\x22\x4d\x18"sv, unpack_it},  // lz4
    {0, "LZIP"sv, unpack_it},
    {0, "\x1f\x9d"sv, unpack_it},  // compress
    {0, "%PDF-"sv, "is a PDF document: name the file of the matrix"},
    {0, "\x89PNG"sv, "is a picture: name the file of the matrix"},
    {0, "\xff\xd8\xff"sv, "is a picture: name the file of the matrix"},
    {0,
     "\x7f"
     "ELF"sv,
     "is a program: name the file of the matrix"},
    {0, "SQLite format 3\0"sv, "is an SQLite database: name the file of the matrix"},
    {0, "PAR1"sv, "is a Parquet file: write the matrix as Matrix Market"},
    {0, "ARROW1"sv, "is an Arrow file: write the matrix as Matrix Market"},
    {0, "\x80\x02"sv, "is a Python pickle: save the matrix with scipy.sparse.save_npz"},
    {0, "\x80\x03"sv, "is a Python pickle: save the matrix with scipy.sparse.save_npz"},
    {0, "\x80\x04"sv, "is a Python pickle: save the matrix with scipy.sparse.save_npz"},
    {0, "\x80\x05"sv, "is a Python pickle: save the matrix with scipy.sparse.save_npz"},
    {0, "\xff\xfe"sv, "is a text of UTF-16: save it as UTF-8"},
    {0, "\xfe\xff"sv, "is a text of UTF-16: save it as UTF-8"}};

bool has(std::string_view bytes, std::size_t offset, std::string_view magic) {
  return bytes.size() >= offset + magic.size() && bytes.substr(offset, magic.size()) == magic;
}

char lower(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a')
                                              : character;
}

bool begins_in_any_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [](char wanted, char there) { return lower(there) == wanted; });
}

/// Whether the header's checksum is right.
bool is_tar(std::string_view bytes) {
  constexpr std::size_t header = 512, sum_offset = 148, sum_bytes = 8;
  if (bytes.size() < header || bytes[0] == 0) return false;
  unsigned sum = 0;
  for (std::size_t offset = 0; offset < header; ++offset) {
    const bool is_sum = offset >= sum_offset && offset < sum_offset + sum_bytes;
    sum += is_sum ? ' ' : static_cast<unsigned char>(bytes[offset]);
  }
  unsigned said = 0;
  std::string_view digits = bytes.substr(sum_offset, sum_bytes);
  while (!digits.empty() && digits[0] == ' ') digits.remove_prefix(1);
  if (digits.empty() || digits[0] < '0' || digits[0] > '7') return false;
  for (; !digits.empty() && digits[0] >= '0' && digits[0] <= '7'; digits.remove_prefix(1))
    said = said * 8 + static_cast<unsigned>(digits[0] - '0');
  return said == sum;
}

const char* html_text(std::string_view text) {
  text = without_mark(text);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text[0]))) text.remove_prefix(1);
  for (const std::string_view prefix : {"<!doctype html"sv, "<html"sv, "<head"sv, "<!--"sv}) {
    if (begins_in_any_case(text, prefix))
      return "is an HTML page, probably a failed download: fetch the file again";
  }
  if (begins_in_any_case(text, "<?xml")) return "is an XML document: name the file of the matrix";
  if (text.starts_with("{")) return "is a JSON document: name the file of the matrix";
  return nullptr;
}

const char* stranger_text(std::string_view bytes) {
  for (const Stranger& stranger : strangers) {
    if (has(bytes, stranger.offset, stranger.bytes)) return stranger.text;
  }
  return is_old_matlab(bytes) ? "is a MATLAB 4 file: save the matrix with save('FILE.mat', 'A', "
                                "'-v7')"
                              : html_text(bytes);
}

/// No zeros and next to no control characters.
bool is_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' && (byte < '\t' || byte > '\r') && byte != 0x1a && byte != 0x1b;
  });
}

}  // namespace

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

FileKind detect_kind(std::string_view beginning) {
  for (const Magic& magic : containers) {
    if (has(beginning, magic.offset, magic.bytes)) return magic.kind;
  }
  if (begins_in_any_case(without_mark(beginning), "%%matrixmarket")) return FileKind::matrix_market;
  if (is_petsc_binary(beginning)) return FileKind::petsc;
  if (is_matlab(beginning)) return FileKind::matlab;
  if (is_tar(beginning)) return FileKind::tar;
  if (stranger_text(beginning)) return FileKind::other;
  if (is_harwell_boeing(without_mark(beginning))) return FileKind::harwell_boeing;
  if (is_smtx(without_mark(beginning))) return FileKind::smtx;
  return is_text(beginning) ? FileKind::other_text : FileKind::other;
}

bool is_container(FileKind kind) { return kind >= FileKind::gzip && kind <= FileKind::tar; }

const char* kind_name(FileKind kind) {
  static constexpr const char* names[] = {"a Matrix Market file", "a Rutherford-Boeing file",
                                          "an .smtx file",        "a PETSc file",
                                          "a MATLAB file",        "a gzip file",
                                          "a bzip2 file",         "an xz file",
                                          "a zstd file",          "a zip archive",
                                          "a tar archive",        "a text",
                                          "a file of bytes"};
  return names[static_cast<int>(kind)];
}

const char* other_kind_text(std::string_view beginning) {
  const char* const text = stranger_text(beginning);
  return text ? text
              : "is a file of bytes that no reader knows: write the matrix as Matrix Market, .npz, "
                "MATLAB 5 or Rutherford-Boeing";
}

}  // namespace alphasparse
