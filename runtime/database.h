// database: the tuning database - every measurement that was ever taken, and what follows from it.
//
// Nothing is changed or deleted: rows are added under the hash of their content (XXH3, 128 bit, in
// hexadecimal), so that merging two databases is a union. Winners are not stored, they are asked
// for: of a design's measurements the newest counts; of the designs the fastest that is verified.
//
//   problem   a matrix on a device with a dtype, a cache regime, options and a generator: what
//             makes times comparable. Modelled and measured times never share one.
//   run       one search of a problem, with its budget; its end is a row of its own, so that a run
//             without one was killed, or still goes on.
//
// Several processes may use one file. A file of an older schema is brought up to date; one that is
// damaged, foreign or newer than this program is refused and left as it is. Everything here throws
// Error (exit 5) naming the file.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "generator/matrix.h"
#include "runtime/device.h"
#include "runtime/measurement.h"

namespace alphasparse {

/// What is searched for. Two problems are the same where all fields but `matrix_name`, the shape
/// (which the pattern implies) and `device.name` (a slot, not a GPU) are equal.
struct Problem {
  Fingerprints matrix;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::string matrix_name;
  DeviceInfo device;
  Dtype dtype = Dtype::f32;
  CacheRegime regime = CacheRegime::warm;
  std::string options;  ///< those that change which designs are allowed, in one spelling
  std::string generator_version;
};

/// How hard a run searches.
struct Effort {
  double seconds = 0;
  std::int64_t trials = 0;  ///< 0: as many as the time allows
  std::uint64_t seed = 0;
};

enum class RunState { complete, interrupted };

class Database {
 public:
  /// Opens the file, or makes it; its folder must exist.
  static Database open(const std::string& path);
  Database(Database&&) noexcept;
  ~Database();

  /// Starts a run and returns its key.
  std::string begin_run(const Problem& problem, const Effort& effort);

  /// Adds a measurement, committed on return. The very same one again changes nothing. A timing's
  /// numbers are finite.
  void record(const std::string& run, const Measurement& measurement);

  /// Ends a run, once.
  void finish(const std::string& run, RunState state, double seconds, std::int64_t trials);

  /// Whether a run of this problem and seed came to its end with at least this budget, so that
  /// another could only repeat it.
  bool is_complete(const Problem& problem, const Effort& effort);

  /// What the runs of this problem and seed have used so far; pruned designs, duplicates and what was
  /// measured again in turn are no trials. A killed run counts up to its last measurement.
  Effort spent(const Problem& problem, std::uint64_t seed);

  Outcomes outcomes(const Problem& problem);

  /// best_of(outcomes(problem)).
  std::optional<Measurement> best(const Problem& problem);

  /// The same problem for a matrix with this pattern and other values, newest run first, if one was
  /// completed with at least this effort.
  std::optional<Problem> same_pattern(const Problem& problem, const Effort& effort);

  /// Adds everything that the other file holds and this one does not. The other is not changed, but
  /// for its schema.
  void merge(const std::string& other_path);

  /// Empty where every page and reference is sound, else the first complaint.
  std::string check();

  const std::string& path() const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The file to use: the option, else ALPHASPARSE_DB, else alphasparse/tuning.db in XDG_DATA_HOME or
/// ~/.local/share, whose folders are made. Throws Error (exit 5) where none of them is set.
std::string database_place(const std::string& option);

/// Refuses a path, absolute, that is no file, has no folder, or holds something else than a whole
/// SQLite file; one that does not exist, or is empty, is well. Throws Error (exit 5).
void check_database_file(const std::string& path);

}  // namespace alphasparse
