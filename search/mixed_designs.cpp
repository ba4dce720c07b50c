#include "search/mixed_designs.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

#include "operators/catalogue.h"
#include "operators/design.h"
#include "operators/parameter_grid.h"
#include "search/bans.h"
#include "search/chains.h"

namespace alphasparse {

namespace {

/// A chain without its launch, and the longest row that it takes without being held up by it.
struct Chain {
  const char* steps;
  int threads;
  int row_most;
};

// CSR-Adaptive's blocks and sums with the padded parts of rows of row-grouped CSR for threads:
// adaptive row-grouped CSR (Heller, Oberhuber 2012); then with x brought into shared memory.
constexpr std::array<Chain, 2> padded_blocks = {{
    {"compress | block_rows nnz=2048 | thread_cols width=8 | thread_pad | interleave | "
     "thread_total | shared_offset | global_store",
     256, 512},
    {"compress | block_rows nnz=4096 | stage_x columns=listed | thread_cols width=8 | thread_pad | "
     "interleave | thread_total | shared_offset | global_store",
     512, 512},
}};

constexpr Chain sliced_rows = {
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad "
    "| interleave | thread_total | global_store",
    256, 64};

constexpr const char* block_a_row =
    "compress | block_rows rows=1 | thread_cols width=1 | thread_total | warp_total | shared_total "
    "| global_store";

constexpr int thread_entries_most = 32;  // of the longest row, where blocks can be so large
constexpr int threads_max = 1024;

std::string canonical(const Design& design) { return print_design(*canonical_design(design)); }

/// All branches in one launch.
std::string fused(Design design) {
  for_each_step(design, [](Step& step) {
    if (step.op == "launch") set_parameter(step, "fused", "yes");
  });
  return canonical(design);
}

std::string alone(const Chain& chain) {
  return canonical(
      *parse_design(fmt::format("{} | launch threads={}", chain.steps, chain.threads)));
}

std::string long_rows_apart(const Chain& chain, std::int32_t longest) {
  int threads = chain.threads;
  while (threads < threads_max && longest > thread_entries_most * threads) threads *= 2;
  return fused(*parse_design(
      fmt::format("bin_rows at={0} {{ {1} | launch threads={3} }} {{ {2} | launch threads={3} }}",
                  chain.row_most + 1, chain.steps, block_a_row, threads)));
}

}  // namespace

std::vector<std::string> mixed_designs(const std::vector<std::string>& named,
                                       const RowFacts& rows) {
  std::set<std::string> structures;
  for (const std::string& design : named) structures.insert(structure_of(design));
  std::vector<std::string> mixed;
  const auto add = [&](std::string design) {
    if (structures.insert(structure_of(design)).second) mixed.push_back(std::move(design));
  };
  for (const Chain& chain : padded_blocks) {
    if (rows.length_max > chain.row_most) add(long_rows_apart(chain, rows.length_max));
    add(alone(chain));
  }
  if (rows.length_max > sliced_rows.row_most) add(long_rows_apart(sliced_rows, rows.length_max));
  for (const std::string& text : named) {
    const Design design = *parse_design(text);
    const std::vector<ChainPath> paths = chain_paths(design);
    if (paths.size() == 1) continue;
    mixed.push_back(fused(design));
    for (const ChainPath& path : paths) add(print_design(chain_at(design, path)));
  }
  return mixed;
}

}  // namespace alphasparse
