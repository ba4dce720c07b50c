// branches on the emulator: designs that send parts of the matrix through operators of their own,
// on the battery, in both types and both lane orders. ctest label: emulator
#include <gtest/gtest.h>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

#define SCALAR "{ compress | thread_rows rows=1 | thread_total | global_store | launch threads=64 }"
#define ADD "{ compress | thread_rows rows=1 | thread_total | global_add | launch threads=64 }"
#define COO "{ compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 }"
#define FUSED_VECTOR                                                                      \
  "{ compress | thread_cols lanes=8 | thread_total | warp_total | global_store | launch " \
  "threads=64 "                                                                           \
  "fused=yes }"
#define FUSED_SCALAR \
  "{ compress | thread_rows rows=1 | thread_total | global_store | launch threads=64 fused=yes }"
#define FUSED_COO \
  "{ compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 fused=yes }"
#define ELL                                                                                    \
  "{ compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | " \
  "launch threads=64 }"
#define CSR5                                                                                      \
  "{ compress | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave | thread_bitmap | warp_segment " \
  "| "                                                                                            \
  "global_atomic | launch threads=64 }"

#define SUMS " | thread_total | global_store | launch threads=64 } "
#define WIDE(vector) " | thread_total vector=" #vector " | global_store | launch threads=64 } "

