// mix: rows in blocks of one row by several neighbouring columns, which start at any entry, and
// single entries behind them in the same slice.
//
// The blocks of a row are found from left to right: a block starts at the first entry that is in
// none. It must hold `least` entries, else its first one is single. A place that the row does not
// have is a pad of value 0. A block that would hang over the matrix's right edge begins further
// left, so that a thread may load all its columns of x at once.
//
// A warp is a slice. Its threads have as many blocks as the one with most, then as many single
// entries as the one with most. The k-th blocks of all threads lie side by side, each with its
// places together, and so do the k-th single entries.
//
// Pads of a block meet an x that its row need not have. So a block has a bit for each place that
// its row has, and a thread with a sum that is not finite adds up again by the bits. Pads of single
// entries repeat a column of their row.
//
// Example, blocks of 2 columns, at least 2 entries; the rows 0 1 4 and 2 6 of one warp:
//   value   a0 a1 -- --   a4 b2 -- b6: blocks (a0 a1) (-- --), single entries (a4 b2) (-- b6)
//   block_first_col 0 0   column 4 2 4 6
// Sources: SPC5 (Bramas, Kus 2018) has blocks that start at any entry; the order is that of SELL
// (Kreutzer, Hager, Wellein, Fehske, Bishop 2014).
#include <fmt/format.h>

#include <algorithm>

#include "base/ranges.h"
#include "generator/arrays/format_struct.h"
#include "generator/code/composition.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/layout_tiles.h"
#include "generator/layouts/pad_reads.h"
#include "generator/layouts/thread_items.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

const Mix& mix_of(const Store& store) { return *store.lies<Mix>(); }

std::int32_t mix_width(const Store& store) { return mix_of(store).width(store.cols()); }

struct MixFits : UsualAnswers {
  using UsualAnswers::operator();

  /// Why the threads cannot be padded, or nothing.
  std::optional<std::string> cannot_pad() const {
    if (mix_of(store).padded) return padded_already;
    const LevelFacts& threads = *store.level(Level::thread);
    if (threads.parent == Level::warp) return std::nullopt;
    return "the rows lie in no warps, which blocks are padded for; put warp_rows before "
           "thread_rows";
  }

  Result<LayoutChoice> operator()(const asked::Split&) const {
    return refused("the rows lie in blocks already; put it before compress");
  }

  Result<LayoutChoice> operator()(const asked::CutLevel& level) const {
    if (level.cut == Cut::rows) return store.layout;
    return refused("the rows lie in blocks and single entries; cut whole rows");
  }

  Result<LayoutChoice> operator()(const asked::CutThreads& threads) const {
    if (threads.single_rows) return store.layout;
    return refused("a thread has the blocks of one row; use rows=1");
  }

  Result<LayoutChoice> operator()(const asked::Pad& pad) const {
    if (auto why = cannot_pad()) return refused(*why);
    if (pad.own_length)
      return refused("the blocks of a warp are read to the last of them; use length=longest");
    if (pad.multiple != 1) return refused("blocks have their own multiples; use multiple=1");
    Mix padded = mix_of(store);
    padded.padded = true;
    return {padded};
  }

  Result<LayoutChoice> operator()(const asked::LineUp&) const {
    if (auto why = cannot_pad()) return refused(*why);
    return refused("the rows lie in blocks; use thread_pad");
  }

  Result<LayoutChoice> operator()(const asked::Widen& widen) const {
    if (auto why = cannot_widen(store, widen.level, mix_of(store).padded)) return refused(*why);
    return refused("warps have blocks and single entries, whose numbers both differ; leave it out");
  }

  Result<LayoutChoice> operator()(const asked::Transpose& transpose) const {
    if (mix_of(store).transposed) return refused(transposed_already);
    if (!mix_of(store).padded)
      return refused("rows have different numbers of blocks; put thread_pad before it");
    if (transpose.ragged || transpose.run != 1)
      return refused("blocks and single entries lie side by side; use by=equal and run=1");
    Mix transposed = mix_of(store);
    transposed.transposed = true;
    return {transposed};
  }

  Result<LayoutChoice> operator()(const asked::Total& total) const {
    if (auto why = cannot_read_blocks("row", total)) return refused(*why);
    if (mix_of(store).transposed) return store.layout;
    return refused(
        "the blocks of a warp's rows lie apart; put thread_pad and interleave before it");
  }

  Result<LayoutChoice> operator()(const asked::StageX&) const {
    return refused("the entries of a block have no column each");
  }

