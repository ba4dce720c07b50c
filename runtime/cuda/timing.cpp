#include "runtime/cuda/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "runtime/device/samples.h"

namespace alphasparse {

namespace {

constexpr double long_run_us = 50e3;  // such a run is long enough by itself
constexpr double least_grows = 1.5;   // of a sample in turn, as disturbed_ratio

}  // namespace

/// Samples, and the GPU's state while they were taken.
struct WorkSampler::Samples {
  std::vector<double> us;     // of one repetition each
  std::optional<int> sm_mhz;  // the lowest
  unsigned long long slowed = 0;
  bool shared = false;   // with another process
  std::string given_up;  // why there are no more; empty: there are enough

  void add(const GpuState& state) {
    if (state.sm_mhz >= 0) sm_mhz = std::min(sm_mhz.value_or(state.sm_mhz), state.sm_mhz);
    slowed |= state.slowed;
    shared = shared || state.shared;
  }
  double shortest() const { return *std::min_element(us.begin(), us.end()); }

  /// Whether most take longer than the shortest.
  bool disturbed(const TimingPlan& plan) const {
    const double ratio = shared ? plan.shared_disturbed_ratio : plan.disturbed_ratio;
    const auto longer =
        std::count_if(us.begin(), us.end(), [&](double one) { return one > ratio * shortest(); });
    return 2 * longer > static_cast<std::ptrdiff_t>(us.size());
  }
};

WorkSampler::WorkSampler(CudaSession& session, std::function<Fault()> queue, CacheRegime regime)
    : session_(session), queue_(std::move(queue)), regime_(regime) {}

WorkSampler::~WorkSampler() {
  for (CudaEvent event : {first_, last_}) {
    if (event != nullptr) session_.api().destroy_event(event);
  }
}

Fault WorkSampler::prepare_events() {
  for (CudaEvent* event : {&first_, &last_}) {
    if (*event != nullptr) continue;
    const int code = session_.api().create_event(event, cuda_event_default);
    if (Fault fault = session_.check(code, "cuEventCreate", "timing")) return fault;
  }
  return std::nullopt;
}

Fault WorkSampler::record(CudaEvent event) {
  return session_.check(session_.api().record_event(event, session_.stream()), "cuEventRecord",
                        "timing");
}

/// The state of the cache for a sample: cold, or as the work `ahead` leaves an empty one; without
/// such work, as it is.
Fault WorkSampler::queue_ahead(const std::function<Fault()>& ahead) {
  if (regime_ == CacheRegime::cold) return session_.flush_cache();
  if (!ahead) return std::nullopt;
  if (Fault fault = session_.empty_cache()) return fault;
  return ahead();
}

/// The microseconds of the work that `queue` queues; waits for its end. The GPU comes to the first
/// event when the host has queued the rest: it still has `ahead` to do, or a cache to flush.
Result<double> WorkSampler::measure(const std::function<Fault()>& queue,
                                    const std::function<Fault()>& ahead) {
  if (Fault fault = queue_ahead(ahead)) return *fault;
  if (Fault fault = record(first_)) return *fault;
  if (Fault fault = queue()) return *fault;
  if (Fault fault = record(last_)) return *fault;
  const CudaApi& api = session_.api();
  if (Fault fault = session_.check(api.wait_for_event(last_), "cuEventSynchronize", "timing")) {
    return *fault;
  }
  float ms = 0;
  const int code = api.elapsed_ms(&ms, first_, last_);
  if (Fault fault = session_.check(code, "cuEventElapsedTime", "timing")) return *fault;
  return 1e3 * static_cast<double>(ms);
}

Result<double> WorkSampler::measure_plain(int repetitions, const std::function<Fault()>& ahead) {
  const auto queue = [&]() -> Fault {
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (Fault fault = queue_()) return fault;
    }
    return std::nullopt;
  };
  return measure(queue, ahead);
}

/// One sample as it is reported: of one repetition. One that lasts a millisecond by itself is long
/// enough whatever the cache holds before.
Result<double> WorkSampler::measure_sample() {
  const auto graph = [&] { return graph_.launch(); };
  Result<double> us = graph_.is_there() ? measure(graph, graph)
                      : batch_ > 1      ? measure_plain(batch_, queue_)
                                        : measure_plain(1);
  if (us) *us /= batch_;
  return us;
}

/// The first of a few that does not take much longer than the shortest in turn so far, else the
/// last. Work between samples may make all of them longer than they were alone.
Result<double> WorkSampler::measure_undisturbed() {
  constexpr int more = 3;
  Result<double> us = measure_sample();
  for (int again = 0; us; ++again) {
    least_in_turn_us_ = least_in_turn_us_ > 0 ? std::min(least_in_turn_us_, *us) : *us;
    if (*us <= least_grows * least_in_turn_us_ || again == more) break;
    us = measure_sample();
  }
  return us;
}

