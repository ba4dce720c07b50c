// table: rows of text as columns, and counts of things in words.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace alphasparse {

using TableRow = std::vector<std::string>;

/// Columns as wide as their widest cell. A column with a head that begins with '>' stands to the
/// right. The first row is the head.
std::string table_text(std::vector<TableRow> rows);

/// "1 design", "2 designs".
std::string counted(std::int64_t count, const char* noun);

}  // namespace alphasparse
