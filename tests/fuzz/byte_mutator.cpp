#include "tests/fuzz/byte_mutator.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace alphasparse {

namespace {

constexpr std::size_t input_bytes_max = 4096;

/// The bytes that a mutation may write: the words and numbers that readers decide by.
constexpr std::string_view words[] = {"0",
                                      "1",
                                      "2147483647",
                                      "2147483648",
                                      "-1",
                                      "1e308",
                                      "1e400",
                                      "nan",
                                      "inf",
                                      "-0",
                                      "99999999999999999999",
                                      "%",
                                      "\n",
                                      "\r\n",
                                      " ",
                                      "\t",
                                      "real",
                                      "integer",
                                      "pattern",
                                      "complex",
                                      "coordinate",
                                      "array",
                                      "general",
                                      "symmetric",
                                      "skew-symmetric",
                                      "%%MatrixMarket matrix ",
                                      "\x1f\x8b",
                                      "-0.D+0",
                                      "unsigned-integer",
                                      "(9I9)",
                                      "PK\x03\x04",
                                      "BZh9",
                                      "\x93NUMPY",
                                      "'shape': (",
                                      std::string_view("\0\0\0\0", 4),
                                      std::string_view("\xff\xff\xff\x7f", 4),
                                      std::string_view("\x0e\0\0\0", 4),
                                      std::string_view("\x0f\0\0\0", 4)};

}  // namespace

std::string ByteMutator::next() {
  std::string input = seeds_[below(seeds_.size())];
  change(input);
  return input;
}

void ByteMutator::change(std::string& input) {
  for (std::size_t step = 1 + below(4); step > 0; --step) mutate(input);
  input.resize(std::min(input.size(), input_bytes_max));
}

void ByteMutator::mutate(std::string& input) {
  const std::size_t place = below(input.size() + 1);
  const std::size_t length = below(std::min<std::size_t>(input.size() - place, 32) + 1);
  switch (below(7)) {
    case 0:
      if (place < input.size()) input[place] ^= static_cast<char>(1 << below(8));
      break;
    case 1:
      input.erase(place, length);
      break;
    case 2:
      input.insert(place, words[below(std::size(words))]);
      break;
    case 3:
      input.replace(place, length, words[below(std::size(words))]);
      break;
    case 4:
      input.insert(below(input.size() + 1), input.substr(place, length));
      break;
    case 5:
      input.resize(place);
      break;
    case 6: {
      const std::string& other = seeds_[below(seeds_.size())];
      input = input.substr(0, place) + other.substr(below(other.size() + 1));
      break;
    }
  }
}

}  // namespace alphasparse
