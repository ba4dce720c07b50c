// pfs: the perfect format selector, which is the best named design with its published parameters.
// The figures tell how far the winners of many problems are ahead of it.
//
// Times of a GPU model that differ by less than a fifth are ties: a model cannot tell them apart.
// Winners near the launch floor stand apart, because there is little to win.
//
// Example: winners of 2 and 3 us where the PFS takes 4 and 3 us are 1.41 times as fast in geometric
// mean. One is faster, clearly so, and one is equal.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database/database.h"

namespace alphasparse {

struct NamedOutcome {
  const Measurement* outcome = nullptr;  ///< into the outcomes; null: no named design has a time
  std::string name;                      ///< "csr-vector"
};

/// The best named design of the outcomes. Its status may be duplicate: the kernel's time is its
/// own.
NamedOutcome best_named(const Outcomes& outcomes);

/// One problem's winner and its PFS.
struct PfsPair {
  DeviceInfo device;
  Measurement best, pfs;  ///< timed, the best of all outcomes and of the named designs
  std::string pfs_name;

  /// How many times as long the PFS takes.
  double speedup() const;

  /// The winner's format over that of the PFS in bytes, and likewise the 32-byte sectors that their
  /// global accesses touch; nothing where one of them is not known or none.
  std::optional<double> bytes_ratio() const;
  std::optional<double> sectors_ratio() const;
};

/// The summary of all pairs of one kind of times.
struct PfsSummary {
  TimeKind kind = TimeKind::modelled;
  bool near_floor = false;  ///< the winners take little more than a launch: see near_floor_us
  std::int64_t pairs = 0;
  double speedup = 0;                                ///< geometric mean
  std::int64_t faster = 0, equal = 0, behind = 0;    ///< equal: within 0.1 %
  std::int64_t clearly_faster = 0;                   ///< by a fifth or more
  std::optional<double> bytes_ratio, sectors_ratio;  ///< geometric means, of those that have one
  std::int64_t unnamed = 0;           ///< winners that are no named design with its parameters
  std::int64_t other_structures = 0;  ///< and none with other parameters either
};

/// A row for each kind of times, near the launch floor and above it, where there are any pairs.
std::vector<PfsSummary> summarise_pfs(const std::vector<PfsPair>& pairs);

}  // namespace alphasparse
