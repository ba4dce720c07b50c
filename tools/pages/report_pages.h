// report_pages: the results of tune, bench and the database, each as a page for people to read,
// keep and send on.
//
// A page says at each time whether it is measured or modelled, and draws modelled ones hollow.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "runtime/device/roofline.h"
#include "tools/reports/db.h"
#include "tools/reports/report.h"

namespace alphasparse {

struct TunePage {
  const TuneReport& report;
  const Kernel& kernel;               ///< the winner's
  std::optional<MemoryRates> memory;  ///< where it was measured
};

std::string tune_page(const TunePage& page);

/// `pictures`: a PNG file for each matrix of the report.
std::string bench_page(const BenchReport& report, const std::vector<std::string>& pictures);

std::string db_page(const ListReport& report);

}  // namespace alphasparse
