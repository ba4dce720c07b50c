#include "generator/layouts/kinds/dense_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/arrays/format_struct.h"
#include "generator/code/composition.h"
#include "generator/layouts/kinds/block_bindings.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/layout_tiles.h"
#include "generator/layouts/thread_range.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

const Bands& get_bands(const Store& store) { return *store.layout_as<Bands>(); }

bool has_padded_bands(const Store& store) { return get_bands(store).padded != Bands::Padded::none; }

namespace {

/// Stored positions of a thread that has a band, without pads behind its last block.
std::int64_t band_entries(const Store& store, std::int64_t thread) {
  const std::int32_t row = store.ints({Level::thread, Name::first_row})[thread];
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  return std::int64_t{first[row + 1] - first[row]} / get_bands(store).block.cols *
         block_cells(store);
}

}  // namespace

std::int32_t band_rows(const Store& store) { return get_bands(store).block.rows; }

std::int32_t block_width(const Store& store) {
  return std::max(1, std::min(get_bands(store).block.cols, store.cols()));
}

std::int32_t block_cells(const Store& store) { return band_rows(store) * block_width(store); }

bool has_gaps(const Store& store) {
  return store.filled || (has_padded_bands(store) && store.row_facts().empty_rows > 0);
}

namespace {

/// The same fragment for columns of a block's row that lie together, on a CPU.
Fragment in_runs(Fragment fragment, std::string_view name) {
  fragment.name = name;
  fragment.template_arguments.push_back(TemplateRole::block_run);
  fragment.cpu_cost = TotalCost{0.090, 12.0};
  return fragment;
}

/// The same fragment for values that a thread of a GPU loads at once.
Fragment wide(Fragment fragment, std::string_view name) {
  fragment.name = name;
  fragment.template_arguments.push_back(TemplateRole::vector);
  std::replace(fragment.arguments.begin(), fragment.arguments.end(), Role::value_of,
               Role::values_of);
  fragment.in_flight.rest = true;  // all loads of a block go out together
  fragment.cpu_cost.reset();
  return fragment;
}

// A sum for each row of a band, all of which leave at once.
const Fragment band_fragment = {
    .name = "thread_total_band",
    .takes = Shape::none,
    .gives = Shape::done,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::band_rows, TemplateRole::block_cols},
    .arguments = {Role::first, Role::end, Role::step, Role::local, Role::x, Role::column_of,
                  Role::value_of, Role::emit},
    .result_type = {},
    .result_name = {},
    .cpu_cost = TotalCost{0.085, 17.0},
};

// The same where blocks have places that their rows do not have.
const Fragment band_gaps_fragment = {
    .name = "thread_total_band_gaps",
    .takes = Shape::none,
    .gives = Shape::done,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::band_rows, TemplateRole::block_cols},
    .arguments = {Role::first, Role::end, Role::step, Role::local, Role::x, Role::column_of,
                  Role::value_of, Role::term, Role::emit},
    .result_type = {},
    .result_name = {},
    .cpu_cost = TotalCost{0.115, 15.0},
};

// The same of one triangle: the mirror images of blocks are added, too.
const Fragment band_mirrored_fragment = {
    .name = "thread_total_band_mirrored",
    .takes = Shape::none,
    .gives = Shape::done,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::band_rows, TemplateRole::block_cols},
    .arguments = {Role::first, Role::end, Role::row, Role::x, Role::out, Role::column_of,
                  Role::value_of, Role::image_x, Role::has_cell, Role::emit},
    .result_type = {},
    .result_name = {},
    .cpu_cost = TotalCost{0.13, 10.0},
};

const Fragment band_runs_fragment = in_runs(band_fragment, "thread_total_band_runs"),
               band_runs_gaps_fragment = in_runs(band_gaps_fragment, "thread_total_band_runs_gaps");

const Fragment band_wide_fragment = wide(band_fragment, "thread_total_band_wide"),
               band_wide_gaps_fragment = wide(band_gaps_fragment, "thread_total_band_wide_gaps");

/// The call of a thread that loads `vector` values at once.
const Fragment& choose_fragment(const Store& store, int vector) {
  const bool gaps = has_gaps(store);
  if (store.mirrored()) return band_mirrored_fragment;
  if (vector > 1) return gaps ? band_wide_gaps_fragment : band_wide_fragment;
  if (get_bands(store).run > 1) return gaps ? band_runs_gaps_fragment : band_runs_fragment;
  return gaps ? band_gaps_fragment : band_fragment;
}

FragmentStep bands_total(const Store& store, const request::Total& total) {
  return {&choose_fragment(store, total.vector), 0};
}

/// Threads with bands of blocks one behind the other are tiles of their own.
Tiles tiles_of_threads(const Store& store) {
  Tiles tiles;
  const auto threads = static_cast<std::int32_t>(store.level(Level::thread)->parts);
  for (std::int32_t part = 0; part < threads; ++part)
    tiles.push_back({part, part + 1, band_entries(store, part)});
  return tiles;
}

