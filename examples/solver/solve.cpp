// solve: A x = b by the kernels that this program is linked with, beside Eigen's row-major matrix.
// The second one may have an order of its own: then x and b stay in that for a whole solve. Numbers
// are of the kernel's type: f64, c64 or c128. Of complex ones cg wants a Hermitian matrix.
//
//   solve MATRIX.mtx [--method cg|bicgstab] [--tolerance T] [--threads N] [--repeats 5]
//         [--tuned SECONDS] [--vectors K]
//
// T is 1e-8, with c64 1e-4. The right side is A times a vector of known entries. All solve in turn,
// REPEATS times; times are the least, and of a solve in an own order they include moving b there
// and x back. With --tuned, the seconds that tuning took, it prints the number of solves after
// which tuning has paid.
//
// With --vectors there are K right sides. Block conjugate gradients solve them at once by
// VECTORS_KERNEL, which is for K vectors; all others solve them one after the other.
#include <omp.h>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "alphasparse_kernel.h"
#include "krylov.h"

extern "C" const alphasparse_kernel* ALPHASPARSE_INTERFACE(void);  // NAME_cpu_interface
#ifdef OWN_INTERFACE
extern "C" const alphasparse_kernel* OWN_INTERFACE(void);
#endif
#ifdef VECTORS_INTERFACE
extern "C" const alphasparse_kernel* VECTORS_INTERFACE(void);
#endif

namespace {

template <class Number>
using Sparse = Eigen::SparseMatrix<Number, Eigen::RowMajor>;
template <class Number>
using Columns = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;  ///< vectors side by side
template <class Number>
using Column = Eigen::Matrix<Number, Eigen::Dynamic, 1>;
template <class Number>
using Real = krylov::RealOf<Number>;

template <class Number>
constexpr bool is_complex = !std::is_same_v<Number, Real<Number>>;

/// A number without the imaginary part that its type has none of.
template <class Number>
Number number(double re, double im) {
  if constexpr (is_complex<Number>)
    return {static_cast<Real<Number>>(re), static_cast<Real<Number>>(im)};
  else
    return re;
}

template <class Number>
std::string dtype() {
  const bool is_single = sizeof(Real<Number>) == sizeof(float);
  return is_complex<Number> ? (is_single ? "c64" : "c128") : "f64";
}

struct Options {
  std::string matrix, method = "cg";
  double tolerance = 0, tuned = -1;  ///< 0: that of the type
  int threads = 1, repeats = 5, vectors = 1;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word.rfind("--", 0) != 0) {
      options.matrix = word;
      continue;
    }
    if (i + 1 == count) throw std::runtime_error(word + " wants a value");
    const std::string value = arguments[++i];
    if (word == "--method")
      options.method = value;
    else if (word == "--tolerance")
      options.tolerance = std::stod(value);
    else if (word == "--threads")
      options.threads = std::stoi(value);
    else if (word == "--repeats")
      options.repeats = std::stoi(value);
    else if (word == "--vectors")
      options.vectors = std::stoi(value);
    else if (word == "--tuned")
      options.tuned = std::stod(value);
    else
      throw std::runtime_error("no such option: " + word);
  }
  if (options.matrix.empty()) throw std::runtime_error("usage: solve MATRIX.mtx [OPTIONS]");
  if (options.method != "cg" && options.method != "bicgstab")
    throw std::runtime_error("--method is cg or bicgstab, not " + options.method);
  if (options.vectors != 1 && options.method != "cg")
    throw std::runtime_error("--vectors is for --method cg alone");
  return options;
}

