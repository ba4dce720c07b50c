#include "runtime/gpu/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace alphasparse {

namespace {

constexpr double least_grows = 1.5;  // of a sample in turn, as disturbed_ratio
constexpr int rest_ms = 50;          // before another try, where samples lie far apart
// A sample is disturbed where it takes so many times as long as the shortest. A GPU that other
// processes use, as NVML tells, is shared out by turns.
constexpr double disturbed_ratio = 1.5, shared_disturbed_ratio = 1.1;

/// The lowest clock, and all that was seen.
void add(GpuState& seen, const GpuState& state) {
  if (seen.sm_mhz < 0 || (state.sm_mhz >= 0 && state.sm_mhz < seen.sm_mhz))
    seen.sm_mhz = state.sm_mhz;
  seen.slowed |= state.slowed;
  seen.shared = seen.shared || state.shared;
}

/// Whether most samples take longer than the shortest.
bool are_disturbed(const std::vector<double>& us, bool shared) {
  const double most =
      (shared ? shared_disturbed_ratio : disturbed_ratio) * *std::min_element(us.begin(), us.end());
  const auto longer = std::count_if(us.begin(), us.end(), [&](double one) { return one > most; });
  return 2 * longer > static_cast<std::ptrdiff_t>(us.size());
}

}  // namespace

WorkSampler::WorkSampler(GpuSession& session, std::function<MaybeFailure()> queue,
                         CacheRegime regime)
    : session_(session), queue_(std::move(queue)), regime_(regime) {}

WorkSampler::~WorkSampler() {
  for (GpuEvent event : {first_, last_}) {
    if (event != nullptr) session_.api().destroy_event(event);
  }
}

MaybeFailure WorkSampler::prepare_events() {
  for (GpuEvent* event : {&first_, &last_}) {
    if (*event != nullptr) continue;
    if (auto failure =
            session_.call("timing", session_.api().create_event, event, gpu_event_default))
      return failure;
  }
  return std::nullopt;
}

MaybeFailure WorkSampler::record(GpuEvent event) {
  return session_.call("timing", session_.api().record_event, event, session_.stream());
}

/// The state of the cache for a sample: cold, or as the work `ahead` leaves an empty one; without
/// such work, as it is.
MaybeFailure WorkSampler::queue_ahead(const std::function<MaybeFailure()>& ahead) {
  if (regime_ == CacheRegime::cold) return session_.flush_cache();
  if (!ahead) return std::nullopt;
  if (auto failure = session_.empty_cache()) return failure;
  return ahead();
}

/// The time of the repetitions that `queue` queues; waits for their end. The GPU comes to the first
/// event when the host has queued the rest: it still has `ahead` to do, or a cache to flush.
Result<Sample> WorkSampler::measure(int repetitions, const std::function<MaybeFailure()>& queue,
                                    const std::function<MaybeFailure()>& ahead) {
  if (auto failure = queue_ahead(ahead)) return *failure;
  if (auto failure = record(first_)) return *failure;
  if (auto failure = queue()) return *failure;
  if (auto failure = record(last_)) return *failure;
  const GpuApi& api = session_.api();
  if (auto failure = session_.call("timing", api.wait_for_event, last_)) return *failure;
  float ms = 0;
  if (auto failure = session_.call("timing", api.elapsed_ms, &ms, first_, last_)) return *failure;
  return Sample{1e3 * static_cast<double>(ms) / repetitions};
}

Result<Sample> WorkSampler::measure_plain(int repetitions,
                                          const std::function<MaybeFailure()>& ahead) {
  const auto queue = [&]() -> MaybeFailure {
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (auto failure = queue_()) return failure;
    }
    return std::nullopt;
  };
  return measure(repetitions, queue, ahead);
}

/// One sample as it is reported. One that lasts a millisecond by itself is long enough whatever the
/// cache holds before.
Result<Sample> WorkSampler::measure_sample() {
  const auto graph = [&] { return graph_.launch(); };
  if (graph_.is_there()) return measure(batch_, graph, graph);
  return batch_ > 1 ? measure_plain(batch_, queue_) : measure_plain(1);
}

/// The first of a few that does not take much longer than the shortest in turn so far, else the
/// last. Work between samples may make all of them longer than they were alone.
Result<Sample> WorkSampler::measure_undisturbed() {
  constexpr int more = 3;
  Result<Sample> sample = measure_sample();
  for (int again = 0; sample; ++again) {
    const double us = sample->us;
    least_in_turn_us_ = least_in_turn_us_ > 0 ? std::min(least_in_turn_us_, us) : us;
    if (us <= least_grows * least_in_turn_us_ || again == more) break;
    sample = measure_sample();
  }
  return sample;
}

