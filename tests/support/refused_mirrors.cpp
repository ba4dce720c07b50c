// refused_mirrors: operators that do not apply where one triangle of a symmetric matrix is kept.
#include "tests/support/battery.h"
#include "tests/support/refused_cases.h"

namespace alphasparse {

std::vector<RefusedCase> refused_mirrors() {
  /// a b, but c a: only its pattern is symmetric.
  static const Matrix other_values = from_rows(2, {{{0, 1.}, {1, 2.}}, {{0, 3.}, {1, 1.}}});
  return {
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
       "it before the split",
       mirror},
      {"symmetric_half | compress | thread_nnz nnz=1 | thread_bitmap",
       "thread_bitmap: a thread does not know the row of each non-zero, whose mirror image it "
       "adds; use thread_total",
       mirror},
      {"symmetric_half | compress | thread_nnz nnz=2",
       "thread_nnz: a thread would not know the row of each non-zero, whose mirror image it adds; "
       "use nnz=1",
       mirror},
      {"symmetric_half | compress | warp_nnz nnz=64",
       "warp_nnz: a thread would not know the row of each non-zero, whose mirror image it adds; "
       "use nnz=32",
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
  };
}

}  // namespace alphasparse