const char* const designs[] = {
    // whole rows: every row has one writer
    "bin_rows at=3,9 " SCALAR " " ELL " " CSR5,
    "bin_rows at=3,9 " FUSED_SCALAR " " FUSED_VECTOR " " FUSED_SCALAR,
    "row_split parts=3 " SCALAR " " COO " " ELL,
    "row_split parts=2 by=rows " CSR5 " " SCALAR,
    "row_split parts=3 by=length " SCALAR " " FUSED_VECTOR " " FUSED_SCALAR,
    "sort_rows | row_split parts=2 by=length " ELL " " SCALAR,
    // parts of rows: ordered launches add plainly, fused ones atomically
    "col_split parts=3 " SCALAR " " ADD " " COO,
    "col_split parts=2 by=cols " COO " " COO,
    "col_split parts=2 " CSR5 " " ADD,
    "col_split parts=2 " FUSED_COO " " FUSED_COO,
    "ell_peel width=3 " ELL " " COO,
    "ell_peel width=third " ELL " " CSR5,
    "ell_peel width=2 " COO " " ADD,
    // fill
    "diagonal_peel share=50 { thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | launch threads=64 } " COO,
    "diagonal_peel share=20 { warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment | "
    "global_atomic | launch threads=64 } " COO,
    "diagonal_peel share=30 " SCALAR " " ADD,
    "dense_block_peel rows=2 cols=2 share=60 { thread_cols lanes=4 | thread_total | warp_total | "
    "global_store | launch threads=64 } " COO,
    "dense_block_peel rows=3 cols=5 share=100 " ELL " " COO,
    // bands of dense blocks: interleaved or not, with gaps or none, whole warps and strided loops
    "dense_block_peel rows=3 cols=3 share=0 { thread_bands" SUMS COO,
    "dense_block_peel rows=2 cols=2 share=0 { sort_rows | warp_bands bands=32 | thread_bands | "
    "thread_pad | interleave" SUMS COO,
    "dense_block_peel rows=4 cols=4 share=30 { warp_bands bands=5 | thread_bands | thread_pad | "
    "warp_pad | interleave" SUMS COO,
    "dense_block_peel rows=3 cols=2 share=100 { thread_bands | thread_pad | interleave" SUMS COO,
    "dense_block_peel rows=1 cols=4 share=0 { block_rows rows=70 | thread_bands | thread_pad | "
    "interleave" SUMS COO,
    "dense_block_peel rows=8 cols=4 share=10 { warp_bands bands=40 | thread_bands | thread_pad | "
    "interleave | thread_total | global_store | compact | launch threads=32 } " ADD,
    "sort_rows | dense_block_peel rows=2 cols=3 share=0 { sort_rows_in_bands rows=16 | block_rows "
    "rows=40 | thread_bands | thread_pad | thread_total | global_atomic | launch threads=64 grid=1 "
    "cache=streamed } " COO,
    "dense_block_peel rows=2 cols=2 share=60 { warp_bands bands=8 | thread_bands | thread_pad | "
    "interleave | thread_total | global_atomic | launch threads=64 fused=yes } " FUSED_COO,
    "reorder by=columns x=gathered | dense_block_peel rows=2 cols=2 share=0 { thread_bands" SUMS
        COO,
    // several values of a block at once: of a row and of several, in runs and block by block
    "dense_block_peel rows=2 cols=2 share=0 { sort_rows | warp_bands bands=32 | thread_bands | "
    "thread_pad | interleave run=2" WIDE(2) COO,
    "dense_block_peel rows=2 cols=2 share=0 from=entry { sort_rows_in_bands rows=64 | warp_bands "
    "bands=5 | thread_bands | thread_pad | warp_pad | interleave run=4" WIDE(4) COO,
    "dense_block_peel rows=4 cols=4 share=30 { warp_bands bands=5 | thread_bands | thread_pad | "
    "interleave run=cols" WIDE(4) COO,
    "dense_block_peel rows=1 cols=4 share=0 from=entry { block_rows rows=70 | thread_bands | "
    "thread_pad | interleave run=4" WIDE(4) COO,
    "dense_block_peel rows=3 cols=2 share=0 { thread_bands | thread_pad | interleave run=2" WIDE(2)
        COO,
    "dense_block_peel rows=2 cols=4 share=100 { warp_bands bands=40 | thread_bands | thread_pad | "
    "interleave run=2 | thread_total vector=2 | global_atomic | compact values=full | launch "
    "threads=64 fused=yes } " FUSED_COO,
    "dense_block_peel rows=4 cols=2 share=0 { thread_bands | thread_total vector=4 | global_store "
    "| launch threads=64 grid=1 cache=streamed } " COO,
    // one gathered x for all branches
    "reorder by=columns x=gathered | bin_rows at=3,9 " FUSED_SCALAR " " FUSED_VECTOR " " CSR5,
    "reorder by=columns x=gathered | ell_peel width=2 " ELL " " COO,
    // bitmap blocks: a row a thread, and lanes that share a row's columns
    "bitmap_block_peel cols=4 share=0 " SCALAR " " COO,
    "bitmap_block_peel cols=8 share=10 " SCALAR " " COO,
    "bitmap_block_peel cols=8 share=5 { compress | warp_rows rows=8 | thread_cols lanes=4 | "
    "thread_total | warp_total | global_store | launch threads=64 } " COO,
    "sort_rows | bitmap_block_peel cols=4 share=8 { compress | thread_cols lanes=4 | thread_total "
    "| warp_total | global_store | launch threads=64 grid=2 cache=streamed } " ADD,
    "bitmap_block_peel cols=8 share=12 { compress | block_rows rows=20 | thread_rows rows=1 | "
    "thread_total | global_atomic | launch threads=64 fused=yes } " FUSED_COO,
    // packed arrays of one branch, of bitmap blocks, and of both
    "bin_rows at=4 { compress | thread_cols lanes=4 | thread_total | warp_total | global_store | "
    "compact | launch threads=64 } " SCALAR,
    "bitmap_block_peel cols=4 share=10 { compress | thread_rows rows=1 | thread_total | "
    "global_store | compact | launch threads=64 } { compress | thread_nnz nnz=1 | thread_total | "
    "global_atomic | compact | launch threads=64 }",
    // branches inside branches
    "bin_rows at=4 { ell_peel width=1 " ELL " " COO " } { col_split parts=2 " SCALAR " " ADD " }",
    "row_split parts=2 { diagonal_peel share=40 " SCALAR " " COO " } { bin_rows at=2 " FUSED_SCALAR
    " " FUSED_VECTOR " }",
};

class Branches : public testing::TestWithParam<const char*> {};

TEST_P(Branches, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  std::size_t number = 0;
  for (const NamedMatrix& entry : battery_for(GetParam())) {
    for (const Dtype dtype : types_for(number++)) {
      EXPECT_EQ(design_problem(*device, entry.matrix, GetParam(), dtype), "")
          << entry.name << " " << dtype_name(dtype) << ": " << GetParam();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Branches, testing::ValuesIn(designs));

}  // namespace
}  // namespace alphasparse
