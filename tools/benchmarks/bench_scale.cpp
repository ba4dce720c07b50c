// bench_scale: the cost of searches as matrices grow, and the loss of searching on samples.
//
//   bench_scale [--device D] [--twin NAME,...] [--nnz N,...] [--time T | --trials N]
//               [--dtype f32|f64] [--judge [--most R]]
//
// Figures of twins (tools/synthetic) with so many non-zeros, each in a process of its own:
//
//   read      The seconds in which the matrix is read as plain Matrix Market text, and MB/s of it.
//   prior     The seconds until all named designs have an expected time.
//   once      On each sample and on the whole: the seconds that it takes to make the sample and the
//             data that all candidates share.
//   each      Likewise: the seconds of a candidate beyond that. It is the median of the six named
//             designs with the best expected times, as far as a minute reaches.
//   a minute  The designs tried or pruned in a minute of a search. The search has a time T, or N
//             trials. Modelled times make a search of N trials the same on any machine with as
//             many cores.
//   peak      The highest memory of reading and of that search, over the bytes of CSR. Behind + is
//             that of the device's worker, or of another process that ours has started.
//   regret    With --judge: the time of its winner over that of the best of a fixed list of designs
//             (design_list.h). Each of them is built whole. A device that measures times the winner
//             and the best few of the list in turn. Then the ratio has a 95 % interval. A modelled
//             device also tells how well times from a sample agree with those of the whole. With
//             --most R the program fails where a regret is above R.
//
// Times on a machine that does other work are ratios of one run at best.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/matrix.h"
#include "operators/named_designs.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/matrices/text/write_matrix_market.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/forked_task.h"
#include "runtime/system/stopwatch.h"
#include "search/estimates/prior.h"
#include "search/estimates/sample.h"
#include "search/trial/finals.h"
#include "search/tune.h"
#include "tools/benchmarks/design_list.h"
#include "tools/console/tool_main.h"
#include "tools/console/twin_inputs.h"

