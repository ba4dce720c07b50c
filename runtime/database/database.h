// database: the tuning database - every measurement that was ever taken, and its consequences.
//
// Nothing is changed, and nothing deleted but by prune: rows are added under the hash of their
// content (XXH3, 128 bit, in hexadecimal), so that merging two databases is a union. Winners are
// not stored, they are asked for: of a design's measurements the newest counts; of the designs the
// fastest that is verified.
//
//   problem   a matrix on a device with a dtype, a cache regime, options and a generator: all that
//             makes times comparable. Modelled and measured times never share one.
//   run       one search of a problem, with its budget; its end is a row of its own, so that a run
//             without one was killed, or still goes on.
//   features  of a matrix, once a version of their meaning
//   machine   that has begun a run. Each machine that uses a file has a random key there, which
//             never travels: measurements of other machines are proposals here (Origin).
//
// Several processes may use one file, and a process that may not write it can still ask it. A file
// is rejected and left as it is where it is damaged, foreign or of another schema, or where its
// schema has anything that this program has not made. Everything here throws Error (exit 5) naming
// the file.
#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/matrix.h"
#include "runtime/database/learning.h"
#include "runtime/database/measurement.h"
#include "runtime/device/device.h"
#include "runtime/device/roofline.h"
#include "runtime/system/database_hint.h"

namespace alphasparse {

/// The options of a problem under which the vendor's algorithms are kept: they take no options of
/// ours but the number of vectors, and a design is none of theirs.
inline constexpr std::string_view vendor_options = "vendor";

/// " vectors=8" behind other options; nothing of one vector.
std::string vectors_option(int vectors);

/// The problem that a search solves. Two problems are the same where all fields but `matrix_name`,
/// the shape (which the pattern implies) and `device.name` (a slot, not a GPU) are equal.
struct Problem {
  Fingerprints matrix;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::string matrix_name;
  DeviceInfo device;
  Dtype dtype = default_dtype;
  CacheRegime regime = CacheRegime::warm;
  std::string options;  ///< those that change which designs are allowed, in one spelling
  std::string generator_version;
  std::optional<std::int64_t> sample_nnz = {};  ///< where it is about a sample of the matrix

  /// Whether its designs are names of the vendor's algorithms, which are kept as a problem of their
  /// own.
  bool is_baseline() const;

  /// Columns of X and Y, which the options tell where they are several.
  int vectors() const;

  bool is_sample() const { return sample_nnz.has_value(); }
};

/// How hard a run searches.
struct Effort {
  double seconds = 0;
  std::int64_t trials = 0;  ///< 0: as many as the time allows
  std::uint64_t seed = 0;
};

enum class RunState { complete, interrupted };

/// The machine that has begun a run.
enum class Origin {
  here,      ///< this machine
  elsewhere  ///< another machine, or the writer of merged rows
};

/// A problem as it is kept, and the facts that are known of it.
struct StoredProblem {
  std::string key;
  Problem problem;  ///< its device without a name
  std::int64_t runs = 0;
  std::int64_t measurements = 0;
  std::optional<Measurement> best;  ///< find_best of its outcomes, of baselines best_baseline
};

/// A problem, and the features of its matrix where they are kept.
struct LearnedProblem {
  std::string key;
  Problem problem;  ///< its device without a name
  std::optional<StoredFeatures> features;
  bool at_random = true;  ///< false: chosen for numbers that are like those asked for
};

/// Which problems are meant; an empty field holds for all.
struct ProblemChoice {
  std::string matrix_name;
  std::string pattern;    ///< of the fingerprints
  std::string key_begin;  ///< of the problem's key
};

/// Sees a problem with its outcomes, of which `best` is the best.
using ProblemVisitor = std::function<void(const StoredProblem&, const Outcomes&)>;

/// How a run ended.
struct RunEnd {
  RunState state = RunState::complete;
  double seconds = 0;
  std::int64_t trials = 0;
};

struct StoredRun {
  std::string key;
  Effort requested;
  std::string created_at;
  std::optional<RunEnd> end;  ///< none: killed, or still going on
  std::int64_t measurements = 0;
};

/// All of one problem.
struct History {
  Outcomes outcomes;
  std::vector<StoredRun> runs;  ///< oldest first
};

/// Rows that a union has added.
struct Added {
  std::int64_t problems = 0;
  std::int64_t runs = 0;
  std::int64_t measurements = 0;
  std::map<std::string, std::int64_t> skipped = {};  ///< rows that were left out, by reason
};

/// The fault in the text of a design, of the vendor's algorithms or ours; empty: nothing.
using DesignCheck = std::function<std::string(const std::string& text, bool is_baseline)>;

/// Which measurements are to go: those for which everything that is asked for holds.
struct PruneCriteria {
  std::optional<std::int64_t> days;  ///< taken longer ago than this
  bool failed = false;               ///< ended in any status but ok
  std::string other_generator_than;  ///< of a problem of another generator version; empty: of any
  std::string matrix;                ///< of a matrix of this name; empty: of any

