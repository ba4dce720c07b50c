// tiled: the threads of one parent are a tile. They are padded to one length, or cut by equal
// non-zeros, and lie one behind the other or transposed.
//
// A thread reads an arithmetic progression of stored positions. A pad has value 0 and repeats a
// column of its own row (positions.h).
//
// Example, rows of lengths 1 and 2 padded and transposed by two threads (-: pad of row 0):
//   stored positions  0: row 0 first   1: row 1 first   2: -   3: row 1 second
#include <fmt/format.h>

#include <algorithm>

#include "generator/code/composition.h"
#include "generator/layouts/entry_columns.h"
#include "generator/layouts/entry_terms.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/layout_tiles.h"
#include "generator/layouts/part_writer.h"
#include "generator/layouts/thread_range.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

const Tiled& tiled(const Store& store) { return *store.layout_as<Tiled>(); }

struct TiledReply : UsualAnswers {
  using UsualAnswers::operator();

  const LevelFacts& threads() const { return *store.level(Level::thread); }

  /// Why equal non-zeros are no whole number of runs, or nothing.
  std::optional<std::string> no_whole_runs(const char* parameter, int run) const {
    const std::int32_t part_size = threads().part_size;
    if (part_size % run == 0) return std::nullopt;
    if (part_size == 1) return fmt::format("a thread has one non-zero; use {}=1", parameter);
    return fmt::format("a thread's {} non-zeros are no multiple of {}; use thread_nnz nnz={}",
                       part_size, run, rounded_up(part_size, run));
  }

  /// Why the threads cannot be padded, or nothing.
  std::optional<std::string> cannot_pad() const {
    if (tiled(store).padding) return padded_already;
    if (tiled(store).run > 0) return pad_before_transposed;
    return std::nullopt;
  }

  Result<LayoutChoice> operator()(const request::Pad&) const {
    return reject(cannot_pad().value_or("threads of equal non-zeros need no pad"));
  }

  Result<LayoutChoice> operator()(const request::LineUp&) const {
    return reject(cannot_pad().value_or("a thread has a part of a row; use thread_rows rows=1"));
  }

  Result<LayoutChoice> operator()(const request::Widen& widen) const {
    const bool padded = tiled(store).padding.has_value();
    if (auto reason = cannot_widen(store, widen.level, padded)) return reject(*reason);
    if (tiled(store).padding->one_width) return reject(widened_already(widen.level));
    Tiled wide = tiled(store);
    wide.padding->one_width = true;
    return {wide};
  }

  Result<LayoutChoice> operator()(const request::Transpose& transpose) const {
    if (auto reason = cannot_take_runs(store, transpose.run)) return reject(*reason);
    if (tiled(store).run > 0) return reject(transposed_already);
    const bool by_nnz = threads().tiling == Tiling::nnz;
    if (transpose.ragged) {
      if (transpose.run > 1) return reject(no_ragged_runs);
      return reject(by_nnz ? "threads of equal non-zeros leave nothing ragged; use by=equal"
                           : "padded threads leave nothing ragged; use by=equal");
    }
    if (auto reason = by_nnz ? no_whole_runs("run", transpose.run) : std::nullopt)
      return reject(*reason);
    if (!by_nnz && tiled(store).multiple() % transpose.run != 0)
      return reject(no_multiples(transpose.run));
    return {Tiled{tiled(store).padding, transpose.run}};
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    const int run = tiled(store).run, vector = total.vector;
    if (run > 1 && vector != run)
      return reject(fmt::format("a thread's entries lie in runs of {0}; use vector={0}", run));
    if (auto reason = cannot_load(store, vector)) return reject(*reason);
    const bool by_nnz = threads().tiling == Tiling::nnz;
    if (auto reason = by_nnz ? no_whole_runs("vector", vector) : std::nullopt)
      return reject(*reason);
    if (run == 1 && vector > 1)
      return reject(fmt::format("a thread's entries lie apart; use interleave run={}", vector));
    if (by_nnz) return store.layout;
    const int equal = threads().nz_min == threads().nz_max ? threads().nz_max : 1;
    const int multiple = tiled(store).padding ? tiled(store).multiple() : equal;
    if (auto reason = cannot_load_neighbours(store, vector, multiple)) return reject(*reason);
    return store.layout;
  }
};

