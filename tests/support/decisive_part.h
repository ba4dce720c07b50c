// decisive_part: the effect of a part of the search, over many seeds.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>

#include "search/strategies/strategies.h"

namespace alphasparse {

using SearchPart = bool SearchParts::*;

/// All parts but these.
SearchParts parts_without(std::initializer_list<SearchPart> others);

/// Whether a search of these parts and this seed passes; asked by several threads at once.
using SeedPasses = std::function<bool(const SearchParts& parts, std::uint64_t seed)>;

/// Holds that one seed (each of 20 with ALPHASPARSE_LONG) passes with these parts, and none where
/// `part` is reversed. It prints both counts. `deed` tells the success of a seed that passes.
void expect_decisive(const char* name, SearchPart part, const char* deed, const SearchParts& with,
                     const SeedPasses& passes);

}  // namespace alphasparse
