// bytes: chunks with a base and 0, 1, 2 or 4 bytes an entry, for readers of whole chunks, such as
// the lanes of a gang. No bytes are a run: each entry is one more than the one before.
//
// One number of each chunk, its head, says where its bytes begin, and how many an entry has.
//
// Example, chunks of 8: 40 41 42 ... 47 is stored as the base 40 and a head. 40 7 200 12 ... are
// stored as the base 7 and the bytes 33 0 193 5 ...
#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "base/ranges.h"
#include "generator/arrays/coding.h"

namespace alphasparse {

namespace {

/// The size of each entry of a chunk, as its head tells it.
enum Size : std::int32_t { run, one, two, four };

struct Chunk {
  std::int32_t base;
  Size size;
};

/// Nothing where the difference from the base is no int, or the base has no negative.
std::optional<Chunk> make_chunk(const Integers& entries, std::size_t first, std::size_t end) {
  bool is_run = true;
  for (std::size_t i = first + 1; i < end; ++i) {
    is_run = is_run && std::int64_t{entries[i]} == std::int64_t{entries[i - 1]} + 1;
  }
  const auto [least, most] =
      std::minmax_element(entries.begin() + static_cast<std::ptrdiff_t>(first),
                          entries.begin() + static_cast<std::ptrdiff_t>(end));
  const std::int64_t span = std::int64_t{*most} - *least;
  if (span > INT32_MAX || *least == INT32_MIN) return std::nullopt;
  if (is_run) return Chunk{*least, run};
  return Chunk{*least, span < 1 << 8 ? one : span < 1 << 16 ? two : four};
}

/// An array in chunks of so many entries, one range of chunks after the other.
class ByteCoder {
 public:
  ByteCoder(const Integers& entries, std::size_t chunk)
      : entries_(entries),
        chunk_(chunk),
        base_((entries.size() + chunk - 1) / chunk),
        head_(base_.size()) {}

  /// False where it cannot be.
  bool code() {
    std::atomic<bool> fits = true;
    for_chunks([&](std::size_t at, std::size_t first, std::size_t end) {
      const std::optional<Chunk> chunk = make_chunk(entries_, first, end);
      if (!chunk) fits = false;
      base_[at] = chunk ? chunk->base : 0;
      head_[at] = chunk ? chunk->size : 0;
    });
    if (!fits || !assign_heads()) return false;
    write();
    return true;
  }

  Integers base() { return std::move(base_); }
  Integers head() { return std::move(head_); }
  Integers words() { return std::move(words_); }

 private:
  template <class Visit>
  void for_chunks(const Visit& visit) const {
    const auto count = static_cast<std::int64_t>(base_.size());
    const auto work = [&](std::int64_t begin, std::int64_t end) {
      for (auto at = static_cast<std::size_t>(begin); at < static_cast<std::size_t>(end); ++at) {
        visit(at, at * chunk_, std::min(entries_.size(), (at + 1) * chunk_));
      }
    };
    for_ranges(count, work, grain_size(count, static_cast<std::int64_t>(entries_.size())));
  }

  /// Puts where its bytes begin into each head; false where that is too far.
  bool assign_heads() {
    std::size_t word = 0;
    for (std::int32_t& head : head_) {
      if (word > INT32_MAX / 4) return false;
      const auto bytes = static_cast<std::size_t>(byte_size(head));
      head += static_cast<std::int32_t>(word) * 4;
      word += chunk_ * bytes / 4;
    }
    words_.assign(word + 1, 0);  // one to spare
    return true;
  }

  void write() {
    for_chunks([&](std::size_t at, std::size_t first, std::size_t end) {
      const auto bytes = static_cast<std::size_t>(byte_size(head_[at]));
      std::int32_t* const words = words_.data() + head_[at] / 4;
      for (std::size_t i = first; i < end && bytes > 0; ++i) {
        const std::int64_t above = std::int64_t{entries_[i]} - base_[at];
        const std::size_t byte = (i - first) * bytes;
        std::int32_t& into = words[byte / 4];
        into = std::bit_cast<std::int32_t>(std::bit_cast<std::uint32_t>(into) |
                                           static_cast<std::uint32_t>(above) << byte % 4 * 8);
      }
    });
  }

  const Integers& entries_;
  const std::size_t chunk_;
  Integers base_, head_, words_;
};

}  // namespace

std::optional<CodedArray> byte_coding(const std::string& name, const Integers& entries, int lanes) {
  const auto chunk = static_cast<std::size_t>(std::max(8, lanes));
  ByteCoder coder(entries, chunk);
  if (!coder.code()) return std::nullopt;
  const Expression size = constant(static_cast<std::int64_t>(chunk)), at = the_index() / size;
  CodedArray coded;
  coded.how = "whole bytes by " + std::to_string(chunk);
  coded.entry = read_entry(name + "_base", at) +
                Expression{Expression::Kind::bytes,
                           0,
                           name + "_bytes",
                           {read_entry(name + "_head", at), the_index() % size}};
  // One by one: a list of them would be copied.
  coded.parts.push_back({name + "_base", ElementType::i32, coder.base(), "base of each chunk"});
  coded.parts.push_back(
      {name + "_head", ElementType::i32, coder.head(),
       "of each chunk 4 * its first word + 0, 1, 2, 3: 0, 1, 2 or 4 bytes an entry"});
  coded.parts.push_back(
      {name + "_bytes", ElementType::u32, coder.words(), "bytes, and a word to spare"});
  return coded;
}

}  // namespace alphasparse