/// A warm sample of several repetitions is a graph of them.
MaybeFailure WorkSampler::choose_batch(const TimingPlan& plan) {
  batch_ = 1;
  graph_ = {};
  batch_note_.clear();
  if (regime_ == CacheRegime::cold) return std::nullopt;
  const Result<Batch> batch = grown_batch([this](int count) { return measure_plain(count); }, plan);
  if (!batch) return batch.failure();
  batch_ = batch->repetitions;
  if (batch_ == 1) return std::nullopt;
  Result<GpuGraph> graph = GpuGraph::record(session_, [&]() -> MaybeFailure {
    for (int repetition = 0; repetition < batch_; ++repetition) {
      if (auto failure = queue_()) return failure;
    }
    return std::nullopt;
  });
  if (!graph) {  // some work of others cannot be recorded
    batch_note_ = fmt::format("a sample is the mean of {} launched in a row, not in a graph ({})",
                              batch_, graph.reason());
    return std::nullopt;
  }
  graph_ = std::move(*graph);
  batch_note_ = fmt::format("a sample is the mean of {} in a graph; launched in a row {:.4g} us",
                            batch_, batch->us);
  const Result<Sample> first = measure_sample();  // the first launch of a graph uploads it
  return first ? std::nullopt : MaybeFailure(first.failure());
}

Timing WorkSampler::make_timing(const Samples& samples, const GpuState& state) const {
  Timing timing;
  summarise_samples(samples.us, timing);
  if (state.sm_mhz >= 0) timing.sm_mhz = state.sm_mhz;
  timing.slowed = slowed_text(state.slowed, state.shared);
  timing.disturbed = samples.given_up.empty() && are_disturbed(samples.us, state.shared);
  timing.noisy = timing.noisy || timing.disturbed;
  add_note(timing, batch_note_);
  add_note(timing, samples.given_up);
  return timing;
}

/// Samples, and the GPU's state while they were taken.
Result<Timing> WorkSampler::take(const TimingRequest& request, const TimingPlan& plan) {
  GpuState state;
  int taken = 0;
  const auto measured = [&](int) {
    Result<Sample> sample = measure_sample();
    if (sample && ++taken == plan.screening_samples) add(state, session_.state());
    return sample;
  };
  const Result<Samples> samples = take_samples(measured, batch_, request, plan);
  if (!samples) return samples.failure();
  if (samples->given_up.empty()) add(state, session_.state());
  return make_timing(*samples, state);
}

Result<Timing> WorkSampler::time(const TimingRequest& request, const TimingPlan& plan) {
  regime_ = request.regime;
  batch_note_.clear();
  least_in_turn_us_ = 0;
  if (auto failure = prepare_events()) return *failure;
  if (request.incumbent_us > 0) {
    const Result<Samples> first =
        first_runs([this](int count) { return measure_plain(count); }, request, plan);
    if (!first) return first.failure();
    if (!first->given_up.empty()) return make_timing(*first, session_.state());
  }
  if (auto failure = choose_batch(plan)) return *failure;
  Result<Timing> timing = take(request, plan);
  const bool is_short = request.samples_max > 0 || (timing && timing->samples < plan.samples_min);
  if (!timing || !timing->noisy || is_short) return timing;  // where few do, or the race is lost
  std::this_thread::sleep_for(std::chrono::milliseconds(rest_ms));
  Result<Timing> second = take(request, plan);
  if (!second) return second;
  const auto spread = [](const Timing& t) { return (t.time_us_p80 - t.time_us_p20) / t.time_us; };
  if (second->disturbed != timing->disturbed) return second->disturbed ? timing : second;
  return second->noisy && spread(*second) > spread(*timing) ? timing : second;
}

Result<std::vector<double>> WorkSampler::sample(int count) {
  if (auto failure = prepare_events()) return *failure;
  std::vector<double> us;
  for (int taken = -1; taken < count; ++taken) {
    const Result<Sample> sample = taken < 0 ? measure_plain(1) : measure_undisturbed();
    if (!sample) return sample.failure();
    if (taken >= 0) us.push_back(sample->us);
  }
  std::erase_if(us, [&](double one) { return one > least_grows * least_in_turn_us_; });
  return us;
}

}  // namespace alphasparse
