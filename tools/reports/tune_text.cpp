// tune_text: the lines that tune prints of its result. Details are those of tune_details.h.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/printable.h"
#include "generator/text/standalone.h"
#include "runtime/system/machine/memory.h"
#include "tools/reports/measured.h"
#include "tools/reports/ratios.h"
#include "tools/reports/report.h"
#include "tools/reports/table.h"
#include "tools/reports/tune_details.h"

namespace alphasparse {

namespace {

/// "known    2.00 times as fast as the best known format, ell (13.2 us)"; empty: it has no time.
std::string known_format_text(const TuneResult& result) {
  if (!result.pfs || !result.pfs->timing || !result.winner->timing) return "";
  const double theirs_us = result.pfs->timing->time_us;
  const std::string untried = result.named_untried == 0
                                  ? ""
                                  : fmt::format("; {} of {} known formats were not tried",
                                                result.named_untried, result.named_designs);
  return fmt::format("known    {} the best known format, {} ({:.4g} us{})\n",
                     speed_text(result.winner->timing->time_us, theirs_us), result.pfs_name,
                     theirs_us, untried);
}

/// For a winner that holds these values alone, the ratio of the best format for any values.
std::string any_values_text(const TuneResult& result) {
  const std::optional<Measurement>& any = result.any_values;
  if (!any || !any->timing || any->design == result.winner->design) return "";
  return fmt::format("; for any values {:.2f}", *result.times_vendor(*any));
}

/// Beside the best baseline: the ratio, the baselines that were there, and when tuning pays.
std::string baseline_text(const TuneResult& result) {
  if (!result.vendor && !result.baseline_outcomes.empty()) {
    auto first =
        std::find_if(result.baseline_outcomes.begin(), result.baseline_outcomes.end(),
                     [](const auto& entry) { return entry.second.status != Status::pruned; });
    if (first == result.baseline_outcomes.end()) first = result.baseline_outcomes.begin();
    return fmt::format("baseline not measured: {}\n", printable(first->second.reason));
  }
  if (!result.vendor || !result.vendor->timing || !result.winner->timing) return "";
  const double theirs_us = result.vendor->timing->time_us;
  std::string text =
      fmt::format("baseline {} {} ({:.4g} us{}), the best of {}\n",
                  speed_text(result.winner->timing->time_us, theirs_us), result.vendor->design,
                  theirs_us, any_values_text(result), present_text(result.baselines_in_order()));
  if (const std::int64_t untried = result.untried_baselines(); untried > 0)
    text += fmt::format("untried  {} of baselines: the baselines' share of the time was over\n",
                        counted(untried, "algorithm"));
  const std::string missing = not_installed_text(result.baselines_in_order());
  if (!missing.empty()) text += fmt::format("missing  {}\n", missing);
  const std::optional<double> products = result.spmvs_to_pay();
  return text + (products ? fmt::format("pays     after {:.2g} products\n", *products)
                          : std::string("pays     never against that baseline\n"));
}

/// Why times are to be taken with care; empty: they are not.
std::string doubts_text(const TuneResult& result) {
  const Measurement& winner = *result.winner;
  std::string text;
  const bool theirs_noisy = result.vendor && result.vendor->timing && result.vendor->timing->noisy;
  if ((winner.timing && winner.timing->noisy) || theirs_noisy) {
    text += fmt::format("noisy    samples lie far apart: others may be using the {}\n",
                        result.device.target == Target::cpu ? "cores" : "GPU");
  }
  if (result.skipped > 0)
    text += fmt::format("skipped  {} after faults of the environment\n",
                        counted(result.skipped, "design"));
  if (result.disturbed) {
    text += fmt::format("disturbed {} without a time of its own; {}\n",
                        counted(result.disturbed_designs, "design"),
                        winner.unsettled ? "this one's is disturbed too"
                                         : "the answer rests on times that were not disturbed");
  }
  return text;
}

/// The file to begin with, the others by their names, and how it is built.
std::string files_text(const OutputFiles& files, const DeviceInfo& device) {
  std::string text = fmt::format("files    {}", printable(files.source));
  for (const std::string& file : {files.header, files.kernels, files.format, files.runtime}) {
    if (!file.empty()) text += ", " + printable(std::filesystem::path(file).filename().string());
  }
  const std::string program = std::filesystem::path(files.source).replace_extension().string();
  return text + fmt::format("\nnext     {}\n",
                            build_command(device.target, device.arch, files.source, program));
}

}  // namespace

std::string tune_text(const TuneReport& report) {
  const TuneResult& result = report.result;
  const Measurement& winner = *result.winner;
  const char* kind = time_kind_name(result.device.kind);
  std::string text = matrix_text(report.input);
  text += fmt::format("device   {} ({})\n", result.device.name, result.device.gpu);
  text += winner.timing ? fmt::format("time     {:.4g} us {}\n", winner.timing->time_us, kind)
                        : fmt::format("time     not {}: {}\n", kind, printable(winner.reason));
  text += known_format_text(result) + baseline_text(result) + doubts_text(result);
  text +=
      fmt::format("bytes    {}\n", bytes_text(winner.format_bytes.value_or(0), result.csr_bytes));
  text += fmt::format("design   {}\n", wrapped_design(winner.design, 9));
  text += rounding_text(report.value_error);
  text += files_text(report.files, result.device);
  if (!report.page.empty()) text += fmt::format("report   {}\n", printable(report.page));
  return report.explain ? text + tune_details(report) : text;
}

}  // namespace alphasparse
