#include "generator/layouts/kinds/diagonals.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/arrays/format_struct.h"
#include "generator/code/composition.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/layout_tiles.h"
#include "generator/layouts/pad_reads.h"
#include "generator/layouts/thread_range.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

Diagonals find_diagonals(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_child = store.ints({threads.parent, Name::first_child});
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  Diagonals diagonals;
  diagonals.first.reserve(first_child.size());
  for (std::size_t warp = 0; warp + 1 < first_child.size(); ++warp) {
    for (std::int32_t row = first_child[warp]; row < first_child[warp + 1]; ++row) {
      for (std::int32_t nz = first_nz[row]; nz < first_nz[row + 1]; ++nz)
        diagonals.column.push_back(col[nz] - (row - first_child[warp]));
    }
    const auto begin = diagonals.column.begin() + diagonals.first.back();
    std::sort(begin, diagonals.column.end());
    diagonals.column.erase(std::unique(begin, diagonals.column.end()), diagonals.column.end());
    diagonals.first.push_back(static_cast<std::int32_t>(diagonals.column.size()));
  }
  return diagonals;
}

/// A bit for each stored position, 32 a word, the first the lowest: whether an entry is there.
std::vector<std::uint32_t> entry_bits(const std::vector<std::int32_t>& value_source) {
  std::vector<std::uint32_t> bits((value_source.size() + 31) / 32, 0);
  for (std::size_t position = 0; position < value_source.size(); ++position) {
    if (value_source[position] >= 0) bits[position / 32] |= 1u << position % 32;
  }
  return bits;
}

// More fill than this cannot pay: a slice of SELL would gather x in less time.
constexpr std::int64_t diagonal_growth_max = 4;
constexpr std::int64_t diagonal_fill_free = 1 << 19;

}  // namespace

std::shared_ptr<const Diagonals> get_diagonals(const Store& store) {
  return store.fact<Diagonals>([&] { return find_diagonals(store); });
}

std::optional<std::string> not_rows_of_warps(const LevelFacts& threads) {
  if (threads.tiling != Tiling::rows) return "a thread has a part of a row; use thread_rows rows=1";
  if (threads.parent == Level::warp) return std::nullopt;
  return "the threads lie in no warps, whose diagonals they could have; put warp_rows before "
         "thread_rows";
}

std::optional<std::string> cannot_line_up(const Store& store) {
  if (auto reason = not_rows_of_warps(*store.level(Level::thread))) return reason;
  if (store.filled) return "the branch has fill, which bits leave out; put compress before it";
  if (store.mirrored())
    return "mirror images are added to the rows that columns name; use thread_pad";
  if (store.staged != StagedX::none) return "diagonals read x in order; leave stage_x out";
  if (store.gathers_x()) return "the columns were renumbered, so diagonals are no lines any more";
  Store placed = store;
  placed.layout = WarpDiagonals{false, true};
  const std::int64_t positions = layout_kind(placed).reads(placed).stored;
  if (positions <= store.nnz() * diagonal_growth_max + diagonal_fill_free) return std::nullopt;
  return fmt::format(
      "the diagonals of its warps have {} positions, of {} non-zeros; use thread_pad", positions,
      store.nnz());
}

namespace {

const WarpDiagonals& get_lines(const Store& store) { return *store.layout_as<WarpDiagonals>(); }

struct DiagonalsReply : UsualAnswers {
  using UsualAnswers::operator();

  Result<LayoutChoice> operator()(const request::Pad&) const { return reject(padded_already); }
  Result<LayoutChoice> operator()(const request::LineUp&) const { return reject(padded_already); }

  Result<LayoutChoice> operator()(const request::Widen& widen) const {
    if (auto reason = cannot_widen(store, widen.level, true)) return reject(*reason);
    if (get_lines(store).all_warps) return reject(widened_already(widen.level));
    return {WarpDiagonals{true, get_lines(store).transposed}};
  }

  Result<LayoutChoice> operator()(const request::Transpose& transpose) const {
    if (get_lines(store).transposed) return reject(transposed_already);
    if (transpose.run != 1) return reject("a lane has one entry on a diagonal; use run=1");
    if (transpose.ragged) return reject("padded threads leave nothing ragged; use by=equal");
    return {WarpDiagonals{get_lines(store).all_warps, true}};
  }

  Result<LayoutChoice> operator()(const request::StageX&) const {
    return reject("diagonals read x in order already; leave it out");
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    if (total.by_hardware) return reject("x is read in order along a diagonal; use gather=lanes");
    if (!get_lines(store).transposed)
      return reject("the lanes' entries of a diagonal lie apart; put interleave before it");
    if (total.vector > 1) return reject("a lane has one entry on a diagonal; use vector=1");
    return store.layout;
  }

