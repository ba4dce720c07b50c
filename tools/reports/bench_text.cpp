// bench_text: the tables of bench.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "tools/reports/measured.h"
#include "tools/reports/ratios.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

double find_tie(const BenchReport& report) {
  return report.device.kind == TimeKind::modelled ? modelled_tie : 1;
}

/// The entries with a time, fastest first, then the others in their order.
std::vector<const BenchEntry*> ranking(const std::vector<BenchEntry>& entries) {
  std::vector<const BenchEntry*> ranked;
  for (const BenchEntry& entry : entries) ranked.push_back(&entry);
  std::stable_sort(ranked.begin(), ranked.end(), [](const BenchEntry* a, const BenchEntry* b) {
    if (!a->is_timed() || !b->is_timed()) return a->is_timed() && !b->is_timed();
    return a->outcome.timing->time_us < b->outcome.timing->time_us;
  });
  return ranked;
}

/// The end of a design's row: why it has no time, or that its time is noisy.
std::string remark(const BenchEntry& entry, TimeKind kind) {
  const Measurement& outcome = entry.outcome;
  if (outcome.status == Status::duplicate) return shown_reason(outcome);
  if (!outcome.verified)
    return fmt::format("{}: {}", status_name(outcome.status), printable(outcome.reason));
  if (!outcome.timing) return fmt::format("not {}: {}", time_kind_name(kind), outcome.reason);
  if (!outcome.timing->noisy) return "";
  return outcome.timing->slowed.empty() ? "noisy" : "noisy, slowed by " + outcome.timing->slowed;
}

std::string tried_baselines(const BenchReport& report, const std::vector<BenchEntry>& entries) {
  return tried_text(count_baselines(report.algorithms(), find_baseline_outcomes(entries)));
}

double entry_time_us(const BenchEntry& entry) { return entry.outcome.timing->time_us; }

/// The best of the vendor's algorithms against our best design for any values and for these, with
/// the time that they take before; empty where one of them is missing.
std::string vendor_text(const BenchReport& report, const std::vector<BenchEntry>& entries) {
  const BenchEntry* const theirs = find_fastest(entries, true);
  const BenchEntry* const ours = find_fastest(entries, false);
  if (!theirs || !ours) return "";
  std::string text = fmt::format("baseline {}: {:.4g} us\n", theirs->name, entry_time_us(*theirs));
  const std::vector<const Measurement*> outcomes = find_baseline_outcomes(entries);
  text += fmt::format("         {}; {} algorithms tried\n", library_text(theirs->outcome, outcomes),
                      tried_baselines(report, entries));
  const auto against = [&](const char* values, const BenchEntry* entry) {
    if (!entry) return fmt::format("         {}: -\n", values);
    return fmt::format("         {}: {} is {} it\n", values, entry->name,
                       speed_text(*entry->outcome.timing, *theirs->outcome.timing));
  };
  text += against("any values", fastest_for_any_values(entries)) + against("these values", ours);
  return text + fmt::format("         {}: {}\n         {}: {} ({})\n", ours->name,
                            preparation_text(ours->outcome), theirs->name,
                            preparation_text(theirs->outcome), theirs->outcome.timing->note);
}

/// The width of the column of names.
std::size_t name_width(const BenchReport& report) {
  std::size_t width = 16;
  for (const BenchedMatrix& matrix : report.matrices) {
    for (const BenchEntry& entry : matrix.entries) width = std::max(width, entry.name.size());
  }
  return width;
}

/// A column of the table: its heading, and its cell for a design that has a time.
struct Column {
  std::string heading;
  int width;
  std::function<std::string(const BenchEntry&)> text;
};

/// The columns that rest on times; a share of the measured throughput only where there is one.
std::vector<Column> time_columns(const BenchReport& report, const BenchedMatrix& matrix) {
  const auto time_us = [](const BenchEntry& entry) { return entry.outcome.timing->time_us; };
  const auto gb_per_s = [&matrix, time_us](const BenchEntry& entry) {
    return matrix.gb_per_s(entry.outcome.format_bytes.value_or(0), time_us(entry));
  };
  std::vector<Column> columns = {
      {fmt::format("us {}", time_kind_name(report.device.kind)), 12,
       [=](const BenchEntry& entry) { return fmt::format("{:.4g}", time_us(entry)); }},
      {"GFLOP/s", 9,
       [=, &matrix](const BenchEntry& entry) {
         return fmt::format("{:.3g}", matrix.gflop_per_s(time_us(entry)));
       }},
      {"GB/s", 8, [=](const BenchEntry& entry) { return fmt::format("{:.4g}", gb_per_s(entry)); }}};
  if (report.roofline) {
    columns.push_back(
        {"of peak", 7, [=, &matrix, &roofline = *report.roofline](const BenchEntry& e) {
           return fmt::format(
               "{:.0f} %",
               100 * matrix.memory_share(roofline, e.outcome.format_bytes.value_or(0), time_us(e)));
         }});
  }
  if (matrix.one_vector_us) {
    columns.push_back({fmt::format("x {} SpMV", matrix.operands.vectors), 9,
                       [=, &matrix](const BenchEntry& entry) {
                         return fmt::format("{:.2f}", *matrix.times_products(time_us(entry)));
                       }});
  }
  if (const BenchEntry* const vendor = find_fastest(matrix.entries, true)) {
    const auto times_vendor = [=](const BenchEntry& entry) {
      return fmt::format("{:.2f}", time_us(*vendor) / time_us(entry));
    };
    columns.push_back({"x any", 7, [=](const BenchEntry& entry) {
                         return entry.takes_any_values ? times_vendor(entry) : "-";
                       }});
    columns.push_back({"x these", 7, times_vendor});
  }
  columns.push_back(
      {"vs best", 8, [=, best_us = best_time_us(matrix.entries)](const BenchEntry& e) {
         return fmt::format("{:.2f}", time_us(e) / best_us);
       }});
  return columns;
}

