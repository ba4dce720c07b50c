#include "search/order_worth.h"

#include <spdlog/spdlog.h>

#include <numeric>
#include <string>
#include <vector>

#include "operators/designer.h"
#include "runtime/system/stopwatch.h"
#include "search/last_comparison.h"

namespace alphasparse {

namespace {

constexpr std::size_t libraries_most = 4;  // those that are the fastest in the given order

Matrix permuted(const Matrix& matrix, const Store& store) {
  Matrix result{matrix.rows,
                matrix.cols,
                store.ints({Level::matrix, Name::row_first_nz}),
                store.ints({Level::matrix, Name::nz_col}),
                {}};
  for (const std::int32_t source : store.ints({Level::matrix, Name::value_source})) {
    result.value.push_back(matrix.value[source]);
    if (matrix.is_complex()) result.imag.push_back(matrix.imag[source]);
  }
  return result;
}

/// The time of moving a vector: the product with the matrix of its permutation.
std::optional<double> moving_us(const SearchRun& search, Device& device,
                                const std::vector<std::int32_t>& indices) {
  const auto size = static_cast<std::int32_t>(indices.size());
  Matrix matrix{size, size, std::vector<std::int32_t>(indices.size() + 1), indices,
                std::vector<double>(indices.size(), 1)};
  std::iota(matrix.row_first.begin(), matrix.row_first.end(), 0);
  TuneOptions options;
  options.dtype = search.setting.options.dtype;
  options.regime = search.setting.options.regime;
  const std::string gather =
      std::string(
          "compress | thread_rows rows=1 | thread_total | global_store | compact | launch ") +
      (device.info().target == Target::cpu ? "tasks=bytes" : "threads=256");
  const Measurement moved = Trial(matrix, device, options).run(gather, {{}, &search.setting.stop});
  return moved.timing ? std::optional(moved.timing->time_us) : std::nullopt;
}

/// The best libraries on the permuted matrix, in turn with the winner without its first step, which
/// is the same kernel there.
void meet_libraries(SearchRun& search, const LastComparison& comparison, Device& device,
                    const Matrix& matrix, OrderWorth& worth) {
  const Measurement& winner = *find_best(search.result.outcomes);
  const std::string behind = winner.design.substr(winner.design.find('|') + 1);
  Subjects subjects = {CanonicalDesign::read(behind).value()};
  for (const Measurement* const outcome : sort_by_time(search.result.baseline_outcomes)) {
    if (subjects.size() <= libraries_most) subjects.emplace_back(*find_baseline(outcome->design));
  }
  if (subjects.size() == 1) return;
  Trial trial(matrix, device, search.setting.options);
  // Half of it is for loading, and the winner's kernel is compiled once more.
  const double seconds = comparison.seconds() + 2e-6 * winner.trial_us.value_or(0);
  const auto finals = run_finals(trial, subjects, comparison.plan(), seconds, search.setting.stop);
  if (!finals) return spdlog::warn("no library met the permuted matrix: {}", finals.reason());
  const Measurement& ours = finals->front().outcome;
  if (ours.design != subjects.front().name() || !ours.timing) return;
  for (std::size_t i = 1; i < finals->size(); ++i) {
    const Measurement& outcome = (*finals)[i].outcome;
    if (!outcome.timing ||
        (worth.vendor && outcome.timing->time_us > worth.vendor->timing->time_us))
      continue;
    worth.vendor = outcome;
    worth.in_turn = ours.timing;
  }
}

}  // namespace

std::optional<double> OrderWorth::products_to_pay(const Measurement& winner) const {
  if (!permutations_us || !given || !winner.timing) return std::nullopt;
  const double gain_us = given->timing->time_us - winner.timing->time_us;
  return gain_us > 0 ? std::optional(*permutations_us / gain_us) : std::nullopt;
}

const Measurement* best_in_given_order(const Outcomes& outcomes) {
  const Measurement* const best = find_best(outcomes);
  if (!best || !has_own_order(best->design)) return nullptr;
  for (const auto& timed : {newest_by_time(outcomes), sort_by_time(outcomes)}) {
    for (const Measurement* const outcome : timed) {
      if (!has_own_order(outcome->design)) return outcome;
    }
  }
  return nullptr;
}

void weigh_order(SearchRun& search, const LastComparison& comparison, Device& device) {
  TuneResult& result = search.result;
  const SearchSetting& setting = search.setting;
  const Measurement* const best = find_best(result.outcomes);
  if (!best || !has_own_order(best->design) || result.broken || setting.stop) return;
  OrderWorth& worth = result.order_worth.emplace();
  if (const Measurement* const given = best_in_given_order(result.outcomes)) worth.given = *given;
  try {
    Designer designer(setting.matrix, result.device.target);
    const Stopwatch clock;
    const Result<Prefix> prefix =
        designer.after(designer.root(), search.find_design(*best).tree().steps.front());
    worth.order_seconds = clock.seconds();
    const Store& store = prefix.value().store;
    const VectorsOrder& order = *store.own_order();
    const auto x_us = moving_us(search, device, order.columns);
    const auto y_us = order.rows == order.columns ? x_us : moving_us(search, device, order.rows);
    if (x_us && y_us) worth.permutations_us = *x_us + *y_us;
    if (setting.is_measured())
      meet_libraries(search, comparison, device, permuted(setting.matrix, store), worth);
  } catch (const Error& error) {
    spdlog::warn("the order of the vectors was not measured: {}", error.what());
  }
}

}  // namespace alphasparse
