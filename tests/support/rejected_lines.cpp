// rejected_lines: faults of whole lines: wrong names, wrong parameters, a wrong order, no end.
#include "tests/support/rejected_cases.h"

namespace alphasparse {

std::vector<RejectedCase> rejected_lines() {
  return {
      // the catalogue
      {"compres",
       "compres: no such operator (did you mean compress?); 'alphasparse operators' lists them, "
       "and 'alphasparse designs' the names of whole lines"},
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
      // designs that a person might try
      {"compress | thread_rows rows=1 width=4 | thread_total | global_store | launch threads=256",
       "thread_rows: no parameter 'width'; it has rows, nnz"},
      {"compress | thread_rows | thread_total | global_store | launch threads=256",
       "thread_rows: give exactly one of rows, nnz"},
      {"thread_rows rows=1 | thread_total | global_store | launch threads=256",
       "thread_rows: the matrix is not compressed yet; put compress before it"},
      {"compress | warp_nnz nnz=512 | thread_nnz nnz=8 | thread_bitmap | warp_segment | "
       "global_atomic | launch threads=128",
       "thread_nnz: 32 threads of 8 do not make a warp's 512 non-zeros; use nnz=16"},
      {"csr5 threads=64",
       "csr5: no such operator; 'alphasparse operators' lists them, and 'alphasparse designs' the "
       "names of whole lines"},
      // the end
      {"compress | thread_rows rows=1 | thread_total",
       "the design ends before its launch; add '| global_atomic | launch threads=128', for a CPU "
       "'| global_atomic | launch tasks=bytes'"},
      {"compress | thread_rows rows=1 | thread_total | global_store",
       "the design ends before its launch; add '| launch threads=128', for a CPU '| launch "
       "tasks=bytes'"},
  };
}

}  // namespace alphasparse
