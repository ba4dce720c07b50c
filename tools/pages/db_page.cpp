// db_page: the content of a tuning database - one line a matrix, its problems behind it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "tools/pages/markup.h"
#include "tools/pages/report_pages.h"
#include "tools/pages/sections.h"

namespace alphasparse {

namespace {

constexpr std::size_t matrices_max = 5000;

Cell number(double value, const std::string& text) { return {escaped(text), value}; }

/// Nothing sorts behind all numbers.
Cell no_number() { return {"", 1e300}; }

bool is_timed(const StoredProblem& stored) { return stored.best && stored.best->timing; }

/// The problems of one matrix in their order.
using ProblemsOfMatrix = std::vector<const StoredProblem*>;

std::vector<ProblemsOfMatrix> group_by_matrix(const ListReport& report) {
  std::vector<ProblemsOfMatrix> matrices;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> indices;
  for (const StoredProblem& stored : report.problems) {
    const Problem& problem = stored.problem;
    const auto [entry, is_new] = indices.try_emplace(
        {problem.matrix_name, problem.matrix.pattern, problem.matrix.values}, matrices.size());
    if (is_new) matrices.emplace_back();
    matrices[entry->second].push_back(&stored);
  }
  return matrices;
}

/// The problem that the line of a matrix shows: the search with the most measurements, measured
/// before modelled.
const StoredProblem& choose_shown(const ProblemsOfMatrix& problems) {
  const auto worth = [](const StoredProblem* stored) {
    return std::tuple(is_timed(*stored) && !stored->problem.is_baseline(),
                      !stored->problem.is_sample(),
                      stored->problem.device.kind == TimeKind::measured, stored->measurements);
  };
  return **std::max_element(
      problems.begin(), problems.end(),
      [&](const StoredProblem* a, const StoredProblem* b) { return worth(a) < worth(b); });
}

std::string ratio_text(const StoredProblem& stored, const ListReport& report) {
  const auto pair = report.pairs.find(stored.key);
  if (pair == report.pairs.end()) return "";
  return fmt::format("{:.2f} × {}", pair->second.speedup(), pair->second.pfs_name);
}

std::string design_html(const StoredProblem& stored) {
  if (!stored.best) return "nothing was verified";
  return fmt::format("<code>{}</code>", escaped(printable(stored.best->design)));
}

/// All problems of a matrix, in full.
std::string details_html(const ProblemsOfMatrix& problems, const ListReport& report) {
  std::string html;
  for (const StoredProblem* const stored : problems) {
    const Problem& problem = stored->problem;
    html += fmt::format(
        "<p><b>{}</b> {} {}: {}{}{}{}; {} measurements; key {}</p>\n<p>{}</p>\n",
        escaped(printable(problem.device.gpu)), kind_tag(problem.device.kind),
        escaped(printable(search_text(problem))),
        is_timed(*stored) ? escaped(time_text(stored->best->timing->time_us)) : "no time",
        stored->best && stored->best->format_bytes
            ? ", " + escaped(byte_count_text(*stored->best->format_bytes))
            : "",
        report.pairs.contains(stored->key) ? ", " : "", escaped(ratio_text(*stored, report)),
        grouped(stored->measurements), escaped(stored->key.substr(0, shown_key_digits)),
        design_html(*stored));
  }
  return html;
}

std::vector<Cell> make_row(const ProblemsOfMatrix& problems, const ListReport& report) {
  const StoredProblem& shown = choose_shown(problems);
  const Problem& problem = shown.problem;
  const auto pair = report.pairs.find(shown.key);
  return {{fmt::format("<details><summary>{}</summary>{}</details>",
                       escaped(printable(problem.matrix_name)), details_html(problems, report))},
          number(static_cast<double>(problem.nnz), grouped(problem.nnz)),
          {fmt::format("<span class=\"line\">{} {}</span>", escaped(printable(problem.device.gpu)),
                       kind_tag(problem.device.kind))},
          is_timed(shown)
              ? number(shown.best->timing->time_us, time_text(shown.best->timing->time_us))
              : no_number(),
          pair == report.pairs.end() ? no_number()
                                     : number(pair->second.speedup(), ratio_text(shown, report)),
          shown.best && shown.best->format_bytes
              ? number(static_cast<double>(*shown.best->format_bytes),
                       byte_count_text(*shown.best->format_bytes))
              : no_number(),
          number(static_cast<double>(problems.size()),
                 grouped(static_cast<std::int64_t>(problems.size())))};
}

PageSection summary_part(const ListReport& report) {
  std::vector<std::vector<Cell>> rows;
  for (const PfsSummary& one : report.summaries()) {
    rows.push_back({{kind_tag(one.kind) + (one.near_floor ? " near the launch floor" : "")},
                    number(static_cast<double>(one.pairs), grouped(one.pairs)),
                    number(one.speedup, fmt::format("{:.2f}", one.speedup)),
                    number(static_cast<double>(one.clearly_faster), grouped(one.clearly_faster)),
                    number(static_cast<double>(one.behind), grouped(one.behind))});
  }
  return {"summary", "Winners beside the best known format",
          rows.empty() ? paragraph_html("No problem has both.")
                       : table_html({{"times"},
                                     {"problems", true},
                                     {"times as fast, mean", true},
                                     {"by a fifth or more", true},
                                     {"behind", true}},
                                    rows)};
}

}  // namespace

std::string db_page(const ListReport& report) {
  const std::vector<ProblemsOfMatrix> matrices = group_by_matrix(report);
  std::vector<std::vector<Cell>> rows;
  for (const ProblemsOfMatrix& problems : matrices) {
    if (rows.size() == matrices_max) break;
    rows.push_back(make_row(problems, report));
  }
  std::string table = filter_html("Show matrices with", "a name, a device or an operator") +
                      table_html({{"matrix"},
                                  {"non-zeros", true},
                                  {"device"},
                                  {"best", true},
                                  {"over the best known", true},
                                  {"format", true},
                                  {"problems", true}},
                                 rows, true);
  if (rows.size() < matrices.size()) {
    table += paragraph_html(fmt::format("The first {} of {}; filters of db report choose others.",
                                        grouped(static_cast<std::int64_t>(rows.size())),
                                        grouped(static_cast<std::int64_t>(matrices.size()))));
  }
  Page page;
  page.title = "A tuning database";
  page.lead = paragraph_html(
      fmt::format("{} matrices, {} problems of {}. A line shows the problem of a matrix with the "
                  "most measurements; its name opens all. The head of a column sorts by it.",
                  grouped(static_cast<std::int64_t>(matrices.size())),
                  grouped(static_cast<std::int64_t>(report.problems.size())),
                  printable(std::filesystem::path(report.database).filename().string())));
  page.sections = {{"problems", "Matrices", table}, summary_part(report)};
  return page_html(page);
}

}  // namespace alphasparse
