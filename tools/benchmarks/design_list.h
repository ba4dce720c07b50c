// design_list: designs that judge the winner of a search on a large matrix.
//
// The list is fixed here: the named designs, and variants that a practitioner would try by hand. A
// search is never judged by its own candidates, because one that ranks badly also chooses its
// rivals badly.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "generator/arrays/matrix.h"
#include "runtime/database/measurement.h"
#include "runtime/device/device.h"
#include "search/trial/tune_options.h"

namespace alphasparse {

struct ListedTimes {
  std::size_t listed = 0;
  Outcomes outcomes;                       ///< on the whole matrix, of those that can be built
  std::optional<Measurement> best;         ///< of them
  std::optional<double> rank_correlation;  ///< Spearman's, of times from the sample and of these;
                                           ///< modelled devices alone
  double error_max = 0;                    ///< of a time from the sample, over that of the whole
};

/// Tries each design of the list on the whole matrix. A modelled device counts them without
/// verification, here and on the sample that a search would take.
ListedTimes try_list(const Matrix& matrix, Device& device, const TuneOptions& options);

}  // namespace alphasparse
