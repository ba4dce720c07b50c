// csr: what a peer is given - the matrix in CSR, and how many threads it may use.
//
// A peer is a class that another file here names Peer: what people use for SpMV on CPUs, compiled
// as our kernels are. It takes a Csr once, runs, and says of itself which version it is and, where
// it knows, for which instructions it was made. exports.h makes a shared object of it.
#include <new>

using Value = ALPHASPARSE_VALUE;

struct Csr {
  int rows, cols, entries, threads;
  const int* row;      // [rows + 1]
  const int* column;   // [entries]
  const Value* value;  // [entries]
};
