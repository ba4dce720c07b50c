// column_steps: columns as steps from one stored entry of a thread to its next.
//
// A thread that reads its entries in order adds the steps up, beginning with its first column.
// Pads repeat a column, so their steps are small too; a thread without entries has column -1.
//
// Example, thread 0 reads columns 3 7 8 and thread 1 reads 2 2: first columns 3 2, steps 0 4 1 0 0.
#pragma once
#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

struct ColumnSteps {
  std::vector<std::int32_t> first;  ///< [threads]
  std::vector<std::int32_t> step;   ///< [stored]; 0 for a thread's first, and where no thread reads
};

/// Why the threads' entries cannot be read so, or nothing.
std::optional<std::string> cannot_step(const Store& store);

/// `column` [layout.stored] are the columns that the kernel would read. The steps take their
/// places: of a large matrix each such array is as much as all of x. The store must allow it.
ColumnSteps column_steps(const Store& store, const Layout& layout,
                         std::vector<std::int32_t> column);

}  // namespace alphasparse
