// report_text: the words that the texts of several commands share, and the text of emit.
#include <fmt/format.h>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "tools/reports/measured.h"
#include "tools/reports/ratios.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

std::string files_text(const OutputFiles& files) {
  std::string text = fmt::format("files    {}\n", printable(files.source));
  for (const std::string& file : {files.header, files.kernels, files.format, files.runtime}) {
    if (!file.empty()) text += fmt::format("         {}\n", printable(file));
  }
  return text;
}

}  // namespace

std::string matrix_text(const InputMatrix& input) {
  return fmt::format("matrix   {}: {} x {}, {} non-zeros\n", printable(input.name),
                     input.matrix.rows, input.matrix.cols, input.matrix.nnz()) +
         underflow_text(input);
}

std::string underflow_text(const InputMatrix& input) {
  const std::string small = input.underflow.text();
  return small.empty() ? "" : fmt::format("values   {}\n", small);
}

std::string bytes_text(std::int64_t format_bytes, std::int64_t csr) {
  return fmt::format("{}, {:.2f} times the bytes of CSR", byte_count_text(format_bytes),
                     static_cast<double>(format_bytes) / static_cast<double>(csr));
}

std::string rounding_text(double value_error) {
  if (value_error == 0) return "";
  return fmt::format("rounded  values are stored as float, largest relative error {:.2g}\n",
                     value_error);
}

std::string order_text(const std::string& design) {
  if (!has_own_order(design)) return "";
  return "order    x and y stay in an order of the kernel's own, which its header explains\n";
}

std::string resources_text(const Timing& timing) {
  if (!timing.registers) return "";
  return fmt::format("{} registers, {} bytes spilt", count_text(timing.registers),
                     count_text(timing.spill_bytes));
}

std::string status_text(const TuneResult& result) {
  std::string text;
  for (const auto& [status, count] : result.statuses())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
  return text.empty() ? "nothing" : text;
}

std::string preparation_text(const Measurement& outcome) {
  if (!outcome.convert_us || !outcome.load_us) return "not known";
  return fmt::format("converted in {:.3g} ms, loaded in {:.3g} ms", *outcome.convert_us / 1e3,
                     *outcome.load_us / 1e3);
}

std::string emit_text(const EmitReport& report) {
  std::string text = matrix_text(report.input);
  text += fmt::format("design   {}\n", wrapped_design(report.kernel.design, 9));
  text += order_text(report.kernel.design);
  text += fmt::format("verified on {} ({})\n", report.device.name, report.device.gpu);
  const char* kind = time_kind_name(report.device.kind);
  if (report.timing) {
    const std::string resources = resources_text(*report.timing);
    text += fmt::format("time     {:.4g} us {}{}{}\n", report.timing->time_us, kind,
                        resources.empty() ? "" : "; ", resources);
  } else {
    text += fmt::format("time     not {}: {}\n", kind, report.timing.reason());
  }
  text +=
      fmt::format("bytes    {}\n", bytes_text(report.kernel.format_bytes(),
                                              csr_bytes(report.input.matrix, report.kernel.dtype)));
  return text + files_text(report.files);
}

}  // namespace alphasparse
