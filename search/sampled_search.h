// sampled_search: the facts on a large matrix' designs from its samples, before one is built for
// the matrix itself.
#pragma once
#include <cstddef>

#include "search/search_run.h"

namespace alphasparse {

struct DesignsForWhole {
  Designs designs;          ///< in order
  std::size_t leaders = 0;  ///< of them, those that come before all strategies; 0: no samples
};

/// The designs that are to be tried on the matrix of `whole`, in order: those promoted from its
/// samples, then the other named ones. Where another order of the rows promises much, designs with
/// it are among the leaders, for no sample tells their times. The time of the samples is part of
/// the budget of `whole`, and its result notes them. The named designs, as they are, where the
/// matrix is tried whole at once.
DesignsForWhole search_samples(SearchRun& whole, Device& device);

}  // namespace alphasparse