  Result<LayoutChoice> operator()(const asked::StepColumns&) const {
    return refused("blocks have no column for each entry");
  }
};

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

/// Walks the rows of a store in blocks and single entries.
class RowWalk {
 public:
  explicit RowWalk(const Store& store)
      : first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        width_(mix_width(store)),
        least_(mix_of(store).least_of(store.cols())) {}

  /// Calls block(nz, end_nz) and single(nz) for the parts of a row, from left to right.
  template <class Block, class Single>
  void row(std::int64_t row, const Block& block, const Single& single) const {
    const std::int32_t end = first_[row + 1];
    for (std::int32_t nz = first_[row]; nz < end;) {
      std::int32_t last = nz + 1;
      while (last < end && col_[last] - col_[nz] < width_) ++last;
      if (last - nz < least_) {
        single(nz++);
        continue;
      }
      block(nz, last);
      nz = last;
    }
  }

 private:
  const std::vector<std::int32_t>&first_, &col_;
  const std::int32_t width_, least_;
};

/// The parts of each row.
struct RowParts {
  std::vector<std::int32_t> blocks, singles;
};

std::shared_ptr<const RowParts> parts_of(const Store& store) {
  return store.fact_of_layout<RowParts>([&] {
    RowParts parts{std::vector<std::int32_t>(store.rows(), 0),
                   std::vector<std::int32_t>(store.rows(), 0)};
    const RowWalk walk(store);
    const auto count = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        walk.row(
            row, [&](std::int32_t, std::int32_t) { ++parts.blocks[row]; },
            [&](std::int32_t) { ++parts.singles[row]; });
      }
    };
    for_ranges(store.rows(), count, items_least(store.rows(), store.nnz()));
    return parts;
  });
}

/// Rows with most blocks come first, then those with most single entries.
std::vector<std::int64_t> mix_sizes(const Store& store) {
  const auto parts = parts_of(store);
  std::vector<std::int64_t> sizes;
  for (std::int32_t row = 0; row < store.rows(); ++row)
    sizes.push_back(std::int64_t{parts->blocks[row]} << 32 | parts->singles[row]);
  return sizes;
}

/// The threads of each warp, with the positions of their blocks and single entries.
struct Slices {
  Tiles tiles;
  std::vector<std::int64_t> first_block{0}, first_single{0};  ///< [warps + 1]
};

std::shared_ptr<const Slices> slices_of(const Store& store) {
  return store.fact_of_layout<Slices>([&] {
    const auto parts = parts_of(store);
    const auto& first_row = store.ints({Level::thread, Name::first_row});
    const std::int64_t lanes = lanes_of(store);
    Slices slices{tiles_of_parents(store, [](std::int32_t) { return 0; })};
    for (Tile& tile : slices.tiles) {
      std::int64_t blocks = 0, singles = 0;
      for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit) {
        blocks = std::max<std::int64_t>(blocks, parts->blocks[first_row[unit]]);
        singles = std::max<std::int64_t>(singles, parts->singles[first_row[unit]]);
      }
      tile.width = blocks * mix_width(store) + singles;
      slices.first_block.push_back(slices.first_block.back() + blocks * lanes);
      slices.first_single.push_back(slices.first_single.back() + singles * lanes);
    }
    return slices;
  });
}

