#include "runtime/database/database.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string_view>
#include <utility>

#include "runtime/database/rows.h"
#include "runtime/database/schema.h"
#include "runtime/system/content_key.h"

namespace alphasparse {

namespace {

std::int64_t as_stored(std::uint64_t seed) { return static_cast<std::int64_t>(seed); }

enum class Contents { none, current, older };

/// What the file holds; throws where it is not ours, or newer. To be called inside a transaction:
/// the three answers belong together.
Contents contents_of(Sqlite& sqlite) {
  const std::int64_t application = sqlite.integer("PRAGMA application_id");
  const std::int64_t version = sqlite.integer("PRAGMA user_version");
  if (application == schema_application_id && version == schema_version) return Contents::current;
  if (application == schema_application_id && version >= 1 && version < schema_version)
    return Contents::older;
  if (application == schema_application_id) {
    throw Error(ExitCode::database,
                fmt::format("database {} has schema {}, this program knows {}; use the program "
                            "that wrote it, or another --db",
                            sqlite.path(), version, schema_version));
  }
  if (application == 0 && version == 0 && sqlite.integer("SELECT count(*) FROM sqlite_master") == 0)
    return Contents::none;
  throw Error(ExitCode::database,
              fmt::format("database {} belongs to another program; name another file with --db",
                          sqlite.path()));
}

/// Makes the tables, or brings them up to date.
void bring_up_to_date(Sqlite& sqlite) {
  Transaction transaction(sqlite);
  // Between the question and the lock another process may have been here.
  const Contents contents = contents_of(sqlite);
  if (contents != Contents::current) {
    if (contents == Contents::none) {
      make_tables(sqlite);
    } else {
      const std::int64_t version = sqlite.integer("PRAGMA user_version");
      if (version == 1) sqlite.run_script(schema_script_from_1);
      if (version <= 2) {
        sqlite.run_script(schema_script_from_2);
        sqlite.run_script(schema_script_of_learning);
      }
      sqlite.run_script(schema_script_from_3);
      sqlite.run(fmt::format("PRAGMA user_version={}", schema_version));
    }
  }
  transaction.commit();
}

void require_existing(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return;
  throw Error(ExitCode::database,
              fmt::format("database {} does not exist; name another file with --db", path));
}

/// Its absolute path.
std::string checked_file(const std::string& path) {
  const std::string file = std::filesystem::absolute(path).lexically_normal().string();
  check_database_file(file);
  return file;
}

std::string folder_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

Contents contents_now(Sqlite& sqlite) {
  sqlite.run("BEGIN");
  const Contents contents = contents_of(sqlite);
  sqlite.run("COMMIT");
  return contents;
}

[[noreturn]] void refuse_empty(const std::string& file) {
  throw Error(ExitCode::database,
              fmt::format("database {} is empty; name another file with --db", file));
}

/// SQLite's log, and the shared memory of those who use it, are files beside the file.
bool may_be_written(const std::string& file) {
  return access(file.c_str(), W_OK) == 0 && access(folder_of(file).c_str(), W_OK | X_OK) == 0;
}

bool has_bytes(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return !error && size > 0;
}

/// Whether the file says that those who write it keep a log.
bool wants_log(const std::string& file) {
  constexpr std::streamoff format_to_read = 19;  // in SQLite's header; 2: with a log
  std::ifstream stream(file, std::ios::binary);
  return stream.seekg(format_to_read) && stream.get() == 2;
}

/// How to ask a file that may not be written.
SqliteAccess access_to_read(const std::string& file) {
  if (!wants_log(file)) return SqliteAccess::read;
  std::error_code error;
  // Now, or when a writer was killed.
  const bool is_open = std::filesystem::exists(file + "-wal", error) &&
                       std::filesystem::exists(file + "-shm", error);
  if (!is_open && !has_bytes(file + "-wal")) return SqliteAccess::frozen;
  if (!is_open && access(folder_of(file).c_str(), W_OK | X_OK) != 0) {
    throw Error(ExitCode::database,
                fmt::format("database {} has a log, {}-wal, that is only read where its folder can "
                            "be written; copy both files, or use another --db",
                            file, file));
  }
  return SqliteAccess::read;
}

}  // namespace

void make_tables(Sqlite& sqlite) {
  sqlite.run_script(schema_script);
  sqlite.run_script(schema_script_of_learning);
  sqlite.run(fmt::format("PRAGMA application_id={}", schema_application_id));
  sqlite.run(fmt::format("PRAGMA user_version={}", schema_version));
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database::~Database() = default;

const std::string& Database::path() const { return state_->sqlite.path(); }

Database Database::open_existing(const std::string& path) {
  require_existing(path);
  return open(path);
}

Database Database::open(const std::string& path) { return open_to_write(checked_file(path), true); }

Database Database::open_to_read(const std::string& path) {
  require_existing(path);
  const std::string file = checked_file(path);
  if (!has_bytes(file)) refuse_empty(file);
  if (may_be_written(file)) return open_to_write(file, false);
  auto state = std::make_unique<State>(file, access_to_read(file));
  const Contents contents = contents_now(state->sqlite);
  if (contents == Contents::none) refuse_empty(file);
  if (contents == Contents::older) {
    throw Error(ExitCode::database,
                fmt::format("database {} has an older schema and may not be written here; open a "
                            "copy of it, or use another --db",
                            file));
  }
  return Database(std::move(state));
}

Database Database::open_to_write(const std::string& file, bool may_make) {
  auto state = std::make_unique<State>(file);
  Sqlite& sqlite = state->sqlite;
  const Contents contents = contents_now(sqlite);
  if (contents == Contents::none && !may_make) refuse_empty(file);
  sqlite.require_writable();
  sqlite.choose_journal(on_network_file_system(folder_of(file)));
  if (contents != Contents::current) bring_up_to_date(sqlite);
  sqlite.run("PRAGMA foreign_keys=ON");
  return Database(std::move(state));
}

std::string Database::begin_run(const Problem& problem, const Effort& effort) {
  Sqlite& sqlite = state_->sqlite;
  const std::string created_at = utc_now();
  std::random_device random;
  const std::string run = content_key(
      {problem_key(problem), created_at,
       fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random())});
  const DeviceInfo& device = problem.device;
  Transaction transaction(sqlite);
  sqlite.run("INSERT INTO device VALUES (?1,?2,?3,?4,?5) ON CONFLICT(key) DO NOTHING",
             device_key(device), device.gpu, std::string_view(time_kind_name(device.kind)),
             device.version, device.arch);
  sqlite.run("INSERT INTO matrix VALUES (?1,?2,?3,?4,?5,?6,?7) ON CONFLICT(key) DO NOTHING",
             matrix_key(problem.matrix), problem.matrix.pattern, problem.matrix.values,
             problem.rows, problem.cols, problem.nnz, problem.matrix_name);
  sqlite.run("INSERT INTO problem VALUES (?1,?2,?3,?4,?5,?6,?7) ON CONFLICT(key) DO NOTHING",
             problem_key(problem), matrix_key(problem.matrix), device_key(device),
             std::string_view(dtype_name(problem.dtype)),
             std::string_view(regime_name(problem.regime)), problem.options,
             problem.generator_version);
  sqlite.run("INSERT INTO run VALUES (?1,?2,?3,?4,?5,?6)", run, problem_key(problem),
             effort.seconds, effort.trials, as_stored(effort.seed), created_at);
  transaction.commit();
  return run;
}

void Database::record(const std::string& run, const Measurement& measurement) {
  Sqlite& sqlite = state_->sqlite;
  Measurement dated = measurement;
  if (dated.created_at.empty()) dated.created_at = utc_now();
  const Timing timing = measurement.timing.value_or(Timing{});
  // Where it was not timed, its columns are NULL.
  const auto timed = [&](auto value) {
    return measurement.timing ? std::optional(value) : std::nullopt;
  };
  const auto known = [](double us) { return us >= 0 ? std::optional(us) : std::nullopt; };
  const std::string design = design_key(measurement.design);
  Transaction transaction(sqlite);
  sqlite.run("INSERT INTO design VALUES (?1,?2) ON CONFLICT(key) DO NOTHING", design,
             measurement.design);
  sqlite.run(
      "INSERT INTO measurement VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
      "?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26) ON CONFLICT(key) DO NOTHING",
      measurement_key(run, dated), run, design, std::string_view(status_name(measurement.status)),
      measurement.reason, measurement.verified ? 1 : 0, measurement.format_bytes,
      timed(timing.time_us), timed(timing.time_us_p20), timed(timing.time_us_p80),
      timed(timing.samples), timed(timing.registers), timed(timing.spill_bytes),
      timed(timing.sectors), timed(timing.dram_bytes), timed(std::string_view(timing.note)),
      dated.created_at, timing.sm_mhz >= 0 ? std::optional(timing.sm_mhz) : std::nullopt,
      timed(std::string_view(timing.slowed)), timed(timing.noisy ? 1 : 0), timed(timing.rounds),
      known(measurement.convert_us), known(measurement.load_us), known(measurement.trial_us),
      known(measurement.bound_us),
      timing.time_us_min > 0 ? std::optional(timing.time_us_min) : std::nullopt);
  transaction.commit();
}

void Database::finish(const std::string& run, RunState state, double seconds, std::int64_t trials) {
  const std::string_view name = state == RunState::complete ? "complete" : "interrupted";
  state_->sqlite.run("INSERT INTO run_end VALUES (?1,?2,?3,?4,?5) ON CONFLICT(run) DO NOTHING", run,
                     name, seconds, trials, utc_now());
}

bool Database::is_complete(const Problem& problem, const Effort& effort) {
  Statement statement(state_->sqlite,
                      "SELECT 1 FROM run JOIN run_end ON run_end.run = run.key "
                      "WHERE problem = ?1 AND state = 'complete' AND seed = ?2 "
                      "AND seconds_asked >= ?3 "
                      "AND (trials_asked = 0 OR (?4 > 0 AND trials_asked >= ?4))");
  return statement.bind(problem_key(problem), as_stored(effort.seed), effort.seconds, effort.trials)
      .step();
}

Effort Database::spent(const Problem& problem, std::uint64_t seed) {
  Statement statement(
      state_->sqlite,
      "SELECT total(coalesce(run_end.seconds, 86400 * (julianday((SELECT max(created_at) FROM "
      "measurement WHERE run = run.key)) - julianday(run.created_at)))), "
      "(SELECT count(*) FROM measurement JOIN run AS r ON r.key = run WHERE r.problem = ?1 "
      "AND r.seed = ?2 AND r.seconds_asked > 0 AND status NOT IN ('pruned', 'duplicate') AND "
      "coalesce(rounds, 0) = 0) "
      "FROM run LEFT JOIN run_end ON run_end.run = run.key WHERE problem = ?1 AND seed = ?2 "
      "AND seconds_asked > 0");
  CHECK(statement.bind(problem_key(problem), as_stored(seed)).step());
  return {statement.real(0), statement.integer(1), seed};
}

Outcomes Database::outcomes(const Problem& problem) {
  return stored_outcomes(state_->sqlite, problem_key(problem));
}

std::optional<Measurement> Database::best(const Problem& problem) {
  const Outcomes all = outcomes(problem);
  const Measurement* const best = best_of(all);
  return best && best->timing ? std::optional(*best) : std::nullopt;
}

std::optional<Problem> Database::same_pattern(const Problem& problem, const Effort& effort) {
  Statement statement(
      state_->sqlite,
      "SELECT matrix.value_bits, matrix.name FROM matrix "
      "JOIN problem ON problem.matrix = matrix.key JOIN run ON run.problem = problem.key "
      "JOIN run_end ON run_end.run = run.key "
      "WHERE matrix.pattern = ?1 AND matrix.value_bits <> ?2 AND device = ?3 AND dtype = ?4 "
      "AND regime = ?5 AND options = ?6 AND generator = ?7 AND state = 'complete' AND seed = ?8 "
      "AND seconds_asked >= ?9 AND (trials_asked = 0 OR (?10 > 0 AND trials_asked >= ?10)) "
      "ORDER BY run.created_at DESC LIMIT 1");
  statement.bind(problem.matrix.pattern, problem.matrix.values, device_key(problem.device),
                 std::string_view(dtype_name(problem.dtype)),
                 std::string_view(regime_name(problem.regime)), problem.options,
                 problem.generator_version, as_stored(effort.seed), effort.seconds, effort.trials);
  if (!statement.step()) return std::nullopt;
  Problem other = problem;
  other.matrix.values = statement.text(0);
  other.matrix_name = statement.text(1);
  return other;
}

}  // namespace alphasparse
