// pair_tiles: random inputs for each kind of call of fragment_pairs.h.
#pragma once
#include "tests/support/fragment_pairs.h"

namespace alphasparse {

/// Makers of tile `number` of a call; numbers take turns at the cases that must not be missed.
PairTile total_tile(const PairCall& call, int number, Random& random);
PairTile ragged_tile(const PairCall& call, int number, Random& random);
PairTile bits_tile(const PairCall& call, int number, Random& random);
PairTile band_tile(const PairCall& call, int number, Random& random);
PairTile bitmap_tile(const PairCall& call, int number, Random& random);
PairTile merge_tile(const PairCall& call, int number, Random& random);
PairTile lanes_tile(const PairCall& call, int number, Random& random);
PairTile one_writer_tile(const PairCall& call, int number, Random& random);
PairTile many_writers_tile(const PairCall& call, int number, Random& random);
PairTile words_tile(const PairCall& call, int number, Random& random);

}  // namespace alphasparse
