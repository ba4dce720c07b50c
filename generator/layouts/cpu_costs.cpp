#include "generator/layouts/cpu_costs.h"

#include <array>

#include "base/result.h"

namespace alphasparse {

namespace {

/// A row of the table.
struct Row {
  std::string_view fragment;
  int lanes;  ///< of a gang or of a row; 0: any
  CpuCost cost;
};

constexpr std::array<Row, 24> rows = {{
    {"gang", 8, {0.163, 3.73}},
    {"gang", 16, {0.167, 7.06}},
    {"gang", 32, {0.200, 19.0}},
    {"gang", 64, {0.173, 17.3}},
    {"diagonals", 8, {0.096, 3.41}},
    {"diagonals", 16, {0.065, 4.36}},
    {"diagonals", 32, {0.048, 8.49}},
    {"diagonals", 64, {0.041, 14.8}},
    {"thread_total_ragged", 0, {0.314, 0.18}},
    {"lanes", 2, {0.234, 1.87}},
    {"lanes", 4, {0.205, 2.17}},
    {"lanes", 8, {0.163, 3.34}},
    {"lanes", 16, {0.120, 5.45}},
    {"lanes", 32, {0.114, 14.0}},
    {"atomic", 0, {0.262, 1.32}},
    {"thread_bitmap", 0, {0.340, 0.47}},
    {"thread_merge", 0, {0.492, 1.37}},
    {"thread_total_bits", 0, {0.983, 1.97}},
    {"thread_total_band", 0, {0.085, 17.0}},
    {"thread_total_band_gaps", 0, {0.115, 15.0}},
    {"thread_total_band_runs", 0, {0.090, 12.0}},
    {"thread_total_band_runs_gaps", 0, {0.090, 12.0}},
    {"thread_total_mix", 0, {0.130, 18.0}},
    {"scalar", 0, {0.376, 0.77}},
}};

}  // namespace

CpuCost cpu_cost(std::string_view fragment, int lanes) {
  const Row* last = nullptr;
  for (const Row& row : rows) {
    if (row.fragment != fragment) continue;
    last = &row;
    if (row.lanes == 0 || row.lanes >= lanes) break;
  }
  CHECK(last);  // else the fragment has no row in the table
  return last->cost;
}

CpuCost cpu_cost(const Store& store, const Reads& reads) {
  const LevelFacts* const threads = store.level(Level::thread);
  const int lanes = threads ? threads->lanes : 0;
  return cpu_cost(reads.cost, lanes > 0 ? lanes : store.gang());
}

std::int64_t cpu_units(const Store& store) {
  const LevelFacts* const warps = store.level(Level::warp);
  if (store.gang() > 0 && side_by_side(store.layout) && warps && warps->units > 0)
    return warps->units;
  const LevelFacts* const threads = store.level(Level::thread);
  return threads && threads->units > 0 ? threads->units : store.rows();
}

}  // namespace alphasparse
