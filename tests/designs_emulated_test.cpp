// designs on the emulator: named and free designs on the battery, in both types and both lane
// orders. ctest label: emulator
#include <gtest/gtest.h>

#include "operators/named_designs.h"
#include "runtime/emulated_device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"

namespace alphasparse {

/// How a test of a named design is called in messages.
void PrintTo(const NamedDesign& design, std::ostream* out) { *out << design.name; }

namespace {

class NamedDesigns : public testing::TestWithParam<NamedDesign> {};

TEST_P(NamedDesigns, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const NamedMatrix& entry : battery()) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      EXPECT_EQ(design_problem(*device, entry.matrix, std::string(GetParam().line), dtype), "")
          << entry.name << " " << dtype_name(dtype);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NamedDesigns, testing::ValuesIn(named_designs()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

/// Combinations that no published format has; each was chosen for a path of the builder.
const char* const free_designs[] = {
    // several rows a thread: a row loop
    "compress | thread_rows rows=3 | thread_total | global_store | launch threads=64",
    "compress | thread_rows nnz=9 | thread_total | global_store | launch threads=64",
    // more children than workers: a strided loop; and balanced blocks
    "compress | block_rows rows=40 | thread_rows rows=1 | thread_total | global_store | launch "
    "threads=32",
    "compress | block_rows nnz=100 | thread_rows rows=1 | thread_total | global_store | launch "
    "threads=32",
    // three levels
    "compress | block_rows rows=50 | warp_rows rows=1 | thread_cols lanes=32 | thread_total | "
    "warp_total | "
    "global_store | launch threads=64",
    "compress | block_rows rows=70 | warp_rows rows=20 | thread_rows rows=1 | thread_pad | "
    "interleave | "
    "thread_total | global_store | launch threads=64",
    // groups of lanes: exact, looping, in a block, and with a grid that is too small
    "compress | thread_cols lanes=8 | thread_total | warp_total | global_store | launch threads=64",
    "compress | warp_rows rows=7 | thread_cols lanes=8 | thread_total | warp_total | global_store "
    "| launch "
    "threads=64",
    "compress | block_rows rows=9 | thread_cols lanes=4 | thread_total | warp_total | global_store "
    "| launch "
    "threads=32",
    "compress | thread_cols lanes=4 | thread_total | warp_total | global_store | launch threads=64 "
    "grid=3",
    "compress | thread_cols lanes=4 | thread_total | global_atomic | launch threads=64",
    // runs of a row: added atomically, or by the warp or block that owns the row
    "compress | thread_cols width=5 | thread_total | global_atomic | launch threads=64",
    "compress | thread_cols width=5 | thread_pad | interleave | thread_total | global_atomic | "
    "launch threads=64",
    "compress | warp_rows rows=1 | thread_cols width=3 | thread_total | warp_total | global_store "
    "| launch "
    "threads=64",
    "compress | block_rows rows=1 | thread_cols width=2 | thread_total | warp_total | "
    "global_atomic | launch "
    "threads=64",
    // one non-zero a thread
    "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64",
    // tiles of one thread, in order and transposed, under blocks of rows, and with a grid too small
    "compress | thread_nnz nnz=4 | thread_bitmap | global_atomic | launch threads=64",
    "compress | thread_nnz nnz=4 | interleave | thread_bitmap | global_atomic | launch threads=64 "
    "grid=2",
    "compress | block_rows rows=33 | thread_nnz nnz=3 | interleave | thread_bitmap | global_atomic "
    "| launch "
    "threads=32",
    // CSR5's parts, each replaced once
    "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | thread_bitmap | warp_segment | global_atomic "
    "| launch "
    "threads=64",
    "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | global_atomic "
    "| launch "
    "threads=128",
    "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment "
    "by=prefix | "
    "global_atomic | launch threads=128",
    "compress | warp_nnz nnz=1024 | thread_nnz nnz=32 | interleave | thread_bitmap | warp_segment "
    "by=prefix | "
    "global_atomic | launch threads=128 grid=1",
    "sort_rows | compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave | thread_bitmap | "
    "warp_segment | "
    "global_atomic | launch threads=64",
    "compress | block_rows rows=33 | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave | "
    "thread_bitmap | "
    "warp_segment | global_atomic | launch threads=64",
    // a block a row: runs, single non-zeros, rows that are cut twice, and strided blocks
    "compress | block_rows rows=1 | thread_cols width=1 | thread_total | warp_total | shared_total "
    "| global_store | launch threads=256",
    "compress | block_rows rows=1 | thread_cols width=3 | thread_total | shared_total | "
    "global_store | launch threads=64 grid=5",
    "compress | block_rows rows=1 | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave | thread_total "
    "| warp_total | shared_total | global_store | launch threads=64",
    "compress | block_rows rows=1 | warp_nnz nnz=96 | thread_nnz nnz=3 | thread_total | "
    "shared_total | global_store | launch threads=96 grid=7",
    "compress | block_rows rows=1 | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_total | warp_total "
    "| global_atomic | launch threads=64",
    // slices of a table: runs, rows shared between blocks, a level between, rows that are too long
    "sort_rows | compress | block_rows rows=20 | thread_cols width=3 | thread_total | "
    "shared_offset "
    "| global_store | launch threads=64",
    "compress | block_rows nnz=100 | thread_nnz nnz=1 | interleave | thread_total | shared_offset "
    "| "
    "global_store | launch threads=64 grid=3",
    "sort_rows | compress | block_nnz nnz=320 | thread_nnz nnz=1 | thread_total | shared_offset | "
    "global_atomic | launch threads=64 grid=2",
    "compress | block_rows nnz=1024 | warp_rows nnz=64 | thread_cols width=1 | thread_total | "
    "shared_offset | global_store | launch threads=128",
    "compress | block_nnz nnz=256 | warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | "
    "shared_offset | global_atomic | launch threads=64",
    "compress | block_rows rows=1 | thread_nnz nnz=5 | thread_total | shared_offset | global_store "
    "| launch threads=64",
    // one non-zero a lane
    "compress | warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | warp_bitmap | global_atomic | "
    "launch threads=64",
    "sort_rows | compress | block_rows rows=40 | warp_nnz nnz=32 | thread_nnz nnz=1 | interleave | "
    "thread_total | warp_bitmap | global_carry | launch threads=64 grid=2",
    // parts of rows that a second launch adds: of warps, threads and blocks
    "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment | "
    "global_carry | launch threads=128",
    "compress | thread_nnz nnz=4 | thread_bitmap | global_carry | launch threads=64",
    "compress | block_rows rows=40 | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | "
    "warp_segment by=prefix | global_carry | launch threads=64",
    "sort_rows | compress | block_nnz nnz=320 | thread_nnz nnz=1 | thread_total | shared_offset | "
    "global_carry | launch threads=64 grid=2",
    "compress | block_nnz nnz=256 | thread_nnz nnz=4 | interleave | thread_bitmap | shared_offset "
    "| "
    "global_carry | launch threads=64 grid=3",
    // merge paths of threads, warps, and blocks of warps
    "compress | thread_merge_path items=5 | thread_merge | global_carry | launch threads=64",
    "sort_rows | compress | warp_merge_path items=96 | thread_merge_path items=3 | thread_merge | "
    "warp_segment | global_atomic | launch threads=64 grid=2",
    "compress | block_merge_path items=320 | warp_merge_path items=160 | thread_merge_path items=5 "
    "| thread_merge | warp_segment | global_carry | launch threads=32 grid=1",
    "compress | thread_rows rows=1 | thread_total | global_add | launch threads=64",
    // three levels of non-zeros
    "compress | block_nnz nnz=512 | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave | "
    "thread_bitmap | warp_segment | global_atomic | launch threads=64",
    "compress | block_nnz nnz=256 | thread_nnz nnz=2 | interleave | thread_bitmap | global_atomic "
    "| launch threads=64",
    // layouts
    "sort_rows | compress | thread_rows rows=1 | thread_pad | thread_total | global_store | launch "
    "threads=64",
    "sort_rows_in_bands rows=64 | compress | block_rows rows=48 | thread_rows rows=1 | thread_pad "
    "| interleave | "
    "thread_total | global_store | launch threads=32 grid=2",
};

class FreeDesigns : public testing::TestWithParam<const char*> {};

TEST_P(FreeDesigns, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  int seen = 0;
  for (const NamedMatrix& entry : battery()) {
    const Dtype dtype = seen++ % 4 == 3 ? Dtype::f64 : Dtype::f32;
    EXPECT_EQ(design_problem(*device, entry.matrix, GetParam(), dtype), "")
        << entry.name << " " << dtype_name(dtype) << "\n"
        << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(All, FreeDesigns, testing::ValuesIn(free_designs));

}  // namespace
}  // namespace alphasparse
