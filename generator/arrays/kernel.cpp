#include "generator/arrays/kernel.h"

#include <algorithm>
#include <array>

namespace alphasparse {

const char* nonfinite_name(NonFinite values) {
  constexpr std::array<const char*, 3> names = {"exact", "pads", "spread"};
  return names[static_cast<std::size_t>(values)];
}

const char* nonfinite_doc(NonFinite values) {
  constexpr std::array<const char*, 3> docs = {
      "where x has Inf or NaN, y has the values of IEEE arithmetic",
      "where x has Inf, a row with pads may be NaN in the place of Inf",
      "where x has Inf or NaN, rows that do not have the column may be NaN or Inf, too"};
  return docs[static_cast<std::size_t>(values)];
}

NonFinite Kernel::nonfinite() const {
  if (spreads_rounding || reads_fill) return NonFinite::spread;
  return adds_pads ? NonFinite::pads : NonFinite::exact;
}

std::vector<FormatPointer> Kernel::pointers() const {
  std::vector<FormatPointer> all;
  for (const Array& array : arrays) all.push_back({&array, nullptr});
  for (const Workspace& scratch : workspaces) {
    all.insert(all.begin() + scratch.pointer, FormatPointer{nullptr, &scratch});
  }
  return all;
}

int Kernel::value_parts() const {
  return std::any_of(arrays.begin(), arrays.end(),
                     [](const Array& array) { return is_complex(array.type); })
             ? 2
             : 1;
}

std::int64_t Kernel::format_bytes() const {
  std::int64_t bytes = 0;
  for (const Array& array : arrays) {
    if (array.name != own_rows_array && array.name != own_columns_array)
      bytes += array.stored_bytes();
  }
  return bytes;
}

}  // namespace alphasparse