/// Puts the rows of warps into a layout that has arrays already, filled with pads.
class MixPlacer {
 public:
  MixPlacer(const Store& store, Layout& layout)
      : walk_(store),
        slices_(*slices_of(store)),
        first_row_(store.ints({Level::thread, Name::first_row})),
        row_first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.sources()),
        width_(mix_width(store)),
        last_col_(std::max(0, store.cols() - width_)),
        layout_(layout) {
    DenseBlocks& blocks = layout.blocks.emplace();
    blocks.first_col.assign(slices_.first_block.back(), 0);
    blocks.bits.assign(slices_.first_block.back(), 0);
  }

  void place(std::size_t warp) {
    const Tile& tile = slices_.tiles[warp];
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit)
      place_row(warp, first_row_[unit], unit - tile.first_unit);
  }

 private:
  void place_row(std::size_t warp, std::int32_t row, std::int32_t lane) {
    std::int64_t block = slices_.first_block[warp] + lane;
    std::int64_t single = slices_.first_single[warp] + lane;
    const std::int64_t before = slices_.first_single[warp];
    const std::int64_t end_block = slices_.first_block[warp + 1];
    std::int32_t first_col = 0;
    // Pads of a row repeat its last column, as far as it has any.
    const std::int32_t own =
        row_first_[row] < row_first_[row + 1] ? col_[row_first_[row + 1] - 1] : 0;
    const auto pad_block = [&] {
      std::fill_n(layout_.column.begin() + block * width_ + before, width_, own);
    };
    walk_.row(
        row,
        [&](std::int32_t nz, std::int32_t end_nz) {
          pad_block();
          first_col = std::min(col_[nz], last_col_);
          layout_.blocks->first_col[block] = first_col;
          for (; nz < end_nz; ++nz) {
            const std::int32_t place = col_[nz] - first_col;
            put(block * width_ + before + place, nz);
            layout_.blocks->bits[block] |= 1u << place;
          }
          block += layout_.stride;
        },
        [&](std::int32_t nz) {
          put(end_block * width_ + single, nz);
          single += layout_.stride;
        });
    for (; block < end_block; block += layout_.stride) {
      pad_block();
      layout_.blocks->first_col[block] = first_col;
    }
    for (; single < slices_.first_single[warp + 1]; single += layout_.stride)
      layout_.column[end_block * width_ + single] = own;
  }

  void put(std::int64_t position, std::int32_t nz) {
    layout_.column[position] = col_[nz];
    layout_.value_source[position] = source_[nz];
  }

  const RowWalk walk_;
  const Slices& slices_;
  const std::vector<std::int32_t>&first_row_, &row_first_, &col_;
  const Sources source_;
  const std::int32_t width_, last_col_;
  Layout& layout_;
};

void place_mix(const Store& store, Layout& layout) {
  CHECK(mix_of(store).transposed);
  const auto slices = slices_of(store);
  const std::vector<std::int64_t> first = first_positions(store, slices->tiles);
  layout.stride = static_cast<std::int32_t>(lanes_of(store));
  MixPlacer placer(store, layout);
  place_tiles(
      first, layout,
      [&](std::size_t i) { begin_threads(store, slices->tiles[i], first[i], layout); },
      [&](std::size_t i) { placer.place(i); });
  layout.empty_lanes = empty_lanes(store, slices->tiles);
}

std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& entries) {
  return {entries.begin(), entries.end()};
}

/// A column for each block, and one for each single entry.
void add_mix_columns(BranchPlan& plan, const Matrix& matrix, FormatStruct& format) {
  const auto slices = slices_of(*plan.store);
  const std::int32_t width = mix_width(*plan.store);
  const std::vector<std::int32_t> all = std::move(plan.layout.column);
  std::vector<std::int32_t> columns;
  columns.reserve(slices->first_single.back());
  for (std::size_t warp = 0; warp < slices->tiles.size(); ++warp) {
    const std::int64_t places = slices->first_block[warp + 1] * width;
    columns.insert(columns.end(), all.begin() + places + slices->first_single[warp],
                   all.begin() + places + slices->first_single[warp + 1]);
  }
  const std::int64_t last_col = std::max(0, matrix.cols - width);
  format.add("block_first_col", std::move(plan.layout.blocks->first_col),
             {"first column of each block", 0, last_col, false, true});
  format.add("column", std::move(columns),
             {"column of each single entry", 0, std::int64_t{matrix.cols} - 1, false, true});
  if (plan.store->launch.streamed) format.stream({"block_first_col", "column"});
}

/// Adds the array that says where the blocks or single entries of each warp begin.
void add_beginnings(Composition& c, const std::string& array, const char* of_what,
                    const std::vector<std::int64_t>& first) {
  const auto count = static_cast<std::int64_t>(first.size());
  c.format.add(array, narrowed(first),
               {fmt::format("first {} of each warp", of_what), 0, first.back(), true});
  require_multiples(c, array, count, c.plan.layout.stride);
}

const char* const first_block = "warp_first_block";
const char* const first_single = "warp_first_single";

