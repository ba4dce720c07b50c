// format_file: writes NAME.safetensors, a format with all that it takes to use it.
//
// The layout is that of safetensors, so that any language's reader opens it; integers are
// little-endian:
//
//   8 bytes      length of the header, a multiple of 8
//   header       JSON of printable ASCII, filled up with blanks
//   data         the tensors, one after the other, in the order of the header, without holes
//
// Tensors have one dimension and are sorted by descending element size (8, 4, 2, 1 bytes), so that
// each is aligned. Their types are U8, U16, U32, I32, F32 and F64; packed bit fields are U32 words
// (U16 or U8 where they fit). There are:
//
//   each array of the kernel, under its name
//
//   NAME.source           I32 [the count of NAME], for each value array NAME. It is the canonical
//                         index of the entry's value (row by row, columns ascending). It is -1 for
//                         a pad, which has the value 0.
//
//   NAME.code             I32 [nnz], for each value array NAME that is a dictionary. It is the
//                         entry that holds each canonical value, or -1 where another array does.
//                         NAME.source then names the first value of each entry.
//
//   canonical_row_first   I32 [rows + 1] and
//   canonical_col         I32 [nnz]: the matrix' pattern as CSR, for checks and decoders
//
// Kernels read the first kind only. `__metadata__` holds strings:
//
//   format       "alphasparse-format"            version    "1"
//
//   structure    BLAKE2b of 32 bytes, 64 hexadecimal digits, of the tensors of integers as the
//                header has them in order: of a line "NAME TYPE LENGTH", ended by \n, and the
//                entries of each. A kernel names it, and rejects files with another one
//   checksum     the same function of all else: of the tensors of floats, and of the header with
//                its length, these digits read as '0'
//
//   design       the design text                 dtype      "f32" or "f64"
//   rows, cols, nnz                              stored     entries of all value arrays, with pads
//
//   mirrored     "yes": the matrix is symmetric, and an entry (i, j) off the diagonal stands for
//                (j, i) too. No source has the canonical index of that one. Values that are loaded
//                later must be symmetric as well. "negated": the same of a skew-symmetric matrix,
//                where the value of (j, i) is the negative. "conjugate": of a Hermitian matrix.
//                "no": an entry is itself alone.
//
//   pattern, values   fingerprints of the matrix
//   generator    version of the generator
//   prefix       of the C functions of the kernel that reads it
//
//   value_error  the largest relative error of a stored value, a decimal number: 0 where none was
//                rounded
//
//   arrays       JSON: a list, in the order of the pointers in the kernel's Format. Each object has
//                name, dtype, shape, layout (the meaning of an entry; the bits of packed words),
//                and, of a dictionary, dictionary: true, and, of floats that stand for rounded
//                values, rounded: true.
//                Value arrays of a file of f64 may be F32. Each entry is widened, and where it is
//                not rounded it is the value. In a file of c64 or c128 they have the shape [n, 2],
//                real and imaginary parts, or [n] where the matrix is real.
//
//   computed     JSON: a list of the arrays that kernels compute instead of loading them. Each
//                object has name, shape, layout, how (the kind of model or coding) and entry. The
//                entry is an expression over the index and other arrays, stored or computed
//                (expression_json.h).
//
//   steps        JSON: a list, with an object for each branch with columns that are steps. It has
//                the name of the columns, and these expressions. Over a thread: first, the column
//                that its steps begin with. Over a position: step. Over a parent: first_thread and
//                first_position. Its threads, up to that of the next parent, take turns at its
//                positions, up to that of the next. It also has parents; stride, between two
//                positions of a thread; and pad, the column of positions that no thread comes to.
//
//   workspaces   JSON: a list of objects name, dtype, shape, layout, and pointer, the place among
//                the pointers in Format. They are memory that the loader allocates, without
//                contents.
//
//   launches     JSON: a list of objects kernel, blocks, threads, in order
//
// NAME.kernel.cu repeats the metadata, but for the checksum (kernel_metadata.h).
//
// Example: the 2 x 3 matrix (1 0 2; 0 0 3) as csr-scalar in f32 has row_first_nz U16 0 2 3, column
// I32 0 2 2, value F32 1 2 3, value.source I32 0 1 2, canonical_row_first I32 0 2 3 and
// canonical_col I32 0 2 2.
#pragma once
#include <filesystem>
#include <string>

#include "base/version.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// The digest of the structure of a format file: of all its arrays but the values. `kernel` was
/// made from `matrix`.
std::string structure_digest(const Kernel& kernel, const Matrix& matrix);

/// Writes the format of `kernel`, which was made from `matrix`, whole or not at all. Throws Error
/// (exit 2) where the file cannot be written. An empty `prefix` is that of the file's stem.
/// `structure` is the structure_digest, where the caller has it: empty, it is made here.
void write_format_file(const std::filesystem::path& path, const Kernel& kernel,
                       const Matrix& matrix, const Fingerprints& fingerprints,
                       const std::string& generator_version = alphasparse::generator_version,
                       const std::string& prefix = "", const std::string& structure = "");

}  // namespace alphasparse
