// explain: why the winner won (search/explaining/explain.h), as text and as JSON.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "search/tune_result.h"

namespace alphasparse {

/// Whether two times are too close for their kind to tell them apart: modelled ones under 20 %.
bool is_tie(TimeKind kind, double time_us, double other_us);

/// Lines: the tier, winner and best named design side by side, the worth of each step, the best
/// design of another structure, and the pruned designs. The result must have a winner. `empty_us`
/// is the time of a kernel that does nothing, where it was measured.
std::string explanation_text(const TuneResult& result, std::optional<double> empty_us);

/// The same as one object; null where a number is not known.
nlohmann::ordered_json explanation_json(const TuneResult& result, std::optional<double> empty_us);

}  // namespace alphasparse
