#include "runtime/cuda_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alphasparse {
namespace {

constexpr std::int64_t l2_bytes_unknown = std::int64_t{128}
                                          << 20;  // assumed: that of the largest GPUs

/// A pair of events and the buffer that a cold sample writes first.
class Stopwatch {
 public:
  explicit Stopwatch(CudaSession& session) : session_(session) {}
  ~Stopwatch() {
    for (CudaEvent event : {first_, last_}) {
      if (event != nullptr) session_.api().destroy_event(event);
    }
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  Fault prepare(CacheRegime regime) {
    for (CudaEvent* event : {&first_, &last_}) {
      const int code = session_.api().create_event(event, cuda_event_default);
      if (Fault fault = session_.check(code, "cuEventCreate", "timing")) return fault;
    }
    if (regime == CacheRegime::warm) return std::nullopt;
    const std::int64_t l2_bytes = session_.gpu().l2_bytes;
    const auto bytes = static_cast<std::size_t>(2 * (l2_bytes > 0 ? l2_bytes : l2_bytes_unknown));
    Result<CudaBuffer> flush = CudaBuffer::allocate(session_, bytes, "flushing the L2 cache");
    if (!flush) return flush.failure();
    flush_ = std::move(*flush);
    return std::nullopt;
  }

  /// Writes through the whole cache, where prepared for cold.
  Fault flush() {
    if (flush_.bytes() == 0) return std::nullopt;
    const int code =
        session_.api().fill(flush_.address(), ++byte_, flush_.bytes(), session_.stream());
    return session_.check(code, "cuMemsetD8Async", "flushing the L2 cache");
  }

  /// The microseconds of `repetitions` of the work, waited for.
  Result<double> measure(const std::function<Fault()>& queue, int repetitions) {
    if (Fault fault = flush()) return *fault;
    if (Fault fault = record(first_)) return *fault;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (Fault fault = queue()) return *fault;
    }
    if (Fault fault = record(last_)) return *fault;
    const CudaApi& api = session_.api();
    if (Fault fault = session_.check(api.wait_for_event(last_), "cuEventSynchronize", "timing")) {
      return *fault;
    }
    float ms = 0;
    if (Fault fault =
            session_.check(api.elapsed_ms(&ms, first_, last_), "cuEventElapsedTime", "timing")) {
      return *fault;
    }
    return 1e3 * static_cast<double>(ms);
  }

 private:
  Fault record(CudaEvent event) {
    return session_.check(session_.api().record_event(event, session_.stream()), "cuEventRecord",
                          "timing");
  }

  CudaSession& session_;
  CudaEvent first_ = nullptr;
  CudaEvent last_ = nullptr;
  CudaBuffer flush_;
  unsigned char byte_ = 0;
};

/// Repetitions that last batch_us_min together. One alone mostly shows how long a launch takes, so
/// the batch grows by at most 16 at a time until it lasts.
Result<int> batch_size(Stopwatch& stopwatch, const std::function<Fault()>& queue,
                       const TimingPlan& plan) {
  int batch = 1;
  while (true) {
    const Result<double> time_us = stopwatch.measure(queue, batch);
    if (!time_us) return time_us.failure();
    if (*time_us >= plan.batch_us_min || batch >= plan.batch_max) return batch;
    const double wanted = 1.1 * plan.batch_us_min / std::max(*time_us, 1e-3);
    const double growth = std::clamp(wanted, 1.5, 16.0);
    batch = std::min(plan.batch_max, static_cast<int>(std::ceil(batch * growth)));
  }
}

}  // namespace

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

Result<Timing> time_work(CudaSession& session, const std::function<Fault()>& queue,
                         CacheRegime regime, const TimingPlan& plan) {
  Stopwatch stopwatch(session);
  if (Fault fault = stopwatch.prepare(regime)) return *fault;
  int batch = 1;
  if (regime == CacheRegime::warm) {
    const Result<int> size = batch_size(stopwatch, queue, plan);
    if (!size) return size.failure();
    batch = *size;
  }
  std::vector<double> samples;
  double total_us = 0;
  while (static_cast<int>(samples.size()) < plan.samples_max &&
         (static_cast<int>(samples.size()) < plan.samples_min || total_us < plan.total_us_max)) {
    const Result<double> time_us = stopwatch.measure(queue, batch);
    if (!time_us) return time_us.failure();
    total_us += *time_us;
    samples.push_back(*time_us / batch);
  }
  std::sort(samples.begin(), samples.end());
  Timing timing;
  timing.time_us = quantile(samples, 0.5);
  timing.time_us_p20 = quantile(samples, 0.2);
  timing.time_us_p80 = quantile(samples, 0.8);
  timing.samples = static_cast<int>(samples.size());
  if (batch > 1) timing.note = fmt::format("a sample is the mean of {} in a row", batch);
  return timing;
}

}  // namespace alphasparse
