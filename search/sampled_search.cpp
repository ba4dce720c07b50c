#include "search/sampled_search.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
#include "runtime/system/machine/memory.h"
#include "search/estimates/prior.h"
#include "search/estimates/sample.h"
#include "search/problem.h"
#include "search/recall.h"

namespace alphasparse {

namespace {

constexpr std::size_t promoted_to_sample = 16;  // to the next sample
constexpr std::size_t promoted_to_whole = 8;
constexpr std::size_t promoted_to_large = 20;  // where nothing else is tried on the whole
constexpr double named_ratio_max = 2;          // over the fastest of a sample's
constexpr std::size_t told = 20;               // of a sample's fastest designs

bool has_step(const Design& design, std::string_view op) {
  bool has = false;
  for_each_step(design, [&](const Step& step) { has = has || step.op == op; });
  return has;
}

std::vector<std::string> fastest_of(const Outcomes& outcomes) {
  std::vector<std::string> fastest;
  for (const Measurement* const outcome : by_time(outcomes)) {
    if (fastest.size() == told) break;
    fastest.push_back(outcome->design);
  }
  return fastest;
}

/// Searches one sample of the matrix: by all strategies, or `designs` alone where there are any.
/// Adds the designs of its outcomes to those of `whole`.
Outcomes search_one(SearchRun& whole, Device& device, const Matrix& matrix, double share,
                    double seconds, const Designs& designs) {
  TuneOptions options = whole.setting.options;
  options.effort.seconds = seconds;
  Budget budget(options.effort,
                whole.setting.is_measured() ? Budget::Times::measured : Budget::Times::modelled, 0,
                true);
  options.regime = sample_regime(options.regime, whole.result.csr_bytes,
                                 csr_bytes(matrix, options.dtype), device.info());
  Problem problem =
      problem_of(whole.setting.matrix, whole.setting.problem.matrix, device.info(), options);
  problem.sample_nnz = matrix.nnz();
  const ProgressCallback progress = [&](const Progress& of_sample) {
    if (!whole.setting.progress) return;
    Progress told = of_sample;
    told.of_what = fmt::format("on {} of {} non-zeros", matrix.nnz(), whole.setting.matrix.nnz());
    whole.setting.progress(told);
  };
  SearchRun search(
      {matrix, whole.setting.database, options, progress, whole.setting.stop, problem, true},
      device, budget);
  search.designs = whole.designs;
  if (!whole.setting.is_measured())
    search.trial.stand_for(whole_of(whole.setting.matrix, matrix, options.dtype));
  const Recall recall(search);
  search.store.begin(options.effort);
  if (designs.empty())
    search.search_all(canonical_named_designs(device.info().target), false);
  else
    search.try_designs(designs, budget.for_trials());
  whole.designs = search.designs;
  search.finish(budget.seconds(), search.result.trials_now);
  if (search.result.broken) whole.result.broken = search.result.broken;
  if (whole.result.skipped == 0) whole.result.skipped_why = search.result.skipped_why;
  whole.result.skipped += search.result.skipped;
  whole.result.disturbed_designs += search.result.disturbed_designs;
  if (designs.empty()) {  // the search of the whole may have no strategies of its own
    whole.result.strategies = search.result.strategies;
    whole.result.origins = search.result.origins;
    whole.result.model = search.result.model;
    whole.result.bans = search.result.bans;
  }
  const auto pruned =
      std::count_if(search.result.outcomes.begin(), search.result.outcomes.end(),
                    [](const auto& entry) { return entry.second.status == Status::pruned; });
  whole.result.samples.push_back({matrix.nnz(), share, options.regime,
                                  counted_trials(search.result.outcomes), pruned, budget.seconds(),
                                  fastest_of(search.result.outcomes)});
  return std::move(search.result.outcomes);
}

/// The longest trial of a baseline on the whole matrix, in seconds: a design of the whole takes
/// longer.
double longest_baseline_trial(const SearchRun& whole) {
  double trial_us = 0;
  for (const auto& [name, outcome] : whole.result.baseline_outcomes) {
    if (outcome.status == Status::ok) trial_us = std::max(trial_us, outcome.trial_us.value_or(0));
  }
  return 1e-6 * trial_us;
}

/// Designs that do not fit fail one by one. Earlier measurements stand.
void tell_shortage(const SearchRun& whole, const std::vector<std::int64_t>& sizes,
                   std::int64_t bytes_free) {
  const std::int64_t nnz = whole.setting.matrix.nnz();
  spdlog::warn(
      "a design of {} non-zeros takes about {} of memory, {} are free: {}, and of the whole only "
      "designs that fit are tried",
      nnz, byte_count_text(candidate_bytes(nnz)), byte_count_text(bytes_free),
      sizes.empty()
          ? std::string("no sample fits either")
          : fmt::format("it is searched on samples of {} non-zeros and more", sizes.front()));
}

/// Puts the named design that the prior expects to be the fastest behind the best named one and the
/// fastest, independent of its outcome on the samples.
void put_expected_best(const SearchRun& whole, const Designs& named, Designs& promoted) {
  constexpr std::size_t place = 2;
  if (promoted.empty()) return;
  const SearchSetting& setting = whole.setting;
  const ExpectedTimes times = expected_times(
      setting.matrix, named, {whole.result.device, setting.options.dtype, setting.options.regime},
      {{}, &setting.stop});
  const auto best = std::min_element(
      times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best == times.end()) return;
  const auto known = std::find(promoted.begin(), promoted.end(), best->first);
  const auto wanted = promoted.begin() + std::min(place, promoted.size());
  if (known != promoted.end() && known <= wanted) return;
  const CanonicalDesign design = best->first;
  if (known != promoted.end()) promoted.erase(known);
  promoted.insert(promoted.begin() + std::min(place, promoted.size()), design);
}

/// The named designs that were not promoted, but may still be the fastest on the whole. They are
/// designs without an outcome on a sample, designs that were not far behind on it, and diagonals,
/// which panels break. The others would take the time, and the memory, of those that may.
Designs named_to_try(const ExpectedTimes& sampled_us, const Designs& named,
                     const Designs& promoted) {
  double fastest_us = std::numeric_limits<double>::infinity();
  for (const auto& [design, us] : sampled_us) fastest_us = std::min(fastest_us, us);
  Designs wanted;
  for (const CanonicalDesign& design : named) {
    if (std::find(promoted.begin(), promoted.end(), design) != promoted.end()) continue;
    const auto known = sampled_us.find(design);
    const bool is_told = known != sampled_us.end() && !has_step(design.tree(), "diagonal_peel");
    if (!is_told || known->second <= named_ratio_max * fastest_us) wanted.push_back(design);
  }
  return wanted;
}

}  // namespace

Designs search_samples(SearchRun& whole, Device& device) {
  Designs named = canonical_named_designs(device.info().target);
  if (!whole.setting.options.samples || whole.setting.options.effort.trials > 0 ||
      whole.budget.is_none())
    return named;
  const std::int64_t bytes_free = available_memory_bytes();
  const std::vector<std::int64_t> sizes =
      fitting_sizes(whole.setting.matrix.nnz(), device.info(), bytes_free);
  if (candidate_bytes(whole.setting.matrix.nnz()) > bytes_free)
    tell_shortage(whole, sizes, bytes_free);
  Designs promoted;
  ExpectedTimes sampled_us;
  const Budget::Scope scope = whole.budget.enter(Part::samples);
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    if (whole.setting.stop || whole.result.broken || (level > 0 && promoted.empty())) break;
    const Matrix sample = sample_of(whole.setting.matrix, sizes[level]);
    const double share =
        static_cast<double>(sample.nnz()) / static_cast<double>(whole.setting.matrix.nnz());
    const double timed_share = whole.setting.is_measured() ? share : 1;
    const double seconds = level == 0
                               ? whole.budget.for_smallest_sample(longest_baseline_trial(whole))
                               : whole.budget.for_larger_sample();
    const Outcomes outcomes = search_one(whole, device, sample, share, seconds, promoted);
    release_freed_memory();
    for (const auto& [design, outcome] : outcomes) {
      if (outcome.timing)
        sampled_us.insert_or_assign(whole.design_of(outcome),
                                    outcome.timing->time_us / timed_share);
    }
    const bool is_last = level + 1 == sizes.size();
    const std::size_t to_whole =
        whole.setting.matrix.nnz() > large_nnz ? promoted_to_large : promoted_to_whole;
    promoted =
        promoted_designs(outcomes, whole.designs, is_last ? to_whole : promoted_to_sample, named);
  }
  put_expected_best(whole, named, promoted);
  const Designs rest = named_to_try(sampled_us, named, promoted);
  promoted.insert(promoted.end(), rest.begin(), rest.end());
  whole.expect(std::move(sampled_us));
  return promoted;
}

}  // namespace alphasparse
