// table: rows of text as columns.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

using TableRow = std::vector<std::string>;

/// Columns as wide as their widest cell. A column with a head that begins with '>' stands to the
/// right. The first row is the head.
std::string table_text(std::vector<TableRow> rows);

}  // namespace alphasparse
