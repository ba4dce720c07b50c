// report_text: the text half of report.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "generator/printable.h"
#include "runtime/system/memory.h"
#include "search/trial/bench.h"
#include "tools/reports/explain.h"
#include "tools/reports/measured.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

constexpr std::size_t explained_max = 8;

std::string matrix_text(const InputMatrix& input) {
  const std::string text =
      fmt::format("matrix   {}: {} x {}, {} non-zeros\n", printable(input.name), input.matrix.rows,
                  input.matrix.cols, input.matrix.nnz());
  const std::string small = input.underflow.text();
  return small.empty() ? text : text + fmt::format("values   {}\n", small);
}

std::string bytes_text(std::int64_t format_bytes, std::int64_t csr) {
  return fmt::format("{}, {:.2f} of CSR", byte_count_text(format_bytes),
                     static_cast<double>(format_bytes) / static_cast<double>(csr));
}

std::string files_text(const OutputFiles& files) {
  std::string text = fmt::format("files    {}\n", printable(files.source));
  for (const std::string& file : {files.header, files.kernels, files.format}) {
    if (!file.empty()) text += fmt::format("         {}\n", printable(file));
  }
  return text;
}

/// Verified outcomes, fastest first; duplicates left out.
std::vector<const Measurement*> ranking(const TuneResult& result) {
  std::vector<const Measurement*> ranked;
  for (const auto& [design, outcome] : result.outcomes) {
    if (outcome.status == Status::ok && outcome.verified && outcome.timing)
      ranked.push_back(&outcome);
  }
  std::sort(ranked.begin(), ranked.end(), [](const Measurement* a, const Measurement* b) {
    return a->timing->time_us < b->timing->time_us;
  });
  return ranked;
}

std::string tie_text(const TuneResult& result) {
  if (result.device.kind == TimeKind::measured || !result.winner->timing) return "";
  std::int64_t ties = 0;
  for (const Measurement* outcome : ranking(result)) {
    if (outcome->design != result.winner->design &&
        outcome->timing->time_us <= result.winner->timing->time_us * modelled_tie)
      ++ties;
  }
  if (ties == 0) return "";
  return fmt::format(
      "ties     {} more within 20 % of its modelled time, which only a GPU can rank\n", ties);
}

/// Failures by status and reason, each with how many and one design. What was pruned is told by
/// explanation_text.
std::string failures_text(const TuneResult& result) {
  struct Group {
    std::int64_t count = 0;
    std::string example;
  };
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const auto& [design, outcome] : result.outcomes) {
    if (outcome.verified || !counts_as_trial(outcome)) continue;
    Group& group = groups[{status_name(outcome.status), outcome.reason}];
    ++group.count;
    group.example = design;
  }
  std::string text;
  for (const auto& [key, group] : groups) {
    text += fmt::format("{:<8} {}: {} ({})\n", group.count, key.first, key.second,
                        group.count == 1 ? group.example : "such as " + group.example);
  }
  return text;
}

std::string resources_text(const Timing& timing) {
  return fmt::format("{} registers, {} bytes spilt", count_text(timing.registers),
                     count_text(timing.spill_bytes));
}

/// What the model of the fine grid was worth, batch by batch.
std::string model_text(const FineGridState& model) {
  if (model.own_rows == 0) return "";
  if (model.verdicts.empty()) {
    return fmt::format(
        "model    {} designs, {} from elsewhere; {}\n", model.own_rows, model.prior_rows,
        model.why_no_model.empty() ? "none of its batches was measured" : model.why_no_model);
  }
  std::string text = fmt::format(
      "model    {} designs, {} from elsewhere; its rank correlation with each batch it chose, and "
      "the "
      "share left to chance then:\n        ",
      model.own_rows, model.prior_rows);
  for (const ModelVerdict& verdict : model.verdicts)
    text += fmt::format(" {:.2f} ({:.0f} %)", verdict.rank_correlation, 100 * verdict.random_share);
  return text + "\n";
}

