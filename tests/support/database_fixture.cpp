#include "tests/support/database_fixture.h"

#include <cstdlib>
#include <system_error>

namespace alphasparse {

namespace fs = std::filesystem;

DatabaseTest::DatabaseTest() {
  std::string pattern = (fs::temp_directory_path() / "alphasparse-db-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
  fs::permissions(folder_, fs::perms::all);
}

DatabaseTest::~DatabaseTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string DatabaseTest::place(const std::string& name) const { return (folder_ / name).string(); }

Problem DatabaseTest::problem_of(const std::string& values) {
  Problem problem;
  problem.matrix = {"p1", values};
  problem.rows = 3;
  problem.cols = 4;
  problem.nnz = 5;
  problem.matrix_name = "small";
  problem.device = {"emulated:h200", "h200", TimeKind::modelled, "1", "sm_90"};
  problem.options = "values=fixed";
  problem.generator_version = "0.1.0";
  return problem;
}

Measurement DatabaseTest::timed(const std::string& design, double time_us,
                                std::int64_t format_bytes) {
  Measurement measurement;
  measurement.design = design;
  measurement.verified = true;
  measurement.format_bytes = format_bytes;
  Timing& timing = measurement.timing.emplace();
  timing.time_us = time_us;
  timing.time_us_min = time_us * 0.8;
  timing.time_us_p20 = time_us * 0.9;
  timing.time_us_p80 = time_us * 1.1;
  timing.samples = 7;
  timing.registers = 32;
  timing.spill_bytes = 0;
  timing.sectors = 11;
  timing.dram_bytes = 12;
  timing.note = "all of it";
  timing.sm_mhz = 1980;
  timing.slowed = "power cap";
  timing.noisy = true;
  measurement.convert_us = 1234.5;
  measurement.load_us = 99;
  measurement.trial_us = 2500.25;
  measurement.bound_us = 2.75;
  return measurement;
}

Measurement DatabaseTest::failed(const std::string& design, Status status) {
  Measurement measurement;
  measurement.design = design;
  measurement.status = status;
  measurement.reason = "for a reason";
  return measurement;
}

}  // namespace alphasparse
