// rejected_reductions: reductions of threads, warps and blocks that do not apply.
#include "tests/support/rejected_cases.h"

namespace alphasparse {

std::vector<RejectedCase> rejected_reductions() {
  return {
      {"compress | thread_cols lanes=4 | thread_pad multiple=2 | thread_total",
       "thread_total: rows are padded for loads of several entries; use vector=2, or leave "
       "thread_pad out"},
      {"compress | block_rows rows=1 | thread_nnz nnz=6 | thread_total vector=4",
       "thread_total: a thread's 6 non-zeros are no multiple of 4; use thread_nnz nnz=8"},
      {"compress | thread_nnz nnz=6 | thread_bitmap vector=4",
       "thread_bitmap: a thread's 6 non-zeros are no multiple of 4; use thread_nnz nnz=8"},
      {"compress | thread_rows rows=1 | thread_total sums=2 batch=4",
       "thread_total: the products of a batch go to one sum; use sums=1"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment by=prefix "
       "fast=one_row",
       "warp_segment: by=prefix is as published, without a fast path; use fast=none"},
      {"compress | thread_nnz nnz=33 | thread_bitmap",
       "thread_bitmap: 33 flags do not fit the 32 bits of a word"},
      {"compress | block_nnz nnz=4096 | thread_nnz nnz=2 | thread_bitmap | shared_offset",
       "shared_offset: a block has 2048 threads, at most 1024 work together"},
  };
}

}  // namespace alphasparse
