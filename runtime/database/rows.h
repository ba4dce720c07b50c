// rows: the rows of the tuning database as values - their keys, and how one is read.
//
// The common parts of the files database*.cpp; nothing else includes it.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/database/database.h"
#include "runtime/system/sqlite.h"

namespace alphasparse {

struct Database::State {
  explicit State(const std::string& path, SqliteAccess access = SqliteAccess::write,
                 std::string_view hint = database_hint)
      : sqlite(path, access, hint) {}
  Sqlite sqlite;
  std::string machine = {};  ///< key of this machine's row; empty where it has begun no run here
  std::unique_ptr<Database> base = {};  ///< is asked too
};

/// The key of this machine's row in the file, which is made where there is none: each writer of
/// this machine's rows has one.
std::string read_machine(Sqlite& sqlite);

std::string matrix_key(const Fingerprints& matrix);
std::string device_key(const DeviceInfo& device);
std::string design_key(const std::string& design);
std::string problem_key(const Problem& problem);

/// The key of a measurement with created_at set. `tools/renew_database` spells it the same.
std::string measurement_key(const std::string& run, const Measurement& measurement);

/// Of a problem's measurements of a design, the newest: a table with the columns of measurement,
/// and problem and text. Only of the runs for which the condition holds.
std::string outcome_table(std::string_view condition_of_run);

/// Columns of outcome_table, and of `measurement` joined with `design`.
inline constexpr std::string_view outcome_columns =
    "text, status, reason, original, verified, counted, format_bytes, convert_us, load_us, "
    "trial_us, "
    "bound_us, created_at, time_us, time_us_min, time_us_p20, time_us_p80, samples, rounds, noisy, "
    "slowed, note, registers, spill_bytes, sectors, dram_bytes, sm_mhz";
inline constexpr int outcome_column_count = 26;  ///< where columns behind them begin

/// The measurement of a row with the columns outcome_columns.
Measurement read_measurement(const SqlStatement& row);

/// The outcomes of the problem of this key; of a `machine`, only those of runs of this origin.
Outcomes stored_outcomes(Sqlite& sqlite, const std::string& problem);
Outcomes stored_outcomes(Sqlite& sqlite, const std::string& problem, Origin origin,
                         const std::string& machine);

/// The condition under which a run is of this origin, with the machine as parameter ?2.
std::string_view find_condition(Origin origin);

/// Database::problems() inside a transaction of the caller.
std::vector<StoredProblem> stored_problems(Sqlite& sqlite, const ProblemChoice& choice,
                                           const ProblemVisitor& visit = {});

/// A fault of one row.
struct Complaint {
  std::string table, key, what;
  std::string text() const;
};

/// The faults of pages, of references, and then of the meaning of rows; in a transaction of the
/// caller.
std::vector<std::string> all_complaints(Sqlite& sqlite, const DesignCheck& design_check);

/// Only the faults in the meaning of rows that SQLite itself holds to be sound.
std::vector<Complaint> row_complaints(Sqlite& sqlite, const DesignCheck& design_check);

/// The same of rows of other machines, with further rules: every design is put to the check, times
/// are above zero, and dates are neither in the future nor before their run.
std::vector<Complaint> foreign_row_complaints(Sqlite& sqlite, const DesignCheck& design_check);

/// The faults of the pages of the file.
std::vector<std::string> page_complaints(Sqlite& sqlite);

/// The columns that problem_of_row reads, and those behind them begin at this index.
inline constexpr std::string_view problem_columns =
    "problem.key, pattern, value_bits, rows, cols, nnz, name, gpu, kind, device.version, arch, "
    "dtype, regime, options, generator, sample_nnz";
inline constexpr int problem_column_count = 16;
Problem problem_of_row(const SqlStatement& row);

/// Only the faults of features.
std::vector<Complaint> feature_complaints(Sqlite& sqlite);

}  // namespace alphasparse
