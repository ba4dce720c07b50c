#include "tests/support/pair_tiles.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace alphasparse {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A term, so small that all sums of a tile are exact in float.
double term(Random& random) { return random.below(19) - 9; }

/// Values up to the first are no numbers: a sum that reads one is spoilt.
PairTile tile_at(Random& random) {
  PairTile tile;
  tile.first = random.below(20);
  tile.value.assign(tile.first, not_a_number);
  return tile;
}

/// In some tiles one of them is Inf or NaN, which must stay in its row.
void add_terms(PairTile& tile, int count, Random& random) {
  for (int k = 0; k < count; ++k) tile.value.push_back(term(random));
  if (count == 0 || !random.once_in(6)) return;
  *(tile.value.end() - 1 - random.below(count)) = random.once_in(2) ? infinity : not_a_number;
}

int lanes_of(const PairCall& call) { return std::max(32, call.gang); }

/// One in three tiles has lanes that are not there.
void leave_lanes_out(PairTile& tile, const PairCall& call, int number, Random& random) {
  tile.lanes = lanes_of(call);
  if (number % 3 == 1) tile.lanes = 1 + random.below(tile.lanes);
}

/// A word with each of `count` bits set, by each of several patterns.
unsigned bits_at_random(int count, int way, Random& random) {
  const unsigned all = count == 32 ? ~0u : (1u << count) - 1;
  const auto word = static_cast<unsigned>(random.bits());
  const auto other = static_cast<unsigned>(random.bits());
  switch (way) {
    case 0:
      return 0;
    case 1:
      return all;
    case 2:
      return word & (1u | 1u << (count - 1));  // the first and the last
    case 3:
      return word & other & static_cast<unsigned>(random.bits()) & all;
    default:
      return word & all;
  }
}

constexpr int ways_of_bits = 5;

}  // namespace

/// Lengths up to ten steps, those around a gang among them.
PairTile total_tile(const PairCall& call, int number, Random& random) {
  PairTile tile = tile_at(random);
  leave_lanes_out(tile, call, number, random);
  const int gang = std::max(1, call.gang);
  tile.step = gang + random.below(9);
  const std::vector<int> lengths = {
      0, 1, gang - 1, gang, gang + 1, tile.step, 4 * tile.step, random.below(10 * tile.step)};
  const int length = number % 2 == 0 ? lengths.back() : random.one_of(lengths);
  tile.end = tile.first + length;
  add_terms(tile, length, random);
  return tile;
}

/// Its list is where diagonals begin; `end` counts them, and lane 0 is thread `step` of the tile.
PairTile ragged_tile(const PairCall& call, int number, Random& random) {
  PairTile tile = tile_at(random);
  leave_lanes_out(tile, call, number, random);
  tile.step = number % 2 == 0 ? 0 : random.below(70);
  tile.end = random.below(12);
  int width = random.below(tile.step + tile.lanes + 10);
  int next = tile.first;
  for (int diagonal = 0; diagonal <= tile.end; ++diagonal) {
    tile.list.push_back(next);
    next += width;
    if (!random.once_in(3)) width = random.below(width + 1);
  }
  add_terms(tile, tile.list.back() - tile.first, random);
  return tile;
}

/// Its list has three of each block: bits, the first of its values and its column.
PairTile bits_tile(const PairCall& call, int number, Random& random) {
  PairTile tile = tile_at(random);
  leave_lanes_out(tile, call, number, random);
  tile.end = random.below(7);
  for (int& block : tile.open) block = number % 2 == 0 ? 0 : random.below(tile.end + 1);
  for (int block = 0; block < tile.end; ++block) {
    const unsigned bits = bits_at_random(32, random.below(ways_of_bits), random);
    const auto entry = static_cast<int>(tile.value.size());
    tile.list.insert(tile.list.end(), {static_cast<int>(bits), entry, random.below(1000)});
    add_terms(tile, std::popcount(bits), random);
  }
  return tile;
}

