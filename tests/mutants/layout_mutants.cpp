// layout_mutants: which check finds a fault of a layout? The script mutate_layouts links it with a
// damaged file.
//
// Usage: layout_mutants KIND positions|store|layout|kernel
//   positions  prints a hash of all stored positions: the same hash, the same layouts
//   store      proves the invariants of stores after the last step (check_store)
//   layout     proves the layouts (check_layout)
//   kernel     verifies kernels on the emulator, and those for CPUs on this processor
// It prints "ok", or the first failure with its kind in front.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <string_view>

#include "generator/body/plan.h"
#include "generator/facts/contract.h"
#include "generator/layouts/layout_contract.h"
#include "generator/layouts/layout_kind.h"
#include "operators/designer.h"
#include "operators/targets.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_devices.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

#define REST " { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 }"
#define REST_ON_CPU \
  " { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }"

/// Designs whose first branch has the layout, two or three for GPUs and one for CPUs.
const std::map<std::string_view, std::vector<const char*>> designs = {
    {"in_order",
     {"compress | thread_rows rows=1 | thread_total batch=8 | global_store | launch threads=64",
      "sort_rows | compress | thread_cols lanes=8 | thread_total | warp_total | global_store | "
      "launch threads=64",
      "compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes"}},
    {"tiled",
     {"compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
      "launch threads=64",
      "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad multiple=4 | interleave "
      "run=4 | thread_total vector=4 | global_store | launch threads=64",
      "compress | thread_rows rows=1 | thread_pad length=own | interleave | thread_total | "
      "global_store | launch threads=64",
      "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave | thread_bitmap | warp_segment "
      "| global_atomic | launch threads=64",
      "compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | interleave | thread_total "
      "| global_store | launch tasks=bytes"}},
    {"padded_rows",
     {"compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total vector=4 | "
      "warp_total | global_store | launch threads=64",
      "sort_rows | compress | thread_cols lanes=4 | thread_pad multiple=2 | thread_total vector=2 "
      "| warp_total | global_store | launch threads=64"}},
    {"ragged",
     {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | "
      "global_store | launch threads=64",
      "sort_rows | compress | block_rows rows=40 | thread_rows rows=1 | interleave by=ragged | "
      "thread_total | global_store | launch threads=64",
      "sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | "
      "global_store | launch tasks=bytes"}},
    {"bit_blocks",
     {"bitmap_block_peel cols=8 share=0 { compress | thread_rows rows=1 | thread_total | "
      "global_store | "
      "launch threads=64 }" REST,
      "bitmap_block_peel cols=4 share=0 { compress | thread_cols lanes=4 | thread_total | "
      "warp_total | "
      "global_store | launch threads=64 }" REST,
      "bitmap_block_peel cols=8 share=0 { compress | thread_rows rows=1 | thread_total | "
      "global_store | "
      "launch tasks=bytes }" REST_ON_CPU}},
    {"warp_diagonals",
     {"compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total | global_store | launch threads=64",
      "compress | warp_rows rows=5 | thread_rows rows=1 | warp_diagonals | warp_pad | interleave "
      "| thread_total | global_store | launch threads=64",
      "compress | warp_rows rows=8 | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total | global_store | launch tasks=bytes"}},
    {"bands",
     {"dense_block_peel rows=3 cols=3 share=0 { sort_rows_in_bands rows=64 | warp_bands bands=32 "
      "| thread_bands | thread_pad | interleave | thread_total | global_store | launch threads=64 "
      "}" REST,
      "dense_block_peel rows=2 cols=4 share=0 from=entry { thread_bands | thread_total | "
      "global_store | launch threads=64 }" REST,
      "dense_block_peel rows=2 cols=2 share=0 from=entry { sort_rows_in_bands rows=64 | "
      "warp_bands bands=8 | thread_bands | thread_pad | interleave run=cols | thread_total | "
      "global_store | launch tasks=bytes }" REST_ON_CPU}},
    {"mix",
     {"compress blocks=4 | sort_rows_in_bands rows=64 | warp_rows rows=8 | thread_rows rows=1 | "
      "thread_pad | interleave | thread_total | global_store | launch tasks=bytes",
      "compress blocks=2 | warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | "
      "thread_total | global_store | launch tasks=bytes"}},
};

