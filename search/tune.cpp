#include "search/tune.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "operators/catalogue.h"
#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "search/candidates.h"
#include "search/trial.h"

namespace alphasparse {

namespace {

Problem problem_of(const Matrix& matrix, const Fingerprints& prints, const DeviceInfo& device,
                   const TuneOptions& options) {
  Problem problem;
  problem.matrix = prints;
  problem.rows = matrix.rows;
  problem.cols = matrix.cols;
  problem.nnz = matrix.nnz();
  problem.matrix_name = options.matrix_name;
  problem.device = device;
  problem.dtype = options.dtype;
  problem.regime = options.regime;
  problem.options = options.values_vary ? "values=varying" : "values=fixed";
  if (options.deterministic) problem.options += " deterministic";
  problem.generator_version = ALPHASPARSE_VERSION;
  return problem;
}

/// The one spelling of a named design, which is what outcomes go by.
std::string canonical_line(const NamedDesign& named) {
  const Result<Design> parsed = parse_design(named.line);
  CHECK(parsed.ok());
  const Result<Design> canonical = canonical_design(*parsed);
  CHECK(canonical.ok());
  return print_design(*canonical);
}

/// The fastest named design of the outcomes and its name.
std::pair<const Measurement*, std::string> best_named(const Outcomes& outcomes) {
  const Measurement* best = nullptr;
  std::string name;
  for (const NamedDesign& named : named_designs()) {
    const auto found = outcomes.find(canonical_line(named));
    if (found == outcomes.end() || !found->second.verified || !found->second.timing) continue;
    if (best && best->timing->time_us <= found->second.timing->time_us) continue;
    best = &found->second;
    name = named.name;
  }
  return {best, name};
}

std::vector<std::string> named_lines() {
  std::vector<std::string> lines;
  for (const NamedDesign& named : named_designs()) lines.push_back(canonical_line(named));
  return lines;
}

/// The design with the optimizer's passes: by the fewest bytes, by what is decoded with the fewest
/// instructions, and by deltas.
std::vector<std::string> compacted(const std::string& line, bool values_vary) {
  std::vector<std::string> designs;
  for (const char* const passes :
       {"compact", "compact columns=narrow structure=narrow", "compact columns=deltas"}) {
    Step step = parse_design(passes)->steps.front();
    if (values_vary) step.parameters.push_back({"values", "full"});
    const auto design = canonical_design(with_compact(*parse_design(line), step));
    CHECK(design.ok());
    designs.push_back(print_design(*design));
  }
  return designs;
}

std::int64_t counted_trials(const Outcomes& outcomes) {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [](const auto& entry) { return counts_as_trial(entry.second); });
}

/// One call of tune(): what its steps share.
struct Search {
  const Matrix& matrix;
  Database* database;
  const TuneOptions& options;
  const ProgressCallback& progress;
  const std::atomic<bool>& stop;
  const Problem problem;
  Trial trial;
  Effort left;      ///< of the budget; trials only where they are limited
  std::string run;  ///< its key in the database
  TuneResult result;

  /// Takes what earlier runs found and used from the problem and the budget.
  void recall() {
    if (!database || options.fresh) return;
    result.outcomes = database->outcomes(problem);
    if (result.outcomes.empty()) return;
    result.tier = Tier::resumed;
    const Effort spent = database->spent(problem, options.effort.seed);
    left.seconds -= spent.seconds;
    left.trials -= spent.trials;
  }

