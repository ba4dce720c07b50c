#include "tests/support/db_folder.h"

#include "base/version.h"
#include "operators/catalogue.h"
#include "operators/named_designs.h"

namespace alphasparse {

std::string design(std::size_t index) {
  return print_design(*canonical_design(*parse_design(named_designs(Target::gpu)[index].line)));
}

Problem problem_of(const std::string& matrix_name) {
  Problem problem;
  problem.matrix = {"pattern of " + matrix_name, "values"};
  problem.rows = 5;
  problem.cols = 4;
  problem.nnz = 7;
  problem.matrix_name = matrix_name;
  problem.device = {"emulated:h200", "NVIDIA H200 SXM", TimeKind::modelled, "1", "sm_90"};
  problem.options = "values=fixed";
  problem.generator_version = generator_version;
  return problem;
}

Measurement timed(const std::string& text, double time_us) {
  Measurement measurement;
  measurement.design = text;
  measurement.verified = true;
  measurement.format_bytes = 100;
  Timing& timing = measurement.timing.emplace();
  timing.time_us = time_us;
  timing.time_us_p20 = time_us * 0.9;
  timing.time_us_p80 = time_us * 1.1;
  timing.samples = 7;
  timing.registers = 32;
  timing.spill_bytes = 0;
  timing.sectors = 11;
  timing.dram_bytes = 12;
  timing.note = "all of it";
  timing.sm_mhz = 1980;
  timing.slowed = "power";
  timing.noisy = true;
  measurement.convert_us = 0.1 + 0.2;
  return measurement;
}

Measurement failed(const std::string& text, Status status, const std::string& reason) {
  Measurement measurement;
  measurement.design = text;
  measurement.status = status;
  measurement.reason = reason;
  return measurement;
}

CliOutcome CliDb::db(const std::string& arguments, const std::string& environment) {
  return run_cli(folder, "db " + arguments, environment + " ALPHASPARSE_DB=t.db");
}

json CliDb::db_json(const std::string& arguments) {
  const CliOutcome outcome = db(arguments + " --json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return json::parse(outcome.out);
}

std::string CliDb::expect_error(const std::string& arguments, int status, const std::string& text) {
  const CliOutcome outcome = db(arguments);
  EXPECT_EQ(outcome.status, status) << arguments << ": " << outcome.err;
  EXPECT_EQ(outcome.err.find("alphasparse: error: "), 0u) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "one line: " << outcome.err;
  EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  return outcome.err;
}

std::string CliDb::add_run(Database& database, const Problem& problem, double time_us) {
  const std::string run = database.begin_run(problem, {60, 9, 7});
  database.record(run, timed(design(1), time_us + 5));
  database.record(run, timed(design(0), time_us));
  database.record(run, failed(design(2), Status::pruned, "too many pads"));
  database.finish(run, RunState::complete, 1.5, 2);
  return run;
}

void CliDb::fill(const std::string& name) {
  Database database = Database::open(place(name));
  Problem a = problem_of("a");
  add_run(database, a, 10);
  a.dtype = Dtype::f64;
  add_run(database, a, 20);
  Problem b = problem_of("b");
  b.device = {"cuda:0", "NVIDIA H100", TimeKind::measured, "13.0", "sm_90"};
  b.regime = CacheRegime::cold;
  add_run(database, b, 5);
  b.options = vendor_options;
  database.record(database.begin_run(b, {60, 0, 0}), timed("cusparse-csr-1", 6));
}

std::int64_t CliDb::measurements(const std::string& name) {
  std::int64_t count = 0;
  for (const StoredProblem& stored : Database::open(place(name)).problems())
    count += stored.measurements;
  return count;
}

}  // namespace alphasparse
