// explain_text: the text half of reports/explain.h.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "search/trial/bench.h"
#include "tools/reports/explain.h"
#include "tools/reports/measured.h"
#include "tools/reports/table.h"

namespace alphasparse {

namespace {

constexpr std::size_t reasons_max = 8;

/// A design's time, bytes and limits as a column: the title of each cell, and the cell.
std::vector<std::pair<std::string, std::string>> make_column(const Measurement& outcome,
                                                             std::optional<double> empty_us) {
  std::vector<std::pair<std::string, std::string>> cells;
  const Timing& timing = *outcome.timing;
  cells.emplace_back("us", fmt::format("{:.4g}", timing.time_us));
  if (empty_us) cells.emplace_back("empty us", fmt::format("{:.4g}", *empty_us));
  cells.emplace_back("format", known_bytes_text(outcome.format_bytes));
  if (timing.sectors) cells.emplace_back("sectors", count_text(timing.sectors));
  if (timing.dram_bytes) cells.emplace_back("memory", known_bytes_text(timing.dram_bytes));
  if (!timing.limits) return cells;
  for (const auto& [name, us] : limit_list(*timing.limits))
    cells.emplace_back(fmt::format("{} us", name), fmt::format("{:.4g}", us));
  const auto longest = longest_limits(*timing.limits);
  cells.emplace_back("bound by", longest[0].first);
  cells.emplace_back("and then", longest[1].first);
  return cells;
}

/// Winner and best named design side by side.
std::string beside_text(const TuneResult& result, std::optional<double> empty_us) {
  const bool alone = !result.pfs || result.pfs->design == result.winner->design;
  const auto winner = make_column(*result.winner, empty_us);
  const auto pfs = alone ? winner : make_column(*result.pfs, empty_us);
  std::string text = fmt::format("beside   {:<16} {:>13}", "", "winner");
  text += alone ? "\n" : fmt::format(" {:>13}\n", result.pfs_name);
  for (const auto& [name, cell] : winner) {
    text += fmt::format("         {:<16} {:>13}", name, cell);
    const auto other = std::find_if(
        pfs.begin(), pfs.end(), [&name = name](const auto& entry) { return entry.first == name; });
    if (!alone && other != pfs.end()) text += fmt::format(" {:>13}", other->second);
    text += '\n';
  }
  return text;
}

std::string step_text(const TuneResult& result, const Reverted& reverted) {
  const Reversion& reversion = reverted.reversion;
  std::string what = reversion.what;
  if (!reversion.branch.empty()) what += fmt::format(" (branch {})", reversion.branch);
  if (!reversion.reached) return fmt::format("not tried: {}: {}", what, reversion.rejection);
  if (!reversion.design) return fmt::format("not legal: {}: {}", what, reversion.rejection);
  if (!reverted.outcome) return fmt::format("not tried: {}", what);
  const Measurement& outcome = *reverted.outcome;
  if (!outcome.timing || !outcome.verified) {
    return fmt::format("{}: {}: {}", status_name(outcome.status), what, printable(outcome.reason));
  }
  const Measurement& winner = *result.winner;
  const double time_us = outcome.timing->time_us, winner_us = winner.timing->time_us;
  return fmt::format(
      "{:.2f} of the time, {:.2f} of the bytes: {}{}", time_us / winner_us,
      static_cast<double>(outcome.format_bytes.value_or(0)) /
          static_cast<double>(std::max<std::int64_t>(1, winner.format_bytes.value_or(0))),
      what, is_tie(result.device.kind, time_us, winner_us) ? ", a tie" : "");
}

std::string steps_text(const TuneResult& result) {
  std::string text;
  for (const std::string& design : result.explanation->beaten)
    text += fmt::format("beaten   with a step of it taken back: {}\n", design);
  if (result.explanation->design != result.winner->design) {
    text += fmt::format("beaten   with a step of it taken back, and taken apart here: {}\n",
                        result.explanation->design);
  }
  for (const Reverted& reverted : result.explanation->steps)
    text += fmt::format("step     {}\n", step_text(result, reverted));
  return text;
}

/// The best design of another structure.
std::string runner_up_text(const TuneResult& result) {
  const Measurement* const other = best_of_other_structure(result.outcomes, result.winner->design);
  if (!other || !other->timing) return "next     no design of another structure has a time\n";
  const double time_us = other->timing->time_us, winner_us = result.winner->timing->time_us;
  const auto facts = [](const Measurement& outcome) {
    const std::string bytes = known_bytes_text(outcome.format_bytes);
    if (!outcome.timing->sectors) return bytes;
    return fmt::format("{} and {} sectors", bytes, *outcome.timing->sectors);
  };
  const bool tie = is_tie(result.device.kind, time_us, winner_us);
  return fmt::format(
      "next     {}\n         {:.4g} us, {:.2f} times the winner's time{}; {}, the winner {}\n",
      other->design, time_us, time_us / winner_us, tie ? ", a tie (under 20 %)" : "", facts(*other),
      facts(*result.winner));
}

/// A rule's name without its underscores.
std::string spaced(std::string_view rule) {
  std::string text(rule);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string pruned_text(const PrunedClass& one) {
  return fmt::format("pruned   {}{}: {}", counted(one.designs, "design"),
                     one.designs == 1 ? "" : ", one of them because", printable(one.example));
}

/// Why designs were pruned, and steps pruned, the most frequent first.
std::string reasons_text(const TuneResult& result) {
  std::vector<std::pair<std::int64_t, std::string>> lines;
  for (const PrunedClass& one : pruned_classes(result.outcomes))
    lines.emplace_back(one.designs, pruned_text(one));
  for (const auto& [rule, steps] : result.prunes)
    lines.emplace_back(
        steps, fmt::format("banned   {} by the rule '{}'", counted(steps, "step"), spaced(rule)));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), reasons_max); ++i)
    text += lines[i].second + "\n";
  if (lines.size() > reasons_max)
    text += fmt::format("         and {} reasons more\n", lines.size() - reasons_max);
  return text;
}

}  // namespace

bool is_tie(TimeKind kind, double time_us, double other_us) {
  return kind == TimeKind::modelled &&
         std::max(time_us, other_us) <= std::min(time_us, other_us) * modelled_tie;
}

std::string explanation_text(const TuneResult& result, std::optional<double> empty_us) {
  std::string text = fmt::format("tier     {}\n", tier_name(result.tier));
  if (result.winner->timing) {
    text += beside_text(result, empty_us);
    if (result.explanation) text += steps_text(result);
    text += runner_up_text(result);
  }
  return text + reasons_text(result);
}

}  // namespace alphasparse
