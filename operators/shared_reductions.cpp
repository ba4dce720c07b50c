// shared_total: reductions through shared memory (the paper's SHMEM_TOTAL_RED).
#include <fmt/format.h>

#include "operators/all_operators.h"

namespace alphasparse {

namespace {

const Fragment total_fragment = {
    .name = "shared_total",
    .takes = Shape::one,
    .gives = Shape::one,
    .scope = Worker::block,
    .template_arguments = {Role::threads, Role::lanes},
    .arguments = {Role::partial, Role::table},
    .result_type = "const Value",
    .result_name = "block_sum",
};

std::optional<std::string> total_applies(const Store& store, const Arguments&) {
  if (!store.sink.empty()) return "the sums have gone to y already";
  const Partial& partial = store.partial;
  if (partial.shape != Shape::one) return "the threads do not hold one sum each";
  if (partial.holder >= partial.owner) {
    return fmt::format("each {} has whole rows: nothing is left to add",
                       worker_name(partial.holder));
  }
  if (partial.owner == Worker::matrix) return "the threads of a block hold different rows";
  if (partial.owner != Worker::block) {
    return fmt::format("a row lies in one {}, not in a block", worker_name(partial.owner));
  }
  return std::nullopt;
}

void total_apply(Store& store, const Arguments&) {
  const int lanes = store.partial.holder == Worker::warp ? 32 : 1;
  store.partial.holder = Worker::block;
  store.chain.push_back({&total_fragment, lanes});
}

}  // namespace

const Operator shared_total = {
    "shared_total",
    Stage::implementing,
    "SHMEM_TOTAL_RED",
    "the threads or warps of a block that share a row add their sums through shared memory",
    {},
    {},
    {},
    {},
    total_applies,
    total_apply,
};

}  // namespace alphasparse