/// A coordinate file, as make_spd writes it, or with one triangle for both. A file of complex
/// numbers wants such a type.
template <class Number>
Sparse<Number> read_matrix(const std::string& path) {
  std::ifstream file(path);
  std::string line, header;
  while (std::getline(file, line) && !line.empty() && line[0] == '%')
    if (header.empty()) header = line;
  for (char& letter : header) letter = static_cast<char>(std::tolower(letter));
  const auto says = [&](const char* word) { return header.find(word) != std::string::npos; };
  const bool is_hermitian = says("hermitian"), is_skew = says("skew");
  const bool is_half = is_hermitian || says("symmetric"), has_pairs = says("complex");
  if (has_pairs && !is_complex<Number>)
    throw std::runtime_error(path + " is complex: tune with --dtype c128");
  long rows = 0, cols = 0, count = 0;
  if (!(std::istringstream(line) >> rows >> cols >> count))
    throw std::runtime_error(path + " is no Matrix Market file");
  std::vector<Eigen::Triplet<Number>> entries;
  entries.reserve(static_cast<std::size_t>(count));
  int row = 0, col = 0;
  double value = 0, imag = 0;
  for (; file >> row >> col >> value && (!has_pairs || file >> imag); --count) {
    entries.emplace_back(row - 1, col - 1, number<Number>(value, imag));
    if (!is_half || row == col) continue;
    const double sign = is_skew ? -1 : 1;
    entries.emplace_back(col - 1, row - 1,
                         number<Number>(sign * value, is_hermitian ? -imag : sign * imag));
  }
  if (count != 0) throw std::runtime_error(path + " is not whole");
  Sparse<Number> matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// The kernel's matrix in memory. Of `vectors` columns X and Y, or x and y where that is 1.
class Tuned {
 public:
  template <class Number>
  Tuned(const alphasparse_kernel* kernel, const Sparse<Number>& matrix, const std::string& format,
        int threads, int vectors = 1)
      : kernel_(kernel) {
    const bool has_vectors = kernel->version == ALPHASPARSE_VECTORS_VERSION;
    if (!has_vectors && kernel->version != ALPHASPARSE_KERNEL_VERSION &&
        kernel->version != ALPHASPARSE_OWN_ORDER_VERSION)
      throw std::runtime_error("the kernel's interface is another version");
    if (const int its = has_vectors ? kernel->vectors : 1; its != vectors)
      throw std::runtime_error("the kernel " + std::string(kernel->prefix) + " is for " +
                               std::to_string(its) + (its == 1 ? " vector" : " vectors") +
                               ", not for " + std::to_string(vectors) +
                               ": tune --vectors makes such kernels");
    if (kernel->rows != matrix.rows() || kernel->cols != matrix.cols())
      throw std::runtime_error("the kernel is for another matrix");
    if (kernel->dtype != dtype<Number>())
      throw std::runtime_error("the kernel is for " + std::string(kernel->dtype) +
                               ": tune with --dtype " + dtype<Number>());
    check(kernel->load(format.c_str(), &handle_));
    if (kernel->set_threads) check(kernel->set_threads(handle_, threads));
  }
  ~Tuned() { kernel_->free(handle_); }
  Tuned(const Tuned&) = delete;
  Tuned& operator=(const Tuned&) = delete;

  const char* name() const { return has_own_order() ? "own order" : "given order"; }

  void multiply(const void* x, void* y) const {
    if (kernel_->spmv)
      check(kernel_->spmv(handle_, x, y, 1, 0, nullptr));
    else
      check(kernel_->spmm(handle_, x, kernel_->vectors, y, kernel_->vectors, 1, 0, nullptr));
  }

  /// A vector in the kernel's order, from and to the matrix'. A square matrix has one for x and y.
  template <class Vector>
  Vector to_own(const Vector& given) const {
    Vector own(given);
    if (has_own_order()) check(kernel_->to_own(handle_, given.data(), own.data(), nullptr));
    return own;
  }
  template <class Vector>
  Vector from_own(const Vector& own) const {
    Vector given(own);
    if (has_own_order()) check(kernel_->from_own(handle_, given.data(), own.data(), nullptr));
    return given;
  }

 private:
  bool has_own_order() const { return kernel_->version == ALPHASPARSE_OWN_ORDER_VERSION; }

  void check(int status) const {
    if (status != alphasparse_ok) throw std::runtime_error(kernel_->message());
  }

  const alphasparse_kernel* kernel_;
  alphasparse_handle* handle_ = nullptr;
};

struct Solved {
  double seconds = 0;
  int iterations = 0;
  double error = 0;  ///< greatest distance to the known solution
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Number>
double error_of(const Number* x, const Column<Number>& known) {
  return (Eigen::Map<const Column<Number>>(x, known.size()) - known).cwiseAbs().maxCoeff();
}

template <class Number, class Solver>
Solved by_eigen(Solver& solver, const Column<Number>& b, const Column<Number>& known) {
  Solved solved;
  Column<Number> x;
  solved.seconds = seconds_of([&] { x = solver.solve(b); });
  solved.iterations = static_cast<int>(solver.iterations());
  solved.error = error_of(x.data(), known);
  return solved;
}

/// The preconditioner is that of the matrix in the kernel's order, and so is `inverse`.
template <class Number>
Solved by_kernel(const Tuned& tuned, const Options& options,
                 const krylov::VectorOf<Number>& inverse, const krylov::VectorOf<Number>& b,
                 const Column<Number>& known) {
  const auto multiply = [&](const Number* in, Number* out) { tuned.multiply(in, out); };
  const auto solve =
      options.method == "cg" ? krylov::conjugate_gradients<Number> : krylov::bicgstab<Number>;
  const int iterations_max = 10 * static_cast<int>(b.size());
  Solved solved;
  krylov::VectorOf<Number> x;
  solved.seconds = seconds_of([&] {
    solved.iterations =
        solve(multiply, inverse, tuned.to_own(b), x, options.tolerance, iterations_max).iterations;
    x = tuned.from_own(x);
  });
  solved.error = error_of(x.data(), known);
  return solved;
}

/// All right sides at once. The vectors of several columns lie row by row from the start.
template <int K>
Solved by_block(const Tuned& tuned, const Options& options, const krylov::Vector& inverse,
                const Eigen::MatrixXd& b, const Eigen::MatrixXd& known) {
  using Map = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, K, Eigen::RowMajor>>;
  const auto multiply = [&](const double* in, double* out) { tuned.multiply(in, out); };
  krylov::Rows<K> right(inverse.size()), x(inverse.size());
  Map(right.data()->data(), b.rows(), K) = b;
  Solved solved;
  solved.seconds = seconds_of([&] {
    solved.iterations =
        krylov::block_conjugate_gradients<K>(multiply, inverse, right, x, options.tolerance,
                                             10 * static_cast<int>(b.rows()))
            .iterations;
  });
  solved.error = (Map(x.data()->data(), b.rows(), K) - known).cwiseAbs().maxCoeff();
  return solved;
}

/// The function above for so many columns.
auto block_solver(int vectors) {
  switch (vectors) {
    case 2:
      return by_block<2>;
    case 4:
      return by_block<4>;
    case 8:
      return by_block<8>;
    case 16:
      return by_block<16>;
    default:
      throw std::runtime_error("--vectors is 2, 4, 8 or 16");
  }
}

/// Solves for each column, one after the other.
Solved one_by_one(long columns, const std::function<Solved(long column)>& solve) {
  Solved all;
  for (long column = 0; column < columns; ++column) {
    const Solved one = solve(column);
    all.seconds += one.seconds;
    all.iterations += one.iterations;
    all.error = std::max(all.error, one.error);
  }
  return all;
}

void print(const char* name, const Solved& solved) {
  std::printf("%-12s %6d iterations  %9.2f us each  %8.4f s  error %.1e\n", name, solved.iterations,
              1e6 * solved.seconds / std::max(1, solved.iterations), solved.seconds, solved.error);
}

void keep_faster(Solved& best, const Solved& now) {
  if (best.seconds == 0 || now.seconds < best.seconds) best = now;
}

template <class Number>
void run(Options options) {
  if (options.tolerance == 0) options.tolerance = dtype<Number>() == "c64" ? 1e-4 : 1e-8;
  omp_set_num_threads(options.threads);
  Eigen::setNbThreads(options.threads);
  const Sparse<Number> matrix = read_matrix<Number>(options.matrix);
  std::deque<Tuned> tuned;
  tuned.emplace_back(ALPHASPARSE_INTERFACE(), matrix, ALPHASPARSE_FORMAT, options.threads);
#ifdef OWN_INTERFACE
  tuned.emplace_back(OWN_INTERFACE(), matrix, OWN_FORMAT, options.threads);
#endif

  std::deque<Tuned> block;
  if (options.vectors != 1) {
    if (is_complex<Number>) throw std::runtime_error("--vectors is for real numbers alone");
#ifdef VECTORS_INTERFACE
    block.emplace_back(VECTORS_INTERFACE(), matrix, VECTORS_FORMAT, options.threads,
                       options.vectors);
#else
    throw std::runtime_error("--vectors wants a kernel for them: build with -DVECTORS_KERNEL=FILE");
#endif
  }

  const long columns = options.vectors;
  Columns<Number> known(matrix.rows(), columns);
  for (long j = 0; j < columns; ++j) {
    for (long i = 0; i < known.rows(); ++i) {
      const double angle = 0.1 * static_cast<double>((j + 1) * i) + j;
      known(i, j) = number<Number>(1 + 0.5 * std::sin(angle), 0.5 * std::cos(0.7 * angle));
    }
  }
  const Columns<Number> b = matrix * known;
  krylov::VectorOf<Number> inverse(static_cast<std::size_t>(matrix.rows()));
  for (long i = 0; i < matrix.rows(); ++i) {  // as Eigen's, 1 where there is none
    const Number diagonal = matrix.coeff(i, i);
    inverse[static_cast<std::size_t>(i)] = diagonal != Number(0) ? Real<Number>(1) / diagonal : 1;
  }
  std::vector<krylov::VectorOf<Number>> inverses;
  for (const Tuned& one : tuned) inverses.push_back(one.to_own(inverse));

  Eigen::ConjugateGradient<Sparse<Number>, Eigen::Lower | Eigen::Upper> cg;
  Eigen::BiCGSTAB<Sparse<Number>> bicgstab;
  cg.setTolerance(static_cast<Real<Number>>(options.tolerance));
  bicgstab.setTolerance(static_cast<Real<Number>>(options.tolerance));
  cg.compute(matrix);
  bicgstab.compute(matrix);
  std::vector<Solved> all(tuned.size());
  Solved eigen, at_once;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    if constexpr (!is_complex<Number>) {
      if (!block.empty())
        keep_faster(at_once,
                    block_solver(options.vectors)(block.front(), options, inverse, b, known));
    }
    for (std::size_t i = 0; i < tuned.size(); ++i) {
      keep_faster(all[i], one_by_one(columns, [&](long j) {
                    const krylov::VectorOf<Number> right(b.col(j).begin(), b.col(j).end());
                    return by_kernel<Number>(tuned[i], options, inverses[i], right, known.col(j));
                  }));
    }
    keep_faster(eigen, one_by_one(columns, [&](long j) {
                  return options.method == "cg"
                             ? by_eigen<Number>(cg, b.col(j), known.col(j))
                             : by_eigen<Number>(bicgstab, b.col(j), known.col(j));
                }));
  }
  std::printf("%s: %ld rows, %ld non-zeros of %s, %s by %d thread%s\n", options.matrix.c_str(),
              static_cast<long>(matrix.rows()), static_cast<long>(matrix.nonZeros()),
              dtype<Number>().c_str(), options.method.c_str(), options.threads,
              options.threads == 1 ? "" : "s");
  if (columns > 1)
    std::printf("%ld right sides: at once (block), or one after the other\n", columns);
  if (columns > 1) print("block", at_once);
  for (std::size_t i = 0; i < tuned.size(); ++i) print(tuned[i].name(), all[i]);
  print("Eigen", eigen);
  const Solved& ours = all.front();
  const double each = (eigen.seconds / std::max(1, eigen.iterations)) /
                      (ours.seconds / std::max(1, ours.iterations));
  std::printf("ratio        %.2f times as fast an iteration, %.2f a solve\n", each,
              eigen.seconds / ours.seconds);
  if (columns > 1) {
    std::printf(
        "block        %.2f times as fast as the solves of the first kernel, %.2f of Eigen\n",
        ours.seconds / at_once.seconds, eigen.seconds / at_once.seconds);
  }
  if (all.size() > 1) {
    std::printf("%-12s %.2f times as fast a solve as the first kernel, permutations included\n",
                tuned.back().name(), ours.seconds / all.back().seconds);
  }
  if (options.tuned >= 0 && eigen.seconds > ours.seconds) {
    std::printf("paid         tuning, %.0f s, after %.0f solves\n", options.tuned,
                std::ceil(columns * options.tuned / (eigen.seconds - ours.seconds)));
  }
  const int share = options.method == "cg" ? 100 : 4;  // of iterations, which rounding may change
  for (const Solved& one : all) {
    if (std::abs(one.iterations - eigen.iterations) > columns + eigen.iterations / share)
      throw std::runtime_error("the iterations differ by more than rounding can make them");
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = parse(count, arguments);
    const std::string type = ALPHASPARSE_INTERFACE()->dtype;
    (type == "c64"    ? run<std::complex<float>>
     : type == "c128" ? run<std::complex<double>>
                      : run<double>)(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "solve: error: %s\n", error.what());
    return 2;
  }
}
