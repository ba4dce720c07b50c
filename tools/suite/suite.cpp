#include "tools/suite/suite.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "runtime/system/content_key.h"
#include "runtime/system/stopwatch.h"
#include "search/trial/bench.h"
#include "tools/console/inputs.h"
#include "tools/suite/shares.h"

namespace alphasparse {

namespace {

/// By a hash of their names, so that whatever part of them there is time for is mixed.
std::vector<SuiteMatrix> mixed(std::vector<SuiteMatrix> matrices) {
  std::sort(matrices.begin(), matrices.end(), [](const SuiteMatrix& a, const SuiteMatrix& b) {
    return content_key({a.name}) < content_key({b.name});
  });
  return matrices;
}

double gb_per_s_of(const SuiteRow& row, std::int64_t format_bytes) {
  const std::int64_t bytes = compulsory_bytes(row.rows, row.cols, row.dtype, format_bytes);
  return static_cast<double>(bytes) / row.result.winner->timing->time_us / 1e3;
}

SuiteRow search(const SuiteMatrix& entry, const Matrix& matrix, Device& device, Dtype dtype,
                CacheRegime regime, double seconds, const std::atomic<bool>& stop) {
  SuiteRow row;
  row.matrix = entry.name;
  row.is_twin = entry.is_twin;
  row.rows = matrix.rows;
  row.cols = matrix.cols;
  row.nnz = matrix.nnz();
  row.dtype = dtype;
  row.regime = regime;
  TuneOptions options;
  options.effort = {seconds, 0, 0};
  options.dtype = dtype;
  options.regime = regime;
  options.matrix_name = entry.name;
  try {
    require_fitting_values(matrix, entry.name, dtype);
    row.result = tune(matrix, device, nullptr, options, {}, stop);
    if (row.result.broken) row.problem = row.result.broken->what();
    if (!row.result.winner) row.problem = "no design was verified";
  } catch (const std::exception& error) {  // memory may be short too
    row.problem = error.what();
  }
  return row;
}

}  // namespace

double SuiteRow::ahead() const {
  if (!is_timed()) return 0;
  const auto& other = result.vendor ? result.vendor : result.pfs;
  return other && other->timing ? other->timing->time_us / result.winner->timing->time_us : 0;
}

double SuiteRow::ahead_any_values() const {
  return is_timed() ? result.times_vendor(result.any_values).value_or(0) : 0;
}

void SuiteGroup::Lead::add(double ahead) {
  if (ahead == 0) return;
  least = compared++ == 0 ? ahead : std::min(least, ahead);
  losses += ahead < 1;
  mean += std::log(ahead);
}

void SuiteGroup::Lead::finish() {
  if (compared > 0) mean = std::exp(mean / static_cast<double>(compared));
}

std::int64_t SuiteRow::least_format_bytes() const {
  std::int64_t least = result.winner->format_bytes;
  for (const auto& other : {result.vendor, result.any_values}) {
    if (other) least = std::min(least, other->format_bytes);
  }
  return least;
}

double SuiteRow::gb_per_s() const { return gb_per_s_of(*this, result.winner->format_bytes); }
double SuiteRow::csr_gb_per_s() const { return gb_per_s_of(*this, result.csr_bytes); }

std::optional<bool> SuiteReport::beyond_l2(const SuiteRow& row) const {
  if (device.l2_bytes <= 0 || !row.is_timed()) return std::nullopt;
  return row.least_format_bytes() > l2_multiple_least * device.l2_bytes;
}

double SuiteRow::memory_share(const Roofline& roofline) const {
  const std::int64_t written = std::int64_t{rows} * dtype_bytes(dtype);
  const std::int64_t bytes = compulsory_bytes(rows, cols, dtype, result.winner->format_bytes);
  return attainable_us(roofline, bytes - written, written) / result.winner->timing->time_us;
}

std::vector<SuiteGroup> SuiteReport::groups() const {
  std::vector<SuiteGroup> groups;
  for (const bool is_twin : {false, true}) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      for (const CacheRegime regime : {CacheRegime::warm, CacheRegime::cold}) {
        SuiteGroup group{is_twin, dtype, regime};
        for (const SuiteRow& row : rows) {
          if (row.is_twin != is_twin || row.dtype != dtype || row.regime != regime) continue;
          if (!row.is_timed()) continue;
          ++group.searched;
          group.beyond_l2 += beyond_l2(row).value_or(false);
          group.any_values.add(row.ahead_any_values());
          group.these_values.add(row.ahead());
        }
        group.any_values.finish();
        group.these_values.finish();
        if (group.searched > 0) groups.push_back(group);
      }
    }
  }
  return groups;
}