  Result<LayoutChoice> operator()(const request::StepColumns&) const {
    return reject("a diagonal has one column for all its entries");
  }
};

std::shared_ptr<const Tiles> diagonals_tiles(const Store& store) {
  return store.fact_of_layout<Tiles>([&] {
    const auto diagonals = get_diagonals(store);
    Tiles tiles = tiles_of_parents(store, [](std::int32_t) { return 0; });
    for (std::size_t warp = 0; warp < tiles.size(); ++warp)
      tiles[warp].width = diagonals->first[warp + 1] - diagonals->first[warp];
    if (get_lines(store).all_warps) widen(tiles);
    return tiles;
  });
}

/// Step k of a tile is its k-th diagonal; a position that is not stored there has column -1. Behind
/// the last diagonal the column of a diagonal is 0.
void write_diagonals(const Store& store, Layout& layout) {
  CHECK(get_lines(store).transposed);
  const auto tiles = diagonals_tiles(store);
  const auto diagonals = get_diagonals(store);
  const std::vector<std::int64_t> first = first_positions(store, *tiles);
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const Sources source = store.sources();
  layout.stride = static_cast<std::int32_t>(count_lanes(store));
  layout.width = common_width(*tiles);
  const auto begin = [&](std::size_t i) {
    layout.first_entry.push_back(static_cast<std::int32_t>(first[i]));
    const auto columns = diagonals->column.begin();
    layout.diagonal_column.insert(layout.diagonal_column.end(), columns + diagonals->first[i],
                                  columns + diagonals->first[i + 1]);
    const std::int64_t width = diagonals->first[i + 1] - diagonals->first[i];
    layout.diagonal_column.resize(layout.diagonal_column.size() + (*tiles)[i].width - width, 0);
  };
  const auto write_one = [&](std::size_t i) {
    const Tile& tile = (*tiles)[i];
    std::fill_n(layout.column.begin() + first[i], tile.width * layout.stride, -1);
    const std::int32_t* const column = diagonals->column.data() + diagonals->first[i];
    const std::int32_t* const end = diagonals->column.data() + diagonals->first[i + 1];
    for (std::int32_t part = tile.first_part; part < tile.end_part; ++part) {
      const std::int32_t lane = part - tile.first_part;
      for (std::int32_t nz = first_nz[part]; nz < first_nz[part + 1]; ++nz) {
        const std::int64_t k = std::lower_bound(column, end, col[nz] - lane) - column;
        layout.column[first[i] + k * layout.stride + lane] = col[nz];
        layout.value_source[first[i] + k * layout.stride + lane] = source[nz];
      }
    }
  };
  write_tiles(first, layout, begin, write_one);
  layout.entry_bits = entry_bits(layout.value_source);
}

/// A column for each diagonal, and a bit for each of its positions.
void add_diagonals_columns(BranchPlan& plan, const Matrix&, FormatStruct& format) {
  std::vector<std::int32_t>().swap(plan.layout.column);
  format.add("diagonal_column", plan.layout.diagonal_column,
             "column of x that lane 0 has on each diagonal, or would have", true);
  format.add_u32("entry_bits", std::move(plan.layout.entry_bits),
                 "bit p % 32 of word p / 32: there is an entry at position p");
  if (plan.store->launch.streamed) format.stream({"diagonal_column", "entry_bits"});
}

/// An entry of the lane's diagonal: neighbouring lanes meet neighbours in x.
Code bind_diagonal_term(Composition& c) {
  const int lanes = c.plan.layout.stride;
  const Code bits = c.format.read("entry_bits", "$word");
  const char* const comment = "A lane whose bit is not set has no entry on the diagonal.";
  if (c.gang > 0) {
    const Code column = c.format.read("diagonal_column", code("unsigned(entry.first) / {}", lanes));
    c.slots[0].bind("const auto", "bits_of", c.functor("word", bits));
    c.slots[0].bind("const auto", "term",
                    code("[&](auto entry) {{\n"
                         "  return {} * {}($x, {}, {}, entry, $bits_of);\n"
                         "}}",
                         c.format.read_lanes("value", "entry", true), c.use("diagonal"),
                         c.store.cols(), column),
                    comment);
    return {};
  }
  c.slots[0].bind("const auto", "term",
                  code("[&](int entry) {{\n"
                       "  const int word = entry / 32, diagonal = entry / {0};\n"
                       "  const bool is_there = {1} >> entry % 32 & 1;\n"
                       "  const int column = {3} + entry % {0};\n"
                       "  const Value product = {2} * $x[is_there ? column : 0];\n"
                       "  return is_there ? product : Value(0);\n"
                       "}}",
                       lanes, bits, c.format.read("value", "entry"),
                       c.format.read("diagonal_column", "diagonal"))
                      .binding({"word"}),
                  comment);
  return {};
}

Range diagonals_range(Composition& c) {
  return range_side_by_side(c, part_name(c.store, c.thread_level()), 1);
}

Reads diagonals_reads(const Store& store) {
  Reads reads;
  reads.stored = reads.worked = count_positions(store, *diagonals_tiles(store));
  reads.least = store.nnz();
  reads.longest = store.level(Level::thread)->nz_max;
  reads.stride = count_lanes(store);
  reads.x_in_order = true;
  reads.arrays = entry_arrays();
  add_cost(store, store.gang() > 0 ? "diagonals" : "scalar", reads);
  return reads;
}

std::vector<const char*> diagonals_labels(const Store& store) {
  std::vector<const char*> labels{"padded"};
  if (get_lines(store).transposed) labels.push_back("interleaved");
  if (get_lines(store).all_warps) labels.push_back("one_width");
  labels.push_back("diagonals");
  return labels;
}

std::string diagonals_misfit(const Store& store) {
  if (!has_threads_of_entries(store)) return no_threads_of_entries;
  const LevelFacts& threads = *store.level(Level::thread);
  if (!not_rows_of_warps(threads) && threads.rows_max <= 1) return "";
  return "by diagonals of warps, but the threads are no rows of warps";
}

}  // namespace

const LayoutKind WarpDiagonals::kind = {
    .name = "warp_diagonals",
    .reply = [](const Store& store,
                const Request& request) { return std::visit(DiagonalsReply{{store}}, request); },
    .total = total_of_entries,
    .write = write_diagonals,
    .range = diagonals_range,
    .term = bind_diagonal_term,
    .columns = add_diagonals_columns,
    .reads = diagonals_reads,
    .pads = visit_fill,
    .misfit = diagonals_misfit,
    .labels = diagonals_labels,
};

}  // namespace alphasparse
