#include "search/strategies/mixed_designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
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

/// SELL's slices, with rows in their own order and columns in few bytes or none: on a stencil, most
/// columns follow from the row. Without `compact` these are far behind diagonals there, so that
/// others would be compacted.
constexpr const char* packed_slices =
    "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total "
    "batch=8 | global_store | compact values=full | launch threads=256";

/// SELL's slices with dia's diagonals, each warp its own: new. Unsorted, as diagonals would be
/// lost.
std::string diagonals_of_warps(Target target) {
  const bool on_cpu = target == Target::cpu;  // where narrow gangs have less fill
  return fmt::format(
      "compress | warp_rows rows={} | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total | global_store | launch {}",
      on_cpu ? 16 : 32, on_cpu ? "tasks=bytes" : "threads=256");
}

/// The same for the diagonals that are nearly full, and the rest entry by entry. A few rows that
/// are longer than the others would give their warps as many diagonals.
std::string full_diagonals_of_warps() {
  return "diagonal_peel share=80 { compress | warp_rows rows=32 | thread_rows rows=1 | "
         "warp_diagonals | interleave | thread_total | global_store | launch tasks=bytes } "
         "{ compress | warp_nnz nnz=32 | thread_nnz nnz=1 | interleave | thread_total | "
         "warp_bitmap | global_atomic | launch tasks=bytes }";
}

CanonicalDesign read_design(std::string_view line) {
  const Result<CanonicalDesign> design = CanonicalDesign::read(line);
  CHECK(design.ok());
  return *design;
}

/// A named design for GPUs.
CanonicalDesign find_named(std::string_view name) {
  return read_design(resolve_design(std::string(name)));
}

/// acsr's chain for its longest rows.
Design block_a_row() {
  const CanonicalDesign acsr = find_named("acsr");
  return find_chain(acsr.tree(), chain_paths(acsr.tree()).back());
}

constexpr int thread_entries_most = 32;  // of the longest row, where blocks can be so large
constexpr std::int64_t threads_max = 1024;
constexpr std::int64_t tile_threads = 256;  // where warps of tiles and of other rows share blocks
constexpr std::int64_t block_row_most = thread_entries_most * threads_max;
constexpr std::int32_t sliced_row_most = 64;  // of sell-c-sigma, as of a Chain

/// Designs that win on CPUs: gangs of 8 to 64 rows, which are one to eight registers. Rows are
/// sorted by their lengths, all of them or in bands. Columns are as narrow as a line allows or not.
/// One design uses the hardware's gathers, which want columns of 32 bits. In another a row has 16
/// lanes.
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

/// All branches in one launch, of so many threads a block; 0: as they are.
CanonicalDesign fused(Design design, std::int64_t threads = 0) {
  for_each_step(design, [&](Step& step) {
    if (step.op != "launch") return;
    set_parameter(step, "fused", "yes");
    if (threads > 0) set_parameter(step, "threads", std::to_string(threads));
  });
  return CanonicalDesign::of(design).value();
}

/// Rows of more than `row_most` entries have a chain of their own.
Design binned(const Design& chain, std::int32_t row_most, const Design& longer) {
  return {{Step{"bin_rows", {{"at", std::to_string(row_most + 1)}}, {chain, longer}}}};
}

/// Each long row has a block.
CanonicalDesign long_rows_apart(const Design& chain, std::int32_t row_most, std::int32_t longest) {
  std::int64_t threads = check_arguments(chain.steps.back())->integer("threads");
  while (threads < threads_max && longest > thread_entries_most * threads) threads *= 2;
  return fused(binned(chain, row_most, block_a_row()), threads);
}

/// Each long row has as many warps as it needs, by csr5's chain.
CanonicalDesign long_rows_in_tiles(const Design& chain, std::int32_t row_most) {
  return fused(binned(chain, row_most, find_named("csr5").tree()), tile_threads);
}

}  // namespace

Designs mixed_designs(const Designs& named, const RowFacts& rows, Target target) {
  std::set<std::string> structures;
  for (const CanonicalDesign& design : named) structures.insert(design.structure());
  Designs mixed;
  const auto add = [&](CanonicalDesign design) {
    if (structures.insert(design.structure()).second) mixed.push_back(std::move(design));
  };
  const bool on_gpu = target == Target::gpu;  // a CPU has neither blocks nor fused launches
  for (const Chain& chain : on_gpu ? std::span(padded_blocks()) : std::span<const Chain>()) {
    CanonicalDesign blocks = read_design(chain.line);
    if (rows.length_max > chain.row_most)
      add(long_rows_apart(blocks.tree(), chain.row_most, rows.length_max));
    add(std::move(blocks));
  }
  add(read_design(diagonals_of_warps(target)));
  if (on_gpu) add(read_design(packed_slices));
  if (!on_gpu) {
    add(read_design(full_diagonals_of_warps()));
    for (const std::string& gang : cpu_gangs()) {
      CanonicalDesign design = read_design(gang);
      const bool is_named = std::find(named.begin(), named.end(), design) != named.end();
      if (!is_named) mixed.push_back(std::move(design));
    }
  }
  if (on_gpu && rows.length_max > sliced_row_most)
    add(long_rows_apart(find_named("sell-c-sigma").tree(), sliced_row_most, rows.length_max));
  if (on_gpu && rows.length_max > block_row_most)
    add(long_rows_in_tiles(find_named("sell-c-sigma").tree(), sliced_row_most));
  for (const CanonicalDesign& design : named) {
    const std::vector<ChainPath> paths = chain_paths(design.tree());
    if (paths.size() == 1) continue;
    if (on_gpu) mixed.push_back(fused(design.tree()));
    for (const ChainPath& path : paths)
      add(CanonicalDesign::spelled(find_chain(design.tree(), path)));
  }
  return mixed;
}

CanonicalDesign wide_lanes(const RowFacts& rows) {
  constexpr int entries_at_once = 4, lanes_max = 32;
  int lanes = 2;
  while (lanes < lanes_max && entries_at_once * lanes < rows.length_mean) lanes *= 2;
  return read_design(
      fmt::format("compress | thread_cols lanes={0} | thread_pad multiple={1} | thread_total "
                  "vector={1} | warp_total | global_store | launch threads=256",
                  lanes, entries_at_once));
}

}  // namespace alphasparse
