#include "search/trial/budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/result.h"

namespace alphasparse {

namespace {

constexpr double baselines_share = 0.2;  // of the time that is left
constexpr double comparison_share = 0.1, comparison_seconds = 2, comparison_share_max = 0.25;
constexpr double late_share = 0.1, late_seconds_max = 5;
constexpr double counterpart_share = 0.05, counterpart_seconds = 1, counterpart_share_max = 0.1;
constexpr double explanation_share = 0.1, explanation_seconds = 5, explanation_share_max = 0.25;
constexpr double smallest_sample_share = 0.5;
constexpr double smallest_sample_share_least = 0.2;  // where a trial of the whole takes long
constexpr double whole_trial_ratio = 1.5;            // over a baseline's, which is not built first
constexpr double further_sample_share = 0.1;
constexpr double smallest_sample_trials_share = 0.75;  // its trials are the cheapest
constexpr std::int64_t sampled_trials_least = 6;  // 4 of a sample, 1 of a second, 1 of the whole

std::size_t part_index(Part part) { return static_cast<std::size_t>(part); }

}  // namespace

const char* part_name(Part part) {
  static constexpr const char* names[part_count] = {"reading", "baselines",       "samples",
                                                    "search",  "last comparison", "explanation"};
  return names[part_index(part)];
}

Budget::Budget(const Effort& effort, Times times, double seconds_gone, bool is_sample)
    : effort_(effort),
      times_(times),
      seconds_gone_(seconds_gone),
      is_sample_(is_sample),
      trials_left_(effort.trials) {
  used_[part_index(Part::reading)] = seconds_gone;
}

void Budget::resume(const Effort& spent) {
  seconds_resumed_ += spent.seconds;
  trials_left_ -= spent.trials;
}

Allowance Budget::allow_trials() const {
  Allowance allowance{std::max(0.0, seconds_left() - allow_comparison()), std::nullopt};
  if (limits_trials()) allowance.trials = trials_left_;
  return allowance;
}

Deadline Budget::deadline(const std::atomic<bool>& stop) const {
  if (is_none()) return {{}, &stop};
  return {Deadline::after(seconds_left()), &stop};
}

double Budget::allow_baselines() const { return baselines_share * std::max(0.0, seconds_left()); }

double Budget::allow_comparison() const {
  if (is_sample_ || times_ == Times::modelled) return 0;
  return std::min(std::max(comparison_seconds, comparison_share * effort_.seconds),
                  comparison_share_max * effort_.seconds);
}

double Budget::allow_late_comparison() const {
  return std::min(late_share * effort_.seconds, late_seconds_max);
}

double Budget::allow_counterpart() const {
  return std::max(std::min(counterpart_seconds, counterpart_share_max * effort_.seconds),
                  counterpart_share * effort_.seconds);
}

double Budget::allow_explanation() const {
  if (is_none()) return explanation_seconds;
  return std::max(std::min(explanation_seconds, explanation_share_max * effort_.seconds),
                  explanation_share * effort_.seconds);
}

bool Budget::does_for_samples() const {
  return !limits_trials() || effort_.trials >= sampled_trials_least;
}

/// At least one, and no more than are left.
std::optional<std::int64_t> Budget::share_of_trials(double share) const {
  if (!limits_trials()) return std::nullopt;
  const auto trials = static_cast<std::int64_t>(share * static_cast<double>(effort_.trials));
  return std::max<std::int64_t>(1, std::min(trials, trials_left_));
}

Allowance Budget::allow_smallest_sample(double trial_seconds) const {
  return {std::clamp(seconds_left() - whole_trial_ratio * trial_seconds,
                     smallest_sample_share_least * effort_.seconds,
                     smallest_sample_share * effort_.seconds),
          share_of_trials(smallest_sample_trials_share)};
}

Allowance Budget::allow_further_sample() const {
  return {further_sample_share * effort_.seconds, share_of_trials(further_sample_share)};
}

double Budget::left_of_part() const {
  const std::optional<double>& planned = planned_[part_index(part_)];
  CHECK(planned.has_value());
  return *planned - used_[part_index(part_)] - (clock_.seconds() - part_began_);
}

Budget::Scope::Scope(Budget& budget, Part part) : budget_(budget), outer_(budget.part_) {
  budget_.change_to(part);
  if (budget_.on_part_) budget_.on_part_();
}

Budget::Scope::~Scope() { budget_.change_to(outer_); }

void Budget::change_to(Part part) {
  const double now = clock_.seconds();
  used_[part_index(part_)] += now - part_began_;
  part_began_ = now;
  if (part == part_) return;
  part_ = part;
  std::optional<double>& planned = planned_[part_index(part)];
  if (part == Part::baselines) planned = allow_baselines();
  if (part == Part::comparison) planned = allow_comparison();
  if (part == Part::explanation) planned = allow_explanation();
  if (part == Part::samples && !planned) planned = smallest_sample_share * effort_.seconds;
}

std::vector<PartTime> Budget::parts() const {
  std::vector<PartTime> parts;
  for (int i = 0; i < part_count; ++i) {
    const auto part = static_cast<Part>(i);
    const double running = part == part_ ? clock_.seconds() - part_began_ : 0;
    const PartTime time{part, planned_[part_index(part)], used_[part_index(part)] + running};
    if (time.planned || time.used > 0) parts.push_back(time);
  }
  return parts;
}

std::string plan_text(const std::vector<PartTime>& parts) {
  std::vector<std::string> texts;
  for (const PartTime& part : parts) {
    texts.push_back(part.planned ? fmt::format("{} {:.1f} of {:.1f} s", part_name(part.part),
                                               part.used, *part.planned)
                                 : fmt::format("{} {:.1f} s", part_name(part.part), part.used));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace alphasparse
