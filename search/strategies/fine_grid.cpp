#include "search/strategies/fine_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace alphasparse {

namespace {

constexpr std::size_t fastest_count = 3;           // designs: their neighbours are tried
constexpr std::size_t best_count = 8;              // around which the pool lies
constexpr std::size_t several_changed_count = 96;  // of each of them, in the pool
constexpr std::size_t pool_max = 2048;
constexpr double neighbour_share = 1.0 / 4;
constexpr std::size_t agreement_rows_min = 8;
constexpr std::size_t model_rows_min = 8;
constexpr std::size_t draws_per_design = 32;  // before a structure counts as used up
constexpr double tie_log2 = 0.015;            // times within 1 % are one to the model
constexpr double own_rows_of_half = 64;
constexpr double prior_weight_min = 0.05;

/// Whether the model learns from a measurement: from a time or a failure.
bool teaches(const Measurement& measurement) {
  if (measurement.status == Status::duplicate) return false;
  return measurement.status != Status::ok || is_timed(measurement);
}

}  // namespace

FineGrid::FineGrid(const RowFacts& rows, const Features& matrix, std::int64_t csr_bytes,
                   KnownDesigns& known, FineGridOptions options)
    : rows_(rows),
      features_(matrix, csr_bytes),
      feature_set_{design_feature_names(), design_features_version},
      known_(known),
      options_(std::move(options)),
      random_(options_.seed) {
  state_.random_share = options_.random_share_least;
}

std::vector<float> FineGrid::features_of_design(const CanonicalDesign& design) const {
  const Result<std::vector<float>> row = features_.of(design.tree());
  return row ? *row : std::vector<float>();
}

void FineGrid::add_prior(const std::vector<TrainingRow>& rows, const Designs& designs) {
  for (const TrainingRow& row : rows) {
    CHECK(row.problem != 0);
    prior_.push_back(row);
  }
  prior_designs_.insert(prior_designs_.end(), designs.begin(), designs.end());
  model_is_old_ = true;
}

void FineGrid::learn(const CanonicalDesign& design, const Measurement& measurement) {
  if (!teaches(measurement)) return;
  TrainingRow row{features_of_design(design), {}, 0, 1};
  if (row.features.empty()) return;
  if (measurement.status == Status::ok) row.time_us = measurement.timing->time_us;
  own_.insert_or_assign(design, std::move(row));
  state_.own_rows = own_.size();
}

std::vector<TrainingRow> FineGrid::training_rows() {
  std::vector<TrainingRow> rows;
  for (const auto& [design, row] : own_) rows.push_back(row);
  const double left = std::exp2(-static_cast<double>(own_.size()) / own_rows_of_half);
  state_.prior_rows = 0;
  if (left < prior_weight_min) return rows;
  for (const TrainingRow& row : prior_) {
    rows.push_back(row);
    rows.back().weight *= left;
    ++state_.prior_rows;
  }
  return rows;
}

void FineGrid::train() {
  state_.has_model = false;
  state_.no_model_reason.clear();
  if (!options_.with_model) return;
  const std::size_t growth_least = std::max<std::size_t>(1, model_own_rows_ / 10);
  if (!model_ || model_is_old_ || own_.size() >= model_own_rows_ + growth_least) {
    const std::vector<TrainingRow> rows = training_rows();
    const auto timed = std::count_if(
        rows.begin(), rows.end(), [](const TrainingRow& row) { return row.time_us.has_value(); });
    if (timed < static_cast<std::ptrdiff_t>(model_rows_min)) {
      state_.no_model_reason = "too few times are known yet";
      return;
    }
    Result<Surrogate> trained = Surrogate::train(feature_set_, rows, options_.surrogate);
    if (!trained) {
      model_.reset();
      state_.no_model_reason = trained.reason();
      return;
    }
    model_ = std::move(*trained);
    model_rows_ = rows.size();
    model_own_rows_ = own_.size();
    model_is_old_ = false;
  }
  state_.has_model = true;
}

