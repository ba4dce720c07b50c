// differential: kernels of random designs on corner matrices, emitted, compiled and called from C
// as users do, against long double. One in five is for a GPU, and runs on the host's fibers.
//
// 20 of them; with ALPHASPARSE_LONG 5,000; or ALPHASPARSE_DIFFERENTIAL of them. ALPHASPARSE_SEED
// is the first seed, which is printed. A few kernels share a source, or the host's part of it alone
// would take a compiler two seconds for each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "base/random.h"
#include "generator/text/standalone.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/emulated/source.h"
#include "runtime/formats/format_file.h"
#include "runtime/system/machine/cores.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"
#include "tests/support/joined_sources.h"
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

/// The input of tests/standalone/differential_driver.c.
std::string bytes_of(const Matrix& matrix) {
  std::string bytes;
  append(bytes, std::vector<std::int32_t>{matrix.rows, matrix.cols});
  append(bytes, matrix.row_first);
  append(bytes, matrix.col);
  append(bytes, matrix.value);
  return bytes;
}

/// A kernel that is to be called, and the seed that it comes from.
struct Called {
  std::uint64_t seed = 0;
  std::string line;
  Matrix matrix;
  Kernel kernel;
};

constexpr std::uint64_t one_in = 5;  ///< seeds are for a GPU, with small matrices: fibers
constexpr int fiber_nnz_max = 20000;

/// None where the design refuses the matrix, rounds, or has vectors in an order of its own, which
/// the caller of all these kernels does not move.
std::optional<Called> called_of(std::uint64_t seed) {
  Random random(seed);
  Called called{seed, "", corner_matrix(random), {}};
  const Target target = seed % one_in == 0 ? Target::gpu : Target::cpu;
  if (target == Target::gpu && called.matrix.nnz() > fiber_nnz_max)
    called.matrix = strided(random, 1 + random.below(300), 400, 3, 40, 257);
  called.line = random_design(called.matrix, seed, target);
  auto kernel = Designer(called.matrix).build(called.line, seed % 2 == 0 ? Dtype::f32 : Dtype::f64);
  if (!kernel || kernel->value_error > 0 || kernel->spreads_rounding || kernel->own_order)
    return std::nullopt;
  called.kernel = std::move(*kernel);
  return called;
}

/// The program of a few kernels for one target.
class Batch {
 public:
  explicit Batch(std::vector<Called> kernels, std::string options = "-O1")
      : kernels_(std::move(kernels)), options_(std::move(options)) {}

  /// The faults, a line a kernel; empty: none.
  std::string problems() {
    if (kernels_.empty()) return "";
    write();
    const CommandOutcome made = compile();
    if (made.status != 0) return made.output;
    std::string text;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      const CommandOutcome outcome = run_command(
          fmt::format("cd {0} && ./all {1} k{1}.safetensors k{1}.m", folder_.path().string(), i));
      if (outcome.status == 0) continue;
      text += fmt::format("seed {}: {}: exit {}: {}\n", kernels_[i].seed, kernels_[i].line,
                          outcome.status, outcome.output);
    }
    return text;
  }

 private:
  bool is_cuda() const { return kernels_.front().kernel.target == Target::gpu; }

  void write() const {
    std::vector<std::string> sources;
    std::string checks, names;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      const auto& [seed, line, matrix, kernel] = kernels_[i];
      const std::string name = fmt::format("k{}", i);
      const Fingerprints prints = fingerprints(matrix);
      const StandaloneInfo info = {name, name + ".mtx", prints, structure_digest(kernel, matrix)};
      write_format_file(folder_ / (name + ".safetensors"), kernel, matrix, prints,
                        info.generator_version, name);
      set_contents(folder_ / (name + ".h"), standalone_header(kernel, info));
      set_contents(folder_ / (name + ".m"), bytes_of(matrix));
      sources.push_back(standalone_source(kernel, info));
      const bool is_double = kernel.dtype == Dtype::f64;
      checks += fmt::format(
          "#include \"{0}.h\"\n#define NAME(function) {0}_##function\n#define VALUE {1}\n"
          "#define EPSILON {2}\n#define IS_EXACT {3}\n#include \"differential_kernel.h\"\n"
          "#undef NAME\n#undef VALUE\n#undef EPSILON\n#undef IS_EXACT\n",
          name, is_double ? "double" : "float", is_double ? "0x1p-52L" : "0x1p-23L",
          kernel.nonfinite() == NonFinite::exact ? 1 : 0);
      names += fmt::format("{}_differs, ", name);
    }
    set_contents(
        folder_ / "kernels.inc",
        fmt::format("#define IS_CUDA {}\n{}static int (*const kernels[])(const char*, const "
                    "struct matrix*) = {{{}}};\n",
                    is_cuda() ? 1 : 0, checks, names));
    set_contents(folder_ / "all.cpp", joined_sources(sources));
    set_contents(folder_ / "alphasparse_kernel.h", std::string(kernel_header()));
    const std::string shared = "#define __shared__ thread_local __attribute__((aligned(65536)))";
    std::string shim = emulator_shim();
    ASSERT_NE(shim.find(shared), std::string::npos);
    shim.replace(shim.find(shared), shared.size(), "#define __shared__ static");  // a block a time
    const std::string abs = "int abs(int value)";  // which the host has
    ASSERT_NE(shim.find(abs), std::string::npos);
    shim.replace(shim.find(abs), abs.size(), "int shim_abs(int value)");
    set_contents(folder_ / "emulator_shim.h", shim);
  }

  CommandOutcome compile() const {
    const std::string grid =
        fmt::format("{0}/tests/fuzz/host_grid.cpp {0}/base/result.cpp", ALPHASPARSE_SOURCE_DIR);
    const std::string on_host = fmt::format(
        "-w -DHOST_GRID -ffp-contract=off -I {0} -I {0}/tests/standalone", ALPHASPARSE_SOURCE_DIR);
    return run_command(fmt::format(
        "cd {0} && g++ -std=c++17 {4} -fopenmp -I . {1} -c all.cpp {2} && gcc -std=c11 -I . "
        "-I {3}/tests/standalone -c {3}/tests/standalone/differential_driver.c -o driver.o && "
        "g++ -fopenmp *.o -o all",
        folder_.path().string(), is_cuda() ? on_host : "", is_cuda() ? grid : "",
        ALPHASPARSE_SOURCE_DIR, options_));
  }

  TestFolder folder_;
  std::vector<Called> kernels_;
  std::string options_;
};

