// bench_scale: the cost of searches as matrices grow, and the loss of searching on samples.
//
//   bench_scale [--device D] [--nnz N,...] [--time T] [--long T] [--dtype f32|f64]
//
// Of twins of ldoor (tools/synthetic) with so many non-zeros, each in a process of its own:
//
//   read      seconds to read the matrix as plain Matrix Market text, and MB/s of it
//   prior     seconds until all named designs have an expected time
//   once      at each fidelity, a sample or the whole: seconds to make the sample and the data that
//             all candidates share
//   each      likewise: seconds that a candidate takes above that, the median of the six named
//             designs that are expected to be the fastest, as far as a minute reaches
//   a minute  designs tried or pruned in a minute of a search of T
//   peak      memory at its highest over the bytes of CSR, reading and that search: of our process
//             and, behind +, of the device's worker or of other processes that it has started
//   regret    the time of its winner over that of a search of the whole matrix alone, which has
//             --long (default five times T); left out where that is 0. With more than 16 million
//             non-zeros such a search tries a handful of designs. There it is over the best of the
//             20 that were the fastest on the largest sample, each built, verified and timed whole.
//             On a device that measures, both winners are timed in turn.
//
// Times on a machine that does other work are ratios of one run at best.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "operators/named_designs.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/matrices/text/write_matrix_market.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/forked_task.h"
#include "runtime/system/stopwatch.h"
#include "search/fidelity/prior.h"
#include "search/fidelity/sample.h"
#include "search/trial/finals.h"
#include "search/tune.h"
#include "tools/console/tool_main.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {
namespace {

constexpr std::size_t candidates_most = 6;
constexpr double candidates_seconds = 60;
constexpr std::int64_t searched_whole_most = 16'000'000;  // non-zeros

struct Options {
  std::string device = "emulated:h200";
  std::vector<double> nnz = {1e5, 1e6, 1e7, 4.6e7};
  double seconds = 60;
  double long_seconds = -1;
  Dtype dtype = Dtype::f32;
};

const std::atomic<bool> never = false;

/// A twin of ldoor with about so many non-zeros, as a file.
void write_twin(double nnz, const std::filesystem::path& path) {
  const auto twin = std::find_if(twins().begin(), twins().end(),
                                 [](const Twin& each) { return each.name == "ldoor"; });
  const double scale = std::min(1.0, nnz / static_cast<double>(twin->nnz));
  const Result<Matrix> made = synthetic_matrix(twin_options(*twin, scale));
  if (!made) throw Error(made.reason());
  AtomicFile file(path);
  write_matrix_market(file, *made, "");
  file.publish();
}

Matrix read_twin(const std::filesystem::path& path) {
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  const Stopwatch clock;
  Matrix matrix = read_matrix_market(path);
  const double seconds = clock.seconds();
  fmt::print("{:>9} non-zeros  read {:.2f} s, {:.0f} MB/s\n", matrix.nnz(), seconds,
             1e-6 * bytes / seconds);
  return matrix;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// The cost of candidates on a sample of so many non-zeros, or on the whole.
void bench_candidates(const Matrix& whole, std::optional<std::int64_t> nnz, Device& device,
                      const TuneOptions& options, const Designs& designs) {
  const Stopwatch once;
  const Matrix sample = nnz ? sample_of(whole, *nnz) : Matrix();
  const Matrix& matrix = nnz ? sample : whole;
  Trial trial(matrix, device, options, 0);
  const double once_seconds = once.seconds();
  std::vector<double> each;
  const Stopwatch all;
  for (const CanonicalDesign& design : designs) {
    if (each.size() == candidates_most || all.seconds() > candidates_seconds) break;
    const Stopwatch clock;
    const Measurement outcome = trial.run(design, {});
    if (outcome.status == Status::ok) each.push_back(clock.seconds());
  }
  fmt::print("{:>9} of them      once {:.3f} s, each {:.3f} s ({} tried)\n", matrix.nnz(),
             once_seconds, median(each), each.size());
}

TuneResult search(const Matrix& matrix, Device& device, TuneOptions options, double seconds,
                  bool samples) {
  options.effort.seconds = seconds;
  options.samples = samples;
  return tune(matrix, device, nullptr, options, {}, never);
}

/// How many times as long the first takes as the second.
double ratio_of(const Matrix& matrix, Device& device, const TuneOptions& options,
                const Measurement& first, const Measurement& second) {
  if (device.info().kind == TimeKind::modelled || first.design == second.design)
    return first.timing->time_us / second.timing->time_us;
  Trial trial(matrix, device, options, 0);
  constexpr double finals_seconds = 10;
  const Subjects winners = {Subject::read(first.design).value(),
                            Subject::read(second.design).value()};
  const auto finals = run_finals(trial, winners, {}, finals_seconds, never);
  if (!finals || finals->size() != 2) throw Error("the winners were not measured in turn");
  return finals->front().outcome.timing->time_us / finals->back().outcome.timing->time_us;
}

/// The best of designs that are tried whole, one after the other.
std::optional<Measurement> best_whole(const Matrix& matrix, Device& device,
                                      const TuneOptions& options,
                                      const std::vector<std::string>& designs) {
  Trial trial(matrix, device, options, 0);
  Outcomes outcomes;
  for (const std::string& design : designs) outcomes[design] = trial.run(design, {});
  const Measurement* const best = best_of(outcomes);
  return best ? std::optional(*best) : std::nullopt;
}

/// The loss by sampling, as text.
std::string regret(const Matrix& matrix, Device& device, const TuneOptions& options,
                   const TuneResult& sampled, double seconds) {
  if (matrix.nnz() > searched_whole_most && !sampled.samples.empty()) {
    const std::vector<std::string>& designs = sampled.samples.back().best;
    const auto best = best_whole(matrix, device, options, designs);
    if (!best) throw Error("no design of a sample is right on the whole");
    return fmt::format("{:.3f}, against the best of {} of the last sample, built whole",
                       ratio_of(matrix, device, options, *sampled.winner, *best), designs.size());
  }
  const TuneResult whole = search(matrix, device, options, seconds, false);
  if (!whole.winner) throw Error("the long search found nothing");
  return fmt::format("{:.3f}, against {} designs tried whole in {:.0f} s",
                     ratio_of(matrix, device, options, *sampled.winner, *whole.winner),
                     whole.trials, whole.seconds);
}

double peak_over(int who, std::int64_t bytes) {
  rusage usage{};
  getrusage(who, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss) / static_cast<double>(bytes);
}

void bench(const Options& asked, const std::filesystem::path& twin) {
  std::unique_ptr<Device> device = open_device(asked.device);  // its worker has no matrix
  const Matrix matrix = read_twin(twin);
  TuneOptions options;
  options.dtype = asked.dtype;
  options.matrix_name = "ldoor";
  const Designs named = canonical_named_designs(device->info().target);
  const Stopwatch clock;
  const auto times = expected_times(matrix, named, {device->info(), asked.dtype}, {});
  fmt::print("                    prior {:.2f} s, {} of {} named designs\n", clock.seconds(),
             times.size(), named.size());
  Designs designs;
  for (const auto& [design, time_us] : times) designs.push_back(design);
  std::stable_sort(designs.begin(), designs.end(),
                   [&](const auto& a, const auto& b) { return times.at(a) < times.at(b); });
  for (const std::int64_t size : sample_sizes(matrix.nnz(), device->info()))
    bench_candidates(matrix, size, *device, options, designs);
  bench_candidates(matrix, std::nullopt, *device, options, designs);
  std::fflush(stdout);

  const TuneResult sampled = search(matrix, *device, options, asked.seconds, true);
  if (!sampled.winner) throw Error("the search found nothing");
  std::int64_t designs_met = static_cast<std::int64_t>(sampled.outcomes.size());
  for (const SampledSearch& sample : sampled.samples) designs_met += sample.trials + sample.pruned;
  const double own_peak = peak_over(RUSAGE_SELF, sampled.csr_bytes);
  device.reset();  // its peak is known when it has ended
  fmt::print(
      "                    search {:.0f} s: {:.0f} a minute, peak {:.1f} + {:.1f} of CSR, winner "
      "{:.1f} us\n",
      sampled.seconds, 60 * static_cast<double>(designs_met) / sampled.seconds, own_peak,
      peak_over(RUSAGE_CHILDREN, sampled.csr_bytes), sampled.winner->timing->time_us);
  std::fflush(stdout);
  if (asked.long_seconds <= 0) return;
  device = open_device(asked.device);
  fmt::print("                    regret {}\n",
             regret(matrix, *device, options, sampled, asked.long_seconds));
  std::fflush(stdout);
}

Options parse(int argument_count, char** arguments) {
  Options options;
  std::string dtype = "f32";
  CLI::App app("The cost of searches as matrices grow", "bench_scale");
  app.add_option("--device", options.device, "Where, see alphasparse devices")
      ->capture_default_str();
  app.add_option("--nnz", options.nnz, "Non-zeros of the twins, at most 46.5e6")
      ->delimiter(',')
      ->check(CLI::Range(1e3, 4.7e7));
  app.add_option("--time", options.seconds, "Seconds of a search")
      ->check(CLI::Range(1.0, 28800.0))
      ->capture_default_str();
  app.add_option("--long", options.long_seconds,
                 "Seconds of a search without samples; 0: none (default five times --time)")
      ->check(CLI::Range(0.0, 28800.0));
  app.add_option("--dtype", dtype, "f32 or f64")->check(CLI::IsMember({"f32", "f64"}));
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; see bench_scale --help", error.what()));
  }
  if (options.long_seconds < 0) options.long_seconds = 5 * options.seconds;
  options.dtype = dtype == "f64" ? Dtype::f64 : Dtype::f32;
  return options;
}

/// In a process of its own: the memory of one is not another's.
void run_alone(double nnz, const std::function<void()>& work) {
  std::fflush(stdout);
  ForkedTask task([&](const ForkedTask::Tell&) { work(); });
  const std::string end = task.how_it_ended();
  if (!end.empty()) throw Error(fmt::format("with {:.3g} non-zeros: {}", nnz, end));
}

int run(int argument_count, char** arguments) {
  const Options options = parse(argument_count, arguments);
  for (const double nnz : options.nnz) {
    const TemporaryFolder folder;
    const std::filesystem::path twin = folder.path() / "twin.mtx";
    run_alone(nnz, [&] { write_twin(nnz, twin); });
    run_alone(nnz, [&] { bench(options, twin); });
  }
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("bench_scale",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
