// warm_start: the part of a tuning database from elsewhere that may help with one problem. It has
// designs to try first, and measurements for the model of the fine grid.
//
// Designs come from three places, in this order, each design once:
//   elsewhere  the same pattern under other conditions (device, dtype, regime, options, generator):
//              the best designs of distinct structures of each such problem, the most alike first
//   nearest    the matrices that look most alike: the best of each, then the second of each, and so
//              on. Only the problem with the least penalty of each pattern counts
//   cover      few designs that serve all: chosen one by one, each time the one that lowers the
//              mean regret over the nearest problems most (cover_set.h). So a matrix that is like
//              no other has designs too. Where the nearest lies further than `far`, the cover
//              comes before the nearest
//
// Matrices that look alike have a small distance (search/learning/likeness.h), plus a penalty for
// other conditions. Deviations are those in the database, in a large one among matrices at random.
// The penalty adds 1 for times of another kind, and 1 for a GPU's where a CPU's are asked for or
// the reverse. It adds 0.5 for another dtype, and 0.25 for another device, regime or options each.
// Half or twice as many vectors add 0.03, once more for each further half or double, 0.2 at most:
// so the same matrix at the next number of vectors comes before other conditions.
//
// Regret is the time by which the best chosen design takes longer than the best one, as a share of
// the best one's time. It is at most 1, and 1 where no chosen design was measured.
//
// A GPU's designs are a CPU's warm start in its own words, and the reverse (other_target.h); those
// that have none there are left out.
//
// Rows for the model are measurements of the matrices elsewhere and nearest, on devices of the same
// target. Each matrix gives the fastest, and some of all others. They weigh 1/2 for the same
// pattern, and less with distance.
//
// The times of those that lie no further than `far` correct expected ones (similar_times.h). Their
// weight is 1 / (1 + distance)^4.
//
// Nothing here fails because of the contents of rows. Designs that the catalogue does not know any
// more, matrices without features, or with features of another version, are left out. The vendor's
// problems never count.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "operators/canonical_design.h"
#include "runtime/database/database.h"
#include "search/learning/features.h"
#include "search/learning/surrogate.h"
#include "search/strategies/similar_times.h"

namespace alphasparse {

struct WarmStartOptions {
  /// Patterns (Fingerprints::pattern) that do not count, as if the database had never seen them. So
  /// the gain of a warm start can be measured on a matrix that is known.
  std::vector<std::string> patterns_left_out;
  std::size_t nearest = 8;          ///< matrices that count
  std::size_t designs_each = 3;     ///< of one problem, of distinct structures
  std::size_t designs_max = 12;     ///< in all
  std::size_t cover = 4;            ///< of them, of the cover
  std::size_t cover_problems = 64;  ///< over which the cover's regret is counted: the nearest
  std::size_t rows_max = 600;       ///< for the model, so that it is trained in little time
  double far = 1.5;                 ///< distance
};

/// A design to try, and the matrix on which it was fast.
struct WarmDesign {
  CanonicalDesign design;
  std::string matrix;  ///< its name
};

struct WarmStart {
  bool is_elsewhere = false;  ///< there are designs for the same pattern
  std::vector<WarmDesign> designs;
  std::vector<TrainingRow> rows;      ///< of DesignFeatures; problems are 1, 2, ...
  std::vector<SimilarTimes> similar;  ///< of those elsewhere and near, on this target
  std::vector<SimilarTimes> shipped;  ///< of those that the program brings along (shipped_start.h)
  Designs listed;                     ///< that were fast there
  std::vector<std::string> shipped_matrices;  ///< their names

  Designs only_designs() const;

  /// The names of the matrices that the designs come from, each once, in their order.
  std::vector<std::string> matrix_names() const;
};

/// As the database keeps them.
StoredFeatures stored_features(const Features& features);

/// The warm start for a problem with these features of its matrix. Throws the error of the database
/// where it cannot be read at all.
WarmStart warm_start(Database& database, const Problem& problem, const Features& features,
                     const WarmStartOptions& options = {});

}  // namespace alphasparse
