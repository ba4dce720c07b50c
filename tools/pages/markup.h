// markup: text and tables of HTML.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

/// `text` as it stands between tags and in attributes with double quotes: bytes that are no UTF-8
/// become U+FFFD, a control character a blank, but for line ends and tabs.
std::string escaped(std::string_view text);

/// "1,234,567".
std::string grouped(std::int64_t count);

/// "12.3 µs", from 10,000 on "12.3 ms"; four digits at most.
std::string time_text(double us);

/// A file inside the page: "data:image/png;base64,...".
std::string data_uri(std::string_view media_type, std::string_view bytes);

struct Cell {
  std::string html;
  std::optional<double> value = {};  ///< a number, by which its column is sorted
};

struct Column {
  std::string title;  ///< plain
  bool is_number = false;
};

/// Wide tables scroll by themselves. `sortable`: a click on a head sorts by its column.
std::string table_html(const std::vector<Column>& columns,
                       const std::vector<std::vector<Cell>>& rows, bool sortable = false);

/// A box that hides the rows of the table behind it that do not hold the typed words. A page
/// without its script has none. Both plain.
std::string filter_html(std::string_view label, std::string_view hint);

/// Terms and their values, as a list of two columns; both plain.
std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts);

std::string paragraph_html(std::string_view text);  ///< of plain text

}  // namespace alphasparse
