// designs for complex numbers: designs at random on matrices of complex and of real values, by a
// CPU and the emulator. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/cpu_devices.h"
#include "tests/support/design_check.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

constexpr int complex_parts = 4;  ///< of the run, so that they run side by side

int complex_triples() {
  constexpr int triples_default = 8;
  const char* const request = std::getenv("ALPHASPARSE_LONG");
  if (!request) return triples_default;
  const int count = std::atoi(request);
  return count > 1 ? count : 5'000;
}

/// Empty where a kernel is right, or loads more at once than one load brings.
std::string complex_problem(Device& device, const Matrix& matrix, const std::string& design,
                            Dtype dtype) {
  const std::string why = design_problem(device, matrix, design, dtype, false);
  const bool too_wide = dtype == Dtype::c128 && matrix.is_complex();
  return too_wide && why.starts_with("refused: a load of 16 bytes brings one") ? "" : why;
}

/// The matrices that a design meets in both types: in the ordinary run one with complex values in
/// one type, and one with real values in the other.
struct ComplexCase {
  NamedMatrix entry;
  Dtype dtype;
};

std::vector<ComplexCase> complex_cases(std::size_t number) {
  const std::vector<NamedMatrix> complex = complex_battery(), real = battery();
  const std::array types = {Dtype::c64, Dtype::c128};
  if (!std::getenv("ALPHASPARSE_LONG"))
    return {{complex[number % complex.size()], types[number % 2]},
            {real[(number + 7) % real.size()], types[(number + 1) % 2]}};
  std::vector<ComplexCase> all;
  for (const Dtype dtype : types) {
    for (const std::vector<NamedMatrix>* const matrices : {&complex, &real})
      for (const NamedMatrix& entry : *matrices) all.push_back({entry, dtype});
  }
  return all;
}

std::string text_of(const NamedMatrix& entry, Dtype dtype) {
  return entry.name + (entry.matrix.is_complex() ? " of complex values, " : " of real values, ") +
         dtype_name(dtype);
}

class DesignsOfComplex : public testing::TestWithParam<NamedDesign> {};

/// The place of a design in the list of all: each meets other matrices.
std::size_t number_of(const NamedDesign& design) {
  std::size_t number = 0;
  for (const NamedDesign& other : named_designs()) {
    if (other.name == design.name) break;
    ++number;
  }
  return number;
}

TEST_P(DesignsOfComplex, AreRightOnACpu) {
  const std::string line(GetParam().cpu);
  if (line.empty()) GTEST_SKIP() << "it does not exist on CPUs";
  for (const int threads : {1, 2}) {
    const std::unique_ptr<Device> device = cpu_device_of(threads, 32);
    for (const auto& [entry, dtype] : complex_cases(number_of(GetParam()))) {
      EXPECT_EQ(complex_problem(*device, entry.matrix, line, dtype), "")
          << text_of(entry, dtype) << ", " << threads << " threads";
    }
  }
}

TEST_P(DesignsOfComplex, AreRightOnAGpu) {
  const std::string line(GetParam().line);
  if (line.empty()) GTEST_SKIP() << "it does not exist on GPUs";
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const auto& [entry, dtype] : complex_cases(number_of(GetParam())))
    EXPECT_EQ(complex_problem(*device, entry.matrix, line, dtype), "") << text_of(entry, dtype);
}

INSTANTIATE_TEST_SUITE_P(All, DesignsOfComplex, testing::ValuesIn(named_designs()),
                         [](const auto& info) { return test_name_of(info.param); });

