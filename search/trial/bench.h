// bench: designs side by side - each tried on the same matrix and device, then compared over
// matrices.
//
// Example, times in us of designs a and b on two matrices: a 10, 30 and b 20, 30. Design a wins the
// first (ratios 1 and 2), both win the second (1 and 1). The geometric means of the ratios are 1
// and 1.41.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generator/arrays/operands.h"
#include "operators/named_designs.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Modelled times closer than this are no ground to prefer one design; measured times have no ties.
inline constexpr double modelled_tie = 1.20;

/// Bytes that an SpMV moves at least: the format and x read, y written. x counts once, however
/// often it is gathered.
std::int64_t compulsory_bytes(std::int64_t rows, std::int64_t cols, const Operands& operands,
                              std::int64_t format_bytes);

struct BenchOptions {
  Dtype dtype = default_dtype;
  int vectors = 1;  ///< columns of X and Y
  CacheRegime regime = CacheRegime::warm;
  bool own_order = false;  ///< designs whose x and y have an order of their own count
};

/// The outcome of one design.
struct BenchEntry {
  std::string name;
  Measurement outcome;
  bool takes_any_values = true;  ///< Trial::takes_any_values

  /// Whether it is right and has a time: only such entries are compared. A duplicate has the time
  /// of the design with the same kernel.
  bool is_timed() const { return outcome.verified && outcome.timing.has_value(); }
};

/// Called before each design with its place in the list.
using BenchProgress = std::function<void(std::size_t index)>;

/// Whether it is one of the vendor's algorithms, on a CPU a peer.
bool is_baseline(const BenchEntry& entry);

/// The outcomes of the vendor's algorithms, in their order.
std::vector<const Measurement*> find_baseline_outcomes(const std::vector<BenchEntry>& entries);

/// The fastest entry among the vendor's algorithms (or among all others), null where none has a
/// time.
const BenchEntry* find_fastest(const std::vector<BenchEntry>& entries, bool of_vendor);

/// The fastest of ours with a format that holds any values, null where none has a time.
const BenchEntry* fastest_for_any_values(const std::vector<BenchEntry>& entries);

/// Tries every design on the matrix, in their order. Ends early once `stop` is set. Trials that
/// this broke are left out, so fewer entries than designs mean an interrupt.
std::vector<BenchEntry> bench(const Matrix& matrix, Device& device,
                              const std::vector<NamedDesign>& designs, const BenchOptions& options,
                              const BenchProgress& progress, const std::atomic<bool>& stop);

/// The least time in us of the entries that have one; 0 where none has.
double best_time_us(const std::vector<BenchEntry>& entries);

/// One design over several matrices.
struct BenchSummary {
  std::string name;
  std::int64_t matrices = 0;  ///< it was tried on
  std::int64_t verified = 0;  ///< it is right on
  std::int64_t timed = 0;     ///< it is right on and has a time on
  std::int64_t wins = 0;      ///< it has the least time of
  std::int64_t ties = 0;      ///< it is within `tie` of the least time of, without having it
  double ratio_mean = 0;      ///< geometric mean of time / least time, where timed; 0 where nowhere
};

/// One row a design, in the order of their first appearance. `tie` >= 1.
std::vector<BenchSummary> summarise(const std::vector<std::vector<BenchEntry>>& matrices,
                                    double tie);

}  // namespace alphasparse
