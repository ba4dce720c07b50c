// step_rules: the rules of prune_rules.h that follow from the matrix and the operators present.
#include <fmt/format.h>

#include <algorithm>

#include "generator/layouts/layout_kind.h"
#include "operators/catalogue.h"
#include "search/space/prune_rules.h"

namespace alphasparse {

namespace {

using Reason = std::optional<std::string>;

bool stands_before(const StepView& step, std::string_view op) {
  return std::any_of(step.before.begin(), step.before.end(),
                     [&](const Step& other) { return other.op == op; });
}

bool sorts(std::string_view op) {
  return op == "sort_rows" || op == "sort_rows_in_bands" || op == "block_sort_rows";
}

/// Sorting keeps the order of equal rows, so it would give the kernel of the design without it. A
/// layout may tell rows of one length apart.
Reason sorting_equal_rows(const StepView& step) {
  const RowFacts& rows = step.store.row_facts();
  if (!sorts(step.op.name) || rows.length_min != rows.length_max) return std::nullopt;
  if (layout_kind(step.store).sizes) return std::nullopt;
  return fmt::format("all rows have {} non-zeros: there is nothing to sort", rows.length_min);
}

/// Likewise: a design that has sorted all rows has sorted those of every band and block.
Reason sorting_sorted_rows(const StepView& step) {
  if (!sorts(step.op.name) || !stands_before(step, "sort_rows")) return std::nullopt;
  if (stands_before(step, "reorder")) return std::nullopt;
  return "the rows are sorted already";
}

/// A branch without work costs a launch.
Reason empty_branch(const StepView& step) {
  if (!step.parts) return std::nullopt;
  std::int64_t rows = 0;
  for (const Prefix& part : *step.parts) rows += part.store.rows();
  const bool shared_rows = rows > step.store.rows();
  for (std::size_t i = 0; i < step.parts->size(); ++i) {
    const Store& part = (*step.parts)[i].store;
    if (part.rows() == 0) return fmt::format("branch {} would get no rows", i + 1);
    // Where rows are whole, a branch of empty ones has their initialisation to do.
    if (part.nnz() == 0 && shared_rows) {
      return fmt::format("branch {} would get no non-zeros", i + 1);
    }
  }
  return std::nullopt;
}

/// The rest would be as slow as the whole matrix, and there would be one launch more.
Reason thin_peel(const StepView& step) {
  if (!step.parts) return std::nullopt;
  const Store& regular = step.parts->front().store;
  const bool has_own_layout = regular.layout != step.store.layout;
  if (!regular.listed && !has_own_layout) return std::nullopt;
  const std::int64_t rest = step.parts->back().store.nnz();
  const std::int64_t split_off = step.store.nnz() - rest;
  if (split_off * 100 >= step.store.nnz()) return std::nullopt;
  return fmt::format("its regular part has {} of {} non-zeros", split_off, step.store.nnz());
}

/// One thread would walk the giant row while all the others have long been done.
Reason giant_row(const StepView& step) {
  constexpr std::int32_t giant = 4096;
  constexpr double times_mean = 16;
  const RowFacts& rows = step.store.row_facts();
  if (step.op.name != "thread_rows" || rows.length_max < giant ||
      rows.length_max < times_mean * rows.length_mean) {
    return std::nullopt;
  }
  return fmt::format(
      "one thread would add the {} non-zeros of the longest row, where rows have "
      "{:.1f} on average",
      rows.length_max, rows.length_mean);
}

/// The size is known before anything is padded, where all threads get one length.
Reason pads_too_large(const StepView& step) {
  if (step.op.name != "thread_pad" && step.op.name != "block_pad" && step.op.name != "warp_pad") {
    return std::nullopt;
  }
  const LevelFacts& threads = *step.store.level(Level::thread);
  if (step.op.name == "thread_pad" && threads.parent != Level::matrix) return std::nullopt;
  constexpr double entry_bytes = 8;
  constexpr double cpu_pads_ratio_max = 3;  // a core takes as long for a pad as for an entry
  const BuildLimits& size = step.space.limits.size;
  const double padded = static_cast<double>(threads.parts) * threads.nz_max * entry_bytes;
  const double csr = static_cast<double>(step.store.callers_nnz()) * entry_bytes;
  const double most = step.store.on_cpu()
                          ? csr * cpu_pads_ratio_max
                          : csr * size.csr_bytes_ratio_max + static_cast<double>(size.bytes_free);
  if (padded <= most) return std::nullopt;
  return fmt::format("{} threads would be padded to {} non-zeros, {:.0f} times the matrix",
                     threads.parts, threads.nz_max, padded / std::max(csr, 1.0));
}

/// Half as many lanes do the same in as many steps, with half of the threads.
Reason idle_lanes(const StepView& step) {
  if (!step.arguments.has("lanes")) return std::nullopt;
  const std::int64_t lanes = step.arguments.integer("lanes");
  const std::int64_t longest = step.store.row_facts().length_max;
  const LevelFacts* parent = step.store.innermost();
  const bool may_be_fewer = lanes > 2 && !(parent && parent->tiling == Tiling::cols);
  if (!may_be_fewer || 2 * longest > lanes) return std::nullopt;
  return fmt::format("{} lanes would share rows of at most {} non-zeros", lanes, longest);
}

/// A warp has as many lanes as such a row has non-zeros.
Reason block_for_a_short_row(const StepView& step) {
  const std::int32_t longest = step.store.row_facts().length_max;
  const bool one_row =
      step.op.name == "block_cols" || (step.op.name == "block_rows" && step.arguments.has("rows") &&
                                       step.arguments.integer("rows") == 1);
  if (!one_row || longest > 32) return std::nullopt;
  return fmt::format("a block would have one row of at most {} non-zeros", longest);
}

/// Every part adds a launch and a writer to each row, for an x that is in the nearest cache anyway.
Reason columns_of_a_small_x(const StepView& step) {
  constexpr std::int32_t small = 4096;
  if (step.op.name != "col_split" || step.store.cols() > small) return std::nullopt;
  return fmt::format("all {} elements of x fit the nearest cache", step.store.cols());
}

/// Each trial would refuse it after building it.
Reason rounding(const StepView& step) {
  if (step.space.limits.may_round || step.op.name != "compact") return std::nullopt;
  if (step.arguments.text("values") != "rounded") return std::nullopt;
  return "it rounds values, which only --values-precision f32 allows";
}

/// Likewise.
Reason own_order(const StepView& step) {
  if (step.space.limits.own_order || step.op.name != "permute") return std::nullopt;
  return "it gives x and y an order of its own, which only --vectors-order own allows";
}

/// As many columns as there are, or more, are all of them.
Reason columns_of_few_vectors(const StepView& step) {
  if (step.op.name != "launch" || step.arguments.text("columns") == "all") return std::nullopt;
  const int vectors = step.space.limits.vectors;
  if (step.arguments.integer("columns") < vectors) return std::nullopt;
  return fmt::format("columns= takes all of {} at once; leave it out", vectors);
}

Reason values_that_vary(const StepView& step) {
  if (!step.space.limits.values_vary) return std::nullopt;
  if (step.op.name == "symmetric_half") {
    return "other values need not be symmetric, and --values varying allows any";
  }
  if (step.op.name != "compact" || step.arguments.text("values") == "full") return std::nullopt;
  return "other values need not fit its codes, and --values varying allows any";
}

/// A register of a core's vectors holds four doubles at least, or some columns of one row.
Reason gang_of_few_rows(const StepView& step) {
  const std::int32_t few = step.space.limits.vectors == 1 ? 4 : 2;
  if (!step.store.on_cpu() || step.op.name != "thread_rows") return std::nullopt;
  const LevelFacts* const warps = step.store.level(Level::warp);
  const bool is_gang = warps && warps->tiling == Tiling::rows && step.store.rows() >= few;
  if (!is_gang || warps->rows_max >= few) return std::nullopt;
  return fmt::format("gangs would have {} rows, which leaves registers empty", warps->rows_max);
}

/// One sum a row is as many loads, and a fraction of the additions to y.
Reason entry_by_entry(const StepView& step) {
  if (!step.store.on_cpu() || step.op.name != "thread_nnz") return std::nullopt;
  if (!step.store.description.empty() || step.store.level(Level::warp)) return std::nullopt;
  if (step.arguments.integer("nnz") != 1) return std::nullopt;
  return "each entry would be added to y by itself";
}

/// Data in caches come faster than a core decodes them, but for codes of few values, which it
/// compares with.
Reason unpacked_in_cache(const StepView& step) {
  constexpr std::int64_t cached_nnz = 1 << 20;  // 12 MB of doubles and columns
  constexpr std::int64_t few_values = 3;        // and the 0 of pads
  if (!step.store.on_cpu() || step.op.name != "compact") return std::nullopt;
  if (step.space.features.nnz > cached_nnz) return std::nullopt;
  const std::string& columns = step.arguments.text("columns");
  if (columns == "fewest" || columns == "packed" || columns == "deltas") {
    return fmt::format("columns={} takes longer to unpack than to load; use columns=narrow",
                       columns);
  }
  const bool few = step.space.features.distinct_values <= few_values;
  if (few || step.arguments.text("values") != "coded") return std::nullopt;
  return "values=coded takes longer to look up than to load; use values=full";
}

/// Others would have begun long before one thread had done all; where there is but one, it has all
/// anyway.
Reason one_task(const StepView& step) {
  constexpr std::int64_t few = 50'000;  // a core takes some microseconds, which a team wakes up in
  if (!step.store.on_cpu() || step.op.name != "launch") return std::nullopt;
  if (!step.arguments.has("tasks") || step.arguments.text("tasks") != "one") return std::nullopt;
  if (!step.space.limits.is_team) return "there is one thread; use tasks=bytes";
  if (step.store.nnz() <= few) return std::nullopt;
  return fmt::format("one thread would have all {} non-zeros", step.store.nnz());
}

/// The reason against a step of the chain or of its branches, or nothing.
Reason chain_reason(const SearchSpace& space, Prefix prefix, const Design& chain) {
  std::vector<Step> before;
  for (const Step& step : chain.steps) {
    const Result<Arguments> arguments = check_arguments(step);
    if (!arguments) return std::nullopt;
    StepView view{space, before, prefix.store, *find_operator(step.op), *arguments};
    if (cannot_apply(view.op, view.store, view.arguments)) return std::nullopt;
    const auto named = [&](const Reason& reason) { return step.op + ": " + *reason; };
    if (!view.op.branches) {
      if (const Reason reason = prune_reason(view)) return named(reason);
      prefix = space.designer.after(prefix, step).value();
      before.push_back(step);
      continue;
    }
    const Result<std::vector<Prefix>> parts = space.designer.inside(prefix, step);
    if (!parts) return std::nullopt;
    view.parts = &*parts;
    if (const Reason reason = prune_reason(view)) return named(reason);
    for (std::size_t i = 0; i < parts->size(); ++i) {
      if (Reason reason = chain_reason(space, (*parts)[i], step.branches[i])) return reason;
    }
  }
  return std::nullopt;
}

}  // namespace

const std::vector<StepRule>& step_rules() {
  static const std::vector<StepRule> all = {
      {"sorting_equal_rows", sorting_equal_rows},
      {"sorting_sorted_rows", sorting_sorted_rows},
      {"empty_branch", empty_branch},
      {"thin_peel", thin_peel},
      {"giant_row", giant_row},
      {"pads_too_large", pads_too_large},
      {"idle_lanes", idle_lanes},
      {"block_for_a_short_row", block_for_a_short_row},
      {"columns_of_a_small_x", columns_of_a_small_x},
      {"rounding", rounding},
      {"own_order", own_order},
      {"columns_of_few_vectors", columns_of_few_vectors},
      {"values_that_vary", values_that_vary},
      {"gang_of_few_rows", gang_of_few_rows},
      {"entry_by_entry", entry_by_entry},
      {"unpacked_in_cache", unpacked_in_cache},
      {"one_task", one_task},
  };
  return all;
}

Reason prune_reason(const StepView& step) {
  if (!step.space.limits.prunes) return std::nullopt;
  for (const StepRule& rule : step_rules()) {
    Reason reason = rule.reason(step);
    if (!reason) continue;
    if (step.space.prunes) ++(*step.space.prunes)[rule.name];
    return reason;
  }
  return std::nullopt;
}

Reason prune_reason(const SearchSpace& space, const Design& design) {
  return chain_reason(space, space.designer.root(), design);
}

}  // namespace alphasparse
