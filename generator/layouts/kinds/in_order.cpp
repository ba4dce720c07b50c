// in_order: the layout of entries that were not moved. Position i holds the logical non-zero i.
#include <fmt/format.h>

#include "base/ranges.h"
#include "generator/code/composition.h"
#include "generator/layouts/entry_columns.h"
#include "generator/layouts/entry_terms.h"
#include "generator/layouts/kinds/diagonals.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/pad_reads.h"
#include "generator/layouts/thread_range.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

struct InOrderReply : UsualAnswers {
  using UsualAnswers::operator();

  const LevelFacts& threads() const { return *store.level(Level::thread); }

  Result<LayoutChoice> operator()(const request::Pad& pad) const {
    if (threads().tiling == Tiling::lanes && pad.multiple > 1 && !store.on_cpu())
      return pad_rows(pad);
    if (auto reason = not_entries_of_a_row(threads())) return reject(*reason);
    return {Tiled{Padding{pad.own_length, pad.multiple, false}, 0}};
  }

  Result<LayoutChoice> operator()(const request::LineUp&) const {
    if (auto reason = not_entries_of_a_row(threads())) return reject(*reason);
    if (auto reason = cannot_line_up(store)) return reject(*reason);
    return {WarpDiagonals{}};
  }

  Result<LayoutChoice> operator()(const request::Widen& widen) const {
    if (auto reason = not_entries_of_a_row(threads())) return reject(*reason);
    return reject(*cannot_widen(store, widen.level, false));
  }

  Result<LayoutChoice> operator()(const request::Transpose& transpose) const {
    if (auto reason = not_entries_of_a_row(threads())) return reject(*reason);
    if (auto reason = cannot_take_runs(store, transpose.run)) return reject(*reason);
    if (transpose.ragged) {
      if (transpose.run > 1) return reject(no_ragged_runs);
      if (threads().descending) return {Ragged{}};
      return reject(
          "a thread has more non-zeros than the one before it; sort the rows by length first");
    }
    if (threads().nz_min != threads().nz_max) {
      return reject(unequal_threads(threads()) +
                    (threads().descending ? ", or use by=ragged" : ""));
    }
    if (threads().nz_max % transpose.run != 0) return reject(no_multiples(transpose.run));
    return {Tiled{std::nullopt, transpose.run}};
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    const bool equal = threads().tiling != Tiling::lanes && threads().nz_min == threads().nz_max;
    if (auto reason = cannot_load_neighbours(store, total.vector, equal ? threads().nz_max : 1))
      return reject(*reason);
    return store.layout;
  }

  Result<LayoutChoice> operator()(const request::StepColumns&) const {
    const LevelFacts* const level = store.level(Level::thread);
    if (!level || not_entries_of_a_row(*level)) return reject("a thread's entries are not one run");
    return store.layout;
  }

 private:
  /// For lanes that load several neighbours of their row at once.
  Result<LayoutChoice> pad_rows(const request::Pad& pad) const {
    if (store.mirrored()) return reject("mirror images are added one by one; leave it out");
    if (pad.own_length)
      return reject("lanes go to the end of the row that they share; use length=longest");
    return {PaddedRows{pad.multiple}};
  }
};

void write_in_order(const Store& store, Layout& layout) {
  layout.column = store.ints({Level::matrix, Name::nz_col});
  layout.value_source.resize(store.nnz());
  const Sources source = store.sources();
  for_ranges(store.nnz(), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t nz = first; nz < end; ++nz) layout.value_source[nz] = source[nz];
  });
}

/// Threads that go through whole rows, alone or with other lanes.
Range range_of_rows(Composition& c) {
  const SharedPart part = part_of_entries(c);
  const Code first = read_offsets(c, part.name, part.first_nz, part.index),
             end = read_offsets(c, part.name, part.first_nz, code("{} + 1", part.index));
  if (c.thread_level().tiling != Tiling::lanes) return {first, end, "1"};
  return range_of_lanes(c, first, end);
}

Range in_order_range(Composition& c) {
  const LevelFacts& threads = c.thread_level();
  if (threads.tiling == Tiling::lanes || c.store.partial.row_by_row) return range_of_rows(c);
  const std::string name = part_name(c.store, threads);
  const Code part = Code::named(name);
  const Key key{Level::thread, Name::first_nz};
  const Code first = read_offsets(c, name, key, part);
  return {first, read_offsets(c, name, key, code("{} + 1", part)), code("{}", c.store.vector)};
}

Reads in_order_reads(const Store& store) {
  Reads reads;
  reads.stored = reads.least = reads.worked = store.nnz();
  const LevelFacts* const threads = store.level(Level::thread);
  if (threads) reads.longest = threads->nz_max;
  reads.arrays = entry_arrays();
  const bool shared = threads && threads->lanes > 0;
  const char* const alone = store.epilogue == "global_atomic" ? "atomic" : "scalar";
  add_cost(store, shared ? "lanes" : alone, reads);
  return reads;
}

}  // namespace

const LayoutKind InOrder::kind = {
    .name = "in_order",
    .reply = [](const Store& store,
                const Request& request) { return std::visit(InOrderReply{{store}}, request); },
    .total = total_of_entries,
    .write = write_in_order,
    .range = in_order_range,
    .term = [](Composition& c) { return bind_entry_term(c, false); },
    .columns = add_entry_columns,
    .reads = in_order_reads,
    .pads = visit_fill,
    .misfit = [](const Store&) { return std::string(); },
    .labels = [](const Store&) { return std::vector<const char*>{}; },
};

}  // namespace alphasparse
