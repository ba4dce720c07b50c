#include "search/strategies/portfolio.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace alphasparse {

namespace {

constexpr double gain_least = 0.005;  // the least gain that counts, in log(time)

// One batch that hung says little of the next.
constexpr double cost_least = 0.125, cost_most = 8;

}  // namespace

Portfolio::Portfolio(std::vector<Proposer> proposers, const PortfolioOptions& options)
    : proposers_(std::move(proposers)),
      options_(options),
      credits_(proposers_.size()),
      random_(options.seed) {
  for (const Proposer& proposer : proposers_) records_.push_back({proposer.name});
}

/// One of those that may have something, by their credits.
std::size_t Portfolio::draw(const std::vector<std::size_t>& open) {
  std::vector<double> chances;
  for (const std::size_t index : open) {
    const Credit& credit = credits_[index];
    const double lately = options_.credit_least + credit.gained / std::max(1.0, credit.cost);
    chances.push_back(proposers_[index].weight * lately);
  }
  const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
  const double shared = 1 - options_.least_share * static_cast<double>(open.size());
  double drawn = random_.fraction();
  for (std::size_t i = 0; i < open.size(); ++i) {
    drawn -= options_.least_share + std::max(0.0, shared) * chances[i] / sum;
    if (drawn < 0) return i;
  }
  return open.size() - 1;
}

Designs Portfolio::ask(std::size_t index, const Outcomes& outcomes, std::size_t count) {
  Designs designs = proposers_[index].propose(outcomes, count);
  std::erase_if(designs, [&](const CanonicalDesign& design) {
    return outcomes.contains(design.text()) || !origins_.try_emplace(design.text(), index).second;
  });
  records_[index].proposed += static_cast<std::int64_t>(designs.size());
  return designs;
}

Designs Portfolio::propose(const Outcomes& outcomes, std::size_t count) {
  last_.reset();
  std::vector<std::size_t> open;
  for (std::size_t index = 0; index < proposers_.size(); ++index) {
    if (!proposers_[index].first) {
      open.push_back(index);
      continue;
    }
    Designs designs = ask(index, outcomes, count);
    if (!designs.empty()) return designs;
  }
  while (!open.empty()) {
    const std::size_t drawn = draw(open);
    const std::size_t index = open[drawn];
    Designs designs = ask(index, outcomes, count);
    if (designs.empty()) {
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(drawn));
      continue;
    }
    const double kept = std::exp2(-1 / options_.half_life);
    for (Credit& credit : credits_) {
      credit.gained *= kept;
      credit.cost *= kept;
    }
    credits_[index].cost += 1;
    last_ = index;
    return designs;
  }
  return {};
}

void Portfolio::spent(double seconds) {
  if (!last_ || seconds <= 0) return;
  const double kept = std::exp2(-1 / options_.half_life);
  seconds_ = seconds_ * kept + seconds;
  batches_ = batches_ * kept + 1;
  const double cost = seconds / (seconds_ / batches_);
  credits_[*last_].cost += std::clamp(cost, cost_least, cost_most) - 1;
  last_.reset();
}

void Portfolio::learn(const CanonicalDesign& design, const Measurement& measurement) {
  const auto origin = origins_.find(design.text());
  for (std::size_t index = 0; index < proposers_.size(); ++index) {
    const bool is_own = origin != origins_.end() && origin->second == index;
    if (proposers_[index].learn) proposers_[index].learn(design, measurement, is_own);
  }
  if (!is_timed(measurement)) return;
  const double time_us = measurement.timing->time_us;
  const double gained = best_us_ ? std::log(*best_us_ / time_us) : 0;
  const bool is_best = !best_us_ || gained > 0;
  const bool is_gain = !best_us_ || gained > gain_least;
  if (is_best) best_us_ = time_us;
  if (origin == origins_.end()) return;
  ++verified_;
  since_gain_ = is_gain ? 0 : since_gain_ + 1;
  ProposerRecord& record = records_[origin->second];
  ++record.verified;
  if (!is_best) return;
  ++record.bests;
  record.gained += gained;
  credits_[origin->second].gained += gained;
}

std::string Portfolio::find_origin(const std::string& design) const {
  const auto found = origins_.find(design);
  return found == origins_.end() ? "" : proposers_[found->second].name;
}

}  // namespace alphasparse
