// mix_requests: the answers of blocks and single entries to the requests of operators.
#include "generator/layouts/kinds/mix.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

struct MixReply : UsualAnswers {
  using UsualAnswers::operator();

  /// Why the threads cannot be padded, or nothing.
  std::optional<std::string> cannot_pad() const {
    if (get_mix(store).padded) return padded_already;
    const LevelFacts& threads = *store.level(Level::thread);
    if (threads.parent == Level::warp) return std::nullopt;
    return "the rows lie in no warps, which blocks are padded for; put warp_rows before "
           "thread_rows";
  }

  Result<LayoutChoice> operator()(const request::Split&) const {
    return reject("the rows lie in blocks already; put it before compress");
  }

  Result<LayoutChoice> operator()(const request::OpenLevel& level) const {
    if (level.tiling == Tiling::rows) return store.layout;
    return reject("the rows lie in blocks and single entries; cut whole rows");
  }

  Result<LayoutChoice> operator()(const request::OpenThreads& threads) const {
    if (threads.single_rows) return store.layout;
    return reject("a thread has the blocks of one row; use rows=1");
  }

  Result<LayoutChoice> operator()(const request::Pad& pad) const {
    if (auto reason = cannot_pad()) return reject(*reason);
    if (pad.own_length)
      return reject("the blocks of a warp are read to the last of them; use length=longest");
    if (pad.multiple != 1) return reject("blocks have their own multiples; use multiple=1");
    Mix padded = get_mix(store);
    padded.padded = true;
    return {padded};
  }

  Result<LayoutChoice> operator()(const request::LineUp&) const {
    if (auto reason = cannot_pad()) return reject(*reason);
    return reject("the rows lie in blocks; use thread_pad");
  }

  Result<LayoutChoice> operator()(const request::Widen& widen) const {
    if (auto reason = cannot_widen(store, widen.level, get_mix(store).padded))
      return reject(*reason);
    return reject("warps have blocks and single entries, whose numbers both differ; leave it out");
  }

  Result<LayoutChoice> operator()(const request::Transpose& transpose) const {
    if (get_mix(store).transposed) return reject(transposed_already);
    if (!get_mix(store).padded)
      return reject("rows have different numbers of blocks; put thread_pad before it");
    if (transpose.ragged || transpose.run != 1)
      return reject("blocks and single entries lie side by side; use by=equal and run=1");
    Mix transposed = get_mix(store);
    transposed.transposed = true;
    return {transposed};
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    if (auto reason = cannot_read_blocks("row", total)) return reject(*reason);
    if (get_mix(store).transposed) return store.layout;
    return reject("the blocks of a warp's rows lie apart; put thread_pad and interleave before it");
  }

  Result<LayoutChoice> operator()(const request::StageX&) const {
    return reject("the entries of a block have no column each");
  }

  Result<LayoutChoice> operator()(const request::StepColumns&) const {
    return reject("blocks have no column for each entry");
  }
};

}  // namespace

Result<LayoutChoice> mix_reply(const Store& store, const Request& request) {
  return std::visit(MixReply{{store}}, request);
}

}  // namespace alphasparse
