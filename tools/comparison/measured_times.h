// measured_times: the times of `alphasparse bench --json` and of `bench_suite --json`, read back.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// A design that is right and has a time of its own.
struct MeasuredDesign {
  std::string name;
  std::string line;  ///< the design's text
  double time_us = 0;
  std::int64_t format_bytes = 0;
};

/// A matrix as it was measured: the suite measures one in several types and regimes.
struct MeasuredMatrix {
  std::string name;
  Dtype dtype = Dtype::f32;
  CacheRegime regime = CacheRegime::warm;
  Fingerprints fingerprints;
  std::vector<MeasuredDesign> designs;
  /// Entries that are none: the vendor's algorithms, those that are wrong or have no time, and
  /// those that share the kernel, and so the time, of an earlier one.
  std::int64_t vendors = 0, untimed = 0, duplicates = 0;
  std::int64_t beyond_bound = 0;  ///< left out by keep_spread
  std::int64_t noisy = 0;         ///< of the designs, those whose time bench itself doubts
};

struct MeasuredTimes {
  std::string file;
  DeviceInfo device;  ///< its kind is measured
  std::vector<MeasuredMatrix> matrices;
};

/// Throws Error (exit 2), one line that names the file, where it cannot be read, is not what bench
/// or the suite prints, or holds modelled times.
MeasuredTimes read_measured_times(const std::string& file);

/// Keeps so many designs of a matrix, two at least: the fastest, the slowest, and others at equal
/// distances between them in the order of their times.
void keep_spread(MeasuredMatrix& matrix, std::size_t most);

}  // namespace alphasparse
