// tune_options: the options of a search, and so of each of its trials.
#pragma once
#include <algorithm>
#include <optional>
#include <string>

#include "generator/arrays/operands.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"

namespace alphasparse {

struct TuneOptions {
  Effort effort{60, 0, 0};
  Dtype dtype = default_dtype;
  int vectors = 1;  ///< columns of X and Y
  CacheRegime regime = CacheRegime::warm;
  bool values_vary = false;    ///< the format must be able to take any values
  bool deterministic = false;  ///< no design that adds in any order
  bool nonfinite_exact =
      false;               ///< no design that makes NaN of an Inf (generator/layouts/pad_reads.h)
  bool may_round = false;  ///< designs that lose digits of the values count
  bool own_order = false;  ///< designs whose x and y have an order of their own count
  bool fresh = false;      ///< earlier measurements do not count, shipped ones neither
  bool experience = true;  ///< shipped measurements count
  bool samples = true;     ///< a large matrix is searched on samples first (search/estimates)
  bool explain = false;    ///< the winner is taken apart: TuneResult::explanation
  std::string matrix_name;
  /// Earlier measurements of the vendor's algorithms, by name: the search's time goes to the others
  /// alone.
  Outcomes baseline_outcomes;
  double seconds_before = 0;  ///< of the effort's that are gone: the matrix was read
  /// An earlier search that was asked for so much time has the answer, even where `effort` is more.
  /// None: only a search that was asked for as much.
  std::optional<double> seconds_enough;

  Operands operands(Dialect dialect = Dialect::cuda) const { return {dtype, vectors, dialect}; }

  /// The effort with which an earlier search must have run to have the answer.
  Effort effort_enough() const {
    return {std::min(effort.seconds, seconds_enough.value_or(effort.seconds)), effort.trials,
            effort.seed};
  }
};

}  // namespace alphasparse
