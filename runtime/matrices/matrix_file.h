// matrix_file: a matrix from a file of any kind that is read: Matrix Market text, plain or gzip,
// SciPy's .npz, PETSc's binary. What a file is its first bytes say, never its name.
#pragma once
#include <string>
#include <string_view>

#include "generator/matrix.h"
#include "runtime/system/patience.h"

namespace alphasparse {

/// The canonical matrix. Throws Error (exit 2) in one line that names the file and the reason; and
/// require_patience.
Matrix read_matrix(const std::string& path, const Patience& patience = {});

/// Whether a file of this name is taken for a matrix where a folder is searched: .mtx, .mtx.gz,
/// .npz, .petsc.
bool has_matrix_ending(std::string_view name);

/// The name without folder and ending: "m" for "dir/m.mtx.gz".
std::string matrix_stem(const std::string& path);

}  // namespace alphasparse
