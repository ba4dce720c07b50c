// write_matrix_market: writes a canonical matrix as a Matrix Market file that reads back the same,
// bit for bit.
#pragma once
#include <filesystem>
#include <string>

#include "generator/arrays/matrix.h"
#include "runtime/system/files/atomic_file.h"

namespace alphasparse {

/// Writes the text, row by row, in the shortest digits that read back as the same values; where all
/// are 1, as a pattern. `comment` is one line below the header. In pieces: memory does not grow
/// with the matrix. The caller publishes. Throws Error (exit 2).
void write_matrix_market(AtomicFile& file, const Matrix& matrix, const std::string& comment);

}  // namespace alphasparse
