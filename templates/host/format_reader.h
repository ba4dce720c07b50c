// format_reader: reads a format file in one pass and proves it whole by its checksum.
//
// The checksum is FNV-1a (64 bit) over every byte of the file, header included, with its own
// sixteen digits read as '0'.
#pragma once
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "templates/host/safetensors.h"

namespace alphasparse::host {

class Checksum {
 public:
  void add(const void* data, std::size_t bytes) {
    const unsigned char* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) state_ = (state_ ^ byte[i]) * 0x100000001b3u;
  }

  /// Sixteen lower-case hexadecimal digits.
  std::string digits() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(state_));
    return text;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

constexpr std::size_t checksum_digits = 16;

/// The data of tensors, by name.
using TensorData = std::map<std::string, std::vector<unsigned char>>;

/// Opens a file to read it. A pipe may keep its reader waiting for ever, and a device may never
/// end.
inline std::FILE* open_file(const std::string& path) {
  struct stat found {};
  const bool is_known = stat(path.c_str(), &found) == 0;
  if (is_known && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
    throw BadFile("is no regular file");
  return std::fopen(path.c_str(), "rb");
}

class FormatReader {
 public:
  /// Opens the file, and reads and checks its header; throws BadFile.
  explicit FormatReader(const std::string& path) : file_(open_file(path)) {
    if (!file_) throw BadFile(std::strerror(errno));
    struct stat found {};
    if (fstat(fileno(file_.get()), &found) != 0) throw BadFile(std::strerror(errno));
    if (S_ISDIR(found.st_mode)) throw BadFile(std::strerror(EISDIR));
    const auto file_bytes = static_cast<std::uint64_t>(found.st_size);
    unsigned char length[8];
    if (file_bytes < sizeof length) throw BadFile("shorter than the 8 bytes of a header's length");
    read(length, sizeof length);
    std::uint64_t header_bytes = 0;
    for (int i = 7; i >= 0; --i) header_bytes = header_bytes << 8 | length[i];
    if (header_bytes > file_bytes - sizeof length || header_bytes > header_bytes_most) {
      throw BadFile("a header of " + std::to_string(header_bytes) + " bytes in a file of " +
                    std::to_string(file_bytes));
    }
    if (header_bytes % 8 != 0) throw BadFile("the header's length is no multiple of 8");
    std::string text(header_bytes, ' ');
    read(text.data(), text.size());
    header_ = parse_header(text, file_bytes - sizeof length - header_bytes);
    add_header(length, text);
  }

  const Header& header() const { return header_; }

  /// Reads all that follows the header and keeps the tensors named in `wanted`; throws BadFile. To
  /// be called once.
  TensorData read_data(const std::set<std::string>& wanted) {
    TensorData data;
    std::vector<unsigned char> passed_over(std::size_t{1} << 16);
    for (const Tensor& tensor : header_.tensors) {
      const std::uint64_t bytes = tensor.end - tensor.begin;
      if (wanted.count(tensor.name)) {
        std::vector<unsigned char>& kept = data[tensor.name];
        kept.resize(bytes);
        read(kept.data(), kept.size());
        checksum_.add(kept.data(), kept.size());
        continue;
      }
      for (std::uint64_t left = bytes; left > 0;) {
        const std::size_t part = std::min<std::uint64_t>(left, passed_over.size());
        read(passed_over.data(), part);
        checksum_.add(passed_over.data(), part);
        left -= part;
      }
    }
    if (std::fgetc(file_.get()) != EOF) throw BadFile("it grew while it was read");
    if (checksum_.digits() != header_.text("checksum")) {
      throw BadFile("its checksum is wrong: the file is damaged");
    }
    return data;
  }

 private:
  static constexpr std::uint64_t header_bytes_most = 100'000'000;  // as other readers have it

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void read(void* into, std::size_t bytes) {
    if (bytes > 0 && std::fread(into, 1, bytes, file_.get()) != bytes) {
      throw BadFile(std::ferror(file_.get()) ? "cannot be read" : "ends too early");
    }
  }

  void add_header(const unsigned char (&length)[8], std::string& text) {
    const std::string& digits = header_.text("checksum");
    if (text.compare(header_.checksum_at, checksum_digits, digits) != 0) {
      throw BadFile("its checksum does not have 16 digits");
    }
    text.replace(header_.checksum_at, checksum_digits, checksum_digits, '0');
    checksum_.add(length, sizeof length);
    checksum_.add(text.data(), text.size());
  }

  std::unique_ptr<std::FILE, Close> file_;
  Header header_;
  Checksum checksum_;
};

}  // namespace alphasparse::host
