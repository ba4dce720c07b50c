// db_options: the options of the commands of `alphasparse db`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"

namespace CLI {
class App;
}

namespace alphasparse {

enum class DbAction { list, report, show, best, export_file, import_file, merge, prune, verify };

/// The subject of a problem: designs for a matrix, other libraries' algorithms beside them, or
/// designs for a sample of the matrix.
enum class ProblemKind { search, baselines, samples };

/// Which problems are meant; an unset field holds for all.
struct ProblemFilter {
  std::string matrix;  ///< the name
  std::string device;  ///< part of the GPU's name, in any case of letters
  std::optional<Dtype> dtype;
  std::optional<CacheRegime> regime;
  std::optional<ProblemKind> kind;
  std::optional<bool> values_vary;  ///< of searches: --values varying
};

struct DbCommand {
  DbAction action = DbAction::list;
  std::string database;  ///< empty: database_path decides
  bool json = false;
  bool wide = false;                ///< list and best: all columns
  ProblemFilter filter;             ///< of list, show and best
  std::string name;                 ///< a key, a matrix name or file (show, best); a file
  std::vector<std::string> others;  ///< to merge
  PruneCriteria prune;
  bool dry_run = false;
};

/// Adds "db" with its commands; `database_doc` describes --db.
CLI::App* add_db(CLI::App& app, DbCommand& db, const std::string& database_doc);

}  // namespace alphasparse