std::shared_ptr<const Tiles> tiled_tiles(const Store& store) {
  return store.fact_of_layout<Tiles>([&] {
    const auto& first_nz = store.ints({Level::thread, Name::first_nz});
    Tiles tiles = tiles_of_parents(
        store, [&](std::int32_t part) { return first_nz[part + 1] - first_nz[part]; });
    for (Tile& tile : tiles) tile.width = rounded_up(tile.width, tiled(store).multiple());
    if (tiled(store).one_width()) widen(tiles);
    return tiles;
  });
}

void write_tiled(const Store& store, Layout& layout) {
  const Tiled& choice = tiled(store);
  const auto tiles = tiled_tiles(store);
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const std::vector<std::int64_t> first = first_positions(store, *tiles);
  const bool in_tiles = choice.side_by_side();
  const std::int64_t lanes = count_lanes(store), run = choice.neighbours();
  if (in_tiles) layout.stride = static_cast<std::int32_t>(lanes * run);
  if (!choice.stops_alone()) layout.width = common_width(*tiles);
  layout.first_entry.reserve(1 + (in_tiles ? tiles->size() : threads.parts));
  const PartWriter writer(store, first_nz, layout, run);
  const bool fills_tiles = threads.tiling == Tiling::nnz && has_all_lanes(store);
  const std::int32_t no_column = choice.stops_alone() || store.gang() > 0 ? 0 : -1;
  const auto begin = [&](std::size_t i) { begin_threads(store, (*tiles)[i], first[i], layout); };
  write_tiles(first, layout, begin, [&](std::size_t i) {
    const Tile& tile = (*tiles)[i];
    const std::int64_t base = first[i], count = tile.end_part - tile.first_part;
    const std::int64_t last_nz = count > 0 ? first_nz[tile.end_part] - 1 : -1;
    // Behind a tile of equal non-zeros stands the row of its last one.
    const bool by_nnz = threads.tiling == Tiling::nnz && last_nz >= 0;
    const std::int64_t next = in_tiles ? run : tile.width, next_run = in_tiles ? lanes * run : run;
    writer.write(
        tile, fills_tiles && last_nz >= 0 ? std::max(lanes, count) : count,
        by_nnz ? col[last_nz] : no_column, [&](std::int64_t) { return tile.width; },
        [=](std::int64_t local, std::int64_t s) { return base + local * next + s * next_run; });
  });
  if (store.gang() > 0 && choice.padding) layout.empty_lanes = empty_lanes(store, *tiles);
}

/// The range of threads that stop at their own end: as if padded, but for the end.
Range own_range(Composition& c, const std::string& name, Range range) {
  const auto& first_nz = c.store.ints({Level::thread, Name::first_nz});
  const int multiple = tiled(c.store).multiple();
  std::vector<std::int32_t> lengths;
  for (std::int64_t part = 0; part < c.thread_level().parts; ++part)
    lengths.push_back(
        static_cast<std::int32_t>(rounded_up(first_nz[part + 1] - first_nz[part], multiple)));
  std::string doc = fmt::format("non-zeros of each {}", name);
  if (multiple > 1) doc += fmt::format(", rounded up to a multiple of {}", multiple);
  c.format.add(name + "_length", std::move(lengths), doc);
  const Code part = Code::named(name);
  if (!(range.first == part)) {
    c.slots.back().bind("const int", "first", range.first);
    range.first = "$first";
  }
  Code length = c.format.read(name + "_length", part);
  if (tiled(c.store).side_by_side())
    length = code("{} * {}", c.plan.layout.stride / tiled(c.store).neighbours(), length);
  range.end = code("{} + {}", range.first, length);
  return range;
}

