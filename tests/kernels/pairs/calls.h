// calls: every fragment that GPUs and CPUs both have, called as a kernel calls it. A lane is a
// thread's number, or a Run of those of a gang.

template <class Lane>
INLINE void call_thread_total(Tile& tile, Lane lane) {
  tell(tile, lane, thread_total(tile.first + lane, tile.end, tile.step, tile.term()));
}

template <int SUMS, class Lane>
INLINE void call_thread_total_sums(Tile& tile, Lane lane) {
  tell(tile, lane, thread_total_sums<SUMS>(tile.first + lane, tile.end, tile.step, tile.term()));
}

template <class Lane>
INLINE void call_thread_total_ragged(Tile& tile, Lane lane) {
  const auto entry_of = [&](int diagonal) { return tile.list[diagonal]; };
  tell(tile, lane, thread_total_ragged(0, tile.end, tile.step + lane, entry_of, tile.term()));
}

template <int COLS>
INLINE void call_thread_total_bits(Tile& tile, int lane) {
  const auto bits_of = [&](int block) { return unsigned(tile.list[3 * block]); };
  const auto entry_of = [&](int block) { return tile.list[3 * block + 1]; };
  const auto column_of = [&](int block) { return tile.list[3 * block + 2]; };
  const auto term = [&](int entry, int column) { return tile.value[entry] * Value(column); };
  const int first_bit = lane * COLS % 32;
  tell(tile, lane,
       thread_total_bits<COLS, 1>(tile.open[lane], tile.end, first_bit, 0, bits_of, entry_of,
                                  column_of, term));
}

/// Its list has where x begins, how many blocks there are, their columns and then their bits; SHAPE
/// is 33 for blocks of 3 x 3. The number that is told has the row and the lane.
template <int SHAPE, class Lane>
INLINE void call_thread_total_band(Tile& tile, Lane lane) {
  const auto column_of = [&](auto block) { return near_ints(tile.list + 2, block); };
  const auto emit = [&](int row, auto sum) { tell(tile, lanes_most * row + lane, sum); };
  thread_total_band<SHAPE / 10, SHAPE % 10>(tile.open[0] + lane, tile.end, tile.step, lane,
                                            Input{tile.value + tile.list[0]}, column_of,
                                            tile.term(), emit);
}

template <int SHAPE, class Lane>
INLINE void call_thread_total_band_gaps(Tile& tile, Lane lane) {
  const Input x{tile.value + tile.list[0]};
  const int* const columns = tile.list + 2;
  const auto column_of = [&](auto block) { return near_ints(columns, block); };
  const auto term = [&](int entry, int block, int place) {
    if ((columns[tile.list[1] + block] >> place & 1) == 0) return Value(0);
    return tile.value[entry] * x[columns[block] + place % (SHAPE % 10)];
  };
  const auto emit = [&](int row, auto sum) { tell(tile, lanes_most * row + lane, sum); };
  thread_total_band_gaps<SHAPE / 10, SHAPE % 10>(tile.open[0] + lane, tile.end, tile.step, lane, x,
                                                 column_of, tile.term(), term, emit);
}

template <int ITEMS, class Lane>
INLINE auto part_of_bitmap(Tile& tile, Lane lane) {
  return thread_bitmap<ITEMS>(tile.first + lane, tile.step, ints(tile.starts, lane),
                              ints(tile.open, lane), tile.term(), tile.row_of, tile.emit());
}

template <int ITEMS, class Lane>
INLINE void call_thread_bitmap(Tile& tile, Lane lane) {
  tell(tile, lane, part_of_bitmap<ITEMS>(tile, lane));
}

INLINE void call_thread_merge(Tile& tile, int lane) {
  const int* const entry = tile.list;
  const int* const row = entry + tile.lanes + 1;
  const int* const ends = row + tile.lanes + 1;
  const auto row_end = [&](int one) { return ends[one]; };
  tell(tile, lane,
       thread_merge(entry[lane], entry[lane + 1], row[lane], row[lane + 1], row_end, tile.term(),
                    tile.row_of, tile.emit()));
}

template <int LANES, class Lane>
INLINE void call_warp_total(Tile& tile, Lane lane) {
  tell_of_group<LANES>(tile, lane, warp_total<LANES>(values(tile.value, tile.first + lane)));
}

template <class Lane>
INLINE void call_warp_bitmap(Tile& tile, Lane lane) {
  warp_bitmap(values(tile.value, tile.first + lane), tile.starts[0], tile.row_of, tile.emit(),
              tile.edge());
}

/// A call of warp_segment with the parts that thread_bitmap gives.
template <int ITEMS, class Lane>
INLINE void call_warp_segment(Tile& tile, Lane lane) {
  const auto part = part_of_bitmap<ITEMS>(tile, lane);
  warp_segment(part, tile.row_of, tile.emit(), tile.edge());
}

/// Rows as sinks get them: side by side in an array, computed lane by lane, or one after the other.
template <class Lane, class Sink>
INLINE void to_rows(Tile& tile, Lane lane, Sink sink) {
  const auto sum = values(tile.value, tile.first + lane);
  const int way = tile.list[0];
  if (way == 0) sink(near_ints(tile.row, lane), sum);
  if (way == 1) sink(ints(tile.row, lane), sum);
  if (way == 2) sink(tile.row[0] + lane, sum);
}

template <class Lane>
INLINE void call_global_store(Tile& tile, Lane lane) {
  to_rows(tile, lane, [&](auto row, auto sum) { global_store(tile.own, row, sum); });
}

template <class Lane>
INLINE void call_global_add(Tile& tile, Lane lane) {
  to_rows(tile, lane, [&](auto row, auto sum) { global_add(tile.own, row, sum); });
}

template <class Lane>
INLINE void call_global_atomic(Tile& tile, Lane lane) {
  to_rows(tile, lane, [&](auto row, auto sum) { global_atomic(tile.own, row, sum); });
}

INLINE void call_global_init(Tile& tile, int lane) { global_init(tile.own, tile.row[lane]); }

template <class Lane>
INLINE void call_packed_bits(Tile& tile, Lane lane) {
  tell_fields(tile, lane,
              packed_bits(tile.starts, head_of(tile.open, lane), places(tile.row, lane)));
}

template <int WIDTH, class Lane>
INLINE void call_packed_fields(Tile& tile, Lane lane) {
  tell_fields(tile, lane, packed_fields(tile.starts, WIDTH, places(tile.row, lane)));
}

template <class Lane>
INLINE void call_packed_bytes(Tile& tile, Lane lane) {
  tell_fields(tile, lane,
              packed_bytes(tile.starts, head_of(tile.open, lane), places(tile.row, lane)));
}

INLINE void call_run_number(Tile& tile, int lane) {
  tell(tile, lane, Value(run_number(tile.starts[lane], tile.open[lane], tile.row[lane])));
}
