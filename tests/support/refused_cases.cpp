#include "tests/support/refused_cases.h"

#include "tests/support/battery.h"

namespace alphasparse {

const std::vector<RefusedCase>& refused_cases() {
  /// a b, but c a: only its pattern is symmetric.
  static const Matrix other_values = from_rows(2, {{{0, 1.}, {1, 2.}}, {{0, 3.}, {1, 1.}}});

  static const std::vector<RefusedCase> cases = {
      // the catalogue
      {"compres",
       "compres: no such operator (did you mean compress?); 'alphasparse operators' lists them, "
       "and "
       "'alphasparse designs' the "
       "names of whole lines"},
      {"compress { compress } { compress }", "compress: it takes no branches"},
      {"compress rows=1", "compress: no parameter 'rows'; it has blocks, share"},
      {"compress | thread_rows row=1", "thread_rows: no parameter 'row'; it has rows, nnz"},
      {"compress | thread_rows rows=0",
       "thread_rows: rows=0 is not an integer from 1 to 2147483647"},
      {"compress | thread_rows rows=2147483648",
       "thread_rows: rows=2147483648 is not an integer from 1 to 2147483647"},
      {"compress | thread_rows rows=99999999999999999999",
       "thread_rows: rows=99999999999999999999 is not an integer from 1 to 2147483647"},
      {"compress | thread_rows rows=-1",
       "thread_rows: rows=-1 is not an integer from 1 to 2147483647"},
      {"compress | thread_rows rows=4x",
       "thread_rows: rows=4x is not an integer from 1 to 2147483647"},
      {"compress | thread_rows rows=1,2",
       "thread_rows: rows=1,2 is not an integer from 1 to 2147483647"},
      {"compress | warp_segment by=scan", "warp_segment: by=scan is not one of ballot, prefix"},
      {"launch threads=64 grid=all",
       "launch: grid=all is not an integer from 1 to 16777216, or exact"},
      {"sort_rows_in_bands", "sort_rows_in_bands: rows= is missing"},
      {"compress | thread_nnz", "thread_nnz: nnz= is missing"},
      {"launch", "launch: give exactly one of threads, tasks"},
      {"compress | thread_rows", "thread_rows: give exactly one of rows, nnz"},
      {"compress | thread_rows rows=1 nnz=8", "thread_rows: give exactly one of rows, nnz"},
      {"compress | thread_cols width=2 lanes=2", "thread_cols: give exactly one of width, lanes"},
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
      // mapping
      {"block_rows rows=1", "block_rows: the matrix is not compressed yet; put compress before it"},
      {"compress | warp_rows rows=1 | block_rows rows=1",
       "block_rows: a block level cannot open inside the warp level; blocks come before warps, "
       "warps "
       "before threads"},
      {"compress | warp_rows rows=2 | warp_rows rows=1", "warp_rows: a warp level is open already"},
      {"compress | thread_cols lanes=2 | thread_rows rows=1",
       "thread_rows: a thread level is open already"},
      {"compress | thread_bands",
       "thread_bands: the rows lie in no bands of dense blocks; use thread_rows"},
      {"compress | warp_bands bands=8",
       "warp_bands: the rows lie in no bands of dense blocks; use warp_rows"},
      {"compress | thread_rows rows=1 | thread_total | thread_rows rows=1",
       "thread_rows: the reduction has begun already; levels and layouts come before it"},
      {"compress | warp_nnz nnz=32 | thread_rows rows=1",
       "thread_rows: its warp is cut by non-zeros, so only non-zeros can be cut inside it; use "
       "thread_nnz"},
      {"compress | warp_nnz nnz=32 | thread_cols width=2",
       "thread_cols: its warp is cut by non-zeros, so only non-zeros can be cut inside it; use "
       "thread_nnz"},
      {"compress | block_cols width=2 | warp_rows rows=1",
       "warp_rows: its block is a part of one row, so no whole rows can be cut inside it; use "
       "warp_cols"},
      {"compress | warp_rows rows=1 | block_cols width=2",
       "block_cols: a block level cannot open inside the warp level; blocks come before warps, "
       "warps "
       "before threads"},
      {"compress | warp_nnz nnz=32 | warp_cols width=2", "warp_cols: a warp level is open already"},
      {"compress | block_cols width=2 | thread_cols lanes=32",
       "thread_cols: lanes are a warp's, but a block has this part of a row; put warp_cols before "
       "it"},
      {"compress | warp_cols width=2 | thread_cols lanes=16",
       "thread_cols: all lanes of a warp share its part of a row; use lanes=32"},
      {"compress | block_sort_rows",
       "block_sort_rows: no block level is open; put block_rows before it"},
      {"compress | block_rows rows=2 | warp_rows rows=1 | block_sort_rows",
       "block_sort_rows: rows cannot move once a block is cut; put it before that cut"},
      {"compress | block_cols width=2 | block_sort_rows",
       "block_sort_rows: the blocks do not have whole rows; cut them with block_rows"},
      {"compress | thread_rows rows=1 | thread_pad | block_pad",
       "block_pad: no block level is open, and padded threads without blocks have one length"},
      {"compress | block_rows rows=2 | thread_rows rows=1 | warp_pad",
       "warp_pad: no warp level is open, and padded threads without warps have one length"},
      {"compress | block_rows rows=2 | warp_rows rows=2 | thread_rows rows=1 | thread_pad | "
       "block_pad",
       "block_pad: the threads lie in warps; use warp_pad"},
      {"compress | block_rows rows=2 | block_pad",
       "block_pad: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
      {"compress | warp_rows rows=2 | thread_rows rows=1 | warp_pad",
       "warp_pad: the threads are not padded; put thread_pad before it"},
      {"compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | interleave | warp_pad",
       "warp_pad: the threads are interleaved already; put it before interleave"},
      {"compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | warp_pad | warp_pad",
       "warp_pad: the warps are padded already"},
      {"compress | thread_rows rows=1 | warp_diagonals",
       "warp_diagonals: the threads lie in no warps, whose diagonals they could have; put "
       "warp_rows "
       "before thread_rows"},
      {"compress | thread_cols lanes=6", "thread_cols: lanes must be a power of two"},
      {"thread_cols width=2",
       "thread_cols: the matrix is not compressed yet; put compress before it"},
      {"compress | warp_nnz nnz=48", "warp_nnz: nnz must be a multiple of 32, the warp's lanes"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=1",
       "thread_nnz: 32 threads of 1 do not make a warp's 64 non-zeros; use nnz=2"},
      {"compress | block_nnz nnz=48", "block_nnz: nnz must be a multiple of 32, the warp's lanes"},
      {"compress | block_nnz nnz=128 | warp_nnz nnz=96",
       "warp_nnz: a block's 128 non-zeros are no whole number of warps of 96"},
      {"compress | block_nnz nnz=128 | thread_nnz nnz=3",
       "thread_nnz: a block's 128 non-zeros are no whole number of warps of 96"},
      {"compress | block_merge_path items=48",
       "block_merge_path: items must be a multiple of 32, the warp's lanes"},
      {"compress | warp_merge_path items=48",
       "warp_merge_path: items must be a multiple of 32, the warp's lanes"},
      {"compress | block_rows rows=1 | thread_merge_path items=4",
       "thread_merge_path: a merge path cannot begin inside a block; cut it with block_merge_path, "
       "too"},
      {"compress | warp_merge_path items=96 | thread_merge_path items=4",
       "thread_merge_path: 32 threads of 4 do not make a warp's 96 items; use items=3"},
      {"compress | block_merge_path items=128 | warp_merge_path items=96",
       "warp_merge_path: a block's 128 items are no whole number of warps of 96"},
      {"compress | block_merge_path items=128 | thread_nnz nnz=4",
       "thread_nnz: its block is a piece of a merge path, which only a merge path can cut; use "
       "thread_merge_path"},
      {"compress | thread_merge_path items=4 | interleave",
       "interleave: threads of a merge path read the rows as they lie; leave it out"},
      {"compress | thread_pad",
       "thread_pad: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
      {"compress | thread_rows rows=1 | thread_total | thread_pad",
       "thread_pad: the reduction has begun already; levels and layouts come before it"},
      {"compress | thread_cols lanes=2 | thread_pad",
       "thread_pad: lanes that share a row read neighbours already"},
      {"compress | thread_cols lanes=2 | thread_pad length=own multiple=2",
       "thread_pad: lanes go to the end of the row that they share; use length=longest"},
      {"compress | thread_cols lanes=2 | thread_pad multiple=2 | thread_pad multiple=4",
       "thread_pad: the threads are padded already"},
      {"compress | thread_cols lanes=2 | thread_pad multiple=2 | interleave",
       "interleave: lanes that share a row read neighbours already"},
      {"compress | warp_rows rows=1 | thread_cols lanes=2 | thread_pad multiple=2 | warp_pad",
       "warp_pad: lanes that share a row read neighbours already"},
      {"compress | warp_rows rows=1 | thread_cols lanes=2 | thread_pad multiple=2 | warp_diagonals",
       "warp_diagonals: lanes that share a row read neighbours already"},
      {"compress | thread_rows rows=2 | thread_pad",
       "thread_pad: a thread has several rows; use thread_rows rows=1"},
      {"compress | thread_rows rows=1 | thread_pad | thread_pad",
       "thread_pad: the threads are padded already"},
      {"compress | thread_rows rows=1 | interleave | thread_pad",
       "thread_pad: the threads are interleaved already; put it before interleave", even},
      {"compress | thread_nnz nnz=4 | thread_pad",
       "thread_pad: threads of equal non-zeros need no pad"},
      {"compress | block_rows rows=1 | interleave",
       "interleave: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
      {"compress | thread_nnz nnz=4 | interleave | interleave",
       "interleave: the threads are interleaved already"},
      {"compress | thread_rows rows=1 | interleave",
       "interleave: threads have from 0 to 3 non-zeros; put thread_pad before it"},
      {"sort_rows | compress | thread_rows rows=1 | thread_pad | interleave by=ragged",
       "interleave: padded threads leave nothing ragged; use by=equal"},
      {"compress | thread_nnz nnz=4 | interleave by=ragged",
       "interleave: threads of equal non-zeros leave nothing ragged; use by=equal"},
      {"compress | thread_rows rows=1 | interleave by=ragged",
       "interleave: a thread has more non-zeros than the one before it; sort the rows by length "
       "first"},
      {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged run=2",
       "interleave: a ragged tile has no runs; use run=1"},
      {"compress | thread_nnz nnz=6 | interleave run=4",
       "interleave: a thread's 6 non-zeros are no multiple of 4; use thread_nnz nnz=8"},
      {"compress | thread_nnz nnz=1 | interleave run=2",
       "interleave: a thread has one non-zero; use run=1"},
      {"compress | thread_rows rows=1 | thread_pad | interleave run=cols",
       "interleave: entries have a column each, and no runs of columns; use run=1"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=4",
       "interleave: the threads' lengths are no multiples of 4; use thread_pad multiple=4"},
      {"compress | thread_rows rows=1 | interleave run=4",
       "interleave: the threads' lengths are no multiples of 4; use thread_pad multiple=4", even},
      {"sort_rows | compress | thread_rows rows=1 | interleave",
       "interleave: threads have from 0 to 3 non-zeros; put thread_pad before it, or use "
       "by=ragged"},
      {"compress | thread_rows rows=1 | thread_pad multiple=3",
       "thread_pad: multiple=3 is not one of 1, 2, 4"},
      // reductions
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
       "warp_segment "
       "or shared_offset"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment | "
       "warp_segment",
       "warp_segment: the rows are summed up already; a sink comes after that"},
      {"compress | thread_rows rows=1 | stage_x",
       "stage_x: no block level is open; put block_rows before it"},
      {"compress | block_rows rows=2 | stage_x | stage_x columns=listed",
       "stage_x: the blocks' slices of x are staged already"},
      {"compress | block_rows rows=2 | thread_rows rows=1 | thread_total | stage_x",
       "stage_x: the reduction has begun already; levels and layouts come before it"},
      // sinks and launch
      {"compress | thread_nnz nnz=4 | thread_bitmap | global_add",
       "global_add: the rows at both ends are shared with neighbours; use global_atomic or "
       "global_carry"},
      {"compress | thread_cols width=2 | thread_total | global_add",
       "global_add: a row has several writers; use global_atomic"},
      {"compress | thread_cols width=2 | thread_total | global_carry",
       "global_carry: each thread has one sum, not a tile with a first and a last row to carry; "
       "cut "
       "warps or blocks by non-zeros and use warp_bitmap or shared_offset"},
      {"compress | block_rows rows=2 | thread_nnz nnz=1 | thread_total | shared_offset | "
       "global_carry",
       "global_carry: every row has one writer: nothing is left to carry; use global_store"},
      {"compress | block_nnz nnz=256 | thread_nnz nnz=4 | thread_bitmap | shared_offset | "
       "global_carry | launch threads=128",
       "launch: a block reduces a tile together: threads must be 64"},
      {"compress | thread_rows rows=1 | global_store",
       "global_store: nothing is reduced yet; put thread_total before it"},
      {"compress | thread_rows rows=1 | global_add",
       "global_add: nothing is reduced yet; put thread_total before it"},
      {"compress | thread_rows rows=1 | global_atomic",
       "global_atomic: nothing is reduced yet; put thread_total before it"},
      {"compress | thread_nnz nnz=4 | thread_bitmap | global_store",
       "global_store: the rows at both ends are shared with neighbours; use global_atomic or "
       "global_carry"},
      {"compress | thread_cols width=2 | thread_total | global_store",
       "global_store: a row has several writers; use global_atomic"},
      {"compress | thread_cols lanes=2 | thread_total | global_store",
       "global_store: each thread holds only a part of its row; put warp_total before it, or use "
       "global_atomic"},
      {"compress | block_rows rows=1 | thread_cols width=2 | thread_total | warp_total | "
       "global_store",
       "global_store: each warp holds only a part of its row; put shared_total before it, or use "
       "global_atomic"},
      {"compress | thread_rows rows=1 | thread_total | global_store | global_atomic",
       "global_atomic: the sums have gone to y already; only launch comes after that"},
      {"compress | thread_rows rows=1 | thread_total | launch threads=32",
       "launch: the sums have not gone to y yet; put global_store or global_atomic before it"},
      {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=32 | launch "
       "threads=32",
       "launch: the launch is set already; a design has one"},
      {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=48",
       "launch: threads must be a multiple of 32"},
      {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=512 blocks=5",
       "launch: 5 blocks of 512 threads exceed the 2048 of a multiprocessor; use blocks=4"},
      {"compress | thread_rows rows=1 | thread_total | compact",
       "compact: the sums have not gone to y yet; put it behind the sink"},
      {"compress | thread_rows rows=1 | thread_total | global_store | compact | compact",
       "compact: the passes are chosen already"},
      {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=32 | compact",
       "compact: the launch is set already; put it before launch"},
      {"compress | thread_rows rows=1 | thread_total | global_store | compact models=linear "
       "columns=full structure=full values=full",
       "compact: nothing is left to make smaller"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store "
       "| compact columns=full",
       "compact: several values are loaded at once, which codes are not; use values=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store "
       "| compact columns=full values=single",
       "compact: several values are loaded at once, which floats that stand for doubles are not; "
       "use "
       "values=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store "
       "| compact columns=full values=rounded",
       "compact: several values are loaded at once, which floats that stand for doubles are not; "
       "use "
       "values=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store "
       "| compact",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      {"compress | thread_cols lanes=2 | thread_pad multiple=2 | thread_total vector=2 | "
       "warp_total "
       "| global_store | compact columns=narrow values=full",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store | compact values=full",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave run=2 | thread_bitmap vector=2 "
       "| "
       "warp_segment | global_atomic | compact values=full",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      // one triangle
      {"symmetric_half", "symmetric_half: the matrix is not symmetric in its pattern and values"},
      {"symmetric_half", "symmetric_half: the matrix is not symmetric in its pattern and values",
       other_values},
      {"symmetric_half", "symmetric_half: the matrix is not symmetric in its pattern and values",
       one_row},
      {"reorder by=rcm x=gathered | symmetric_half",
       "symmetric_half: x is gathered, so columns do not name rows of y any more", mirror},
      {"symmetric_half | reorder by=rcm x=gathered",
       "reorder: mirror images are added to the rows that columns name; use x=kept", mirror},
      {"symmetric_half | compress | block_rows rows=2 | stage_x",
       "stage_x: mirror images are added to the rows that columns name", mirror},
      {"symmetric_half | symmetric_half", "symmetric_half: only one triangle is left already",
       mirror},
      {"compress | thread_rows rows=1 | symmetric_half",
       "symmetric_half: positions cannot go once a level is cut", mirror},
      {"bin_rows at=2 { symmetric_half } { symmetric_half }",
       "branch 1: symmetric_half: a branch need not have the mirror images of its non-zeros; put "
       "it "
       "before the split",
       mirror},
      {"symmetric_half | compress | thread_nnz nnz=1 | thread_bitmap",
       "thread_bitmap: a thread does not know the row of each non-zero, whose mirror image it "
       "adds; "
       "use thread_total",
       mirror},
      {"symmetric_half | compress | thread_nnz nnz=2",
       "thread_nnz: a thread would not know the row of each non-zero, whose mirror image it adds; "
       "use "
       "nnz=1",
       mirror},
      {"symmetric_half | compress | warp_nnz nnz=64",
       "warp_nnz: a thread would not know the row of each non-zero, whose mirror image it adds; "
       "use "
       "nnz=32",
       mirror},
      {"symmetric_half | compress | thread_merge_path items=2",
       "thread_merge_path: a thread of a merge path does not know the row of each non-zero, whose "
       "mirror image it adds; cut rows",
       mirror},
      {"symmetric_half | compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total "
       "vector=2",
       "thread_total: mirror images are added one by one; use vector=1", mirror},
      {"symmetric_half | compress | thread_cols lanes=2 | thread_pad multiple=2",
       "thread_pad: mirror images are added one by one; leave it out", mirror},
      {"symmetric_half | compress | thread_cols lanes=2 | thread_total vector=2",
       "thread_total: mirror images are added one by one; use vector=1", mirror},
      {"symmetric_half | compress | thread_rows rows=1 | thread_total batch=4",
       "thread_total: mirror images are added one by one; use batch=1", mirror},
      {"symmetric_half | compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=2",
       "interleave: mirror images are added one by one, but runs are loaded at once; use run=1",
       mirror},
      {"symmetric_half | compress | warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | "
       "warp_bitmap",
       "warp_bitmap: lanes behind the last non-zero have no row to add mirror images for", mirror},
      {"symmetric_half | compress | thread_rows rows=1 | thread_total | global_store",
       "global_store: mirror images are added to any row at any time; use global_atomic", mirror},
      {"symmetric_half | compress | thread_rows rows=1 | thread_total | global_add",
       "global_add: mirror images are added to any row at any time; use global_atomic", mirror},
      {"symmetric_half | compress | block_nnz nnz=32 | thread_nnz nnz=1 | thread_total | "
       "shared_offset | global_carry",
       "global_carry: mirror images are added to any row at any time; use global_atomic", mirror},
      {"compress | thread_rows rows=1 | launch threads=32",
       "launch: nothing is reduced yet; put thread_total before it"},
      {"compress | thread_nnz nnz=1 | thread_total | global_carry",
       "global_carry: each thread has one sum, not a tile with a first and a last row to carry; "
       "cut "
       "warps or blocks by non-zeros and use warp_bitmap or shared_offset"},
      {"compress | thread_cols lanes=2 | thread_total | global_carry",
       "global_carry: each thread holds only a part of its row; put warp_total before it, or use "
       "global_atomic"},
      // designs that a person might try
      {"sort_rows_in_bands rows=32 | compress | warp_rows rows=32 | thread_rows rows=1 | "
       "thread_pad "
       "| interleave | thread_total | warp_segment | global_atomic | launch threads=128",
       "warp_segment: each sum is of one row, without a head and a tail; use thread_bitmap or "
       "thread_merge"},
      {"compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_carry | "
       "launch threads=256",
       "global_carry: every row has one writer: nothing is left to carry; use global_store"},
      {"compress | thread_rows rows=1 width=4 | thread_total | global_store | launch threads=256",
       "thread_rows: no parameter 'width'; it has rows, nnz"},
      {"compress | thread_rows | thread_total | global_store | launch threads=256",
       "thread_rows: give exactly one of rows, nnz"},
      {"compress | thread_total | thread_rows rows=1 | global_store | launch threads=256",
       "thread_total: no thread level is open; put thread_rows, thread_cols or thread_nnz before "
       "it"},
      {"thread_rows rows=1 | thread_total | global_store | launch threads=256",
       "thread_rows: the matrix is not compressed yet; put compress before it"},
      {"compress | thread_rows rows=1 | block_rows rows=4 | thread_total | global_store | launch "
       "threads=256",
       "block_rows: a block level cannot open inside the thread level; blocks come before warps, "
       "warps before threads"},
      {"compress | thread_nnz nnz=1 | thread_total | global_store | launch threads=256",
       "global_store: a row has several writers; use global_atomic"},
      {"compress | warp_nnz nnz=512 | thread_nnz nnz=8 | thread_bitmap | warp_segment | "
       "global_atomic | launch threads=128",
       "thread_nnz: 32 threads of 8 do not make a warp's 512 non-zeros; use nnz=16"},
      {"compress | thread_rows rows=1 | thread_total | launch threads=128 | global_store",
       "launch: the sums have not gone to y yet; put global_store or global_atomic before it"},
      {"csr5 threads=64",
       "csr5: no such operator; 'alphasparse operators' lists them, and 'alphasparse designs' the "
       "names of whole lines"},
      // the end
      {"compress | thread_rows rows=1 | thread_total",
       "the design ends before its launch; add '| global_atomic | launch threads=128', for a CPU "
       "'| "
       "global_atomic | launch tasks=bytes'"},
      {"compress | thread_rows rows=1 | thread_total | global_store",
       "the design ends before its launch; add '| launch threads=128', for a CPU '| launch "
       "tasks=bytes'"},
  };
  return cases;
}

}  // namespace alphasparse