std::string explain_text(const TuneResult& result, std::optional<double> empty_us) {
  if (!result.winner->timing) return explanation_text(result, empty_us) + failures_text(result);
  std::string text = fmt::format("{:>12} {:>8} {:>12} {:>12} {:>12}  {}\n", "us", "vs best",
                                 "format", "sectors", "memory", "design");
  const std::vector<const Measurement*> ranked = ranking(result);
  const double best_us = result.winner->timing->time_us;
  for (std::size_t i = 0; i < std::min(ranked.size(), explained_max); ++i) {
    const Measurement& outcome = *ranked[i];
    const std::int64_t memory = outcome.timing->dram_bytes;
    text += fmt::format("{:>12.4g} {:>8.2f} {:>12} {:>12} {:>12}  {}\n", outcome.timing->time_us,
                        outcome.timing->time_us / best_us, byte_count_text(outcome.format_bytes),
                        count_text(outcome.timing->sectors),
                        memory < 0 ? "not known" : byte_count_text(memory), outcome.design);
  }
  if (ranked.size() > explained_max)
    text += fmt::format("{:>12} {} more\n", "", ranked.size() - explained_max);
  const auto origin = result.origins.find(result.winner->design);
  text += fmt::format(
      "winner   {}{}\n", resources_text(*result.winner->timing),
      origin == result.origins.end() ? "" : fmt::format(", proposed by: {}", origin->second));
  for (const ProposerRecord& way : result.ways) {
    text += fmt::format(
        "way      {}: {} proposed, {} verified, {} of them the best so far ({:.1f} % gained)\n",
        way.name, way.proposed, way.verified, way.bests, 100 * (1 - std::exp(-way.gained)));
  }
  return text + model_text(result.model) + explanation_text(result, empty_us) +
         failures_text(result);
}

/// What the best for any values and the winner, which may hold these alone, come to beside the
/// vendor's best, who can use neither that values repeat nor that they are floats.
std::string values_text(const TuneResult& result) {
  if (!result.any_values || !result.any_values->timing) return "";
  const auto row = [&](const char* heading, const auto& text) {
    return fmt::format("{:<8} {:>10}  {:>12}\n", heading, text(*result.any_values),
                       text(*result.winner));
  };
  std::string text = fmt::format("{:<8} {:>10}  {:>12}\n", "", "any values", "these values");
  text += row("us",
              [](const Measurement& ours) { return fmt::format("{:.4g}", ours.timing->time_us); });
  text += row("of CSR", [&](const Measurement& ours) {
    return fmt::format(
        "{:.2f}", static_cast<double>(ours.format_bytes) / static_cast<double>(result.csr_bytes));
  });
  text += row("x vendor", [&](const Measurement& ours) {
    return fmt::format("{:.2f}", *result.times_vendor(ours));
  });
  if (result.any_values->design == result.winner->design) return text;
  return text + fmt::format("any      {}\n", result.any_values->design);
}

/// The vendor's best beside the winner, and when tuning has paid; empty where there is none.
std::string vendor_text(const TuneResult& result) {
  if (!result.vendor && !result.vendor_outcomes.empty()) {
    auto first =
        std::find_if(result.vendor_outcomes.begin(), result.vendor_outcomes.end(),
                     [](const auto& entry) { return entry.second.status != Status::pruned; });
    if (first == result.vendor_outcomes.end()) first = result.vendor_outcomes.begin();
    return fmt::format("vendor   not measured: {}\n", printable(first->second.reason));
  }
  if (!result.vendor || !result.vendor->timing || !result.winner->timing) return "";
  const Timing& theirs = *result.vendor->timing;
  const Timing& ours = *result.winner->timing;
  std::string text =
      fmt::format("vendor   {}: {:.4g} us, {:.2f} times as long", result.vendor->design,
                  theirs.time_us, theirs.time_us / ours.time_us);
  const std::optional<double> spmvs = result.spmvs_to_pay();
  text += spmvs ? fmt::format("; tuning has paid after {:.3g} SpMVs\n", *spmvs)
                : std::string("; tuning does not pay\n");
  text += fmt::format("version  {}; {} algorithms tried\n",
                      library_text(*result.vendor, result.vendor_in_order()),
                      tried_text(result.vendor_count()));
  text += fmt::format("prepared {}; the vendor's {}\n", preparation_text(*result.winner),
                      preparation_text(*result.vendor));
  if (const std::int64_t untried = result.vendor_untried(); untried > 0) {
    text += fmt::format("untried  {} of its algorithms: its share of the time was over\n", untried);
  }
  text += missing_text(result.vendor_in_order());
  text += values_text(result);
  if (ours.noisy || theirs.noisy) {
    text += fmt::format(
        "noisy    samples lie far apart, or the clock was low: others may be using the {}\n",
        result.device.target == Target::cpu ? "cores" : "GPU");
  }
  return text;
}

}  // namespace

