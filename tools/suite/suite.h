// suite: searches over many matrices, held against the vendor's library - real matrices and twins
// apart, because no twin is the matrix that it is named after.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "generator/arrays/operands.h"
#include "runtime/device/device.h"
#include "runtime/device/roofline.h"
#include "search/learning/mean.h"
#include "search/tune_result.h"
#include "tools/console/twin_inputs.h"

namespace alphasparse {

/// One matrix of the suite; made or read when its turn comes.
struct SuiteMatrix {
  std::string name;
  bool is_twin = false;
  std::function<Matrix()> make;  ///< throws Error
  double nnz_expected = 0;       ///< before it is made or read, as good as that can be told
};

/// The searches of one type in one regime come together.
struct SuitePlan {
  std::vector<SuiteMatrix> matrices;
  std::vector<Dtype> dtypes;         ///< the first that matters most
  std::vector<CacheRegime> regimes;  ///< likewise
  int vectors = 1;                   ///< columns of X and Y
  double seconds = 500;              ///< for everything, from the first matrix on that is ready
  /// The most seconds for one search of a matrix of a million non-zeros; named designs have their
  /// time.
  double seconds_each = 20;
};

/// A search that was not begun.
struct LeftOut {
  std::string matrix;
  bool is_twin = false;
  Dtype dtype = default_dtype;
  CacheRegime regime = CacheRegime::warm;
  std::string reason;
};

/// One search, and the times that it is compared with.
struct SuiteRow {
  std::string matrix;
  bool is_twin = false;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  Dtype dtype = default_dtype;
  CacheRegime regime = CacheRegime::warm;
  std::string problem;        ///< why there is no result; empty: there is one
  double seconds_ready = 0;   ///< that its matrix took to be read or made
  double seconds_vendor = 0;  ///< that the vendor's algorithms took, before the search
  TuneResult result;

  Operands operands() const { return {dtype, result.vectors}; }

  bool is_timed() const { return problem.empty() && result.winner && result.winner->timing; }

  /// The vendor's best time over ours (above 1: we are ahead), or where there is no vendor's the
  /// best named design's; 0 where neither is known.
  double ahead() const;

  /// The same for the best with a format that holds any values: the vendor can use no others. 0
  /// where that is not known, or times are modelled.
  double ahead_any_values() const;

  /// Whether ahead() is against the best of all of the vendor's algorithms.
  bool has_whole_vendor() const { return result.vendor && result.untried_baselines() == 0; }

  /// The figure that decides whether it is a loss.
  double headline() const {
    const double any = ahead_any_values();
    return any > 0 ? any : ahead();
  }

  /// Bytes of the smallest format among those that the row compares, ours and the vendor's.
  std::int64_t least_format_bytes() const;

  /// GB/s of the winner's compulsory bytes, and of those of CSR in the same time.
  double gb_per_s() const;
  double csr_gb_per_s() const;

  /// The share of memory's rate at the winner's compulsory reads and writes.
  double memory_share(const Roofline& roofline) const;
};

/// Rows of one group - real or twins, a type, a regime - in figures.
struct SuiteGroup {
  bool is_twin = false;
  Dtype dtype = default_dtype;
  CacheRegime regime = CacheRegime::warm;
  std::int64_t searched = 0;   ///< with a result
  std::int64_t beyond_l2 = 0;  ///< of them, of formats that L2 holds no third of
  std::int64_t partial = 0;    ///< of them, beside some of the vendor's algorithms: in no mean

  /// How far searches are ahead of the times that they are compared with.
  struct Lead {
    std::int64_t compared = 0;  ///< that have something whole to be held against
    std::int64_t losses = 0;    ///< behind their rivals, whole or not
    GeometricMean mean;
    double least = 0;

    /// 0: nothing to be held against.
    void add(double ahead, bool is_whole);
  };
  Lead any_values = {};    ///< by ahead_any_values()
  Lead these_values = {};  ///< by ahead()
};

struct SuiteReport {
  DeviceInfo device;
  std::optional<Roofline> roofline;
  std::vector<SuiteRow> rows;
  std::vector<LeftOut> left_out;  ///< once all is over; with the rows all planned ones
  std::int64_t planned = 0;       ///< searches
  int vectors = 1;                ///< columns of X and Y
  double seconds = 0;             ///< since the first matrix was ready
  double seconds_making = 0;      ///< of twins, the first included
  double seconds_reading = 0;     ///< of files, likewise

  bool against_vendor() const { return device.kind == TimeKind::measured; }
  /// Whether every format that a row compares exceeds three times L2; none where L2 is not known.
  std::optional<bool> beyond_l2(const SuiteRow& row) const;
  std::vector<SuiteGroup> groups() const;  ///< that have rows; real matrices first
};

/// Searches in the plan's first type and regime one matrix after the other, in an order that mixes
/// kinds and sizes, then in the next. Each search has a share of the time left (shares.h). Before a
/// search its vendor's algorithms are measured, all of them. A search with a share that does not
/// cover its named designs waits until the others of its type and regime are done, and is left out
/// where that is still so. A fault of one stands in its row. `finished` is called after each row.
SuiteReport run_suite(const SuitePlan& plan, Device& device, const std::atomic<bool>& stop,
                      const std::function<void(const SuiteReport&)>& finished);

/// Failures of any design, then one table, losses first, and the groups under it. How far we are
/// ahead has two columns: with formats that hold any values, which the vendor can do too, and with
/// the best for these.
std::string suite_text(const SuiteReport& report);
std::string suite_json(const SuiteReport& report);

}  // namespace alphasparse
