#include "search/sampled_search.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "generator/arrays/large_matrix.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/system/machine/memory.h"
#include "search/estimates/prior.h"
#include "search/estimates/sample.h"
#include "search/estimates/sampled_times.h"
#include "search/problem.h"
#include "search/recall.h"
#include "search/strategies/row_orders.h"

namespace alphasparse {

namespace {

constexpr std::size_t promoted_to_sample = 16;  // to the next sample
constexpr std::size_t promoted_to_whole = 8;
constexpr std::size_t promoted_to_large = 20;  // where nothing else is tried on the whole
constexpr std::size_t behind_fastest = 2;      // a place: the best named one is the first
constexpr std::size_t leaders = 4;             // the best named, the fastest, two expected best
constexpr std::size_t reported = 20;           // of a sample's fastest designs

std::vector<std::string> find_fastest(const Outcomes& outcomes) {
  std::vector<std::string> fastest;
  for (const Measurement* const outcome : sort_by_time(outcomes)) {
    if (fastest.size() == reported) break;
    fastest.push_back(outcome->design);
  }
  return fastest;
}

/// Searches one sample of the matrix: by all strategies, or `designs` alone where there are any.
/// Adds the designs of its outcomes to those of `whole`, and its trials to those of the budget.
Outcomes search_one(SearchRun& whole, Device& device, const Matrix& matrix,
                    const Allowance& allowance, const Designs& designs) {
  const double share =
      static_cast<double>(matrix.nnz()) / static_cast<double>(whole.setting.matrix.nnz());
  TuneOptions options = whole.setting.options;
  options.effort.seconds = allowance.seconds;
  options.effort.trials = allowance.trials.value_or(0);
  Budget budget(options.effort,
                whole.setting.is_measured() ? Budget::Times::measured : Budget::Times::modelled, 0,
                true);
  options.regime = sample_regime(options.regime, whole.result.csr_bytes,
                                 csr_bytes(matrix, options.dtype), device.info());
  Problem problem =
      make_problem(whole.setting.matrix, whole.setting.problem.matrix, device.info(), options);
  problem.sample_nnz = matrix.nnz();
  const ProgressCallback progress = [&](const Progress& of_sample) {
    if (!whole.setting.progress) return;
    Progress reported = of_sample;
    reported.of_what =
        fmt::format("on {} of {} non-zeros", matrix.nnz(), whole.setting.matrix.nnz());
    whole.setting.progress(reported);
  };
  SearchRun search(
      {matrix, whole.setting.database, options, progress, whole.setting.stop, problem, true},
      device, budget);
  search.designs = whole.designs;
  if (!whole.setting.is_measured())
    search.trial.stand_for(size_whole(whole.setting.matrix, matrix, options.dtype));
  const Recall recall(search);
  search.store.begin(options.effort);
  if (designs.empty())
    search.search_all(canonical_named_designs(device.info().target));
  else
    search.try_designs(designs, budget.allow_trials());
  whole.designs = search.designs;
  search.finish(budget.seconds(), search.result.trials_now);
  if (search.result.broken) whole.result.broken = search.result.broken;
  if (whole.result.skipped == 0) whole.result.skip_reason = search.result.skip_reason;
  whole.result.skipped += search.result.skipped;
  whole.result.disturbed_designs += search.result.disturbed_designs;
  if (designs.empty()) {  // the search of the whole may have no strategies of its own
    whole.result.strategies = search.result.strategies;
    whole.result.origins = search.result.origins;
    whole.result.model = search.result.model;
    whole.result.prunes = search.result.prunes;
  }
  const auto pruned =
      std::count_if(search.result.outcomes.begin(), search.result.outcomes.end(),
                    [](const auto& entry) { return entry.second.status == Status::pruned; });
  const std::int64_t trials = counted_trials(search.result.outcomes);
  whole.budget.spend_trials(trials);
  whole.result.samples.push_back({matrix.nnz(), share, options.regime, trials, pruned,
                                  budget.seconds(), find_fastest(search.result.outcomes)});
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
void report_shortage(const SearchRun& whole, const std::vector<std::int64_t>& sizes,
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

/// The named designs with the best expected times: the first of all, and where it has no time on a
/// sample, as one that the whole will reject too, also the first of those that have one.
Designs expected_best(const SearchRun& whole, const Designs& named, const ExpectedTimes& sampled) {
  const SearchSetting& setting = whole.setting;
  const ExpectedTimes times = expected_times(
      setting.matrix, named,
      {whole.result.device, setting.options.dtype, setting.options.regime, setting.options.vectors},
      {{}, &setting.stop});
  Designs order;
  for (const auto& [design, us] : times) order.push_back(design);
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto& a, const auto& b) { return times.at(a) < times.at(b); });
  const auto timed = std::find_if(order.begin(), order.end(), [&](const CanonicalDesign& design) {
    return sampled.contains(design);
  });
  Designs best;
  if (!order.empty()) best.push_back(order.front());
  if (timed != order.end() && timed != order.begin()) best.push_back(*timed);
  return best;
}

/// The named designs of diagonals, where these are nearly full. Neither a sample nor the prior
/// tells their times, for both break diagonals.
Designs keep_full_diagonals(SearchRun& whole, const Designs& named) {
  constexpr double cells_most = 1.25;  // for each entry
  const Matrix& matrix = whole.setting.matrix;
  const double cells =
      static_cast<double>(whole.features().diagonals) * std::min(matrix.rows, matrix.cols);
  if (cells > cells_most * static_cast<double>(matrix.nnz())) return {};
  Designs designs = named;
  std::erase_if(designs, [](const CanonicalDesign& design) {
    return !design.structure().starts_with("diagonal_peel");
  });
  return designs;
}

/// Searches the samples of one matrix, the smallest first, and keeps the times that they tell.
class SampleSearches {
 public:
  SampleSearches(SearchRun& whole, Device& device)
      : whole_(whole),
        device_(device),
        named_(canonical_named_designs(device.info().target)),
        times_(whole.setting.matrix.nnz()) {}