Result<std::vector<Prediction>> FineGrid::predict(const Designs& designs) const {
  std::vector<std::vector<float>> rows;
  for (const CanonicalDesign& design : designs) rows.push_back(features_of_design(design));
  return model_->predict(rows);
}

std::optional<std::vector<Prediction>> FineGrid::judge(const Designs& designs) {
  train();
  if (!state_.has_model) return std::nullopt;
  Result<std::vector<Prediction>> predictions = predict(designs);
  if (!predictions) return std::nullopt;
  return std::move(*predictions);
}

/// The guard: how well the batch was ranked decides how much of the next one is left to chance.
void FineGrid::hold_against_times() {
  std::vector<Prediction> predicted;
  std::vector<double> measured_us;
  for (const auto& [design, prediction] : newest_) {
    const auto found = own_.find(design);
    if (found == own_.end() || !found->second.time_us) continue;
    predicted.push_back(prediction);
    measured_us.push_back(*found->second.time_us);
  }
  if (predicted.size() < agreement_rows_min) return;
  newest_.clear();
  state_.rank_correlation = rank_agreement(predicted, measured_us);
  const double by_chance = 1 / std::sqrt(static_cast<double>(predicted.size() - 1));
  const bool ranks_well = state_.rank_correlation.value_or(0) > by_chance;
  state_.random_share = std::clamp(state_.random_share * (ranks_well ? 0.5 : 2),
                                   options_.random_share_least, options_.random_share_most);
  state_.verdicts.push_back({state_.rank_correlation.value_or(0), state_.random_share});
}

bool FineGrid::is_known(const CanonicalDesign& design, const Outcomes& outcomes) const {
  return outcomes.contains(design.text()) || own_.contains(design) || proposed_.contains(design);
}

/// Rounded up or down by lot, so that small batches have their shares too.
std::size_t FineGrid::draw_part(std::size_t batch, double share) {
  constexpr std::size_t lots = 1 << 20;
  const double part = static_cast<double>(batch) * share;
  const double whole = std::floor(part);
  const bool up = static_cast<double>(random_.below(lots)) < (part - whole) * lots;
  return static_cast<std::size_t>(whole) + up;
}

void FineGrid::add(const CanonicalDesign& design, const Outcomes& outcomes, Designs& chosen) {
  if (is_known(design, outcomes)) return;
  proposed_.insert(design);  // one that is rejected is not asked for again either
  if (!options_.legal || options_.legal(design)) chosen.push_back(design);
}

void FineGrid::add_random(const GridBases& bases, std::size_t until, const Outcomes& outcomes,
                          Designs& chosen) {
  for (std::size_t draw = draws_per_design * until; draw > 0 && chosen.size() < until; --draw) {
    add(all_drawn(random_.one_of(bases.structures), random_), outcomes, chosen);
  }
}

/// The designs that are not known, each once, with predictions where there is a model; else in any
/// order.
std::vector<FineGrid::Candidate> FineGrid::candidates(Designs designs, const Outcomes& outcomes) {
  std::set<CanonicalDesign> seen;
  std::erase_if(designs, [&](const CanonicalDesign& design) {
    return is_known(design, outcomes) || !seen.insert(design).second;
  });
  random_.shuffle(designs);
  if (designs.size() > pool_max)
    designs.erase(designs.begin() + static_cast<std::ptrdiff_t>(pool_max), designs.end());
  std::vector<Candidate> all;
  for (CanonicalDesign& design : designs) all.push_back({std::move(design), {}});
  if (!state_.has_model) return all;
  Designs unranked;
  for (const Candidate& candidate : all) unranked.push_back(candidate.design);
  const Result<std::vector<Prediction>> predictions = predict(unranked);
  if (!predictions) {
    state_.has_model = false;
    state_.no_model_reason = predictions.reason();
    return all;
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].prediction = (*predictions)[i];
  return all;
}

