// fragment_pairs: every fragment that GPUs and CPUs both have, called in both forms on the same
// tiles - one warp's worth of random inputs each.
//
// The calls are written once, in tests/kernels/pairs/calls.h. Their words stand for one thread's
// values on a GPU and for a gang's, or a lone thread's, on a CPU. Terms are small integers, so that
// sums are exact in any order. The reports of a call are compared as a multiset: the result of each
// lane, and every row and sum that leaves.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "generator/arrays/kernel.h"
#include "runtime/device/device.h"

namespace alphasparse {

inline constexpr int pair_lanes_most = 64;  ///< of a tile, as in tests/kernels/pairs/words.h

/// The inputs of one call, as the members of Format in tests/kernels/pairs/words.h.
struct PairTile {
  int lanes = 32, first = 0, end = 0, step = 0, carry_row = -1;
  std::array<unsigned, pair_lanes_most> starts{};
  std::array<int, pair_lanes_most> open{}, row{};
  std::vector<int> list;
  double alpha = 1, beta = 0;
  std::vector<double> value;
  std::vector<double> y;  ///< of its own rows, on entry; empty: it writes none
};

/// A call of a fragment.
struct PairCall {
  std::string_view fragment;
  int number = 0;     ///< its template argument; 0: it has none
  int gang = 0;       ///< lanes of a gang on a CPU; 0: threads one by one
  int told_most = 0;  ///< the most reports of a lane; 0: it writes rows of y
  PairTile (*tile)(const PairCall& call, int number, Random& random) = nullptr;

  std::string name() const;  ///< "thread_bitmap<13>, gangs of 32"
};

/// The pairs, at least one for every form that the fragment has on CPUs.
const std::vector<PairCall>& pair_calls();

/// All calls on all their tiles, as one kernel of each target over the same arrays and the same y.
class PairTiles {
 public:
  static constexpr int of_a_call = 96;

  PairTiles(Dtype dtype, std::uint64_t seed);

  Kernel kernel(Target target) const;

  /// Runs every tile, on the emulator in both orders of lanes. Failure: it does not compile, or
  /// crashes.
  Result<std::vector<Number>> run(Device& device, const Kernel& kernel) const;

  /// The first tile for which two runs of a call differ, and the reports that only one of them has;
  /// empty: none.
  std::string difference(std::size_t call, const std::vector<Number>& gpu,
                         const std::vector<Number>& cpu) const;

 private:
  struct Region {
    std::size_t first = 0, size = 0;  ///< in y, of a tile
  };

  std::string call_text(std::size_t call, Target target, const std::vector<Array>& arrays) const;
  std::string tile_difference(const PairTile& tile, const Region& region,
                              const std::vector<Number>& gpu, const std::vector<Number>& cpu) const;

  Dtype dtype_;
  std::vector<PairTile> tiles_;  ///< call by call
  std::vector<Region> regions_;
  std::vector<double> y_;
};

}  // namespace alphasparse
