// explanation: the winner of a search taken apart within its budget (explaining/explain.h).
#pragma once
#include "search/last_comparison.h"

namespace alphasparse {

/// Takes the winner apart, and then every design that turns out to be better. The run of the search
/// must be put aside: an explanation has its own.
void explain_winner(SearchRun& search, LastComparison& comparison);

}  // namespace alphasparse
