#include "generator/body/thread_terms.h"

#include <algorithm>
#include <cstdint>

namespace alphasparse {

namespace {

constexpr int unrolled_terms_most = 32;
// Bytes of x that a thread has registers for: a batch's, and those of a loop that is unrolled
// whole.
constexpr std::int64_t batch_bytes_most = 128, unrolled_bytes_most = 256;

/// Elements of x that fit into so many bytes.
std::int64_t count_elements(const Composition& c, std::int64_t bytes) {
  return std::max<std::int64_t>(1, bytes / c.format.operands().element_bytes());
}

/// A bound of the terms of any thread, as far as a level knows it.
std::int64_t terms_most(const Composition& c) {
  const LevelFacts& threads = c.thread_level();
  const std::int64_t row = c.store.row_facts().length_max;
  const std::int64_t entries = threads.tiling == Tiling::lanes
                                   ? (row + threads.lanes - 1) / threads.lanes
                                   : std::min<std::int64_t>(row, threads.nz_max);
  return (entries + c.store.vector - 1) / c.store.vector;
}

/// Terms of every thread, where a tile of equal ones says so; else 0.
int equal_terms(const Composition& c) {
  const LevelFacts& threads = c.thread_level();
  if (threads.tiling == Tiling::lanes || c.store.partial.row_by_row) return 0;
  if (c.plan.layout.in_order) return 0;
  return c.plan.layout.width / c.store.vector;
}

bool has_single_term(const Composition& c) {
  const LevelFacts& threads = c.thread_level();
  if (threads.tiling == Tiling::lanes || c.store.partial.row_by_row) return false;
  const LevelFacts* const parent = c.store.level(threads.parent);
  const bool may_have_none = c.gang > 0 && parent && parent->nz_min == 0;
  if (threads.tiling == Tiling::nnz) return threads.part_size == 1 && !may_have_none;
  return c.plan.layout.in_order ? threads.nz_min == 1 && threads.nz_max == 1
                                : c.plan.layout.width == 1;
}

/// Whether no thread has more than one term. Where threads have tiles, a pad may be a term of its
/// own. Where lanes share a row, terms_most() counts its entries: those behind them are pads.
bool has_one_term_at_most(const Composition& c) {
  const bool counts_all_terms = c.plan.layout.in_order || c.thread_level().tiling == Tiling::lanes;
  return counts_all_terms && terms_most(c) <= 1;
}

/// On a GPU, a term that stands alone needs no loop. Few terms, and as many for all threads, are a
/// loop that the compiler unrolls whole: then all its loads can be in flight together.
const Fragment& choose_fragment(const Composition& c, const Fragment& fragment) {
  if (!c.writer.simt) return fragment;
  if (fragment.once && !has_single_term(c) && has_one_term_at_most(c)) return *fragment.once;
  const int terms = equal_terms(c);
  const auto most =
      std::min<std::int64_t>(unrolled_terms_most, count_elements(c, unrolled_bytes_most));
  const bool few = fragment.counted && terms > 0 && terms <= most;
  return few ? *fragment.counted : fragment;
}

/// Terms of a batch. Where it exceeds those of all threads, these are all in its last one: a larger
/// batch would do the same. Rows of many columns leave registers for few.
int choose_batch(const Composition& c, const FragmentStep& step) {
  const std::int64_t most = terms_most(c);
  if (most <= 1) return 1;
  int batch = step.batch;
  while (batch / 2 > most || batch > count_elements(c, batch_bytes_most)) batch /= 2;
  return batch;
}

/// The layout may know better than the fragment. A term that stands alone has the loads of a wide
/// one together, and a thread's loop over rows with such terms is unrolled as one over terms is. A
/// batch asks for registers in any case.
InFlight find_in_flight(const Composition& c, const TermsCall& terms, const FragmentStep& step,
                        const Reads& reads) {
  const Fragment& fragment = *terms.fragment;
  const int unrolled = unrolled_terms(c.format.operands().dialect);
  if (&fragment == step.fragment->once) {
    const int rows = c.store.partial.row_by_row ? unrolled : 1;
    return {c.store.vector * rows, step.batch > 1};
  }
  if (step.batch > 1 && &fragment == step.fragment) return {terms.batch, true};
  if (reads.in_flight > 0) return {reads.in_flight, fragment.in_flight.rest};
  return fragment.in_flight.is_loop ? InFlight{unrolled} : fragment.in_flight;
}

}  // namespace

TermsCall call_of_terms(const Composition& c, const FragmentStep& step, const Reads& reads) {
  TermsCall terms{&choose_fragment(c, *step.fragment)};
  const std::vector<Role>& arguments = step.fragment->arguments;
  const bool takes_terms =
      std::find(arguments.begin(), arguments.end(), Role::term) != arguments.end();
  terms.is_single = takes_terms && step.fragment->gives == Shape::one && has_single_term(c);
  terms.count = equal_terms(c);
  terms.batch = choose_batch(c, step);
  terms.in_flight = find_in_flight(c, terms, step, reads);
  return terms;
}

}  // namespace alphasparse
