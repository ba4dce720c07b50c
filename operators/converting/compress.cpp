// compress: drops the positions that are not stored (never a stored zero); the paper's COMPRESS.
//
// The root store holds stored entries only, so nothing moves there; a peel may have listed more in
// its branch. From here on levels are cut from the sequence of non-zeros.
#include "operators/all_operators.h"

namespace alphasparse {

const Operator compress = {
    "compress",
    Stage::converting,
    "COMPRESS",
    "drops the positions that are not stored; the non-zeros become one sequence to cut",
    {},
    {{Level::matrix, Name::row_first_nz}, {Level::matrix, Name::nz_col}},
    {},
    {{Level::matrix, Name::row_first_nz},
     {Level::matrix, Name::nz_col},
     {Level::matrix, Name::value_source}},
    [](const Store& store, const Arguments&) -> std::optional<std::string> {
      if (store.compressed) return "the matrix is compressed already";
      if (!store.levels().empty())
        return "positions cannot go once a level is cut; put it before the first cut";
      return std::nullopt;
    },
    [](Store& store, const Arguments&) {
      if (store.filled) store.drop_fill();
      store.compressed = true;
    },
};

}  // namespace alphasparse
