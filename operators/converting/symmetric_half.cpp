// symmetric_half: one triangle of a symmetric or skew-symmetric matrix, for about half of the
// bytes.
//
// A non-zero (i, j) that is kept gives value * x[j] to row i as always, and value * x[i] or
// -value * x[i] to row j for its mirror image: on a GPU by an atomic addition where it is read
// (templates/fragments/mirror_add.cuh), on a CPU plainly (templates/lanes/thread_total_mirrored.h).
// So each reader of a non-zero must know its row, and nearly every row has several writers.
//
// Example, the upper triangle of (a b .; b . c; . c d): rows (a b), (c), (d).
#include "operators/all_operators.h"
#include "operators/converting/splits.h"

namespace alphasparse {

namespace {

std::optional<std::string> symmetric_half_applies(const Store& store, const Arguments&) {
  if (store.mirrored()) return "only one triangle is left already";
  if (!store.levels().empty()) return "positions cannot go once a level is cut";
  if (!store.description.empty()) {
    return "a branch need not have the mirror images of its non-zeros; put it before the split";
  }
  if (store.gathers_x()) return "x is gathered, so columns do not name rows of y any more";
  if (store.callers_mirror() == Mirror::none)
    return "the matrix is neither symmetric nor skew-symmetric in its pattern and values";
  return std::nullopt;
}

}  // namespace

const Operator symmetric_half = {
    "symmetric_half",
    Stage::converting,
    "new",
    "keeps the upper triangle of a symmetric or skew-symmetric matrix; what it reads is added to "
    "two rows",
    {},
    matrix_keys(),
    {},
    matrix_keys(),
    symmetric_half_applies,
    [](Store& store, const Arguments&) { store.keep_upper_triangle(); },
    [](const WeightContext&) { return 1.5; },
};

}  // namespace alphasparse