  bool any() const { return days || failed || !other_generator_than.empty() || !matrix.empty(); }
};

/// The rows of one problem that prune removes.
struct PrunedProblem {
  StoredProblem before;
  std::int64_t measurements = 0;
  std::int64_t runs = 0;
  bool whole = false;  ///< nothing of it stays
};

class Database {
 public:
  /// Opens the file, or makes it; its folder must exist. Errors of the database advise `remedy`,
  /// here and in the functions below.
  static Database open(const std::string& path, std::string_view hint = database_hint);

  /// Opens the file, which must be there.
  static Database open_existing(const std::string& path);

  /// Opens a file that holds a database already, to ask it only; one that is empty is rejected. It
  /// is the same as `open` where file and folder may be written. Elsewhere nothing is made beside
  /// it; where there is no log beside such a file, nobody is taken to write it meanwhile.
  static Database open_to_read(const std::string& path, std::string_view hint = database_hint);

  /// Opens a file as the source of merge(): it and its folder stay as they are.
  static Database open_source(const std::string& path, std::string_view hint = database_hint);
  Database(Database&&) noexcept;
  ~Database();

  /// From now on, rows of another database count here as if they had been merged: as proposals of
  /// other machines. It is asked only, and nothing of it is copied.
  void ask_also(Database base);

  /// Starts a run and returns its key. From now on the matrix has the problem's name and shape.
  std::string begin_run(const Problem& problem, const Effort& effort);

  /// Adds a measurement, committed on return. The very same one again changes nothing. A timing's
  /// numbers are finite.
  void record(const std::string& run, const Measurement& measurement);

  /// Ends a run, once.
  void finish(const std::string& run, RunState state, double seconds, std::int64_t trials);

  /// Whether a run of this problem and seed came to its end with at least this budget, so that
  /// another could only repeat it.
  bool is_complete(const Problem& problem, const Effort& effort, Origin origin = Origin::here);

  /// The time and trials that this machine's runs of this problem and seed have used so far. Runs
  /// that asked for no time were no searches and have used none. Pruned designs, duplicates and
  /// repeated measurements in turn are no trials. A killed run counts up to its last measurement. A
  /// run of the future, or of less than no time, counts as 0 s.
  Effort spent(const Problem& problem, std::uint64_t seed);

  Outcomes outcomes(const Problem& problem);

  /// The memory throughput of a device, as this machine has measured it last; a new driver is a new
  /// device.
  std::optional<Roofline> roofline(const DeviceInfo& device);

  /// Keeps it in the place of the one before. Numbers are finite.
  void keep_roofline(const DeviceInfo& device, const Roofline& roofline);

  /// Only those of the runs of one origin.
  Outcomes outcomes(const Problem& problem, Origin origin);

  /// find_best(outcomes(problem)).
  std::optional<Measurement> best(const Problem& problem);

  /// The same problem for a matrix with this pattern and other values, newest run first, if one was
  /// completed with at least this effort.
  std::optional<Problem> same_pattern(const Problem& problem, const Effort& effort);

  /// Keeps the features of a matrix in the place of all of that version; a run has been begun for
  /// the matrix. Numbers are finite.
  void keep_features(const Fingerprints& matrix, const StoredFeatures& features);

  /// Features of this version; one that cannot be read counts as none.
  std::optional<StoredFeatures> features(const Fingerprints& matrix, int version);

