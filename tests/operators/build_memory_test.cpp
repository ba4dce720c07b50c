// build_memory: the peak memory of building a design, beside the matrix and the kernel.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/baseline_kernels.h"

namespace {

std::atomic<std::int64_t> held = 0, most = 0;

void count(std::int64_t bytes) {
  const std::int64_t now = held += bytes;
  for (std::int64_t known = most; now > known && !most.compare_exchange_weak(known, now);) {
  }
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(std::max<std::size_t>(1, bytes));
  if (memory == nullptr) throw std::bad_alloc();
  count(static_cast<std::int64_t>(malloc_usable_size(memory)));
  return memory;
}

void operator delete(void* memory) noexcept {
  count(-static_cast<std::int64_t>(malloc_usable_size(memory)));
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace alphasparse {
namespace {

/// Rows of 30 to 59 entries, in runs of three by bands of three rows.
Matrix matrix_of_blocks() {
  Matrix matrix;
  matrix.rows = matrix.cols = 9'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::int32_t blocks = 10 + row / 3 * 7 % 10;
    for (std::int32_t k = 0; k < 3 * blocks; ++k)
      matrix.col.push_back(row / 3 % 100 * 3 + k / 3 * 300 + k % 3);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  for (std::int64_t nz = 0; nz < matrix.nnz(); ++nz)
    matrix.value.push_back(1.0 + static_cast<double>(nz) / 3);
  return matrix;
}

/// Bytes an entry, beside the memory that was held before.
double highest_of_build(Designer& designer, const std::string& design, std::int64_t nnz,
                        Dtype dtype = Dtype::f32) {
  const std::int64_t before = held;
  most = before;
  const Result<Designer::Built> built = designer.build_whole(*CanonicalDesign::read(design), dtype);
  EXPECT_TRUE(built.ok()) << built.reason();
  return static_cast<double>(most - before) / static_cast<double>(nnz);
}

// A column and the source of a value take 8 bytes a stored entry, and stay. While columns become an
// array, they take 4 bytes more. Values are not made yet. The sorting of rows has columns and
// sources of its own, 8 bytes more, and so has each part that rows are split into.
TEST(BuildMemory, IsLittleMoreThanTheKernelAndItsStore) {
  const Matrix matrix = matrix_of_blocks();
  ASSERT_EQ(check_canonical(matrix), "");
  struct {
    const char* name;
    double bytes_most;  ///< a non-zero
  } const lines[] = {{"csr-scalar", 12.5},
                     {"csr-vector", 12.5},
                     {"ell", 12 * 59 / 44.0},
                     {"sell-c-sigma", 21.2},
                     {"bsell", 26.2}};
  for (const Target target : {Target::gpu, Target::cpu}) {
    Designer designer(matrix);
    for (const auto& [name, bytes_most] : lines) {
      const auto known = std::find_if(named_designs().begin(), named_designs().end(),
                                      [&, &name = name](const auto& d) { return d.name == name; });
      ASSERT_NE(known, named_designs().end()) << name;
      const std::string line(known->target_line(target));
      if (line.empty()) continue;
      for (const Dtype dtype : {Dtype::f32, Dtype::f64})
        EXPECT_LE(highest_of_build(designer, line, matrix.nnz(), dtype), bytes_most) << name;
    }
  }
}

// The canonical order of the values is no array, and steps take the places of columns: with those
// and sources, the codings that are compared take the rest. Places in slices of x are laid out in
// the place of columns; slices of all columns take 4 bytes more.
TEST(BuildMemory, HasNothingTwice) {
  const Matrix matrix = matrix_of_blocks();
  const std::int64_t before = held;
  Designer designer(matrix);
  EXPECT_LE(held - before, matrix.nnz() / 2);
  const std::string rows = " | thread_rows rows=1 | ";
  EXPECT_LE(highest_of_build(designer,
                             "compress" + rows +
                                 "thread_total | global_store | compact columns=deltas | launch "
                                 "threads=128",
                             matrix.nnz()),
            19);
  EXPECT_LE(highest_of_build(designer,
                             "compress | block_rows rows=64 | stage_x columns=listed" + rows +
                                 "thread_total | global_store | launch threads=64",
                             matrix.nnz()),
            17);
}

// Codings work in the memory of the columns, or give it up with their result; a hash remembers the
// columns. Columns of 32 bits take 12 bytes with sources and their bytes, and coded ones less. Only
// runs take as much, for the parts of that coding are coded again.
TEST(BuildMemory, OfCodedColumnsIsHardlyMoreThanOfOthers) {
  const Matrix matrix = matrix_of_blocks();
  Designer designer(matrix);
  struct {
    const char* coding;
    double bytes_most;  ///< a non-zero
  } const lines[] = {{"narrow", 10.8}, {"packed", 10.3}, {"bytes", 11}, {"runs", 12.5}};
  for (const auto& [coding, bytes_most] : lines) {
    const std::string line = std::string(
                                 "compress | thread_rows rows=1 | thread_total | "
                                 "global_store | compact values=full columns=") +
                             coding + " | launch threads=128";
    EXPECT_LE(highest_of_build(designer, line, matrix.nnz()), bytes_most) << coding;
  }
  EXPECT_LE(highest_of_build(designer,
                             "compress | block_rows rows=64 | stage_x columns=listed | "
                             "thread_rows rows=1 | thread_total | global_store | compact "
                             "values=full columns=narrow | launch threads=64",
                             matrix.nnz()),
            16.5);
}

// Parts of rows have columns and sources of their own, 8 bytes; places in slices take the memory of
// these columns.
TEST(BuildMemory, OfStagedPartsHasTheirColumnsOnce) {
  const Matrix matrix = matrix_of_blocks();
  Designer designer(matrix);
  const std::string part =
      "{ compress | block_rows rows=64 | stage_x columns=listed | thread_rows rows=1 | "
      "thread_total | global_store | launch threads=64 } ";
  EXPECT_LE(highest_of_build(designer, "bin_rows at=45 " + part + part, matrix.nnz()), 23.4);
}

/// Rows of one to three entries.
Matrix matrix_of_short_rows() {
  Matrix matrix;
  matrix.rows = matrix.cols = 200'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t k = 0; k <= row * 7 % 3; ++k)
      matrix.col.push_back(60'000 * k + row * 13 % 50'000);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  for (std::int64_t nz = 0; nz < matrix.nnz(); ++nz)
    matrix.value.push_back(1.0 + static_cast<double>(nz) / 3);
  return matrix;
}

// Rows of parts have first entries and the caller's rows, about 2 bytes an entry each, and units of
// threads 8 bytes. Flags, and the rows of tiles, take 4 bytes a thread each. The rows that writers
// reach are in no array, or go once the sinks are chosen. The arrays of segments go as soon as the
// format has them.
TEST(BuildMemory, OfShortRowsHasTheArraysOfSegmentsOnce) {
  const Matrix matrix = matrix_of_short_rows();
  ASSERT_EQ(check_canonical(matrix), "");
  Designer designer(matrix);
  const std::string adds = " | global_atomic | launch threads=128";
  const std::string single = "compress | thread_nnz nnz=1 | thread_total" + adds;
  const std::string rows =
      "compress | thread_rows rows=1 | thread_total | global_store | launch "
      "threads=128";
  const std::pair<std::string, double> lines[] = {
      {"compress | thread_nnz nnz=1 | thread_bitmap" + adds, 36},
      {"compress | thread_nnz nnz=2 | thread_bitmap" + adds, 26},
      {"compress | warp_nnz nnz=512 | thread_nnz nnz=16 | thread_bitmap | warp_segment" + adds, 14},
      {single, 23},
      {"compress | thread_merge_path items=4 | thread_merge" + adds, 24},
      {"ell_peel width=1 { " + rows + " } { " + single + " }", 40},
      {"bin_rows at=2 { " + rows + " } { " + rows + " }", 31}};
  for (const auto& [line, bytes_most] : lines)
    EXPECT_LE(highest_of_build(designer, line, matrix.nnz()), bytes_most) << line;
}

// Each block of a scattered matrix has one entry. The list of blocks is made, not that of places.
TEST(BuildMemory, IsNotTakenForABlockedPartBeyondTheLimit) {
  Matrix matrix;
  matrix.rows = matrix.cols = 30'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t k = 0; k < 10; ++k)
      matrix.col.push_back(3000 * k + row % 3 * 900 + row % 700);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  ASSERT_EQ(check_canonical(matrix), "");
  Designer designer(matrix);
  const std::string line = resolve_design("bsell", Target::gpu);
  const std::int64_t before = held;
  most = before;
  const Result<Kernel> refused =
      designer.build(line, Dtype::f32, {.csr_bytes_ratio_max = 2, .bytes_free = 0});
  EXPECT_EQ(refused.failure().status, Status::pruned);
  EXPECT_NE(refused.reason().find("its regular part has"), std::string::npos) << refused.reason();
  EXPECT_LE(static_cast<double>(most - before) / static_cast<double>(matrix.nnz()), 13);
  EXPECT_TRUE(designer.build(line, Dtype::f32, {.csr_bytes_ratio_max = 16}).ok())
      << "another limit counts anew";
}

TEST(BuildMemory, OfAPeerIsItsKernelAlone) {
  const Matrix matrix = matrix_of_blocks();
  const std::int64_t before = held;
  most = before;
  const Result<Kernel> kernel = baseline_kernel(*find_baseline("openmp-csr"), matrix, Dtype::f32);
  ASSERT_TRUE(kernel.ok());
  EXPECT_LE(most - before, 13 * matrix.nnz());
}

TEST(BuildMemory, AnotherTargetHasTheSameStore) {
  const Matrix matrix = matrix_of_blocks();
  Designer designer(matrix);
  const std::int64_t before = held;
  most = before;
  ASSERT_TRUE(designer.branches(*parse_design(resolve_design("csr-scalar", Target::cpu))).ok());
  EXPECT_LE(most - before, 4 * matrix.nnz());
}

}  // namespace
}  // namespace alphasparse
