// run_store: the runs of one search in the database. A database that cannot be written any more
// ends the search, but its results stay.
#pragma once
#include <spdlog/spdlog.h>

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/database/database.h"

namespace alphasparse {

class RunStore {
 public:
  /// `database` may be null: nothing is kept. `broken` takes the error that ends the search.
  RunStore(Database* database, const Problem& problem, std::optional<Error>& broken)
      : database_(database), problem_(problem), broken_(broken) {}

  // A search begins its run, and the run of its baselines. Both throw the errors of the database.
  void begin(const Effort& effort);
  void begin_baselines(const Effort& effort);

  /// Begins the runs of an explanation, which is no search: no budget is spent on it. False where
  /// that fails.
  bool begin_explaining(std::uint64_t seed, bool has_baselines);

  void record(const Measurement& measurement) { record_in(run_, measurement); }
  void record_baseline(const Measurement& measurement) { record_in(baselines_, measurement); }

  /// Keeps data for later searches. This one needs none of it, so it goes on without.
  template <class Keep>
  void keep(const char* what, const Keep& act) {
    if (!database_ || broken_) return;
    try {
      act(*database_);
    } catch (const Error& error) {
      spdlog::warn("{} not kept: {}", what, error.what());
    }
  }

  /// The run of the search is left open while an explanation has its own.
  std::string detach_run() { return std::exchange(run_, ""); }
  void attach_run(std::string run) { run_ = std::move(run); }

  /// Ends the run, if there is one.
  void finish(RunState state, double seconds, std::int64_t trials);

 private:
  void record_in(const std::string& run, const Measurement& measurement);

  Database* database_;
  const Problem& problem_;
  std::optional<Error>& broken_;
  std::string run_, baselines_;  ///< their keys; empty: there is none
};

}  // namespace alphasparse
