#include "tools/reports/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/wrapped.h"

namespace alphasparse {

namespace {

constexpr std::size_t gap = 2;

struct Column {
  bool right = false, only_wide = false;
  std::size_t share = 0;  ///< of the room for columns that may be shortened; 0: it may not
  std::size_t cells = 0;  ///< characters of the widest

  std::size_t cells_per_share() const { return share == 0 ? 0 : cells / share; }
};

Column take_marks(std::string& head) {
  Column column;
  while (!head.empty() && std::string_view(">~+").find(head.front()) != std::string_view::npos) {
    column.right |= head.front() == '>';
    column.share += head.front() == '~' ? 1 : 0;
    column.only_wide |= head.front() == '+';
    head.erase(0, 1);
  }
  return column;
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

/// Its beginning and its end, with dots between.
std::string shortened(const std::string& text, std::size_t width) {
  constexpr std::string_view dots = "...";
  const std::size_t length = characters(text);
  if (length <= width) return text;
  const std::size_t kept = width - std::min(width, dots.size());
  const std::size_t first = kept - kept / 2, last = length - kept / 2;
  std::string result;
  std::size_t index = 0;  // behind this character
  for (const char byte : text) {
    if (begins_character(byte) && index++ == first) result += dots;
    if (index <= first || index > last) result += byte;
  }
  return result;
}

void leave_out_wide(std::vector<Column>& columns, std::vector<TableRow>& rows) {
  for (std::size_t i = columns.size(); i-- > 0;) {
    if (!columns[i].only_wide) continue;
    const auto index = static_cast<std::ptrdiff_t>(i);
    columns.erase(columns.begin() + index);
    for (TableRow& row : rows) row.erase(row.begin() + index);
  }
}

/// Makes the widest columns that may be shortened so narrow that a line fits.
void shrink(std::vector<Column>& columns) {
  std::size_t line = 0;
  for (const Column& column : columns) line += column.cells + gap;
  for (; line > columns_max + gap; --line) {
    const auto widest = std::max_element(
        columns.begin(), columns.end(),
        [](const Column& a, const Column& b) { return a.cells_per_share() < b.cells_per_share(); });
    if (widest->cells_per_share() == 0) return;
    --widest->cells;
  }
}

}  // namespace

std::string table_text(std::vector<TableRow> rows, TableWidth width) {
  std::vector<Column> columns;
  for (std::string& head : rows.front()) columns.push_back(take_marks(head));
  if (width == TableWidth::narrow) leave_out_wide(columns, rows);
  for (const TableRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      columns[i].cells = std::max(columns[i].cells, characters(row[i]));
  }
  if (width == TableWidth::narrow) shrink(columns);
  std::string text;
  for (const TableRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = shortened(row[i], columns[i].cells);
      const std::string blanks(columns[i].cells - characters(cell), ' ');
      line += (columns[i].right ? blanks + cell : cell + blanks) + std::string(gap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string counted(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace alphasparse
