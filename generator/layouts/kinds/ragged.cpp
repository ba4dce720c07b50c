// ragged: tiles of threads in the order of falling lengths, transposed without pads (JDS, Saad
// 1989).
//
// Diagonal k of a tile holds the k-th non-zeros of its threads. The threads that have one are the
// first of the tile.
// Rows of lengths 3, 1, 1 (diagonals begin at 0, 3, 4):
//   0: row 0 first   1: row 1 first   2: row 2 first   3: row 0 second   4: row 0 third
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

struct RaggedReply : UsualAnswers {
  using UsualAnswers::operator();

  Result<LayoutChoice> operator()(const request::Pad&) const {
    return reject(pad_before_transposed);
  }
  Result<LayoutChoice> operator()(const request::LineUp&) const {
    return reject(pad_before_transposed);
  }

  Result<LayoutChoice> operator()(const request::Widen& widen) const {
    return reject(*cannot_widen(store, widen.level, false));
  }

  Result<LayoutChoice> operator()(const request::Transpose& transpose) const {
    if (auto reason = cannot_take_runs(store, transpose.run)) return reject(*reason);
    return reject(transposed_already);
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    if (total.sums > 1)
      return reject("the diagonals of a ragged tile are added one by one; use sums=1");
    if (auto reason = cannot_load(store, total.vector)) return reject(*reason);
    if (total.vector == 1) return store.layout;
    return reject(fmt::format("a thread's entries lie apart; use interleave run={}", total.vector));
  }

  Result<LayoutChoice> operator()(const request::Batch&) const {
    return reject("the diagonals of a ragged tile are added one by one; use batch=1");
  }

  Result<LayoutChoice> operator()(const request::StepColumns&) const {
    return reject("the diagonals of a ragged tile are read one by one");
  }
};

const Fragment ragged_fragment = {
    .name = "thread_total_ragged",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::local, Role::entry_of, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = {1},  // a thread learns at every diagonal whether it goes on
    .cpu_cost = TotalCost{0.314, 5.8},
};

/// Calls visit(k, the end of the threads that have a k-th non-zero) for each diagonal.
template <class Visit>
void for_each_jagged_diagonal(const std::vector<std::int32_t>& first_nz, const Tile& tile,
                              const Visit& visit) {
  std::int32_t end_part = tile.end_part;
  for (std::int64_t k = 0; k < tile.width; ++k) {
    while (first_nz[end_part] - first_nz[end_part - 1] <= k) --end_part;
    visit(k, end_part);
  }
}

void write_ragged(const Store& store, Layout& layout) {
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const PartWriter writer(store, first_nz, layout);
  const Tiles tiles = tiles_of_parents(
      store, [&](std::int32_t part) { return first_nz[part + 1] - first_nz[part]; });
  std::vector<std::int64_t> first;
  std::int64_t end = 0;
  for (const Tile& tile : tiles) {
    first.push_back(end);
    end = first_nz[tile.end_part];
  }
  first.push_back(end);
  write_tiles(
      first, layout,
      [&](std::size_t i) {
        layout.first_diagonal.push_back(static_cast<std::int32_t>(layout.first_entry.size()));
        std::int64_t base = first[i];
        for_each_jagged_diagonal(first_nz, tiles[i], [&](std::int64_t, std::int32_t end_part) {
          layout.first_entry.push_back(static_cast<std::int32_t>(base));
          base += end_part - tiles[i].first_part;
        });
      },
      [&](std::size_t i) {
        const Tile& tile = tiles[i];
        const std::int32_t* const diagonal = layout.first_entry.data() + layout.first_diagonal[i];
        const std::int32_t* const nz = first_nz.data() + tile.first_part;
        writer.write(
            tile, tile.end_part - tile.first_part, 0,
            [=](std::int64_t local) { return nz[local + 1] - nz[local]; },
            [=](std::int64_t local, std::int64_t k) { return diagonal[k] + local; });
      });
  // The last entry of first_entry is the end of all: no diagonal begins there.
  layout.first_diagonal.push_back(static_cast<std::int32_t>(layout.first_entry.size()) - 1);
}

Range ragged_range(Composition& c) {
  const LevelFacts& threads = c.thread_level();
  const std::string name = part_name(c.store, threads);
  c.format.add("diagonal_first_entry", c.plan.layout.first_entry,
               "first stored entry of each diagonal");
  c.slots[0].bind("const auto", "entry_of",
                  c.functor("diagonal", c.format.read("diagonal_first_entry", "$diagonal")));
  const auto diagonals = static_cast<std::int64_t>(c.plan.layout.first_entry.size()) - 1;
  const Code local = local_index(c, name);
  if (threads.parent == Level::matrix) return {"0", c.constant("diagonals", diagonals), "1", local};
  const std::string parent_name = part_name(c.store, *c.store.level(threads.parent));
  const std::string array = parent_name + "_first_diagonal";
  c.format.add(array, c.plan.layout.first_diagonal,
               fmt::format("first diagonal of each {}", parent_name));
  const Code parent = Code::named(parent_name);
  return {c.format.read(array, parent), c.format.read(array, code("{} + 1", parent)), "1", local};
}

Reads ragged_reads(const Store& store) {
  Reads reads;
  reads.stored = reads.least = reads.worked = store.nnz();
  reads.longest = store.level(Level::thread)->nz_max;
  reads.stride = count_lanes(store);
  reads.arrays = entry_arrays();
  reads.cost = ragged_fragment.cpu_cost;
  return reads;
}

std::string ragged_misfit(const Store& store) {
  if (!has_threads_of_entries(store)) return no_threads_of_entries;
  if (store.level(Level::thread)->descending) return "";
  return "ragged, but a thread is longer than one before it";
}

}  // namespace

const LayoutKind Ragged::kind = {
    .name = "ragged",
    .reply = [](const Store& store,
                const Request& request) { return std::visit(RaggedReply{{store}}, request); },
    .total =
        [](const Store&, const request::Total& total) {
          return FragmentStep{&ragged_fragment, 0, total.sums, total.batch};
        },
    .write = write_ragged,
    .range = ragged_range,
    .term = [](Composition& c) { return bind_entry_term(c, false); },
    .columns = add_entry_columns,
    .reads = ragged_reads,
    .pads = visit_fill,
    .misfit = ragged_misfit,
    .labels =
        [](const Store&) {
          return std::vector<const char*>{"interleaved", "ragged"};
        },
};

}  // namespace alphasparse
