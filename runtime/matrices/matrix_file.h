// matrix_file: a matrix from a file of any kind that is read: Matrix Market text,
// Rutherford-Boeing, MATLAB 5, SciPy's .npz, PETSc's binary, DLMC's .smtx; in gzip, bzip2, xz,
// zstd, zip or tar. A file's first bytes tell its kind, never its name (file_kind.h).
#pragma once
#include <functional>
#include <string>

#include "generator/arrays/matrix.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/system/deadline.h"

namespace alphasparse {

/// Facts of a file that the user should know, one line each.
using ReadNote = std::function<void(const std::string& line)>;

/// The canonical matrix of FILE or FILE:MEMBER. Throws Error (exit 2) in one line that names the
/// file and the reason; and require_time.
Matrix read_matrix(const std::string& path, const Deadline& deadline = {},
                   const ReadNote& note = {});

/// The matrix of a file's bytes; `name` is the file's name in messages. Throws likewise.
Matrix parse_matrix(std::string bytes, const std::string& name, const std::string& member = "",
                    const ReadLimits& limits = {}, const ReadNote& note = {});

}  // namespace alphasparse
