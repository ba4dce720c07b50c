// ablate_text: the table of ablate.
#include <fmt/format.h>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "tools/reports/measured.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

std::string row_text(const AblateReport& report, const Ablated& row) {
  const Measurement& outcome = row.outcome;
  std::string text = fmt::format("{:<20}", row.passes);
  if (outcome.format_bytes) {
    text += fmt::format(
        " {:>10} {:>7.3f}", byte_count_text(*outcome.format_bytes),
        static_cast<double>(*outcome.format_bytes) / static_cast<double>(report.csr_bytes));
  } else {
    text += fmt::format(" {:>10} {:>7}", "-", "-");
  }
  if (!outcome.verified) {
    return text + fmt::format("  {}: {}\n", status_name(outcome.status), printable(outcome.reason));
  }
  if (!outcome.timing) return text + fmt::format("  no time: {}\n", printable(outcome.reason));
  const Timing& timing = *outcome.timing;
  const std::string sectors = timing.sectors ? fmt::format("{}", *timing.sectors) : "-";
  text += fmt::format(" {:>12} {:>11.4g}", sectors, timing.time_us);
  return text + (outcome.status == Status::duplicate ? "  " + shown_reason(outcome) : "") + "\n";
}

}  // namespace

std::string ablate_text(const AblateReport& report) {
  const InputMatrix& input = report.input;
  std::string text =
      fmt::format("matrix   {}: {} x {}, {} non-zeros, {} in CSR\ndevice   {} ({})\n",
                  printable(input.name), input.matrix.rows, input.matrix.cols, input.matrix.nnz(),
                  byte_count_text(report.csr_bytes), report.device.name, report.device.gpu);
  if (const std::string small = input.underflow.text(); !small.empty())
    text += fmt::format("values   {}\n", small);
  if (!report.rows.empty()) text += fmt::format("design   {}\n", report.rows[0].outcome.design);
  text += empty_text(report.empty_us);
  text += fmt::format("\n{:<20} {:>10} {:>7} {:>12} {:>11}\n", "passes", "format", "of CSR",
                      "sectors", fmt::format("us {}", time_kind_name(report.device.kind)));
  for (const Ablated& row : report.rows) text += row_text(report, row);
  return text;
}

}  // namespace alphasparse
