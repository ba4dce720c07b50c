// candidates: which designs are tried, in which order - the named designs first, then the coarse
// grid of their parameters, the fastest design's grid before the next one's.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database.h"

namespace alphasparse {

class Candidates {
 public:
  /// `first` are tried before all others; `variants` gives the coarse grid of a design.
  Candidates(std::vector<std::string> first,
             std::function<std::vector<std::string>(const std::string& design)> variants);

  /// The next design, known or not; nothing at the end.
  std::optional<std::string> next(const Outcomes& outcomes);

 private:
  std::deque<std::string> queue_;
  std::vector<std::string> roots_;  ///< designs whose variants have not been listed yet
  std::function<std::vector<std::string>(const std::string&)> variants_;
};

}  // namespace alphasparse
