// eigen: Eigen's sparse matrix, rows first, times a vector, or a matrix of rows, by as many threads
// as Eigen takes for it.
#include <Eigen/SparseCore>

#define PEER_TEXT(number) #number
#define PEER_NUMBER(number) PEER_TEXT(number)

class Peer {
  using Matrix = Eigen::SparseMatrix<Value, Eigen::RowMajor, int>;
  using Dense = Eigen::Matrix<Value, Eigen::Dynamic, COLUMNS,
                              COLUMNS == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

 public:
  explicit Peer(const Csr& csr)
      : matrix_(csr.rows, csr.cols, csr.entries, csr.row, csr.column, csr.value) {
    Eigen::setNbThreads(csr.threads);
  }

  static const char* version() {
    return PEER_NUMBER(EIGEN_WORLD_VERSION) "." PEER_NUMBER(EIGEN_MAJOR_VERSION) "." PEER_NUMBER(
        EIGEN_MINOR_VERSION);
  }
  static const char* code_path() { return Eigen::SimdInstructionSetsInUse(); }

  void run(Value alpha, const Value* x_first, Value beta, Value* y_first) const {
    const Eigen::Map<const Dense> x(x_first, matrix_.cols(), COLUMNS);
    Eigen::Map<Dense> y(y_first, matrix_.rows(), COLUMNS);
    if (alpha == Value(1) && beta == Value(0)) {
      y.noalias() = matrix_ * x;
      return;
    }
    if (beta == Value(0)) y.setZero();
    y *= beta;
    y.noalias() += alpha * (matrix_ * x);
  }

 private:
  const Eigen::Map<const Matrix> matrix_;
};