namespace alphasparse {
namespace {

constexpr std::size_t candidates_most = 6;
constexpr double candidates_seconds = 60;

struct Options {
  std::string device = "emulated:h200";
  std::vector<double> nnz = {1e5, 1e6, 1e7, 4.6e7};
  double seconds = 60;
  std::int64_t trials = 0;  ///< 0: as many as the time allows
  std::vector<std::string> twins = {"ldoor"};
  bool judge = false;
  double regret_most = HUGE_VAL;
  Dtype dtype = default_dtype;
};

const std::atomic<bool> never = false;

/// A twin with about so many non-zeros, as a file.
void write_twin(const std::string& name, double nnz, const std::filesystem::path& path) {
  AtomicFile file(path);
  write_matrix_market([&](std::string_view text) { file.write(text.data(), text.size()); },
                      make_twin(twin_named(name), nnz), "");
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
  const Matrix sample = nnz ? make_sample(whole, *nnz) : Matrix();
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

TuneResult search(const Matrix& matrix, Device& device, TuneOptions options,
                  const Options& requested) {
  constexpr double ample_seconds = 8 * 3600;
  options.effort = {requested.trials > 0 ? ample_seconds : requested.seconds, requested.trials, 0};
  return tune(matrix, device, nullptr, options, {}, never);
}

/// How many times as long the winner takes as the best of the list.
struct Regret {
  double ratio = 1;
  double half_width = 0;  ///< of its 95 % interval; 0 where times are modelled
  std::string best;       ///< the design
};

/// The winner in turn with the best few of the list: which of these is the best is not known
/// before.
Regret regret_in_turn(const Matrix& matrix, Device& device, const TuneOptions& options,
                      const Measurement& winner, const ListedTimes& listed) {
  constexpr double finals_seconds = 20;
  constexpr std::size_t rivals = 3;
  Trial trial(matrix, device, options, 0);
  Subjects subjects = {Subject::read(winner.design).value()};
  for (const Measurement* const outcome : sort_by_time(listed.outcomes)) {
    if (subjects.size() > rivals) break;
    if (outcome->design != winner.design)
      subjects.push_back(Subject::read(outcome->design).value());
  }
  const auto finals = run_finals(trial, subjects, {}, finals_seconds, never);
  if (!finals || finals->size() < 2 || finals->front().outcome.design != winner.design)
    throw Error("the winner was not measured in turn with the list");
  const auto best = std::min_element(
      finals->begin() + 1, finals->end(),
      [](const auto& a, const auto& b) { return a.standing.ratio < b.standing.ratio; });
  const double ratio = 1 / best->standing.ratio;
  if (ratio < 1 && listed.outcomes.contains(winner.design)) return {1, 0, winner.design};
  return {ratio, best->standing.half_width, best->outcome.design};
}

Regret regret(const Matrix& matrix, Device& device, const TuneOptions& options,
              const Measurement& winner, const ListedTimes& listed) {
  if (device.info().kind == TimeKind::measured)
    return regret_in_turn(matrix, device, options, winner, listed);
  return {winner.timing->time_us / listed.best->timing->time_us, 0, listed.best->design};
}

void judge(const Matrix& matrix, Device& device, const TuneOptions& options,
           const TuneResult& found, double regret_most) {
  const std::string named =
      found.pfs ? fmt::format("{}, {:.1f} us", found.pfs_name, found.pfs->timing->time_us)
                : "none was tried";
  fmt::print("                    winner {}\n                    best known format {}\n",
             found.winner->design, named);
  std::fflush(stdout);
  const ListedTimes listed = try_list(matrix, device, options);
  if (!listed.best) throw Error("no design of the list has a time on the whole");
  const Regret regret_of = regret(matrix, device, options, *found.winner, listed);
  fmt::print("                    regret {:.3f}", regret_of.ratio);
  if (regret_of.half_width > 0) fmt::print(" +- {:.3f}", regret_of.ratio * regret_of.half_width);
  fmt::print(", against the best of {} of {} designs of the list, {:.1f} us: {}\n",
             sort_by_time(listed.outcomes).size(), listed.listed,
             listed.outcomes.at(regret_of.best).timing->time_us, regret_of.best);
  if (listed.rank_correlation) {
    fmt::print(
        "                    sample: rank correlation {:.2f} with the whole, an error of {:.0f} % "
        "at most\n",
        *listed.rank_correlation, 100 * listed.error_max);
  }
  std::fflush(stdout);
  if (regret_of.ratio > regret_most)
    throw Error(fmt::format("the regret {:.3f} is above {}", regret_of.ratio, regret_most));
}

double peak_over(int who, std::int64_t bytes) {
  rusage usage{};
  getrusage(who, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss) / static_cast<double>(bytes);
}

void bench(const Options& requested, const std::string& name, const std::filesystem::path& twin) {
  std::unique_ptr<Device> device = open_device(requested.device);  // its worker has no matrix
  const Matrix matrix = read_twin(twin);
  TuneOptions options;
  options.dtype = requested.dtype;
  options.matrix_name = name;
  const Designs named = canonical_named_designs(device->info().target);
  const Stopwatch clock;
  const auto times = expected_times(matrix, named, {device->info(), requested.dtype}, {});
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

  const TuneResult sampled = search(matrix, *device, options, requested);
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
  if (!requested.judge) return;
  device = open_device(requested.device);
  judge(matrix, *device, options, sampled, requested.regret_most);
}

Options parse(int argument_count, char** arguments) {
  Options options;
  CLI::App app("The cost of searches as matrices grow", "bench_scale");
  app.add_option("--device", options.device, "Where, see alphasparse devices")
      ->capture_default_str();
  app.add_option("--nnz", options.nnz, "Non-zeros of the twins, at most 46.5e6")
      ->delimiter(',')
      ->check(CLI::Range(1e3, 4.7e7));
  app.add_option("--time", options.seconds, "Seconds of a search")
      ->check(CLI::Range(1.0, 28800.0))
      ->capture_default_str();
  app.add_option("--trials", options.trials, "Trials of a search, with no limit of its time")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
      ->excludes("--time");
  app.add_option("--twin", options.twins, "Twins of matrices, see alphasparse generate --list")
      ->delimiter(',')
      ->capture_default_str();
  app.add_flag("--judge", options.judge, "Compare the winner with a fixed list of designs");
  app.add_option("--most", options.regret_most, "The largest ratio to the list's best that passes")
      ->check(CLI::PositiveNumber)
      ->needs("--judge");
  app.add_option_function<std::string>(
      "--dtype", [&](const std::string& text) { options.dtype = parse_dtype(text); }, dtype_list());
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; see bench_scale --help", error.what()));
  }
  return options;
}

/// In a process of its own: the memory of one is not another's.
void run_alone(double nnz, const std::function<void()>& work) {
  std::fflush(stdout);
  ForkedTask task([&](const ForkedTask::Report&) { work(); });
  const std::string end = task.how_it_ended();
  if (!end.empty()) throw Error(fmt::format("with {:.3g} non-zeros: {}", nnz, end));
}

int run(int argument_count, char** arguments) {
  const Options options = parse(argument_count, arguments);
  for (const std::string& name : options.twins) {
    for (const double nnz : options.nnz) {
      const TemporaryFolder folder;
      const std::filesystem::path twin = folder.path() / "twin.mtx";
      run_alone(nnz, [&] { write_twin(name, nnz, twin); });
      fmt::print("{}\n", name);
      run_alone(nnz, [&] { bench(options, name, twin); });
    }
  }
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("bench_scale",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
