#include "tests/support/goldens.h"

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"

namespace alphasparse {

namespace {

constexpr const char* complex_designs[] = {"csr-vector", "sell-c-sigma", "csr5"};

}  // namespace

bool Golden::is_reviewed() const {
  const bool is_for_cpus = file.ends_with(".cpp");
  return matrix != (is_for_cpus ? "stencil_23" : "runs_of_empty_rows");
}

std::vector<Golden> goldens() {
  std::vector<Golden> all;
  for (const char* const matrix : {"stencil_23", "runs_of_empty_rows"}) {
    for (const NamedDesign& design : named_designs(Target::gpu)) {
      all.push_back({std::string(design.name) + "-" + matrix + "-f32.cu", matrix,
                     std::string(design.line), Dtype::f32});
    }
    std::string prefix = resolve_design("csr5");
    prefix.insert(prefix.find("warp_segment") + std::string("warp_segment").size(), " by=prefix");
    all.push_back({std::string("csr5-prefix-") + matrix + "-f64.cu", matrix, prefix, Dtype::f64});
    all.push_back({std::string("csr5-wide-") + matrix + "-f64.cu", matrix,
                   "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave run=4 | "
                   "thread_bitmap vector=4 | warp_segment | global_atomic | launch threads=128",
                   Dtype::f64});
    all.push_back({std::string("bitmap-") + matrix + "-f32.cu", matrix,
                   "bitmap_block_peel cols=8 share=5 { compress | warp_rows rows=8 | thread_cols "
                   "lanes=4 | thread_total | warp_total | global_store | launch threads=128 } { "
                   "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
                   "threads=128 }",
                   Dtype::f32});
    all.push_back({std::string("staged-") + matrix + "-f32.cu", matrix,
                   "compress | block_rows rows=8 | stage_x columns=listed | thread_cols lanes=4 | "
                   "thread_total | warp_total | global_store | launch threads=64 grid=2",
                   Dtype::f32});
    all.push_back({std::string("compact-") + matrix + "-f32.cu", matrix,
                   "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | "
                   "interleave | thread_total | global_store | compact exceptions=8 | launch "
                   "threads=64",
                   Dtype::f32});
    all.push_back(
        {std::string("csr-vector-wide-") + matrix + "-f32.cu", matrix,
         "compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total vector=4 | "
         "warp_total | global_store | launch threads=256",
         Dtype::f32});
    all.push_back({std::string("blocks-wide-") + matrix + "-f32.cu", matrix,
                   "dense_block_peel rows=2 cols=4 share=0 { warp_bands bands=32 | thread_bands | "
                   "thread_pad | interleave run=4 | thread_total vector=4 | global_store | launch "
                   "threads=256 } { compress | thread_nnz nnz=1 | thread_total | global_atomic | "
                   "launch threads=256 }",
                   Dtype::f32});
    all.push_back({std::string("deltas-") + matrix + "-f32.cu", matrix,
                   "compress | thread_rows rows=1 | thread_total | global_store | compact "
                   "columns=deltas structure=narrow | launch threads=64",
                   Dtype::f32});
  }
  const std::string half =
      "symmetric_half | sort_rows | compress | thread_cols lanes=8 | thread_total | warp_total | "
      "global_atomic | launch threads=256";
  all.push_back({"symmetric-half-symmetric_97-f32.cu", "symmetric_97", half, Dtype::f32});
  for (const char* const name : complex_designs) {
    all.push_back(
        {std::string(name) + "-stencil_23-c64.cu", "stencil_23", resolve_design(name), Dtype::c64});
  }
  all.push_back(
      {"symmetric-half-symmetric_97-c64.cu", "symmetric_97", half, Dtype::c64, Mirror::conjugate});
  return all;
}

std::vector<Golden> cpu_goldens() {
  std::vector<Golden> all;
  for (const char* const matrix : {"stencil_23", "runs_of_empty_rows"}) {
    const auto add = [&](const std::string& name, std::string_view design, Dtype dtype) {
      all.push_back({name + "-" + matrix + "-" + dtype_name(dtype) + ".cpp", matrix,
                     std::string(design), dtype});
    };
    for (const NamedDesign& design : named_designs(Target::cpu)) {
      add(std::string(design.name), design.line, Dtype::f32);
    }
    add("bitmap",
        "bitmap_block_peel cols=8 share=5 { compress | thread_rows rows=1 | thread_total | "
        "global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | thread_total | "
        "global_atomic | launch tasks=bytes }",
        Dtype::f64);
    add("compact",
        "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
        "thread_total | global_store | compact exceptions=8 | launch tasks=bytes",
        Dtype::f64);
    add("diagonals",
        "compress | warp_rows rows=16 | thread_rows rows=1 | warp_diagonals | interleave | "
        "thread_total | global_store | launch tasks=bytes",
        Dtype::f64);
    add("gathered",
        "reorder by=rcm x=gathered | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad "
        "| interleave | thread_total | global_store | compact columns=narrow | launch tasks=bytes",
        Dtype::f64);
  }
  const std::string rows = "thread_rows rows=1 | thread_total | global_atomic | launch tasks=bytes";
  all.push_back({"symmetric-half-symmetric_97-c64.cpp", "symmetric_97",
                 "symmetric_half | compress | " + rows, Dtype::c64, Mirror::conjugate});
  all.push_back(
      {"symmetric-blocks-symmetric_97-f64.cpp", "symmetric_97",
       "symmetric_half | dense_block_peel rows=3 cols=2 share=0 from=entry { thread_bands "
       "| thread_total | global_atomic | launch tasks=bytes } { compress | " +
           rows + " }",
       Dtype::f64});
  for (const char* const name : complex_designs) {
    all.push_back({std::string(name) + "-runs_of_empty_rows-c64.cpp", "runs_of_empty_rows",
                   resolve_design(name, Target::cpu), Dtype::c64});
  }
  return all;
}

std::vector<Golden> hip_goldens() {
  std::vector<Golden> all;
  for (const char* const name : {"csr-vector", "sell-c-sigma", "csr5"}) {
    all.push_back({std::string(name) + "-stencil_23-f64.hip", "stencil_23", resolve_design(name),
                   Dtype::f64, Mirror::none, Dialect::hip});
  }
  return all;
}

Result<Kernel> kernel_of(const Golden& golden) {
  Matrix matrix = battery_matrix(golden.matrix);
  if (number_type(golden.dtype).is_complex()) matrix = complex_of(std::move(matrix), golden.mirror);
  return Designer(matrix).build(golden.design, {golden.dtype, 1, golden.dialect});
}

}  // namespace alphasparse
