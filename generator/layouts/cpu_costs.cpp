#include "generator/layouts/cpu_costs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/result.h"

namespace alphasparse {

namespace {

/// A total whose cost depends on its lanes or on the layout.
struct SharedCost {
  std::string_view rows;  ///< Reads::cost_rows
  int lanes;              ///< of a gang or of a row; 0: any
  TotalCost cost;
};

constexpr std::array<SharedCost, 17> shared_costs = {{
    {"gang", 1, {2.8, 3.73}},
    {"gang", 2, {0.30, 3.73}},
    {"gang", 8, {0.163, 3.73}},
    {"gang", 16, {0.167, 7.06}},
    {"gang", 32, {0.200, 19.0}},
    {"gang", 64, {0.173, 17.3}},
    {"diagonals", 8, {0.096, 3.41}},
    {"diagonals", 16, {0.065, 4.36}},
    {"diagonals", 32, {0.048, 8.49}},
    {"diagonals", 64, {0.041, 14.8}},
    {"lanes", 2, {0.234, 1.87}},
    {"lanes", 4, {0.205, 2.17}},
    {"lanes", 8, {0.163, 3.34}},
    {"lanes", 16, {0.120, 5.45}},
    {"lanes", 32, {0.114, 14.0}},
    {"atomic", 0, {0.262, 1.32}},
    {"scalar", 0, {0.376, 0.77}},
}};

}  // namespace

TotalCost shared_cost(std::string_view rows, int lanes) {
  const SharedCost* last = nullptr;
  for (const SharedCost& row : shared_costs) {
    if (row.rows != rows) continue;
    last = &row;
    if (row.lanes == 0 || row.lanes >= lanes) break;
  }
  CHECK(last);  // else the total has no cost: every one that CPUs can run has been measured
  return last->cost;
}

TotalCost cpu_cost(const Store& store, const Reads& reads) {
  const LevelFacts* const threads = store.level(Level::thread);
  const int lanes = threads ? threads->lanes : 0;
  TotalCost cost =
      reads.cost ? *reads.cost : shared_cost(reads.cost_rows, lanes > 0 ? lanes : store.gang());
  // The cost is that of a gang. Where its lanes are no warp, cpu_parts counts each of them.
  if (store.gang() > 0 && side_by_side(store.layout) && !store.level(Level::warp))
    cost.part_ns /= store.gang();
  return cost;
}

TotalCost cpu_cost(const Store& store, const Reads& reads, int value_bytes) {
  constexpr int register_bytes = 32, registers_bytes = 512;
  constexpr double dependent_ns = 0.8;  // one addition to a sum behind the other
  if (value_bytes < register_bytes) return cpu_cost(store, reads);
  const LevelFacts* const threads = store.level(Level::thread);
  const int shared = threads ? threads->lanes : 0, gang = std::max(1, store.gang());
  const int lanes = std::max(shared, gang);
  const double held = static_cast<double>(lanes) * (reads.rows + reads.cols) * value_bytes;
  const double spilled = held > registers_bytes ? 0.35 * std::log2(held / registers_bytes) : 0;
  const double once = (0.4 + 0.0045 * value_bytes) * (reads.rows > 1 ? 0.8 : 1);
  const double row = 0.8 + 0.024 * value_bytes + (shared > 0 ? 1 + 0.1 * shared : 0);
  TotalCost cost{std::max(once * (1 + spilled), dependent_ns / (lanes * reads.rows)), row};
  if (reads.cost_rows == "atomic") cost.entry_ns += 0.9 + 0.01 * value_bytes;
  if (shared == 0 && store.level(Level::warp)) cost.part_ns *= gang * reads.rows;
  return cost;
}

std::int64_t cpu_parts(const Store& store) {
  const LevelFacts* const warps = store.level(Level::warp);
  if (store.gang() > 0 && side_by_side(store.layout) && warps && warps->parts > 0)
    return warps->parts;
  const LevelFacts* const threads = store.level(Level::thread);
  return threads && threads->parts > 0 ? threads->parts : store.rows();
}

}  // namespace alphasparse
