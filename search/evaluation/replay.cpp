#include "search/evaluation/replay.h"

#include <algorithm>
#include <utility>

#include "operators/named_designs.h"
#include "runtime/emulated/lower_bound.h"
#include "search/space/prune_rules.h"
#include "search/trial/trial.h"
#include "search/trial/trial_loop.h"

namespace alphasparse {

namespace {

constexpr int empty_batches_max = 64;  // of designs that are not recorded, before it gives up

SearchParts without(bool SearchParts::*part) {
  SearchParts parts;
  parts.*part = false;
  return parts;
}

SearchParts unpruned() {
  SearchParts parts;
  parts.prunes = parts.bounds = false;
  return parts;
}

SearchParts level_two() {
  SearchParts parts;
  parts.structure = parts.fine = false;
  return parts;
}

SearchParts chance() {
  SearchParts parts;
  parts.chance = true;
  parts.bounds = false;
  return parts;
}

/// One replay while it runs.
class Replay {
 public:
  Replay(const Matrix& matrix, Outcomes& recorded, const ReplayPlan& plan, const Recorder& recorder)
      : recorded_(recorded),
        plan_(plan),
        recorder_(recorder),
        named_(canonical_named_designs(plan.search.target)),
        strategies_(matrix, named_, plan.search) {}

  Replayed run() {
    int empty_batches = 0;
    while (replayed_.evaluations < plan_.evaluations && !(plan_.stop && *plan_.stop)) {
      if (!replayed_.exhausted_after && strategies_.is_exhausted()) {
        replayed_.exhausted_after = replayed_.evaluations;
      }
      const auto left = static_cast<std::size_t>(plan_.evaluations - replayed_.evaluations);
      Designs designs = strategies_.portfolio().propose(known_, std::min(plan_.batch, left));
      if (designs.empty()) break;
      std::erase_if(designs, [&](const CanonicalDesign& design) {
        return prune_reason(known_, designs_, design).has_value();
      });
      record(designs);
      const std::int64_t before = replayed_.evaluations;
      for (const CanonicalDesign& design : designs) take(design);
      empty_batches = replayed_.evaluations == before ? empty_batches + 1 : 0;
      if (empty_batches == empty_batches_max) break;
    }
    return std::move(replayed_);
  }

 private:
  void record(const Designs& designs) {
    if (!recorder_) return;
    Designs unknown;
    for (const CanonicalDesign& design : designs) {
      const auto found = recorded_.find(design.text());
      if (found == recorded_.end() || was_pruned_in_vain(found->second)) unknown.push_back(design);
    }
    if (!unknown.empty()) recorder_(unknown, incumbent_us(), recorded_);
  }

  void take(const CanonicalDesign& design) {
    const auto found = recorded_.find(design.text());
    if (found == recorded_.end()) {
      ++replayed_.missing;
      return;
    }
    const Measurement outcome = relearn(found->second);
    if (is_hopeless(outcome)) return prune(design, outcome);
    learn(design, outcome);
    if (!counts_as_trial(outcome)) return;
    ++replayed_.evaluations;
    replayed_.tried.insert(design.text());
    replayed_.seconds += 1e-6 * outcome.trial_us.value_or(0);
    if (!outcome.verified || !outcome.timing) return;
    const double time_us = outcome.timing->time_us;
    if (!replayed_.bests.empty() && time_us >= replayed_.bests.back().time_us) return;
    replayed_.bests.push_back({replayed_.evaluations, replayed_.seconds, time_us, design.text(),
                               strategies_.portfolio().find_origin(design.text())});
  }

  /// 0 where bounds do not count.
  double incumbent_us() const {
    const bool any = plan_.search.parts.bounds && !replayed_.bests.empty();
    return any ? replayed_.bests.back().time_us : 0;
  }

