// mix_requests: the answers of blocks and single entries to the requests of operators.
#include "generator/layouts/kinds/mix.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

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

}  // namespace

Result<LayoutChoice> mix_fits(const Store& store, const Request& request) {
  return std::visit(MixFits{{store}}, request);
}

}  // namespace alphasparse
