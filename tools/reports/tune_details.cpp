#include "tools/reports/tune_details.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "search/trial/bench.h"
#include "tools/reports/explain.h"
#include "tools/reports/measured.h"

namespace alphasparse {

namespace {

constexpr std::size_t shown_max = 8;  // of the fastest designs

/// The winner, then the others with a time, fastest first; duplicates left out.
std::vector<const Measurement*> ranking(const TuneResult& result) {
  std::vector<const Measurement*> ranked = sort_by_time(result.outcomes);
  std::stable_partition(ranked.begin(), ranked.end(), [&](const Measurement* outcome) {
    return outcome->design == result.winner->design;
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

/// Failures by status and reason, each with its count and one design. explanation_text shows pruned
/// designs.
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

/// The worth of the fine grid's model, batch by batch.
std::string model_text(const FineGridState& model) {
  if (model.own_rows == 0) return "";
  if (model.verdicts.empty()) {
    return fmt::format(
        "model    {} designs, {} from elsewhere; {}\n", model.own_rows, model.prior_rows,
        model.no_model_reason.empty() ? "none of its batches was measured" : model.no_model_reason);
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

/// The fastest designs, a row each.
std::string fastest_text(const TuneResult& result) {
  std::string text = fmt::format("{:>12} {:>8} {:>12} {:>12} {:>12}  {}\n", "us", "vs best",
                                 "format", "sectors", "memory", "design");
  const std::vector<const Measurement*> ranked = ranking(result);
  const double best_us = result.winner->timing->time_us;
  for (std::size_t i = 0; i < std::min(ranked.size(), shown_max); ++i) {
    const Measurement& outcome = *ranked[i];
    text += fmt::format("{:>12.4g} {:>8.2f} {:>12} {:>12} {:>12}  {}\n", outcome.timing->time_us,
                        outcome.timing->time_us / best_us, known_bytes_text(outcome.format_bytes),
                        count_text(outcome.timing->sectors),
                        known_bytes_text(outcome.timing->dram_bytes), outcome.design);
  }
  if (ranked.size() > shown_max)
    text += fmt::format("{:>12} {} more\n", "", ranked.size() - shown_max);
  return text;
}

/// Where the winner came from, and each strategy's share.
std::string strategies_text(const TuneResult& result) {
  std::string text;
  if (const std::string resources = resources_text(*result.winner->timing); !resources.empty())
    text += fmt::format("winner   {}\n", resources);
  const auto origin = result.origins.find(result.winner->design);
  if (origin != result.origins.end())
    text += fmt::format("origin   the strategy {}\n", origin->second);
  for (const ProposerRecord& strategy : result.strategies) {
    text += fmt::format(
        "strategy {}: {} proposed, {} verified, {} of them the best so far ({:.1f} % gained)\n",
        strategy.name, strategy.proposed, strategy.verified, strategy.bests,
        100 * (1 - std::exp(-strategy.gained)));
  }
  return text;
}

/// The best format for any values and the winner, which may hold these values alone, beside the
/// best baseline. A baseline can use neither that values repeat nor that they are floats.
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
    return fmt::format("{:.2f}", static_cast<double>(ours.format_bytes.value_or(0)) /
                                     static_cast<double>(result.csr_bytes));
  });
  text += row("x base", [&](const Measurement& ours) {
    return fmt::format("{:.2f}", *result.times_vendor(ours));
  });
  if (result.any_values->design == result.winner->design) return text;
  return text + fmt::format("any      {}\n", result.any_values->design);
}

/// The best baseline's version and preparation; empty where there is none.
std::string baseline_details(const TuneResult& result) {
  const std::vector<const Measurement*> outcomes = result.baselines_in_order();
  if (!result.vendor || !result.vendor->timing || !result.winner->timing) return "";
  std::string text =
      fmt::format("version  {}; {} algorithms tried\n", library_text(*result.vendor, outcomes),
                  tried_text(result.baseline_count()));
  text += fmt::format("prepared {}; the baseline's {}\n", preparation_text(*result.winner),
                      preparation_text(*result.vendor));
  return text + missing_text(outcomes) + values_text(result);
}

/// The sources of the order of the first candidates.
std::string first_text(const TuneResult& result) {
  std::string text = "first    by the prior";
  if (result.similar_matrices > 0)
    text += fmt::format("; own database: {} similar", result.similar_matrices);
  if (!result.shipped_matrices.empty())
    text += fmt::format("; shipped: {}", fmt::join(result.shipped_matrices, ", "));
  return printable(text) + "\n";
}

/// The samples that were tried before this matrix itself, and the number of their trials.
std::string tried_before_text(const TuneResult& result) {
  std::string text;
  if (!result.warm_matrices.empty()) {
    text +=
        fmt::format("warm     {}: first the designs that were fast on {}\n", tier_name(result.tier),
                    printable(fmt::format("{}", fmt::join(result.warm_matrices, ", "))));
  }
  text += first_text(result);
  for (const SampledSearch& sample : result.samples) {
    text += fmt::format("sample   {} non-zeros, {} caches: {} tried, {} pruned in {:.1f} s\n",
                        sample.nnz, regime_name(sample.regime), sample.trials, sample.pruned,
                        sample.seconds);
  }
  return text;
}

}  // namespace

std::string tune_details(const TuneReport& report) {
  const TuneResult& result = report.result;
  std::string text = empty_text(report.empty_us) + baseline_details(result) + tie_text(result);
  text += tried_before_text(result);
  text += fmt::format("tried    {} in {:.1f} s\n", status_text(result), result.seconds);
  if (!result.parts.empty()) text += fmt::format("time     {}\n", plan_text(result.parts));
  if (result.winner->timing)
    text += fastest_text(result) + strategies_text(result) + model_text(result.model);
  text += explanation_text(result, report.empty_us) + failures_text(result);
  return text + fmt::format("database {}\n", printable(report.database));
}

}  // namespace alphasparse
