// real_matrices: the folder of real matrices that tests use where there is one.
//
// The folder is $ALPHASPARSE_MATRICES, else ../shared/matrices beside the source tree. Its
// INDEX.tsv names the columns in its first line; name, file, rows, cols, expanded_nnz and field are
// read.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace alphasparse {

struct RealMatrix {
  std::string name;
  std::string path;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;       ///< expanded, duplicates summed
  std::int64_t gz_bytes = 0;  ///< size of the file
  bool is_complex = false;    ///< its file has the field complex
};

/// The real matrices in the order of the index, smallest first. Empty, and said aloud on stderr,
/// where there is no such folder: a test then skips itself. Throws Error where the folder is there
/// but its index cannot be read.
std::vector<RealMatrix> real_matrices();

}  // namespace alphasparse
