// global_store, global_add, global_atomic, global_carry: how finished sums, or parts of them, reach
// y (the paper's GMEM_ATOM_RED, and epilogues that it has no operator for).
#include <fmt/format.h>

#include "operators/all_operators.h"
#include "operators/reasons.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

std::optional<std::string> not_reduced(const Store& store) {
  if (!store.epilogue.empty()) return sums_have_gone;
  if (store.partial.shape == Shape::none) return nothing_reduced(store);
  return std::nullopt;
}

/// Why a sum is not yet that of a whole row, where one worker could have it.
std::optional<std::string> part_of_row(const Partial& partial) {
  if (partial.holder >= partial.owner) return std::nullopt;
  return fmt::format("each {} holds only a part of its row; put {} before it, or use global_atomic",
                     holder_name(partial.holder),
                     partial.holder == Worker::thread ? "warp_total" : "shared_total");
}

/// Epilogues that count on the writers of a row, or on their order.
std::optional<std::string> cannot_count(const Store& store) {
  if (auto reason = not_reduced(store)) return reason;
  if (store.mirrored()) return "mirror images are added to any row at any time; use global_atomic";
  return std::nullopt;
}

std::optional<std::string> store_applies(const Store& store, const Arguments&) {
  if (auto reason = cannot_count(store)) return reason;
  const Partial& partial = store.partial;
  if (partial.shape != Shape::one && partial.owner == Worker::matrix) {
    return "the rows at both ends are shared with neighbours; use global_atomic or global_carry";
  }
  if (partial.owner == Worker::matrix) return "a row has several writers; use global_atomic";
  return part_of_row(partial);
}

/// The store of a branch does not know the other writers of its rows: plan.cpp rejects a wrong
/// epilogue.
std::optional<std::string> add_applies(const Store& store, const Arguments& arguments) {
  return store_applies(store, arguments);
}

std::optional<std::string> atomic_applies(const Store& store, const Arguments&) {
  return not_reduced(store);
}

std::optional<std::string> carry_applies(const Store& store, const Arguments&) {
  if (auto reason = cannot_count(store)) return reason;
  const Partial& partial = store.partial;
  if (partial.owner != Worker::matrix) {
    if (auto reason = part_of_row(partial)) return reason;
    return "every row has one writer: nothing is left to carry; use global_store";
  }
  if (partial.shape == Shape::one) {
    return fmt::format(
        "each {} has one sum, not a tile with a first and a last row to carry; cut "
        "warps or blocks by non-zeros and use warp_bitmap or shared_offset",
        holder_name(partial.holder));
  }
  return std::nullopt;
}

}  // namespace

const Operator global_store = {
    "global_store",
    Stage::implementing,
    "new",
    "the one writer of a row stores alpha * sum + beta * y",
    {},
    {},
    {},
    {},
    store_applies,
    [](Store& store, const Arguments&) { store.epilogue = "global_store"; },
    [](const WeightContext&) { return 20.0; },
    {.rejects = reject_epilogue},
};

const Operator global_add = {
    "global_add",
    Stage::implementing,
    "new",
    "the one writer of a row in its launch adds to what an earlier launch has written, or stores",
    {},
    {},
    {},
    {},
    add_applies,
    [](Store& store, const Arguments&) { store.epilogue = "global_add"; },
    [](const WeightContext& at) { return at.is_branch ? 2.0 : 0.2; },
    {.lacks = "the parts of a team say that by themselves; use global_store or global_atomic",
     .instead = "global_atomic"},
};

const Operator global_atomic = {
    "global_atomic",
    Stage::implementing,
    "GMEM_ATOM_RED",
    "sums of shared rows are added atomically to an initialised y; rows with one writer are stored",
    {},
    {},
    {},
    {},
    atomic_applies,
    [](Store& store, const Arguments&) { store.epilogue = "global_atomic"; },
    [](const WeightContext&) { return 1.0; },
    {.rejects = reject_epilogue},
};

const Operator global_carry = {
    "global_carry",
    Stage::implementing,
    "new",
    "parts of rows that tiles share go to scratch memory; a second launch adds them in order, the "
    "same bits in every run",
    {},
    {},
    {},
    {},
    carry_applies,
    [](Store& store, const Arguments&) { store.epilogue = "global_carry"; },
    [](const WeightContext&) { return 1.0; },
    {.lacks = "tasks carry the rows that they share in order anyway; use global_atomic",
     .instead = "global_atomic"},
};

}  // namespace alphasparse
