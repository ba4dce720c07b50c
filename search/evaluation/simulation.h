// simulation: replays of many matrices, variants of the search and seeds, and their results
// together.
//
// The best known design of a matrix is the best of all its recorded ones. So the more was recorded,
// the harder it is to come near. Example: of four replays one comes within 5 % at its 10th
// evaluation, one at its 30th, one at its 50th, one never: median 40, nine tenths of them: never.
//
// Measured times differ from one measurement to the next. Where a matrix was recorded twice, two
// replays are a tie if their bests differ by no more than its times do. Where the winners of all
// replays were measured in turn, two are a tie that these measurements do not tell apart.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database/database.h"
#include "search/evaluation/replay.h"
#include "search/learning/features.h"
#include "search/strategies/warm_start.h"
#include "search/trial/finals.h"

namespace alphasparse {

/// A winner's time over that of another one, by rounds in which all of a matrix were measured.
struct InTurn {
  double ratio = 1;
  double half_width = 0;  ///< of the ratio's 95 % interval, relative
};

/// One problem of a corpus, replayed.
struct SimulatedMatrix {
  std::string name;
  std::int64_t nnz = 0;
  std::int64_t recorded = 0;  ///< designs that are known
  double best_us = 0;         ///< of them
  double named_us = 0;        ///< of the best named design; 0: none has a time
  std::string best_design;
  bool is_near_floor = false;               ///< little more than a launch: see near_floor_us
  std::optional<double> spread;             ///< recorded_spread; nothing: recorded once
  std::map<std::string, InTurn> in_turn;    ///< by design; measure_winners
  std::vector<std::vector<Replayed>> runs;  ///< [variants][seeds]
};

/// The reach of counts or seconds that some replays have and others have not, because they never
/// got there.
struct Reach {
  double share = 0;              ///< that got there
  std::optional<double> median;  ///< nothing: half of them never do
  std::optional<double> p90;
};

/// `reached` holds one number a replay, or nothing.
Reach find_reach(std::vector<std::optional<double>> reached);

/// One variant over several matrices and seeds.
struct VariantSummary {
  std::string_view name;
  std::int64_t replays = 0;
  Reach evaluations_5, evaluations_1;  ///< to within 5 % and 1 % of the best known
  Reach seconds_5, seconds_1;          ///< likewise, of recorded trials on one thread
  double behind = 0;                   ///< geometric mean of best found / best known, at the end
  double behind_first = 0;             ///< the same of the first design that is right (--time 0)
  double behind_first_most = 0;        ///< its greatest
  double behind_5_s = 0, behind_20_s = 0;  ///< after so many seconds, or of the first design
  double in_common = 0;  ///< mean share of the first variant's designs that it has tried too
  double missing = 0;    ///< share of its proposals that are not recorded
  /// Counts of replays with a best that is faster than the first variant's with the same seed, as
  /// fast within the measurements' resolution, or slower. They are of matrices that were recorded
  /// twice, or with winners that were measured in turn.
  std::int64_t faster = 0, tied = 0, slower = 0;
  /// Geometric mean of the best found / the first variant's with the same seed, measured in turn.
  std::optional<double> in_turn;
};

/// How much the time of one kernel differs between two recordings of a problem, as a ratio of at
/// least 1. Nine tenths of the faster half of the designs in both stay within it. The factor that
/// all have in common is taken out first (a machine that was slower throughout). Nothing where
/// fewer than twenty are in both.
std::optional<double> recorded_spread(const Outcomes& one, const Outcomes& other);

/// The best of every replay, each design once, the first variant's first.
std::vector<std::string> list_winners(const SimulatedMatrix& matrix);

/// Measures them in turn, on a device that measures, if they are not all one design. A Failure says
/// why they were not measured.
std::optional<Failure> measure_winners(SimulatedMatrix& matrix, Trial& trial,
                                       const std::atomic<bool>& stop);

/// A row a variant, over those matrices that are, or are not, near the launch floor.
std::vector<VariantSummary> summarise_replays(const std::vector<SimulatedMatrix>& matrices,
                                              const std::vector<SearchVariant>& variants,
                                              bool near_floor);

/// The plan for each problem's replays.
struct SimulationPlan {
  std::vector<SearchVariant> variants;
  std::int64_t seeds = 3;  ///< 0, 1, ...
  std::int64_t evaluations = 256;
};

/// All replays of one problem, with a matrix that has these features; `warm` is for the variants
/// that begin with it. The outcomes that the recorder adds become part of `recorded`. If `stop`
/// ends them, the last runs are missing.
SimulatedMatrix simulate(const Matrix& matrix, const Features& features, const Problem& problem,
                         Outcomes recorded, const SimulationPlan& plan, const WarmStart& warm,
                         const Recorder& recorder, const std::atomic<bool>& stop);

}  // namespace alphasparse
