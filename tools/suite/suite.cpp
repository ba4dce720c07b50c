#include "tools/suite/suite.h"

#include <algorithm>

#include "search/trial/bench.h"

namespace alphasparse {

namespace {

double find_gb_per_s(const SuiteRow& row, std::int64_t format_bytes) {
  const std::int64_t bytes = compulsory_bytes(row.rows, row.cols, row.operands(), format_bytes);
  return static_cast<double>(bytes) / row.result.winner->timing->time_us / 1e3;
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

void SuiteGroup::Lead::add(double ahead, bool is_whole) {
  if (ahead == 0) return;
  losses += ahead < 1;  // so it is beside all of them
  if (!is_whole) return;
  least = compared++ == 0 ? ahead : std::min(least, ahead);
  mean.add(ahead);
}

std::int64_t SuiteRow::least_format_bytes() const {
  std::int64_t least = result.winner->format_bytes.value_or(result.csr_bytes);
  for (const auto& other : {result.vendor, result.any_values}) {
    if (other) least = std::min(least, other->format_bytes.value_or(least));
  }
  return least;
}

double SuiteRow::gb_per_s() const {
  return find_gb_per_s(*this, result.winner->format_bytes.value_or(0));
}
double SuiteRow::csr_gb_per_s() const { return find_gb_per_s(*this, result.csr_bytes); }

std::optional<bool> SuiteReport::beyond_l2(const SuiteRow& row) const {
  if (device.l2_bytes <= 0 || !row.is_timed()) return std::nullopt;
  return row.least_format_bytes() > l2_multiple_least * device.l2_bytes;
}

double SuiteRow::memory_share(const Roofline& roofline) const {
  const std::int64_t written = std::int64_t{rows} * number_type(dtype).bytes * result.vectors;
  const std::int64_t bytes =
      compulsory_bytes(rows, cols, operands(), result.winner->format_bytes.value_or(0));
  return attainable_us(roofline, bytes - written, written) / result.winner->timing->time_us;
}

std::vector<SuiteGroup> SuiteReport::groups() const {
  std::vector<SuiteGroup> groups;
  for (const bool is_twin : {false, true}) {
    for (const NumberType& type : number_types) {
      for (const CacheRegime regime : {CacheRegime::warm, CacheRegime::cold}) {
        SuiteGroup group{is_twin, type.dtype, regime};
        for (const SuiteRow& row : rows) {
          if (row.is_twin != is_twin || row.dtype != type.dtype || row.regime != regime) continue;
          if (!row.is_timed()) continue;
          ++group.searched;
          group.beyond_l2 += beyond_l2(row).value_or(false);
          const bool is_whole = !against_vendor() || row.has_whole_vendor();
          group.partial += against_vendor() && row.result.vendor && !is_whole;
          group.any_values.add(row.ahead_any_values(), is_whole);
          group.these_values.add(row.result.vendor || !against_vendor() ? row.ahead() : 0,
                                 is_whole);
        }
        if (group.searched > 0) groups.push_back(group);
      }
    }
  }
  return groups;
}

}  // namespace alphasparse