/// Puts the functors of blocks and of single entries where the body finds them.
Code bind_mix(Composition& c) {
  const auto slices = slices_of(c.store);
  const std::int32_t width = mix_width(c.store);
  add_beginnings(c, first_block, "block", slices->first_block);
  add_beginnings(c, first_single, "single entry", slices->first_single);
  const std::vector<std::uint32_t>& bits = c.plan.layout.blocks->bits;
  c.format.add("block_places", {bits.begin(), bits.end()},
               {"bit c: the row of the block has its column c", 0, (1 << width) - 1, false});
  const auto bind = [&](const char* name, const char* array) {
    c.slots[0].bind(
        "const auto", name,
        code("[&](auto block) {{ return {}; }}", c.format.read_lanes(array, "block", true)));
  };
  bind("column_of", "block_first_col");
  bind("bits_of", "block_places");
  Slot& slot = c.slots.back();
  slot.bind("const int", "first_single", c.format.read(first_single, "$warp"));
  slot.bind("const int", "end_places",
            code("{} * {}", width, c.format.read(first_block, "$warp + 1")));
  slot.bind("const auto", "value_of",
            code("[&](auto place) {{ return {}; }}",
                 c.format.read_runs("value", "$first_single + place")));
  slot.bind("const auto", "term",
            code("[&](auto entry) {{\n  return {} * {}($x, {});\n}}",
                 c.format.read_lanes("value", "$end_places + entry", false), c.use("gather"),
                 c.format.read_lanes("column", "entry", true)));
  return {};
}

Items mix_items(Composition& c) {
  Items items;
  items.first = code("$first_single + {}", c.lane());
  items.end = c.format.read(first_single, "$warp + 1");
  items.step = code("{}", c.plan.layout.stride);
  items.first_block = code("{} + {}", c.format.read(first_block, "$warp"), c.lane());
  items.end_block = c.format.read(first_block, "$warp + 1");
  return items;
}

Reads mix_reads(const Store& store) {
  const auto slices = slices_of(store);
  Reads reads;
  reads.stored = positions_of(store, slices->tiles);
  reads.least = reads.worked = read_positions(slices->tiles);
  reads.longest = store.row_facts().length_max;
  reads.cols = mix_width(store);
  reads.stride = lanes_of(store) * reads.cols;
  reads.before = {{"_first_block", reads.cols}, {"_first_single", 1}};
  reads.arrays = {"value", "column", "block_first_col"};
  reads.cost = mix_fragment.cpu_cost;
  return reads;
}

/// Visits the pads behind single entries: those of blocks have no bit.
bool visit_mix_pads(const Store& store, const PadVisit& visit) {
  const auto parts = parts_of(store);
  const auto slices = slices_of(store);
  const std::int64_t lanes = lanes_of(store);
  const auto& first_row = store.ints({Level::thread, Name::first_row});
  const auto& row_first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  for (std::size_t warp = 0; warp < slices->tiles.size(); ++warp) {
    const Tile& tile = slices->tiles[warp];
    const std::int64_t singles =
        (slices->first_single[warp + 1] - slices->first_single[warp]) / lanes;
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit) {
      const std::int32_t row = first_row[unit], end = row_first[row + 1];
      const bool adds = row_first[row] < end && parts->singles[row] < singles;
      if (adds && visit(PadRead{row, col[end - 1]})) return true;
    }
  }
  return false;
}

std::string mix_misfit(const Store& store) {
  const LevelFacts* const threads = store.level(Level::thread);
  if (!threads) return mix_of(store).padded ? no_threads_of_entries : "";
  if (threads->cut != Cut::rows || threads->rows_max > 1)
    return "rows lie in blocks, but threads have other parts of the matrix";
  if (!mix_of(store).padded || threads->parent == Level::warp) return "";
  return "blocks are padded for warps, but the threads lie in none";
}

std::vector<const char*> mix_words(const Store& store) {
  std::vector<const char*> words;
  if (mix_of(store).padded) words.push_back("padded");
  if (mix_of(store).transposed) words.push_back("interleaved");
  words.push_back("mix");
  return words;
}

}  // namespace

int Mix::width(std::int32_t matrix_cols) const {
  int stored = cols;
  while (stored > 2 && stored > matrix_cols) stored /= 2;
  return stored;
}

int Mix::least_of(std::int32_t matrix_cols) const {
  const int stored = width(matrix_cols);
  return matrix_cols < stored ? stored + 1 : std::min(least, stored);  // more than all: no blocks
}

const LayoutKind Mix::kind = {
    .name = "mix",
    .fits = [](const Store& store,
               const Request& request) { return std::visit(MixFits{{store}}, request); },
    .total =
        [](const Store&, const asked::Total&) {
          return FragmentStep{&mix_fragment, 0};
        },
    .place = place_mix,
    .items = mix_items,
    .term = bind_mix,
    .columns = add_mix_columns,
    .reads = mix_reads,
    .pads = visit_mix_pads,
    .misfit = mix_misfit,
    .fault = Mix::fault,
    .words = mix_words,
    .sizes = mix_sizes,
};

}  // namespace alphasparse
