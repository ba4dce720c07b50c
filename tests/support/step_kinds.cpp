#include "tests/support/step_kinds.h"

namespace alphasparse {

const std::vector<Start>& combination_starts() {
  static const std::string rest =
      "{ compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 }";
  static const std::vector<Start> all = {
      {"rows",
       {"sort_rows | compress | ", "compress | ", "sort_rows_in_bands rows=16 | compress | ",
        "reorder by=rcm | compress | ", "reorder by=columns x=gathered | compress | "},
       "",
       "hard"},
      {"rows", {"compress | "}, "", "equal"},
      {"fill",
       {"sort_rows | diagonal_peel share=0 { ", "diagonal_peel share=0 { ",
        "dense_block_peel rows=3 cols=3 share=0 { "},
       " } " + rest,
       "hard",
       0},
      {"bitmap blocks",
       {"bitmap_block_peel cols=4 share=0 { compress | ",
        "sort_rows | bitmap_block_peel cols=8 share=5 { compress | ",
        "bitmap_block_peel cols=8 share=0 { compress | "},
       " } " + rest,
       "hard",
       0},
      {"one triangle",
       {"symmetric_half | compress | ", "symmetric_half | sort_rows | compress | ",
        "symmetric_half | reorder by=rcm | compress | "},
       "",
       "symmetric"},
      {"rows written before",
       {"sort_rows | ell_peel width=2 { compress | thread_rows rows=1 | thread_total | "
        "global_store | launch threads=64 } { compress | "},
       " }",
       "hard",
       1,
       "global_store"},
  };
  return all;
}

const std::vector<StepKind>& step_kinds() {
  static const std::vector<StepKind> all = {
      {"block_rows rows=1"},
      {"block_rows rows=3", "block_rows rows=40", "block_rows nnz=50",
       "block_rows rows=20 | block_sort_rows"},
      {"block_cols width=70", "block_cols width=33"},
      {"block_nnz nnz=128", "block_nnz nnz=64"},
      {"block_merge_path items=128", "block_merge_path items=64"},
      {"warp_rows rows=1"},
      {"warp_rows rows=3", "warp_rows rows=40", "warp_rows nnz=20"},
      {"warp_cols width=5", "warp_cols width=64"},
      {"warp_nnz nnz=32"},
      {"warp_nnz nnz=64"},
      {"warp_merge_path items=64"},
      {"thread_rows rows=1", "thread_rows nnz=1"},
      {"thread_rows rows=3", "thread_rows nnz=4"},
      {"thread_cols width=3", "thread_cols width=1"},
      {"thread_cols lanes=4", "thread_cols lanes=2"},
      {"thread_cols lanes=32"},
      {"thread_nnz nnz=1"},
      {"thread_nnz nnz=2"},
      {"thread_merge_path items=2"},
      {"thread_pad"},
      {"thread_pad multiple=4", "thread_pad multiple=2"},
      {"thread_pad length=own"},
      {"thread_pad length=own multiple=4", "thread_pad length=own multiple=2"},
      {"block_pad"},
      {"warp_pad"},
      {"interleave"},
      {"interleave run=2"},
      {"interleave run=4"},
      {"interleave by=ragged"},
      {"stage_x"},
      {"stage_x columns=listed"},
      {"thread_total"},
      {"thread_total sums=2", "thread_total sums=4"},
      {"thread_total vector=2", "thread_total vector=2 sums=2"},
      {"thread_total vector=4", "thread_total vector=4 sums=2"},
      {"thread_bitmap"},
      {"thread_merge"},
      {"warp_total"},
      {"warp_bitmap"},
      {"warp_segment"},
      {"warp_segment by=prefix"},
      {"warp_segment fast=one_row"},
      {"shared_total"},
      {"shared_offset"},
      {"global_store"},
      {"global_add"},
      {"global_atomic"},
      {"global_carry"},
      {"launch threads=64", "launch threads=64 grid=3", "launch threads=64 cache=streamed",
       "launch threads=32", "compact | launch threads=64", "launch threads=128 grid=1",
       "compact structure=full values=full | launch threads=64", "launch threads=64 fused=yes",
       "compact columns=full | launch threads=64"},
      {"launch threads=128", "launch threads=128 grid=2", "compact | launch threads=128"},
  };
  return all;
}

}  // namespace alphasparse
