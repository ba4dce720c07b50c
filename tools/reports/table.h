// table: rows of text as columns, and counts of things in words.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace alphasparse {

using TableRow = std::vector<std::string>;

/// Wide has every column, and every cell whole. Narrow lines have 100 columns at most where the
/// cells do that must not be shortened.
enum class TableWidth { narrow, wide };

/// Columns as wide as their widest cell. The first row is the head. Marks before a head have a
/// meaning: the cells of '>' stand to the right, those of '~' may be shortened in a narrow table,
/// the widest first, those of '~~' to twice as much, and '+' stands in a wide one alone.
std::string table_text(std::vector<TableRow> rows, TableWidth width = TableWidth::wide);

/// "1 design", "2 designs".
std::string counted(std::int64_t count, const char* noun);

}  // namespace alphasparse
