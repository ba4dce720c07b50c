// block_gradients_driver: block conjugate gradients of examples/solver over a plain product.
//
//   block_gradients_driver MATRIX.mtx   prints a line for each set of eight right sides:
//                                       NAME, iterations, the greatest |b - A x| / |b| of a column
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "krylov.h"

namespace {

constexpr int columns = 8;
using Rows = krylov::Rows<columns>;

struct Entry {
  long row, col;
  double value;
};

double known(long i, int j) {
  return 1 + 0.5 * std::sin(0.1 * static_cast<double>((j + 1) * i) + j);
}

double entry_of(const char* set, long i, int j) {
  if (*set == 'd' || j < 4) return known(i, j);  // different
  if (*set == 'r') return known(i, j - 4);       // repeated
  if (j == 4) return 0;                          // alike: zeros, equal columns, near and far ones
  return known(i, 0) * (j == 7 ? 1e6 : 1) + (j == 6 ? 1e-10 * known(i, 5) : 0);
}

}  // namespace

int main(int count, char** arguments) {
  std::FILE* file = count == 2 ? std::fopen(arguments[1], "r") : nullptr;
  long rows = 0, size = 0;
  if (!file || std::fscanf(file, "%*[^\n] %ld %*d %ld", &rows, &size) != 2) return 2;
  std::vector<Entry> entries(static_cast<std::size_t>(size));
  krylov::Vector inverse(static_cast<std::size_t>(rows));
  for (Entry& entry : entries) {
    if (std::fscanf(file, "%ld %ld %lf", &entry.row, &entry.col, &entry.value) != 3) return 2;
    if (entry.row == entry.col)
      inverse[static_cast<std::size_t>(--entry.row)] = 1 / entry.value;
    else
      --entry.row;
    --entry.col;
  }
  std::fclose(file);
  const auto multiply = [&](const double* x, double* y) {
    std::fill(y, y + rows * columns, 0.0);
    for (const Entry& entry : entries)
      for (int j = 0; j < columns; ++j)
        y[entry.row * columns + j] += entry.value * x[entry.col * columns + j];
  };
  for (const char* const set : {"different", "repeated", "alike"}) {
    Rows x(inverse.size()), b(inverse.size()), product(inverse.size());
    for (long i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) x.data()[i].at[j] = entry_of(set, i, j);
    multiply(x.data()->data(), b.data()->data());
    const krylov::Outcome outcome =
        krylov::block_conjugate_gradients<columns>(multiply, inverse, b, x, 1e-8, 1000);
    multiply(x.data()->data(), product.data()->data());
    double worst = outcome.residual;
    for (int j = 0; j < columns; ++j) {
      double rest = 0, all = 0;
      for (long i = 0; i < rows; ++i) {
        rest += std::pow(b.data()[i].at[j] - product.data()[i].at[j], 2);
        all += std::pow(b.data()[i].at[j], 2);
      }
      if (!(rest <= worst * worst * all)) worst = std::sqrt(rest / all);
    }
    std::printf("%s %d %g\n", set, outcome.iterations, worst);
  }
}