  /// Problems by key, with the features of the version asked for where their matrices have them.
  /// They are those of the same pattern, some of those under the same conditions (device, dtype,
  /// regime, options), some at random, and those of matrices with one of the numbers of
  /// likeness_columns close to theirs. All there are in a small database; in a large one a number
  /// of them that does not grow with it.
  std::vector<LearnedProblem> problems_alike(const Problem& problem,
                                             const StoredFeatures& features);

  /// The problems of the matrices of this pattern, by key.
  std::vector<LearnedProblem> read_problems(const std::string& pattern, int features_version);

  /// The outcomes of the problem of this key.
  Outcomes read_outcomes(const std::string& problem);

  /// The problems that are meant, by matrix name, device and the rest; `visit`, where given, gets
  /// each with its outcomes. No row of another matrix is read where a name, a pattern or a key is
  /// given.
  std::vector<StoredProblem> problems(const ProblemChoice& choice = {},
                                      const ProblemVisitor& visit = {});

  /// Takes work on for so many seconds: false where another holder has it. The same holder may take
  /// it again, which prolongs it.
  bool claim(const std::string& work, const std::string& holder, double seconds);

  /// Gives it back before that time is over.
  void release(const std::string& work, const std::string& holder);

  /// Whether a search of this machine has an answer for a matrix of the problem's name, under the
  /// problem's conditions.
  bool has_answer(const Problem& problem);

  /// How many problems there are.
  std::int64_t problem_count();

  /// The history of the problem of this key.
  History history(const std::string& problem);

  /// Adds every sound row that the other holds and this one does not, some thousand in a
  /// transaction, so that others write in between; the runs count as another machine's. It leaves
  /// out rows with impossible numbers or dates, and rows with a design that does not pass the
  /// check. A file with damaged pages, or this very file (exit 2), is rejected; the other is not
  /// changed.
  Added merge(Database& other, const DesignCheck& design_check = {});
  Added merge(const std::string& other_path, const DesignCheck& design_check = {});

  /// All rows as one JSON document, in an order that follows from them, one row a line: handed over
  /// in pieces.
  void export_json(const std::function<void(std::string_view)>& write);
  std::string export_json();

  /// Such a document as a database of this process. Throws Error (exit 2), naming the document
  /// `name`, where it is none or one of its rows is wrong. The stream is read more than once.
  static Database from_json(std::istream& document, const std::string& name);
  static Database from_json(const std::string& text, const std::string& name);

  /// Removes measurements, then the runs that have lost all of theirs, then rows that nothing
  /// refers to any more (where a matrix is named, texts of designs stay). Returns the removed rows
  /// by problem. `dry`: only says so. Three kinds of rows stay: the newest measurement of a winner
  /// where no matrix name is asked for, that of any design while an older one stays, and a run
  /// without an end that began less than a day ago. There must be a criterion.
  std::vector<PrunedProblem> prune(const PruneCriteria& criteria, bool dry);

  /// Whether removed rows have left so much space that a copy of the file pays.
  bool is_worth_shrinking();

  /// Gives the space of removed rows back to the disk; false where another process writes, or the
  /// disk has no room for a copy.
  bool shrink();

  /// Empty where every page and reference is sound, else the first complaint.
  std::string check();

  /// Everything that is wrong: pages, references, then the meaning of rows - keys that are not the
  /// hash of their content, impossible numbers. Designs of this program's version are put to the
  /// check, where there is one.
  std::vector<std::string> complaints(const DesignCheck& design_check);

  /// Failures of other generators that may be a machine's and not a design's: kernels that failed
  /// to compile, to launch or to fit, crashed or took too long. Up to version 11 such were stored.
  std::int64_t old_failures();

  const std::string& path() const;

 private:
  static Database open_to_write(const std::string& file, bool may_make, std::string_view hint);

  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The file to use: the option, else ALPHASPARSE_DB, else alphasparse/tuning.db in XDG_DATA_HOME or
/// ~/.local/share. It makes these folders. Throws Error (exit 5) where none of them is set.
std::string database_path(const std::string& option);

/// Rejects a path, absolute, that is no file, has no folder, or holds something else than a whole
/// SQLite file; one that does not exist, or is empty, is well. Throws Error (exit 5), which advises
/// `remedy`.
void check_database_file(const std::string& path, std::string_view hint);

}  // namespace alphasparse