std::string row_text(const BenchReport& report, const BenchedMatrix& matrix,
                     const BenchEntry& entry, const std::vector<Column>& columns) {
  const Measurement& outcome = entry.outcome;
  std::string text =
      fmt::format("{:<{}} {:<8}", entry.name, name_width(report), outcome.verified ? "yes" : "no");
  for (const Column& column : columns) {
    text += fmt::format(" {:>{}}", entry.is_timed() ? column.text(entry) : "-", column.width);
  }
  if (outcome.format_bytes) {
    text += fmt::format(
        " {:>9} {:>7.2f}", byte_count_text(*outcome.format_bytes),
        static_cast<double>(*outcome.format_bytes) / static_cast<double>(matrix.csr_bytes));
  } else {
    text += fmt::format(" {:>9} {:>7}", "-", "-");
  }
  const std::string reason = remark(entry, report.device.kind);
  return text + (reason.empty() ? "" : "  " + reason) + "\n";
}

/// A row a matrix: x vendor for any values and for these; empty where there is no vendor's.
std::string values_text(const BenchReport& report) {
  std::string text;
  for (const BenchedMatrix& matrix : report.matrices) {
    const BenchEntry* const theirs = find_fastest(matrix.entries, true);
    if (!theirs) continue;
    const auto times_vendor = [&](const BenchEntry* ours) {
      return ours ? fmt::format("{:.2f}", entry_time_us(*theirs) / entry_time_us(*ours)) : "-";
    };
    text += fmt::format("{:<28} {:>10} {:>12} {:>12}\n", printable(matrix.name),
                        times_vendor(fastest_for_any_values(matrix.entries)),
                        times_vendor(find_fastest(matrix.entries, false)),
                        tried_baselines(report, matrix.entries));
  }
  if (text.empty()) return "";
  return fmt::format("\n{:<28} {:>10} {:>12} {:>12}\n", "x baseline", "any values", "these values",
                     "tried") +
         text;
}

}  // namespace

std::vector<BenchSummary> BenchReport::summaries() const {
  std::vector<std::vector<BenchEntry>> entries;
  for (const BenchedMatrix& matrix : matrices) entries.push_back(matrix.entries);
  return summarise(entries, find_tie(*this));
}

std::string operands_text(const Operands& operands) {
  const std::string type = dtype_name(operands.dtype);
  return operands.vectors == 1 ? type : fmt::format("{}, {} vectors", type, operands.vectors);
}

std::string bench_head_text(const BenchReport& report) {
  std::string text = fmt::format("device   {} ({}), {}, {} caches, times {}\n", report.device.name,
                                 report.device.gpu, operands_text(report.operands),
                                 regime_name(report.regime), time_kind_name(report.device.kind));
  if (report.roofline) text += roofline_text(*report.roofline);
  return text;
}

std::string bench_matrix_text(const BenchReport& report, const BenchedMatrix& matrix) {
  std::string text =
      fmt::format("\nmatrix   {}: {} x {}, {} non-zeros, {} in CSR\n", printable(matrix.name),
                  matrix.rows, matrix.cols, matrix.nnz, byte_count_text(matrix.csr_bytes));
  if (const std::string small = matrix.underflow.text(); !small.empty())
    text += fmt::format("values   {}\n", small);
  const std::vector<Column> columns = time_columns(report, matrix);
  if (find_fastest(matrix.entries, true)) {
    text +=
        "ratios   x any: times as fast as the best baseline, of formats for any values; x these: "
        "of "
        "formats for these values alone\n";
  }
  text += fmt::format("{:<{}} {:<8}", "design", name_width(report), "verified");
  for (const Column& column : columns) text += fmt::format(" {:>{}}", column.heading, column.width);
  text += fmt::format(" {:>9} {:>7}\n", "format", "of CSR");
  std::vector<const Measurement*> outcomes;
  for (const BenchEntry* entry : ranking(matrix.entries)) {
    outcomes.push_back(&entry->outcome);
    if (!is_library_missing(entry->outcome)) text += row_text(report, matrix, *entry, columns);
  }
  return text + missing_text(outcomes) + vendor_text(report, matrix.entries);
}

std::string bench_summary_text(const BenchReport& report) {
  if (report.matrices.size() < 2) return "";
  const bool modelled = report.device.kind == TimeKind::modelled;
  std::string text = fmt::format("\n{} matrices, times {}{}\n", report.matrices.size(),
                                 time_kind_name(report.device.kind),
                                 modelled ? "; within 20 % of the best is a tie" : "");
  for (const BenchedMatrix& matrix : report.matrices) {
    const std::vector<const BenchEntry*> ranked = ranking(matrix.entries);
    const bool won = !ranked.empty() && ranked.front()->is_timed();
    text += fmt::format("{:<28} {}\n", printable(matrix.name), won ? ranked.front()->name : "none");
  }
  text += values_text(report);
  text += fmt::format("\n{:<{}} {:>6} {:>6} {:>12} {:>24}\n", "design", name_width(report), "wins",
                      modelled ? "ties" : "", "verified", "mean ratio to the best");
  for (const BenchSummary& summary : report.summaries()) {
    text += fmt::format(
        "{:<{}} {:>6} {:>6} {:>12} {:>24}\n", summary.name, name_width(report), summary.wins,
        modelled ? fmt::format("{}", summary.ties) : "",
        fmt::format("{} of {}", summary.verified, summary.matrices),
        summary.timed > 0 ? fmt::format("{:.2f} on {}", summary.ratio_mean, summary.timed) : "-");
  }
  return text;
}

}  // namespace alphasparse
