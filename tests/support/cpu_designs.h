// cpu_designs: the designs that tests of CPUs run - those of no name, and triples of
// matrix, design and type at random.
#pragma once
#include <string>
#include <vector>

#include "operators/named_designs.h"
#include "tests/support/battery.h"

namespace alphasparse {

/// How a named design is called in messages.
void PrintTo(const NamedDesign& design, std::ostream* out);

/// Lines of no name, each for a path of the builder; a matrix may refuse one.
const std::vector<const char*>& free_designs_of_cpus();

/// Lines that store one triangle.
const std::vector<const char*>& half_designs_of_cpus();

/// Flags of a compiler.
const std::vector<std::string>& warnings_as_errors();

/// A design's name as gtest takes it.
std::string test_name_of(const NamedDesign& design);

struct CpuTriple {
  const NamedMatrix& entry;
  std::string design;
  Dtype dtype;
};

/// The triple of a seed, its matrix one of `all`.
CpuTriple cpu_triple(const std::vector<NamedMatrix>& all, int seed);

/// Whether ALPHASPARSE_SEED asks for this seed, or for none.
bool is_wanted(int seed);

}  // namespace alphasparse