std::string status_text(const TuneResult& result) {
  std::string text;
  for (const auto& [status, count] : result.statuses())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
  return text.empty() ? "nothing" : text;
}

std::string preparation_text(const Measurement& outcome) {
  if (outcome.convert_us < 0 || outcome.load_us < 0) return "not known";
  return fmt::format("converted in {:.3g} ms, loaded in {:.3g} ms", outcome.convert_us / 1e3,
                     outcome.load_us / 1e3);
}

std::string tune_text(const TuneReport& report) {
  const TuneResult& result = report.result;
  const Measurement& winner = *result.winner;
  const char* kind = time_kind_name(result.device.kind);
  std::string text = matrix_text(report.input);
  text += fmt::format("device   {} ({})\n", result.device.name, result.device.gpu);
  text += fmt::format("design   {}\n", winner.design);
  text += winner.timing ? fmt::format("time     {:.4g} us {}\n", winner.timing->time_us, kind)
                        : fmt::format("time     not {}: {}\n", kind, printable(winner.reason));
  text += empty_text(report.empty_us);
  text += fmt::format("format   {}\n", bytes_text(winner.format_bytes, result.csr_bytes));
  if (result.pfs) {
    text += fmt::format("pfs      {}: {:.4g} us, {:.2f} times as long\n", result.pfs_name,
                        result.pfs->timing->time_us,
                        result.pfs->timing->time_us / winner.timing->time_us);
  }
  text += vendor_text(result);
  text += tie_text(result);
  if (!result.warm_matrices.empty()) {
    text += fmt::format("warm     {}: first what was fast on {}\n", tier_name(result.tier),
                        printable(fmt::format("{}", fmt::join(result.warm_matrices, ", "))));
  }
  for (const SampledSearch& sample : result.samples) {
    text += fmt::format("sample   {} non-zeros, {} caches: {} tried, {} pruned in {:.1f} s\n",
                        sample.nnz, regime_name(sample.regime), sample.trials, sample.pruned,
                        sample.seconds);
  }
  text += fmt::format("tried    {} in {:.1f} s\n", status_text(result), result.seconds);
  if (result.skipped > 0)
    text += fmt::format("skipped  {} after faults of the environment\n", result.skipped);
  if (result.disturbed) {
    text += fmt::format("disturbed {} designs have no time of their own; {}\n",
                        result.disturbed_designs,
                        winner.unsettled ? "this one's is disturbed too"
                                         : "the answer rests on times that were not disturbed");
  }
  if (report.explain) text += explain_text(result, report.empty_us);
  text += files_text(report.files);
  if (!report.page.empty()) text += fmt::format("report   {}\n", printable(report.page));
  text += fmt::format("database {}\n", printable(report.database));
  return text;
}

std::string emit_text(const EmitReport& report) {
  std::string text = matrix_text(report.input);
  text += fmt::format("design   {}\n", report.kernel.design);
  text += fmt::format("verified on {} ({})\n", report.device.name, report.device.gpu);
  const char* kind = time_kind_name(report.device.kind);
  text += report.timing ? fmt::format("time     {:.4g} us {}; {}\n", report.timing->time_us, kind,
                                      resources_text(*report.timing))
                        : fmt::format("time     not {}: {}\n", kind, report.timing.reason());
  text +=
      fmt::format("format   {}\n", bytes_text(report.kernel.format_bytes(),
                                              csr_bytes(report.input.matrix, report.kernel.dtype)));
  return text + files_text(report.files);
}

}  // namespace alphasparse