/// Blocks of `call.number` / 10 rows and % 10 columns, which begin at block open[0]: values, 0
/// where a block has no bit, and then x. Its list is as calls.h has it.
PairTile band_tile(const PairCall& call, int number, Random& random) {
  PairTile tile;
  leave_lanes_out(tile, call, number, random);
  const int cols = call.number % 10, places = call.number / 10 * cols;
  const bool has_gaps = call.fragment == "thread_total_band_gaps";
  tile.step = lanes_of(call) + random.below(9);
  tile.open[0] = random.below(5);
  tile.end = tile.open[0] + random.below(4) * tile.step;
  const int blocks = tile.end + pair_lanes_most;  // a gang may read those behind the end
  tile.list = {blocks * places, blocks};
  for (int block = 0; block < blocks; ++block) tile.list.push_back(random.below(20));
  for (int block = 0; block < blocks; ++block) {
    const unsigned bits = bits_at_random(places, has_gaps ? random.below(ways_of_bits) : 1, random);
    tile.list.push_back(static_cast<int>(bits));
  }
  for (int entry = 0; entry < blocks * places; ++entry) tile.value.push_back(not_a_number);
  // The places of a lane's blocks are tile.step apart.
  for (int block = tile.open[0]; block < tile.end; ++block) {
    const int local = (block - tile.open[0]) % tile.step;
    for (int place = 0; place < places; ++place) {
      const int entry = block + (places - 1) * (block - local) + place * tile.step;
      const bool is_there = tile.list[2 + blocks + block] >> place & 1;
      tile.value[entry] = is_there ? term(random) : 0;
    }
  }
  for (int column = 0; column < 20 + cols; ++column) tile.value.push_back(term(random));
  if (random.once_in(2)) {
    const auto at = tile.value.end() - 1 - random.below(20);
    *at = random.once_in(2) ? infinity : not_a_number;
  }
  return tile;
}

/// Lanes know how many rows have begun before them.
PairTile bitmap_tile(const PairCall& call, int number, Random& random) {
  PairTile tile = tile_at(random);
  tile.step = tile.lanes + random.below(9);
  add_terms(tile, (call.number - 1) * tile.step + tile.lanes, random);
  const int way = number % (ways_of_bits + 3);
  const int one = random.below(tile.lanes);
  int begun = 0;
  for (int lane = 0; lane < tile.lanes; ++lane) {
    unsigned& starts = tile.starts[lane];
    if (way < ways_of_bits) {
      starts = bits_at_random(call.number, way, random);
    } else if (way == ways_of_bits) {  // all patterns side by side
      starts = bits_at_random(call.number, random.below(ways_of_bits), random);
    } else if (way == ways_of_bits + 1) {  // the tile's last alone
      starts = lane + 1 == tile.lanes ? 1u << (call.number - 1) : 0;
    } else {
      starts = lane == one ? bits_at_random(call.number, 4, random) : 0;
    }
    if (lane == 0 && random.once_in(2)) starts ^= 1;
    tile.open[lane] = begun;
    begun += std::popcount(starts);
  }
  return tile;
}

/// Its list has the entry and the row of each lane, and one more, and then the ends of rows.
PairTile merge_tile(const PairCall&, int number, Random& random) {
  PairTile tile = tile_at(random);
  const int rows = 1 + random.below(100);
  std::vector<int> ends;
  int entries = tile.first;
  for (int row = 0; row < rows; ++row) {
    const int length = random.below(number % 4 == 0 ? 2 : number % 4 == 1 ? 1 : 7);
    entries += number % 4 == 2 && row == 0 ? 200 : length;
    ends.push_back(entries);
  }
  add_terms(tile, entries - tile.first, random);
  const int path = entries - tile.first + rows;
  const int items = (path + tile.lanes - 1) / tile.lanes;
  std::vector<int> entry_of, row_of;
  for (int lane = 0, entry = tile.first, row = 0; lane <= tile.lanes; ++lane) {
    entry_of.push_back(entry);
    row_of.push_back(std::min(row, rows - 1));  // the last row leaves as any other's last
    for (int item = 0; item < items && row < rows; ++item) ++(entry < ends[row] ? entry : row);
  }
  for (const std::vector<int>& part : {entry_of, row_of, ends}) {
    tile.list.insert(tile.list.end(), part.begin(), part.end());
  }
  return tile;
}

