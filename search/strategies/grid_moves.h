// grid_moves: the designs that lie around known ones on the fine grids of their parameters
// (operators/parameter_grid.h): neighbours, several steps away, or anywhere in a structure.
#pragma once
#include <string>
#include <vector>

#include "base/random.h"
#include "operators/parameter_grid.h"
#include "runtime/database/measurement.h"

namespace alphasparse {

/// A known design with the parameters that may be changed. An axis is left out if two others of the
/// known designs along it take as long, within 1 %: it lies on a plateau.
struct GridBase {
  Design design;
  std::vector<FineAxis> axes;
};

/// The base of a design that the catalogue knows.
GridBase grid_base(const std::string& design, const RowFacts& rows);

/// The designs around which a search goes on.
struct GridBases {
  std::vector<GridBase> best;        ///< fastest first: some of any structure, then of each
                                     ///< structure the fastest, as many as asked for
  std::vector<GridBase> structures;  ///< of each structure the fastest, fastest first
};

/// The bases among the outcomes that are verified and timed. `fastest` are taken of any structure.
GridBases grid_bases(const Outcomes& outcomes, const RowFacts& rows, std::size_t fastest,
                     std::size_t best);

/// Every design with one parameter changed, canonical, in the order of the text.
std::vector<std::string> one_changed(const GridBase& base);

/// One design with one or several parameters changed: about two, half of them by one or two values
/// of the grid, half to any. The base itself, where nothing can be changed.
std::string several_changed(const GridBase& base, Random& random);

/// One design with every parameter drawn.
std::string all_drawn(const GridBase& base, Random& random);

}  // namespace alphasparse
