#include "tools/commands/recording.h"

#include <algorithm>
#include <utility>

#include "operators/named_designs.h"
#include "runtime/database/database.h"

namespace alphasparse {

namespace {

constexpr int batch_trials = 3;  ///< of a batch during which the machine became slower or faster
constexpr int samples_now = 9;

}  // namespace

Recording::Recording(const Matrix& matrix, Device& device, const TuneOptions& options,
                     double wait_seconds, const std::atomic<bool>& stop, Keep keep)
    : measures_(device.info().kind == TimeKind::measured),
      reference_design_(make_canonical(named_designs().front(), device.info().target)),
      stop_(stop),
      keep_(std::move(keep)),
      trial_(matrix, device, options, measures_ ? 0 : 1),
      reference_([this] { return time_now_us(); }, wait_seconds) {
  trial_.exempt(canonical_named_designs(device.info().target));
}

/// The time of the reference now, by a few samples; nothing where it fails.
std::optional<double> Recording::time_now_us() {
  if (stop_) return std::nullopt;
  Measurement facts;
  const auto ready = trial_.load(reference_design_, facts);
  if (!ready || !trial_.time_shortly(**ready)) return std::nullopt;
  auto us = (*ready)->loaded->sample(samples_now);
  if (!us) return std::nullopt;
  std::nth_element(us->begin(), us->begin() + samples_now / 2, us->end());
  return (*us)[samples_now / 2];
}

void Recording::run(const Designs& designs, double best_us, const Trial::Found& found) {
  trial_.run(Subjects(designs.begin(), designs.end()), Deadline{{}, &stop_}, best_us,
             [&](Measurement outcome) {
               // The event that stopped us may have stopped it.
               if (!stop_ || outcome.status == Status::ok) found(std::move(outcome));
             });
}

std::vector<Measurement> Recording::tried(const Designs& designs, double best_us) {
  std::vector<Measurement> outcomes;
  run(designs, best_us, [&](Measurement outcome) { outcomes.push_back(std::move(outcome)); });
  return outcomes;
}

void Recording::keep(Measurement outcome, double factor, Outcomes& known) {
  outcome.created_at = utc_now();
  normalise(outcome, factor);
  keep_(outcome);
  known.insert_or_assign(outcome.design, std::move(outcome));
}

void Recording::keep_all(std::vector<Measurement> outcomes, double factor, Outcomes& known) {
  for (Measurement& outcome : outcomes) keep(std::move(outcome), factor, known);
}

/// All times are compared with its own time, which is that of an undisturbed machine.
void Recording::record_reference(Outcomes& known) {
  const std::optional<double> quiet_us = reference_.least_us();
  std::vector<Measurement> outcomes;
  for (int left = batch_trials; left > 0; --left) {
    trial_.forget({reference_design_});
    if (quiet_us) reference_.factor(*quiet_us);
    outcomes = tried({reference_design_}, 0);
    const bool is_timed = !outcomes.empty() && outcomes.front().timing;
    if (!quiet_us || !is_timed || !Reference::is_slow(outcomes.front().timing->time_us, *quiet_us))
      break;
  }
  keep_all(std::move(outcomes), 1, known);
}

void Recording::record_beside(double reference_us, const Designs& designs, double best_us,
                              Outcomes& known) {
  for (int left = batch_trials; left > 0; --left) {
    trial_.forget(designs);
    const double factor = reference_.factor(reference_us);
    std::vector<Measurement> outcomes = tried(designs, best_us / factor);
    if (left > 1 && !stop_ && reference_.has_moved()) continue;
    return keep_all(std::move(outcomes), factor, known);
  }
}

void Recording::record(const Designs& designs, double best_us, Outcomes& known) {
  Designs wanted = designs;
  if (measures_ && !known.contains(reference_design_.text())) {
    record_reference(known);
    std::erase(wanted, reference_design_);
  }
  if (wanted.empty()) return;
  const auto reference = known.find(reference_design_.text());
  if (measures_ && reference != known.end() && reference->second.timing) {
    record_beside(reference->second.timing->time_us, wanted, best_us, known);
  } else {
    run(wanted, best_us, [&](Measurement outcome) { keep(std::move(outcome), 1, known); });
  }
}

}  // namespace alphasparse