/// A value of each lane; the first word says in which lanes rows begin.
PairTile lanes_tile(const PairCall&, int number, Random& random) {
  PairTile tile = tile_at(random);
  add_terms(tile, tile.lanes, random);
  const int way = number % (ways_of_bits + 2);
  tile.starts[0] = way == ways_of_bits       ? 1u
                   : way == ways_of_bits + 1 ? 1u << random.below(32)
                                             : bits_at_random(32, way, random);
  return tile;
}

/// Rows of y that differ, one a lane, and the values that beta meets in them; its list says how a
/// sink gets them (calls.h).
PairTile one_writer_tile(const PairCall& call, int number, Random& random) {
  PairTile tile = tile_at(random);
  leave_lanes_out(tile, call, number / 3, random);
  add_terms(tile, tile.lanes, random);
  tile.list = {number % 3};
  std::iota(tile.row.begin(), tile.row.end(), 0);
  std::vector<int> rows(tile.row.begin(), tile.row.end());
  random.shuffle(rows);
  const int first = random.below(pair_lanes_most + 1 - lanes_of(call));
  for (int lane = 0; lane < lanes_of(call); ++lane) {
    tile.row[lane] = tile.list[0] == 2 ? first + lane : rows[lane];
  }
  tile.alpha = random.below(5) - 2;
  tile.beta = number % 2 == 0 ? 0 : random.below(5) - 2;
  const bool reads_y = call.fragment == "global_add" || tile.beta != 0;
  for (int row = 0; row < pair_lanes_most; ++row) {
    tile.y.push_back(reads_y ? term(random) : not_a_number);
  }
  return tile;
}

/// Several lanes write the same row, one of which the task may share with the one before.
PairTile many_writers_tile(const PairCall& call, int number, Random& random) {
  PairTile tile = one_writer_tile(call, number, random);
  for (double& value : tile.y) value = term(random);
  if (tile.list[0] != 2) {
    const int rows = 1 + random.below(pair_lanes_most);
    for (int& row : tile.row) row = random.below(rows);
  }
  if (number % 4 < 2) return tile;
  tile.carry_row = number % 4 == 2 ? tile.row[0] : random.below(pair_lanes_most);
  return tile;
}

/// Random words, and in them the inputs of packed_bits, packed_bytes and run_number. They are 32
/// times a word with 31 before it and the number of bits that are cut off. They are also 4 times a
/// word and the number of its bytes or of the runs that begin before it; and the place.
PairTile words_tile(const PairCall& call, int number, Random& random) {
  PairTile tile;
  for (unsigned& word : tile.starts) word = bits_at_random(32, number % ways_of_bits, random);
  for (int lane = 0; lane < tile.lanes; ++lane) {
    const int width = number % 4 == 0 ? 31 * random.below(2) : random.below(32);
    tile.open[lane] = call.fragment == "packed_bits"    ? 32 * (31 + random.below(30)) + width
                      : call.fragment == "packed_bytes" ? 4 * random.below(30) + width % 4
                                                        : width;
    tile.row[lane] = random.once_in(4) ? 31 * random.below(2) : random.below(32);
    if (call.gang == 0) continue;
    const int beside = lane % call.gang;  // all lanes of a gang read one chunk
    tile.open[lane] = tile.open[lane - beside];
    tile.row[lane] = beside == 0 ? random.below(32 - call.gang) : tile.row[lane - 1] + 1;
  }
  return tile;
}

}  // namespace alphasparse
