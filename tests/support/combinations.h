// combinations: every sequence in which levels, layouts, reductions and sinks can follow each other
// in a kernel, each with lines of the design language that put it together.
//
// The walk goes from the rows to the launch through every kind of step (step_kinds.h) that
// `applies` allows. It starts with the whole matrix, with a branch that has fill, and with a branch
// of rows that an earlier launch has written. Otherwise branches only decide which rows a store
// holds.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "tests/support/step_kinds.h"

namespace alphasparse {

struct Combination {
  const Start* start = nullptr;
  std::vector<std::size_t> kinds;  ///< indices into step_kinds, the launch last
  std::string levels;              ///< "block_rows rows=3 | thread_cols width=3"
  std::string layout;              ///< "thread_pad | interleave run=2", or empty
  std::string staged;              ///< "stage_x", or empty
  std::string terms;               ///< how threads add their terms: "thread_total vector=2"
  std::string chain;               ///< the fragments after that: "warp_total | shared_total"
  std::string epilogue;            ///< "global_atomic"

  /// A line for it. Varieties other than 0 may be refused for the matrix's numbers.
  std::string line(std::size_t variety) const;
  std::string text() const;  ///< for messages
};

/// An operator that does not apply, and why.
struct Refusal {
  std::string op;
  std::string reason;
  auto operator<=>(const Refusal&) const = default;
};

struct CombinationWalk {
  std::vector<Combination> combinations;    ///< all different
  std::map<Refusal, std::string> refusals;  ///< each with the first line that met it
  std::vector<std::string> dead_ends;       ///< beginnings of lines that nothing continues
};

CombinationWalk walk_combinations();

/// The combinations alone, in less time.
std::vector<Combination> all_combinations();

/// Some of the combinations. Each two of the parts below that can stand together do so in one of
/// them. Levels stand with a chain or a sink. A thread's level, a layout, terms, a chain and a sink
/// stand with each other. A start stands with all of these. Indices, ascending.
std::vector<std::size_t> covering_pairs(const std::vector<Combination>& all);

/// One of every sequence of fragments: terms, chain and sink. Indices, ascending.
std::vector<std::size_t> fragment_sequences(const std::vector<Combination>& all);

/// A fifth of the pairs, and every ninety-sixth combination of the set with one of every sequence
/// of fragments in every nest of levels. With ALPHASPARSE_LONG=N it is all of these, and N others
/// beside them, evenly spread, or all there are.
std::vector<std::size_t> chosen_combinations(const std::vector<Combination>& all);

/// The kernel of number `index`: each has a variety and a type of its own. Where the matrix's
/// numbers do not allow the variety, the first that they allow.
Result<Kernel> combination_kernel(const Combination& made, std::size_t index);

/// A matrix for Start::matrix. "hard": empty rows first, last and in a run, one huge row, sizes off
/// 32, more columns than rows. "equal": rows of equal length, which need no pads. "symmetric": so
/// in pattern and values, with one full row and empty ones.
const Matrix& combination_matrix(const std::string& name);

}  // namespace alphasparse
