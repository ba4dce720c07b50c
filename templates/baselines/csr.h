// csr: the input of a peer - the matrix in CSR, and the number of threads that it may use.
//
// A peer is a class that another file here names Peer: other libraries' SpMV or SpMM on CPUs,
// compiled as our kernels are. It takes a Csr once and runs. It tells its version and, where it
// knows them, the instructions for which it was made. exports.h makes a shared object of it.
#include <cstdint>
#include <new>

using Value = ALPHASPARSE_VALUE;
constexpr int COLUMNS = ALPHASPARSE_COLUMNS;  // of X and Y, which lie row by row

struct Csr {
  int rows, cols, entries, threads;
  const int* row;      // [rows + 1]
  const int* column;   // [entries]
  const Value* value;  // [entries]
};