namespace {

/// The searches of a matrix: types times regimes.
std::size_t kinds_of(const SuitePlan& plan) { return plan.dtypes.size() * plan.regimes.size(); }

/// A suite while it runs.
class SuiteRun {
 public:
  SuiteRun(const SuitePlan& plan, Device& device, const std::atomic<bool>& stop,
           const std::function<void(const SuiteReport&)>& finished)
      : plan_(plan),
        matrices_(mixed(plan.matrices)),
        device_(device),
        stop_(stop),
        finished_(finished) {
    report_.device = device.info();
    report_.planned = static_cast<std::int64_t>(kinds_of(plan) * matrices_.size());
  }

  SuiteReport run() {
    if (const auto roofline = measure_roofline(device_)) report_.roofline = *roofline;
    // The time begins with the first matrix that is ready.
    for (std::size_t place = 0; place < matrices_.size() && !is_over(); ++place) {
      if (const std::optional<Matrix> matrix = ready(matrices_[place])) search_all(place, *matrix);
    }
    report_.seconds = seconds();
    return std::move(report_);
  }

 private:
  double seconds() const { return clock_ ? clock_->seconds() : 0; }
  double seconds_left() const { return plan_.seconds - seconds(); }
  bool is_over() const { return stop_ || seconds_left() <= 0; }

  /// Nothing, and a row that says why, where it cannot be read or made.
  std::optional<Matrix> ready(const SuiteMatrix& entry) {
    const Stopwatch clock;
    const auto note_time = [&] {
      seconds_ready_ = clock.seconds();
      (entry.is_twin ? report_.seconds_making : report_.seconds_reading) += seconds_ready_;
    };
    try {
      Matrix matrix = entry.make();
      note_time();
      if (!clock_) clock_.emplace();
      return matrix;
    } catch (const std::exception& error) {  // memory may be short too
      note_time();
      SuiteRow row;
      row.matrix = entry.name;
      row.is_twin = entry.is_twin;
      row.problem = error.what();
      add(std::move(row));
      return std::nullopt;
    }
  }

  void search_all(std::size_t place, const Matrix& matrix) {
    std::vector<double> after = nnz_after(place, static_cast<double>(matrix.nnz()));
    for (const Dtype dtype : plan_.dtypes) {
      for (const CacheRegime regime : plan_.regimes) {
        if (is_over()) return;
        const double seconds = search_seconds(static_cast<double>(matrix.nnz()), after,
                                              seconds_left(), plan_.seconds_each);
        add(search(matrices_[place], matrix, device_, dtype, regime, seconds, stop_));
        if (!after.empty()) after.pop_back();
      }
    }
  }

  /// Non-zeros of the searches after the first of a matrix, its own last.
  std::vector<double> nnz_after(std::size_t place, double nnz) const {
    std::vector<double> after;
    for (std::size_t other = place + 1; other < matrices_.size(); ++other) {
      after.insert(after.end(), kinds_of(plan_), matrices_[other].nnz_expected);
    }
    after.insert(after.end(), kinds_of(plan_) - 1, nnz);
    return after;
  }

  void add(SuiteRow row) {
    row.seconds_ready = seconds_ready_;
    report_.rows.push_back(std::move(row));
    report_.seconds = seconds();
    finished_(report_);
  }

  const SuitePlan& plan_;
  const std::vector<SuiteMatrix> matrices_;
  Device& device_;
  const std::atomic<bool>& stop_;
  const std::function<void(const SuiteReport&)>& finished_;
  std::optional<Stopwatch> clock_;  ///< since the first matrix was ready
  double seconds_ready_ = 0;        ///< that the last matrix took to be read or made
  SuiteReport report_;
};

}  // namespace

SuiteReport run_suite(const SuitePlan& plan, Device& device, const std::atomic<bool>& stop,
                      const std::function<void(const SuiteReport&)>& finished) {
  return SuiteRun(plan, device, stop, finished).run();
}

}  // namespace alphasparse
