// db_page: what a tuning database knows, a row a problem.
#include <fmt/format.h>

#include "base/printable.h"
#include "runtime/system/machine/memory.h"
#include "tools/pages/markup.h"
#include "tools/pages/report_pages.h"
#include "tools/pages/sections.h"

namespace alphasparse {

namespace {

constexpr std::size_t rows_max = 5000;

Cell number(double value, const std::string& text) { return {escaped(text), value}; }

/// Nothing sorts behind all numbers.
Cell no_number() { return {"", 1e300}; }

std::vector<Cell> row_of(const StoredProblem& stored, const ListReport& report) {
  const Problem& problem = stored.problem;
  std::vector<Cell> row = {
      {escaped(printable(problem.matrix_name))},
      number(static_cast<double>(problem.nnz), grouped(problem.nnz)),
      {escaped(printable(problem.device.gpu)) + " " + kind_tag(problem.device.kind)},
      {escaped(printable(search_text(problem)))}};
  const bool timed = stored.best && stored.best->timing;
  row.push_back(timed
                    ? number(stored.best->timing->time_us, time_text(stored.best->timing->time_us))
                    : no_number());
  const auto pair = report.pairs.find(stored.key);
  row.push_back(
      pair == report.pairs.end()
          ? no_number()
          : number(pair->second.speedup(),
                   fmt::format("{:.2f} ({})", pair->second.speedup(), pair->second.pfs_name)));
  row.push_back(stored.best && stored.best->format_bytes > 0
                    ? number(static_cast<double>(stored.best->format_bytes),
                             byte_count_text(stored.best->format_bytes))
                    : no_number());
  row.push_back(number(static_cast<double>(stored.measurements), grouped(stored.measurements)));
  row.push_back({stored.best
                     ? fmt::format("<code>{}</code>", escaped(printable(stored.best->design)))
                     : "nothing was verified"});
  return row;
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
  return {"summary", "Winners beside the best named design",
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
  std::vector<std::vector<Cell>> rows;
  for (const StoredProblem& stored : report.problems) {
    if (rows.size() == rows_max) break;
    rows.push_back(row_of(stored, report));
  }
  std::string table = table_html({{"matrix"},
                                  {"non-zeros", true},
                                  {"device"},
                                  {"search"},
                                  {"best", true},
                                  {"over the best named", true},
                                  {"format", true},
                                  {"measurements", true},
                                  {"design"}},
                                 rows, true);
  if (rows.size() < report.problems.size()) {
    table +=
        paragraph_html(fmt::format("The first {} of {}; filters of db report choose others.",
                                   grouped(static_cast<std::int64_t>(rows.size())),
                                   grouped(static_cast<std::int64_t>(report.problems.size()))));
  }
  Page page;
  page.title = "A tuning database";
  page.lead = paragraph_html(
      fmt::format("{} problems of {}. A click on a column's head sorts by it.",
                  grouped(static_cast<std::int64_t>(report.problems.size())), report.database));
  page.sections = {summary_part(report), {"problems", "Problems", table}};
  return page_html(page);
}

}  // namespace alphasparse
