// padded_rows: the layout of rows that lanes share by loads of several entries. Each row, or each
// part of one, lies where it was, and ends with pads up to a multiple of `multiple` entries.
//
// So every row begins at a multiple, and a lane may load that many neighbours at once. An empty row
// has no pads. A pad has value 0 and repeats the last column of its row. It is a layout of its own
// because a lane has no entries of its own that a tile could pad: only rows have a beginning.
//
// Example, multiples of 2, rows of lengths 1, 0 and 3 (-: pad):
//   0: row 0 first   1: -   2: row 2 first   3: row 2 second   4: row 2 third   5: -
#include <fmt/format.h>

#include "generator/code/composition.h"
#include "generator/layouts/entry_columns.h"
#include "generator/layouts/entry_terms.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/part_writer.h"
#include "generator/layouts/thread_range.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

int row_multiple(const Store& store) { return store.layout_as<PaddedRows>()->multiple; }

struct PaddedRowsReply : UsualAnswers {
  using UsualAnswers::operator();

  Result<LayoutChoice> operator()(const request::Pad&) const { return reject(padded_already); }
  Result<LayoutChoice> operator()(const request::LineUp&) const { return no_own_entries(); }
  Result<LayoutChoice> operator()(const request::Widen&) const { return no_own_entries(); }
  Result<LayoutChoice> operator()(const request::Transpose&) const { return no_own_entries(); }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    if (total.vector == 1) {
      return reject(fmt::format(
          "rows are padded for loads of several entries; use vector={}, or leave thread_pad out",
          row_multiple(store)));
    }
    if (auto reason = cannot_load_neighbours(store, total.vector, row_multiple(store)))
      return reject(*reason);
    return store.layout;
  }

  Result<LayoutChoice> operator()(const request::StepColumns&) const {
    return reject("a thread's entries are not one run");
  }

 private:
  Failure no_own_entries() const {
    return reject(*not_entries_of_a_row(*store.level(Level::thread)));
  }
};

/// The rows that lanes share, or their parts.
struct SharedRows {
  const std::vector<std::int32_t>& first_nz;
  const std::vector<std::int32_t>* first_row;  ///< of each part; null: these are whole rows

  std::int64_t count() const { return static_cast<std::int64_t>(first_nz.size()) - 1; }
  std::int32_t row(std::int64_t i) const {
    return first_row ? (*first_row)[i] : static_cast<std::int32_t>(i);
  }
  std::int64_t length(std::int64_t i) const { return first_nz[i + 1] - first_nz[i]; }
};

SharedRows shared_rows(const Store& store) {
  const LevelFacts* const part = store.part_of_row();
  if (!part) return {store.ints({Level::matrix, Name::row_first_nz}), nullptr};
  return {store.ints({part->level, Name::first_nz}), &store.ints({part->level, Name::first_row})};
}

/// Where each row begins; one more is the end of all.
std::vector<std::int64_t> first_positions_of_rows(const Store& store) {
  const SharedRows rows = shared_rows(store);
  std::vector<std::int64_t> first{0};
  first.reserve(rows.first_nz.size());
  for (std::int64_t i = 0; i < rows.count(); ++i)
    first.push_back(first.back() + rounded_up(rows.length(i), row_multiple(store)));
  return first;
}

void write_padded_rows(const Store& store, Layout& layout) {
  const std::vector<std::int64_t> first = first_positions_of_rows(store);
  const PartWriter writer(store, shared_rows(store).first_nz, layout);
  layout.first_entry.reserve(first.size());
  write_tiles(
      first, layout,
      [&](std::size_t i) { layout.first_entry.push_back(static_cast<std::int32_t>(first[i])); },
      [&](std::size_t i) {
        const auto row = static_cast<std::int32_t>(i);
        const Tile tile{row, row + 1, first[i + 1] - first[i]};
        writer.write(
            tile, 1, 0, [&](std::int64_t) { return tile.width; },
            [&](std::int64_t, std::int64_t k) { return first[i] + k; });
      });
}

Range padded_rows_range(Composition& c) {
  const SharedPart part = part_of_entries(c);
  const std::string array = part.name + "_first_entry";
  c.format.add(array, c.plan.layout.first_entry,
               fmt::format("first stored entry of each {}", part.name));
  return range_of_lanes(c, c.format.read(array, part.index),
                        c.format.read(array, code("{} + 1", part.index)));
}

Reads padded_rows_reads(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const LevelFacts* const part = store.part_of_row();
  const std::int64_t longest = part ? part->nz_max : store.row_facts().length_max;
  const std::int64_t round = std::int64_t{threads.lanes} * store.vector;
  Reads reads;
  reads.stored = reads.least = reads.worked = first_positions_of_rows(store).back();
  reads.longest = rounded_up(rounded_up(longest, row_multiple(store)), round) / threads.lanes;
  reads.stride = round;
  reads.arrays = entry_arrays();
  reads.arrays.push_back(part ? "warp_first_entry" : "row_first_entry");
  return reads;
}

bool visit_pads_of_rows(const Store& store, const PadVisit& visit) {
  const SharedRows rows = shared_rows(store);
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    if (rows.length(i) % row_multiple(store) == 0) continue;
    const std::int32_t column = col[rows.first_nz[i + 1] - 1];
    if (column >= 0 && visit(PadRead{rows.row(i), column})) return true;
  }
  return visit_fill(store, visit);
}

std::string padded_rows_misfit(const Store& store) {
  const LevelFacts* const threads = store.level(Level::thread);
  if (!threads || threads->tiling != Tiling::lanes)
    return "rows are padded, but no lanes share them";
  if (row_multiple(store) % store.vector == 0) return "";
  return fmt::format("{} entries are loaded at once, but rows begin at multiples of {}",
                     store.vector, row_multiple(store));
}

}  // namespace

const LayoutKind PaddedRows::kind = {
    .name = "padded_rows",
    .reply = [](const Store& store,
                const Request& request) { return std::visit(PaddedRowsReply{{store}}, request); },
    .total = total_of_entries,
    .write = write_padded_rows,
    .range = padded_rows_range,
    .term = [](Composition& c) { return bind_entry_term(c, false); },
    .columns = add_entry_columns,
    .reads = padded_rows_reads,
    .pads = visit_pads_of_rows,
    .misfit = padded_rows_misfit,
    .labels = [](const Store&) { return std::vector<const char*>{"padded"}; },
};

}  // namespace alphasparse
