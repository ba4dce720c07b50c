// show: the output of the stages of one design, as text and as JSON.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// How many entries of an array are shown.
inline constexpr std::size_t shown_entries_max = 16;

const char* tiling_name(Tiling tiling);  ///< "rows", "cols", "lanes", "nnz"
const char* shape_name(Shape shape);     ///< "none", "one", "head_tail", "done"

/// The true facts of a store, by name: "compressed", "padded", ...
std::vector<std::string> store_facts(const Store& store);

/// The first shown_entries_max entries of a format's array.
std::vector<Number> first_entries(const Array& array);

/// Bytes of a computed array if it were stored: 4 an entry, of values those of the dtype.
std::int64_t full_bytes(const Kernel& kernel, const ComputedArray& computed);

/// Bytes of the format if nothing were computed, coded or narrower than 32 bits.
std::int64_t full_format_bytes(const Kernel& kernel);

/// Bytes of the array that it reads instead; 0 where another array has the same entries.
std::int64_t stored_bytes(const Kernel& kernel, const ComputedArray& computed);

/// `branches` in the order of the design's text; one where it has none.
std::string stores_text(const std::vector<Store>& branches, const std::string& design);
std::string stores_json(const std::vector<Store>& branches, const std::string& design);
std::string format_text(const Kernel& kernel, std::int64_t csr_bytes);
std::string format_json(const Kernel& kernel, std::int64_t csr_bytes);

}  // namespace alphasparse
