// tune_details: the lines that tune --explain adds to those that it always prints.
#pragma once
#include <string>

#include "tools/reports/report.h"

namespace alphasparse {

/// Lines on the baseline's version and preparation, formats for any values and for these, ties, and
/// the origin of first designs. Then how many were tried, the fastest of them, each strategy's
/// share, the explanation, failures and the database.
std::string tune_details(const TuneReport& report);

}  // namespace alphasparse
