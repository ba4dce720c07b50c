#include "tools/synthetic/placement.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace alphasparse::synthetic {

namespace {

constexpr int net_count = 16;
constexpr int tries = 8;
constexpr int mesh_layers = 5;  // of neighbours: two on either side of the own one

// R-MAT (Chakrabarti, Zhan and Faloutsos, SDM 2004) with Graph500's a, b, c, d = .57 .19 .19 .05:
// the share of right halves in 256ths, below a left and a right half of the rows.
constexpr int right_share[2] = {64, 53};

/// A place as often 2^i away as 2^(i + 1), on either side.
std::int64_t near(std::int64_t center, std::int64_t reach, Random& random) {
  const int scale =
      static_cast<int>(random.below(std::bit_width(static_cast<std::uint64_t>(reach)) + 1));
  const std::int64_t size = std::int64_t{1} << scale;
  const std::int64_t distance = size - 1 + random.below(size);
  return (random.bits() & 1) != 0 ? center + distance : center - distance;
}

/// One of the layers of a mesh, close to its middle.
std::int64_t mesh_neighbour(const Spot& spot, Random& random) {
  const std::int64_t width = spot.high - spot.low;
  const std::int64_t layer = spot.low + width * random.below(mesh_layers) / (mesh_layers - 1);
  return near(layer, width / (4 * mesh_layers) + 1, random);
}

}  // namespace

Placement::Placement(const SyntheticOptions& options, std::int64_t cols, Random& random)
    : kind_(options.kind),
      cols_(cols),
      levels_(std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(cols - 1))))) {
  if (kind_ != ArchetypeKind::circuit) return;
  nets_ = {0, cols - 1};
  while (nets_.size() < net_count) nets_.push_back(random.below(cols));
}

/// Rows and columns are numbered at random: multiplying by an odd number hides the recursion's
/// bits.
std::int64_t Placement::graph_column(std::int64_t row, Random& random) const {
  const std::uint64_t mask = (std::uint64_t{1} << levels_) - 1;
  const std::uint64_t row_bits =
      (static_cast<std::uint64_t>(row) * 0x9e3779b97f4a7c15) >> (64 - levels_);
  std::uint64_t col = 0, bits = 0;
  for (int level = 0; level < levels_; ++level) {
    if (level % 8 == 0) bits = random.bits();
    const int share = right_share[(row_bits >> level) & 1];
    col = 2 * col + (static_cast<int>(bits & 255) < share ? 1 : 0);
    bits >>= 8;
  }
  return static_cast<std::int64_t>((col * 0xd1342543de82ef95) & mask);
}

std::int64_t Placement::propose(const Spot& spot, std::int64_t run, Random& random) const {
  const std::int64_t high = spot.high - run + 1;
  const auto inside = [&](std::int64_t col) { return col >= spot.low && col <= high; };
  std::int64_t col = -1;
  switch (kind_) {
    case ArchetypeKind::fem:
      col = mesh_neighbour(spot, random);
      break;
    case ArchetypeKind::chemistry:
      if (random.below(4) > 0) col = spot.clump - spot.length + random.below(2 * spot.length + 1);
      break;
    case ArchetypeKind::circuit:
    case ArchetypeKind::road:
      col = near(spot.diagonal, (spot.high - spot.low) / 2 + 1, random);
      break;
    case ArchetypeKind::rmat:
      for (int i = 0; i < tries && !inside(col); ++i) col = graph_column(spot.row, random);
      break;
    case ArchetypeKind::stencil:
    case ArchetypeKind::lp:
    case ArchetypeKind::uniform:
      break;
  }
  return inside(col) ? col : spot.low + random.below(high - spot.low + 1);
}

std::int64_t Placement::end_column(const Spot& spot, std::int64_t wanted, Random& random) const {
  std::int64_t best = -1;
  const auto offer = [&](std::int64_t col) {
    if (col < cols_ && (best < 0 || std::abs(col - wanted) < std::abs(best - wanted))) best = col;
  };
  for (const std::int64_t net : nets_) offer(net);
  if (kind_ == ArchetypeKind::rmat) {
    for (int i = 0; i < tries; ++i) offer(graph_column(spot.row, random));
  }
  const bool close = best >= 0 && std::abs(best - wanted) <= (spot.high - spot.low) / 4;
  return close ? best : wanted;
}

}  // namespace alphasparse::synthetic
