// npy: one array of NumPy's .npy format, as numbers.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/complex.h"

namespace alphasparse {

/// An array of numbers or text in row-major order.
class NpyArray {
 public:
  /// `place` stands in messages: "m.npz: data". Throws Error (exit 2) where it is no such array.
  NpyArray(std::string bytes, std::string location);

  /// How many bytes the array that begins so has, as its header says. Throws likewise.
  static std::int64_t bytes_said(std::string_view beginning, const std::string& location);

  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t count() const { return count_; }  ///< of its elements
  int parts() const { return parts_; }           ///< of an element: 2 of a complex one

  /// An element as an integer; throws where its type is none.
  std::int64_t integer(std::int64_t index) const;

  /// An element as a finite number; throws where it is none, naming the element.
  Number number(std::int64_t index) const;

  /// The characters of an array of one text.
  std::string text() const;

  /// `remedy` says which matrix to save.
  [[noreturn]] void fail(const std::string& reason,
                         const char* hint = "save the matrix again") const;

 private:
  NpyArray() = default;
  void read(std::string_view beginning);
  void read_header(const std::string& header);
  const char* element(std::int64_t index) const;
  double part(std::int64_t index, int part) const;

  std::string bytes_, location_;
  std::size_t first_ = 0;  ///< byte of the first element
  char kind_ = 0;          ///< b i u f c, or S U for text
  std::size_t width_ = 0;  ///< bytes of an element
  int parts_ = 1;          ///< of an element
  std::endian order_ = std::endian::little;
  std::vector<std::int64_t> shape_;
  std::int64_t count_ = 1;
};

}  // namespace alphasparse
