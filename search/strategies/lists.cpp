#include "search/strategies/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "search/strategies/mixed_designs.h"
#include "search/strategies/row_orders.h"
#include "search/strategies/run_shapes.h"

namespace alphasparse {

namespace {

constexpr double late_weight = 0.5;  // of designs that are expected to be slow
constexpr double early_reach = 2;    // of the best expected time: designs within it come first...
constexpr std::size_t early_most = 12;         // ...so many of them...
constexpr std::size_t early_most_on_cpu = 24;  // ...or so many, where the order tells less
constexpr double named_reach = 3;              // of named ones behind those, where more come early
// Of the early ones so many have their vectors permuted too, in the best own order, and in the
// next.
constexpr std::size_t permuted_most[] = {6, 2};

/// A list that comes late where times are expected.
std::optional<Proposer> late(const StrategyContext& context, Proposer proposer) {
  if (!context.lists.is_expected) return proposer;
  proposer.first = false;
  proposer.weight = late_weight;
  return proposer;
}

bool has(const Designs& designs, const CanonicalDesign& design) {
  return std::find(designs.begin(), designs.end(), design) != designs.end();
}

DesignLists sort_lists(const Designs& first, const Designs& mixed,
                       const StrategiesOptions& options) {
  const Designs warm = options.warm.only_designs();
  Designs designs = warm;
  for (const Designs* const more : {&first, &mixed}) {
    for (const CanonicalDesign& design : *more) {
      if (!has(warm, design)) designs.push_back(design);
    }
  }
  ExpectedTimes times =
      corrected(corrected(options.expected(designs), options.warm.shipped), options.warm.similar);
  if (options.warm.similar.empty()) {  // far from all: the designs from there come behind
    for (const CanonicalDesign& design : warm) {
      if (!has(first, design) && !has(mixed, design)) times.erase(design);
    }
  }
  const auto find_time = [&](const CanonicalDesign& design) {
    const auto known = times.find(design);
    return known == times.end() ? std::numeric_limits<double>::infinity() : known->second;
  };
  std::stable_sort(designs.begin(), designs.end(),
                   [&](const auto& a, const auto& b) { return find_time(a) < find_time(b); });
  const double best = designs.empty() ? 0 : find_time(designs.front());
  std::size_t room = options.target == Target::cpu ? early_most_on_cpu : early_most;
  bool has_named = false;
  DesignLists lists{first, {}, {}, {}, true};
  Designs unknown, behind;
  for (CanonicalDesign& design : designs) {
    const bool named = has(first, design), is_warm = has(warm, design);
    if (!times.contains(design)) {
      unknown.push_back(std::move(design));
    } else if (is_warm || (find_time(design) <= early_reach * best && room > 0) ||
               (named && !has_named)) {
      lists.early.push_back(std::move(design));
      has_named = has_named || named;
      if (!is_warm && room > 0) --room;
    } else if (named && behind.size() < options.more_named &&
               find_time(design) <= named_reach * best) {
      behind.push_back(std::move(design));  // expectations may be wrong
    } else {
      (named ? lists.named : lists.mixed).push_back(std::move(design));
    }
  }
  for (const Designs& more : {unknown, behind})
    lists.early.insert(lists.early.end(), more.begin(), more.end());
  return lists;
}

/// A proposer of the early designs that are warm, or of the others, in the order of all early ones.
Proposer early_part(StrategyContext& context, Designs warm, bool is_warm) {
  Proposer proposer;
  proposer.first = true;
  proposer.propose = [&context, warm = std::move(warm), is_warm](const Outcomes& outcomes,
                                                                 std::size_t count) {
    DesignLists& lists = context.lists;
    Designs batch;
    for (; lists.next < lists.early.size() && batch.size() < count; ++lists.next) {
      const CanonicalDesign& design = lists.early[lists.next];
      if (outcomes.contains(design.text())) continue;
      if (has(warm, design) != is_warm) break;
      if (is_warm || has(lists.first, design) || context.applies(design)) batch.push_back(design);
    }
    return batch;
  };
  return proposer;
}

/// Behind each of the first designs the same in the promising own orders of the vectors. Not all
/// need be legal.
Designs with_own_orders(const Designs& designs, const std::vector<VectorOrder>& orders) {
  Designs all;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    all.push_back(designs[i]);
    for (std::size_t rank = 0; rank < std::min(orders.size(), std::size(permuted_most)); ++rank) {
      if (i >= permuted_most[rank] || !orders[rank].rejection.empty()) break;
      auto permuted = CanonicalDesign::read(
          fmt::format("permute by={} | {}", orders[rank].by, designs[i].text()));
      if (permuted) all.push_back(std::move(*permuted));
    }
  }
  return all;
}

}  // namespace

