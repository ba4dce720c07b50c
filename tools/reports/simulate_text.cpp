// simulate_text: the tables of simulate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/printable.h"
#include "tools/reports/db.h"
#include "tools/reports/simulate.h"
#include "tools/reports/table.h"

namespace alphasparse {

namespace {

std::string number_text(const std::optional<double>& number, int decimals) {
  return number ? fmt::format("{:.{}f}", *number, decimals) : "-";
}

/// "34 (120)": median and nine tenths.
std::string reach_text(const Reach& reach, int decimals) {
  return fmt::format("{} ({})", number_text(reach.median, decimals),
                     number_text(reach.p90, decimals));
}

bool knows_spread(const SimulateReport& report) {
  return std::any_of(report.matrices.begin(), report.matrices.end(),
                     [](const SimulatedMatrix& matrix) { return matrix.spread.has_value(); });
}

bool is_in_turn(const SimulateReport& report) {
  return std::any_of(report.matrices.begin(), report.matrices.end(),
                     [](const SimulatedMatrix& matrix) { return !matrix.in_turn.empty(); });
}

/// Whether ties are known.
bool knows_ties(const SimulateReport& report) { return knows_spread(report) || is_in_turn(report); }

/// The definition of a tie, behind the words above the tables.
std::string ties_text(const SimulateReport& report) {
  if (!knows_ties(report)) return "";
  return fmt::format(
      ".\n         faster, tied, slower: than the whole search, where {}",
      is_in_turn(report)
          ? "a tie is what measuring both in\n         turn does not tell apart; in "
            "turn: the time of what was found so, over the whole search's"
          : "a tie differs by\n         no more than the times of two recordings do");
}

std::string variant_line(const VariantSummary& row, bool with_ties) {
  std::string ties =
      with_ties
          ? fmt::format(" {:>22}", fmt::format("{} / {} / {}", row.faster, row.tied, row.slower))
          : "";
  if (row.in_turn) ties += fmt::format(" {:>7.3f}", *row.in_turn);
  return fmt::format(
      "{:<13} {:>7} {:>6.0f} % {:>12} {:>6.0f} % {:>12} {:>14} {:>9.3f} {:>8.0f} % {:>8.1f} %{}\n",
      row.name, row.replays, 100 * row.evaluations_5.share, reach_text(row.evaluations_5, 0),
      100 * row.evaluations_1.share, reach_text(row.evaluations_1, 0), reach_text(row.seconds_5, 1),
      row.behind, 100 * row.in_common, 100 * row.missing, ties);
}

std::string variants_table(const SimulateReport& report, bool near_floor) {
  const auto rows = summarise_replays(report.matrices, report.plan.variants, near_floor);
  if (rows.empty()) return "";
  const auto count = std::count_if(
      report.matrices.begin(), report.matrices.end(),
      [&](const SimulatedMatrix& matrix) { return matrix.is_near_floor == near_floor; });
  std::string text =
      fmt::format("{} {}{}\n", count, count == 1 ? "matrix" : "matrices",
                  near_floor ? " near the launch floor, whose kernels differ little" : "");
  const bool with_ties = knows_ties(report);
  text += fmt::format("{:<13} {:>7} {:>8} {:>12} {:>8} {:>12} {:>14} {:>9} {:>10} {:>10}{}\n",
                      "search", "replays", "to 5 %", "evaluations", "to 1 %", "evaluations",
                      "seconds to 5 %", "behind", "in common", "missing",
                      (with_ties ? fmt::format(" {:>22}", "faster / tied / slower") : "") +
                          (is_in_turn(report) ? " in turn" : ""));
  for (const VariantSummary& row : rows) text += variant_line(row, with_ties);
  text +=
      fmt::format("{:<13} {:>9} {:>9} {:>9} {:>9}\n", "behind", "--time 0", "worst", "5 s", "20 s");
  for (const VariantSummary& row : rows) {
    text += fmt::format("{:<13} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f}\n", row.name, row.behind_first,
                        row.behind_first_most, row.behind_5_s, row.behind_20_s);
  }
  return text;
}

/// One line a matrix, of the whole search; with its GPU where there is more than one.
std::string matrices_table(const SimulateReport& report) {
  std::set<std::string> devices;
  for (const DeviceInfo& device : report.devices) devices.insert(device_text(device));
  const bool is_of_many = devices.size() > 1;
  const bool with_spread = knows_spread(report);
  std::string text =
      fmt::format("{:<22} {:>9} {:>9} {:>9} {:>7} {:>14} {:>14} {:>10}{}{}\n", "matrix",
                  "non-zeros", "recorded", "best us", "pfs", "to 5 % (p90)", "to 1 % (p90)",
                  "would end", with_spread ? "   spread" : "", is_of_many ? "  gpu" : "");
  for (std::size_t i = 0; i < report.matrices.size(); ++i) {
    const SimulatedMatrix& matrix = report.matrices[i];
    std::vector<std::optional<double>> to_5, to_1, end;
    for (const Replayed& replayed : matrix.runs.front()) {
      const auto evaluations = [](const ReplayStep* step) {
        return step ? std::optional<double>(step->evaluations) : std::nullopt;
      };
      to_5.push_back(evaluations(replayed.reached(1.05 * matrix.best_us)));
      to_1.push_back(evaluations(replayed.reached(1.01 * matrix.best_us)));
      end.push_back(replayed.exhausted_after);
    }
    const std::string spread =
        matrix.spread ? fmt::format(" {:>6.1f} %", 100 * (*matrix.spread - 1)) : "         ";
    text += fmt::format("{:<22.22} {:>9} {:>9} {:>9.4g} {:>7.2f} {:>14} {:>14} {:>10}{}{}\n",
                        printable(matrix.name), matrix.nnz, matrix.recorded, matrix.best_us,
                        matrix.named_us / matrix.best_us, reach_text(find_reach(to_5), 0),
                        reach_text(find_reach(to_1), 0), number_text(find_reach(end).median, 0),
                        with_spread ? spread : "",
                        is_of_many ? "  " + device_text(report.devices[i]) : "");
  }
  return text;
}

}  // namespace

std::string simulate_text(const SimulateReport& report) {
  std::string text = fmt::format(
      "corpus   {}: {} {}, replays of {} evaluations with {} {}\n"
      "         median and, in brackets, nine tenths; -: not reached. seconds are those of the\n"
      "         trials on one thread, when they were recorded{}\n\n",
      report.corpus, report.matrices.size(), report.matrices.size() == 1 ? "matrix" : "matrices",
      report.plan.evaluations, report.plan.seeds, report.plan.seeds == 1 ? "seed" : "seeds",
      ties_text(report));
  for (const bool near_floor : {false, true}) {
    const std::string table = variants_table(report, near_floor);
    if (!table.empty()) text += table + "\n";
  }
  text += matrices_table(report);
  if (report.added > 0) text += fmt::format("\nrecorded {}\n", counted(report.added, "trial"));
  return text;
}

}  // namespace alphasparse
