// bench_page: designs and peers side by side, a section a matrix.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/system/machine/memory.h"
#include "tools/pages/chart.h"
#include "tools/pages/markup.h"
#include "tools/pages/report_pages.h"
#include "tools/pages/sections.h"
#include "tools/reports/measured.h"

namespace alphasparse {

namespace {

Bar make_bar(const BenchEntry& entry, double best_us, TimeKind kind) {
  const Timing& timing = *entry.outcome.timing;
  Bar bar{entry.name,
          fmt::format("{}, {:.2f}", time_text(timing.time_us), timing.time_us / best_us),
          timing.time_us,
          is_baseline(entry) ? 1 : 0,
          kind == TimeKind::modelled,
          {},
          entry.outcome.design};
  if (timing.samples > 0) bar.spread = {timing.time_us_p20, timing.time_us_p80};
  return bar;
}

std::string failures_html(const std::vector<BenchEntry>& entries) {
  std::vector<std::pair<std::string, std::string>> failed;
  for (const BenchEntry& entry : entries) {
    if (!entry.is_timed()) failed.emplace_back(entry.name, shown_reason(entry.outcome));
  }
  return failed.empty() ? "" : "<h3>Without a time</h3>\n" + facts_html(failed);
}

/// The number of peers that were tried, and the fastest with its library; empty where none has a
/// time.
std::string vendor_html(const BenchReport& report, const std::vector<BenchEntry>& entries) {
  const BenchEntry* const best = find_fastest(entries, true);
  if (!best) return "";
  const std::vector<const Measurement*> outcomes = find_baseline_outcomes(entries);
  return fmt::format("<p>{} peers were tried; the fastest is {} ({}).</p>\n",
                     tried_text(count_baselines(report.algorithms(), outcomes)),
                     escaped(best->name), escaped(library_text(best->outcome, outcomes)));
}

PageSection matrix_part(const BenchReport& report, const BenchedMatrix& matrix,
                        const std::string& picture, std::size_t index) {
  std::vector<const BenchEntry*> timed;
  for (const BenchEntry& entry : matrix.entries) {
    if (entry.is_timed()) timed.push_back(&entry);
  }
  std::stable_sort(timed.begin(), timed.end(), [](const BenchEntry* a, const BenchEntry* b) {
    return a->outcome.timing->time_us < b->outcome.timing->time_us;
  });
  std::vector<Bar> bars;
  std::vector<std::vector<Cell>> rows;
  for (const BenchEntry* const entry : timed) {
    const double time_us = entry->outcome.timing->time_us;
    bars.push_back(make_bar(*entry, timed.front()->outcome.timing->time_us, report.device.kind));
    const double gflops = matrix.gflop_per_s(time_us);
    rows.push_back({{escaped(entry->name)},
                    {fmt::format("{:.4g}", time_us), time_us},
                    {fmt::format("{:.4g}", gflops), gflops},
                    {known_bytes_text(entry->outcome.format_bytes),
                     static_cast<double>(entry->outcome.format_bytes.value_or(0))},
                    {entry->takes_any_values ? "any" : "these alone"}});
  }
  return {fmt::format("matrix-{}", index + 1), matrix.name,
          fmt::format("<div class=\"beside\">{}<div><p>{} x {}, {} non-zeros; CSR has {}. Bars are "
                      "{} times and their ratios to the shortest; peers are orange, and dark lines "
                      "span from the 20th to the 80th of a hundred samples.</p>{}</div></div>\n",
                      pattern_html(picture, matrix.name), grouped(matrix.rows),
                      grouped(matrix.cols), grouped(matrix.nnz), byte_count_text(matrix.csr_bytes),
                      kind_tag(report.device.kind), bars_html(bars)) +
              table_html(
                  {{"design"}, {"time, µs", true}, {"GFLOP/s", true}, {"format", true}, {"values"}},
                  rows, true) +
              vendor_html(report, matrix.entries) + failures_html(matrix.entries)};
}

PageSection summary_part(const BenchReport& report) {
  std::vector<std::vector<Cell>> rows;
  for (const BenchSummary& one : report.summaries()) {
    const auto number = [](std::int64_t count) {
      return Cell{grouped(count), static_cast<double>(count)};
    };
    rows.push_back({{escaped(one.name)},
                    number(one.verified),
                    number(one.wins),
                    number(one.ties),
                    one.timed > 0 ? Cell{fmt::format("{:.2f}", one.ratio_mean), one.ratio_mean}
                                  : Cell{"", 1e9}});
  }
  return {"all", "Over all matrices",
          table_html({{"design"},
                      {"verified", true},
                      {"wins", true},
                      {"ties", true},
                      {"mean ratio to the best", true}},
                     rows, true)};
}

}  // namespace

std::string bench_page(const BenchReport& report, const std::vector<std::string>& pictures) {
  Page page;
  page.title = fmt::format("Designs side by side on {}", report.device.name);
  page.lead = fmt::format(
      "<p>Named designs{} on {}, {}, caches {}. Times are {}.</p>\n",
      report.device.kind == TimeKind::measured ? " and baselines" : "",
      escaped(report.device.gpu.empty() ? report.device.name : report.device.gpu),
      operands_text(report.operands), regime_name(report.regime), kind_tag(report.device.kind));
  for (std::size_t index = 0; index < report.matrices.size(); ++index)
    page.sections.push_back(matrix_part(report, report.matrices[index], pictures[index], index));
  if (report.matrices.size() > 1) page.sections.push_back(summary_part(report));
  return page_html(page);
}

}  // namespace alphasparse
