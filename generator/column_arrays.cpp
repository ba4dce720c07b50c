// column_arrays: the arrays that say which element of x an entry meets - its column, the place of
// that in a slice of x, or the step from the entry before.
#include <fmt/format.h>

#include <algorithm>

#include "generator/column_steps.h"
#include "generator/composition.h"

namespace alphasparse {

void add_columns(const BranchPlan& plan, const Matrix& matrix, FormatStruct& format) {
  if (plan.layout.bitmap) return;
  const std::vector<std::int32_t>& columns = plan.staged ? plan.staged->column : plan.layout.column;
  const std::int64_t most = plan.staged ? std::max<std::int64_t>(0, plan.staged->most - 1)
                                        : std::int64_t{matrix.cols} - 1;
  const std::int64_t least = plan.layout.predicated ? -1 : 0;
  const char* const doc = plan.staged
                              ? "place of each stored entry's column in its block's slice of x"
                              : "column of each stored entry";
  std::string name = "column";
  if (plan.store->compact.columns == CodingChoice::deltas) {
    name = "column_step";
    const std::string unit = unit_name(*plan.store, *plan.store->level(Level::thread));
    ColumnSteps steps = column_steps(*plan.store, plan.layout, columns);
    format.add(unit + "_first_column", std::move(steps.first),
               {fmt::format("column of each {}'s first entry", unit), -1, most, false, true});
    format.add(name, std::move(steps.step),
               {"from the column of the entry before, of the same thread", -most - 1, most + 1,
                false, true});
  } else {
    format.add(name, columns, {doc, least, most, false, true});
  }
  if (plan.store->launch.streamed) format.stream({name});
}

}  // namespace alphasparse
