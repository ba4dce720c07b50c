// recall: the outcomes that the database knows of a problem, before a search tries anything.
#pragma once
#include "search/search_run.h"

namespace alphasparse {

/// The outcomes of earlier runs for a search.
class Recall {
 public:
  /// Takes the outcomes of earlier runs of this machine as known, and the time that they used from
  /// the budget. Outcomes of others become proposals.
  explicit Recall(SearchRun& search);

  double seconds_before() const { return seconds_before_; }  ///< that earlier runs have used

  /// Whether this machine has the answer already.
  bool is_answered() const;

  /// Tries the designs that were best for this problem elsewhere, then those that were best for
  /// this pattern with other values; true where one of them is the answer.
  bool search_known();

 private:
  void drop_forbidden();
  bool search_proposals();
  bool search_same_pattern();
  bool search_best(const Outcomes& outcomes);
  Outcomes keep_designs(Outcomes outcomes);

  SearchRun& search_;
  Outcomes proposals_;  ///< of other machines, or of unknown ones
  double seconds_before_ = 0;
};

/// Designs and measurements from other matrices and conditions.
WarmStart recall_elsewhere(SearchRun& search);

}  // namespace alphasparse
