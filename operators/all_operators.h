// all_operators: one declaration an operator; each is defined in the file of its name or of its
// family.
#pragma once
#include "operators/operator.h"

namespace alphasparse {

extern const Operator permute, sort_rows, sort_rows_in_bands, reorder, symmetric_half, compress;
extern const Operator bin_rows, row_split, col_split;
extern const Operator ell_peel, diagonal_peel, dense_block_peel, bitmap_block_peel;
extern const Operator block_rows, warp_rows, thread_rows, warp_bands, thread_bands;
extern const Operator block_cols, warp_cols, thread_cols, block_sort_rows;
extern const Operator block_nnz, warp_nnz, thread_nnz;
extern const Operator block_merge_path, warp_merge_path, thread_merge_path;
extern const Operator block_pad, warp_pad, thread_pad, warp_diagonals, interleave, stage_x;
extern const Operator thread_total, thread_bitmap, thread_merge, warp_total, warp_bitmap,
    warp_segment;
extern const Operator shared_total, shared_offset;
extern const Operator global_store, global_add, global_atomic, global_carry, compact, launch;

}  // namespace alphasparse