std::shared_ptr<const Tiles> bands_tiles(const Store& store) {
  return store.fact_of_layout<Tiles>([&] {
    if (!has_padded_bands(store) && !get_bands(store).transposed) return tiles_of_threads(store);
    Tiles tiles =
        tiles_of_parents(store, [&](std::int32_t part) { return band_entries(store, part); });
    if (get_bands(store).one_width()) widen(tiles);
    return tiles;
  });
}

/// Puts the blocks of bands into a layout that has arrays already, filled with pads.
class BandWriter {
 public:
  BandWriter(const Store& store, Layout& layout)
      : store_(store),
        layout_(layout),
        first_row_(store.ints({Level::thread, Name::first_row})),
        row_first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.sources()),
        cols_(get_bands(store).block.cols),
        width_(block_width(store)),
        run_(get_bands(store).run),
        cells_(block_cells(store)) {
    DenseBlocks& blocks = layout.blocks.emplace();
    blocks.first_col.assign(layout.stored / cells_, 0);
    if (has_gaps(store)) blocks.bits.assign(layout.stored / cells_, 0);
  }

  /// A thread's blocks, pads up to `width` positions. It is number `local` of a tile that begins at
  /// `base`, or, where threads are not transposed, number 0.
  void write(std::int64_t thread, std::int64_t base, std::int64_t local, std::int64_t width) {
    const std::int32_t row = first_row_[thread], end_row = first_row_[thread + 1];
    const std::int32_t blocks = (row_first_[row + 1] - row_first_[row]) / cols_;
    for (std::int32_t k = 0; k < width / cells_; ++k) {
      const std::int64_t block = base / cells_ + std::int64_t{k} * layout_.stride + local;
      const std::int32_t at = std::min(k, blocks - 1) * cols_;
      const std::int32_t first_col = blocks == 0 ? 0 : column_of_block(row, end_row, at);
      layout_.blocks->first_col[block] = first_col;
      for (std::int32_t r = 0; row + r < end_row; ++r) {
        const auto position = [&](std::int32_t c) { return find_position(k, r, c, base, local); };
        // A cell that the row does not have repeats one that it has, as far as there is any.
        const std::int32_t own = blocks == 0 ? -1 : col_[row_first_[row + r] + at];
        for (std::int32_t c = 0; c < width_; ++c) layout_.column[position(c)] = own;
        if (k >= blocks) continue;
        for (std::int32_t c = 0; c < cols_; ++c) {
          const std::int32_t nz = row_first_[row + r] + at + c;
          if (source_[nz] < 0) continue;
          const std::int32_t cell = col_[nz] - first_col;
          layout_.column[position(cell)] = col_[nz];
          layout_.value_source[position(cell)] = source_[nz];
          if (layout_.blocks->bits.empty()) continue;
          layout_.blocks->bits[block] |= 1u << (r * width_ + cell);
        }
      }
    }
  }

 private:
  /// The position of row r and column c in the k-th block of thread `local`.
  std::int64_t find_position(std::int32_t k, std::int32_t r, std::int32_t c, std::int64_t base,
                             std::int64_t local) const {
    const std::int32_t cell = r * width_ + c;
    const std::int64_t first = std::int64_t{k} * cells_ + cell / run_ * run_;
    return base + first * layout_.stride + local * run_ + cell % run_;
  }

  /// The first column of a block that begins `at` so many positions into the rows [row, end_row).
  std::int32_t column_of_block(std::int32_t row, std::int32_t end_row, std::int32_t at) const {
    std::int32_t first = store_.cols();
    for (; row < end_row; ++row) {
      for (std::int32_t nz = row_first_[row] + at; nz < row_first_[row] + at + cols_; ++nz)
        if (source_[nz] >= 0) first = std::min(first, col_[nz]);
    }
    CHECK(first < store_.cols());  // else a block has no entry
    if (!get_bands(store_).block.at_entries) first = first / cols_ * cols_;
    return std::min(first, store_.cols() - width_);
  }

  const Store& store_;
  Layout& layout_;
  const std::vector<std::int32_t>&first_row_, &row_first_, &col_;
  const Sources source_;
  const std::int32_t cols_, width_, run_, cells_;
};

void write_bands(const Store& store, Layout& layout) {
  const auto tiles = bands_tiles(store);
  const std::vector<std::int64_t> first = first_positions(store, *tiles);
  const bool in_tiles = get_bands(store).transposed;
  if (in_tiles) layout.stride = static_cast<std::int32_t>(count_lanes(store));
  BandWriter writer(store, layout);
  const auto write_one = [&](std::size_t i) {
    const Tile& tile = (*tiles)[i];
    for (std::int32_t part = tile.first_part; part < tile.end_part; ++part) {
      const std::int64_t local = part - tile.first_part;
      if (in_tiles)
        writer.write(part, first[i], local, tile.width);
      else
        writer.write(part, first[i] + local * tile.width, 0, tile.width);
    }
  };
  write_tiles(
      first, layout, [&](std::size_t i) { begin_threads(store, (*tiles)[i], first[i], layout); },
      write_one);
}

