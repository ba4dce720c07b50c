// dense_blocks_requests: the answers of bands of dense blocks to the requests of operators.
#include <fmt/format.h>

#include <bit>

#include "generator/layouts/kinds/dense_blocks.h"
#include "generator/layouts/kinds/diagonals.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

struct BandsReply : UsualAnswers {
  using UsualAnswers::operator();

  /// Why the threads cannot be padded, or nothing.
  std::optional<std::string> cannot_pad() const {
    if (has_padded_bands(store)) return padded_already;
    if (get_bands(store).transposed) return pad_before_transposed;
    return std::nullopt;
  }

  Result<LayoutChoice> with(Bands::Padded padded) const {
    Bands bands = get_bands(store);
    bands.padded = padded;
    return {bands};
  }

  Result<LayoutChoice> operator()(const request::Pad& pad) const {
    if (auto reason = cannot_pad()) return reject(*reason);
    if (pad.own_length)
      return reject("bands of dense blocks are read to the longest of them; use length=longest");
    if (pad.multiple != 1)
      return reject("a band has whole blocks; use multiple=1, and interleave run= for wide loads");
    return with(Bands::Padded::of_a_parent);
  }

  Result<LayoutChoice> operator()(const request::LineUp&) const {
    if (auto reason = cannot_pad()) return reject(*reason);
    if (auto reason = not_rows_of_warps(*store.level(Level::thread))) return reject(*reason);
    return reject("the threads have bands of dense blocks; use thread_pad");
  }

  Result<LayoutChoice> operator()(const request::Widen& widen) const {
    if (auto reason = cannot_widen(store, widen.level, has_padded_bands(store)))
      return reject(*reason);
    if (get_bands(store).one_width()) return reject(widened_already(widen.level));
    return with(Bands::Padded::all);
  }

  Result<LayoutChoice> operator()(const request::Transpose& transpose) const {
    if (get_bands(store).transposed) return reject(transposed_already);
    if (transpose.ragged) return reject("bands are padded to one length; use by=equal");
    const int run = transpose.run > 0 ? transpose.run : block_width(store);
    if (transpose.run != 1) {
      if (auto reason = cannot_lie_in_runs(run)) return reject(*reason);
    }
    const LevelFacts& threads = *store.level(Level::thread);
    if (!has_padded_bands(store) && threads.nz_min != threads.nz_max)
      return reject(unequal_threads(threads));
    Bands bands = get_bands(store);
    bands.transposed = true;
    bands.run = run;
    return {bands};
  }

  /// Why no load brings `run` neighbours of a block at once, or nothing: values on a GPU, and on a
  /// CPU the elements of x of `run` columns.
  std::optional<std::string> cannot_lie_in_runs(int run) const {
    if (!store.on_cpu()) {
      auto reason = cannot_load_at_once(run);
      return reason ? *reason + "; use run=1" : reason;
    }
    const int width = block_width(store);
    const bool is_power = run > 1 && std::has_single_bit(static_cast<unsigned>(run));
    if (is_power && width % run == 0) return std::nullopt;
    return fmt::format(
        "{}; use {}",
        is_power ? fmt::format("a block of {} columns has no whole runs of {}", width, run)
                 : fmt::format("the width of a block is {}, no power of two from 2 on", width),
        width % 2 == 0 ? "run=2" : "run=1");
  }

  /// Why a GPU's thread cannot load `count` values of a block at once, or nothing.
  std::optional<std::string> cannot_load_at_once(int count) const {
    if (count != 2 && count != 4)
      return fmt::format("a thread loads 2 or 4 values at once, but a row of a block has {}",
                         count);
    if (block_cells(store) % count == 0) return std::nullopt;
    return fmt::format("the {} values of a block are no multiple of {}", block_cells(store), count);
  }

  Result<LayoutChoice> operator()(const request::StageX&) const {
    return reject("the entries of a dense block have no column each");
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    request::Total one_by_one = total;
    one_by_one.vector = 1;
    if (auto reason = cannot_read_blocks("dense", one_by_one)) return reject(*reason);
    if (auto reason = cannot_load_values(total.vector)) return reject(*reason);
    return store.layout;
  }

  /// Why the layout has no `vector` values side by side, or nothing.
  std::optional<std::string> cannot_load_values(int vector) const {
    const int run = get_bands(store).run;
    if (!store.on_cpu() && run > 1 && vector != run)
      return fmt::format("a thread's values lie in runs of {0}; use vector={0}", run);
    if (vector == 1 || vector == run) return std::nullopt;
    if (auto reason = cannot_load_at_once(vector)) return *reason + "; use vector=1";
    if (!get_bands(store).transposed) return std::nullopt;
    return fmt::format("a thread's values lie apart; use interleave run={}", vector);
  }

  Result<LayoutChoice> operator()(const request::StepColumns&) const {
    return reject("dense blocks have no column for each entry");
  }

  /// A block has one column, which no load of several values brings.
  Result<LayoutChoice> operator()(const request::CodeColumns&) const { return store.layout; }
};

}  // namespace

Result<LayoutChoice> bands_reply(const Store& store, const Request& request) {
  return std::visit(BandsReply{{store}}, request);
}

}  // namespace alphasparse
