// openmp_csr: the product of a program without a library - a loop over the rows of CSR, which
// OpenMP's threads share out evenly.
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
      Value sum[COLUMNS] = {};
      for (int nz = first[row]; nz < first[row + 1]; ++nz) {
        const Value* const from = x + std::int64_t{column[nz]} * COLUMNS;
        for (int k = 0; k < COLUMNS; ++k) sum[k] += value[nz] * from[k];
      }
      Value* const to = y + std::int64_t{row} * COLUMNS;
      for (int k = 0; k < COLUMNS; ++k)
        to[k] = beta == Value(0) ? alpha * sum[k] : alpha * sum[k] + beta * to[k];
    }
  }

 private:
  const Csr csr_;
};
