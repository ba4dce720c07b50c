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
#include "runtime/system/files/content_key.h"

namespace alphasparse {

namespace {

std::int64_t as_stored(std::uint64_t seed) { return static_cast<std::int64_t>(seed); }

/// Whether the file has tables. Throws where they are not ours, or of another schema, or differ
/// from it. To be called inside a transaction: the answers belong together.
bool has_schema(Sqlite& sqlite) {
  const std::int64_t application = sqlite.integer("PRAGMA application_id");
  const std::int64_t version = sqlite.integer("PRAGMA user_version");
  const auto reject = [&](const std::string& reason) {
    throw Error(ExitCode::database,
                fmt::format("database {} {}name {}", sqlite.path(), reason, sqlite.hint()));
  };
  if (application == 0 && version == 0 && sqlite.integer("SELECT count(*) FROM sqlite_master") == 0)
    return false;
  if (application != schema_application_id || version < 1) reject("belongs to another program; ");
  if (version != schema_version) {
    reject(fmt::format("has schema {}, this program knows {}; {}, or ", version, schema_version,
                       version > schema_version ? "use the program that wrote it"
                                                : "make it new by tools/renew_database FILE"));
  }
  if (const std::string difference = schema_difference(sqlite); !difference.empty())
    reject(fmt::format("was changed by another program: {}; ", difference));
  if (const std::string damage = root_damage(sqlite); !damage.empty())
    reject(fmt::format("is damaged: {}; ", damage));
  return true;
}

/// Makes the tables of an empty file.
void make_tables(Sqlite& sqlite) {
  Transaction transaction(sqlite);
  // Between the question and the lock another process may have been here.
  if (!has_schema(sqlite)) make_schema(sqlite);
  transaction.commit();
}

/// The name that this machine gives itself.
std::string host_name() {
  std::ifstream file("/etc/machine-id");
  std::string name;
  if (std::getline(file, name) && !name.empty()) return name;
  char host[256] = "";
  return gethostname(host, sizeof host - 1) == 0 ? host : "";
}

/// The key of this machine's row in the file; empty where it has none.
std::string find_machine(Sqlite& sqlite) {
  const std::string name = host_name();
  SqlStatement row(sqlite, "SELECT key, host FROM machine ORDER BY key");
  while (row.step()) {
    if (row.text(1) == content_key({row.text(0), name})) return row.text(0);
  }
  return "";
}

std::string random_key() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

void require_existing(const std::string& path, std::string_view hint) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return;
  throw Error(ExitCode::database, fmt::format("database {} does not exist; name {}", path, hint));
}

/// Its absolute path.
std::string checked_file(const std::string& path, std::string_view hint) {
  const std::string file = std::filesystem::absolute(path).lexically_normal().string();
  check_database_file(file, hint);
  return file;
}

std::string find_folder(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

bool has_schema_now(Sqlite& sqlite) {
  const Snapshot snapshot(sqlite);
  return has_schema(sqlite);
}

[[noreturn]] void reject_empty(const std::string& file, std::string_view hint) {
  throw Error(ExitCode::database, fmt::format("database {} is empty; name {}", file, hint));
}

/// SQLite's log, and the shared memory of its users, are files beside the file.
bool may_be_written(const std::string& file) {
  return access(file.c_str(), W_OK) == 0 && access(find_folder(file).c_str(), W_OK | X_OK) == 0;
}

bool has_bytes(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return !error && size > 0;
}

/// Whether the file says that its writers keep a log.
bool wants_log(const std::string& file) {
  constexpr std::streamoff format_to_read = 19;  // in SQLite's header; 2: with a log
  std::ifstream stream(file, std::ios::binary);
  return stream.seekg(format_to_read) && stream.get() == 2;
}

/// The access to a file that may not be written.
SqliteAccess access_to_read(const std::string& file, std::string_view hint) {
  if (!wants_log(file)) return SqliteAccess::read;
  std::error_code error;
  // Now, or when a writer was killed.
  const bool is_open = std::filesystem::exists(file + "-wal", error) &&
                       std::filesystem::exists(file + "-shm", error);
  if (!is_open && !has_bytes(file + "-wal")) return SqliteAccess::frozen;
  if (!is_open && access(find_folder(file).c_str(), W_OK | X_OK) != 0) {
    throw Error(ExitCode::database,
                fmt::format("database {} has a log, {}-wal, that is only read where its folder can "
                            "be written; copy both files, or name {}",
                            file, file, hint));
  }
  return SqliteAccess::read;
}

}  // namespace

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database::~Database() = default;

const std::string& Database::path() const { return state_->sqlite.path(); }

Database Database::open_existing(const std::string& path) {
  require_existing(path, database_hint);
  return open(path);
}

Database Database::open(const std::string& path, std::string_view hint) {
  return open_to_write(checked_file(path, hint), true, hint);
}

Database Database::open_to_read(const std::string& path, std::string_view hint) {
  require_existing(path, hint);
  const std::string file = checked_file(path, hint);
  if (has_bytes(file) && may_be_written(file)) return open_to_write(file, false, hint);
  return open_source(path, hint);
}

Database Database::open_source(const std::string& path, std::string_view hint) {
  require_existing(path, hint);
  const std::string file = checked_file(path, hint);
  if (!has_bytes(file)) reject_empty(file, hint);
  auto state = std::make_unique<State>(file, access_to_read(file, hint), hint);
  if (!has_schema_now(state->sqlite)) reject_empty(file, hint);
  return Database(std::move(state));
}

std::string read_machine(Sqlite& sqlite) {
  if (const std::string known = find_machine(sqlite); !known.empty()) return known;
  Transaction transaction(sqlite);
  std::string key = find_machine(sqlite);  // another process may have been here
  if (key.empty()) {
    key = random_key();
    sqlite.run("INSERT INTO machine VALUES (?1,?2)", key, content_key({key, host_name()}));
  }
  transaction.commit();
  return key;
}

Database Database::open_to_write(const std::string& file, bool may_make, std::string_view hint) {
  auto state = std::make_unique<State>(file, SqliteAccess::write, hint);
  Sqlite& sqlite = state->sqlite;
  const bool is_made = has_schema_now(sqlite);
  if (!is_made && !may_make) reject_empty(file, hint);
  sqlite.require_writable();
  sqlite.choose_journal(is_on_network(find_folder(file)));
  if (!is_made) make_tables(sqlite);
  sqlite.run("PRAGMA foreign_keys=ON");
  state->machine = find_machine(sqlite);
  return Database(std::move(state));
}

std::string Database::begin_run(const Problem& problem, const Effort& effort) {
  Sqlite& sqlite = state_->sqlite;
  if (state_->machine.empty()) state_->machine = read_machine(sqlite);
  const std::string created_at = utc_now();
  const std::string run = content_key({problem_key(problem), created_at, random_key()});
  const DeviceInfo& device = problem.device;
  Transaction transaction(sqlite);
  sqlite.run("INSERT INTO device VALUES (?1,?2,?3,?4,?5) ON CONFLICT(key) DO NOTHING",
             device_key(device), device.gpu, std::string_view(time_kind_name(device.kind)),
             device.version, device.arch);
  // The key holds the fingerprints alone, so the rest of a merged row may be wrong.
  sqlite.run(
      "INSERT INTO matrix VALUES (?1,?2,?3,?4,?5,?6,?7) ON CONFLICT(key) DO UPDATE SET "
      "rows = excluded.rows, cols = excluded.cols, nnz = excluded.nnz, name = excluded.name",
      matrix_key(problem.matrix), problem.matrix.pattern, problem.matrix.values, problem.rows,
      problem.cols, problem.nnz, shorten(problem.matrix_name, "name"));
  sqlite.run("INSERT INTO problem VALUES (?1,?2,?3,?4,?5,?6,?7,?8) ON CONFLICT(key) DO NOTHING",
             problem_key(problem), matrix_key(problem.matrix), device_key(device),
             std::string_view(dtype_name(problem.dtype)),
             std::string_view(regime_name(problem.regime)), problem.options,
             problem.generator_version, problem.sample_nnz);
  sqlite.run("INSERT INTO run VALUES (?1,?2,?3,?4,?5,?6,?7)", run, problem_key(problem),
             effort.seconds, effort.trials, as_stored(effort.seed), created_at, state_->machine);
  transaction.commit();
  return run;
}

void Database::record(const std::string& run, const Measurement& measurement) {
  Sqlite& sqlite = state_->sqlite;
  Measurement dated = measurement;
  if (dated.created_at.empty()) dated.created_at = utc_now();
  dated.reason = shorten(dated.reason, "reason");
  const Timing timing = measurement.timing.value_or(Timing{});
  // Where it was not timed, its columns are NULL.
  const auto timed = [&](auto value) {
    return measurement.timing ? std::optional(value) : std::nullopt;
  };
  const std::string design = design_key(measurement.design);
  Transaction transaction(sqlite);
  sqlite.run("INSERT INTO design VALUES (?1,?2) ON CONFLICT(key) DO NOTHING", design,
             measurement.design);
  sqlite.run(
      "INSERT INTO measurement VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
      "?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,?27,?28) ON CONFLICT(key) DO NOTHING",
      measurement_key(run, dated), run, design, std::string_view(status_name(measurement.status)),
      dated.reason,
      measurement.original.empty() ? std::nullopt
                                   : std::optional<std::string_view>(measurement.original),
      measurement.verified ? 1 : 0, measurement.counted ? 1 : 0, measurement.format_bytes,
      timed(timing.time_us), timing.time_us_min, timed(timing.time_us_p20),
      timed(timing.time_us_p80), timed(timing.samples), timed(timing.rounds),
      timed(timing.noisy ? 1 : 0), timed(std::string_view(timing.slowed)),
      timed(std::string_view(timing.note)), timing.registers, timing.spill_bytes, timing.sectors,
      timing.dram_bytes, timing.sm_mhz, measurement.convert_us, measurement.load_us,
      measurement.trial_us, measurement.bound_us, dated.created_at);
  transaction.commit();
}

void Database::finish(const std::string& run, RunState state, double seconds, std::int64_t trials) {
  const std::string_view name = state == RunState::complete ? "complete" : "interrupted";
  state_->sqlite.run("INSERT INTO run_end VALUES (?1,?2,?3,?4,?5) ON CONFLICT(run) DO NOTHING", run,
                     name, seconds, trials, utc_now());
}

void Database::ask_also(Database base) {
  state_->base = std::make_unique<Database>(std::move(base));
}

bool Database::is_complete(const Problem& problem, const Effort& effort, Origin origin) {
  if (origin == Origin::elsewhere && state_->base) {
    for (const Origin each : {Origin::here, Origin::elsewhere})
      if (state_->base->is_complete(problem, effort, each)) return true;
  }
  SqlStatement statement(
      state_->sqlite, fmt::format("SELECT 1 FROM run JOIN run_end ON run_end.run = run.key "
                                  "WHERE problem = ?1 AND {} AND state = 'complete' AND seed = ?3 "
                                  "AND seconds_asked >= ?4 "
                                  "AND (trials_asked = 0 OR (?5 > 0 AND trials_asked >= ?5))",
                                  find_condition(origin)));
  return statement
      .bind(problem_key(problem), state_->machine, as_stored(effort.seed), effort.seconds,
            effort.trials)
      .step();
}

Effort Database::spent(const Problem& problem, std::uint64_t seed) {
  SqlStatement statement(
      state_->sqlite,
      "WITH used AS (SELECT run.key, run.created_at, run_end.seconds, "
      "(SELECT max(created_at) FROM measurement WHERE run = run.key) AS last "
      "FROM run LEFT JOIN run_end ON run_end.run = run.key "
      "WHERE problem = ?1 AND machine = ?2 AND seed = ?3 AND seconds_asked > 0) "
      "SELECT total(max(0, CASE WHEN max(created_at, coalesce(last, '')) > ?4 THEN 0 ELSE "
      "coalesce(seconds, 86400 * (julianday(last) - julianday(created_at)), 0) END)), "
      "(SELECT count(*) FROM measurement JOIN used ON used.key = run "
      "WHERE status NOT IN ('pruned', 'duplicate') AND coalesce(rounds, 0) = 0) FROM used");
  CHECK(statement.bind(problem_key(problem), state_->machine, as_stored(seed), utc_now()).step());
  return {statement.real(0), statement.integer(1), seed};
}

Outcomes Database::outcomes(const Problem& problem) { return read_outcomes(problem_key(problem)); }

Outcomes Database::outcomes(const Problem& problem, Origin origin) {
  Outcomes outcomes =
      stored_outcomes(state_->sqlite, problem_key(problem), origin, state_->machine);
  if (origin == Origin::elsewhere && state_->base) outcomes.merge(state_->base->outcomes(problem));
  return outcomes;
}

std::optional<Measurement> Database::best(const Problem& problem) {
  const Outcomes all = outcomes(problem);
  const Measurement* const best = find_best(all);
  return best && best->timing ? std::optional(*best) : std::nullopt;
}

std::optional<Problem> Database::same_pattern(const Problem& problem, const Effort& effort) {
  SqlStatement statement(
      state_->sqlite,
      "SELECT matrix.value_bits, matrix.name FROM matrix "
      "JOIN problem ON problem.matrix = matrix.key JOIN run ON run.problem = problem.key "
      "JOIN run_end ON run_end.run = run.key "
      "WHERE matrix.pattern = ?1 AND matrix.value_bits <> ?2 AND device = ?3 AND dtype = ?4 "
      "AND regime = ?5 AND options = ?6 AND generator = ?7 AND state = 'complete' AND seed = ?8 "
      "AND sample_nnz IS ?11 "
      "AND seconds_asked >= ?9 AND (trials_asked = 0 OR (?10 > 0 AND trials_asked >= ?10)) "
      "ORDER BY run.created_at DESC LIMIT 1");
  statement.bind(problem.matrix.pattern, problem.matrix.values, device_key(problem.device),
                 std::string_view(dtype_name(problem.dtype)),
                 std::string_view(regime_name(problem.regime)), problem.options,
                 problem.generator_version, as_stored(effort.seed), effort.seconds, effort.trials,
                 problem.sample_nnz);
  if (!statement.step())
    return state_->base ? state_->base->same_pattern(problem, effort) : std::nullopt;
  Problem other = problem;
  other.matrix.values = statement.text(0);
  other.matrix_name = shorten(statement.text(1), "name");
  return other;
}

}  // namespace alphasparse
