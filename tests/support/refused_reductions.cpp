// refused_reductions: reductions of threads, warps and blocks that do not apply.
#include "tests/support/refused_cases.h"

namespace alphasparse {

std::vector<RefusedCase> refused_reductions() {
  return {
      {"compress | thread_rows rows=1 | thread_pad multiple=4 | interleave run=4 | thread_total",
       "thread_total: a thread's entries lie in runs of 4; use vector=4"},
      {"compress | thread_rows rows=1 | thread_pad multiple=4 | interleave | thread_total vector=4",
       "thread_total: a thread's entries lie apart; use interleave run=4"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=4",
       "thread_total: threads do not begin at multiples of 4; use thread_pad multiple=4"},
      {"compress | thread_rows rows=1 | thread_total vector=4",
       "thread_total: threads do not begin at multiples of 4; use thread_pad multiple=4", even},
      {"compress | thread_cols lanes=4 | thread_total vector=2",
       "thread_total: rows do not begin at multiples of 2; use thread_pad multiple=2"},
      {"compress | thread_cols lanes=2 | thread_total vector=2",
       "thread_total: rows do not begin at multiples of 2; use thread_pad multiple=2", even},
      {"compress | thread_cols lanes=4 | thread_pad multiple=2 | thread_total vector=4",
       "thread_total: rows do not begin at multiples of 4; use thread_pad multiple=4"},
      {"compress | thread_cols lanes=4 | thread_pad multiple=2 | thread_total",
       "thread_total: rows are padded for loads of several entries; use vector=2, or leave "
       "thread_pad out"},
      {"compress | thread_nnz nnz=1 | thread_total vector=2",
       "thread_total: a thread has one non-zero; use vector=1"},
      {"compress | block_rows rows=1 | thread_nnz nnz=6 | thread_total vector=4",
       "thread_total: a thread's 6 non-zeros are no multiple of 4; use thread_nnz nnz=8"},
      {"compress | thread_nnz nnz=4 | thread_total vector=4",
       "thread_total: a thread's non-zeros lie in several rows; use thread_bitmap"},
      {"compress | thread_nnz nnz=8 | interleave run=4 | thread_bitmap",
       "thread_bitmap: a thread's entries lie in runs of 4; use vector=4"},
      {"compress | thread_nnz nnz=8 | interleave run=4 | thread_bitmap vector=2",
       "thread_bitmap: a thread's entries lie in runs of 4; use vector=4"},
      {"compress | thread_nnz nnz=8 | interleave | thread_bitmap vector=4",
       "thread_bitmap: a thread's entries lie apart; use interleave run=4"},
      {"compress | thread_nnz nnz=6 | thread_bitmap vector=4",
       "thread_bitmap: a thread's 6 non-zeros are no multiple of 4; use thread_nnz nnz=8"},
      {"compress | thread_rows rows=2 | thread_total vector=2",
       "thread_total: a thread has several rows; use thread_rows rows=1"},
      {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total sums=2",
       "thread_total: the diagonals of a ragged tile are added one by one; use sums=1"},
      {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total batch=4",
       "thread_total: the diagonals of a ragged tile are added one by one; use batch=1"},
      {"compress | thread_rows rows=1 | thread_total sums=2 batch=4",
       "thread_total: the products of a batch go to one sum; use sums=1"},
      {"compress | thread_nnz nnz=1 | thread_total batch=4",
       "thread_total: a thread has one non-zero; use batch=1"},
      {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total vector=2",
       "thread_total: a thread's entries lie apart; use interleave run=2"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment by=prefix "
       "fast=one_row",
       "warp_segment: by=prefix is as published, without a fast path; use fast=none"},
      {"compress | thread_total",
       "thread_total: no thread level is open; put thread_rows, thread_cols or thread_nnz before "
       "it"},
      {"compress | thread_rows rows=1 | thread_total | thread_total",
       "thread_total: the threads' non-zeros are reduced already"},
      {"compress | thread_nnz nnz=2 | thread_total",
       "thread_total: a thread's non-zeros lie in several rows; use thread_bitmap"},
      {"compress | thread_rows rows=1 | thread_bitmap",
       "thread_bitmap: the threads are not cut by a number of non-zeros; cut them with thread_nnz"},
      {"compress | thread_nnz nnz=33 | thread_bitmap",
       "thread_bitmap: 33 flags do not fit the 32 bits of a word"},
      {"compress | thread_nnz nnz=4 | thread_bitmap | thread_bitmap",
       "thread_bitmap: the threads' non-zeros are reduced already"},
      {"compress | thread_cols lanes=4 | warp_total",
       "warp_total: nothing is reduced yet; put thread_total before it"},
      {"compress | thread_cols lanes=4 | thread_total | warp_total | warp_total",
       "warp_total: each group of lanes has added up its threads' sums already"},
      {"compress | thread_rows rows=1 | thread_total | warp_total",
       "warp_total: each thread has whole rows: nothing is left to add"},
      {"compress | thread_cols width=2 | thread_total | warp_total",
       "warp_total: the lanes of a warp hold different rows; use thread_cols lanes=32"},
      {"compress | thread_cols lanes=4 | thread_total | global_atomic | warp_total",
       "warp_total: the sums have gone to y already; only launch comes after that"},
      {"compress | thread_rows rows=1 | thread_total | warp_segment",
       "warp_segment: each sum is of one row, without a head and a tail; use thread_bitmap or "
       "thread_merge"},
      {"compress | thread_nnz nnz=4 | thread_bitmap | warp_segment",
       "warp_segment: no warp level is cut by non-zeros; put warp_nnz before thread_nnz"},
      {"compress | warp_rows rows=2 | thread_nnz nnz=4 | thread_bitmap | warp_segment",
       "warp_segment: no warp level is cut by non-zeros; put warp_nnz before thread_nnz"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | global_atomic | "
       "warp_segment",
       "warp_segment: the sums have gone to y already; only launch comes after that"},
      {"compress | thread_cols lanes=4 | warp_bitmap",
       "warp_bitmap: nothing is reduced yet; put thread_total before it"},
      {"compress | thread_cols width=2 | thread_total | warp_bitmap",
       "warp_bitmap: no warp level is cut by non-zeros, one a lane; put warp_nnz nnz=32 before "
       "thread_nnz"},
      {"compress | warp_rows rows=1 | thread_cols width=2 | thread_total | warp_bitmap",
       "warp_bitmap: no warp level is cut by non-zeros, one a lane; put warp_nnz nnz=32 before "
       "thread_nnz"},
      {"compress | thread_rows rows=1 | thread_merge",
       "thread_merge: the threads are not cut along a merge path; cut them with thread_merge_path"},
      {"compress | thread_merge_path items=4 | thread_total",
       "thread_total: a thread's non-zeros lie in several rows; use thread_merge"},
      {"compress | thread_merge_path items=4 | thread_bitmap",
       "thread_bitmap: the threads are not cut by a number of non-zeros; cut them with thread_nnz"},
      {"compress | warp_merge_path items=96 | thread_merge_path items=3 | thread_merge | "
       "warp_segment by=prefix",
       "warp_segment: by=prefix needs the flags of threads of equal non-zeros; use by=ballot"},
      {"sort_rows | compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment "
       "by=prefix",
       "warp_segment: by=prefix adds up across rows, and the rows are not in the matrix' own "
       "order; "
       "use by=ballot"},
      {"compress | thread_cols width=2 | thread_total | shared_total",
       "shared_total: the threads of a block hold different rows; use block_rows rows=1"},
      {"compress | warp_rows rows=1 | thread_cols width=2 | thread_total | shared_total",
       "shared_total: a row lies in one warp, not in a block; use warp_total"},
      {"compress | thread_rows rows=1 | thread_total | shared_total",
       "shared_total: each thread has whole rows: nothing is left to add"},
      {"compress | thread_nnz nnz=4 | thread_bitmap | shared_total",
       "shared_total: each thread has the sums of a head and a tail, not of one row; use "
       "warp_segment or shared_offset"},
      {"compress | thread_nnz nnz=1 | thread_total | shared_offset",
       "shared_offset: no block level is open, whose threads share a table; put block_rows or "
       "block_nnz before the threads"},
      {"compress | block_rows rows=2 | thread_rows rows=1 | thread_total | shared_offset",
       "shared_offset: each thread has whole rows: nothing is left to add"},
      {"compress | block_rows rows=1 | thread_cols width=2 | thread_total | warp_total | "
       "shared_offset",
       "shared_offset: each warp has added up its threads' sums already"},
      {"compress | thread_nnz nnz=4 | thread_bitmap | shared_offset",
       "shared_offset: no block level is cut like its threads; put block_nnz or block_merge_path "
       "before them"},
      {"compress | block_nnz nnz=4096 | thread_nnz nnz=2 | thread_bitmap | shared_offset",
       "shared_offset: a block has 2048 threads, at most 1024 work together"},
      {"compress | block_cols width=4 | thread_cols width=2 | thread_total | shared_total | "
       "shared_total",
       "shared_total: each block has added up its threads' sums already"},
      {"compress | thread_cols lanes=4 | thread_total | shared_total",
       "shared_total: a row lies in one group of lanes, not in a block; use warp_total"},
      {"compress | thread_cols lanes=4 | thread_total | shared_offset",
       "shared_offset: lanes that share a row need no table; use warp_total"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave | warp_segment",
       "warp_segment: nothing is reduced yet; put thread_bitmap before it"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_total",
       "warp_total: each thread has the sums of a head and a tail, not of one row; use "
       "warp_segment or shared_offset"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment | "
       "warp_segment",
       "warp_segment: the rows are summed up already; a sink comes after that"},
  };
}

}  // namespace alphasparse
