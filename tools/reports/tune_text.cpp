// tune_text: the lines that tune prints of its result. Details are those of tune_details.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/printable.h"
#include "generator/text/standalone.h"
#include "runtime/device/baseline_kernels.h"
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
                     speed_text(*result.winner->timing, *result.pfs->timing), result.pfs_name,
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
                  speed_text(*result.winner->timing, *result.vendor->timing), result.vendor->design,
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

bool is_noisy(const TuneResult& result) {
  const auto noisy = [](const std::optional<Measurement>& one) {
    return one && one->timing && one->timing->noisy;
  };
  return noisy(result.winner) || noisy(result.vendor);
}

/// Why times are to be taken with care; empty: they are not.
std::string doubts_text(const TuneResult& result) {
  const Measurement& winner = *result.winner;
  std::string text;
  if (is_noisy(result)) {
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

/// The result beside the best library here, where none has a time beside the best known format,
/// else alone.
std::string answer_text(const TuneResult& result) {
  const Measurement& winner = *result.winner;
  const char* const kind = time_kind_name(result.device.kind);
  if (!winner.timing) return fmt::format("not {}: {}", kind, printable(winner.reason));
  if (result.vendor && result.vendor->timing) {
    const std::vector<const Measurement*> outcomes = result.baselines_in_order();
    const bool is_alone = baselines_present(outcomes).size() == 1;
    return fmt::format("{} {}{}{}{:.4g} us)", speed_text(*winner.timing, *result.vendor->timing),
                       is_alone ? "" : "the best library here (",
                       find_baseline(result.vendor->design)->library, is_alone ? " (" : ", ",
                       result.vendor->timing->time_us);
  }
  if (!result.pfs || !result.pfs->timing)
    return fmt::format("{:.4g} us {}", winner.timing->time_us, kind);
  return fmt::format("{} the best known format ({}, {:.4g} us {})",
                     speed_text(*winner.timing, *result.pfs->timing), result.pfs_name,
                     result.pfs->timing->time_us, kind);
}

/// One line: the answer, all that makes it worth less, and the files.
std::string verdict_text(const TuneReport& report) {
  constexpr std::int64_t few_designs = 8;
  const TuneResult& result = report.result;
  const bool is_measured = result.device.kind == TimeKind::measured;
  std::vector<std::string> parts = {answer_text(result)};
  if (is_noisy(result)) parts.emplace_back("noisy");
  if (result.disturbed) parts.emplace_back("disturbed");
  if (result.interrupted) parts.emplace_back("interrupted");
  if (const std::string untimed = untimed_text(result.algorithms(), result.baselines_in_order());
      is_measured && !untimed.empty())
    parts.push_back("without a time: " + untimed);
  const std::int64_t tried = result.trials + result.disturbed_designs;
  if (tried < few_designs) parts.push_back(fmt::format("only {} tried", counted(tried, "design")));
  parts.push_back("wrote " + printable(report.files.source));
  if (!report.page.empty()) parts.back() += " and " + printable(report.page);
  return fmt::format("{}\n", fmt::join(parts, "; "));
}

/// Why the answer is slower than the progress told; empty: it is not.
std::string slower_text(const TuneResult& result) {
  constexpr double reported_ratio_max = 1.05;
  if (!result.reported_us || !result.winner->timing) return "";
  const double time_us = result.winner->timing->time_us;
  if (time_us <= reported_ratio_max * *result.reported_us) return "";
  return fmt::format(
      "slower   {:.4g} us, where the progress told {:.4g} us: the best designs were "
      "measured again, in turn\n",
      time_us, *result.reported_us);
}

/// The worth of an own order: beside libraries in both orders, and when moving x and y has paid.
std::string order_worth_text(const TuneResult& result) {
  if (!result.order_worth || !result.winner->timing) return "";
  const OrderWorth& worth = *result.order_worth;
  std::string text;
  const auto beside = [&](const char* label, const Timing& ours, const Measurement& theirs,
                          const char* where) {
    text += fmt::format("{:<8} {} {} {} ({:.4g} us)\n", label, speed_text(ours, *theirs.timing),
                        theirs.design, where, theirs.timing->time_us);
  };
  if (result.vendor && result.vendor->timing)
    beside("given", *result.winner->timing, *result.vendor, "on the matrix in its given order");
  if (worth.vendor) beside("permuted", *worth.in_turn, *worth.vendor, "on the permuted matrix");
  if (!worth.permutations_us || !worth.given) return text;
  const std::optional<double> products = worth.products_to_pay(*result.winner);
  return text + fmt::format(
                    "solve    permuting x and y takes {:.4g} us, which pays {} beside the best "
                    "kernel of the given order ({:.4g} us)\n",
                    *worth.permutations_us,
                    products ? fmt::format("after {:.2g} products", *products) : "never",
                    worth.given->timing->time_us);
}

/// "orders   lines of x to the given order's: rcm 0.72 (0.09 s)", of those that were looked at.
std::string orders_text(const TuneResult& result) {
  std::vector<std::string> orders;
  for (const VectorOrder& order : result.vector_orders) {
    if (order.lines_ratio > 0)
      orders.push_back(
          fmt::format("{} {:.2f} ({:.2g} s)", order.by, order.lines_ratio, order.seconds));
  }
  if (orders.empty()) return "";
  return fmt::format("orders   lines of x to the given order's: {}\n", fmt::join(orders, ", "));
}

/// How the file is built.
std::string next_text(const TuneReport& report) {
  const DeviceInfo& device = report.result.device;
  const std::string& source = report.files.source;
  const std::string program = std::filesystem::path(source).replace_extension().string();
  return fmt::format("next     {}\n", build_command(find_spelling(device.target, device.dialect),
                                                    device.arch, source, program));
}

/// The file to begin with, and the others by their names.
std::string files_text(const OutputFiles& files) {
  std::string text = fmt::format("files    {}", printable(files.source));
  for (const std::string& file : {files.header, files.kernels, files.format, files.runtime}) {
    if (!file.empty()) text += ", " + printable(std::filesystem::path(file).filename().string());
  }
  return text + "\n";
}

}  // namespace

double TuneReport::gflop_per_s() const {
  const double operations = number_type(options.dtype).flops() *
                            static_cast<double>(input.matrix.nnz()) * options.vectors;
  return operations / result.winner->timing->time_us / 1e3;
}

double TuneReport::gb_per_s() const {
  const std::int64_t bytes =
      compulsory_bytes(input.matrix.rows, input.matrix.cols, options.operands(),
                       result.winner->format_bytes.value_or(0));
  return static_cast<double>(bytes) / result.winner->timing->time_us / 1e3;
}

std::string tune_text(const TuneReport& report) {
  const TuneResult& result = report.result;
  const Measurement& winner = *result.winner;
  const char* kind = time_kind_name(result.device.kind);
  std::string text = verdict_text(report) + next_text(report) + rounding_text(report.value_error) +
                     order_text(winner.design) + order_worth_text(result);
  if (!report.details) return text + underflow_text(report.input) + slower_text(result);
  text += matrix_text(report.input);
  text += fmt::format("device   {} ({})\n", result.device.name, result.device.gpu);
  text += winner.timing
              ? fmt::format("time     {:.4g} us {}, {}, {:.3g} GFLOP/s, {:.4g} GB/s\n",
                            winner.timing->time_us, kind, operands_text(report.options.operands()),
                            report.gflop_per_s(), report.gb_per_s())
              : fmt::format("time     not {}: {}\n", kind, printable(winner.reason));
  text +=
      known_format_text(result) + baseline_text(result) + doubts_text(result) + orders_text(result);
  text +=
      fmt::format("bytes    {}\n", bytes_text(winner.format_bytes.value_or(0), result.csr_bytes));
  text += fmt::format("design   {}\n", wrapped_design(winner.design, 9));
  text += files_text(report.files);
  if (!report.page.empty()) text += fmt::format("report   {}\n", printable(report.page));
  if (report.explain) text += tune_details(report);
  return text + slower_text(result);
}

}  // namespace alphasparse
