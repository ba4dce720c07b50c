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
#include <array>

#include "base/ranges.h"
#include "generator/code/composition.h"
#include "generator/layouts/entry_columns.h"
#include "generator/layouts/entry_terms.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/layout_tiles.h"
#include "generator/layouts/pad_reads.h"
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
    if (auto reason = cannot_pad()) return reject(*reason);
    return reject("threads of equal non-zeros need no pad");
  }

  Result<LayoutChoice> operator()(const request::LineUp&) const {
    if (auto reason = cannot_pad()) return reject(*reason);
    return reject("a thread has a part of a row; use thread_rows rows=1");
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
    if (by_nnz) {
      if (auto reason = no_whole_runs("run", transpose.run)) return reject(*reason);
    } else if (tiled(store).multiple() % transpose.run != 0) {
      return reject(no_multiples(transpose.run));
    }
    return {Tiled{tiled(store).padding, transpose.run}};
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    const int run = tiled(store).run, vector = total.vector;
    if (run > 1 && vector != run) {
      return reject(fmt::format("a thread's entries lie in runs of {0}; use vector={0}", run));
    }
    if (auto reason = cannot_load(store, vector)) return reject(*reason);
    const bool by_nnz = threads().tiling == Tiling::nnz;
    if (by_nnz) {
      if (auto reason = no_whole_runs("vector", vector)) return reject(*reason);
    }
    if (run == 1 && vector > 1) {
      return reject(fmt::format("a thread's entries lie apart; use interleave run={}", vector));
    }
    if (by_nnz) return store.layout;
    const bool equal = threads().nz_min == threads().nz_max;
    const int multiple = tiled(store).padding ? tiled(store).multiple()
                         : equal              ? threads().nz_max
                                              : 1;
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

/// Fills positions with the non-zeros of threads, and with pads.
class TileWriter {
 public:
  TileWriter(const Store& store, Layout& layout)
      : threads_(*store.level(Level::thread)),
        first_nz_(store.ints({Level::thread, Name::first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.sources()),
        pad_columns_(store),
        side_by_side_(tiled(store).side_by_side()),
        never_added_(tiled(store).stops_alone() || store.gang() > 0),
        all_lanes_(has_all_lanes(store)),
        run_(tiled(store).neighbours()),
        lanes_(lanes_of(store)),
        layout_(layout) {}

  /// Threads of equal length, `lanes` of them side by side.
  void write(const Tile& tile, std::int64_t base) {
    // Behind a tile cut by non-zeros stands the row of its last one; an empty row has no column.
    const std::int32_t last_nz =
        tile.first_part < tile.end_part ? first_nz_[tile.end_part] - 1 : -1;
    const bool completes = threads_.tiling == Tiling::nnz && last_nz >= 0;
    const std::int32_t pad_column = completes ? col_[last_nz] : never_added_ ? 0 : -1;
    const std::int64_t threads = tile.end_part - tile.first_part;
    const std::int64_t end = all_lanes_ && completes ? std::max(lanes_, threads) : threads;
    const auto lane_of = [&](std::int64_t local) {
      if (local >= threads) return Lane{0, 0, pad_column};  // behind the last thread: pads too
      const std::int64_t part = tile.first_part + local;
      const std::int32_t nz = first_nz_[part], length = first_nz_[part + 1] - nz;
      return Lane{nz, length, length > 0 ? pad_columns_.of(part) : pad_column};
    };
    const std::int64_t groups = (end + group_lanes - 1) / group_lanes;
    const auto write_some = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t group = first; group < last; ++group) {
        Group lanes;
        const std::int64_t local = group * group_lanes;
        const std::int64_t count = std::min(end - local, group_lanes);
        for (std::int64_t i = 0; i < count; ++i) lanes[i] = lane_of(local + i);
        write(lanes, count, tile.width, base + local * (side_by_side_ ? run_ : tile.width));
      }
    };
    for_ranges(groups, write_some, grain_size(groups, end * tile.width));
  }

 private:
  /// The entries of a thread, of its tile's width with pads.
  struct Lane {
    std::int32_t nz, length, pad_column;
  };

  /// So many threads side by side fill whole lines of memory at a time.
  static constexpr std::int64_t group_lanes = 16;
  using Group = std::array<Lane, group_lanes>;

  void write(const Group& lanes, std::int64_t count, std::int64_t width, std::int64_t base) {
    const std::int64_t next_lane = side_by_side_ ? run_ : width;
    const std::int64_t next_run = side_by_side_ ? layout_.stride : run_;
    for (std::int64_t k = 0; k < width; k += run_, base += next_run) {
      for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t j = 0; j < std::min(run_, width - k); ++j)
          put(lanes[i], k + j, base + i * next_lane + j);
      }
    }
  }

  void put(const Lane& lane, std::int64_t k, std::int64_t position) {
    const bool is_pad = k >= lane.length;
    layout_.column[position] = is_pad ? lane.pad_column : col_[lane.nz + k];
    layout_.value_source[position] = is_pad ? -1 : source_[lane.nz + k];
  }

  const LevelFacts& threads_;
  const std::vector<std::int32_t>&first_nz_, &col_;
  const Sources source_;
  const PadColumns pad_columns_;
  const bool side_by_side_, never_added_, all_lanes_;
  const std::int64_t run_, lanes_;
  Layout& layout_;
};

