// matrix_market: reads a Matrix Market file into the canonical matrix, or says which line is wrong.
//
// The format is that of Boisvert, Pozo and Remington, "The Matrix Market Exchange Formats: Initial
// Design" (NIST IR 5935, 1996). Where the standard leaves a choice, or files of the field stray:
//
//   header     any case, also behind a byte order mark; `double` is read as `real`; hermitian
//              needs complex
//   comments   lines that open with %, and blank lines, anywhere below the header
//   blanks     spaces and tabs before, between and after the fields; lines end in LF or CRLF
//   triangle   files that are not general store one triangle, either one; entries in both are
//              rejected, for nobody can say whether they are meant to be added
//   diagonal   of a skew-symmetric file: absent or zero; of a hermitian one: imaginary parts of 0
//   integer    64 bits, rounded to the nearest double; unsigned-integer up to 2^64 - 1
//   real       too small for double: zero; too large, inf and nan: rejected; exponents may be
//              Fortran's (real_field.h)
//   complex    two such numbers, the real part first; a hermitian file expands to conjugates
//   sizes      0 rows or columns: rejected, for there is nothing to multiply
//   array      column by column, one value a line; every position is an entry, zeros too;
//              symmetric, hermitian: the lower triangle with its diagonal, skew-symmetric: without
//              it, or with its zeros
//   pattern    every value is 1; not with array or skew-symmetric, as in the standard
//
// Example: the lower triangle of [[2 0] [1 0]] mirrored is [[2 1] [1 0]], three entries:
//
//   %%MatrixMarket matrix coordinate real symmetric
//   2 2 2
//   1 1 2.0
//   2 1 1.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generator/arrays/matrix.h"
#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"

namespace alphasparse {

/// Checks and reads the text of a Matrix Market file. `name` stands in messages. Allocates no more
/// than the text can fill, even where its size line says more. Throws Error (exit 2), `name:line:
/// reason`.
Entries parse_matrix_market(std::string_view text, const std::string& name,
                            const ReadLimits& limits = {});

/// A plain file of so many bytes is long, and a gzip file of a quarter.
inline constexpr std::int64_t long_file_bytes = 1 << 22;
inline constexpr std::int64_t long_gzip_bytes = long_file_bytes / 4;

/// The entries of a long file, plain or gzip, of which a few pieces are in memory at a time.
/// Nothing where the file is short, packed otherwise, an array, or its size line is faulty or far
/// away: parse_matrix_market reads those. Throws as that does for a faulty line. Rejects a line of
/// 64 MiB too, and a text far longer than its size line accounts for. Tells the first fault of the
/// file, where a reader of the whole text may tell a later one.
std::optional<Entries> read_long_matrix_market(const std::string& path,
                                               const ReadLimits& limits = {});

/// Rejects a file by its size line, as parse_matrix_market would: `beginning` is its first part,
/// which need not reach that far. Throws likewise.
void check_size_line(std::string_view beginning, const std::string& name,
                     const ReadLimits& limits = {});

/// Numbers of entries that follow a size line: text that `beginning` is the first part of. Nothing
/// where it does not reach that far. Throws as check_size_line does.
std::optional<std::int64_t> entries_said(std::string_view beginning, const std::string& name,
                                         const ReadLimits& limits = {});

/// The canonical matrix of the bytes of a Matrix Market file, plain or gzip. Throws Error (exit 2)
/// in one line that names the file, the line where there is one, and the reason.
Matrix parse_canonical(std::string bytes, const std::string& name, const ReadLimits& limits = {});

/// The same of a file that is to be nothing else.
Matrix read_matrix_market(const std::string& path);

}  // namespace alphasparse
