// tune_page: the result of tune, on a page.
#include <fmt/format.h>

#include "runtime/system/machine/memory.h"
#include "tools/pages/chart.h"
#include "tools/pages/markup.h"
#include "tools/pages/report_pages.h"
#include "tools/pages/sections.h"
#include "tools/reports/measured.h"
#include "tools/reports/ratios.h"

namespace alphasparse {

namespace {

std::string number_html(const std::string& number, const std::string& description) {
  return fmt::format("<div><b>{}</b>{}</div>\n", escaped(number), escaped(description));
}

std::string device_line(const DeviceInfo& device) {
  return device.gpu.empty() ? device.name : fmt::format("{} ({})", device.name, device.gpu);
}

/// The few numbers that a reader wants first.
std::string numbers_html(const TuneReport& report) {
  const TuneResult& result = report.result;
  const Measurement& winner = *result.winner;
  std::string html = "<div class=\"numbers\">\n";
  if (winner.timing) {
    html += number_html(
        time_text(winner.timing->time_us),
        fmt::format("one product, {}; {:.3g} GFLOP/s, {:.4g} GB/s",
                    time_kind_name(result.device.kind), report.gflop_per_s(), report.gb_per_s()));
  }
  html += number_html(fmt::format("{:.2f}", static_cast<double>(winner.format_bytes.value_or(0)) /
                                                static_cast<double>(result.csr_bytes)),
                      "times the bytes of CSR");
  if (result.pfs && winner.timing) {
    html += number_html(fmt::format("{:.2f}", result.pfs->timing->time_us / winner.timing->time_us),
                        fmt::format("times as fast as the best known format, {}", result.pfs_name));
  }
  if (result.times_vendor(result.winner)) {
    html +=
        number_html(make_ratio(*winner.timing, *result.vendor->timing).text(),
                    fmt::format("times as fast as {}, the best baseline here ({})",
                                result.vendor->design, present_text(result.baselines_in_order())));
  }
  if (const auto spmvs = result.spmvs_to_pay())
    html +=
        number_html(grouped(static_cast<std::int64_t>(*spmvs)), "products until tuning has paid");
  html += "</div>\n";
  const std::string missing = not_installed_text(result.baselines_in_order());
  if (missing.empty()) return html;
  return html + paragraph_html("Baselines that were not there: " + missing + ".");
}

}  // namespace

std::string tune_page(const TunePage& page) {
  const TuneReport& report = page.report;
  const TuneResult& result = report.result;
  const InputMatrix& input = report.input;
  Page html;
  html.title = fmt::format("{} on {}", input.name, result.device.name);
  html.lead = fmt::format(
      "<p>The fastest verified kernel for {} ({} x {}, {} non-zeros) in {} on {}, by "
      "alphasparse {}. Times are {}.</p>\n{}",
      escaped(input.name), grouped(input.matrix.rows), grouped(input.matrix.cols),
      grouped(input.matrix.nnz()), operands_text(report.options.operands()),
      escaped(device_line(result.device)), ALPHASPARSE_VERSION, kind_tag(result.device.kind),
      numbers_html(report));
  html.sections = {matrix_section(input, report.options.dtype),
                   design_section(page),
                   bytes_section(page),
                   search_section(page),
                   roofline_section(page),
                   ablation_section(page),
                   source_section(page),
                   use_section(page)};
  return page_html(html);
}

}  // namespace alphasparse
