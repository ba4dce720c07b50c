// shares: how the time of a suite is shared out among its searches.
//
// Each gets the least time that it takes - its named designs, and the vendor's algorithms before
// them -, and a part of the time that is then left. Where that is too much for all, the cheaper
// ones come first. Example: of 100 s, searches that take 10, 20 and 90 s at least. The third is
// left out, and the 70 s that are then left are shared out among the others by the square roots of
// their sizes.
#pragma once
#include <cstddef>
#include <vector>

namespace alphasparse {

struct PlannedSearch {
  double nnz = 0;
  double seconds_least = 0;
};

struct SearchShare {
  bool covers = false;  ///< the least time that the search takes
  double seconds = 0;   ///< for it, or where that is too little, the time that there is
};

/// The share of the first of the searches, which follow each other in this order, from the seconds
/// that are left for all of them. A search of a million non-zeros gets `seconds_each` at most, and
/// others by their sizes. None gets less than it takes at least. The others get the seconds that
/// one does not use.
SearchShare share_of_first(const std::vector<PlannedSearch>& searches, double seconds_left,
                           double seconds_each);

/// Seconds that a design of such a size takes to be built, compiled, verified and timed: by the
/// searches so far, of those nearest in size, else by the non-zeros alone.
class DesignSeconds {
 public:
  void learn(double nnz, double seconds);
  double of(double nnz) const;

 private:
  struct Known {
    double nnz;
    double seconds;
  };
  std::vector<Known> known_;
};

}  // namespace alphasparse