Range tiled_range(Composition& c) {
  const std::string name = part_name(c.store, c.thread_level());
  const Range range = tiled(c.store).side_by_side()
                          ? range_side_by_side(c, name, tiled(c.store).neighbours())
                          : range_behind(c, name);
  return tiled(c.store).stops_alone() ? own_range(c, name, range) : range;
}

Reads tiled_reads(const Store& store) {
  const auto tiles = tiled_tiles(store);
  Reads reads;
  reads.stored = count_positions(store, *tiles);
  const bool reads_pads = tiled(store).padding && !tiled(store).stops_alone();
  reads.least = reads.worked = reads_pads ? read_positions(*tiles) : store.nnz();
  reads.longest = store.level(Level::thread)->nz_max;
  reads.stride = count_lanes(store) * tiled(store).neighbours();
  reads.arrays = entry_arrays();
  const bool in_tiles = tiled(store).side_by_side();
  const bool is_atomic = !in_tiles && store.epilogue == "global_atomic";
  const char* const alone = is_atomic ? "atomic" : "scalar";
  add_cost(store, in_tiles && store.gang() > 0 ? "gang" : alone, reads);
  return reads;
}

/// Visits the pads behind each thread's entries that it adds up.
bool visit_tiled_pads(const Store& store, const PadVisit& visit) {
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const auto& first_row = store.ints({Level::thread, Name::first_row});
  const auto& row_first = store.ints({Level::matrix, Name::row_first_nz});
  const bool fills_tiles =
      store.level(Level::thread)->tiling == Tiling::nnz && has_all_lanes(store);
  const std::int64_t lanes = count_lanes(store);
  const PadColumns pad_columns(store, first_nz);
  const auto tiles = tiled_tiles(store);
  for (const Tile& tile : *tiles) {
    for (std::int32_t part = tile.first_part; part < tile.end_part; ++part) {
      const std::int64_t length = first_nz[part + 1] - first_nz[part];
      const std::int64_t read =
          tiled(store).stops_alone() ? rounded_up(length, tiled(store).multiple()) : tile.width;
      // Lanes behind the last thread of a full tile add pads of its row.
      const bool is_followed =
          fills_tiles && part + 1 == tile.end_part && lanes > tile.end_part - tile.first_part;
      if (length == 0 || (length == read && !is_followed)) continue;
      std::int32_t row = first_row[part];
      while (row_first[row + 1] < first_nz[part + 1]) ++row;
      if (visit(PadRead{row, pad_columns.of(part)})) return true;
    }
  }
  return visit_fill(store, visit);
}

std::vector<const char*> tiled_labels(const Store& store) {
  std::vector<const char*> labels;
  if (tiled(store).padding) labels.push_back("padded");
  if (tiled(store).run > 0) labels.push_back("interleaved");
  if (tiled(store).stops_alone()) labels.push_back("own_lengths");
  if (tiled(store).one_width()) labels.push_back("one_width");
  return labels;
}

std::string tiled_misfit(const Store& store) {
  if (!has_threads_of_entries(store)) return no_threads_of_entries;
  const int run = tiled(store).run;
  if (run == 0 || store.vector == 1 || run == store.vector) return "";
  return fmt::format("{} entries are loaded at once, but runs are of {}", store.vector, run);
}

}  // namespace

const LayoutKind Tiled::kind = {
    .name = "tiled",
    .reply = [](const Store& store,
                const Request& request) { return std::visit(TiledReply{{store}}, request); },
    .total = total_of_entries,
    .write = write_tiled,
    .range = tiled_range,
    .term = [](Composition& c) { return bind_entry_term(c, tiled(c.store).side_by_side()); },
    .columns = add_entry_columns,
    .reads = tiled_reads,
    .pads = visit_tiled_pads,
    .misfit = tiled_misfit,
    .labels = tiled_labels,
};

}  // namespace alphasparse
