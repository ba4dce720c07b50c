#include "search/evaluation/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "runtime/emulated/gpu_models.h"
#include "search/estimates/prior.h"
#include "search/explaining/pfs.h"
#include "search/learning/mean.h"

namespace alphasparse {

namespace {

constexpr double within_5 = 1.05;
constexpr double within_1 = 1.01;

/// The value that this share of the sorted numbers does not exceed; between two, their mean by
/// distance.
std::optional<double> quantile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = position - static_cast<double>(below);
  const double value =
      part == 0 ? sorted[below] : sorted[below] + part * (sorted[above] - sorted[below]);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

double share_in_common(const Replayed& first, const Replayed& other) {
  if (first.tried.empty()) return 0;
  const auto both =
      std::count_if(first.tried.begin(), first.tried.end(),
                    [&](const std::string& design) { return other.tried.contains(design); });
  return static_cast<double>(both) / static_cast<double>(first.tried.size());
}

/// The times of two replays' bests, where they were measured in turn.
std::optional<InTurn> compare_in_turn(const Replayed& replayed, const Replayed& first,
                                      const SimulatedMatrix& matrix) {
  if (replayed.bests.empty() || first.bests.empty() || matrix.in_turn.empty()) return std::nullopt;
  const std::string& design = replayed.bests.back().design;
  const std::string& other = first.bests.back().design;
  if (design == other) return InTurn();
  const auto one = matrix.in_turn.find(design), two = matrix.in_turn.find(other);
  if (one == matrix.in_turn.end() || two == matrix.in_turn.end()) return std::nullopt;
  return InTurn{one->second.ratio / two->second.ratio,
                one->second.half_width + two->second.half_width};
}

/// The same as they were recorded.
std::optional<InTurn> recorded_difference(const Replayed& replayed, const Replayed& first,
                                          double spread) {
  if (replayed.bests.empty() || first.bests.empty()) return std::nullopt;
  return InTurn{replayed.bests.back().time_us / first.bests.back().time_us, std::log(spread)};
}

/// Gathers the figures of a VariantSummary.
struct Gathered {
  std::vector<std::optional<double>> evaluations_5, evaluations_1, seconds_5, seconds_1;
  GeometricMean behind, behind_first, behind_5_s, behind_20_s;  ///< of replays that found anything
  double behind_first_most = 0;
  GeometricMean in_turn;
  double in_common = 0;
  std::int64_t missing = 0, proposed = 0;
  std::int64_t faster = 0, tied = 0, slower = 0;

  void add(const Replayed& replayed, const Replayed& first, double best_us) {
    const auto put = [](const ReplayStep* step, auto& evaluations, auto& seconds) {
      evaluations.push_back(step ? std::optional<double>(step->evaluations) : std::nullopt);
      seconds.push_back(step ? std::optional<double>(step->seconds) : std::nullopt);
    };
    put(replayed.reached(within_5 * best_us), evaluations_5, seconds_5);
    put(replayed.reached(within_1 * best_us), evaluations_1, seconds_1);
    in_common += share_in_common(first, replayed);
    missing += replayed.missing;
    proposed += replayed.missing + replayed.evaluations;
    if (replayed.bests.empty()) return;
    const double first_us = replayed.bests.front().time_us;
    const auto put_after = [&](double seconds_most, GeometricMean& mean) {
      double us = first_us;
      for (const ReplayStep& step : replayed.bests)
        if (step.seconds <= seconds_most) us = step.time_us;
      mean.add(us / best_us);
    };
    behind.add(replayed.bests.back().time_us / best_us);
    behind_first.add(first_us / best_us);
    behind_first_most = std::max(behind_first_most, first_us / best_us);
    put_after(5, behind_5_s);
    put_after(20, behind_20_s);
  }

