#include "tests/support/decisive_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/parallel.h"
#include "runtime/system/machine/cores.h"

namespace alphasparse {

namespace {

constexpr std::uint64_t first_seed = 0;

std::size_t count_passing(const SearchParts& parts, std::size_t seeds, const SeedPasses& passes) {
  std::vector<char> passed(seeds);
  parallel_for(seeds, machine_threads(), [&](std::size_t index, std::size_t) {
    passed[index] = passes(parts, first_seed + index);
  });
  return static_cast<std::size_t>(std::count(passed.begin(), passed.end(), 1));
}

}  // namespace

SearchParts parts_without(std::initializer_list<SearchPart> others) {
  SearchParts parts;
  for (const SearchPart part : others) parts.*part = false;
  return parts;
}

void expect_decisive(const char* name, SearchPart part, const char* deed, const SearchParts& with,
                     const SeedPasses& passes) {
  SearchParts tiling = with;
  tiling.*part = !(with.*part);
  const std::size_t seeds = std::getenv("ALPHASPARSE_LONG") ? 20 : 1;
  const std::size_t whole = count_passing(with, seeds, passes);
  const std::size_t rest = count_passing(tiling, seeds, passes);
  std::printf("%s: %s by %zu of %zu seeds, without it by %zu of %zu\n", name, deed, whole, seeds,
              rest, seeds);
  EXPECT_EQ(whole, seeds) << name;
  EXPECT_EQ(rest, 0U) << name;
}

}  // namespace alphasparse
