// The archetypes and their default options.
#include "tools/synthetic/synthetic.h"

namespace alphasparse {

const std::vector<Archetype>& archetypes() {
  using enum ArchetypeKind;
  //   kind, rows, cols, mean, std, skew, bandwidth, neighbours, similarity
  static const std::vector<Archetype> all = {
      {"fem",
       "a mesh with three unknowns a node: full 3 x 3 blocks, new ones near five layers",
       "rows are multiples of 3 long; --neighbours is at least 1.34, --similarity 0.67",
       3,
       1,
       true,
       {fem, 99'999, 99'999, 54, 15, 0.5, 0.05, 1.75, 0.9}},
      {"stencil",
       "a grid: distances to the diagonal that are the same all along, of two fields",
       "--std tells how many rows lack points; the longest row has all of them",
       1,
       1,
       true,
       {stencil, 100'000, 100'000, 7, 0, 0, 0.02, 0.57, 1}},
      {"chemistry",
       "quantum chemistry: dense clumps of very different size on the diagonal",
       "",
       1,
       1,
       true,
       {chemistry, 50'000, 50'000, 70, 105, 9, 0.17, 1.2, 0.95}},
      {"circuit",
       "short rows near the diagonal, columns that reach everywhere, a few giant rows",
       "",
       1,
       1,
       true,
       {circuit, 200'000, 200'000, 6, 60, 2500, 0.3, 0.8, 0.65}},
      {"rmat",
       "an R-MAT graph (a, b, c, d = .57 .19 .19 .05), numbered at random",
       "hubs are alike: --similarity near 0 takes enough columns",
       1,
       0,
       false,
       {rmat, 131'072, 131'072, 14, 30, 100, 0.35, 0.05, 0.05}},
      {"road",
       "road networks, meshes of triangles, k-mers: very short rows, near or far",
       "",
       1,
       1,
       false,
       {road, 200'000, 200'000, 2.8, 1, 3, 0.005, 0.16, 0.3}},
      {"lp",
       "a linear programme: far more columns than rows, long rows of very different length",
       "",
       1,
       1,
       false,
       {lp, 4'000, 200'000, 300, 400, 20, 0.9, 1.5, 0.25}},
      {"uniform",
       "columns anywhere in the window: low locality",
       "",
       1,
       0,
       false,
       {uniform, 100'000, 100'000, 20, 5, 2, 0.6, 0, 0}},
  };
  return all;
}

const Archetype& find_archetype(ArchetypeKind kind) {
  return archetypes()[static_cast<std::size_t>(kind)];
}

}  // namespace alphasparse
