// shipped_experience: the times of listed designs on known matrices, which the program brings
// along.
//
// There are two kinds, which never mix: times of one CPU serve CPUs, and modelled times of a GPU
// serve GPUs. tools/make_experience makes the files of this folder:
//   KIND.txt   The designs, one a line.
//   KIND.tsv   The first line has the versions, the second one the names of the columns. Each other
//              line is a matrix: name, origin, fingerprint of the pattern, features, and a ratio
//              for each design. It is the design's time over the best one there; - means none.
//
// Nothing in a file can end a search. A file of other versions gives nothing. A design that the
// catalogue does not know, and a line with another number of columns, with features of no matrix or
// with a ratio that is no number of at least 1, is dropped and counted.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "search/learning/features.h"

namespace alphasparse {

struct ShippedMatrix {
  std::string name;
  std::string origin;   ///< group of a collection, or generator
  std::string pattern;  ///< Fingerprints::pattern
  Features features;
  std::map<std::string, double> ratios;  ///< by design, >= 1
};

struct ShippedExperience {
  std::vector<ShippedMatrix> matrices;
  std::size_t dropped = 0;  ///< lines and designs
  std::string unusable;     ///< why there is nothing; empty: there is
};

ShippedExperience read_experience(std::string_view text, Target target);

/// The experience for devices of this target, read once. A fault costs one warning. The variable
/// ALPHASPARSE_EXPERIENCE names a folder with files that take the place of the program's own.
const ShippedExperience& shipped_experience(Target target);

}  // namespace alphasparse