Range bands_range(Composition& c) {
  const std::string name = part_name(c.store, c.thread_level());
  const Beginnings beginnings{"block", "_first_block", block_cells(c.store)};
  return get_bands(c.store).transposed ? range_side_by_side(c, name, 1, beginnings)
                                       : range_behind(c, name, beginnings);
}

void add_bands_columns(BranchPlan& plan, const Matrix&, FormatStruct& format) {
  std::vector<std::int32_t>().swap(plan.layout.column);
  format.add("block_first_col", std::move(plan.layout.blocks->first_col),
             "first column of each block", true);
  if (has_gaps(*plan.store)) {
    format.add_u32("stored_places", plan.layout.blocks->bits,
                   fmt::format("bit r * {} + c: row r of the block has its column c",
                               block_width(*plan.store)));
    std::vector<std::uint32_t>().swap(plan.layout.blocks->bits);
  }
  if (plan.store->launch.streamed) format.stream({"block_first_col"});
}

Reads bands_reads(const Store& store) {
  const auto tiles = bands_tiles(store);
  const LevelFacts& threads = *store.level(Level::thread);
  Reads reads;
  reads.stored = count_positions(store, *tiles);
  reads.least = reads.worked = read_positions(*tiles);
  reads.longest = std::int64_t{threads.nz_max} / get_bands(store).block.cols * block_width(store);
  reads.stride = count_lanes(store);
  reads.rows = band_rows(store);
  reads.cols = reads.in_flight = block_width(store);
  reads.before = {{"_first_block", block_cells(store)}};
  reads.arrays = {"value", "thread_first_row"};
  reads.cost = choose_fragment(store, store.vector).cpu_cost;
  return reads;
}

/// Visits the pads behind the bands of threads that have no bits.
bool visit_bands_pads(const Store& store, const PadVisit& visit) {
  if (has_gaps(store) || !has_padded_bands(store)) return false;
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const auto& first_row = store.ints({Level::thread, Name::first_row});
  const auto& row_first = store.ints({Level::matrix, Name::row_first_nz});
  const auto tiles = bands_tiles(store);
  for (const Tile& tile : *tiles) {
    for (std::int32_t part = tile.first_part; part < tile.end_part; ++part) {
      if (band_entries(store, part) == tile.width) continue;
      for (std::int32_t row = first_row[part]; row < first_row[part + 1]; ++row) {
        const std::int32_t end = row_first[row + 1];
        for (std::int32_t nz = std::max(row_first[row], end - get_bands(store).block.cols);
             nz < end; ++nz)
          if (visit(PadRead{row, col[nz]})) return true;
      }
    }
  }
  return false;
}

std::vector<const char*> bands_labels(const Store& store) {
  std::vector<const char*> labels;
  if (has_padded_bands(store)) labels.push_back("padded");
  if (get_bands(store).transposed) labels.push_back("interleaved");
  if (get_bands(store).run > 1) labels.push_back("in_runs");
  labels.push_back("by_band");
  if (get_bands(store).one_width()) labels.push_back("one_width");
  return labels;
}

/// Why the values that are loaded at once do not lie side by side; empty: they do.
std::string vectors_misfit(const Store& store) {
  if (store.vector == 1) return "";
  const int run = get_bands(store).run;
  if (get_bands(store).transposed && run != store.vector)
    return fmt::format("{} values are loaded at once, but runs are of {}", store.vector, run);
  if (block_cells(store) % store.vector == 0) return "";
  return fmt::format("{} values are loaded at once, but a block has {}", store.vector,
                     block_cells(store));
}

std::string bands_misfit(const Store& store) {
  if (get_bands(store).block.rows == 0 || get_bands(store).block != store.blocks)
    return "threads have bands, but none exist";
  const LevelFacts* const threads = store.level(Level::thread);
  if (threads && threads->tiling == Tiling::rows && threads->rows_max <= band_rows(store) &&
      threads->row_multiple % band_rows(store) == 0) {
    return vectors_misfit(store);
  }
  return "threads are said to have a band each, but are cut otherwise";
}

}  // namespace

const LayoutKind Bands::kind = {
    .name = "bands",
    .reply = bands_reply,
    .total = bands_total,
    .write = write_bands,
    .range = bands_range,
    .term = bind_blocks,
    .columns = add_bands_columns,
    .reads = bands_reads,
    .pads = visit_bands_pads,
    .misfit = bands_misfit,
    .labels = bands_labels,
};

}  // namespace alphasparse
