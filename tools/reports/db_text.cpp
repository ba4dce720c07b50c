// db_text: the text half of db.h.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "tools/reports/db.h"
#include "tools/reports/ratios.h"
#include "tools/reports/table.h"

namespace alphasparse {

namespace {

using Row = TableRow;

std::string time_text(const Measurement& measurement, TimeKind kind) {
  if (!measurement.timing) return "not timed";
  return fmt::format("{:.4g} us {}", measurement.timing->time_us, time_kind_name(kind));
}

/// With a blank before each but what holds for most, "values=fixed".
std::string options_text(const Problem& problem) {
  if (problem.is_baseline()) return " baselines" + vectors_option(problem.vectors());
  constexpr std::string_view usual = "values=fixed";
  std::string_view options = problem.options;
  if (options.starts_with(usual)) options.remove_prefix(usual.size());
  const bool begins_later = options.empty() || options.starts_with(' ');
  return (begins_later ? "" : " ") + printable(options) +
         (problem.sample_nnz ? fmt::format(", a sample of {} non-zeros", *problem.sample_nnz) : "");
}

std::string shape_text(const Problem& problem) {
  return fmt::format("{} x {}", problem.rows, problem.cols);
}

/// Days and minutes of "2026-01-31T12:00:00.000Z" are enough for a person.
std::string date_text(const std::string& created_at) {
  constexpr std::size_t minutes_end = 16;
  return printable(created_at.substr(0, minutes_end));
}

std::string runs_text(const std::vector<StoredRun>& runs) {
  std::vector<Row> rows = {
      {"run", "begun", ">budget", ">seed", "state", ">seconds", ">trials", ">measurements"}};
  for (const StoredRun& run : runs) {
    const bool is_search = run.requested.seconds > 0;
    std::string budget = is_search ? fmt::format("{:.4g} s", run.requested.seconds) : "no search";
    if (run.requested.trials > 0) budget += fmt::format(", {} trials", run.requested.trials);
    Row row = {run.key.substr(0, shown_key_digits), date_text(run.created_at), budget,
               fmt::format("{}", run.requested.seed)};
    if (run.end) {
      row.push_back(run.end->state == RunState::complete ? "complete" : "interrupted");
      row.push_back(fmt::format("{:.4g}", run.end->seconds));
      row.push_back(fmt::format("{}", run.end->trials));
    } else {
      row.insert(row.end(), {"no end", "", ""});
    }
    row.push_back(fmt::format("{}", run.measurements));
    rows.push_back(std::move(row));
  }
  return table_text(std::move(rows));
}

std::string outcome_row_text(const Measurement& outcome) {
  std::string text = printable(outcome.design);
  if (const std::string reason = shown_reason(outcome); !reason.empty())
    text += ": " + printable(reason);
  return text;
}

std::string outcomes_text(const ProblemHistory& shown) {
  std::vector<Row> rows = {{">time", "status", ">format", "design"}};
  for (const Measurement* const outcome : ranked(shown)) {
    rows.push_back({outcome->timing ? fmt::format("{:.4g} us", outcome->timing->time_us) : "",
                    outcome->counted ? "counted" : status_name(outcome->status),
                    outcome->format_bytes ? byte_count_text(*outcome->format_bytes) : "",
                    outcome_row_text(*outcome)});
  }
  return table_text(std::move(rows));
}

/// Nothing where it is not known.
std::string ratio_text(std::optional<double> ratio) { return ratio ? times_text(*ratio) : ""; }

/// A paragraph.
std::string summary_text(const PfsSummary& summary) {
  std::string text =
      fmt::format("\n{} times{}: {} {} against the best named design of each (pfs)\n",
                  time_kind_name(summary.kind), summary.near_floor ? " near the launch floor" : "",
                  summary.pairs, summary.pairs == 1 ? "winner" : "winners");
  text += fmt::format("  {} times as fast in geometric mean", times_text(summary.speedup));
  if (summary.bytes_ratio)
    text += fmt::format(", {} of the bytes", times_text(*summary.bytes_ratio));
  if (summary.sectors_ratio)
    text += fmt::format(", {} of the sectors", times_text(*summary.sectors_ratio));
  text += fmt::format("\n  {} faster, {} of them by a fifth or more; {} equal; {} behind\n",
                      summary.faster, summary.clearly_faster, summary.equal, summary.behind);
  return text + fmt::format("  {} are no named design, {} of another structure than all of them\n",
                            summary.unnamed, summary.other_structures);
}

std::string added_text(const Added& added) {
  std::string text = fmt::format("new: {} in {} of {}", counted(added.measurements, "measurement"),
                                 counted(added.runs, "run"), counted(added.problems, "problem"));
  std::int64_t skipped = 0;
  for (const auto& [reason, rows] : added.skipped) skipped += rows;
  if (skipped > 0)
    text +=
        fmt::format("; {} {} left out:", counted(skipped, "row"), skipped == 1 ? "was" : "were");
  std::string_view before = " ";
  for (const auto& [reason, rows] : added.skipped) {
    text += fmt::format("{}{} for {}", before, rows, printable(reason));
    before = ", ";
  }
  return text;
}

}  // namespace

std::string device_text(const DeviceInfo& device) {
  return printable(fmt::format("{} ({}, {}, version {})", device.gpu, time_kind_name(device.kind),
                               device.arch, device.version));
}

std::string search_text(const Problem& problem) {
  return fmt::format("{} {}{}", dtype_name(problem.dtype), regime_name(problem.regime),
                     options_text(problem));
}

std::vector<PfsSummary> ListReport::summaries() const {
  std::vector<PfsPair> all;
  for (const auto& [key, pair] : pairs) all.push_back(pair);
  return summarise_pfs(all);
}

std::vector<const Measurement*> ranked(const ProblemHistory& shown) {
  std::vector<const Measurement*> order;
  for (const auto& [design, outcome] : shown.history.outcomes) order.push_back(&outcome);
  const auto& best = shown.stored.best;
  const auto rank = [&best](const Measurement* outcome) {
    const bool is_winner = best && best->design == outcome->design;
    const double time_us = outcome->timing ? outcome->timing->time_us : 0;
    return std::tuple(!is_winner, outcome->status, !outcome->timing.has_value(), time_us);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  return order;
}

namespace {

/// A line for each problem; its best time beside the best known format and the best baseline.
std::string winners_text(const ListReport& report, TableWidth width) {
  std::vector<Row> rows = {{"key", "~matrix", "+shape", "+>non-zeros", "~device", "~~search",
                            "+generator", "+>runs", "+>measurements", ">time", "+>format",
                            ">x known", "+>bytes/known", "+>sectors/known", ">x baseline",
                            "+>range", "+design"}};
  for (const StoredProblem& stored : report.problems) {
    const Problem& problem = stored.problem;
    const std::optional<Measurement>& best = stored.best;
    const auto found = report.pairs.find(stored.key);
    const PfsPair* const pair = found == report.pairs.end() ? nullptr : &found->second;
    const auto theirs = report.baselines.find(stored.key);
    std::optional<Ratio> ratio;
    if (theirs != report.baselines.end()) ratio = make_ratio(*best->timing, theirs->second);
    rows.push_back(
        {stored.key.substr(0, shown_key_digits), printable(problem.matrix_name),
         shape_text(problem), fmt::format("{}", problem.nnz), printable(problem.device.gpu),
         search_text(problem), printable(problem.generator_version), fmt::format("{}", stored.runs),
         fmt::format("{}", stored.measurements),
         best ? time_text(*best, problem.device.kind) : "nothing verified",
         best && best->format_bytes ? byte_count_text(*best->format_bytes) : "",
         pair ? times_text(pair->speedup()) : "", pair ? ratio_text(pair->bytes_ratio()) : "",
         pair ? ratio_text(pair->sectors_ratio()) : "", ratio ? times_text(ratio->value) : "",
         ratio ? ratio->range() : "", best ? printable(best->design) : ""});
  }
  return table_text(std::move(rows), width);
}

}  // namespace

std::string list_text(const ListReport& report, TableWidth width) {
  std::string text = winners_text(report, width);
  for (const PfsSummary& summary : report.summaries()) text += summary_text(summary);
  return text;
}

std::string best_text(const BestReport& report, TableWidth width) {
  return winners_text(report.winners, width);
}

namespace {

std::string write_history(const ProblemHistory& shown) {
  const auto& [stored, history] = shown;
  const Problem& problem = stored.problem;
  std::string text = fmt::format("problem  {}\nmatrix   {}: {}, {} non-zeros\n", stored.key,
                                 printable(problem.matrix_name), shape_text(problem), problem.nnz);
  text += fmt::format("device   {}\nsearch   {}, generator {}\n\n", device_text(problem.device),
                      search_text(problem), printable(problem.generator_version));
  text += runs_text(history.runs) + "\n" + outcomes_text(shown);
  if (stored.best) text += fmt::format("\nwinner   {}\n", printable(stored.best->design));
  return text;
}

}  // namespace

std::string history_text(const std::vector<std::vector<ProblemHistory>>& shown) {
  std::string text;
  for (const std::vector<ProblemHistory>& histories : shown) {
    for (const ProblemHistory& one : histories)
      text += (text.empty() ? "" : "\n") + write_history(one);
  }
  return text;
}

std::string transfers_text(const std::vector<Transfer>& transfers, const std::string& database) {
  std::string text;
  for (const Transfer& transfer : transfers)
    text += fmt::format("{} -> {}: {}\n", printable(transfer.file), printable(database),
                        added_text(transfer.added));
  return text;
}

std::string prune_text(const PruneReport& report) {
  const char* const verb = report.dry_run ? "would go" : "removed";
  std::vector<Row> rows = {{"key", "matrix", "device", "search", ">measurements", ">runs", ""}};
  std::int64_t measurements = 0;
  std::int64_t runs = 0;
  for (const PrunedProblem& pruned : report.problems) {
    const StoredProblem& stored = pruned.before;
    rows.push_back({stored.key.substr(0, shown_key_digits), printable(stored.problem.matrix_name),
                    printable(stored.problem.device.gpu), search_text(stored.problem),
                    fmt::format("{} of {}", pruned.measurements, stored.measurements),
                    fmt::format("{} of {}", pruned.runs, stored.runs),
                    pruned.whole ? "nothing stays" : ""});
    measurements += pruned.measurements;
    runs += pruned.runs;
  }
  std::string text = report.problems.empty() ? "" : table_text(std::move(rows));
  text +=
      fmt::format("{}: {}, {}\n", verb, counted(measurements, "measurement"), counted(runs, "run"));
  if (report.shrunk)
    text += fmt::format("file: {}, before {}\n", byte_count_text(report.bytes),
                        byte_count_text(report.bytes_before));
  return text;
}

}  // namespace alphasparse
