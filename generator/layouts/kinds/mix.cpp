#include "generator/layouts/kinds/mix.h"

#include <algorithm>

#include "generator/layouts/pad_reads.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

const Mix& get_mix(const Store& store) { return *store.layout_as<Mix>(); }

std::int32_t mix_width(const Store& store) { return get_mix(store).width(store.cols()); }

namespace {

const Fragment mix_fragment = {
    .name = "thread_total_mix",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::block_cols},
    .arguments = {Role::first_block, Role::end_block, Role::first, Role::end, Role::step, Role::x,
                  Role::column_of, Role::value_of, Role::bits_of, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .cpu_cost = TotalCost{0.130, 18.0},
};

/// Rows with most blocks come first, then those with most single entries.
std::vector<std::int64_t> mix_sizes(const Store& store) {
  const auto parts = mix_parts(store);
  std::vector<std::int64_t> sizes;
  for (std::int32_t row = 0; row < store.rows(); ++row)
    sizes.push_back(std::int64_t{parts->blocks[row]} << 32 | parts->singles[row]);
  return sizes;
}

Reads mix_reads(const Store& store) {
  Reads reads;
  reads.stored = reads.least = reads.worked = store.nnz();
  reads.longest = store.row_facts().length_max;
  reads.cols = mix_width(store);
  reads.before = {{"_first_block", reads.cols}, {"_first_single", 1}};
  reads.arrays = {"value", "column", "block_first_col"};
  reads.cost = mix_fragment.cpu_cost;
  if (!get_mix(store).padded) return reads;  // thread_pad cuts nothing, but makes slices of warps
  const auto slices = mix_slices(store);
  reads.stored = count_positions(store, slices->tiles);
  reads.least = reads.worked = read_positions(slices->tiles);
  reads.stride = count_lanes(store) * reads.cols;
  return reads;
}

/// Visits the pads behind single entries: those of blocks have no bit.
bool visit_mix_pads(const Store& store, const PadVisit& visit) {
  const auto parts = mix_parts(store);
  const auto slices = mix_slices(store);
  const std::int64_t lanes = count_lanes(store);
  const auto& first_row = store.ints({Level::thread, Name::first_row});
  const auto& row_first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  for (std::size_t warp = 0; warp < slices->tiles.size(); ++warp) {
    const Tile& tile = slices->tiles[warp];
    const std::int64_t singles =
        (slices->first_single[warp + 1] - slices->first_single[warp]) / lanes;
    for (std::int32_t part = tile.first_part; part < tile.end_part; ++part) {
      const std::int32_t row = first_row[part], end = row_first[row + 1];
      const bool adds = row_first[row] < end && parts->singles[row] < singles;
      if (adds && visit(PadRead{row, col[end - 1]})) return true;
    }
  }
  return false;
}

std::string mix_misfit(const Store& store) {
  const LevelFacts* const threads = store.level(Level::thread);
  if (!threads) return get_mix(store).padded ? no_threads_of_entries : "";
  if (threads->tiling != Tiling::rows || threads->rows_max > 1)
    return "rows lie in blocks, but threads have other parts of the matrix";
  if (!get_mix(store).padded || threads->parent == Level::warp) return "";
  return "blocks are padded for warps, but the threads lie in none";
}

std::vector<const char*> mix_labels(const Store& store) {
  std::vector<const char*> labels;
  if (get_mix(store).padded) labels.push_back("padded");
  if (get_mix(store).transposed) labels.push_back("interleaved");
  labels.push_back("mix");
  return labels;
}

}  // namespace

int Mix::width(std::int32_t matrix_cols) const {
  int stored = cols;
  while (stored > 2 && stored > matrix_cols) stored /= 2;
  return stored;
}

int Mix::find_least(std::int32_t matrix_cols) const {
  const int stored = width(matrix_cols);
  return matrix_cols < stored ? stored + 1 : std::min(least, stored);  // more than all: no blocks
}

const LayoutKind Mix::kind = {
    .name = "mix",
    .reply = mix_reply,
    .total =
        [](const Store&, const request::Total&) {
          return FragmentStep{&mix_fragment, 0};
        },
    .write = write_mix,
    .range = mix_range,
    .term = bind_mix,
    .columns = add_mix_columns,
    .reads = mix_reads,
    .pads = visit_mix_pads,
    .misfit = mix_misfit,
    .labels = mix_labels,
    .sizes = mix_sizes,
};

}  // namespace alphasparse