void write_tiled(const Store& store, Layout& layout) {
  const auto tiles = tiled_tiles(store);
  const std::vector<std::int64_t> first = first_positions(store, *tiles);
  if (tiled(store).side_by_side())
    layout.stride = static_cast<std::int32_t>(lanes_of(store) * tiled(store).neighbours());
  if (!tiled(store).stops_alone()) layout.width = common_width(*tiles);
  const auto parts = static_cast<std::size_t>(store.level(Level::thread)->parts);
  layout.first_entry.reserve(1 + (tiled(store).side_by_side() ? tiles->size() : parts));
  TileWriter writer(store, layout);
  write_tiles(
      first, layout, [&](std::size_t i) { begin_threads(store, (*tiles)[i], first[i], layout); },
      [&](std::size_t i) { writer.write((*tiles)[i], first[i]); });
  if (store.gang() > 0 && tiled(store).padding) layout.empty_lanes = empty_lanes(store, *tiles);
}

/// The ends of threads that stop at their own end.
class OwnRange {
 public:
  OwnRange(Composition& composition, std::string name)
      : c_(composition), threads_(composition.thread_level()), name_(std::move(name)) {}

  /// As if padded, but the end is the thread's own.
  Range write(Range range) {
    const auto& first_nz = c_.store.ints({Level::thread, Name::first_nz});
    const int multiple = tiled(c_.store).multiple();
    std::vector<std::int32_t> lengths;
    for (std::int64_t part = 0; part < threads_.parts; ++part) {
      const std::int32_t length = first_nz[part + 1] - first_nz[part];
      lengths.push_back((length + multiple - 1) / multiple * multiple);
    }
    const std::string array = name_ + "_length";
    std::string doc = fmt::format("non-zeros of each {}", name_);
    if (multiple > 1) doc += fmt::format(", rounded up to a multiple of {}", multiple);
    c_.format.add(array, std::move(lengths), doc);
    const Code part = Code::named(name_);
    if (!(range.first == part)) {
      c_.slots.back().bind("const int", "first", range.first);
      range.first = "$first";
    }
    Code length = c_.format.read(array, part);
    if (tiled(c_.store).side_by_side())
      length = code("{} * {}", c_.plan.layout.stride / tiled(c_.store).neighbours(), length);
    range.end = code("{} + {}", range.first, length);
    return range;
  }

 private:
  Composition& c_;
  const LevelFacts& threads_;
  std::string name_;
};

Range tiled_range(Composition& c) {
  const std::string name = part_name(c.store, c.thread_level());
  const Range range = tiled(c.store).side_by_side()
                          ? range_side_by_side(c, name, tiled(c.store).neighbours())
                          : range_behind(c, name);
  return tiled(c.store).stops_alone() ? OwnRange(c, name).write(range) : range;
}

Reads tiled_reads(const Store& store) {
  const auto tiles = tiled_tiles(store);
  Reads reads;
  reads.stored = positions_of(store, *tiles);
  const bool reads_pads = tiled(store).padding && !tiled(store).stops_alone();
  reads.least = reads.worked = reads_pads ? read_positions(*tiles) : store.nnz();
  reads.longest = store.level(Level::thread)->nz_max;
  reads.stride = lanes_of(store) * tiled(store).neighbours();
  reads.arrays = entry_arrays();
  const bool in_tiles = tiled(store).side_by_side();
  const bool is_atomic = !in_tiles && store.epilogue == "global_atomic";
  const char* const alone = is_atomic ? "atomic" : "scalar";
  add_cost(store, in_tiles && store.gang() > 0 ? "gang" : alone, reads);
  return reads;
}

/// The pads behind each thread's entries that it adds up.
class TilePadFinder {
 public:
  explicit TilePadFinder(const Store& store)
      : store_(store),
        first_nz_(store.ints({Level::thread, Name::first_nz})),
        first_row_(store.ints({Level::thread, Name::first_row})),
        row_first_(store.ints({Level::matrix, Name::row_first_nz})),
        by_nnz_(store.level(Level::thread)->tiling == Tiling::nnz),
        lanes_(lanes_of(store)),
        pad_columns_(store) {}

  bool find(const PadVisit& visit) const {
    const bool fills_tiles = by_nnz_ && has_all_lanes(store_);
    const auto tiles = tiled_tiles(store_);
    for (const Tile& tile : *tiles) {
      for (std::int32_t part = tile.first_part; part < tile.end_part; ++part) {
        const std::int64_t length = first_nz_[part + 1] - first_nz_[part];
        const std::int64_t read =
            tiled(store_).stops_alone() ? rounded_up(length, tiled(store_).multiple()) : tile.width;
        // Lanes behind the last thread of a full tile add pads of its row.
        const bool is_followed =
            fills_tiles && part + 1 == tile.end_part && lanes_ > tile.end_part - tile.first_part;
        const bool adds = length > 0 && (length < read || is_followed);
        if (adds && visit(PadRead{row_of_pads(part), pad_columns_.of(part)})) return true;
      }
    }
    return false;
  }

 private:
  std::int32_t row_of_pads(std::int32_t part) const {
    std::int32_t row = first_row_[part];
    while (row_first_[row + 1] < first_nz_[part + 1]) ++row;
    return row;
  }

  const Store& store_;
  const std::vector<std::int32_t>&first_nz_, &first_row_, &row_first_;
  const bool by_nnz_;
  const std::int64_t lanes_;
  const PadColumns pad_columns_;
};

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
    .pads =
        [](const Store& store, const PadVisit& visit) {
          return TilePadFinder(store).find(visit) || visit_fill(store, visit);
        },
    .misfit = tiled_misfit,
    .violation = Tiled::violation,
    .labels = tiled_labels,
};

}  // namespace alphasparse
