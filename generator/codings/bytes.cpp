// bytes: chunks with a base and 0, 1, 2 or 4 bytes an entry, for those who read a whole chunk at
// once, as the lanes of a gang do. No bytes are a run: each entry is one more than the one before.
//
// One number of each chunk, its head, says where its bytes begin, and how many an entry has.
//
// Example, chunks of 8: 40 41 42 ... 47 is the base 40 and a head alone; 40 7 200 12 ... are the
// base 7 and the bytes 33 0 193 5 ...
#include <algorithm>
#include <bit>

#include "generator/coding.h"

namespace alphasparse {

namespace {

/// What the head of a chunk says of its entries' bytes.
enum Size : std::int32_t { run, one, two, four };

struct Chunk {
  std::int32_t base;
  Size size;
};

Chunk chunk_of(const Integers& entries, std::size_t first, std::size_t end) {
  bool is_run = true;
  for (std::size_t i = first + 1; i < end; ++i) {
    is_run = is_run && std::int64_t{entries[i]} == std::int64_t{entries[i - 1]} + 1;
  }
  if (is_run) return {entries[first], run};
  const auto [least, most] =
      std::minmax_element(entries.begin() + static_cast<std::ptrdiff_t>(first),
                          entries.begin() + static_cast<std::ptrdiff_t>(end));
  const std::int64_t span = std::int64_t{*most} - *least;
  return {*least, span < 1 << 8 ? one : span < 1 << 16 ? two : four};
}

}  // namespace

std::optional<CodedArray> byte_coding(const std::string& name, const Integers& entries, int lanes) {
  const auto chunk = static_cast<std::size_t>(std::max(8, lanes));
  Integers base, head, words;
  for (std::size_t first = 0; first < entries.size(); first += chunk) {
    const std::size_t end = std::min(entries.size(), first + chunk);
    const Chunk coded = chunk_of(entries, first, end);
    const std::size_t word = words.size();
    if (word > INT32_MAX / 4 || coded.base == INT32_MIN) return std::nullopt;
    base.push_back(coded.base);
    head.push_back(static_cast<std::int32_t>(word) * 4 + coded.size);
    const auto bytes = static_cast<std::size_t>(byte_size(coded.size));
    words.resize(word + chunk * bytes / 4);
    for (std::size_t i = first; i < end && bytes > 0; ++i) {
      const std::int64_t above = std::int64_t{entries[i]} - coded.base;
      if (above > INT32_MAX) return std::nullopt;
      const std::size_t byte = (i - first) * bytes;
      std::int32_t& into = words[word + byte / 4];
      into = std::bit_cast<std::int32_t>(std::bit_cast<std::uint32_t>(into) |
                                         static_cast<std::uint32_t>(above) << byte % 4 * 8);
    }
  }
  const Expression size = constant(static_cast<std::int64_t>(chunk)), at = the_index() / size;
  CodedArray coded;
  coded.how = "whole bytes by " + std::to_string(chunk);
  coded.entry =
      entry_of(name + "_base", at) + Expression{Expression::Kind::bytes,
                                                0,
                                                name + "_bytes",
                                                {entry_of(name + "_head", at), the_index() % size}};
  words.push_back(0);
  coded.parts = {
      {name + "_base", ElementType::i32, std::move(base), "base of each chunk"},
      {name + "_head", ElementType::i32, std::move(head),
       "of each chunk 4 * its first word + 0, 1, 2, 3: 0, 1, 2 or 4 bytes an entry"},
      {name + "_bytes", ElementType::u32, std::move(words), "bytes, and a word to spare"}};
  return coded;
}

}  // namespace alphasparse
