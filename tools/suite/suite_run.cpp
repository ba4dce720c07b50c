// suite_run: a suite while it runs; see suite.h.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <numeric>
#include <utility>

#include "operators/named_designs.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/stopwatch.h"
#include "search/trial/baseline_trials.h"
#include "search/trial/kept_roofline.h"
#include "search/tune.h"
#include "tools/console/inputs.h"
#include "tools/suite/shares.h"
#include "tools/suite/suite.h"

namespace alphasparse {

namespace {

/// The matrices in the order of a hash of their names, so that any part of them that there is time
/// for is mixed.
std::vector<SuiteMatrix> mixed(std::vector<SuiteMatrix> matrices) {
  std::sort(matrices.begin(), matrices.end(), [](const SuiteMatrix& a, const SuiteMatrix& b) {
    return content_key({a.name}) < content_key({b.name});
  });
  return matrices;
}

/// The time of a design of the search. It is no more than its share of the search, and no more than
/// the tried designs took one by one, without samples and finals. 0: none was tried.
double design_seconds(const TuneResult& result) {
  double seconds = 0, tried = 0;
  for (const auto& [design, outcome] : result.outcomes) {
    if (!counts_as_trial(outcome) || !outcome.trial_us) continue;
    seconds += 1e-6 * *outcome.trial_us;
    ++tried;
  }
  return tried > 0 ? std::min(seconds, result.seconds) / tried : 0;
}

double count_bytes(const Matrix& matrix) {
  return 12.0 * static_cast<double>(matrix.nnz()) + 4.0 * matrix.rows;
}

/// A type and a regime.
struct Kind {
  Dtype dtype;
  CacheRegime regime;
};

std::vector<Kind> list_kinds(const SuitePlan& plan) {
  std::vector<Kind> kinds;
  for (const Dtype dtype : plan.dtypes) {
    for (const CacheRegime regime : plan.regimes) kinds.push_back({dtype, regime});
  }
  return kinds;
}

/// Places of searches, and why there was too little time for them.
using TooLittle = std::vector<std::pair<std::size_t, std::string>>;

class SuiteRun {
 public:
  SuiteRun(const SuitePlan& plan, Device& device, const std::atomic<bool>& stop,
           const std::function<void(const SuiteReport&)>& finished)
      : plan_(plan),
        matrices_(mixed(plan.matrices)),
        kinds_(list_kinds(plan)),
        device_(device),
        stop_(stop),
        finished_(finished),
        named_(named_lines(device.info().target).size()),
        vendors_(device.info().kind == TimeKind::measured
                     ? baselines(device.info(), plan.vectors).size()
                     : 0) {
    report_.device = device.info();
    report_.vectors = plan.vectors;
    report_.planned = static_cast<std::int64_t>(kinds_.size() * matrices_.size());
  }

  SuiteReport run() {
    std::optional<Database> database = roofline_database(device_.info());
    if (const auto roofline = kept_roofline(device_, database)) report_.roofline = *roofline;
    std::vector<std::size_t> all(matrices_.size());
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      // Once more those that had too small a share: the others may not have used theirs.
      for (const auto& [index, reason] : search_each(kind, search_each(kind, all)))
        leave_out(kind, index, reason);
    }
    report_.seconds = seconds();
    return std::move(report_);
  }

 private:
  /// The time begins with the first matrix that is ready.
  double seconds() const { return clock_ ? clock_->seconds() : 0; }
  double seconds_left() const { return plan_.seconds - seconds(); }

  void leave_out(std::size_t kind, std::size_t index, const std::string& reason) {
    const SuiteMatrix& entry = matrices_[index];
    report_.left_out.push_back(
        {entry.name, entry.is_twin, kinds_[kind].dtype, kinds_[kind].regime, reason});
  }

  /// In their order; those that there is not enough time for, and why.
  TooLittle search_each(std::size_t kind, const std::vector<std::size_t>& indices) {
    TooLittle left;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::vector<std::size_t> after(indices.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                           indices.end());
      if (const auto reason = search_one(kind, indices[i], after))
        left.emplace_back(indices[i], *reason);
    }
    return left;
  }

  TooLittle search_each(std::size_t kind, const TooLittle& again) {
    std::vector<std::size_t> indices;
    for (const auto& [index, reason] : again) indices.push_back(index);
    return search_each(kind, indices);
  }

  /// The reason why it was not begun, where time was too short; the searches `after` come after it.
  std::optional<std::string> search_one(std::size_t kind, std::size_t index,
                                        const std::vector<std::size_t>& after) {
    const auto leave = [&](const std::string& reason) {
      leave_out(kind, index, reason);
      return std::nullopt;
    };
    if (stop_) return leave("the suite was interrupted");
    if (broken_.contains(index)) return leave(broken_.at(index));
    // Before the matrix is read or made, which may take long.
    const double expected = matrices_[index].nnz_expected;
    if (!find_share(expected, after).covers) return skip_reason(expected, after);
    const std::optional<Matrix> matrix = ready(kind, index);
    if (!matrix) return std::nullopt;
    const auto nnz = static_cast<double>(matrix->nnz());
    const SearchShare share = find_share(nnz, after);
    if (!share.covers) return skip_reason(nnz, after);
    SuiteRow row = searched(kinds_[kind], matrices_[index], *matrix, share.seconds);
    design_seconds_.learn(nnz, design_seconds(row.result));
    add(std::move(row));
    return std::nullopt;
  }