const char* const matrices[] = {"stencil_23", "wide_70x500", "runs_of_empty_rows", "power_law",
                                "dense_33x31"};

/// Calls visit(matrix, design) for all pairs of the kind until it returns a failure.
template <class Visit>
std::string first_failure(std::string_view kind, const Visit& visit) {
  for (const char* const name : matrices) {
    const Matrix matrix = battery_matrix(name);
    for (const char* const design : designs.at(kind)) {
      std::string failure = visit(matrix, std::string(design));
      if (!failure.empty()) return fmt::format("{}; {}: {}", failure, name, design);
    }
  }
  return "ok";
}

/// Calls check(store, layout) for the first branch of all pairs likewise.
template <class Check>
std::string first_violation(std::string_view kind, const Check& check) {
  return first_failure(kind, [&](const Matrix& matrix, const std::string& design) -> std::string {
    const Target target = find_target(*parse_design(design)).value_or(Target::gpu);
    Result<std::vector<Store>> stores = Designer(matrix, target).branches(*parse_design(design));
    if (!stores) return "refused: " + stores.reason();
    Store& store = stores->front();
    if (kind != layout_kind(store).name) return fmt::format("not of the kind {}", kind);
    const Result<BranchPlan> plan = plan_branch(store);
    return plan ? check(store, plan->layout) : "refused: " + plan.reason();
  });
}

std::string hash_of_positions(std::string_view kind) {
  std::size_t hash = 0;
  const auto add = [&](const auto& values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(values[0]));
    hash = hash * 1000003 + std::hash<std::string_view>{}(bytes);
  };
  const std::string failure = first_violation(kind, [&](const Store&, const Layout& layout) {
    add(layout.column);
    add(layout.value_source);
    add(layout.first_entry);
    add(layout.first_diagonal);
    add(layout.empty_lanes);
    add(layout.diagonal_column);
    add(layout.entry_bits);
    add(std::vector<std::int64_t>{layout.stored, layout.stride, layout.width, layout.predicated,
                                  layout.in_order});
    if (const auto& blocks = layout.blocks) add(blocks->first_col), add(blocks->bits);
    if (const auto& bitmap = layout.bitmap) {
      add(bitmap->band_first), add(bitmap->first_col), add(bitmap->bits);
      add(bitmap->first_entry), add(bitmap->order);
    }
    return std::string();
  });
  return failure == "ok" ? fmt::format("{:016x}", hash) : failure;
}

std::string first_wrong_kernel(std::string_view kind) {
  const std::unique_ptr<Device> gpu = open_emulated_device("h200"), cpu = cpu_device_of(2, 32);
  return first_failure(kind, [&](const Matrix& matrix, const std::string& design) {
    const bool on_cpu = find_target(*parse_design(design)) == Target::cpu;
    const Result<Kernel> kernel = Designer(matrix).build(design, Dtype::f64, no_build_limits);
    if (!kernel) return "refused: " + kernel.reason();
    Device& device = on_cpu ? *cpu : *gpu;
    const Result<std::unique_ptr<LoadedKernel>> loaded = device.load(*kernel);
    if (!loaded)
      return fmt::format("{}: {}", status_name(loaded.failure().status), loaded.reason());
    const Result<VerifyReport> report = verify(*kernel, **loaded, matrix);
    if (report) return std::string();
    return fmt::format("{}: {}", status_name(report.failure().status), report.reason());
  });
}

std::string answer(std::string_view kind, std::string_view check) {
  if (check == "positions") return hash_of_positions(kind);
  if (check == "kernel") return first_wrong_kernel(kind);
  if (check == "store")
    return first_violation(kind,
                           [](const Store& store, const Layout&) { return check_store(store); });
  return first_violation(kind, check_layout);
}

}  // namespace
}  // namespace alphasparse

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  fmt::print("{}\n", alphasparse::answer(argv[1], argv[2]));
}