  void search(std::vector<std::string> first, bool with_variants) {
    Candidates candidates(
        std::move(first),
        [&](const std::string& design) {
          return with_variants ? coarse_variants(design, matrix) : std::vector<std::string>();
        },
        [&](const std::string& design) {
          return with_variants ? compacted(design, options.values_vary)
                               : std::vector<std::string>();
        });
    TrialLoop loop;
    loop.propose = [&](const Outcomes& outcomes) -> std::optional<std::string> {
      if (result.broken) return std::nullopt;
      return candidates.next(outcomes);
    };
    loop.try_design = [&](const std::string& design, const Patience& patience) {
      return trial.run(design, patience);
    };
    loop.record = [&](const Measurement& measurement) { record(measurement); };
    loop.progress = progress;
    loop.stop = &stop;
    loop.seconds = left.seconds;
    if (options.effort.trials > 0) loop.trials = left.trials;
    const std::int64_t trials_before = counted_trials(result.outcomes);
    try {
      const LoopEnd end = run_trials(loop, result.outcomes);
      left.seconds -= end.seconds;
      left.trials -= end.trials;
      result.interrupted = end.interrupted;
    } catch (const Error& error) {  // such as no room for temporary files
      result.broken = error;
    }
    result.trials_now += counted_trials(result.outcomes) - trials_before;
  }

  /// A database that cannot be written any more ends the search, not what it has found.
  void record(const Measurement& measurement) {
    if (!database) return;
    try {
      database->record(run, measurement);
    } catch (const Error& error) {
      result.broken = error;
    }
  }

  /// Tries what was best for this pattern with other values; true where that is the answer.
  bool search_same_pattern() {
    if (!database || options.fresh || result.tier != Tier::none) return false;
    const std::optional<Problem> other = database->same_pattern(problem, options.effort);
    if (!other) return false;
    const Outcomes outcomes = database->outcomes(*other);
    std::vector<std::string> designs;
    if (const Measurement* best = best_of(outcomes)) designs.push_back(best->design);
    if (const Measurement* named = best_named(outcomes).first) designs.push_back(named->design);
    if (designs.empty()) return false;
    search(designs, false);
    const auto first = result.outcomes.find(designs.front());
    if (result.broken) return true;
    if (first == result.outcomes.end() || first->second.status != Status::ok) return false;
    result.tier = Tier::pattern;
    return true;
  }

  void finish(double seconds) {
    if (!database) return;
    const bool done = !result.interrupted && !result.broken && best_of(result.outcomes);
    try {
      database->finish(run, done ? RunState::complete : RunState::interrupted, seconds,
                       result.trials_now);
    } catch (const Error& error) {
      if (!result.broken) result.broken = error;
    }
  }

  void conclude() {
    if (const Measurement* best = best_of(result.outcomes)) result.winner = *best;
    const auto [named, name] = best_named(result.outcomes);
    if (named) result.pfs = *named;
    result.pfs_name = name;
    result.trials = counted_trials(result.outcomes);
  }
};

}  // namespace

const char* tier_name(Tier tier) {
  switch (tier) {
    case Tier::none:
      return "none";
    case Tier::resumed:
      return "resumed";
    case Tier::pattern:
      return "pattern";
    case Tier::exact:
      return "exact";
  }
  CHECK(!"a tier without a name");
}

std::map<std::string, std::int64_t> TuneResult::statuses() const {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [design, outcome] : outcomes) ++counts[status_name(outcome.status)];
  return counts;
}

TuneResult tune(const Matrix& matrix, Device& device, Database* database,
                const TuneOptions& options, const ProgressCallback& progress,
                const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Fingerprints prints = fingerprints(matrix);
  Search search{matrix,
                database,
                options,
                progress,
                stop,
                problem_of(matrix, prints, device.info(), options),
                Trial(matrix, device, options),
                options.effort,
                {},
                {}};
  search.result.fingerprints = prints;
  search.result.device = device.info();
  search.result.csr_bytes = csr_bytes(matrix, options.dtype);
  search.recall();
  if (search.result.tier == Tier::resumed && best_of(search.result.outcomes) &&
      database->is_complete(search.problem, options.effort)) {
    search.result.tier = Tier::exact;
  } else {
    if (database) search.run = database->begin_run(search.problem, options.effort);
    if (!search.search_same_pattern() && !stop) search.search(named_lines(), true);
    search.finish(elapsed());
  }
  search.conclude();
  search.result.seconds = elapsed();
  return std::move(search.result);
}

}  // namespace alphasparse
