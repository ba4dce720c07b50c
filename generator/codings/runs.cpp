// runs: entries that follow each other by 1. A bit of each entry says whether a run begins with it;
// a run has one number, what its entries are above their index.
//
// Example: 7 8 9 4 5 30 31 32 has runs at the indices 0, 3 and 5, so the bits 0b00101001, and the
// shifts 7, 1 and 25: entry 4 is in run number 1, so it is 4 + 1.
#include "generator/coding.h"

namespace alphasparse {

std::optional<CodedArray> run_coding(const std::string& name, const Integers& entries) {
  if (entries.empty()) return std::nullopt;
  const std::size_t words = (entries.size() + 31) / 32;
  Integers starts(words, 0), first_run(words, 0), shift;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i % 32 == 0) first_run[i / 32] = static_cast<std::int32_t>(shift.size());
    const std::int64_t above = entries[i] - static_cast<std::int64_t>(i);
    if (above < -INT32_MAX) return std::nullopt;
    if (i > 0 && above == shift.back()) continue;
    if (2 * shift.size() > entries.size()) return std::nullopt;  // too short to be worth it
    starts[i / 32] =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(starts[i / 32]) | 1u << i % 32);
    shift.push_back(static_cast<std::int32_t>(above));
  }
  const Expression word = the_index() / constant(32), place = the_index() % constant(32);
  CodedArray coded;
  coded.how = "runs of neighbours";
  const Expression run{
      Expression::Kind::run,
      0,
      {},
      {entry_of(name + "_starts", word), entry_of(name + "_first_run", word), place}};
  coded.entry = entry_of(name + "_shift", run) + the_index();
  coded.header = name + "_runs";
  coded.parts = {{name + "_starts", ElementType::u32, std::move(starts),
                  "a bit of each of 32 entries: a run begins with it"},
                 {name + "_first_run", ElementType::i32, std::move(first_run), "runs before them"},
                 {name + "_shift", ElementType::i32, std::move(shift),
                  "what the entries of each run are above their index", true}};
  return coded;
}

}  // namespace alphasparse
