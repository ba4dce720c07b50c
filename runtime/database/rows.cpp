#include "runtime/database/rows.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/database/schema.h"
#include "runtime/system/files/content_key.h"

namespace alphasparse {

namespace {

Status parse_status(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Status::duplicate); ++i) {
    if (name == status_name(static_cast<Status>(i))) return static_cast<Status>(i);
  }
  return Status::pruned;  // the schema's check lets no other name in
}

/// As keys spell a number; one that is not known is the empty text.
template <class Number>
std::string spelt(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "";
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
                      problem.generator_version, spelt(problem.sample_nnz)});
}

std::string measurement_key(const std::string& run, const Measurement& measurement) {
  const Timing timing = measurement.timing.value_or(Timing{});
  const std::string timed = !measurement.timing
                                ? ""
                                : fmt::format("{} {} {} {} {}", timing.time_us, timing.time_us_p20,
                                              timing.time_us_p80, timing.samples, timing.rounds);
  return content_key({run, measurement.design, status_name(measurement.status), measurement.reason,
                      measurement.original, measurement.counted ? "counted" : "", timed,
                      spelt(timing.time_us_min), spelt(timing.registers), spelt(timing.spill_bytes),
                      spelt(timing.sectors), spelt(timing.dram_bytes), spelt(timing.sm_mhz),
                      spelt(measurement.format_bytes), spelt(measurement.convert_us),
                      spelt(measurement.load_us), spelt(measurement.trial_us),
                      spelt(measurement.bound_us), measurement.created_at});
}

namespace {

std::optional<double> real_or_none(const SqlStatement& row, int column) {
  return row.null(column) ? std::nullopt : std::optional(row.real(column));
}

std::optional<std::int64_t> integer_or_none(const SqlStatement& row, int column) {
  return row.null(column) ? std::nullopt : std::optional(row.integer(column));
}

std::optional<int> int_or_none(const SqlStatement& row, int column) {
  return row.null(column) ? std::nullopt : std::optional(static_cast<int>(row.integer(column)));
}

/// The timing that begins at a column of outcome_columns.
Timing read_timing(const SqlStatement& row, int column) {
  Timing timing;
  timing.time_us = row.real(column++);
  timing.time_us_min = real_or_none(row, column++);
  timing.time_us_p20 = row.real(column++);
  timing.time_us_p80 = row.real(column++);
  timing.samples = static_cast<int>(row.integer(column++));
  timing.rounds = static_cast<int>(row.integer(column++));
  timing.noisy = row.integer(column++) != 0;
  timing.slowed = row.text(column++);
  timing.note = row.text(column++);
  timing.registers = int_or_none(row, column++);
  timing.spill_bytes = int_or_none(row, column++);
  timing.sectors = integer_or_none(row, column++);
  timing.dram_bytes = integer_or_none(row, column++);
  timing.sm_mhz = int_or_none(row, column++);
  return timing;
}

}  // namespace

Measurement read_measurement(const SqlStatement& row) {
  Measurement result;
  int column = 0;
  result.design = row.text(column++);
  result.status = parse_status(row.text(column++));
  result.reason = row.text(column++);
  result.original = row.text(column++);
  result.verified = row.integer(column++) != 0;
  result.counted = row.integer(column++) != 0;
  result.format_bytes = integer_or_none(row, column++);
  result.convert_us = real_or_none(row, column++);
  result.load_us = real_or_none(row, column++);
  result.trial_us = real_or_none(row, column++);
  result.bound_us = real_or_none(row, column++);
  result.created_at = row.text(column++);
  if (!row.null(column)) result.timing = read_timing(row, column);
  return result;
}

Problem problem_of_row(const SqlStatement& row) {
  Problem problem;
  problem.matrix = {row.text(1), row.text(2)};
  problem.rows = row.integer(3);
  problem.cols = row.integer(4);
  problem.nnz = row.integer(5);
  problem.matrix_name = shorten(row.text(6), "name");  // a base's rows were not checked
  problem.device.gpu = row.text(7);
  problem.device.kind =
      row.text(8) == time_kind_name(TimeKind::measured) ? TimeKind::measured : TimeKind::modelled;
  problem.device.version = row.text(9);
  problem.device.arch = row.text(10);
  const std::string& arch = problem.device.arch;
  problem.device.dialect = find_dialect(arch);
  const bool is_gpu =
      arch.empty() || arch.starts_with("sm_") || problem.device.dialect == Dialect::hip;
  problem.device.target = is_gpu ? Target::gpu : Target::cpu;
  problem.dtype = dtype_named(row.text(11)).value_or(default_dtype);
  problem.regime =
      row.text(12) == regime_name(CacheRegime::cold) ? CacheRegime::cold : CacheRegime::warm;
  problem.options = row.text(13);
  problem.generator_version = row.text(14);
  problem.sample_nnz = integer_or_none(row, 15);
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

std::string_view find_condition(Origin origin) {
  switch (origin) {
    case Origin::here:
      return "run.machine = ?2";
    case Origin::elsewhere:
      return "run.machine <> ?2";
  }
  CHECK(!"an origin without a condition");
}

namespace {

Outcomes outcomes_of_rows(SqlStatement& statement) {
  Outcomes result;
  while (statement.step()) {
    Measurement measurement = read_measurement(statement);
    result.emplace(measurement.design, std::move(measurement));
  }
  return result;
}

}  // namespace

Outcomes stored_outcomes(Sqlite& sqlite, const std::string& problem) {
  SqlStatement statement(
      sqlite, fmt::format("SELECT {} FROM {}", outcome_columns, outcome_table("run.problem = ?1")));
  statement.bind(problem);
  return outcomes_of_rows(statement);
}

Outcomes stored_outcomes(Sqlite& sqlite, const std::string& problem, Origin origin,
                         const std::string& machine) {
  const std::string condition = fmt::format("run.problem = ?1 AND {}", find_condition(origin));
  SqlStatement statement(
      sqlite, fmt::format("SELECT {} FROM {}", outcome_columns, outcome_table(condition)));
  statement.bind(problem, machine);
  return outcomes_of_rows(statement);
}

}  // namespace alphasparse
