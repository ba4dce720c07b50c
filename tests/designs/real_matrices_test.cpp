// real_matrices: every named design on the example matrices and on the small ones of the folder of
// real matrices, exact and rounded, in both lane orders; and a few designs on complex ones.
// ctest label: emulator
//
// The folder is looked for when the test runs, so its matrices are dealt to a fixed number of
// tests.
#include "tests/support/real_matrices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "operators/named_designs.h"
#include "runtime/emulated/device.h"
#include "runtime/matrices/text/matrix_market.h"
#include "tests/support/cpu_devices.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr int matrix_parts = 8;

bool is_long() { return std::getenv("ALPHASPARSE_LONG") != nullptr; }

/// The most non-zeros of a matrix that is tried: with ALPHASPARSE_LONG larger ones.
const std::int64_t nnz_most = is_long() ? 40'000 : 8'000;

bool is_about_size(const std::string& reason) {
  return reason.find("bytes with pads are") != std::string::npos ||
         reason.find("the diagonals of its warps have") != std::string::npos ||
         reason.find("its regular part has") != std::string::npos;
}

/// Every named design on the matrix of the file, or, where ALPHASPARSE_LONG is not set, every
/// second of them from the first or the second on. A design with pads that outweigh the matrix is
/// refused, as a search would refuse it, and the test prints that.
void check_named_designs(const std::string& path, Dtype dtype, std::size_t number) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = read_matrix_market(path);
  Designer designer(matrix);
  int verified = 0;
  for (const NamedDesign& design : named_designs(Target::gpu)) {
    if (!is_long() && number++ % 2 == 0) continue;
    SCOPED_TRACE(path + ", " + std::string(design.name) + ", " + dtype_name(dtype));
    const Result<Kernel> kernel = designer.build(std::string(design.line), dtype);
    if (!kernel) {
      EXPECT_TRUE(is_about_size(kernel.reason())) << kernel.reason();
      std::printf("%s: %s refused: %s\n", path.c_str(), std::string(design.name).c_str(),
                  kernel.reason().c_str());
      continue;
    }
    EXPECT_EQ(kernel_problem(*device, *kernel, matrix), "");
    ++verified;
  }
  EXPECT_GE(verified, 3) << path << ": formats without pads are never refused";
}

std::vector<fs::path> examples() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(ALPHASPARSE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Examples : public testing::TestWithParam<fs::path> {};

TEST_P(Examples, AreRightInEveryNamedDesign) {
  check_named_designs(GetParam(), Dtype::f32, 0);
  check_named_designs(GetParam(), Dtype::f64, 1);
}

INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(examples()), [](const auto& info) {
  std::string name = info.param.filename().stem().stem();
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

/// Small, readable, and not an example already.
bool is_wanted(const RealMatrix& real) {
  const fs::path example = fs::path(ALPHASPARSE_SOURCE_DIR "/examples") / (real.name + ".mtx.gz");
  return !real.is_complex && real.nnz <= nnz_most && !fs::exists(example);
}

class RealMatrices : public testing::TestWithParam<int> {};

TEST_P(RealMatrices, AreRightInEveryNamedDesign) {
  std::vector<RealMatrix> matrices = real_matrices();
  if (matrices.empty()) GTEST_SKIP() << "no folder of real matrices: only the examples are tested";
  std::erase_if(matrices, [](const RealMatrix& real) { return !is_wanted(real); });
  for (std::size_t i = GetParam(); i < matrices.size(); i += matrix_parts) {
    check_named_designs(matrices[i].path, i / matrix_parts % 4 == 3 ? Dtype::f64 : Dtype::f32, i);
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RealMatrices, testing::Range(0, matrix_parts));

/// Complex matrices of all kinds of symmetry, with the designs that each meets: of the list below,
/// every third, and in the long run all.
constexpr const char* complex_matrices[] = {
    "young1c",      "dwg961b",       "mhd1280b", "qc324", "case13659pegase_Ybus",
    "helmholtz_2D", "conf5_0-4x4-10"};
constexpr const char* designs_of_complex[] = {
    "csr-vector", "csr5", "sell-c-sigma",
    "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch "
    "threads=64"};

class ComplexMatrices : public testing::TestWithParam<const char*> {};

TEST_P(ComplexMatrices, AreRightOnBothTargets) {
  std::vector<RealMatrix> matrices = real_matrices();
  std::erase_if(matrices, [](const RealMatrix& real) { return real.name != GetParam(); });
  if (matrices.empty()) GTEST_SKIP() << "no file of " << GetParam() << " among real matrices";
  ASSERT_TRUE(matrices.front().is_complex);
  const Matrix matrix = read_matrix_market(matrices.front().path);
  ASSERT_TRUE(matrix.is_complex());
  const std::unique_ptr<Device> gpu = open_emulated_device("h200"), cpu = cpu_device_of(1, 32);
  std::size_t number = matrices.front().name.size();
  for (const std::string design : designs_of_complex) {
    const bool half = design.starts_with("symmetric_half");
    if (half ? find_mirror(matrix) == Mirror::none : !is_long() && ++number % 3 != 0) continue;
    for (const Dtype dtype : {Dtype::c64, Dtype::c128}) {
      if (!is_long() && (dtype == Dtype::c64) != (number % 2 == 0)) continue;
      SCOPED_TRACE(design + ", " + dtype_name(dtype));
      EXPECT_EQ(design_problem(*gpu, matrix, resolve_design(design), dtype, false), "");
      if (half) continue;
      EXPECT_EQ(design_problem(*cpu, matrix, resolve_design(design, Target::cpu), dtype, false),
                "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ComplexMatrices, testing::ValuesIn(complex_matrices));

}  // namespace
}  // namespace alphasparse