  void compare(const Replayed& replayed, const Replayed& first, const SimulatedMatrix& matrix) {
    const std::optional<InTurn> known = compare_in_turn(replayed, first, matrix);
    if (known) in_turn.add(known->ratio);
    std::optional<InTurn> difference = known;
    if (!known && matrix.spread) difference = recorded_difference(replayed, first, *matrix.spread);
    if (!difference) return;
    const double distance = std::log(difference->ratio);
    const double least = difference->half_width;
    ++(distance > least ? slower : distance < -least ? faster : tied);
  }
};

}  // namespace

std::optional<double> recorded_spread(const Outcomes& one, const Outcomes& other) {
  constexpr std::size_t enough = 20;
  std::vector<std::pair<double, double>> timed;  // by this recording, and by the other over it
  for (const auto& [design, outcome] : one) {
    const auto again = other.find(design);
    if (again == other.end() || !outcome.timing || !again->second.timing) continue;
    const double us = outcome.timing->time_us, again_us = again->second.timing->time_us;
    if (us > 0 && again_us > 0) timed.emplace_back(us, again_us / us);
  }
  if (timed.size() < enough) return std::nullopt;
  std::sort(timed.begin(), timed.end());
  timed.resize(timed.size() / 2);
  std::vector<double> logs;
  for (const auto& [us, ratio] : timed) logs.push_back(std::log(ratio));
  std::sort(logs.begin(), logs.end());
  const double in_common = *quantile(logs, 0.5);
  for (double& log : logs) log = std::abs(log - in_common);
  std::sort(logs.begin(), logs.end());
  return std::exp(*quantile(logs, 0.9));
}

Reach find_reach(std::vector<std::optional<double>> reached) {
  Reach reach;
  if (reached.empty()) return reach;
  std::vector<double> sorted;
  for (const auto& number : reached) {
    sorted.push_back(number.value_or(std::numeric_limits<double>::infinity()));
    reach.share += number ? 1 : 0;
  }
  reach.share /= static_cast<double>(reached.size());
  std::sort(sorted.begin(), sorted.end());
  reach.median = quantile(sorted, 0.5);
  reach.p90 = quantile(sorted, 0.9);
  return reach;
}

std::vector<std::string> list_winners(const SimulatedMatrix& matrix) {
  std::vector<std::string> winners;
  for (const std::vector<Replayed>& of_variant : matrix.runs) {
    for (const Replayed& replayed : of_variant) {
      if (replayed.bests.empty()) continue;
      const std::string& design = replayed.bests.back().design;
      const bool is_new = std::find(winners.begin(), winners.end(), design) == winners.end();
      if (is_new) winners.push_back(design);
    }
  }
  return winners;
}

std::optional<Failure> measure_winners(SimulatedMatrix& matrix, Trial& trial,
                                       const std::atomic<bool>& stop) {
  const std::vector<std::string> winners = list_winners(matrix);
  if (winners.size() == 1) matrix.in_turn[winners.front()] = {};
  if (winners.size() < 2) return std::nullopt;
  constexpr double seconds = 30;  // no user waits for it
  Subjects subjects;
  for (const std::string& winner : winners) {
    const Result<Subject> subject = Subject::read(winner);
    if (!subject) return subject.failure();
    subjects.push_back(*subject);
  }
  const auto finals = run_finals(trial, subjects, {}, seconds, stop);
  if (!finals) return finals.failure();
  for (const Finalist& finalist : *finals) {
    if (!finalist.outcome.timing) continue;
    matrix.in_turn[finalist.outcome.design] = {finalist.standing.ratio,
                                               finalist.standing.half_width};
  }
  return std::nullopt;
}

std::vector<VariantSummary> summarise_replays(const std::vector<SimulatedMatrix>& matrices,
                                              const std::vector<SearchVariant>& variants,
                                              bool near_floor) {
  std::vector<VariantSummary> rows;
  for (std::size_t variant = 0; variant < variants.size(); ++variant) {
    Gathered gathered;
    for (const SimulatedMatrix& matrix : matrices) {
      if (matrix.is_near_floor != near_floor || matrix.runs.size() <= variant) continue;
      for (std::size_t seed = 0; seed < matrix.runs[variant].size(); ++seed) {
        const Replayed& first = matrix.runs[0][seed];
        const Replayed& replayed = matrix.runs[variant][seed];
        gathered.add(replayed, first, matrix.best_us);
        gathered.compare(replayed, first, matrix);
      }
    }
    const auto replays = static_cast<std::int64_t>(gathered.evaluations_5.size());
    if (replays == 0) continue;
    VariantSummary row;
    row.name = variants[variant].name;
    row.replays = replays;
    row.evaluations_5 = find_reach(gathered.evaluations_5);
    row.evaluations_1 = find_reach(gathered.evaluations_1);
    row.seconds_5 = find_reach(gathered.seconds_5);
    row.seconds_1 = find_reach(gathered.seconds_1);
    row.behind = gathered.behind.value().value_or(0);
    row.behind_first = gathered.behind_first.value().value_or(0);
    row.behind_first_most = gathered.behind_first_most;
    row.behind_5_s = gathered.behind_5_s.value().value_or(0);
    row.behind_20_s = gathered.behind_20_s.value().value_or(0);
    row.in_common = gathered.in_common / static_cast<double>(replays);
    row.faster = gathered.faster;
    row.tied = gathered.tied;
    row.slower = gathered.slower;
    row.in_turn = gathered.in_turn.value();
    if (gathered.proposed > 0) {
      row.missing = static_cast<double>(gathered.missing) / static_cast<double>(gathered.proposed);
    }
    rows.push_back(row);
  }
  return rows;
}

SimulatedMatrix simulate(const Matrix& matrix, const Features& features, const Problem& problem,
                         Outcomes recorded, const SimulationPlan& plan, const WarmStart& warm,
                         const Recorder& recorder, const std::atomic<bool>& stop) {
  SimulatedMatrix simulated;
  simulated.name = problem.matrix_name;
  simulated.nnz = problem.nnz;
  ExpectedTimes expected;  // the same designs in every replay
  const RowOrders orders = promising_orders(matrix);
  for (const SearchVariant& variant : plan.variants) {
    std::vector<Replayed>& runs = simulated.runs.emplace_back();
    for (std::int64_t seed = 0; seed < plan.seeds && !stop; ++seed) {
      ReplayPlan replayed;
      replayed.search.seed = static_cast<std::uint64_t>(seed);
      replayed.search.dtype = problem.dtype;
      replayed.search.is_measured = problem.device.kind == TimeKind::measured;
      replayed.search.target = problem.device.target;
      replayed.search.is_team = problem.device.threads > 1;
      replayed.search.expected = [&](const Designs& designs) {
        if (expected.empty()) {
          expected = expected_times(
              matrix, designs, {problem.device, problem.dtype, problem.regime, problem.vectors()},
              {});
        }
        return expected;
      };
      replayed.search.features = &features;
      replayed.search.row_orders = &orders;
      replayed.search.parts = variant.parts;
      if (variant.start != SearchStart::cold) replayed.search.warm = warm;
      replayed.evaluations = plan.evaluations;
      replayed.stop = &stop;
      runs.push_back(replay(matrix, recorded, replayed, recorder));
    }
  }
  simulated.recorded = static_cast<std::int64_t>(recorded.size());
  if (const Measurement* const best = find_best(recorded); best && best->timing) {
    simulated.best_us = best->timing->time_us;
    simulated.best_design = best->design;
  }
  const Measurement* const pfs = best_named(recorded).outcome;
  simulated.named_us = pfs ? pfs->timing->time_us : 0;
  simulated.is_near_floor = simulated.best_us < near_floor_us(problem.device);
  return simulated;
}

}  // namespace alphasparse