TEST(Differential, RandomKernelsInCAreThoseOfLongDouble) {
  const char* const request = std::getenv("ALPHASPARSE_SEED");
  const std::uint64_t first = request ? std::strtoull(request, nullptr, 10) : 57;
  const char* const wanted = std::getenv("ALPHASPARSE_DIFFERENTIAL");
  const std::size_t count = wanted                            ? std::strtoull(wanted, nullptr, 10)
                            : std::getenv("ALPHASPARSE_LONG") ? 5000
                                                              : 20;
  constexpr std::size_t at_once = 10;
  std::atomic<int> on_cpu = 0, on_gpu = 0, refused = 0;
  std::mutex mutex;
  std::string problems;
  parallel_for(
      (count + at_once - 1) / at_once, machine_threads(), [&](std::size_t batch, std::size_t) {
        std::vector<Called> cpu, gpu;
        for (std::size_t i = batch * at_once; i < std::min(count, (batch + 1) * at_once); ++i) {
          std::optional<Called> called = called_of(first + i);
          if (!called) {
            ++refused;
            continue;
          }
          const bool is_cpu = called->kernel.target == Target::cpu;
          ++(is_cpu ? on_cpu : on_gpu);
          (is_cpu ? cpu : gpu).push_back(std::move(*called));
        }
        const std::string found =
            Batch(std::move(cpu)).problems() + Batch(std::move(gpu)).problems();
        const std::lock_guard<std::mutex> lock(mutex);
        problems += found;
      });
  printf("%d kernels for CPUs and %d for GPUs from seed %llu on, %d designs refused their matrix\n",
         on_cpu.load(), on_gpu.load(), static_cast<unsigned long long>(first), refused.load());
  EXPECT_EQ(problems, "");
  EXPECT_GT(on_cpu + on_gpu, static_cast<int>(count / 2));
}

// Blocks with gaps look at their sums' bits: fast arithmetic knows no Inf.
TEST(Differential, GapsAreFoundUnderFastArithmeticToo) {
  Random random(3);
  const Matrix matrix = strided(random, 60, 80, 3, 20, 5);
  for (const Target target : {Target::gpu, Target::cpu}) {
    std::vector<Called> kernels;
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      const std::string line = resolve_design("bsell", target);
      auto kernel = Designer(matrix).build(line, dtype);
      ASSERT_TRUE(kernel.ok()) << kernel.reason();
      ASSERT_NE(kernel->source.find("thread_total_band_gaps"), std::string::npos);
      ASSERT_EQ(kernel->nonfinite(), NonFinite::exact);
      kernels.push_back({0, line, matrix, std::move(*kernel)});
    }
    EXPECT_EQ(Batch(std::move(kernels), "-Ofast").problems(), "");
  }
}

}  // namespace
}  // namespace alphasparse