Proposer listed(Designs designs, const std::function<bool(const CanonicalDesign&)>& legal) {
  Proposer proposer;
  proposer.first = true;
  proposer.propose = [designs = std::move(designs), next = std::size_t{0}, legal](
                         const Outcomes& outcomes, std::size_t count) mutable {
    Designs batch;
    for (; next < designs.size() && batch.size() < count; ++next) {
      if (outcomes.contains(designs[next].text()) || (legal && !legal(designs[next]))) continue;
      batch.push_back(designs[next]);
    }
    return batch;
  };
  return proposer;
}

DesignLists design_lists(const Matrix& matrix, const Designs& first,
                         const StrategiesOptions& options) {
  Designs mixed;
  const RowFacts rows = row_facts(matrix.row_first);
  if (options.parts.structure) {
    mixed = mixed_designs(first, rows, options.target);
    if (options.is_measured && options.target == Target::gpu) mixed.push_back(wide_lanes(rows));
    const RowOrders orders = options.row_orders ? *options.row_orders : promising_orders(matrix);
    const Designs reordered = reordered_designs(orders, options.target, options.values_vary);
    mixed.insert(mixed.end(), reordered.begin(), reordered.end());
  }
  if (options.parts.structure && options.target == Target::cpu) {
    for (CanonicalDesign& design : run_designs(matrix, options.dtype)) {
      const bool is_named = std::find(first.begin(), first.end(), design) != first.end();
      if (!is_named) mixed.push_back(std::move(design));
    }
    if (!options.values_vary) {
      for (CanonicalDesign& design : triangle_designs(matrix, options.dtype, options.vectors))
        mixed.push_back(std::move(design));
    }
  }
  for (const CanonicalDesign& design : options.warm.listed) {
    if (!has(first, design) && !has(mixed, design)) mixed.push_back(design);
  }
  const bool expects = options.expected && options.parts.prior;
  DesignLists lists =
      expects ? sort_lists(first, mixed, options)
              : DesignLists{first, options.warm.only_designs(), first, std::move(mixed), false};
  Designs& earliest = expects ? lists.early : lists.named;
  earliest = with_own_orders(earliest, options.vector_orders);
  return lists;
}

std::optional<Proposer> warm_strategy(StrategyContext& context, const StrategiesOptions& options) {
  if (options.warm.designs.empty()) return std::nullopt;
  return early_part(context, options.warm.only_designs(), true);
}

std::optional<Proposer> prior_strategy(StrategyContext& context, const StrategiesOptions& options) {
  if (!context.lists.is_expected) return std::nullopt;
  return early_part(context, options.warm.only_designs(), false);
}

std::optional<Proposer> named_strategy(StrategyContext& context, const StrategiesOptions&) {
  return late(context, listed(context.lists.named));
}

std::optional<Proposer> mixed_strategy(StrategyContext& context, const StrategiesOptions&) {
  const bool is_left_out = !context.lists.is_expected && context.lists.mixed.empty();
  if (is_left_out) return std::nullopt;
  return late(context, listed(context.lists.mixed, [&context](const CanonicalDesign& design) {
                return context.applies(design);
              }));
}

}  // namespace alphasparse
