// options: the requests of the command line.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "generator/arrays/matrix.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"
#include "tools/commands/db_options.h"
#include "tools/console/inputs.h"
#include "tools/console/shards.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {

/// The most that one search may take.
inline constexpr double seconds_each_most = 8 * 3600;

struct TuneCommand {
  std::vector<std::string> matrices;  ///< at least one; files or folders
  std::string folder = ".";
  std::string name;             ///< of the files; empty: that of the matrix
  std::string prefix;           ///< of the C functions; empty: that of the matrix' name
  bool shared_runtime = false;  ///< --runtime shared
  std::string device = "auto";
  std::optional<double> seconds_each;   ///< --time
  std::optional<double> seconds_total;  ///< of all matrices; none: no limit
  std::optional<Shard> shard;
  Effort effort{60, 0, 0};  ///< of each; its seconds follow from those above
  DtypeChoice dtype;
  int vectors = 1;  ///< columns of X and Y
  CacheRegime regime = CacheRegime::warm;
  bool values_vary = false;
  bool may_round = false;  ///< --values-precision f32
  bool own_order = false;  ///< --vectors-order own
  bool deterministic = false;
  bool nonfinite_exact = false;
  std::string database;  ///< empty: database_path decides
  std::string base;      ///< a database that is only read; empty: none
  std::string results;   ///< a file of JSON lines; empty: none
  bool fresh = false;
  bool experience = true;
  bool verbose = false;
  bool explain = false;
  std::string report;  ///< a file of HTML; empty: none
  bool transpose = false;
  bool json = false;
  bool quiet = false;
  bool wide = false;  ///< all columns of the table of several matrices

  /// The seconds of a search of one matrix alone.
  double seconds_alone() const {
    const double most = seconds_each.value_or(seconds_total ? seconds_each_most : effort.seconds);
    return std::min(most, seconds_total.value_or(most));
  }
};

struct EmitCommand {
  std::string matrix;
  std::string design;  ///< text or name
  std::string folder = ".";
  std::string name;    ///< as of tune
  std::string prefix;  ///< as of tune
  bool shared_runtime = false;
  std::string device = "auto";
  DtypeChoice dtype;
  int vectors = 1;  ///< columns of X and Y
  bool nonfinite_exact = false;
  bool own_order = false;  ///< as of tune
  bool transpose = false;
  bool json = false;
};

struct RunCommand {
  std::string source;  ///< of an emitted kernel
};

struct BenchCommand {
  std::vector<std::string> matrices;  ///< at least one; files, or twins (tools/console/twin_inputs)
  std::string designs = "all";        ///< or names, separated by commas; or @FILE
  std::string device = "auto";
  DtypeChoice dtype;
  int vectors = 1;  ///< columns of X and Y
  CacheRegime regime = CacheRegime::warm;
  bool own_order = false;  ///< as of tune
  std::string report;      ///< as of tune
  bool fresh = false;      ///< measure memory again
  std::string json_file;   ///< where the object stands as far as it is known; empty: nowhere
  bool transpose = false;
  bool json = false;
  bool quiet = false;
};

struct AblateCommand {
  std::string matrix;
  std::string design;  ///< text or name
  std::string device = "auto";
  DtypeChoice dtype;
  int vectors = 1;  ///< columns of X and Y
  CacheRegime regime = CacheRegime::warm;
  bool own_order = false;  ///< as of tune
  bool transpose = false;
  bool json = false;
};

struct InspectCommand {
  std::string matrix;
  std::string picture;  ///< a file .svg or .png; empty: none
  bool transpose = false;
  bool json = false;
};

/// Statistics without a value: the archetype's or the twin's.
struct GenerateCommand {
  std::string kind;                 ///< an archetype, or "twin:NAME"
  std::string file;                 ///< .mtx
  std::int64_t rows = 0, cols = 0;  ///< 0: likewise, in its proportions
  std::optional<double> mean, std, skew, bandwidth, neighbours, similarity;
  std::optional<double> scale;  ///< of a twin, in (0, 1]
  SyntheticValues values = SyntheticValues::random;
  Dtype dtype = default_dtype;
  std::uint64_t seed = 0;
  bool list = false;
  bool json = false;
};

/// The output of show: the result of one step on the way from design to machine code.
enum class ShowStage { store, format, body, source, ptx, assembly };

struct ShowCommand {
  std::string matrix;
  std::string design;  ///< text or name
  ShowStage stage = ShowStage::format;
  std::string device = "auto";
  DtypeChoice dtype;
  int vectors = 1;  ///< columns of X and Y
  bool transpose = false;
  bool json = false;
};

struct SimulateCommand {
  std::string corpus;            ///< a folder
  std::string variants = "all";  ///< or names, separated by commas
  std::int64_t evaluations = 256;
  std::int64_t seeds = 3;
  bool record = false;
  double wait_seconds = 120;  ///< of a recording, while its device is slow, a matrix
  std::string repeated;       ///< a folder with a second recording; empty: there is none
  bool in_turn = false;       ///< the results of replays are measured once more
  std::string device;         ///< empty: emulated:h200 to record on, any to replay
  DtypeChoice dtype;
  CacheRegime regime = CacheRegime::warm;
  bool json = false;
  bool quiet = false;
};

struct OperatorsCommand {
  std::string name;  ///< empty: all
  bool json = false;
};

struct DesignsCommand {
  std::string name;  ///< empty: all
  bool json = false;
};

struct DevicesCommand {
  bool json = false;
};

struct DoctorCommand {
  bool json = false;
};

/// The action of `cache`.
enum class CacheAction { show, trim, clear };

struct CacheCommand {
  CacheAction action = CacheAction::show;
  bool json = false;
};

struct CompletionCommand {
  std::string shell;  ///< bash, zsh or fish
};

struct ManualCommand {
  std::string command;  ///< its page as Markdown; empty: the manual page of all
};

/// --help and --version: the text to print.
struct TextCommand {
  std::string text;
};

using Command =
    std::variant<TuneCommand, EmitCommand, RunCommand, BenchCommand, AblateCommand, InspectCommand,
                 GenerateCommand, ShowCommand, SimulateCommand, OperatorsCommand, DesignsCommand,
                 DevicesCommand, DbCommand, DoctorCommand, CacheCommand, CompletionCommand,
                 ManualCommand, TextCommand>;

/// Throws Error (exit 2), one line, where the arguments make no sense.
Command parse_command_line(int argc, const char* const* argv);

}  // namespace alphasparse
