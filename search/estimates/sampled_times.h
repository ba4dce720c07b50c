// sampled_times: the times of designs on the whole matrix, as times on its samples tell them.
//
// A modelled device tells the time of the whole by itself (WholeSizes). A measured time on a sample
// of n non-zeros is a + b n. Launches, the wake-up of threads and the longest chain of waits are
// a, which does not grow with the matrix. Two samples tell a and b, one alone only that a is no
// less than 0.
// Example: a design takes 30 us on 4 million non-zeros and 40 us on 8 million: a is 20 us, b 2.5 us
// a million. On 80 million it takes 220 us. Its time on 8 million alone would tell 400 us, and
// rank it behind a design of 35 us there, all of it b.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>

#include "runtime/database/measurement.h"
#include "search/space/known_designs.h"

namespace alphasparse {

class SampledTimes {
 public:
  /// Of a matrix of so many non-zeros.
  explicit SampledTimes(std::int64_t whole_nnz) : whole_nnz_(whole_nnz) {}

  /// A time on a sample of so many, which may be the whole. A second time on it replaces the first.
  void add(const CanonicalDesign& design, std::int64_t nnz, double time_us) {
    times_[design][nnz] = time_us;
  }

  /// Adds all outcomes with a time, by their shortest runs.
  void add(const Outcomes& outcomes, KnownDesigns& known, std::int64_t nnz);

  /// The times of the whole, by the line through the times on the two largest samples. Where there
  /// is one only, the time grows like the non-zeros.
  std::map<CanonicalDesign, double> whole_us() const;

  /// Whether the fixed part of a design's time is known: its time was taken on two samples, or is
  /// that of the whole.
  bool knows_fixed_part(const CanonicalDesign& design) const;

 private:
  std::int64_t whole_nnz_;
  std::map<CanonicalDesign, std::map<std::int64_t, double>> times_;  ///< by non-zeros
};

/// The designs with an outcome that are to be tried on more of the matrix: the best of `named`,
/// then the fastest; `count` in all at most. The best named one comes first because the time may do
/// for one. `whole_us` tells their order. First come those within 1.25 times the fastest, two of a
/// structure at most: structures differ most in their times on the whole. Then come up to four more
/// of each structure within that, and last those farther behind, of structures with less than two.
Designs promoted_designs(const Outcomes& outcomes, KnownDesigns& known,
                         const std::map<CanonicalDesign, double>& whole_us, std::size_t count,
                         const Designs& named);

/// The named designs with times within 1.25 times those of the best of them, the fastest first: a
/// sample puts these into any order.
Designs near_named(const std::map<CanonicalDesign, double>& whole_us, const Designs& named);

/// The designs of both lists by turns, each once. Those of `a` come first.
Designs interleave(const Designs& a, const Designs& b);

/// Moves or adds designs to `rank` of the promoted ones, and each further one `step` behind. Those
/// that stand before their rank stay. Returns the rank of a next one.
std::size_t put_forward(const Designs& designs, std::size_t rank, std::size_t step,
                        Designs& promoted);

/// The designs that are to be timed on a second sample, so that their fixed parts are known: by
/// turns one of those to be promoted, and one of all named designs with a time, both in the order
/// of their times. The time may not do for all.
Designs designs_to_time_again(const Designs& promoted,
                              const std::map<CanonicalDesign, double>& whole_us,
                              const Designs& named);

/// The named designs that were not promoted, but may still be the fastest on the whole. They are
/// designs without an outcome on a sample, designs that were not far behind on it, and diagonals,
/// which panels break. The others would take the time, and the memory, of those that may. Where
/// fixed parts count, a design is not left out before its own is known.
Designs named_to_try(const SampledTimes& times, const Designs& named, const Designs& promoted,
                     bool fixed_parts_count);

}  // namespace alphasparse
