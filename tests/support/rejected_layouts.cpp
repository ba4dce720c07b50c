// rejected_layouts: orders of rows, cuts and layouts that do not apply.
#include "tests/support/rejected_cases.h"

namespace alphasparse {

std::vector<RejectedCase> rejected_layouts() {
  return {
      // converting
      {"compress | compress", "compress: the matrix is compressed already"},
      {"compress | block_rows rows=1 | sort_rows",
       "sort_rows: rows cannot move once a level is cut; put it before the first cut"},
      {"compress | thread_rows rows=1 | sort_rows_in_bands rows=2",
       "sort_rows_in_bands: rows cannot move once a level is cut; put it before the first cut"},
      {"compress | block_rows rows=1 | reorder by=rcm",
       "reorder: rows cannot move once a level is cut"},
      {"reorder by=rcm", "reorder: the matrix is not square; by=columns needs no square one", even},
      {"reorder by=columns x=gathered | reorder by=columns",
       "reorder: x is gathered for another order of the rows already"},
      {"reorder", "reorder: by= is missing"},
      {"permute by=columns | permute by=columns", "permute: the vectors have an own order already"},
      {"compress | permute by=columns",
       "permute: the order of the vectors comes first of all steps"},
      {"permute by=levels",
       "permute: the matrix is no triangle, so it has no levels; by=rcm needs none"},
      {"permute by=levels", "permute: the matrix is not square; by=columns needs no square one",
       even},
      // mapping
      {"block_rows rows=1", "block_rows: the matrix is not compressed yet; put compress before it"},
      {"compress | block_sort_rows",
       "block_sort_rows: no block level is open; put block_rows before it"},
      {"compress | block_rows rows=2 | warp_rows rows=1 | block_sort_rows",
       "block_sort_rows: rows cannot move once a block is cut; put it before that cut"},
      {"compress | block_cols width=2 | block_sort_rows",
       "block_sort_rows: the blocks do not have whole rows; cut them with block_rows"},
      {"compress | thread_cols lanes=6", "thread_cols: lanes must be a power of two"},
      {"thread_cols width=2",
       "thread_cols: the matrix is not compressed yet; put compress before it"},
      {"compress | warp_nnz nnz=48", "warp_nnz: nnz must be a multiple of 32, the warp's lanes"},
      {"compress | block_nnz nnz=48", "block_nnz: nnz must be a multiple of 32, the warp's lanes"},
      {"compress | block_nnz nnz=128 | warp_nnz nnz=96",
       "warp_nnz: a block's 128 non-zeros are no whole number of warps of 96"},
      {"compress | block_nnz nnz=128 | thread_nnz nnz=3",
       "thread_nnz: a block's 128 non-zeros are no whole number of warps of 96"},
      {"compress | block_merge_path items=48",
       "block_merge_path: items must be a multiple of 32, the warp's lanes"},
      {"compress | warp_merge_path items=48",
       "warp_merge_path: items must be a multiple of 32, the warp's lanes"},
      {"compress | warp_merge_path items=96 | thread_merge_path items=4",
       "thread_merge_path: 32 threads of 4 do not make a warp's 96 items; use items=3"},
      {"compress | block_merge_path items=128 | warp_merge_path items=96",
       "warp_merge_path: a block's 128 items are no whole number of warps of 96"},
      {"compress | thread_rows rows=1 | interleave",
       "interleave: threads have from 0 to 3 non-zeros; put thread_pad before it"},
      {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged run=2",
       "interleave: a ragged tile has no runs; use run=1"},
      {"compress | thread_nnz nnz=6 | interleave run=4",
       "interleave: a thread's 6 non-zeros are no multiple of 4; use thread_nnz nnz=8"},
      {"compress | thread_rows rows=1 | thread_pad | interleave run=cols",
       "interleave: entries have a column each, and no runs of columns; use run=1"},
      {"sort_rows | compress | thread_rows rows=1 | interleave",
       "interleave: threads have from 0 to 3 non-zeros; put thread_pad before it, or use "
       "by=ragged"},
      {"compress | thread_rows rows=1 | thread_pad multiple=3",
       "thread_pad: multiple=3 is not one of 1, 2, 4"},
  };
}

}  // namespace alphasparse