  double named_seconds(double nnz) const {
    return static_cast<double>(named_) * design_seconds_.of(nnz);
  }
  double least_seconds(double nnz) const {
    return static_cast<double>(named_ + vendors_) * design_seconds_.of(nnz);
  }

  SearchShare find_share(double nnz, const std::vector<std::size_t>& after) const {
    std::vector<PlannedSearch> searches = {{nnz, least_seconds(nnz)}};
    for (const std::size_t other : after) {
      if (broken_.contains(other)) continue;
      const double expected = matrices_[other].nnz_expected;
      searches.push_back({expected, least_seconds(expected)});
    }
    return share_of_first(searches, seconds_left(), plan_.seconds_each);
  }

  /// The reason for a search with a share that does not cover its named designs.
  std::string skip_reason(double nnz, const std::vector<std::size_t>& after) const {
    if (seconds_left() <= 0) return "the time was over";
    const std::string vendors =
        vendors_ > 0 ? fmt::format(" and {} algorithms of the vendor", vendors_) : "";
    return fmt::format(
        "its share of the time, {:.3g} s, does not cover its {} named designs{}, some {:.3g} s; "
        "--time gives more",
        find_share(nnz, after).seconds, named_, vendors, least_seconds(nnz));
  }

  /// The vendor's algorithms, all of them, then the search for the rest of its share.
  SuiteRow searched(const Kind& kind, const SuiteMatrix& entry, const Matrix& matrix,
                    double seconds) {
    SuiteRow row;
    row.matrix = entry.name;
    row.is_twin = entry.is_twin;
    row.rows = matrix.rows;
    row.cols = matrix.cols;
    row.nnz = matrix.nnz();
    row.dtype = kind.dtype;
    row.regime = kind.regime;
    TuneOptions options;
    options.dtype = kind.dtype;
    options.vectors = plan_.vectors;
    options.regime = kind.regime;
    options.matrix_name = entry.name;
    try {
      require_fitting_values(matrix, entry.name, kind.dtype);
      const Stopwatch clock;
      options.baseline_outcomes =
          measure_baselines(matrix, device_, options, seconds_left(), stop_);
      row.seconds_vendor = clock.seconds();
      const double named = named_seconds(static_cast<double>(row.nnz));
      options.effort.seconds =
          std::min(std::max(named, seconds - row.seconds_vendor), std::max(1.0, seconds_left()));
      row.result = tune(matrix, device_, nullptr, options, {}, stop_);
      if (row.result.broken) row.problem = row.result.broken->what();
      if (!row.result.winner) row.problem = "no design was verified";
    } catch (const std::exception& error) {  // memory may be short too
      row.problem = error.what();
    }
    return row;
  }

  /// Nothing, and a row with the reason, where the matrix cannot be read or made.
  std::optional<Matrix> ready(std::size_t kind, std::size_t index) {
    if (const auto kept = kept_.find(index); kept != kept_.end()) {
      seconds_ready_ = 0;
      return kind + 1 < kinds_.size() ? kept->second : std::move(kept_.extract(index).mapped());
    }
    const SuiteMatrix& entry = matrices_[index];
    const Stopwatch clock;
    const auto note_time = [&] {
      seconds_ready_ = clock.seconds();
      (entry.is_twin ? report_.seconds_making : report_.seconds_reading) += seconds_ready_;
    };
    try {
      Matrix matrix = entry.make();
      note_time();
      if (!clock_) clock_.emplace();
      keep(kind, index, matrix);
      return matrix;
    } catch (const std::exception& error) {  // memory may be short too
      note_time();
      SuiteRow row;
      row.matrix = entry.name;
      row.is_twin = entry.is_twin;
      row.dtype = kinds_[kind].dtype;
      row.regime = kinds_[kind].regime;
      row.problem = error.what();
      broken_[index] = error.what();
      add(std::move(row));
      return std::nullopt;
    }
  }

  /// For the kinds to come, where memory has room: else it is read or made again.
  void keep(std::size_t kind, std::size_t index, const Matrix& matrix) {
    constexpr double memory_share = 0.125;
    const double room = memory_share * static_cast<double>(available_memory_bytes());
    if (kind + 1 < kinds_.size() && count_bytes(matrix) <= room) kept_.emplace(index, matrix);
  }

  void add(SuiteRow row) {
    row.seconds_ready = seconds_ready_;
    report_.rows.push_back(std::move(row));
    report_.seconds = seconds();
    finished_(report_);
  }

  const SuitePlan& plan_;
  const std::vector<SuiteMatrix> matrices_;
  const std::vector<Kind> kinds_;
  Device& device_;
  const std::atomic<bool>& stop_;
  const std::function<void(const SuiteReport&)>& finished_;
  const std::size_t named_;    ///< designs that each search has
  const std::size_t vendors_;  ///< algorithms that stand beside
  DesignSeconds design_seconds_;
  std::map<std::size_t, Matrix> kept_;         ///< by index, for other kinds
  std::map<std::size_t, std::string> broken_;  ///< why there is no matrix, by index
  std::optional<Stopwatch> clock_;             ///< since the first matrix was ready
  double seconds_ready_ = 0;                   ///< that the last matrix took to be read or made
  SuiteReport report_;
};

}  // namespace

SuiteReport run_suite(const SuitePlan& plan, Device& device, const std::atomic<bool>& stop,
                      const std::function<void(const SuiteReport&)>& finished) {
  return SuiteRun(plan, device, stop, finished).run();
}

}  // namespace alphasparse
