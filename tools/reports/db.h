// db: the output of the commands of `alphasparse db`, as text and as JSON (report.h describes the
// JSON of every command).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/database/database.h"
#include "search/explaining/pfs.h"
#include "tools/reports/table.h"

namespace alphasparse {

/// Digits of a problem's key that lists show; enough to name it.
inline constexpr std::size_t shown_key_digits = 12;

/// Such as "f32 warm", "f64 warm values=varying" or "f32 cold baselines".
std::string search_text(const Problem& problem);

/// A GPU and the kind of its times: "NVIDIA H200 SXM (modelled, sm_90, version gpu-models 3)".
std::string device_text(const DeviceInfo& device);

/// The report of list.
struct ListReport {
  std::string database;
  std::vector<StoredProblem> problems;
  std::map<std::string, PfsPair> pairs;     ///< by a problem's key, of those that have both
  std::map<std::string, Timing> baselines;  ///< likewise, the best baseline beside its winner

  std::vector<PfsSummary> summaries() const;
};

std::string list_text(const ListReport& report, TableWidth width);
std::string list_json(const ListReport& report);

/// The report of show: a problem, and those that were measured beside it.
struct ProblemHistory {
  StoredProblem stored;
  History history;
};

/// The winner; then the other outcomes, fastest first; then those without a time, then failures.
std::vector<const Measurement*> ranked(const ProblemHistory& shown);

/// Of each problem that was asked for, itself and then its baselines. There is one at least; JSON
/// has several as `problems`.
std::string history_text(const std::vector<std::vector<ProblemHistory>>& shown);
std::string history_json(const std::vector<std::vector<ProblemHistory>>& shown,
                         const std::string& database);

/// The winners for one matrix.
struct BestReport {
  ListReport winners;       ///< problems that have one
  std::string matrix;       ///< as asked for
  bool same_values = true;  ///< false: only the pattern is known, with other values
};

std::string best_text(const BestReport& report, TableWidth width);
std::string best_json(const BestReport& report);

/// The report of export.
std::string written_json(const std::string& file, const std::string& database);

/// The result of import or merge for one file.
struct Transfer {
  std::string file;
  Added added;
};

std::string transfers_text(const std::vector<Transfer>& transfers, const std::string& database);
std::string transfers_json(const std::vector<Transfer>& transfers, const std::string& database);

struct PruneReport {
  std::string database;
  std::vector<PrunedProblem> problems;
  bool dry_run = false;
  bool shrunk = false;
  std::int64_t bytes_before = 0, bytes = 0;  ///< of the file
};

std::string prune_text(const PruneReport& report);
std::string prune_json(const PruneReport& report);

std::string complaints_json(const std::vector<std::string>& complaints, std::int64_t old_failures,
                            const std::string& database);

}  // namespace alphasparse
