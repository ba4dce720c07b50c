// text: the suite as one table for people.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/reports/measured.h"
#include "tools/suite/suite.h"

namespace alphasparse {

namespace {

const char* group_name(bool is_twin) { return is_twin ? "twin" : "real"; }

/// Outcomes that are a fault of ours, or of the vendor: neither right nor rejected beforehand.
bool is_error(const Measurement& outcome) {
  return outcome.status != Status::ok && outcome.status != Status::pruned &&
         outcome.status != Status::duplicate;
}

std::string errors_text(const SuiteReport& report) {
  std::string text;
  for (const SuiteRow& row : report.rows) {
    if (!row.problem.empty()) text += fmt::format("{}: {}\n", row.matrix, row.problem);
    for (const Outcomes* const outcomes : {&row.result.outcomes, &row.result.baseline_outcomes}) {
      for (const auto& [design, outcome] : *outcomes) {
        if (!is_error(outcome)) continue;
        text += fmt::format("{} {} {}: {}: {}: {}\n", row.matrix, dtype_name(row.dtype),
                            regime_name(row.regime), status_name(outcome.status), design,
                            outcome.reason);
      }
    }
  }
  return text.empty() ? "" : "faults\n" + text + "\n";
}

/// The smallest format over L2.
std::string l2_text(const SuiteReport& report, const SuiteRow& row) {
  if (report.device.l2_bytes <= 0) return "-";
  return fmt::format("{:.1f}", static_cast<double>(row.least_format_bytes()) /
                                   static_cast<double>(report.device.l2_bytes));
}

/// "8 of 8" of the vendor's algorithms.
std::string write_tried(const SuiteReport& report, const SuiteRow& row) {
  return report.against_vendor() ? tried_text(row.result.baseline_count()) : "-";
}

/// The libraries with algorithms beside ours: "cuSPARSE 12.5.4".
std::string libraries_text(const SuiteReport& report) {
  std::string text;
  for (const SuiteRow& row : report.rows) {
    const std::vector<const Measurement*> outcomes = row.result.baselines_in_order();
    for (const Measurement* const outcome : outcomes) {
      if (is_library_missing(*outcome)) continue;
      const std::string library = library_text(*outcome, outcomes);
      if (text.find(library) == std::string::npos) text += (text.empty() ? "" : "; ") + library;
    }
  }
  return text.empty() ? "" : fmt::format("vendor   {}\n", text);
}

/// Searches that were not begun: a line a reason.
std::string left_out_text(const SuiteReport& report) {
  std::map<std::string, std::string> names_of;
  for (const LeftOut& one : report.left_out) {
    const std::string kind = fmt::format("{} {} {}", group_name(one.is_twin), dtype_name(one.dtype),
                                         regime_name(one.regime));
    std::string& names = names_of[fmt::format("{}: {}", kind, one.reason)];
    names += (names.empty() ? "" : ", ") + one.matrix;
  }
  std::string text;
  for (const auto& [reason, names] : names_of) {
    const std::size_t kind = reason.find(": ");
    text += fmt::format("left out {}: {}{}\n", reason.substr(0, kind), names, reason.substr(kind));
  }
  return text;
}

std::string row_text(const SuiteReport& report, const SuiteRow& row) {
  const TuneResult& result = row.result;
  const auto& other = report.against_vendor() ? result.vendor : result.pfs;
  const std::string other_name = !other                    ? "-"
                                 : report.against_vendor() ? other->design
                                                           : result.pfs_name;
  const double any = row.ahead_any_values();
  const double share = report.roofline ? 100 * row.memory_share(*report.roofline) : 0;
  return fmt::format(
      "{:<5} {:<20.20} {:>10} {:<4} {:<5} {:>10.4g} {:>8.0f} {:>7} {:>8.0f} {:>7} {:>6} {:>10} "
      "{:>16} "
      "{:>7} {:>10} {:>12} {}{}{}\n",
      group_name(row.is_twin), row.matrix, row.nnz, dtype_name(row.dtype), regime_name(row.regime),
      result.winner->timing->time_us, row.gb_per_s(),
      report.roofline ? fmt::format("{:.0f} %", share) : "-", row.csr_gb_per_s(),
      fmt::format("{:.2f}", static_cast<double>(result.winner->format_bytes.value_or(0)) /
                                static_cast<double>(result.csr_bytes)),
      l2_text(report, row), other ? fmt::format("{:.4g}", other->timing->time_us) : "-", other_name,
      write_tried(report, row), any > 0 ? fmt::format("{:.2f}", any) : "-",
      other ? fmt::format("{:.2f}", row.ahead()) : "-",
      row.headline() > 0 && row.headline() < 1 ? "LOSS " : "",
      report.beyond_l2(row).value_or(true) ? "" : "(under 3 L2) ", result.winner->design);
}

std::string lead_text(const SuiteReport& report, const char* values, const SuiteGroup::Lead& lead) {
  if (lead.compared == 0) {
    return lead.losses > 0 ? fmt::format(", {}: {} losses", values, lead.losses) : "";
  }
  return fmt::format(", {}: {:.3f} times {} in geometric mean, {:.3f} at least, {} losses", values,
                     *lead.mean.value(),
                     report.against_vendor() ? "the vendor's best" : "the best named design",
                     lead.least, lead.losses);
}

std::string group_text(const SuiteReport& report, const SuiteGroup& group) {
  std::string text =
      fmt::format("{} {} {:<5} {:>4} searched", group_name(group.is_twin), dtype_name(group.dtype),
                  regime_name(group.regime), group.searched);
  text += lead_text(report, "any values", group.any_values);
  text += lead_text(report, "these values", group.these_values);
  if (group.partial > 0) {
    text += fmt::format("; {} in no mean: not all of the vendor's algorithms were tried",
                        group.partial);
  }
  if (report.device.l2_bytes > 0) {
    text +=
        fmt::format("; {} of {} beyond {} L2", group.beyond_l2, group.searched, l2_multiple_least);
  }
  return text + "\n";
}

}  // namespace

std::string suite_text(const SuiteReport& report) {
  std::string text = errors_text(report);
  text += fmt::format("device   {} ({}), {}, times {}{}\n", report.device.name, report.device.gpu,
                      report.device.version, time_kind_name(report.device.kind),
                      report.vectors == 1 ? "" : fmt::format(", {} vectors", report.vectors));
  text += libraries_text(report);
  if (report.roofline) text += roofline_text(*report.roofline);
  text += fmt::format("searches {} of {} in {:.0f} s from the first matrix on that was ready\n",
                      report.rows.size(), report.planned, report.seconds);
  text += fmt::format("matrices {:.1f} s to make twins, {:.1f} s to read files\n\n",
                      report.seconds_making, report.seconds_reading);
  text += fmt::format(
      "{:<5} {:<20} {:>10} {:<4} {:<5} {:>10} {:>8} {:>7} {:>8} {:>7} {:>6} {:>10} {:>16} {:>7} "
      "{:>10} {:>12} {}\n",
      "", "matrix", "non-zeros", "type", "cache", "us", "GB/s", "of mem.", "as CSR", "of CSR",
      "x L2", "us", report.against_vendor() ? "vendor's best" : "best named", "of", "any values",
      "these values", "design");
  std::vector<const SuiteRow*> timed;
  for (const SuiteRow& row : report.rows) {
    if (row.is_timed()) timed.push_back(&row);
  }
  std::stable_sort(timed.begin(), timed.end(), [](const SuiteRow* a, const SuiteRow* b) {
    return a->headline() < b->headline();
  });
  for (const SuiteRow* const row : timed) text += row_text(report, *row);
  text += "\n" + left_out_text(report);
  for (const SuiteGroup& group : report.groups()) text += group_text(report, group);
  return text;
}

}  // namespace alphasparse
