// piecewise: a few lines one behind the other, steps where all of them are level.
//
//   step       7 7 7 7 7 3 3 3 3 3     i < 5 ? 7 : 3
//   piecewise  0 1 2 3 4 8 12 16 20    i < 4 ? i : 4 * i - 12
#include <algorithm>

#include "generator/arrays/model_kinds.h"

namespace alphasparse {

namespace {

constexpr std::size_t pieces_max = 4;
constexpr std::int64_t shortest = 8;       // entries of a piece; fewer are exceptions
constexpr std::size_t stretches_max = 64;  // more of them are no few pieces

struct Piece {
  std::int64_t first;  ///< index
  std::int64_t step, level;
  Expression line() const { return constant(step) * the_index() + constant(level); }
  bool continues(const Piece& before) const { return step == before.step && level == before.level; }
};

/// Stretches of equal steps that are long enough, those of one line as one; nothing where there are
/// too many of any length.
std::vector<Piece> split_pieces(const Integers& entries) {
  std::vector<Piece> pieces;
  const auto count = static_cast<std::int64_t>(entries.size());
  std::size_t stretches = 0;
  for (std::int64_t first = 0; first + 1 < count;) {
    const std::int64_t step = std::int64_t{entries[first + 1]} - entries[first];
    std::int64_t end = first + 2;
    while (end < count && std::int64_t{entries[end]} - entries[end - 1] == step) ++end;
    const Piece piece{first, step, entries[first] - step * first};
    const bool is_new = pieces.empty() || !piece.continues(pieces.back());
    if (end - first >= shortest && is_new) pieces.push_back(piece);
    if (++stretches > stretches_max) return {};
    first = end - first >= shortest ? end : first + 1;
  }
  return pieces;
}

}  // namespace

std::vector<Proposal> piecewise_models(const Integers& entries) {
  const std::vector<Piece> pieces = split_pieces(entries);
  if (pieces.size() < 2 || pieces.size() > pieces_max) return {};
  Expression entry = pieces.back().line();
  for (std::size_t i = pieces.size() - 1; i-- > 0;) {
    entry = if_below(the_index(), constant(pieces[i + 1].first), pieces[i].line(), entry);
  }
  const bool level =
      std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.step == 0; });
  return {{level ? "step" : "piecewise linear", entry}};
}

}  // namespace alphasparse