/// Lets no structure take more than half of the places where there are several. From designs that
/// the model cannot tell apart it takes only one, so that a plateau does not take all places.
class FineGrid::Turn {
 public:
  Turn(FineGrid& grid, const Outcomes& outcomes, Designs& chosen, std::size_t until,
       bool one_structure)
      : grid_(grid), outcomes_(outcomes), chosen_(chosen), until_(until) {
    const std::size_t slots = until - std::min(until, chosen.size());
    most_ = one_structure ? slots : (slots + 1) / 2;
  }

  bool is_full() const { return chosen_.size() >= until_; }

  void take(const Candidate& candidate) {
    std::size_t& taken = taken_[candidate.design.structure()];
    if (is_full() || taken >= most_) return;
    const long level = std::lround(candidate.prediction.log2_slowdown / tie_log2);
    if (grid_.state_.has_model && levels_.contains(level)) return;
    const std::size_t before = chosen_.size();
    grid_.add(candidate.design, outcomes_, chosen_);
    if (chosen_.size() == before) return;  // rejected: another may stand for its level
    levels_.insert(level);
    ++taken;
  }

 private:
  FineGrid& grid_;
  const Outcomes& outcomes_;
  Designs& chosen_;
  std::size_t until_, most_;
  std::map<std::string, std::size_t> taken_;
  std::set<long> levels_;
};

void FineGrid::add_neighbours(const GridBases& bases, std::size_t until, const Outcomes& outcomes,
                              Designs& chosen) {
  Designs designs;
  for (std::size_t i = 0; i < std::min(fastest_count, bases.best.size()); ++i) {
    const Designs around = change_one(bases.best[i]);
    designs.insert(designs.end(), around.begin(), around.end());
  }
  random_.shuffle(designs);
  for (const CanonicalDesign& design : designs) {
    if (chosen.size() >= until) return;
    add(design, outcomes, chosen);
  }
}

Designs FineGrid::pool(const GridBases& bases) {
  Designs designs = prior_designs_;
  for (const GridBase& base : bases.best) {
    const Designs around = change_one(base);
    designs.insert(designs.end(), around.begin(), around.end());
    for (std::size_t i = 0; i < several_changed_count; ++i) {
      designs.push_back(several_changed(base, random_));
    }
  }
  return designs;
}

void FineGrid::add_best_of_pool(const GridBases& bases, std::size_t until, const Outcomes& outcomes,
                                Designs& chosen) {
  std::vector<Candidate> by_time = candidates(pool(bases), outcomes);
  std::vector<Candidate> by_chance = by_time;
  std::stable_sort(by_time.begin(), by_time.end(), [](const Candidate& a, const Candidate& b) {
    return a.prediction.log2_slowdown < b.prediction.log2_slowdown;
  });
  std::stable_sort(by_chance.begin(), by_chance.end(), [](const Candidate& a, const Candidate& b) {
    return a.prediction.top_chance > b.prediction.top_chance;
  });
  Turn turn(*this, outcomes, chosen, until, bases.structures.size() == 1);
  for (std::size_t i = 0; i < by_time.size() && !turn.is_full(); ++i) {
    turn.take(by_time[i]);
    turn.take(by_chance[i]);
  }
}

Designs FineGrid::propose(std::size_t batch, const Outcomes& outcomes) {
  hold_against_times();
  const GridBases bases = grid_bases(outcomes, known_, rows_, fastest_count, best_count);
  Designs chosen;
  if (bases.structures.empty() || batch == 0) return chosen;
  train();
  const std::size_t random = std::min(batch, draw_part(batch, state_.random_share));
  const std::size_t neighbours = std::min(batch - random, draw_part(batch, neighbour_share));
  add_neighbours(bases, neighbours, outcomes, chosen);
  add_best_of_pool(bases, batch - random, outcomes, chosen);
  add_random(bases, batch, outcomes, chosen);
  if (chosen.size() < batch) add_neighbours(bases, batch, outcomes, chosen);
  if (!state_.has_model || chosen.empty()) return chosen;
  const Result<std::vector<Prediction>> predictions = predict(chosen);
  if (!predictions) return chosen;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    newest_.insert_or_assign(chosen[i], (*predictions)[i]);
  return chosen;
}

}  // namespace alphasparse
