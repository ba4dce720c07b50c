#include "tests/support/cpu_designs.h"

#include <cstdlib>
#include <ostream>

#include "tests/support/random_design.h"

namespace alphasparse {

void PrintTo(const NamedDesign& design, std::ostream* out) { *out << design.name; }

const std::vector<const char*>& half_designs_of_cpus() {
  static const std::vector<const char*> designs = {
      "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch "
      "tasks=bytes",
      "compress | symmetric_half | thread_rows rows=1 | thread_total | global_atomic | compact "
      "columns=narrow structure=packed values=coded | launch tasks=bytes",
      "symmetric_half | bin_rows at=3 { compress | thread_rows rows=1 | thread_total | "
      "global_atomic | launch tasks=bytes } { compress | thread_rows rows=1 | thread_total | "
      "global_atomic | launch tasks=one }",
      "symmetric_half | dense_block_peel rows=1 cols=1 share=50 { thread_bands | thread_total | "
      "global_atomic | launch tasks=bytes } { compress | thread_rows rows=1 | thread_total | "
      "global_atomic | launch tasks=bytes }",
      "symmetric_half | dense_block_peel rows=2 cols=2 share=0 { thread_bands | thread_total | "
      "global_atomic | launch tasks=bytes } { compress | thread_rows rows=1 | thread_total | "
      "global_atomic | launch tasks=bytes }",
      "symmetric_half | dense_block_peel rows=3 cols=4 share=0 from=entry { thread_bands | "
      "thread_total | global_atomic | compact columns=narrow structure=narrow values=full | launch "
      "tasks=bytes } { compress | thread_rows rows=1 | thread_total | global_atomic | launch "
      "tasks=bytes }",
      "symmetric_half | dense_block_peel rows=3 cols=3 share=40 { thread_bands | thread_total | "
      "global_atomic | compact values=coded | launch tasks=bytes } { compress | thread_rows rows=1 "
      "| thread_total | global_atomic | launch tasks=bytes }",
      "symmetric_half | dense_block_peel rows=4 cols=8 share=0 from=entry { thread_bands | "
      "thread_total | global_atomic | launch tasks=bytes } { compress | thread_rows rows=1 | "
      "thread_total | global_atomic | launch tasks=bytes }",
      "symmetric_half | dense_block_peel rows=5 cols=6 share=0 from=entry { thread_bands | "
      "thread_total | global_atomic | launch tasks=bytes } { compress | thread_rows rows=1 | "
      "thread_total | global_atomic | launch tasks=bytes }",
  };
  return designs;
}

const std::vector<const char*>& free_designs_of_cpus() {
  static const std::vector<const char*> designs = {
      "compress | thread_rows rows=3 | thread_total sums=2 | global_store | launch tasks=bytes",
      "compress | thread_cols width=5 | thread_total | global_atomic | launch tasks=bytes",
      "compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch tasks=bytes",
      "compress | warp_nnz nnz=1024 | thread_nnz nnz=32 | interleave | thread_bitmap | "
      "warp_segment | global_atomic | launch tasks=bytes",
      "compress | warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | warp_bitmap | global_atomic "
      "| launch tasks=bytes",
      "compress | warp_rows rows=1 | thread_nnz nnz=1 | interleave | thread_total | warp_total | "
      "global_store | launch tasks=bytes",
      "compress | warp_cols width=64 | thread_cols lanes=32 | thread_total | warp_total | "
      "global_atomic | launch tasks=bytes",
      "compress | warp_rows rows=7 | thread_cols lanes=4 | thread_total sums=4 | warp_total | "
      "global_store | launch tasks=bytes",
      "sort_rows | compress | warp_rows rows=64 | thread_rows rows=1 | interleave by=ragged | "
      "thread_total | global_store | launch tasks=bytes",
      "sort_rows | compress | warp_rows rows=16 | thread_rows rows=1 | interleave by=ragged | "
      "thread_total | global_store | launch tasks=bytes",
      "compress | warp_rows nnz=100 | thread_rows rows=1 | thread_pad | interleave | thread_total "
      "| global_store | compact columns=narrow structure=packed | launch tasks=bytes",
      "reorder by=rcm x=gathered | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | "
      "interleave | thread_total | global_store | compact columns=packed values=coded models=all | "
      "launch tasks=bytes",
      "permute by=columns | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | "
      "interleave | thread_total | global_store | compact columns=packed values=coded models=all | "
      "launch tasks=bytes",
      "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
      "compact columns=runs | launch tasks=bytes",
      "compress | warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | thread_total "
      "sums=2 | global_store | compact columns=bytes values=coded structure=bytes | launch "
      "tasks=bytes",
      "compress | warp_rows rows=64 | thread_rows rows=1 | thread_pad | interleave | thread_total "
      "gather=hardware | global_store | compact columns=packed values=single | launch tasks=bytes",
      "compress | thread_cols lanes=16 | thread_total gather=hardware | warp_total | global_store "
      "| compact columns=narrow | launch tasks=bytes",
      "compress | thread_cols lanes=4 | thread_total | warp_total | global_store | compact "
      "columns=bytes values=coded | launch tasks=bytes",
      "compress | warp_rows rows=8 | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total "
      "| global_store | launch tasks=bytes",
      "compress | warp_rows rows=16 | thread_rows rows=1 | warp_diagonals | warp_pad | interleave "
      "| "
      "thread_total sums=2 | global_store | launch tasks=bytes",
      "compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total | global_atomic | compact columns=narrow | launch tasks=bytes",
      "sort_rows_in_bands rows=64 | compress | warp_rows rows=64 | thread_rows rows=1 | "
      "warp_diagonals | interleave | thread_total sums=4 | global_store | compact columns=packed "
      "values=single | launch tasks=bytes",
      "compress | warp_rows nnz=60 | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total "
      "| global_store | launch tasks=bytes",
      "compress blocks=2 | warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | "
      "thread_total | global_store | compact columns=narrow | launch tasks=bytes",
      "sort_rows | compress blocks=8 share=25 | warp_rows rows=8 | thread_rows rows=1 | thread_pad "
      "| "
      "interleave | thread_total | global_atomic | launch tasks=bytes",
      "reorder by=columns x=gathered | compress blocks=4 share=75 | sort_rows_in_bands rows=64 | "
      "warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
      "global_store | compact columns=bytes values=coded structure=bytes models=all | launch "
      "tasks=bytes",
      "compress blocks=4 | warp_rows nnz=60 | thread_rows rows=1 | thread_pad | interleave | "
      "thread_total | global_store | compact columns=packed structure=packed values=single | "
      "launch "
      "tasks=bytes",
      "col_split parts=2 { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=bytes } { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=bytes }",
      "bitmap_block_peel cols=8 share=10 { compress | thread_rows rows=1 | thread_total | "
      "global_store | launch tasks=bytes } { compress | thread_rows rows=1 | thread_total | "
      "global_atomic | launch tasks=bytes }",
      "dense_block_peel rows=2 cols=2 share=0 { thread_bands | thread_total | global_store | "
      "launch "
      "tasks=bytes } { compress | thread_rows rows=1 | thread_total | global_atomic | launch "
      "tasks=bytes }",
      "dense_block_peel rows=4 cols=4 share=40 { sort_rows | warp_bands bands=11 | thread_bands | "
      "thread_pad | interleave | thread_total | global_store | compact columns=narrow | launch "
      "tasks=bytes } { compress | thread_rows rows=1 | thread_total | global_atomic | launch "
      "tasks=bytes }",
      "dense_block_peel rows=3 cols=2 share=100 { thread_bands | thread_pad | interleave | "
      "thread_total | global_atomic | launch tasks=bytes } { compress | thread_nnz nnz=7 | "
      "thread_bitmap | global_atomic | launch tasks=bytes }",
      "dense_block_peel rows=2 cols=4 share=0 from=entry { sort_rows_in_bands rows=64 | warp_bands "
      "bands=8 | thread_bands | thread_pad | interleave run=cols | thread_total | global_store | "
      "compact columns=narrow values=full structure=narrow | launch tasks=bytes } { compress | "
      "thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }",
      "dense_block_peel rows=1 cols=8 share=40 from=entry { thread_bands | thread_pad | interleave "
      "run=cols | thread_total | global_store | launch tasks=bytes } { compress | thread_rows "
      "rows=1 | thread_total | global_atomic | launch tasks=bytes }",
      "dense_block_peel rows=3 cols=6 share=0 from=entry { sort_rows_in_bands rows=64 | warp_bands "
      "bands=8 | thread_bands | thread_pad | interleave run=2 | thread_total | global_store | "
      "compact columns=narrow values=full structure=narrow | launch tasks=bytes } { compress | "
      "thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }",
      "dense_block_peel rows=2 cols=8 share=40 { thread_bands | thread_pad | interleave run=4 | "
      "thread_total | global_store | compact values=coded | launch tasks=bytes } { compress | "
      "thread_rows rows=1 | thread_total | global_atomic | launch tasks=bytes }",
      "dense_block_peel rows=3 cols=2 share=50 { warp_bands bands=11 | thread_bands | thread_pad | "
      "interleave run=cols | thread_total | global_atomic | compact columns=packed values=coded | "
      "launch tasks=bytes } { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=bytes }",
      "compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch tasks=one",
      "col_split parts=2 { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=one } { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=bytes }",
      "col_split parts=2 { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=bytes } { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=one }",
  };
  return designs;
}

const std::vector<std::string>& warnings_as_errors() {
  static const std::vector<std::string> flags = {"-Wall", "-Wextra", "-Werror", "-Wno-psabi"};
  return flags;
}

std::string test_name_of(const NamedDesign& design) {
  std::string name(design.name);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

CpuTriple cpu_triple(const std::vector<NamedMatrix>& all, int seed) {
  const auto matrices = static_cast<int>(all.size());
  const NamedMatrix& entry = all[seed % matrices];
  return {entry, random_design(entry.matrix, seed, Target::cpu),
          (seed + seed / matrices) % 2 == 0 ? Dtype::f32 : Dtype::f64};
}

bool is_wanted(int seed) {
  const char* const only = std::getenv("ALPHASPARSE_SEED");
  return !only || seed == std::atoi(only);
}

}  // namespace alphasparse
