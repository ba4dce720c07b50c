#include "search/structure/annealing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "operators/catalogue.h"
#include "search/space/prune_rules.h"
#include "search/structure/growth.h"
#include "search/structure/mutation.h"

namespace alphasparse {

namespace {

constexpr int attempts_max = 64;

}  // namespace

Annealing::Annealing(const SearchSpace& space, KnownDesigns& known, const AnnealingOptions& options)
    : space_(space),
      known_(known),
      options_(options),
      proposals_(options.seed, 1),
      decisions_(options.seed, 2),
      cooled_(options.moves) {
  CHECK(options.hot >= options.cold && options.cold >= 0);
  CHECK(options.moves > 0 && options.stuck > 0);
}

double Annealing::temperature() const {
  if (options_.cold <= 0) return cooled_ < options_.moves ? options_.hot : 0;
  const double share =
      std::min(1.0, static_cast<double>(cooled_) / static_cast<double>(options_.moves));
  return options_.hot * std::pow(options_.cold / options_.hot, share);
}

void Annealing::begin(const Outcomes& outcomes) {
  if (current_ || moves_ > 0) return;
  const Measurement* const best = find_best(outcomes);
  if (!best || !is_timed(*best)) return;
  if (const CanonicalDesign* const design = known_.find(best->design))
    take(*design, best->timing->time_us);
}

bool Annealing::draw_growth() {
  return proposals_.chance(options_.grown_share * (reheatings_ > 0 ? 1 : options_.grown_early));
}

std::optional<CanonicalDesign> Annealing::propose(const Outcomes& outcomes, bool grown) {
  begin(outcomes);
  for (int i = 0; i < attempts_max && !space_.is_over(); ++i) {
    auto design = grown ? grow(space_, proposals_) : mutated(outcomes);
    if (!design || outcomes.contains(design->text()) || proposed_.contains(*design)) continue;
    if (prune_reason(outcomes, known_, *design)) continue;
    proposed_.insert(*design);
    return design;
  }
  return std::nullopt;
}

/// Grows where there is nothing to mutate.
std::optional<CanonicalDesign> Annealing::mutated(const Outcomes& outcomes) {
  if (!current_) return grow(space_, proposals_);
  return mutate(space_, {*current_, other_parent(outcomes)}, proposals_);
}

/// One of the fastest few, so that the spliced part has proved itself.
const CanonicalDesign* Annealing::other_parent(const Outcomes& outcomes) {
  constexpr std::size_t fastest = 8;
  std::vector<std::pair<double, const std::string*>> timed;
  for (const auto& [design, outcome] : outcomes) {
    if (is_timed(outcome) && design != current_->text()) {
      timed.emplace_back(outcome.timing->time_us, &design);
    }
  }
  if (timed.empty()) return nullptr;
  const std::size_t count = std::min(fastest, timed.size());
  std::partial_sort(timed.begin(), timed.begin() + static_cast<std::ptrdiff_t>(count), timed.end(),
                    [](const auto& a, const auto& b) {
                      return std::pair(a.first, *a.second) < std::pair(b.first, *b.second);
                    });
  return known_.find(*timed[proposals_.below(count)].second);
}

void Annealing::learn(const CanonicalDesign& design, const Measurement& outcome) {
  if (outcome.status == Status::pruned || outcome.status == Status::duplicate) return;
  ++moves_;
  ++cooled_;
  ++since_best_;
  if (is_timed(outcome)) {
    const double time_us = outcome.timing->time_us;
    if (accepts(time_us)) take(design, time_us);
  }
  if (since_best_ >= options_.stuck) reheat();
}

void Annealing::hear(const CanonicalDesign& design, const Measurement& outcome) {
  if (!is_timed(outcome)) return;
  const double time_us = outcome.timing->time_us;
  if (!best_ || time_us < best_us_) take(design, time_us);
}

bool Annealing::accepts(double time_us) {
  if (!current_ || time_us <= current_us_) return true;
  const double degrees = temperature();
  if (degrees <= 0) return false;
  return decisions_.chance(std::exp(-(time_us / current_us_ - 1) / degrees));
}

void Annealing::take(const CanonicalDesign& design, double time_us) {
  current_ = design;
  current_us_ = time_us;
  if (best_ && time_us >= best_us_) return;
  best_ = design;
  best_us_ = time_us;
  since_best_ = 0;
}

/// All of the schedule is left the first time, then half of it, as far as it has come that far.
void Annealing::reheat() {
  since_best_ = 0;
  ++reheatings_;
  cooled_ = reheatings_ == 1 ? 0 : std::min(cooled_, options_.moves / 2);
  const bool grows = reheatings_ % 2 == 0 && options_.grown_share > 0;
  if (!grows && best_) {
    current_ = best_;
    current_us_ = best_us_;
  } else {
    current_.reset();  // the next design that is timed takes its place
  }
}

}  // namespace alphasparse