  /// The designs for the whole matrix.
  DesignsForWhole search(const std::vector<std::int64_t>& sizes) {
    for (std::size_t level = 0; level < sizes.size(); ++level) {
      if (level > 0 ? !is_worth_another() : is_over()) break;
      const Allowance allowance =
          level == 0 ? whole_.budget.allow_smallest_sample(longest_baseline_trial(whole_))
                     : whole_.budget.allow_further_sample();
      const Outcomes outcomes = search_sample(sizes[level], allowance, promoted_);
      const bool is_last = level + 1 == sizes.size();
      promote(outcomes, is_last);
      const auto second = second_size(sizes[level], whole_.setting.matrix.nnz(), device_.info());
      if (second && level == 0) {
        time_again(*second);
        promote(outcomes, is_last);
      }
    }
    const std::size_t first_count = put_leaders();
    const DeviceInfo& info = device_.info();
    const bool fixed_parts_count = info.kind == TimeKind::measured && info.target == Target::gpu;
    const Designs rest = named_to_try(times_, named_, promoted_, fixed_parts_count);
    promoted_.insert(promoted_.end(), rest.begin(), rest.end());
    return {promoted_, std::min(first_count, promoted_.size())};
  }

  ExpectedTimes expected() const { return times_.whole_us(); }

 private:
  bool is_over() const { return whole_.setting.stop || whole_.result.broken; }

  /// Whether another sample is to be searched, for the designs of the one before. Where the time is
  /// over, the whole matrix still waits for its first design.
  bool is_worth_another() const {
    return !is_over() && !promoted_.empty() && whole_.budget.seconds_left() > 0;
  }

  Outcomes search_sample(std::int64_t size, const Allowance& allowance, const Designs& designs) {
    const Matrix sample = make_sample(whole_.setting.matrix, size);
    Outcomes outcomes = search_one(whole_, device_, sample, allowance, designs);
    release_freed_memory();
    const std::int64_t nnz =
        whole_.setting.is_measured() ? sample.nnz() : whole_.setting.matrix.nnz();
    times_.add(outcomes, whole_.designs, nnz);
    return outcomes;
  }

  void promote(const Outcomes& outcomes, bool is_last) {
    const std::size_t to_whole =
        whole_.setting.matrix.nnz() > large_nnz ? promoted_to_large : promoted_to_whole;
    promoted_ = promoted_designs(outcomes, whole_.designs, times_.whole_us(),
                                 is_last ? to_whole : promoted_to_sample, named_);
  }

  /// Puts designs in front that a time on a sample, or none, must not hold back. Behind the best
  /// named one and the fastest come the named ones that the prior expects to be the fastest. Then
  /// come full diagonals, and designs with the rows in another order. All these are leaders, and
  /// their number is returned. Behind them the other named ones near the best come by turns with
  /// the rest. Without a time on a sample there is nothing to put in front.
  std::size_t put_leaders() {
    if (promoted_.empty()) return leaders;
    const Matrix& matrix = whole_.setting.matrix;
    const ExpectedTimes us = times_.whole_us();
    put_forward(expected_best(whole_, named_, us), behind_fastest, 1, promoted_);
    const RowOrders& orders = whole_.row_orders();
    Designs first =
        reordered_designs(orders, device_.info().target, whole_.setting.options.values_vary);
    Designs later;
    // Each design makes its order anew where no store is kept.
    if (Designer::kept_bytes(matrix) == 0) {
      const auto second = first.begin() + static_cast<std::ptrdiff_t>(orders.size());
      later.assign(second, first.end());
      first.erase(second, first.end());
    }
    std::size_t rank = std::min(leaders, promoted_.size());
    rank = put_forward(keep_full_diagonals(whole_, named_), rank, 1, promoted_);
    rank = put_forward(first, rank, 1, promoted_);
    put_forward(interleave(near_named(us, named_), later), rank + 1, 2, promoted_);
    return rank;
  }

  void time_again(std::int64_t size) {
    if (!is_worth_another()) return;
    (void)search_sample(size, whole_.budget.allow_further_sample(),
                        designs_to_time_again(promoted_, times_.whole_us(), named_));
  }

  SearchRun& whole_;
  Device& device_;
  const Designs named_;
  SampledTimes times_;
  Designs promoted_;
};

}  // namespace

DesignsForWhole search_samples(SearchRun& whole, Device& device) {
  if (!whole.setting.options.samples || whole.setting.options.own_order ||
      !whole.budget.does_for_samples() || whole.budget.is_none())
    return {canonical_named_designs(device.info().target)};
  const std::int64_t bytes_free = available_memory_bytes();
  const std::vector<std::int64_t> sizes =
      fitting_sizes(whole.setting.matrix.nnz(), device.info(), bytes_free);
  if (candidate_bytes(whole.setting.matrix.nnz()) > bytes_free)
    report_shortage(whole, sizes, bytes_free);
  const Budget::Scope scope = whole.budget.enter(Part::samples);
  SampleSearches samples(whole, device);
  DesignsForWhole found = samples.search(sizes);
  whole.expect(samples.expected());
  if (whole.result.samples.empty()) found.leaders = 0;
  return found;
}

}  // namespace alphasparse
