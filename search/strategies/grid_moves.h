// grid_moves: the designs that lie around known ones on the fine grids of their parameters
// (operators/parameter_grid.h): neighbours, several steps away, or anywhere in a structure.
#pragma once
#include <vector>

#include "base/random.h"
#include "operators/parameter_grid.h"
#include "runtime/database/measurement.h"
#include "search/space/known_designs.h"

namespace alphasparse {

/// A known design with the parameters that may be changed. An axis is left out if two others of the
/// known designs along it take as long, within 1 %: it lies on a plateau.
struct GridBase {
  CanonicalDesign design;
  std::vector<FineAxis> axes;
};

/// The designs around which a search goes on.
struct GridBases {
  std::vector<GridBase> best;        ///< fastest first: some of any structure, then of each
                                     ///< structure the fastest, as many as asked for
  std::vector<GridBase> structures;  ///< of each structure the fastest, fastest first
};

/// The bases among the outcomes that are verified and timed. `fastest` are taken of any structure.
GridBases grid_bases(const Outcomes& outcomes, KnownDesigns& known, const RowFacts& rows,
                     std::size_t fastest, std::size_t best);

/// Every design with one parameter changed, in the order of the text.
Designs change_one(const GridBase& base);

/// One design with one or several parameters changed: about two, half of them by one or two values
/// of the grid, half to any. The base itself, where nothing can be changed.
CanonicalDesign several_changed(const GridBase& base, Random& random);

/// One design with every parameter drawn.
CanonicalDesign all_drawn(const GridBase& base, Random& random);

}  // namespace alphasparse
