// cpu: the lanes of a tile are gangs, or threads one after the other; and a gang's words.
#include <limits>

template <int G>
INLINE Ints<G> ints(const unsigned* of_lanes, Run<G> lane) {
  return loaded(Near<unsigned, G>{of_lanes + lane.first, lane.lanes});
}

template <int G>
INLINE Ints<G> ints(const int* of_lanes, Run<G> lane) {
  return each(lane, [&](int one) { return of_lanes[one]; });
}

template <int G>
INLINE Near<int, G> near_ints(const int* of_lanes, Run<G> lane) {
  return {of_lanes + lane.first, lane.lanes};
}

template <int G>
INLINE Lanes<G> values(const Value* all, Run<G> entry) {
  return load(all, entry);
}

/// A gang's fields lie side by side in one chunk.
template <int G>
INLINE int head_of(const int* of_lanes, Run<G> lane) {
  return of_lanes[lane.first];
}

template <int G>
INLINE Run<G> places(const int* of_lanes, Run<G> lane) {
  return {of_lanes[lane.first], lane.lanes};
}

template <int G, class Fields>
INLINE void tell_fields(Tile& tile, Run<G> lane, const Fields& fields) {
  for (int l = 0; l < lane.lanes; ++l) tell_fields(tile, lane[l], fields[l]);
}

template <int G>
INLINE void tell(Tile& tile, Run<G> lane, const Lanes<G>& sum) {
  for (int l = 0; l < lane.lanes; ++l) tell(tile, lane[l], sum[l]);
}

/// Reports each lane as one thread: in a lane where no row begins all is in the tail.
template <int G>
INLINE void tell(Tile& tile, Run<G> lane, const HeadTails<G>& part) {
  for (int l = 0; l < lane.lanes; ++l) {
    const bool any = part.begins >> l & 1;
    tile.log.tell(head, lane[l], any ? part.head[l] : part.tail[l]);
    tile.log.tell(tail, lane[l], any ? part.tail[l] : Value(0));
    if (any) tile.log.tell(last, lane[l], part.last[l]);
    tile.log.tell(begins, lane[l], any);
  }
  tile.log.tell(open_at_first, 0, part.first);
}

template <int LANES>
INLINE void tell_of_group(Tile& tile, Run<LANES> lane, Value sum) {
  tile.log.tell(result, lane.first / LANES, sum);
}

/// Lanes by gangs of so many; 0: one by one.
template <int GANG, class Call>
INLINE void run_lanes(Tile& tile, Call call) {
  if constexpr (GANG == 0) {
    for (int lane = 0; lane < tile.lanes; ++lane) call(tile, lane);
  } else {
    for (int lane = 0; lane < tile.lanes; lane += GANG) {
      call(tile, Run<GANG>{lane}.below(tile.lanes));
    }
  }
}

/// The tile's part of the row that it carries must not be in y before the end.
template <int GANG, class Call>
INLINE void run(const Format& f, int number, Value* y, int told_most, Call call) {
  const int row = f.carry_row[number];
  Value carry = 0;
  const Value before = row < 0 ? Value(0) : y[row];
  Tile tile = tile_of(f, number);
  tile.own = {y, f.alpha[number], f.beta[number], row, &carry};
  tile.log = {y, told_most * lanes_most, 0};
  run_lanes<GANG>(tile, call);
  if (row >= 0)
    y[row] = y[row] == before ? y[row] + carry : Value(std::numeric_limits<float>::quiet_NaN());
}
