// baseline_share: the share of a search's time that the vendor's algorithms may take, their part in
// the finals included. So where each of them takes long the search still gets to designs of ours.
//
// Example: of 60 s the share is 12. After an algorithm that took 4 s, 1 of them to prepare it, a
// second is begun: 4 s, as many again at worst, and 1 for the finals. After that one took 3.5 s,
// half a second of them to prepare it, no third is: 7.5, 4 and 1.5 are more than 12.
//
// On a GPU the finals have the two fastest. On a CPU, where peers by several authors lie close,
// they have four at most. These took at most 1.3 times as long as the fastest when they were tried.
#pragma once
#include <string>
#include <vector>

#include "base/target.h"
#include "runtime/database/measurement.h"

namespace alphasparse {

class BaselineShare {
 public:
  BaselineShare() = default;  ///< of no time at all

  /// `seconds`: the share.
  explicit BaselineShare(double seconds, Target target = Target::gpu);

  /// Whether one more algorithm may be begun in view of the outcomes of the others. Until one has a
  /// time, always. Then while the share has room if it takes as long as the longest of them.
  bool has_room(const Outcomes& known) const;

  /// Seconds left for trials; at least 0.
  double seconds_left(const Outcomes& known) const;

  void spent(double seconds) { spent_ += seconds; }

  /// The algorithms that meet ours in the finals: the fastest in any case. Others are there where
  /// they have room to be prepared and to run as often as finals do at least.
  std::vector<std::string> finalists(const Outcomes& known) const;

 private:
  double seconds_ = 0;
  Target target_ = Target::gpu;
  double spent_ = 0;
};

}  // namespace alphasparse
