// wrapped: lines of code of at most 100 columns.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace alphasparse {

inline constexpr std::size_t columns_max = 100;

/// One statement, opening line or comment as one or more lines. It breaks between the parts of its
/// outermost brackets; later lines begin four columns further in. A line without a place to break
/// stays as it is.
std::string wrapped(int depth, const std::string& line);

/// A line of code and its documentation, a comment; empty: it has none.
struct DocumentedLine {
  std::string code, doc;
};

/// Documentation stands behind the lines, in one column. Where there is no room, it stands above
/// its own.
std::string documented(int depth, const std::vector<DocumentedLine>& lines);

}  // namespace alphasparse
