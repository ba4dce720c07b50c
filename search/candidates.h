// candidates: which designs are tried, in which order - the named designs first, then the coarse
// grid of their parameters, the fastest design's grid before the next one's; behind each grid its
// fastest design with the optimizer's passes.
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "runtime/database.h"

namespace alphasparse {

class Candidates {
 public:
  /// Designs that follow from one.
  using Others = std::function<std::vector<std::string>(const std::string& design)>;

  /// `first` are tried before all others; `variants` gives the coarse grid of a design, `compacted`
  /// a design with different passes.
  Candidates(std::vector<std::string> first, Others variants, Others compacted);

  /// The next designs that are not known, at most `count`; none at the end. All of one answer are
  /// proposed in view of the same outcomes, so a grid never shares one with what decides on it.
  std::vector<std::string> next(const Outcomes& outcomes, std::size_t count);

 private:
  void put(std::vector<std::string> designs);
  bool refill(const Outcomes& outcomes);

  std::deque<std::string> queue_;
  std::vector<std::string> roots_;  ///< designs whose variants have not been listed yet
  std::vector<std::string> grid_;   ///< the last root and its variants, until one is compacted
  Others variants_, compacted_;
};

}  // namespace alphasparse
