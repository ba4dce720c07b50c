// rejected_epilogues: sinks and operators behind them that do not apply.
#include "tests/support/rejected_cases.h"

namespace alphasparse {

std::vector<RejectedCase> rejected_epilogues() {
  return {
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
  };
}

}  // namespace alphasparse
