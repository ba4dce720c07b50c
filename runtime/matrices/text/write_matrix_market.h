// write_matrix_market: writes a canonical matrix as a Matrix Market file that reads back the same,
// bit for bit.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "generator/arrays/matrix.h"

namespace alphasparse {

/// Gives `write` the text, row by row, in the shortest digits that read back as the same values;
/// where all are 1 and real, as a pattern. `comment` is one line below the header. In pieces:
/// memory does not grow with the matrix.
void write_matrix_market(const std::function<void(std::string_view)>& write, const Matrix& matrix,
                         const std::string& comment);

}  // namespace alphasparse