/// Each for a path of the builder where complex numbers have words of their own.
constexpr const char* free_designs_of_complex[] = {
    // x in shared memory, and a copy of it
    "compress | block_rows rows=8 | stage_x columns=listed | thread_cols lanes=4 | thread_total | "
    "warp_total | global_store | launch threads=64 grid=2",
    "reorder by=rcm x=gathered | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | "
    "interleave | thread_total sums=2 | global_store | compact columns=narrow | launch threads=64",
    // sums that tiles carry on, and tables of sums
    "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment | "
    "global_carry | launch threads=128",
    "compress | block_cols width=100 | thread_nnz nnz=3 | thread_total | shared_offset | "
    "global_carry | launch threads=32",
    "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | thread_bitmap | warp_segment by=prefix | "
    "global_atomic | launch threads=64",
    "sort_rows | compress | block_rows rows=20 | thread_cols width=3 | thread_total | "
    "shared_offset | global_store | launch threads=64",
    "compress | thread_merge_path items=5 | thread_merge | global_atomic | launch threads=64",
    // an order of its own
    "permute by=rcm | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave "
    "| thread_total | global_store | launch threads=64",
    // values that a dictionary holds, and narrow ones
    "compress | thread_rows rows=1 | thread_total | global_store | compact columns=full "
    "structure=full values=coded | launch threads=64",
    "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "compact values=single | launch threads=64 cache=streamed",
    "compress | thread_rows rows=1 | thread_total | global_store | compact values=rounded | launch "
    "threads=64",
    // several loaded at once
    "compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total vector=4 | warp_total | "
    "global_store | launch threads=256",
    "dense_block_peel rows=2 cols=4 share=0 { warp_bands bands=32 | thread_bands | thread_pad | "
    "interleave run=2 | thread_total vector=2 | global_store | launch threads=256 } { compress | "
    "thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256 }",
    // the same on a CPU: one load brings several elements of x, or a register's lanes
    "permute by=rcm | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_store | launch tasks=bytes",
    "reorder by=rcm x=gathered | compress | warp_rows rows=16 | thread_rows rows=1 | thread_pad | "
    "interleave | thread_total gather=hardware | global_store | launch tasks=bytes",
    "compress | thread_cols lanes=4 | thread_total | warp_total | global_store | compact "
    "columns=bytes values=coded | launch tasks=bytes",
    "compress | warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | compact columns=packed values=single | launch tasks=bytes",
    "compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | compact values=rounded | launch "
    "tasks=bytes",
    "dense_block_peel rows=2 cols=4 share=0 from=entry { warp_bands bands=8 | thread_bands | "
    "thread_pad | interleave run=cols | thread_total | global_store | launch tasks=bytes } { "
    "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }",
    "compress | warp_rows rows=16 | thread_rows rows=1 | warp_diagonals | interleave | "
    "thread_total "
    "sums=2 | global_store | compact values=coded | launch tasks=bytes",
};

/// Few values, of which some differ in one part alone. All are floats in both parts.
Matrix of_few_values(Matrix matrix) {
  matrix.imag.resize(matrix.value.size());
  for (std::int32_t nz = 0; nz < matrix.nnz(); ++nz) {
    matrix.value[nz] = 1 + nz % 2;
    matrix.imag[nz] = (nz % 3 - 1) * 0.5;
  }
  return matrix;
}

/// The values are no floats in one of both parts.
Matrix of_tenths(Matrix matrix) {
  matrix = complex_of(std::move(matrix));
  for (std::int32_t nz = 0; nz < matrix.nnz(); ++nz)
    (nz % 2 == 0 ? matrix.value : matrix.imag)[nz] += 0.1;
  return matrix;
}

class FreeDesignsOfComplex : public testing::TestWithParam<const char*> {};