/// Repetitions that last batch_us_min together. One alone mostly shows how long a launch takes, so
/// the batch grows by at most 16 at a time until it lasts.
Fault WorkSampler::choose_batch(const TimingPlan& plan) {
  batch_ = 1;
  graph_ = {};
  batch_note_.clear();
  if (regime_ == CacheRegime::cold) return std::nullopt;
  double launched_us = 0;
  for (;;) {
    const Result<double> us = measure_plain(batch_);
    if (!us) return us.failure();
    launched_us = *us / batch_;
    if (*us >= plan.batch_us_min || batch_ >= plan.batch_max) break;
    const double growth = std::clamp(1.1 * plan.batch_us_min / std::max(*us, 1e-3), 1.5, 16.0);
    batch_ = std::min(plan.batch_max, static_cast<int>(std::ceil(batch_ * growth)));
  }
  if (batch_ == 1) return std::nullopt;
  Result<CudaGraph> graph = CudaGraph::record(session_, [&]() -> Fault {
    for (int repetition = 0; repetition < batch_; ++repetition) {
      if (Fault fault = queue_()) return fault;
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
                            batch_, launched_us);
  const Result<double> first = measure_sample();  // the first launch of a graph uploads it
  return first ? std::nullopt : Fault(first.failure());
}

Fault WorkSampler::take_samples(const TimingRequest& request, const TimingPlan& plan,
                                Samples& samples) {
  const double screening_us = request.incumbent_us * plan.screening_ratio;
  double total_us = 0;
  const auto wanted = [&] {
    const auto taken = static_cast<int>(samples.us.size());
    const int most = request.samples_max > 0 ? request.samples_max : plan.samples_max;
    return taken < most && (taken < plan.samples_min || total_us < plan.total_us_max);
  };
  while (wanted()) {
    const Result<double> us = measure_sample();
    if (!us) return us.failure();
    total_us += *us * batch_;
    samples.us.push_back(*us);
    if (static_cast<int>(samples.us.size()) != plan.screening_samples) continue;
    samples.add(session_.state());
    if (screening_us == 0 || samples.shortest() <= screening_us) continue;
    samples.given_up = fmt::format("given up after {} samples: over {:g} times the best by then",
                                   plan.screening_samples, plan.screening_ratio);
    return std::nullopt;
  }
  samples.add(session_.state());
  return std::nullopt;
}

Timing WorkSampler::timing_of(const Samples& samples, const TimingPlan& plan) const {
  Timing timing;
  summarise_samples(samples.us, timing);
  timing.sm_mhz = samples.sm_mhz;
  timing.slowed = slowed_text(samples.slowed, samples.shared);
  timing.disturbed = samples.given_up.empty() && samples.disturbed(plan);
  timing.noisy = timing.noisy || timing.disturbed;
  add_note(timing, batch_note_);
  add_note(timing, samples.given_up);
  return timing;
}

Result<Timing> WorkSampler::time(const TimingRequest& request, const TimingPlan& plan) {
  regime_ = request.regime;
  batch_note_.clear();
  least_in_turn_us_ = 0;
  if (Fault fault = prepare_events()) return *fault;
  if (request.incumbent_us > 0) {
    const double hopeless_us =
        std::max(plan.give_up_ratio * request.incumbent_us, plan.give_up_us_min);
    Result<double> run = measure_plain(1);
    double least_us = run ? *run : 0;
    int runs = 1;
    for (; run && least_us > hopeless_us && least_us < long_run_us && runs < plan.give_up_runs;
         ++runs) {
      run = measure_plain(1);
      if (run) least_us = std::min(least_us, *run);
    }
    if (!run) return run.failure();
    if (least_us > hopeless_us) {
      Samples samples;
      samples.us = {least_us};
      samples.add(session_.state());
      samples.given_up = fmt::format("given up after {} run{}: over {:g} times the best by then",
                                     runs, runs == 1 ? "" : "s", plan.give_up_ratio);
      return timing_of(samples, plan);
    }
  }
  if (Fault fault = choose_batch(plan)) return *fault;
  Samples samples;
  if (Fault fault = take_samples(request, plan, samples)) return *fault;
  Timing timing = timing_of(samples, plan);
  if (!timing.noisy || !samples.given_up.empty() || request.samples_max > 0) return timing;
  std::this_thread::sleep_for(std::chrono::milliseconds(plan.rest_ms));
  Samples again;
  if (Fault fault = take_samples(request, plan, again)) return *fault;
  Timing second = timing_of(again, plan);
  const auto spread = [](const Timing& t) { return (t.time_us_p80 - t.time_us_p20) / t.time_us; };
  if (second.disturbed != timing.disturbed) return second.disturbed ? timing : second;
  return second.noisy && spread(second) > spread(timing) ? timing : second;
}

Result<std::vector<double>> WorkSampler::sample(int count) {
  if (Fault fault = prepare_events()) return *fault;
  std::vector<double> us;
  for (int taken = -1; taken < count; ++taken) {
    const Result<double> sample = taken < 0 ? measure_plain(1) : measure_undisturbed();
    if (!sample) return sample.failure();
    if (taken >= 0) us.push_back(*sample);
  }
  std::erase_if(us, [&](double one) { return one > least_grows * least_in_turn_us_; });
  return us;
}

}  // namespace alphasparse
