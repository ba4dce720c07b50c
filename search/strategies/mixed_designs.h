// mixed_designs: structures made of parts of the named designs, which a search tries after them.
//
// A format's strategy for blocks, another's for threads, a third's for sums: the SC'22 paper's
// first example of a new design is such a mix. The few here are where random growth would take long
// to arrive, for they differ from every named design in several steps at once.
#pragma once
#include "generator/facts/store.h"
#include "operators/canonical_design.h"

namespace alphasparse {

/// The variations that `named` offer beside themselves for a matrix of such rows.
/// They are those with branches in one launch, each of their chains for the whole matrix, and warps
/// of rows by their diagonals. There are also slices with packed columns, and blocks of whole rows
/// with threads that have padded parts of rows. Where the longest rows would hold up a chain, they
/// have blocks of their own. Where they would hold up a block, they are cut into csr5's tiles. CPUs
/// have neither blocks nor launches: there they are gangs of rows of all sizes and orders. None of
/// them is a named design. Not all need be legal for every matrix.
Designs mixed_designs(const Designs& named, const RowFacts& rows, Target target = Target::gpu);

/// csr-vector with four entries a load, and with as many lanes as need one load each for a row of
/// mean length. No model of times sees the effect, so only searches that measure try it.
CanonicalDesign wide_lanes(const RowFacts& rows);

}  // namespace alphasparse
