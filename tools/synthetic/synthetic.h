// synthetic: matrices of known statistics - eight archetypes that cover the matrix sets of the
// literature, and twins of well-known matrices.
//
// A matrix is made row by row. Row lengths are quantiles of one distribution (row_lengths.h). Of
// every row some columns are kept for the next one, so that rows are as similar as asked for. The
// others are placed afresh in runs, as many as there should be neighbours, inside a window as wide
// as the bandwidth. The next rows make up for the columns that a row has too much or too little of
// (steering.h). An archetype is the source of new columns: the neighbours of a mesh, clumps, nets
// of a circuit, an R-MAT graph.
//
// The statistics are those of search/learning/features.h, and skew = (longest row - mean) / mean,
// as in arXiv 2302.04225. Patterns are not symmetric, in any archetype.
//
// Pure: the same options give the same matrix, bit for bit, with every compiler
// (base/random.h).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

enum class SyntheticValues {
  random,  ///< plus or minus 0.000000001 to 0.999999999, nine decimals
  ones,    ///< all 1
  few,     ///< one of eight numbers, all exact in float32
};

/// Names of the archetypes, in the order of `archetypes()`.
enum class ArchetypeKind { fem, stencil, chemistry, circuit, rmat, road, lp, uniform };

struct SyntheticOptions {
  ArchetypeKind kind = ArchetypeKind::uniform;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  double mean = 0;        ///< entries a row
  double std = 0;         ///< standard deviation of the row lengths
  double skew = 0;        ///< (longest row - mean) / mean
  double bandwidth = 0;   ///< as in search/learning/features.h
  double neighbours = 0;  ///< likewise
  double similarity = 0;  ///< likewise
  SyntheticValues values = SyntheticValues::random;
  Dtype dtype = default_dtype;  ///< complex: imaginary parts are as the real ones, which stay
  std::uint64_t seed = 0;
};

struct Archetype {
  std::string_view name;
  std::string_view doc;       ///< one line: its model and its making
  std::string_view limits;    ///< which options it does not heed in full; empty: heeds all
  int side = 1;               ///< of the full blocks that it consists of
  std::int32_t least = 0;     ///< entries of the shortest row, in blocks
  bool diagonal = false;      ///< rows have an entry on the diagonal
  SyntheticOptions defaults;  ///< a small example
};

/// All archetypes in the order of ArchetypeKind.
const std::vector<Archetype>& archetypes();
const Archetype& find_archetype(ArchetypeKind kind);

/// Statistics of a matrix of the SuiteSparse collection, and the archetype that it is made from.
struct Twin {
  std::string_view name;
  ArchetypeKind kind;
  std::int64_t rows, cols, nnz, longest;
  double std, bandwidth, neighbours, similarity;
};

const std::vector<Twin>& twins();

/// The twin at `scale` (in (0, 1]) times the rows and columns. Giant rows shrink with the matrix.
/// One longer than a quarter of the scaled columns is cut to that, and the deviation with it. One
/// that alone would make more of the deviation than a quarter, or than in the original, is cut to
/// that.
SyntheticOptions twin_options(const Twin& twin, double scale);

/// Which option is out of range by itself, in one line; empty where none is. O(1).
std::string range_problem(const SyntheticOptions& options);

/// The matrix, or why there is none with such statistics: one line that names the option. Takes 12
/// bytes an entry and 12 a row.
Result<Matrix> synthetic_matrix(const SyntheticOptions& options);

}  // namespace alphasparse
