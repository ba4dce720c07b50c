// sampled_search: the facts on a large matrix' designs from its samples, before one is built for
// the matrix itself.
#pragma once
#include "search/search_run.h"

namespace alphasparse {

/// The designs that are to be tried on the matrix of `whole`, in order: those promoted from its
/// samples, then the other named ones. The time of the samples is part of the
/// budget of `whole`, and its result notes them. The named designs, as they are, where the matrix
/// is tried whole at once.
Designs search_samples(SearchRun& whole, Device& device);

}  // namespace alphasparse
