// runs: entries that follow each other by 1. A bit of each entry says whether a run begins with it;
// a run has one number, the difference between its entries and their indices.
//
// Example: 7 8 9 4 5 30 31 32 has runs at the indices 0, 3 and 5, so the bits 0b00101001. Their
// shifts are 7, 1 and 25. Entry 4 is in run number 1, so it is 4 + 1.
#include <algorithm>
#include <atomic>
#include <bit>

#include "base/ranges.h"
#include "generator/arrays/coding.h"

namespace alphasparse {

namespace {

std::int64_t above_index(const Integers& entries, std::int64_t i) {
  return entries[static_cast<std::size_t>(i)] - i;
}

/// A bit of each entry, in words of 32: a run begins with it. Nothing where a shift is no int.
std::optional<Integers> find_starts(const Integers& entries) {
  const auto count = static_cast<std::int64_t>(entries.size());
  Integers starts((entries.size() + 31) / 32);
  std::atomic<bool> fits = true;
  const auto mark = [&](std::int64_t first, std::int64_t end) {
    std::int64_t least = 0;
    for (std::int64_t word = first; word < end; ++word) {
      std::uint32_t bits = 0;
      std::int64_t before = above_index(entries, std::max<std::int64_t>(32 * word - 1, 0));
      for (std::int64_t i = 32 * word; i < std::min(count, 32 * word + 32); ++i) {
        const std::int64_t above = above_index(entries, i);
        bits |= std::uint32_t{above != before} << i % 32;
        least = std::min(least, above);
        before = above;
      }
      if (word == 0) bits |= 1;  // nothing stands before the first
      starts[static_cast<std::size_t>(word)] = std::bit_cast<std::int32_t>(bits);
    }
    if (least < -INT32_MAX) fits = false;
  };
  const auto words = static_cast<std::int64_t>(starts.size());
  for_ranges(words, mark, grain_size(words, count));
  if (!fits) return std::nullopt;
  return starts;
}

int count_runs(std::int32_t starts) { return std::popcount(std::bit_cast<std::uint32_t>(starts)); }

/// The difference between the entries of each run and their indices.
Integers find_shifts(const Integers& entries, const Integers& starts, const Integers& first_run,
                     std::int64_t runs) {
  Integers shift(static_cast<std::size_t>(runs));
  const auto fill = [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t word = first; word < end; ++word) {
      auto bits = std::bit_cast<std::uint32_t>(starts[static_cast<std::size_t>(word)]);
      auto run = static_cast<std::size_t>(first_run[static_cast<std::size_t>(word)]);
      for (; bits != 0; bits &= bits - 1) {
        const std::int64_t i = 32 * word + std::countr_zero(bits);
        shift[run++] = static_cast<std::int32_t>(above_index(entries, i));
      }
    }
  };
  const auto words = static_cast<std::int64_t>(starts.size());
  for_ranges(words, fill, grain_size(words, static_cast<std::int64_t>(entries.size())));
  return shift;
}

}  // namespace

std::optional<CodedArray> run_coding(const std::string& name, const Integers& entries) {
  if (entries.empty()) return std::nullopt;
  std::optional<Integers> starts = find_starts(entries);
  if (!starts) return std::nullopt;
  Integers first_run(starts->size());
  std::int64_t runs = 0;
  for (std::size_t word = 0; word < starts->size(); ++word) {
    first_run[word] = static_cast<std::int32_t>(runs);
    runs += count_runs((*starts)[word]);
  }
  // Too short to be worth it.
  if (2 * (runs - 1) > static_cast<std::int64_t>(entries.size())) return std::nullopt;
  Integers shift = find_shifts(entries, *starts, first_run, runs);
  const Expression word = the_index() / constant(32), bit = the_index() % constant(32);
  CodedArray coded;
  coded.how = "runs of neighbours";
  const Expression run{
      Expression::Kind::run,
      0,
      {},
      {read_entry(name + "_starts", word), read_entry(name + "_first_run", word), bit}};
  coded.entry = read_entry(name + "_shift", run) + the_index();
  coded.header = name + "_runs";
  // One by one: a list of them would be copied.
  coded.parts.push_back({name + "_starts", ElementType::u32, std::move(*starts),
                         "a bit of each of 32 entries: a run begins with it"});
  coded.parts.push_back(
      {name + "_first_run", ElementType::i32, std::move(first_run), "runs before them"});
  coded.parts.push_back({name + "_shift", ElementType::i32, std::move(shift),
                         "what the entries of each run are above their index", true});
  return coded;
}

}  // namespace alphasparse