TEST_P(FreeDesignsOfComplex, AreRight) {
  const std::string line = GetParam();
  const bool is_for_cpus = line.find("tasks=") != std::string::npos;
  const std::unique_ptr<Device> device =
      is_for_cpus ? cpu_device_of(2, 64) : open_emulated_device("h200");
  const Matrix stencil = battery_matrix("stencil_23"), empty_rows = battery_matrix("symmetric_97");
  Matrix real = stencil;
  for (double& value : real.value) value += 0.1;
  const bool is_long = std::getenv("ALPHASPARSE_LONG") != nullptr;
  std::size_t number = line.size();
  for (const NamedMatrix& entry : {NamedMatrix{"few values", of_few_values(stencil)},
                                   {"tenths", of_tenths(empty_rows)},
                                   {"real tenths", real}}) {
    ++number;
    for (const Dtype dtype : {Dtype::c64, Dtype::c128}) {
      if (!is_long && (dtype == Dtype::c64) != (number % 2 == 0)) continue;
      EXPECT_EQ(complex_problem(*device, entry.matrix, line, dtype), "") << text_of(entry, dtype);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FreeDesignsOfComplex, testing::ValuesIn(free_designs_of_complex));

class RandomDesignsOfComplex : public testing::TestWithParam<int> {};

TEST_P(RandomDesignsOfComplex, AreRightOnTheBattery) {
  const std::unique_ptr<Device> gpu = open_emulated_device("h200");
  const std::unique_ptr<Device> cpus[] = {cpu_device_of(2, 32), cpu_device_of(1, 64),
                                          cpu_device_of(3, 16)};
  const std::vector<NamedMatrix> complex = complex_battery(), real = battery();
  for (int seed = GetParam(); seed < complex_triples(); seed += complex_parts) {
    if (!is_wanted(seed)) continue;
    const Dtype dtype = seed % 2 == 0 ? Dtype::c64 : Dtype::c128;
    const std::vector<NamedMatrix>& matrices = seed / 2 % 2 == 0 ? complex : real;
    const NamedMatrix& entry = matrices[4 * seed % matrices.size()];
    for (const Target target : {Target::gpu, Target::cpu}) {
      const std::string design = random_design(entry.matrix, seed, target);
      Device& device = target == Target::gpu ? *gpu : *cpus[seed / 4 % std::size(cpus)];
      EXPECT_EQ(complex_problem(device, entry.matrix, design, dtype), "")
          << "seed " << seed << ", " << text_of(entry, dtype) << ", " << device.info().name << ": "
          << design;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomDesignsOfComplex, testing::Range(0, complex_parts));

// Found at random: a lane's one product, with no sum around it, of which empty rows have none.
TEST(DesignsOfComplex, GangsOfOneTermLeaveOutTheirEmptyRows) {
  const Matrix matrix = complex_of(battery_matrix("one_column"));
  const std::unique_ptr<Device> device = cpu_device_of(1, 32);
  for (const char* const rows : {"8", "32", "64"}) {
    const std::string design = fmt::format(
        "compress | warp_rows rows={} | thread_rows rows=1 | thread_pad | interleave | "
        "thread_total | global_store | launch tasks=bytes",
        rows);
    EXPECT_EQ(complex_problem(*device, matrix, design, Dtype::c128), "") << design;
  }
}

/// A text of a design's source, and the faulty one for its first place.
struct ComplexFault {
  Target target;
  const char* design;
  const char* text;
  const char* wrong;
};

constexpr ComplexFault complex_faults[] = {
    // products: a conjugate too many, or a part that is left out
    {Target::gpu, "csr-vector", "a.re * b.re - a.im * b.im", "a.re * b.re + a.im * b.im"},
    {Target::gpu, "csr-vector", "a.re * b.im + a.im * b.re", "a.re * b.im - a.im * b.re"},
    {Target::gpu, "csr-vector", "a.re * b.im + a.im * b.re", "a.re * b.im"},
    {Target::cpu, "csr-vector", "a.re * b.im + a.im * b.re", "a.re * b.im - a.im * b.re"},
    // sums: parts that are lost, negated or swapped
    {Target::gpu, "csr-vector", "im += other.im", ""},
    {Target::gpu, "csr-vector", "__shfl_down_sync(lanes, a.im,", "__shfl_down_sync(lanes, a.re,"},
    {Target::gpu, "csr5", "im += other.im", "im -= other.im"},
    {Target::gpu, "csr5", "atomicAdd(&sum->im, more.im)", ""},
    {Target::gpu, "csr5", "atomicAdd(&sum->im, more.im)", "atomicAdd(&sum->im, more.re)"},
    {Target::cpu, "csr-vector", "{all[0], all[1]}", "{all[1], all[0]}"},
    {Target::cpu, "csr5", "im += b.im", ""},
    {Target::cpu, "csr5", "im += b.im", "im -= b.im"},
    // alpha and beta without their imaginary parts
    {Target::gpu, "csr-vector", "out.alpha * sum", "out.alpha.re * sum"},
    {Target::gpu, "csr-vector", "out.beta * out[row]", "out.beta.re * out[row]"},
    {Target::cpu, "csr-vector", "out.alpha * sum", "out.alpha.re * sum"},
    {Target::cpu, "csr-vector", "out.beta * out[row]", "out.beta.re * out[row]"},
};

TEST(ComplexVerification, FindsFaultsInAKernelsText) {
  const Matrix matrix = complex_of(battery_matrix("power_law"));
  const std::unique_ptr<Device> cpu = cpu_device_of(1, 32), gpu = open_emulated_device("h200");
  for (const auto& [target, design, text, wrong] : complex_faults) {
    const Result<Kernel> built = Designer(matrix).build(resolve_design(design, target), Dtype::c64);
    ASSERT_TRUE(built.ok()) << built.reason();
    Kernel kernel = *built;
    const std::size_t at = kernel.source.find(text);
    ASSERT_NE(at, std::string::npos) << "plant another fault in the place of: " << text;
    kernel.source.replace(at, std::strlen(text), wrong);
    const std::string problem =
        kernel_problem(target == Target::cpu ? *cpu : *gpu, kernel, matrix, false);
    EXPECT_TRUE(problem.starts_with("wrong result in case"))
        << design << ", " << wrong << " for " << text << ": " << problem;
  }
}

}  // namespace
}  // namespace alphasparse
