// designs on the emulator: named and free designs, and csr5 with each part swapped for another, on
// the battery, in both types and both lane orders.
// ctest label: emulator
#include "tests/support/battery.h"

#include <gtest/gtest.h>

#include "operators/named_designs.h"
#include "runtime/emulated/device.h"
#include "tests/support/cpu_designs.h"  // names of designs in messages
#include "tests/support/design_check.h"

namespace alphasparse {

namespace {

class NamedDesigns : public testing::TestWithParam<NamedDesign> {};

TEST_P(NamedDesigns, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  std::size_t number = GetParam().line.size();
  for (const NamedMatrix& entry : battery()) {
    for (const Dtype dtype : types_for(number++)) {
      EXPECT_EQ(design_problem(*device, entry.matrix, std::string(GetParam().line), dtype), "")
          << entry.name << " " << dtype_name(dtype);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NamedDesigns, testing::ValuesIn(named_designs(Target::gpu)),
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
    // rows and parts of rows of several tiles, or none; a block has one warp
    "compress | block_rows rows=1 | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_total | warp_total "
    "| "
    "global_atomic | launch threads=32",
    "compress | block_cols width=4096 | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_total | "
    "warp_total | global_atomic | launch threads=32",
    // three levels
    "compress | block_rows rows=50 | warp_rows rows=1 | thread_cols lanes=32 | thread_total | "
    "warp_total | "
    "global_store | launch threads=64",
    "compress | block_rows rows=70 | warp_rows rows=20 | thread_rows rows=1 | thread_pad | "
    "interleave | "
    "thread_total | global_store | launch threads=64",
    // warps by their diagonals: of a few lanes, of all, of more, and padded to one width
    "compress | warp_rows rows=5 | thread_rows rows=1 | warp_diagonals | interleave | thread_total "
    "| global_store | launch threads=64",
    "compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | warp_pad | interleave | "
    "thread_total sums=2 | global_store | compact columns=packed | launch threads=64 grid=3",
    "compress | block_rows rows=90 | warp_rows rows=45 | thread_rows rows=1 | warp_diagonals | "
    "interleave | thread_total | global_atomic | compact columns=narrow | launch threads=64 "
    "cache=streamed",
    "sort_rows | compress | warp_rows nnz=90 | thread_rows rows=1 | warp_diagonals | interleave | "
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
    // CSR5 with several parts replaced at once; one at a time is below
    "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | thread_bitmap | warp_segment | global_atomic "
    "| launch "
    "threads=64",
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
    "compress | block_rows rows=1 | warp_cols width=64 | thread_cols lanes=32 | thread_total | "
    "warp_total | shared_total | global_store | launch threads=64",
    "compress | block_cols width=300 | warp_cols width=96 | thread_cols lanes=32 | thread_total | "
    "warp_total | shared_total | global_atomic | launch threads=64",
    "compress | block_cols width=300 | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_total | "
    "warp_total | global_atomic | launch threads=64",
    "compress | block_cols width=100 | thread_nnz nnz=3 | thread_total | shared_offset | "
    "global_carry | launch threads=32",
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
    // carries of branches: behind a fused launch, and onto rows that another branch has written
    "bin_rows at=3 { compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment "
    "| "
    "global_carry | launch threads=128 fused=yes } { compress | block_rows nnz=64 | thread_nnz "
    "nnz=1 "
    "| thread_total | shared_offset | global_store | launch threads=128 fused=yes }",
    "col_split parts=2 { compress | block_merge_path items=96 | thread_merge_path items=3 | "
    "thread_merge | shared_offset | global_carry | launch threads=32 } { compress | thread_nnz "
    "nnz=4 "
    "| thread_bitmap | global_carry | launch threads=64 }",
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
    // jagged diagonals of bands, in warps and in blocks with more threads than workers
    "sort_rows_in_bands rows=32 | compress | warp_rows rows=32 | thread_rows rows=1 | interleave "
    "by=ragged | thread_total | global_store | launch threads=64",
    "sort_rows_in_bands rows=96 | compress | block_rows rows=48 | thread_rows rows=1 | interleave "
    "by=ragged | thread_total | global_store | launch threads=32 grid=3",
    // rows near those that share their columns
    "reorder by=columns | compress | thread_rows rows=1 | thread_total | global_store | launch "
    "threads=64",
    "reorder by=columns | sort_rows_in_bands rows=64 | compress | warp_nnz nnz=64 | thread_nnz "
    "nnz=2 | interleave | thread_bitmap | warp_segment | global_atomic | launch threads=64",
    // vectors in an order of their own, and rows in a further one
    "permute by=columns | compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
    "threads=64",
    "permute by=columns | sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact | launch threads=64",
    "permute by=columns | reorder by=columns x=gathered | compress | block_rows rows=48 | stage_x "
    "columns=listed | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "launch threads=64",
    "permute by=columns | bin_rows at=3 { compress | thread_rows rows=1 | thread_total | "
    "global_store | launch threads=64 } { compress | thread_cols lanes=4 | thread_total | "
    "warp_total | global_store | launch threads=64 }",
    // rows sorted inside blocks; blocks and warps of one width
    "compress | block_rows rows=64 | block_sort_rows | thread_rows rows=1 | interleave by=ragged | "
    "thread_total | global_store | launch threads=64",
    "compress | block_rows nnz=200 | block_sort_rows | warp_rows rows=32 | thread_rows rows=1 | "
    "thread_pad | warp_pad | interleave | thread_total | global_store | launch threads=64",
    "compress | block_rows rows=48 | thread_rows rows=1 | thread_pad | block_pad | interleave | "
    "thread_total | global_store | launch threads=32",
    "compress | block_rows rows=48 | thread_cols width=4 | thread_pad length=own | block_pad | "
    "thread_total | global_atomic | launch threads=64",
    // rows cut for several warps or blocks
    "compress | warp_cols width=48 | thread_cols lanes=32 | thread_total | warp_total | "
    "global_atomic | launch threads=128",
    "compress | warp_cols width=40 | thread_cols lanes=32 | thread_total | global_atomic | launch "
    "threads=64 grid=2",
    "compress | block_cols width=200 | warp_cols width=50 | thread_cols lanes=32 | thread_total | "
    "warp_total | global_atomic | launch threads=64",
    "sort_rows | compress | block_cols width=100 | thread_cols width=2 | thread_pad | interleave | "
    "thread_total | warp_total | global_atomic | launch threads=64",
    "compress | block_rows rows=1 | warp_cols width=64 | thread_cols lanes=32 | thread_total | "
    "warp_total | global_atomic | launch threads=64",
    "compress | warp_cols width=96 | thread_cols width=3 | thread_total | warp_total | "
    "global_atomic | launch threads=64",
    "compress | block_cols width=64 | thread_nnz nnz=4 | interleave | thread_bitmap | "
    "global_atomic | launch threads=32",
    // packed columns and structure, together and apart
    "compress | thread_cols lanes=4 | thread_total | warp_total | global_store | compact | launch "
    "threads=64",
    "sort_rows_in_bands rows=64 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | "
    "interleave | thread_total | global_store | compact structure=full | launch threads=64",
    "sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | "
    "global_store | compact columns=full | launch threads=64",
    "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave | thread_bitmap | warp_segment | "
    "global_atomic | compact | launch threads=64 cache=streamed",
    "compress | block_rows nnz=96 | stage_x columns=listed | thread_nnz nnz=1 | thread_total | "
    "shared_offset | global_store | compact | launch threads=64",
    "compress | block_merge_path items=192 | thread_merge_path items=3 | thread_merge | "
    "shared_offset | global_carry | compact | launch threads=64",
    "reorder by=columns x=gathered | compress | thread_nnz nnz=1 | thread_total | global_atomic | "
    "compact | launch threads=64",
    // values stored as float, exact ones and rounded ones
    "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | compact values=single | launch threads=64 cache=streamed",
    "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave | thread_bitmap | warp_segment | "
    "global_atomic | compact values=rounded | launch threads=64",
    // x gathered in the order of the rows, alone, with a slice, and with carries
    "reorder by=columns x=gathered | compress | thread_cols lanes=4 | thread_total | warp_total | "
    "global_store | launch threads=64",
    "reorder by=columns x=gathered | compress | block_rows rows=32 | stage_x | thread_rows rows=1 "
    "| thread_pad | interleave | thread_total | global_store | launch threads=64",
    "reorder by=columns x=gathered | compress | block_nnz nnz=256 | thread_nnz nnz=4 | "
    "thread_bitmap | shared_offset | global_carry | launch threads=64",
    // the block's slice of x in shared memory: ranges and lists, straight and in strided loops
    "compress | block_rows rows=48 | stage_x | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_store | launch threads=64",
    "sort_rows | compress | block_rows rows=64 | stage_x columns=listed | thread_cols lanes=4 | "
    "thread_total | warp_total | global_store | launch threads=64 grid=2",
    "compress | block_nnz nnz=256 | stage_x columns=listed | warp_nnz nnz=128 | thread_nnz nnz=4 | "
    "interleave | thread_bitmap | warp_segment | global_atomic | launch threads=64",
    "compress | block_rows nnz=96 | stage_x columns=listed | thread_nnz nnz=1 | thread_total | "
    "shared_offset | global_store | launch threads=64 grid=3",
    "compress | block_rows rows=1 | stage_x | thread_cols width=2 | thread_pad multiple=2 | "
    "thread_total vector=2 | warp_total | shared_total | global_store | launch threads=64 grid=5 "
    "cache=streamed",
    // paths with products that are staged in several batches, and paths too long to be staged
    "compress | block_merge_path items=1280 | thread_merge_path items=20 | thread_merge | "
    "shared_offset | global_carry | launch threads=64",
    "compress | block_merge_path items=12800 | thread_merge_path items=200 | thread_merge | "
    "shared_offset | global_atomic | launch threads=64 grid=2",
    "compress | block_merge_path items=192 | stage_x columns=listed | thread_merge_path items=3 | "
    "thread_merge | shared_offset | global_carry | launch threads=64",
    // several sums, wide loads, streamed loads; entries in order and in runs of a transposed tile
    "compress | thread_cols lanes=4 | thread_total sums=2 | warp_total | global_store | launch "
    "threads=64 cache=streamed",
    "compress | thread_rows rows=1 | thread_total sums=4 | global_store | launch threads=64 "
    "grid=1",
    "compress | thread_rows rows=1 | thread_pad multiple=4 | thread_total vector=4 | global_store "
    "| launch threads=64",
    "compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=2 | thread_total "
    "sums=2 vector=2 | global_store | launch threads=64",
    "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad length=own multiple=4 | "
    "interleave run=4 | thread_total sums=2 vector=4 | global_store | launch threads=64 "
    "cache=streamed",
    "compress | block_rows rows=1 | thread_cols width=6 | thread_pad length=own multiple=4 | "
    "thread_total vector=2 | warp_total | global_atomic | launch threads=64",
    "sort_rows | compress | warp_rows rows=40 | thread_rows rows=1 | thread_pad multiple=4 | "
    "warp_pad | interleave run=4 | thread_total vector=4 | global_store | launch threads=64",
    // wide loads of threads of equal non-zeros: transposed, in order, and of parts of one row
    "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave run=4 | thread_bitmap vector=4 | "
    "warp_segment | global_atomic | launch threads=64",
    "compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave run=2 | thread_bitmap vector=2 | "
    "warp_segment by=prefix | global_carry | launch threads=64 cache=streamed",
    "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | thread_bitmap vector=4 | warp_segment | "
    "global_atomic | launch threads=64 grid=2",
    "compress | block_rows rows=33 | thread_nnz nnz=6 | interleave run=2 | thread_bitmap vector=2 "
    "| global_atomic | launch threads=64",
    "compress | block_nnz nnz=256 | stage_x | thread_nnz nnz=4 | interleave run=4 | thread_bitmap "
    "vector=4 | shared_offset | global_carry | launch threads=64 grid=3",
    "diagonal_peel share=20 { warp_nnz nnz=128 | thread_nnz nnz=4 | interleave run=2 | "
    "thread_bitmap vector=2 | warp_segment | global_atomic | launch threads=64 } { compress | "
    "thread_nnz nnz=4 | thread_bitmap vector=4 | global_atomic | launch threads=64 }",
    "compress | block_rows rows=1 | thread_nnz nnz=8 | thread_total vector=4 | shared_total | "
    "global_store | launch threads=64",
    "compress | block_rows rows=1 | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave run=2 | "
    "thread_total vector=2 batch=4 | warp_total | shared_total | global_store | launch threads=64",
    // wide loads of lanes that share rows or parts of rows; with fill, and with slices of x
    "compress | thread_cols lanes=2 | thread_pad multiple=2 | thread_total vector=2 | warp_total | "
    "global_store | launch threads=64",
    "sort_rows | compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total vector=4 "
    "batch=4 | warp_total | global_store | launch threads=64 grid=2 cache=streamed",
    "compress | thread_cols lanes=32 | thread_pad multiple=4 | thread_total vector=2 sums=2 | "
    "warp_total | global_store | compact columns=full values=full | launch threads=64",
    "compress | warp_cols width=37 | thread_cols lanes=32 | thread_pad multiple=4 | thread_total "
    "vector=4 batch=8 | warp_total | global_atomic | launch threads=64",
    "compress | thread_cols lanes=4 | thread_pad multiple=4 | thread_total vector=4 | "
    "global_atomic | launch threads=64",
    "compress | block_rows rows=48 | stage_x columns=listed | thread_cols lanes=4 | thread_pad "
    "multiple=4 | thread_total vector=4 | warp_total | global_store | launch threads=64",
    "diagonal_peel share=0 { thread_cols lanes=4 | thread_pad multiple=4 | thread_total vector=4 | "
    "warp_total | global_store | launch threads=64 } { compress | thread_nnz nnz=1 | thread_total "
    "| global_atomic | launch threads=64 }",
    // batches of products: of rows, of lanes, of ends of their own, of codes and of steps
    "compress | thread_cols lanes=4 | thread_total batch=4 | warp_total | global_store | launch "
    "threads=64",
    "compress | thread_rows rows=3 | thread_total batch=8 | global_store | compact | launch "
    "threads=64",
    "compress | thread_rows rows=1 | thread_pad length=own | interleave | thread_total batch=4 | "
    "global_store | launch threads=64",
    "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total "
    "batch=8 | global_store | compact columns=deltas | launch threads=64",
    "compress | block_rows rows=1 | thread_cols width=9 | thread_total batch=4 | shared_total | "
    "global_store | launch threads=64",
    "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad multiple=2 | interleave run=2 "
    "| thread_total vector=2 batch=4 | global_store | launch threads=64",
    // CSR5 with a fast path for tiles inside one row
    "compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave | thread_bitmap | warp_segment "
    "fast=one_row | global_atomic | launch threads=64",
    // threads that stop at their own end, transposed in warps, in order, and of parts of rows
    "compress | warp_rows rows=40 | thread_rows rows=1 | thread_pad length=own | interleave | "
    "thread_total | global_store | launch threads=64",
    "compress | thread_rows rows=1 | thread_pad length=own | thread_total | global_store | launch "
    "threads=64",
    "compress | warp_rows rows=1 | thread_cols width=3 | thread_pad length=own | interleave | "
    "thread_total | warp_total | global_store | launch threads=64",
};

class FreeDesigns : public testing::TestWithParam<const char*> {};

TEST_P(FreeDesigns, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  int seen = 0;
  for (const NamedMatrix& entry : battery_for(GetParam())) {
    const Dtype dtype = seen++ % 3 == 2 ? Dtype::f64 : Dtype::f32;
    EXPECT_EQ(design_problem(*device, entry.matrix, GetParam(), dtype), "")
        << entry.name << " " << dtype_name(dtype) << "\n"
        << GetParam();
  }
}

class ReorderedRows : public testing::TestWithParam<const char*> {};

TEST_P(ReorderedRows, AreRightOnSquareMatrices) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::string design =
      std::string(GetParam()) +
      " | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
      "thread_total | global_store | launch threads=64";
  int square = 0;
  for (const NamedMatrix& entry : battery()) {
    const std::string problem = design_problem(*device, entry.matrix, design, Dtype::f64);
    const bool is_square = entry.matrix.rows == entry.matrix.cols;
    square += is_square;
    EXPECT_EQ(problem, is_square ? ""
                                 : "refused: " + design.substr(0, design.find(' ')) +
                                       ": the matrix is not square; by=columns needs no square one")
        << entry.name;
  }
  EXPECT_GT(square, 5);
}

INSTANTIATE_TEST_SUITE_P(All, ReorderedRows,
                         testing::Values("reorder by=rcm", "permute by=rcm",
                                         "permute by=dissection"));

INSTANTIATE_TEST_SUITE_P(All, FreeDesigns, testing::ValuesIn(free_designs));

/// One thing in csr5 that stands for another: `from` in its line becomes `to`.
struct Swap {
  const char* name;
  const char* from;
  const char* to;
  const char* rejection = "";  ///< where the design is illegal then: the operator and the reason
};

void PrintTo(const Swap& swap, std::ostream* out) { *out << swap.name; }

std::string swapped(const Swap& swap) {
  std::string line = resolve_design("csr5");
  const std::size_t at = line.find(swap.from);
  CHECK(at != std::string::npos);
  return line.replace(at, std::string(swap.from).size(), swap.to);
}

const Swap swaps[] = {
    {"segments_by_prefix_sums", "warp_segment", "warp_segment by=prefix"},
    {"segments_without_the_warp", "warp_segment | ", ""},
    {"tiles_in_row_order", "interleave | ", ""},
    {"threads_without_warp_tiles",
     "warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment",
     "thread_nnz nnz=16 | interleave | thread_bitmap"},
    {"rows_of_a_warp_for_warp_tiles",
     "warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment",
     "warp_rows rows=20 | thread_nnz nnz=16 | interleave | thread_bitmap"},
    {"tiles_of_5", "nnz=512 | thread_nnz nnz=16", "nnz=160 | thread_nnz nnz=5"},
    {"tiles_of_32", "nnz=512 | thread_nnz nnz=16", "nnz=1024 | thread_nnz nnz=32"},
    {"rows_sorted", "compress", "sort_rows | compress"},
    {"tiles_in_blocks_of_rows", "warp_nnz", "block_rows rows=33 | warp_nnz"},
    {"a_grid_too_small", "threads=128", "threads=128 grid=1"},
    {"plain_stores", "global_atomic", "global_store", "global_store: the rows at both ends"},
    {"whole_sums", "thread_bitmap", "thread_total", "thread_total: a thread's non-zeros lie in"},
    {"whole_warps", "warp_segment", "warp_total", "warp_total: each thread has the sums of a"},
    {"rows_of_a_thread", "thread_nnz nnz=16", "thread_rows rows=1", "thread_rows: its warp is cut"},
    {"uneven_tiles", "nnz=16", "nnz=15", "thread_nnz: 32 threads of 15 do not make"},
    {"no_compress", "compress | ", "", "warp_nnz: the matrix is not compressed"},
};

class Csr5Swaps : public testing::TestWithParam<Swap> {};

TEST_P(Csr5Swaps, AreRightOnTheBatteryOrRefused) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::string line = swapped(GetParam()), rejection = GetParam().rejection;
  for (const NamedMatrix& entry : rejection.empty() ? battery_for(line) : battery()) {
    if (!rejection.empty() && entry.name != "power_law") continue;  // a small one may allow it
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      const std::string problem = design_problem(*device, entry.matrix, line, dtype);
      if (rejection.empty()) {
        EXPECT_EQ(problem, "") << entry.name << " " << dtype_name(dtype) << "\n" << line;
      } else {
        EXPECT_EQ(problem.rfind("refused: " + rejection, 0), 0u) << problem << "\n" << line;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Csr5Swaps, testing::ValuesIn(swaps),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace alphasparse
