// words: the words of calls of fragments, for GPUs and for CPUs alike - a tile's inputs, and the
// report of a call on its results.
//
// These words are of one thread, on a GPU or alone on a core; cpu.h has the same of a gang.
#ifndef INLINE
#define INLINE __device__ __forceinline__
#endif

/// The bytes of an index of x or y.
template <class Vector, class Element, class Index>
INLINE constexpr int index_bytes(Element& (Vector::*)(Index) const) {
  return sizeof(Index);
}
static_assert(index_bytes(&Input::operator[]) == 8 && index_bytes(&Output::operator[]) == 8 &&
                  sizeof(Input::ld) == 8 && sizeof(Output::ld) == 8,
              "an index times ld may be more than an int holds");

constexpr int lanes_most = 64;  // of a tile: as many entries has an array of one a lane

/// The memory that a call may read; the meaning of each entry depends on the fragment
/// (tests/support/pair_tiles.cpp).
struct Format {
  const int* lanes;        // [tiles] that there are
  const int* first;        // [tiles] of the tile's values; those before it are NaN
  const int* end;          // [tiles] of them, or of the items that its list counts
  const int* step;         // [tiles]
  const int* carry_row;    // [tiles] -1: none
  const int* list_first;   // [tiles] in list
  const int* value_first;  // [tiles] in value
  const unsigned* starts;  // [lanes_most * tiles]
  const int* open;         // [lanes_most * tiles]
  const int* row;          // [lanes_most * tiles]
  const int* list;
  const Value* alpha;  // [tiles]
  const Value* beta;   // [tiles]
  const Value* value;
};

/// A report, by kind, number and value. A row or a lane is the number.
enum Kind { emitted, to_edge, result, head, tail, last, begins, open_at_first, too_much };

struct Log {
  Value* told;
  int most;
  int count;

  INLINE void tell(Kind kind, int number, Value value) {
    if (count == most) {
      told[0] = too_much;
      return;
    }
    told[3 * count] = kind;
    told[3 * count + 1] = number;
    told[3 * count + 2] = value;
    ++count;
  }
};

INLINE int ints(const int* of_lanes, int lane) { return of_lanes[lane]; }
INLINE unsigned ints(const unsigned* of_lanes, int lane) { return of_lanes[lane]; }
INLINE int near_ints(const int* of_lanes, int lane) { return of_lanes[lane]; }
INLINE Value values(const Value* all, int entry) { return all[entry]; }
INLINE int head_of(const int* of_lanes, int lane) { return of_lanes[lane]; }
INLINE int places(const int* of_lanes, int lane) { return of_lanes[lane]; }

struct Term {
  const Value* value;

  template <class Entry>
  INLINE auto operator()(const Entry& entry) const {
    return values(value, entry);
  }
};

struct RowOf {
  INLINE int operator()(int segment) const { return 3 * segment + 1; }
};

struct Port {
  Log& log;
  Kind kind;

  INLINE void operator()(int row, Value sum) const { log.tell(kind, row, sum); }
};

struct Tile {
  int lanes, first, end, step;
  const unsigned* starts;
  const int* open;
  const int* row;
  const int* list;
  const Value* value;
  Output own;  // [lanes_most] rows of its own
  Log log;
  RowOf row_of;

  INLINE Term term() const { return {value}; }
  INLINE Port emit() { return {log, emitted}; }
  INLINE Port edge() { return {log, to_edge}; }
};

/// Its output and its log are the caller's to give.
INLINE Tile tile_of(const Format& f, int tile) {
  Tile made{};
  made.lanes = f.lanes[tile];
  made.first = f.first[tile];
  made.end = f.end[tile];
  made.step = f.step[tile];
  made.starts = f.starts + lanes_most * tile;
  made.open = f.open + lanes_most * tile;
  made.row = f.row + lanes_most * tile;
  made.list = f.list + f.list_first[tile];
  made.value = f.value + f.value_first[tile];
  return made;
}

INLINE void tell(Tile& tile, int lane, Value sum) { tile.log.tell(result, lane, sum); }

/// Its halves: a float holds no more.
INLINE void tell_fields(Tile& tile, int lane, int field) {
  tell(tile, lane, Value(field & 0xffff));
  tell(tile, lane, Value(unsigned(field) >> 16));
}

INLINE void tell(Tile& tile, int lane, const HeadTail& part) {
  tile.log.tell(head, lane, part.head);
  tile.log.tell(tail, lane, part.tail);
  if (part.last != part.first) tile.log.tell(last, lane, part.last);
  tile.log.tell(begins, lane, part.last != part.first);
  if (lane == 0) tile.log.tell(open_at_first, 0, part.first);
}

/// The value of a group's first lane.
template <int LANES>
INLINE void tell_of_group(Tile& tile, int lane, Value sum) {
  if (lane % LANES == 0) tile.log.tell(result, lane / LANES, sum);
}
