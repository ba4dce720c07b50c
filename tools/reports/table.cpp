#include "tools/reports/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace alphasparse {

std::string table_text(std::vector<TableRow> rows) {
  TableRow& head = rows.front();
  std::vector<bool> right;
  for (std::string& cell : head) {
    right.push_back(cell.starts_with('>'));
    if (right.back()) cell.erase(0, 1);
  }
  std::vector<std::size_t> widths(head.size());
  for (const TableRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const TableRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += right[i] ? fmt::format("{:>{}}  ", row[i], widths[i])
                       : fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string counted(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace alphasparse
