#include "tools/suite/suite.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/system/content_key.h"
#include "runtime/system/stopwatch.h"
#include "search/trial/bench.h"
#include "tools/console/inputs.h"

namespace alphasparse {

namespace {

constexpr double seconds_least = 2;  // of a search: the named designs alone take some time

/// By a hash of their names, so that whatever part of them there is time for is mixed.
std::vector<SuiteMatrix> mixed(std::vector<SuiteMatrix> matrices) {
  std::sort(matrices.begin(), matrices.end(), [](const SuiteMatrix& a, const SuiteMatrix& b) {
    return content_key({a.name}) < content_key({b.name});
  });
  return matrices;
}

/// How long a search of so many non-zeros takes, of one of a million.
double weight(std::int64_t nnz) { return 0.5 + 0.5e-6 * static_cast<double>(nnz); }

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
  } catch (const Error& error) {
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

double SuiteRow::gb_per_s() const { return gb_per_s_of(*this, result.winner->format_bytes); }
double SuiteRow::csr_gb_per_s() const { return gb_per_s_of(*this, result.csr_bytes); }

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
          const double ahead = row.ahead();
          if (ahead == 0) continue;
          group.ahead_least = group.compared++ == 0 ? ahead : std::min(group.ahead_least, ahead);
          group.losses += ahead < 1;
          group.ahead_mean += std::log(ahead);
        }
        if (group.compared > 0) {
          group.ahead_mean = std::exp(group.ahead_mean / static_cast<double>(group.compared));
        }
        if (group.searched > 0) groups.push_back(group);
      }
    }
  }
  return groups;
}

SuiteReport run_suite(const SuitePlan& plan, Device& device, const std::atomic<bool>& stop,
                      const std::function<void(const SuiteReport&)>& finished) {
  const Stopwatch clock;
  SuiteReport report;
  report.device = device.info();
  if (const auto roofline = measure_roofline(device)) report.roofline = *roofline;
  const auto kinds = static_cast<std::int64_t>(plan.dtypes.size() * plan.regimes.size());
  report.planned = kinds * static_cast<std::int64_t>(plan.matrices.size());
  for (const SuiteMatrix& entry : mixed(plan.matrices)) {
    if (stop || clock.seconds() >= plan.seconds) break;
    std::optional<Matrix> matrix;
    try {
      matrix = entry.make();
    } catch (const Error& error) {
      report.rows.emplace_back().matrix = entry.name;
      report.rows.back().is_twin = entry.is_twin;
      report.rows.back().problem = error.what();
      finished(report);
      continue;
    }
    for (const Dtype dtype : plan.dtypes) {
      for (const CacheRegime regime : plan.regimes) {
        const double left = plan.seconds - clock.seconds();
        if (stop || left <= 0) break;
        const auto searches_left =
            static_cast<double>(report.planned - static_cast<std::int64_t>(report.rows.size()));
        const double share = weight(matrix->nnz()) * left / searches_left;
        const double most = weight(matrix->nnz()) * plan.seconds_each;
        const double seconds = std::min(std::max(seconds_least, share), most);
        report.rows.push_back(search(entry, *matrix, device, dtype, regime, seconds, stop));
        report.seconds = clock.seconds();
        finished(report);
      }
    }
  }
  report.seconds = clock.seconds();
  return report;
}

}  // namespace alphasparse
