// layout_choice: how the entries of a branch lie in memory, as one kind of layout with its own
// parameters.
//
// A store has one choice at a time. Operators change it by the functions of the layout's kind
// (generator/layouts/layout_kind.h), and nothing else reads these parameters. A combination of
// parameters that no kind has cannot be written down. A file of generator/layouts/kinds defines
// each `kind`.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace alphasparse {

struct Layout;      // generator/facts/layout.h
struct LayoutKind;  // generator/layouts/layout_kind.h
class Store;        // generator/facts/store.h

/// The size of a dense block; no rows: there are none.
struct BlockSize {
  int rows = 0;
  int cols = 0;
  bool at_entries = false;  ///< each begins at its first entry, not at a multiple of `cols`
  bool operator==(const BlockSize&) const = default;
};

/// Threads of one parent as long as the longest of them.
struct Padding {
  bool own_length = false;  ///< but a thread reads no further than its own non-zeros
  int multiple = 1;         ///< a thread's positions are rounded up to a multiple of it
  bool one_width = false;   ///< the threads of all parents to the same length
  bool operator==(const Padding&) const = default;
};

/// Each non-zero lies at its logical position.
struct InOrder {
  static const LayoutKind kind;
  static constexpr bool side_by_side() { return false; }
  static constexpr bool one_width() { return false; }
  bool operator==(const InOrder&) const = default;
};

/// The threads of one parent are a tile: one behind the other, or transposed.
struct Tiled {
  static const LayoutKind kind;
  std::optional<Padding> padding;
  int run = 0;  ///< 0: one behind the other; else transposed, so many neighbours stay together
  bool side_by_side() const { return run > 0; }
  bool one_width() const { return padding && padding->one_width; }
  int neighbours() const { return run > 1 ? run : 1; }  ///< of a thread that stay together
  int multiple() const { return padding ? padding->multiple : 1; }  ///< of a thread's positions
  /// Whether a padded thread reads no further than its own non-zeros.
  bool stops_alone() const { return padding && padding->own_length; }
  bool operator==(const Tiled&) const = default;
};

/// Rows that lanes share begin at multiples of entries (generator/layouts/kinds/padded_rows.cpp).
struct PaddedRows {
  static const LayoutKind kind;
  int multiple = 2;  ///< entries of each row, or of each part of one, are a multiple of it
  static constexpr bool side_by_side() { return false; }
  static constexpr bool one_width() { return false; }
  bool operator==(const PaddedRows&) const = default;
};

/// Transposed without pads: longer threads of a parent come first.
struct Ragged {
  static const LayoutKind kind;
  static constexpr bool side_by_side() { return true; }
  static constexpr bool one_width() { return false; }
  bool operator==(const Ragged&) const = default;
};

/// A warp's threads lie by the diagonals of its rows (generator/layouts/kinds/diagonals.h).
struct WarpDiagonals {
  static const LayoutKind kind;
  bool all_warps = false;   ///< all warps have as many diagonals as the one with most
  bool transposed = false;  ///< no kernel reads them before they are
  bool side_by_side() const { return transposed; }
  bool one_width() const { return all_warps; }
  bool operator==(const WarpDiagonals&) const = default;
};

/// Non-zeros lie in blocks of bits (generator/layouts/kinds/bitmap.h).
struct BitBlocks {
  static const LayoutKind kind;
  int cols = 0;  ///< of a block
  static constexpr bool side_by_side() { return false; }
  static constexpr bool one_width() { return false; }
  bool operator==(const BitBlocks&) const = default;
};

/// A thread has a band of dense blocks and reads it block by block
/// (generator/layouts/kinds/dense_blocks.h).
struct Bands {
  static const LayoutKind kind;
  /// The threads that are as long as the longest of them.
  enum class Padded { none, of_a_parent, all };

  BlockSize block;
  Padded padded = Padded::none;
  bool transposed = false;
  int run = 1;  ///< neighbours in a block that stay together where it is transposed
  bool side_by_side() const { return transposed; }
  bool one_width() const { return padded == Padded::all; }
  bool operator==(const Bands&) const = default;
};

/// Rows lie in blocks of neighbouring columns, and in single entries behind them
/// (generator/layouts/kinds/mix.cpp).
struct Mix {
  static const LayoutKind kind;
  int cols = 4;   ///< of a block
  int least = 2;  ///< entries of a block, at least
  bool padded = false;
  bool transposed = false;  ///< no kernel reads them before they are
  bool side_by_side() const { return transposed; }
  static constexpr bool one_width() { return false; }
  int width(std::int32_t matrix_cols) const;       ///< of a block of a matrix with so many columns
  int find_least(std::int32_t matrix_cols) const;  ///< entries of a block of it, at least
  bool operator==(const Mix&) const = default;
};

using LayoutChoice =
    std::variant<InOrder, Tiled, PaddedRows, Ragged, WarpDiagonals, BitBlocks, Bands, Mix>;

/// Whether the threads of one parent lie side by side, so that a gang reads neighbours.
inline bool side_by_side(const LayoutChoice& choice) {
  return std::visit([](const auto& of) { return of.side_by_side(); }, choice);
}

/// Whether the threads of all parents have one length by padding.
inline bool has_one_width(const LayoutChoice& choice) {
  return std::visit([](const auto& of) { return of.one_width(); }, choice);
}

}  // namespace alphasparse
