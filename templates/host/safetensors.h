// safetensors: reads the header of a format file, and refuses any other text than alphasparse
// writes.
//
// The header is JSON, but only this much of it: an object of tensors, each with dtype, shape (one
// extent) and data_offsets, and `__metadata__`, an object of strings; printable ASCII. The tensors
// lie in the data one after the other, in the order of the header, without holes.
//
// Here and in the loader, functions that run once are marked cold: compilers spend half the time on
// them. Refusals are texts of printf for the same reason.
#pragma once
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alphasparse::host {

/// A format file that cannot be used; what() is one line.
struct BadFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws BadFile with a text of printf.
[[noreturn, gnu::cold, gnu::format(printf, 1, 2)]] inline void refuse(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw BadFile(text);
}

/// One tensor, of one dimension.
struct Tensor {
  std::string name;
  std::string type;
  std::uint64_t count = 0;
  std::uint64_t begin = 0;  ///< bytes [begin, end) of the data
  std::uint64_t end = 0;
  std::vector<unsigned char> bytes = {};  ///< where they were read
};

struct Header {
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<Tensor> tensors;  ///< in the order of the file
  std::size_t checksum_at = 0;  ///< where in the header the digits of metadata "checksum" start

  /// The metadata's entry of that name; throws where there is none.
  const std::string& text(const char* name) const {
    for (const auto& entry : metadata) {
      if (entry.first == name) return entry.second;
    }
    refuse("the metadata has no \"%s\"; write the file again by its kernel's remake line", name);
  }

  const Tensor* find(std::string_view name) const {
    for (const Tensor& tensor : tensors) {
      if (tensor.name == name) return &tensor;
    }
    return nullptr;
  }
};

/// Bytes of one element, or 0 for a type that no format has.
inline std::uint64_t element_bytes(std::string_view type) {
  if (type == "U8") return 1;
  if (type == "U16") return 2;
  if (type == "U32" || type == "I32" || type == "F32") return 4;
#ifndef ALPHASPARSE_REAL_KERNEL
  if (type == "F32x2") return 8;
  if (type == "F64x2") return 16;
#endif
  return type == "F64" ? 8 : 0;
}

/// Walks the header's text once, from its first character to its last.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  [[gnu::cold]] Header parse() {
    Header header;
    members([&](const std::string& name) {
      const bool is_metadata = name == "__metadata__";
      if (is_metadata ? !header.metadata.empty() : header.find(name) != nullptr) {
        fail("twice: ", name.c_str());
      }
      if (is_metadata) {
        metadata(header);
      } else {
        header.tensors.push_back(tensor(name));
      }
    });
    if (at_ != text_.size()) fail("text after its end");
    if (header.metadata.empty()) fail("no __metadata__");
    return header;
  }

 private:
  [[noreturn]] void fail(const char* what, const char* name = "") const {
    refuse("header, byte %zu: %s%s", at_, what, name);
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  /// Takes the character if it is the next one.
  bool take(char wanted) {
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  void expect(char wanted) {
    const char text[] = {wanted, 0};
    if (!take(wanted)) fail("expected ", text);
  }

  [[gnu::cold]] std::string string() {
    if (at_ == text_.size() || text_[at_] != '"') fail("expected a string");
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] < ' ' || text_[at_] > '~') fail("a character that is not printable ASCII");
      if (text_[at_] == '\\') {
        ++at_;
        if (at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\\')) {
          fail("an escape other than \\\" and \\\\");
        }
      }
      value += text_[at_];
    }
    expect('"');
    return value;
  }

  [[gnu::cold]] std::uint64_t integer() {
    const std::size_t first = at_;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (at_ - first == 18) fail("a number of more than 18 digits");
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
    }
    if (at_ == first) fail("expected a number");
    if (text_[first] == '0' && at_ - first > 1) fail("a number with a leading zero");
    skip_blanks();
    return value;
  }

  /// An object; `member` reads the value of the name that it is given.
  template <class Member>
  void members(Member member) {
    expect('{');
    if (take('}')) return;
    do {
      const std::string name = string();
      expect(':');
      member(name);
    } while (take(','));
    expect('}');
  }

  [[gnu::cold]] void metadata(Header& header) {
    members([&](const std::string& name) {
      const std::size_t value_at = at_ + 1;  // behind the opening quote
      for (const auto& entry : header.metadata) {
        if (entry.first == name) fail("twice: ", name.c_str());
      }
      header.metadata.emplace_back(name, string());
      if (name == "checksum") header.checksum_at = value_at;
    });
  }

  [[gnu::cold]] Tensor tensor(const std::string& name) {
    Tensor tensor;
    tensor.name = name;
    std::string seen;
    members([&](const std::string& key) {
      seen += key + ' ';
      if (key == "dtype") {
        tensor.type = string();
      } else if (key == "shape") {
        expect('[');
        tensor.count = integer();
#ifndef ALPHASPARSE_REAL_KERNEL
        if (take(',')) {  // complex numbers
          if (integer() != 2) fail("a second axis that is not the 2 parts of a number");
          tensor.type += "x2";
        }
#endif
        expect(']');
      } else if (key == "data_offsets") {
        expect('[');
        tensor.begin = integer();
        expect(',');
        tensor.end = integer();
        expect(']');
      } else {
        fail("a tensor has no ", key.c_str());
      }
    });
    if (seen != "dtype shape data_offsets ") {
      fail("dtype, shape and data_offsets, in this order, are not all of ", name.c_str());
    }
    return tensor;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Throws unless the tensors fill `data_bytes` bytes, in order and without holes.
inline void check_tensors(const Header& header, std::uint64_t data_bytes) {
  std::uint64_t end = 0;
  for (const Tensor& tensor : header.tensors) {
    const std::uint64_t bytes = element_bytes(tensor.type);
    const char* const name = tensor.name.c_str();
    if (bytes == 0)
      refuse("tensor \"%s\" has type %s, which no format uses", name, tensor.type.c_str());
    if (tensor.begin != end)
      refuse("tensor \"%s\" does not start where the one before it ends", name);
    if (tensor.end < tensor.begin || tensor.end > data_bytes)
      refuse("tensor \"%s\" reaches beyond the end of the file", name);
    if ((tensor.end - tensor.begin) % bytes != 0 ||
        (tensor.end - tensor.begin) / bytes != tensor.count) {
      refuse("tensor \"%s\": its shape and its data_offsets differ", name);
    }
    end = tensor.end;
  }
  if (end != data_bytes) refuse("the last tensor does not end with the file");
}

/// Parses and checks a header, given the bytes of data behind it.
[[gnu::cold]] inline Header parse_header(std::string_view text, std::uint64_t data_bytes) {
  Header header = HeaderParser(text).parse();
  if (header.text("format") != "alphasparse-format") {
    refuse("not a format file of alphasparse");
  }
  if (header.text("version") != "1") {
    refuse("version %s of the format file; only 1 is known", header.text("version").c_str());
  }
  check_tensors(header, data_bytes);
  return header;
}

}  // namespace alphasparse::host
