// thread_total_band_mirrored: one thread adds the products of a band of dense blocks of one
// triangle. A block has two: its values times x of its columns belong to the band's rows, and its
// mirror image times x of the rows to the rows of y for its columns. An earlier part set those to
// beta * y.
//
// The blocks on the diagonal come first: an entry of the diagonal is its own image. image_x gives
// the factor of a row's images, alpha times x. Gaps have the value 0, which an Inf or NaN of x
// still makes NaN: a band that meets one goes through its cells one by one. Nothing here is atomic:
// each thread of a team has rows of y for itself.
#pragma once
#include "finite.h"
#include "warp_total.h"

/// Calls add(row of the band, column, value) for each cell that is no gap.
template <int ROWS, int COLS, class ColumnOf, class ValueOf, class HasCell, class Add>
INLINE void for_cells(int first, int end, ColumnOf column_of, ValueOf value_of, HasCell has_cell,
                      Add add) {
  for (int block = first; block < end; ++block) {
    for (int cell = 0; cell < ROWS * COLS; ++cell) {
      ONE_BY_ONE;
      if (has_cell(block, cell))
        add(cell / COLS, column_of(block) + cell % COLS, value_of(ROWS * COLS * block + cell));
    }
  }
}

/// The lanes, but 0 in one of them, where it is there.
template <int G>
INLINE Lanes<G> without(int lane, const Lanes<G>& lanes) {
  using R = Lanes<G>;
  if constexpr (G == 1) return lane == 0 ? R{} : lanes;
  typename R::Mask index;
  for (int l = 0; l < R::width; ++l) index[l] = l;
  R kept;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    const typename R::Mask one = typename R::Mask{} + (lane - p * R::width);
    kept.part[p] = index == one ? typename R::Vector{} : lanes.part[p];
  }
  return kept;
}

//[ int band_row, Value sum
template <int ROWS, int COLS, class ColumnOf, class ValueOf, class ImageX, class HasCell,
          class Emit>
INLINE void thread_total_band_mirrored(int first, int end, int row, Input x, const Output& out,
                                       ColumnOf column_of, ValueOf value_of, ImageX image_x,
                                       HasCell has_cell, Emit emit) {
  constexpr int width = COLS & -COLS;  // columns that are loaded at once: a power of two
  Lanes<width> sums[ROWS] = {};
  Value scaled_x[ROWS];
  Value any = 0;  // not finite where one of them is not
#pragma GCC unroll 8
  for (int r = 0; r < ROWS; ++r) any += scaled_x[r] = image_x(r);
  bool finite = !is_not_finite(any);
  const auto add_block = [&](int block, auto on_diagonal) {
    const int column = column_of(block);
#pragma GCC unroll 8
    for (int c = 0; c < COLS; c += width) {
      const Lanes<width> factor = load(&x[column + c], Run<width>{});
      Lanes<width> images = load(&out[column + c], Run<width>{});
#pragma GCC unroll 8
      for (int r = 0; r < ROWS; ++r) {
        const Lanes<width> values = value_of(Run<width>{(ROWS * block + r) * COLS + c});
        sums[r] += values * factor;
        images += scaled(on_diagonal ? without(row + r - column - c, values) : values, scaled_x[r]);
      }
      std::memcpy(&out[column + c], &images, sizeof images);
    }
  };
  int block = first;
  for (; finite && block < end && column_of(block) < row + ROWS; ++block)
    add_block(block, std::true_type());
  for (; finite && block < end; ++block) add_block(block, std::false_type());
  Value totals[ROWS];
#pragma GCC unroll 8
  for (int r = 0; r < ROWS; ++r) any += totals[r] = warp_total(sums[r]);
  if (is_not_finite(any)) {
    for (Value& total : totals) total = 0;
    for_cells<ROWS, COLS>(first, end, column_of, value_of, has_cell,
                          [&](int r, int column, Value value) {
                            totals[r] += value * x[column];
                            if (block == first && column != row + r)
                              out[column] += value * scaled_x[r];
                          });
  }
#pragma GCC unroll 8
  for (int r = 0; r < ROWS; ++r) emit(r, totals[r]);
}