  /// As a trial tells it: a design that cannot win is not tried unless it is named, and a design
  /// that counts have shown to be slow is not verified.
  bool is_hopeless(const Measurement& outcome) const {
    if (incumbent_us() == 0) return false;
    if (!plan_.search.is_measured && counted_us(outcome) > unverified_times_best * incumbent_us()) {
      return true;
    }
    const auto is_it = [&](const CanonicalDesign& named) { return named == outcome.design; };
    if (std::any_of(named_.begin(), named_.end(), is_it)) return false;
    const TimeKind kind = plan_.search.is_measured ? TimeKind::measured : TimeKind::modelled;
    return outcome.bound_us && alphasparse::is_hopeless(*outcome.bound_us, incumbent_us(), kind);
  }

  /// The modelled time, or the bound of a pruned design; none: neither is known.
  static std::optional<double> counted_us(const Measurement& outcome) {
    if (outcome.timing) return outcome.timing->time_us;
    return outcome.status == Status::pruned ? outcome.bound_us : std::nullopt;
  }

  /// Another replay had something faster when it was recorded.
  bool was_pruned_in_vain(const Measurement& outcome) const {
    return outcome.status == Status::pruned && outcome.bound_us && !is_hopeless(outcome);
  }

  void learn(const CanonicalDesign& design, const Measurement& outcome) {
    strategies_.learn(design, outcome);
    known_.insert_or_assign(design.text(), outcome);
  }

  void prune(const CanonicalDesign& design, Measurement outcome) {
    outcome.status = Status::pruned;
    outcome.verified = false;
    outcome.timing.reset();
    learn(design, outcome);
    ++replayed_.pruned;
  }

  /// The first design of a kernel in this replay is no duplicate, all others are.
  Measurement relearn(Measurement outcome) {
    const std::string original = outcome.original;
    const std::string& kernel = original.empty() ? outcome.design : original;
    const auto [first, is_first] = kernels_.try_emplace(kernel, outcome.design);
    if (!is_first && outcome.status == Status::ok) outcome.status = Status::duplicate;
    if (is_first && !original.empty()) {
      const auto of_kernel = recorded_.find(original);
      if (of_kernel != recorded_.end()) {
        outcome.status = of_kernel->second.status;
        outcome.reason = of_kernel->second.reason;
        outcome.original.clear();
        outcome.trial_us = of_kernel->second.trial_us;
      }
    }
    return outcome;
  }

  Outcomes& recorded_;
  const ReplayPlan& plan_;
  const Recorder& recorder_;
  const Designs named_;
  Strategies strategies_;
  Outcomes known_;
  KnownDesigns designs_;
  std::map<std::string, std::string> kernels_;  ///< by its original: the design that came first
  Replayed replayed_;
};

}  // namespace

const std::vector<SearchVariant>& search_variants() {
  static const std::vector<SearchVariant> all = {
      {"whole", "everything that tune does", {}},
      {"no-model", "fine parameters are drawn, not ranked", without(&SearchParts::model)},
      {"no-fine", "no fine parameters", without(&SearchParts::fine)},
      {"no-annealing", "a slower design is never accepted", without(&SearchParts::annealing)},
      {"no-growth", "designs mutate, none grows from nothing", without(&SearchParts::growth)},
      {"no-prior", "named and mixed designs in the table's order, all before the others",
       without(&SearchParts::prior)},
      {"no-grid", "no coarse grids, and nothing compacted first", without(&SearchParts::grid)},
      {"no-structure", "neither growth nor mutation", without(&SearchParts::structure)},
      {"no-pruning", "what bans and lower bounds rule out is tried", unpruned()},
      {"level-2", "the named designs and their coarse grids alone", level_two()},
      {"chance", "designs that grow at random, whatever comes", chance()},
      {"warm", "everything, after a warm start from the other matrices", {}, SearchStart::warm},
      {"shipped",
       "everything, with shipped experience but that of the matrix' origin",
       {},
       SearchStart::shipped},
  };
  return all;
}

const ReplayStep* Replayed::reached(double time_us) const {
  const auto found = std::find_if(bests.begin(), bests.end(),
                                  [&](const ReplayStep& step) { return step.time_us <= time_us; });
  return found == bests.end() ? nullptr : &*found;
}

Replayed replay(const Matrix& matrix, Outcomes& recorded, const ReplayPlan& plan,
                const Recorder& recorder) {
  return Replay(matrix, recorded, plan, recorder).run();
}

}  // namespace alphasparse
