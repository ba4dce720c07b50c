#include "search/strategies/mixed_designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "operators/catalogue.h"
#include "operators/design.h"
#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
#include "search/space/bans.h"
#include "search/space/chains.h"

namespace alphasparse {

namespace {

/// A chain, and the longest row that it takes without being held up by it.
struct Chain {
  std::string line;
  int row_most;
};

// CSR-Adaptive's blocks and sums with the padded parts of rows of row-grouped CSR for threads:
// adaptive row-grouped CSR (Heller, Oberhuber 2012); then with x brought into shared memory.
const std::array<Chain, 2>& padded_blocks() {
  static const std::array<Chain, 2> all = {{
      {"compress | block_rows nnz=2048 | thread_cols width=8 | thread_pad | interleave | "
       "thread_total | shared_offset | global_store | launch threads=256",
       512},
      {"compress | block_rows nnz=4096 | stage_x columns=listed | thread_cols width=8 | "
       "thread_pad | interleave | thread_total | shared_offset | global_store | launch threads=512",
       512},
  }};
  return all;
}

/// SELL's slices with dia's diagonals, each warp its own: new. Unsorted, as diagonals would be
/// lost.
std::string diagonals_of_warps(Target target) {
  const bool on_cpu = target == Target::cpu;  // where narrow gangs have less fill
  return fmt::format(
      "compress | warp_rows rows={} | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total | global_store | launch {}",
      on_cpu ? 16 : 32, on_cpu ? "tasks=bytes" : "threads=256");
}

/// The same of the diagonals that are nearly full, and what is left entry by entry: a few rows that
/// are longer than the others would give their warps as many diagonals.
std::string full_diagonals_of_warps() {
  return "diagonal_peel share=80 { compress | warp_rows rows=32 | thread_rows rows=1 | "
         "warp_diagonals | interleave | thread_total | global_store | launch tasks=bytes } "
         "{ compress | warp_nnz nnz=32 | thread_nnz nnz=1 | interleave | thread_total | "
         "warp_bitmap | global_atomic | launch tasks=bytes }";
}

/// acsr's chain for its longest rows.
std::string block_a_row() {
  const Design acsr = *parse_design(resolve_design("acsr"));
  return print_design(chain_at(acsr, chain_paths(acsr).back()));
}

constexpr int thread_entries_most = 32;  // of the longest row, where blocks can be so large
constexpr std::int64_t threads_max = 1024;

/// What wins on CPUs: gangs of 8 to 64 rows - one to eight registers -, sorted by their lengths,
/// all of them or in bands; with columns as narrow as a line allows or not; once by the hardware's
/// gathers, which want columns of 32 bits; and a row by 16 lanes.
std::vector<std::string> cpu_gangs() {
  std::vector<std::string> designs;
  const auto add = [&](const char* sorted, int rows, const char* compact) {
    designs.push_back(
        fmt::format("{}compress | warp_rows rows={} | thread_rows rows=1 | thread_pad | interleave "
                    "| thread_total | global_store | {}launch tasks=bytes",
                    sorted, rows, compact));
  };
  for (const char* const compact : {"", "compact columns=narrow structure=narrow values=full | "}) {
    for (const int rows : {16, 32, 8, 64}) {
      for (const char* const sorted :
           {"sort_rows | ", "sort_rows_in_bands rows=1024 | ", "sort_rows_in_bands rows=256 | "})
        add(sorted, rows, compact);
    }
  }
  designs.emplace_back(
      "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
      "thread_pad | interleave | thread_total gather=hardware | global_store | launch tasks=bytes");
  designs.emplace_back(
      "compress | thread_cols lanes=16 | thread_total | warp_total | global_store | launch "
      "tasks=bytes");
  return designs;
}

std::string canonical(const Design& design) { return print_design(*canonical_design(design)); }

/// All branches in one launch, of so many threads a block; 0: as they are.
std::string fused(Design design, std::int64_t threads = 0) {
  for_each_step(design, [&](Step& step) {
    if (step.op != "launch") return;
    set_parameter(step, "fused", "yes");
    if (threads > 0) set_parameter(step, "threads", std::to_string(threads));
  });
  return canonical(design);
}

std::string long_rows_apart(const Chain& chain, std::int32_t longest) {
  const Step launch = parse_design(chain.line)->steps.back();
  std::int64_t threads = check_arguments(launch)->integer("threads");
  while (threads < threads_max && longest > thread_entries_most * threads) threads *= 2;
  return fused(*parse_design(fmt::format("bin_rows at={} {{ {} }} {{ {} }}", chain.row_most + 1,
                                         chain.line, block_a_row())),
               threads);
}

}  // namespace

std::vector<std::string> mixed_designs(const std::vector<std::string>& named, const RowFacts& rows,
                                       Target target) {
  std::set<std::string> structures;
  for (const std::string& design : named) structures.insert(structure_of(design));
  std::vector<std::string> mixed;
  const auto add = [&](std::string design) {
    if (structures.insert(structure_of(design)).second) mixed.push_back(std::move(design));
  };
  const bool on_gpu = target == Target::cuda;  // a CPU has neither blocks nor fused launches
  for (const Chain& chain : on_gpu ? std::span(padded_blocks()) : std::span<const Chain>()) {
    if (rows.length_max > chain.row_most) add(long_rows_apart(chain, rows.length_max));
    add(canonical(*parse_design(chain.line)));
  }
  add(canonical(*parse_design(diagonals_of_warps(target))));
  if (!on_gpu) {
    add(canonical(*parse_design(full_diagonals_of_warps())));
    for (const std::string& gang : cpu_gangs()) {
      std::string design = canonical(*parse_design(gang));
      const bool is_named = std::find(named.begin(), named.end(), design) != named.end();
      if (!is_named) mixed.push_back(std::move(design));
    }
  }
  const Chain sliced_rows = {resolve_design("sell-c-sigma"), 64};
  if (on_gpu && rows.length_max > sliced_rows.row_most)
    add(long_rows_apart(sliced_rows, rows.length_max));
  for (const std::string& text : named) {
    const Design design = *parse_design(text);
    const std::vector<ChainPath> paths = chain_paths(design);
    if (paths.size() == 1) continue;
    if (on_gpu) mixed.push_back(fused(design));
    for (const ChainPath& path : paths) add(print_design(chain_at(design, path)));
  }
  return mixed;
}

}  // namespace alphasparse
