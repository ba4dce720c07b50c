// format_reader: reads a format file in one pass and proves it whole by its two digests.
//
// "structure" is the digest of the tensors of integers, in the order of the file: of a line "NAME
// TYPE LENGTH" and the entries of each. "checksum" is that of all else: of the header, with its own
// digits read as '0', and of the tensors of floats.
#pragma once
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "templates/host/digest.h"
#include "templates/host/safetensors.h"

namespace alphasparse::host {

constexpr std::size_t checksum_digits = 64;

/// The line by which a tensor's name, type and length are part of the structure.
inline std::string structure_line(const std::string& name, const std::string& type,
                                  std::uint64_t count) {
  return name + ' ' + type + ' ' + std::to_string(count) + '\n';
}

/// Opens a file to read it. A pipe may keep its reader waiting for ever, and a device may never
/// end.
inline std::FILE* open_file(const std::string& path) {
  struct stat found {};
  const bool is_known = stat(path.c_str(), &found) == 0;
  if (is_known && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) refuse("is no regular file");
  return std::fopen(path.c_str(), "rb");
}

class FormatReader {
 public:
  /// Opens the file, and reads and checks its header; throws BadFile.
  [[gnu::cold]] explicit FormatReader(const std::string& path) : file_{open_file(path)} {
    if (!file_.stream) refuse("%s", std::strerror(errno));
    struct stat found {};
    if (fstat(fileno(file_.stream), &found) != 0) refuse("%s", std::strerror(errno));
    if (S_ISDIR(found.st_mode)) refuse("%s", std::strerror(EISDIR));
    const auto file_bytes = static_cast<std::uint64_t>(found.st_size);
    unsigned char length[8];
    if (file_bytes < sizeof length) refuse("shorter than the 8 bytes of a header's length");
    read(length, sizeof length);
    std::uint64_t header_bytes = 0;
    for (int i = 7; i >= 0; --i) header_bytes = header_bytes << 8 | length[i];
    if (header_bytes > file_bytes - sizeof length || header_bytes > header_bytes_most) {
      refuse("a header of %ju bytes in a file of %ju", std::uintmax_t{header_bytes},
             std::uintmax_t{file_bytes});
    }
    if (header_bytes % 8 != 0) refuse("the header's length is no multiple of 8");
    std::string text(header_bytes, ' ');
    read(text.data(), text.size());
    header_ = parse_header(text, file_bytes - sizeof length - header_bytes);
    add_header(length, text);
  }

  const Header& header() const { return header_; }

  /// Reads all that follows the header and keeps it, the matrix' pattern only where it is wanted;
  /// throws BadFile. To be called once.
  [[gnu::cold]] void read_data(bool with_pattern) {
    Digest structure;
    for (Tensor& tensor : header_.tensors) {
      Digest& digest = tensor.type[0] == 'F' ? checksum_ : structure;
      if (&digest == &structure) digest.add(structure_line(tensor.name, tensor.type, tensor.count));
      const bool is_kept = with_pattern || tensor.name.compare(0, 10, "canonical_") != 0;
      tensor.bytes.resize(is_kept ? tensor.end - tensor.begin : 0);
      unsigned char passed_over[1 << 14];
      for (std::uint64_t at = tensor.begin; at < tensor.end;) {
        const std::uint64_t left = tensor.end - at, most = is_kept ? 1 << 18 : sizeof passed_over;
        const std::size_t part = left < most ? left : most;
        unsigned char* const into = is_kept ? &tensor.bytes[at - tensor.begin] : passed_over;
        read(into, part);
        digest.add(into, part);
        at += part;
      }
    }
    if (std::fgetc(file_.stream) != EOF) refuse("it grew while it was read");
    if (checksum_.digits() != header_.text("checksum") ||
        structure.digits() != header_.text("structure")) {
      refuse("its checksum is wrong: the file is damaged");
    }
  }

  /// The bytes of a tensor, which are taken; throws BadFile where there is none.
  std::vector<unsigned char> take(const std::string& name) {
    for (Tensor& tensor : header_.tensors) {
      if (tensor.name == name) return std::move(tensor.bytes);
    }
    refuse("the file has no tensor \"%s\"", name.c_str());
  }

 private:
  static constexpr std::uint64_t header_bytes_most = 100'000'000;  // as other readers have it

  struct File {
    std::FILE* stream;

    explicit File(std::FILE* opened) : stream(opened) {}
    File(const File&) = delete;
    ~File() {
      if (stream) std::fclose(stream);
    }
  };

  void read(void* into, std::size_t bytes) {
    if (bytes > 0 && std::fread(into, 1, bytes, file_.stream) != bytes) {
      refuse(std::ferror(file_.stream) ? "cannot be read" : "ends too early");
    }
  }

  void add_header(const unsigned char (&length)[8], std::string& text) {
    const std::string& digits = header_.text("checksum");
    if (text.compare(header_.checksum_at, checksum_digits, digits) != 0) {
      refuse("its checksum does not have 64 digits");
    }
    text.replace(header_.checksum_at, checksum_digits, checksum_digits, '0');
    checksum_.add(length, sizeof length);
    checksum_.add(text);
  }

  File file_;
  Header header_;
  Digest checksum_;
};

}  // namespace alphasparse::host
