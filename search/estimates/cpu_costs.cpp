#include "search/estimates/cpu_costs.h"

#include <array>
#include <string_view>

#include "base/result.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

/// How a branch adds its entries up, as the least squares told them apart.
struct Cost {
  std::string_view kind;
  int lanes;  ///< of a gang or of a row; 0: any
  double entry_ns, unit_ns;
};

constexpr std::array<Cost, 24> costs = {{
    {"gang", 8, 0.163, 3.73},
    {"gang", 16, 0.167, 7.06},
    {"gang", 32, 0.223, 0.58},
    {"gang", 64, 0.173, 17.3},
    {"diagonals", 8, 0.096, 3.41},
    {"diagonals", 16, 0.065, 4.36},
    {"diagonals", 32, 0.048, 8.49},
    {"diagonals", 64, 0.041, 14.8},
    {"thread_total_ragged", 0, 0.314, 0.18},
    {"lanes", 2, 0.234, 1.87},
    {"lanes", 4, 0.205, 2.17},
    {"lanes", 8, 0.163, 3.34},
    {"lanes", 16, 0.120, 5.45},
    {"lanes", 32, 0.114, 14.0},
    {"atomic", 0, 0.262, 1.32},
    {"thread_bitmap", 0, 0.340, 0.47},
    {"thread_merge", 0, 0.492, 1.37},
    {"thread_total_bits", 0, 0.983, 1.97},
    {"thread_total_band", 0, 0.084, 2.08},
    {"thread_total_band_gaps", 0, 0.050, 1.94},
    {"thread_total_band_runs", 0, 0.040, 9.00},
    {"thread_total_band_runs_gaps", 0, 0.040, 9.00},
    {"thread_total_mix", 0, 0.09, 4.0},
    {"scalar", 0, 0.376, 0.77},
}};
constexpr double cached_ns_a_byte = 0.0039;  // of the same least squares
constexpr double memory_ns_a_byte = 0.1;     // assumed: 10 GB/s for a thread
constexpr std::int64_t usual_cache_bytes = 32 << 20;

/// The row of a kind for so many lanes, or its last one. A kind without a row is a fault of the
/// table: every total that CPUs can run has been measured.
const Cost& cost_of(std::string_view kind, int lanes) {
  const Cost* last = nullptr;
  for (const Cost& cost : costs) {
    if (cost.kind != kind) continue;
    last = &cost;
    if (cost.lanes == 0 || cost.lanes >= lanes) break;
  }
  CHECK(last);  // else the kind has no row in the table
  return *last;
}

/// Gangs where lanes have rows of their own, else threads, or rows where those are not counted.
std::int64_t units_of(const Store& store) {
  const LevelFacts* const warps = store.level(Level::warp);
  if (store.gang() > 0 && side_by_side(store.layout) && warps && warps->units > 0)
    return warps->units;
  const LevelFacts* const threads = store.level(Level::thread);
  return threads && threads->units > 0 ? threads->units : store.rows();
}

}  // namespace

CpuCost cpu_cost(const std::vector<Store>& branches) {
  CpuCost all;
  for (const Store& store : branches) {
    const LevelFacts* const threads = store.level(Level::thread);
    const int lanes = threads ? threads->lanes : 0;
    const Reads reads = kind_of(store).reads(store);
    const Cost& cost = cost_of(reads.cost, lanes > 0 ? lanes : store.gang());
    all.entries_ns += cost.entry_ns * static_cast<double>(reads.worked);
    all.units_ns += cost.unit_ns * static_cast<double>(units_of(store));
  }
  return all;
}

double cpu_read_ns(double bytes, std::int64_t cache_bytes) {
  const bool cached =
      bytes <= static_cast<double>(cache_bytes > 0 ? cache_bytes : usual_cache_bytes);
  return bytes * (cached ? cached_ns_a_byte : memory_ns_a_byte);
}

}  // namespace alphasparse
