// differential: kernels for CPUs of random designs on corner matrices, emitted, compiled and called
// from C as users do, against long double.
//
// 40 of them; with ALPHASPARSE_LONG 5,000; or ALPHASPARSE_DIFFERENTIAL of them. ALPHASPARSE_SEED
// is the first seed, which is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "generator/random.h"
#include "generator/standalone.h"
#include "operators/designer.h"
#include "runtime/formats/format_file.h"
#include "runtime/system/parallel.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

using Rows = std::vector<std::vector<std::pair<int, double>>>;

/// Some entries in each row, at multiples of `stride` behind each other; values of so many kinds.
Matrix strided(Random& random, int rows, int cols, int stride, int length, int kinds) {
  Rows all(rows);
  int next = 0;
  for (auto& row : all) {
    int col = random.below(std::max(1, std::min(cols, stride)));
    for (int k = random.below(length + 1); k > 0 && col < cols; --k) {
      row.emplace_back(col, 1 + 0.25 * (next++ % kinds));
      col += std::max(1, stride - 1 + random.below(3));
    }
  }
  return from_rows(cols, all);
}

/// One dense row between empty ones.
Matrix one_dense_row(Random& random) {
  Rows rows(3 + random.below(60));
  const int cols = 1 + random.below(3000);
  auto& dense = rows[random.below(rows.size())];
  for (int col = 0; col < cols; ++col) dense.emplace_back(col, random.below(2001) - 1000.5);
  return from_rows(cols, rows);
}

Matrix corner_matrix(Random& random) {
  const std::vector<int> strides = {1, 2, 254, 255, 256, 257, 65534, 65535, 65536, 65537};
  const std::vector<int> few = {1, 2, 255, 256, 257}, many = {65535, 65536, 65537};
  switch (random.below(6)) {
    case 0:
      return strided(random, 1, 1 + random.below(5000), 1 + random.below(3), 4000, 300);
    case 1:
      return strided(random, 1 + random.below(5000), 1, 1, 1, 7);
    case 2:
      return one_dense_row(random);
    case 3:  // dictionaries at the edge of 16 bits
      return strided(random, 700, 800, 2, 400, random.one_of(many));
    case 4:
      return strided(random, 1 + random.below(300), 100 + random.below(400), 3, 40,
                     random.one_of(few));
    default: {
      const int stride = random.one_of(strides);
      return strided(random, 1 + random.below(200), 3 * stride + 10, stride, 3, random.one_of(few));
    }
  }
}

template <class T>
void append(std::string& bytes, const std::vector<T>& numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

/// What tests/standalone/differential_driver.c reads.
std::string bytes_of(const Matrix& matrix) {
  std::string bytes;
  append(bytes, std::vector<std::int32_t>{matrix.rows, matrix.cols});
  append(bytes, matrix.row_first);
  append(bytes, matrix.col);
  append(bytes, matrix.value);
  return bytes;
}

/// What is wrong with the kernel in a C program; empty: nothing.
std::string problem_of(const Kernel& kernel, const Matrix& matrix) {
  const TestFolder folder;
  const Fingerprints prints = fingerprints(matrix);
  const StandaloneInfo info = {"a", "a.mtx", prints};
  write_format_file(folder / "a.safetensors", kernel, matrix, prints);
  set_contents(folder / "a.cpp", standalone_source(kernel, info));
  set_contents(folder / "a.h", standalone_header(kernel, info));
  set_contents(folder / "alphasparse_kernel.h", std::string(kernel_header()));
  set_contents(folder / "m", bytes_of(matrix));
  const bool is_double = kernel.dtype == Dtype::f64;
  const CommandOutcome outcome = run_command(fmt::format(
      "cd {} && g++ -std=c++17 -O1 -fopenmp -c a.cpp && gcc -std=c11 -I . -DVALUE={} -DEPSILON={} "
      "-c {}/tests/standalone/differential_driver.c -o driver.o && "
      "g++ -fopenmp a.o driver.o -o a && ./a a.safetensors m",
      folder.path().string(), is_double ? "double" : "float", is_double ? "0x1p-52L" : "0x1p-23L",
      ALPHASPARSE_SOURCE_DIR));
  return outcome.status == 0 ? "" : outcome.output;
}

TEST(Differential, RandomKernelsInCAreThoseOfLongDouble) {
  const char* const asked = std::getenv("ALPHASPARSE_SEED");
  const std::uint64_t first = asked ? std::strtoull(asked, nullptr, 10) : 57;
  const char* const wanted = std::getenv("ALPHASPARSE_DIFFERENTIAL");
  const std::size_t count = wanted                            ? std::strtoull(wanted, nullptr, 10)
                            : std::getenv("ALPHASPARSE_LONG") ? 5000
                                                              : 40;
  std::atomic<int> built = 0, refused = 0;
  std::mutex mutex;
  std::string problems;
  parallel_for(count, machine_threads(), [&](std::size_t index, std::size_t) {
    Random random(first + index);
    const Matrix matrix = corner_matrix(random);
    const std::string line = random_design(matrix, first + index, Target::cpu);
    const auto kernel = Designer(matrix).build(line, index % 2 == 0 ? Dtype::f32 : Dtype::f64);
    const bool is_exact = kernel && kernel->value_error == 0 && !kernel->spreads_rounding;
    if (!is_exact) return static_cast<void>(++refused);
    ++built;
    const std::string problem = problem_of(*kernel, matrix);
    const std::lock_guard<std::mutex> lock(mutex);
    if (!problem.empty())
      problems += fmt::format("seed {}: {}: {}\n", first + index, line, problem);
  });
  printf("%d kernels from seed %llu on, %d designs refused their matrix\n", built.load(),
         static_cast<unsigned long long>(first), refused.load());
  EXPECT_EQ(problems, "");
  EXPECT_GT(built, static_cast<int>(count / 2));
}

}  // namespace
}  // namespace alphasparse
