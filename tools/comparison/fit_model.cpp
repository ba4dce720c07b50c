// fit_model: what follows from counts and measured times.
#include <algorithm>
#include <utility>

#include "tools/comparison/compare_model.h"

namespace alphasparse {

namespace {

constexpr double bound_close = 1.001;  // a factor, or a thousandth of a range from 0

bool is_at_bound(const ConstantRange& range, double value) {
  if (range.by_factors) return value < range.low * bound_close || value * bound_close > range.high;
  const double margin = (bound_close - 1) * (range.high - range.low);
  return value < range.low + margin || value > range.high - margin;
}

std::vector<ConstantRow> constant_rows(const Comparison& comparison, const ModelConstants& fitted) {
  const ModelConstants assumed;
  std::vector<ConstantRow> rows;
  for (const ConstantRange& range : constant_ranges()) {
    rows.push_back({range.name, range.about, assumed.*range.member, fitted.*range.member,
                    times_moved(comparison, fitted, &range),
                    fitted.*range.member != assumed.*range.member &&
                        is_at_bound(range, fitted.*range.member)});
  }
  const auto [least, most] =
      std::minmax_element(comparison.l1_shares.begin(), comparison.l1_shares.end());
  rows.push_back({"l1_share", "of L1 and shared memory, works as L1", assumed.l1_share,
                  fitted.l1_share, times_moved(comparison, fitted, nullptr),
                  *least < *most && fitted.l1_share == *least});
  return rows;
}

}  // namespace

bool ModelComparison::fit_holds() const {
  if (!is_held_out()) return false;
  const Agreement& assumed = modelled[0].agreement;
  const Agreement& held_out = modelled[2].agreement;
  return held_out.error_factor < assumed.error_factor &&
         held_out.kendall.value_or(0) >= assumed.kendall.value_or(0);
}

ModelComparison compare(Counted counted) {
  ModelComparison result{std::move(counted), {}, {}};
  const Comparison& comparison = result.comparison;
  const ModelConstants fitted = fit_constants(comparison);
  const auto add = [&](const char* name, std::vector<double> times_us) {
    const Agreement all = agreement(comparison, times_us);
    result.modelled.push_back({name, std::move(times_us), all});
  };
  add("as assumed", modelled_times_us(comparison, {}));
  add("fitted to all", modelled_times_us(comparison, fitted));
  if (comparison.matrices.size() > 1) add("held out", held_out_times_us(comparison));
  result.constants = constant_rows(comparison, fitted);
  return result;
}

}  // namespace alphasparse
