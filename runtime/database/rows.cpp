#include "runtime/database/rows.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/system/files/content_key.h"

namespace alphasparse {

namespace {

Status status_of(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Status::duplicate); ++i) {
    if (name == status_name(static_cast<Status>(i))) return static_cast<Status>(i);
  }
  return Status::pruned;  // the schema's check lets no other name in
}

std::string numbers_of_schema_1(const Measurement& measurement) {
  const Timing timing = measurement.timing.value_or(Timing{});
  return fmt::format("{} {} {} {} {} {} {} {} {}", measurement.timing.has_value(), timing.time_us,
                     timing.time_us_p20, timing.time_us_p80, timing.samples, timing.registers,
                     timing.spill_bytes, timing.sectors, timing.dram_bytes);
}

std::string key_of(const std::string& run, const Measurement& measurement,
                   const std::string& numbers) {
  return content_key({run, measurement.design, status_name(measurement.status), measurement.reason,
                      numbers, fmt::format("{}", measurement.format_bytes),
                      measurement.created_at});
}

}  // namespace

std::string matrix_key(const Fingerprints& matrix) {
  return content_key({matrix.pattern, matrix.values});
}

std::string device_key(const DeviceInfo& device) {
  return content_key({device.gpu, time_kind_name(device.kind), device.version, device.arch});
}

std::string design_key(const std::string& design) { return content_key({design}); }

std::string problem_key(const Problem& problem) {
  return content_key({matrix_key(problem.matrix), device_key(problem.device),
                      dtype_name(problem.dtype), regime_name(problem.regime), problem.options,
                      problem.generator_version});
}

std::string measurement_key(const std::string& run, const Measurement& measurement) {
  const Timing timing = measurement.timing.value_or(Timing{});
  std::string numbers =
      fmt::format("{} {} {} {} {}", numbers_of_schema_1(measurement), timing.sm_mhz, timing.rounds,
                  measurement.convert_us, measurement.load_us);
  if (measurement.trial_us >= 0 || measurement.bound_us >= 0)
    numbers += fmt::format(" {} {}", measurement.trial_us, measurement.bound_us);
  if (timing.time_us_min > 0) numbers += fmt::format(" min {}", timing.time_us_min);
  return key_of(run, measurement, numbers);
}

std::string measurement_key_of_schema_1(const std::string& run, const Measurement& measurement) {
  return key_of(run, measurement, numbers_of_schema_1(measurement));
}

Measurement measurement_of(const Statement& row) {
  Measurement result;
  result.design = row.text(0);
  result.status = status_of(row.text(1));
  result.reason = row.text(2);
  result.verified = row.integer(3) != 0;
  result.format_bytes = row.integer(4);
  result.created_at = row.text(5);
  if (!row.null(19)) result.convert_us = row.real(19);
  if (!row.null(20)) result.load_us = row.real(20);
  if (!row.null(21)) result.trial_us = row.real(21);
  if (!row.null(22)) result.bound_us = row.real(22);
  if (row.null(6)) return result;
  Timing timing;
  timing.time_us = row.real(6);
  timing.time_us_p20 = row.real(7);
  timing.time_us_p80 = row.real(8);
  timing.samples = static_cast<int>(row.integer(9));
  timing.registers = static_cast<int>(row.integer(10));
  timing.spill_bytes = static_cast<int>(row.integer(11));
  timing.sectors = row.integer(12);
  timing.dram_bytes = row.integer(13);
  timing.note = row.text(14);
  if (!row.null(15)) timing.sm_mhz = static_cast<int>(row.integer(15));
  timing.slowed = row.text(16);
  timing.noisy = row.integer(17) != 0;
  timing.rounds = static_cast<int>(row.integer(18));
  if (!row.null(23)) timing.time_us_min = row.real(23);
  result.timing = timing;
  return result;
}

Problem problem_of_row(const Statement& row) {
  Problem problem;
  problem.matrix = {row.text(1), row.text(2)};
  problem.rows = row.integer(3);
  problem.cols = row.integer(4);
  problem.nnz = row.integer(5);
  problem.matrix_name = row.text(6);
  problem.device.gpu = row.text(7);
  problem.device.kind =
      row.text(8) == time_kind_name(TimeKind::measured) ? TimeKind::measured : TimeKind::modelled;
  problem.device.version = row.text(9);
  problem.device.arch = row.text(10);
  const bool is_gpu = problem.device.arch.empty() || problem.device.arch.starts_with("sm_");
  problem.device.target = is_gpu ? Target::cuda : Target::cpu;
  problem.dtype = row.text(11) == dtype_name(Dtype::f64) ? Dtype::f64 : Dtype::f32;
  problem.regime =
      row.text(12) == regime_name(CacheRegime::cold) ? CacheRegime::cold : CacheRegime::warm;
  problem.options = row.text(13);
  problem.generator_version = row.text(14);
  return problem;
}

std::string outcome_table(std::string_view condition_of_run) {
  return fmt::format(
      "(SELECT * FROM (SELECT run.problem, design.text, measurement.*, row_number() OVER ("
      "PARTITION BY run.problem, measurement.design "
      "ORDER BY measurement.created_at DESC, measurement.key DESC) AS age "
      "FROM run JOIN measurement ON measurement.run = run.key "
      "JOIN design ON design.key = measurement.design WHERE {}) WHERE age = 1) AS outcome",
      condition_of_run);
}

std::string_view condition_of(Origin origin) {
  switch (origin) {
    case Origin::here:
      return "run.machine = ?2";
    case Origin::unknown:
      return "run.machine IS NULL AND ?2 = ?2";
    case Origin::elsewhere:
      return "run.machine <> ?2";
  }
  CHECK(!"an origin without a condition");
}

namespace {

Outcomes outcomes_of_rows(Statement& statement) {
  Outcomes result;
  while (statement.step()) {
    Measurement measurement = measurement_of(statement);
    result.emplace(measurement.design, std::move(measurement));
  }
  return result;
}

}  // namespace

Outcomes stored_outcomes(Sqlite& sqlite, const std::string& problem) {
  Statement statement(
      sqlite, fmt::format("SELECT {} FROM {}", outcome_columns, outcome_table("run.problem = ?1")));
  statement.bind(problem);
  return outcomes_of_rows(statement);
}

Outcomes stored_outcomes(Sqlite& sqlite, const std::string& problem, Origin origin,
                         const std::string& machine) {
  const std::string condition = fmt::format("run.problem = ?1 AND {}", condition_of(origin));
  Statement statement(sqlite,
                      fmt::format("SELECT {} FROM {}", outcome_columns, outcome_table(condition)));
  statement.bind(problem, machine);
  return outcomes_of_rows(statement);
}

}  // namespace alphasparse
