// reorder: rows for locality of x; x and y stay in the caller's order. permute: the vectors too, so
// that a solver keeps them in the kernel's own order for many products.
//
// With x=kept columns keep the caller's numbers and nothing is gathered beside the product itself.
// With x=gathered a launch ahead of all others copies x into the order in which the rows first
// touch it. So neighbouring rows read neighbouring elements. The copy is part of every SpMV.
#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"
#include "operators/converting/orders.h"

namespace alphasparse {

namespace {

std::optional<std::string> reorder_applies(const Store& store, const Arguments& arguments) {
  if (!store.levels().empty()) return "rows cannot move once a level is cut";
  if (auto reason = rejection(store, request::MoveRows{})) return reason;
  if (store.gathers_x()) return "x is gathered for another order of the rows already";
  if (arguments.text("x") == "gathered" && store.mirrored()) {
    return "mirror images are added to the rows that columns name; use x=kept";
  }
  if (arguments.text("x") == "gathered" && !store.description.empty()) {
    return "x is gathered once for all branches; put it before the matrix is split";
  }
  return no_order_reason(store, arguments.text("by"));
}

const std::vector<Key> rows_keys = {{Level::matrix, Name::row_first_nz},
                                    {Level::matrix, Name::row_origin},
                                    {Level::matrix, Name::nz_col},
                                    {Level::matrix, Name::value_source}};

const std::vector<Key> changed_keys = {{Level::matrix, Name::row_first_nz},
                                       {Level::matrix, Name::row_origin},
                                       {Level::matrix, Name::col_origin},
                                       {Level::matrix, Name::nz_col},
                                       {Level::matrix, Name::value_source}};

std::optional<std::string> permute_applies(const Store& store, const Arguments& arguments) {
  if (store.own_order()) return "the vectors have an own order already";
  const bool is_first = store.levels().empty() && store.description.empty() && !store.compressed &&
                        !store.mirrored() && !store.gathers_x() && store.rows_in_callers_order() &&
                        store.layout == LayoutChoice(InOrder{});
  if (!is_first) return "the order of the vectors comes first of all steps";
  return no_order_reason(store, arguments.text("by"));
}

}  // namespace

const Operator reorder = {
    "reorder",
    Stage::converting,
    "new",
    "puts rows that read the same parts of x side by side; x and y stay in the caller's order",
    {{.name = "by",
      .doc = "rcm: reverse Cuthill-McKee of a square pattern; columns: sorted by their columns",
      .choices = {"rcm", "columns"}},
     {.name = "x",
      .doc = "kept: read where it is; gathered: copied first, in the order of the rows",
      .fallback = "kept",
      .choices = {"kept", "gathered"}}},
    rows_keys,
    {},
    changed_keys,
    reorder_applies,
    [](Store& store, const Arguments& arguments) {
      store.permute_rows(make_order(store, arguments.text("by")));
      if (arguments.text("x") == "gathered") store.gather_columns();
    },
    [](const WeightContext& at) { return at.is_small ? 0.3 : 0.8; },
};

const Operator permute = {
    "permute",
    Stage::converting,
    "new",
    "puts rows, columns, x and y into an own order; callers permute their vectors once",
    {{.name = "by",
      .doc =
          "rcm: reverse Cuthill-McKee of a square pattern; columns: rows sorted by their columns; "
          "degree: long rows first; dissection: halves of halves of a square pattern; levels: "
          "those "
          "of a triangle",
      .choices = {"rcm", "columns", "degree", "dissection", "levels"}}},
    rows_keys,
    {},
    rows_keys,
    permute_applies,
    [](Store& store, const Arguments& arguments) {
      store.permute_rows(make_order(store, arguments.text("by")));
      store.take_own_order();
    },
};

}  // namespace alphasparse
