// contract_text: store_text - the metadata store for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "generator/facts/contract.h"

namespace alphasparse {

namespace {

const char* tiling_text(Tiling tiling) {
  static constexpr const char* texts[] = {"whole rows", "runs of one row", "lanes that share a row",
                                          "equal non-zeros", "equal items of a merge path"};
  return texts[static_cast<int>(tiling)];
}

std::string level_text(const LevelFacts& level) {
  const std::string head =
      fmt::format("{} level in the {} level: ", level_name(level.level), level_name(level.parent));
  if (level.tiling == Tiling::lanes) {
    return head + fmt::format("{} lanes share each row, at most {} non-zeros each\n", level.lanes,
                              level.nz_max);
  }
  return head + fmt::format("{} units of {}, {} to {} non-zeros each; at most {} in one parent\n",
                            level.parts, tiling_text(level.tiling), level.nz_min, level.nz_max,
                            level.children_max);
}

const char* find_doc(Name name) {
  for (const KeyDoc& doc : key_docs()) {
    if (doc.name == name) return doc.doc;
  }
  return "";
}

std::string entries_text(const std::vector<std::int32_t>& entries, std::size_t most) {
  const std::size_t shown = std::min(most, entries.size());
  return fmt::format("{}{}", fmt::join(entries.begin(), entries.begin() + shown, " "),
                     shown < entries.size() ? " ..." : "");
}

}  // namespace

std::string store_text(const Store& store, std::size_t entries_max) {
  const RowFacts& rows = store.row_facts();
  std::string text =
      fmt::format("{} rows, {} columns, {} non-zeros; {} to {} a row, mean {:.4g}; {} rows empty\n",
                  store.rows(), store.cols(), store.nnz(), rows.length_min, rows.length_max,
                  rows.length_mean, rows.empty_rows);
  if (store.mirrored()) {
    text += fmt::format(
        "the upper triangle of {} non-zeros of a {} matrix: each above the diagonal is two\n",
        store.callers_nnz(), mirror_kind(store.mirror).matrix);
  }
  for (const LevelFacts& level : store.levels()) text += level_text(level);
  for (const auto& [key, data] : store.arrays()) {
    text += fmt::format("{} [{}] = {}\n    {}\n", key_text(key), data->size(),
                        entries_text(*data, entries_max), find_doc(key.name));
  }
  return text;
}

}  // namespace alphasparse
