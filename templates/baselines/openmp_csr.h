// openmp_csr: the SpMV of a program without a library - a loop over the rows of CSR, which OpenMP's
// threads share out evenly.
class Peer {
 public:
  explicit Peer(const Csr& csr) : csr_(csr) {}

  static const char* version() { return "g++ " __VERSION__; }
  static const char* code_path() { return ""; }

  void run(Value alpha, const Value* x, Value beta, Value* y) const {
    const int rows = csr_.rows, threads = csr_.threads;
    const int *const first = csr_.row, *const column = csr_.column;
    const Value* const value = csr_.value;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int row = 0; row < rows; ++row) {
      Value sum = 0;
      for (int nz = first[row]; nz < first[row + 1]; ++nz) sum += value[nz] * x[column[nz]];
      y[row] = beta == 0 ? alpha * sum : alpha * sum + beta * y[row];
    }
  }

 private:
  const Csr csr_;
};
