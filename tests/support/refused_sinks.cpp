// refused_sinks: sinks and operators behind them that do not apply.
#include "tests/support/refused_cases.h"

namespace alphasparse {

std::vector<RefusedCase> refused_sinks() {
  return {
      {"compress | thread_nnz nnz=4 | thread_bitmap | global_add",
       "global_add: the rows at both ends are shared with neighbours; use global_atomic or "
       "global_carry"},
      {"compress | thread_cols width=2 | thread_total | global_add",
       "global_add: a row has several writers; use global_atomic"},
      {"compress | thread_cols width=2 | thread_total | global_carry",
       "global_carry: each thread has one sum, not a tile with a first and a last row to carry; "
       "cut warps or blocks by non-zeros and use warp_bitmap or shared_offset"},
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
       "global_store | compact columns=full",
       "compact: several values are loaded at once, which codes are not; use values=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store | compact columns=full values=single",
       "compact: several values are loaded at once, which floats that stand for doubles are not; "
       "use values=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store | compact columns=full values=rounded",
       "compact: several values are loaded at once, which floats that stand for doubles are not; "
       "use values=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store | compact",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      {"compress | thread_cols lanes=2 | thread_pad multiple=2 | thread_total vector=2 | "
       "warp_total | global_store | compact columns=narrow values=full",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | "
       "global_store | compact values=full",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave run=2 | thread_bitmap vector=2 "
       "| warp_segment | global_atomic | compact values=full",
       "compact: several columns are loaded at once, which compact ones are not; use columns=full"},
      {"compress | thread_rows rows=1 | launch threads=32",
       "launch: nothing is reduced yet; put thread_total before it"},
      {"compress | thread_nnz nnz=1 | thread_total | global_carry",
       "global_carry: each thread has one sum, not a tile with a first and a last row to carry; "
       "cut warps or blocks by non-zeros and use warp_bitmap or shared_offset"},
      {"compress | thread_cols lanes=2 | thread_total | global_carry",
       "global_carry: each thread holds only a part of its row; put warp_total before it, or use "
       "global_atomic"},
  };
}

}  // namespace alphasparse
